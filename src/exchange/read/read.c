/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - the reader that fills the list of names and values from a file,
 * found by the file's name and contents. */
#include "exchange/read/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/util.h"
#include "exchange/read/cluster_job.h"
#include "exchange/read/follow.h"
#include "exchange/read/functions.h"
#include "exchange/read/launched.h"

/* More than any script or configuration has; a log may be longer. */
enum { MOST_BYTES = 4 << 20, MOST_BASES = 8 };

static const struct {
    const char *ending;
    exchange_syntax syntax;
} endings[] = {{".sh", EXCHANGE_IN_SHELL}, {".bash", EXCHANGE_IN_SHELL},
        {".sbatch", EXCHANGE_IN_SHELL}, {".slurm", EXCHANGE_IN_SHELL},
        {".py", EXCHANGE_IN_PYTHON}, {".json", EXCHANGE_IN_JSON},
        {".hjson", EXCHANGE_IN_JSON}, {".yaml", EXCHANGE_IN_YAML},
        {".yml", EXCHANGE_IN_YAML}, {".toml", EXCHANGE_IN_TOML},
        {".log", EXCHANGE_IN_LOG}, {".out", EXCHANGE_IN_LOG}};

/* A file whose name says nothing. */
static exchange_syntax guess(const char *text)
{
    if (strstr(text, " .....") != NULL)
        return EXCHANGE_IN_LOG;
    if (text[strspn(text, " \t\r\n")] == '{')
        return EXCHANGE_IN_JSON;
    return exchange_is_log(text) ? EXCHANGE_IN_LOG : EXCHANGE_IN_SHELL;
}

exchange_syntax exchange_syntax_of(const char *path, const char *text)
{
    const size_t n = strlen(path);

    for (int i = 0; i < P3D_COUNT_OF(endings); i++) {
        const size_t length = strlen(endings[i].ending);

        if (n > length && p3d_same_word(path + n - length, endings[i].ending))
            return endings[i].syntax;
    }
    return guess(text);
}

static bool read_base(const char *path, int depth, int line,
        exchange_settings *out, p3d_error *err);

/* The next line of YAML that says a file to begin from: "defaults: base.yaml",
 * or an entry of such a list.
 * @param is_open  in and out: within the list
 * @return its length in *n; NULL = none */
static const char *next_default(
        const char *at, bool *is_open, int *line, size_t *n)
{
    static const char key[] = "defaults:";

    for (; *at != '\0'; (*line)++) {
        const bool begins = strncmp(at, key, sizeof(key) - 1) == 0;
        const char *word = begins ? at + sizeof(key) - 1 : at;

        *is_open = begins || (*is_open && strchr(" -#\r\n", *at) != NULL);
        word += *is_open ? strspn(word, " -\"'") : 0;
        *n = strcspn(word, " #\"'\r\n");
        if (*is_open &&
                ((*n > 5 && strncmp(word + *n - 5, ".yaml", 5) == 0) ||
                        (*n > 4 && strncmp(word + *n - 4, ".yml", 4) == 0)))
            return word;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

/* "part" and "part.name" of a base go where the file says "part" again: all of
 * it where it is null. */
static void drop_base(exchange_settings *settings, int from, int until)
{
    for (int k = until; k < settings->n; k++) {
        const exchange_setting *const said = &settings->at[k];
        const size_t n = strlen(said->name);

        for (int i = from; i < until; i++) {
            char *const name = settings->at[i].name;

            if (strncmp(name, said->name, n) != 0 ||
                    (name[n] != '\0' && name[n] != '.'))
                continue;
            name[0] = '\0';
            settings->at[i].used = true;
        }
    }
}

/* Files that a configuration begins from are read first: it counts more. */
static bool read_defaults(
        exchange_text from, int depth, exchange_settings *out, p3d_error *err)
{
    const char *at = from.text;
    const int first = out->n;
    bool is_open = false;
    int line = 1;
    bool ok = true;

    while (ok) {
        p3d_text name = {0}, path = {0};
        const int before = out->n;
        size_t n;

        at = next_default(at, &is_open, &line, &n);
        if (at == NULL)
            break;
        p3d_text_append(&name, at, n);
        exchange_find_beside(from.path, p3d_text_get(&name), &path);
        if (path.length > 0)
            ok = read_base(p3d_text_get(&path), depth + 1, line, out, err);
        else
            ok = exchange_fail_at(err, line, 1,
                    "it begins from '%.80s', which is not there; put that file "
                    "beside it",
                    p3d_text_get(&name));
        drop_base(out, first, before);
        p3d_text_free(&name);
        p3d_text_free(&path);
        at += strcspn(at, "\n");
        line += *at == '\n';
        at += *at == '\n';
    }
    return ok;
}

static bool read_yaml(
        exchange_text from, int depth, exchange_settings *out, p3d_error *err)
{
    const int n = out->n;
    int n_base;

    if (!read_defaults(from, depth, out, err))
        return false;
    n_base = out->n;
    if (!exchange_read_yaml(from.text, from.length, out, err))
        return false;
    drop_base(out, n, n_base);
    return true;
}

static bool read_base(const char *path, int depth, int line,
        exchange_settings *out, p3d_error *err)
{
    const int n = out->n;
    exchange_text from = {.path = path};
    p3d_error why = {0};
    char *text = NULL;
    bool ok;

    if (depth > MOST_BASES)
        return exchange_fail_at(err, line, 1,
                "files begin from each other, more than %d deep", MOST_BASES);
    ok = p3d_read_file(path, MOST_BYTES, &text, &from.length, &why);
    from.text = text;
    ok = ok && read_yaml(from, depth, out, &why);
    free(text);
    for (int i = n; i < out->n; i++) {
        out->at[i].line = line;
        out->at[i].column = 0;
    }
    return ok || exchange_fail_at(err, line, 1, "%.200s:%d: %.200s", path,
                         why.line, why.text);
}

static bool read_text(exchange_text from, exchange_settings *out,
        exchange_measured *measured, p3d_error *err)
{
    const char *const text = from.text;
    const exchange_syntax kind = exchange_syntax_of(from.path, text);
    const int n_before = out->n;

    if (from.length > MOST_BYTES && kind != EXCHANGE_IN_LOG)
        return p3d_fail(err, P3D_DATA,
                "longer than %d MiB, which no script or configuration is; give "
                "a log the ending .log",
                MOST_BYTES >> 20);
    switch (kind) {
    case EXCHANGE_IN_SHELL:
        return exchange_read_shell(text, out, err) &&
               exchange_read_made(text, out, err);
    case EXCHANGE_IN_PYTHON:
        return exchange_read_python(text, out, err) &&
               exchange_choose_function(text, n_before, out, err);
    case EXCHANGE_IN_JSON:
        return exchange_read_json(from.path, text, from.length, out, err);
    case EXCHANGE_IN_YAML:
        return read_yaml(from, 0, out, err) &&
               exchange_read_cluster_job(n_before, out, err);
    case EXCHANGE_IN_TOML: return exchange_read_toml(text, out, err);
    case EXCHANGE_IN_LOG: return exchange_read_log(text, out, measured, err);
    }
    return false;
}

/* Does a text speak of FSDP, in whatever letters? */
static bool speaks_of_fsdp(const char *text)
{
    static const char word[] = "fsdp";

    for (; *text != '\0'; text++) {
        size_t n = 0;

        while (word[n] != '\0' && p3d_lower(text[n]) == word[n])
            n++;
        if (word[n] == '\0')
            return true;
    }
    return false;
}

static bool note_fsdp(
        const exchange_text *from, exchange_settings *out, p3d_error *err)
{
    if (exchange_syntax_of(from->path, from->text) != EXCHANGE_IN_YAML ||
            (!speaks_of_fsdp(from->path) && !speaks_of_fsdp(from->text)))
        return true;
    if (!exchange_settings_add(out, EXCHANGE_SPEAKS_OF_FSDP, NULL, 1, err))
        return false;
    out->at[out->n - 1].used = true;
    return true;
}

/* torchtune's recipes of one GPU have no other number of processes: the file's
 * name or its comment says the recipe (torchtune/_recipe_registry.py). */
static bool note_single_device(
        const exchange_text *from, exchange_settings *out, p3d_error *err)
{
    static const char recipe[] = "single_device";

    if (exchange_syntax_of(from->path, from->text) != EXCHANGE_IN_YAML ||
            strstr(from->text, "torchtune.") == NULL ||
            (strstr(p3d_last_part(from->path), recipe) == NULL &&
                    strstr(from->text, "_single_device --config") == NULL))
        return true;
    if (!exchange_settings_add(out, "nproc-per-node", "1", 1, err))
        return false;
    out->at[out->n - 1].used = true;
    return true;
}

/* The word behind "--config_file" in the comments at the head of a file: how it
 * is launched with accelerate. @return its length; 0 = none */
static size_t find_in_comments(const char *text, const char **word)
{
    static const char launch[] = "accelerate launch",
                      option[] = "--config_file";
    bool is_launched = false;

    while (text[0] == '#') {
        const size_t n = strcspn(text, "\n");
        const char *const at = strstr(text, option);
        const char *const by = strstr(text, launch);

        is_launched = is_launched || (by != NULL && by < text + n);
        if (is_launched && at != NULL && at < text + n) {
            *word = at + sizeof(option) - 1;
            *word += strspn(*word, " =");
            return strcspn(*word, " \t\r\n\\");
        }
        text += n + (text[n] == '\n');
    }
    return 0;
}

/* A file of a program that says by a comment which configuration of accelerate
 * it is launched with, where that is there. */
static bool note_launch(
        const exchange_text *from, exchange_settings *out, p3d_error *err)
{
    const char *word = NULL;
    const size_t n =
            exchange_syntax_of(from->path, from->text) == EXCHANGE_IN_YAML
                    ? find_in_comments(from->text, &word)
                    : 0;
    p3d_text name = {0}, found = {0};
    bool ok = true;

    p3d_text_append(&name, word != NULL ? word : "", n);
    if (n > 0)
        exchange_find_beside(from->path, p3d_text_get(&name), &found);
    if (found.length > 0) {
        ok = exchange_settings_add(out, EXCHANGE_ACCELERATE, NULL, 1, err) &&
             exchange_settings_add(
                     out, "config_file", p3d_text_get(&name), 1, err);
        for (int i = out->n - 2; ok && i < out->n; i++)
            out->at[i].used = true;
    }
    ok = ok && !(name.failed || found.failed);
    p3d_text_free(&name);
    p3d_text_free(&found);
    return ok;
}

/* The only file, of a program on transformers, that says nothing of its launch
 * itself. */
static bool is_launched_elsewhere(
        const exchange_text *from, const exchange_settings *out)
{
    static const char *const launches[] = {EXCHANGE_ACCELERATE, "deepspeed",
            "distributed_type", "fsdp", "fsdp_config"};

    if (out->file > 0 ||
            exchange_syntax_of(from->path, from->text) != EXCHANGE_IN_YAML ||
            exchange_settings_find(out, "model_name_or_path", true) == NULL)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(launches); i++)
        if (exchange_settings_find(out, launches[i], true) != NULL)
            return false;
    return true;
}

bool exchange_read_text(exchange_text from, exchange_settings *out,
        exchange_measured *measured, p3d_error *err)
{
    const char *const text = from.text;
    p3d_error cause = {0};
    bool ok;

    out->path = from.path;
    if (text[strspn(text, " \t\r\n")] == '\0' && strlen(text) == from.length)
        ok = p3d_fail(&cause, P3D_DATA, "the file is empty");
    else if (memchr(text, '\0', from.length) != NULL)
        ok = p3d_fail(&cause, P3D_DATA,
                "a binary file; write a script, a "
                "configuration or a log");
    else
        ok = read_text(from, out, measured, &cause) &&
             note_fsdp(&from, out, &cause) && note_launch(&from, out, &cause) &&
             note_single_device(&from, out, &cause) &&
             (!is_launched_elsewhere(&from, out) ||
                     exchange_note_launched(from.path, out, &cause));
    out->path = NULL;
    out->file++;
    return ok || p3d_fail_file(err, from.path, &cause);
}

bool exchange_read_file(const char *path, exchange_settings *out,
        exchange_measured *measured, p3d_error *err)
{
    char *text = NULL;
    size_t length = 0;
    bool ok;

    if (!p3d_read_file(path, EXCHANGE_MAX_BYTES, &text, &length, err))
        return false;
    ok = exchange_read_text(
            (exchange_text){path, text, length}, out, measured, err);
    free(text);
    return ok;
}
