/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow.c - DeepSpeed's JSON, which scripts and configurations name. */
#include "exchange/read/follow.h"

#include <string.h>
#include <sys/stat.h>

#include "base/util.h"

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

static const exchange_setting *find_named(const exchange_settings *settings)
{
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        const exchange_setting *const found =
                exchange_settings_find(settings, names[i], true);

        if (found != NULL && found->value != NULL &&
                (is_json(found->value) || strchr(found->value, '$') != NULL))
            return found;
    }
    return NULL;
}

static bool exists(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The file by its own path beside the one that names it, or its last part. */
static void find_beside(const char *file, const char *value, p3d_text *path)
{
    const char *const slash = strrchr(file, '/');
    const int n = slash != NULL ? (int)(slash - file) + 1 : 0;

    p3d_text_add(path, "%.*s%s", n, file, value);
    if (!path->failed && value[0] != '/' && strchr(value, '$') == NULL &&
            exists(path->data))
        return;
    p3d_text_cut(path, 0);
    p3d_text_add(path, "%.*s%s", n, file, last_part(value));
    if (!path->failed && !exists(path->data))
        p3d_text_cut(path, 0);
}

bool exchange_follow(const exchange_settings *settings,
        const char *const *files, p3d_text *path, p3d_error *err)
{
    const exchange_setting *const named = find_named(settings);

    if (named == NULL ||
            exchange_settings_find(settings, "zero_optimization.stage", true) ||
            exchange_settings_find(settings, "zero-stage", true))
        return true;
    if (is_json(named->value) && strchr(last_part(named->value), '$') == NULL)
        find_beside(files[named->file], named->value, path);
    if (path->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return path->length > 0 ||
           p3d_fail(err, P3D_DATA,
                   "'%.40s = %.80s' is not among the files; add it behind "
                   "them, or write --set zero_optimization.stage=N",
                   named->name, named->value);
}
