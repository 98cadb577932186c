/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - finds the reader of a file by its name and contents. */
#include "exchange/read/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"

/* More than any script or configuration has; a log may be longer. */
enum { MOST_BYTES = 4 << 20 };

typedef enum syntax { SHELL, PYTHON, JSON, YAML, TOML, LOG } syntax;

static const struct {
    const char *ending;
    syntax syntax;
} endings[] = {{".sh", SHELL}, {".bash", SHELL}, {".sbatch", SHELL},
        {".slurm", SHELL}, {".py", PYTHON}, {".json", JSON}, {".hjson", JSON},
        {".yaml", YAML}, {".yml", YAML}, {".toml", TOML}, {".log", LOG}};

/* A file whose name says nothing. */
static syntax guess(const char *text)
{
    if (strstr(text, " .....") != NULL)
        return LOG;
    return text[strspn(text, " \t\r\n")] == '{' ? JSON : SHELL;
}

static syntax syntax_of(const char *path, const char *text)
{
    const size_t n = strlen(path);

    for (int i = 0; i < P3D_COUNT_OF(endings); i++) {
        const size_t length = strlen(endings[i].ending);

        if (n > length && p3d_same_word(path + n - length, endings[i].ending))
            return endings[i].syntax;
    }
    return guess(text);
}

static bool read_text(p3d_launch_text from, p3d_settings *out,
        p3d_measured_run *measured, p3d_error *err)
{
    const char *const text = from.text;
    const syntax kind = syntax_of(from.path, text);

    if (from.length > MOST_BYTES && kind != LOG)
        return p3d_fail(err, P3D_DATA,
                "longer than %d MiB, which no script or configuration is; give "
                "a log the ending .log",
                MOST_BYTES >> 20);
    switch (kind) {
    case SHELL: return exchange_read_shell(text, out, err);
    case PYTHON: return exchange_read_python(text, out, err);
    case JSON:
        return exchange_read_json(from.path, text, from.length, out, err);
    case YAML: return exchange_read_yaml(text, from.length, out, err);
    case TOML: return exchange_read_toml(text, out, err);
    case LOG: return exchange_read_log(text, out, measured, err);
    }
    return false;
}

bool exchange_read_text(p3d_launch_text from, p3d_settings *out,
        p3d_measured_run *measured, p3d_error *err)
{
    const char *const text = from.text;
    p3d_error cause = {0};
    bool ok;

    if (text[strspn(text, " \t\r\n")] == '\0' && strlen(text) == from.length)
        ok = p3d_fail(&cause, P3D_DATA, "the file is empty");
    else if (memchr(text, '\0', from.length) != NULL)
        ok = p3d_fail(&cause, P3D_DATA,
                "a binary file; write a script, a "
                "configuration or a log");
    else
        ok = read_text(from, out, measured, &cause);
    out->file++;
    return ok || p3d_fail_file(err, from.path, &cause);
}

bool exchange_read_file(const char *path, p3d_settings *out,
        p3d_measured_run *measured, p3d_error *err)
{
    char *text = NULL;
    size_t length = 0;
    bool ok;

    if (!p3d_read_file(path, P3D_MAX_IMPORT_BYTES, &text, &length, err))
        return false;
    ok = exchange_read_text(
            (p3d_launch_text){path, text, length}, out, measured, err);
    free(text);
    return ok;
}
