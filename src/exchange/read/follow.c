/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow.c - DeepSpeed's JSON, which scripts and configurations name. */
#include "exchange/read/follow.h"

#include <string.h>
#include <sys/stat.h>

#include "base/util.h"

enum { MOST_FOLDERS = 8 };

static const char *const names[] = {"deepspeed", "deepspeed_config",
        "deepspeed_config_file", "deepspeed_config.deepspeed_config_file"};

static bool is_json(const char *value)
{
    const size_t n = strlen(value);

    return n > 5 && strcmp(value + n - 5, ".json") == 0;
}

/* The name of a file behind its folder, which may be a variable. */
static const char *last_part(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* "deepspeed" may be a flag, or the name of a configuration that a program
 * has ("zero3"); the others are always a file. */
static bool is_file(int name, const char *value)
{
    return name > 0 ? strchr(last_part(value), '.') != NULL : is_json(value);
}

static const exchange_setting *find_named(
        const exchange_settings *settings, bool *has_name)
{
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        const exchange_setting *const found =
                exchange_settings_find(settings, names[i], true);

        if (found == NULL || found->value == NULL)
            continue;
        *has_name = is_file(i, found->value) &&
                    strchr(last_part(found->value), '$') == NULL;
        if (*has_name || strchr(found->value, '$') != NULL)
            return found;
    }
    return NULL;
}

static bool exists(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The file by its path from a folder of n characters. */
static bool find_from(const char *file, int n, const char *value, p3d_text *out)
{
    p3d_text_cut(out, 0);
    p3d_text_add(out, "%.*s%s", n, file, value);
    if (!out->failed && exists(out->data))
        return true;
    p3d_text_cut(out, 0);
    return false;
}

/* Length of the folder that a folder is in, with its "/"; -1 = not known. */
static int outside(const char *file, int n)
{
    int last = n - 2;

    while (last >= 0 && file[last] != '/')
        last--;
    return n <= 1 || strncmp(file + last + 1, "..", 2) == 0 ||
                           strncmp(file + last + 1, "./", 2) == 0
                   ? -1
                   : last + 1;
}

void exchange_find_beside(const char *file, const char *value, p3d_text *path)
{
    const char *const slash = strrchr(file, '/');
    int n = slash != NULL ? (int)(slash - file) + 1 : 0;

    if (value[0] != '/' && strchr(value, '$') == NULL)
        for (int folder = n, i = 0; folder >= 0 && i < MOST_FOLDERS;
                folder = outside(file, folder), i++)
            if (find_from(file, folder, value, path))
                return;
    (void)find_from(file, n, last_part(value), path);
}

bool exchange_follow(const exchange_settings *settings,
        const char *const *files, p3d_text *path, p3d_text *missing,
        p3d_error *err)
{
    bool has_name = false;
    const exchange_setting *const named = find_named(settings, &has_name);

    if (named == NULL ||
            exchange_settings_find(settings, "zero_optimization.stage", true))
        return true;
    if (has_name)
        exchange_find_beside(files[named->file], named->value, path);
    if (path->length == 0 &&
            exchange_settings_find(settings, "zero-stage", true) == NULL)
        p3d_text_add(missing,
                "stage of ZeRO ('%.40s = %.80s' is not among the files)",
                named->name, named->value);
    return !(path->failed || missing->failed) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}
