/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow.c - files that scripts and configurations name: DeepSpeed's JSON,
 * accelerate's configuration, that of the program itself. */
#include "exchange/read/follow.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/util.h"

enum { MOST_FOLDERS = 8, MOST_NAMES = 5, MAX_PATH_NAME = 1024 };

/* Files of one kind, by the options that name them. */
typedef struct naming {
    const char *names[MOST_NAMES];
    const char *endings;   /* that the value has, by "|"; NULL = any */
    const char *known[5];  /* one is said where none is to be read */
    const char *unlike[4]; /* likewise: of programs that mean something else */
    const char *launched;  /* must be said; NULL = nothing */
    const char *missing;   /* what is, where the file is not there; NULL =
                              nothing that is named here */
    bool beneath;          /* options of a command count more */
} naming;

static const naming namings[] = {
        /* "deepspeed" may be a flag, or a configuration that a program has
         * ("zero3"). */
        {.names = {"deepspeed", "deepspeed_config", "deepspeed_config_file",
                 "deepspeed_config.deepspeed_config_file",
                 "TrainingArguments.deepspeed"},
                .known = {"zero_optimization.stage"},
                .missing = "stage of ZeRO"},
        /* ms-swift's configuration of FSDP. */
        {.names = {"fsdp"},
                .endings = ".json",
                .known = {"fsdp_config.fsdp_version"},
                .missing = "sharding"},
        {.names = {"config_file"},
                .endings = ".yaml|.yml|.json",
                .known = {"distributed_type", "zero_optimization.stage",
                        "deepspeed"},
                .launched = EXCHANGE_ACCELERATE,
                .missing = "sharding",
                .beneath = true},
        {.names = {"config", "job.config_file", "config-path", "config-file",
                 "config-name"},
                .endings = ".yaml|.yml|.toml|.json",
                .unlike = {"tensor-model-parallel-size", "num-layers",
                        "distributed_type"},
                .beneath = true},
        {.names = {"yaml-cfg"}, .endings = ".yaml|.yml"},
        {.names = {EXCHANGE_MADE_FILE},
                .endings = ".yaml|.yml|.json|.py",
                .beneath = true},
};

static bool ends_in(const char *value, const char *endings)
{
    const size_t length = strlen(value);

    while (*endings != '\0') {
        const size_t n = strcspn(endings, "|");

        if (length > n && strncmp(value + length - n, endings, n) == 0)
            return true;
        endings += n + (endings[n] == '|');
    }
    return false;
}

/* A value that is the name of a file: "deepspeed" may be anything else. */
static bool is_file(const naming *kind, int name, const char *value)
{
    if (strpbrk(p3d_last_part(value), "$ ") != NULL)
        return false;
    if (kind->endings != NULL)
        return ends_in(value, kind->endings);
    return name > 0 ? strchr(p3d_last_part(value), '.') != NULL
                    : ends_in(value, ".json|.conf");
}

static bool says_one(
        const exchange_settings *settings, const char *const *names, int n)
{
    for (int i = 0; i < n && names[i] != NULL; i++)
        if (exchange_settings_find(settings, names[i], true) != NULL)
            return true;
    return false;
}

/* A file that is named: the program stands behind it in the same command. */
typedef struct named_file {
    const exchange_setting *by; /* NULL = there is none */
    char path[MAX_PATH_NAME];   /* may be a variable, where it is no name */
    bool has_name;
} named_file;

/* The first word of a value; the spaces of "$(cd "$(dirname "$0")" && pwd)/x"
 * end none. */
static int word_length(const char *value)
{
    int n = 0;
    int depth = 0;

    for (; value[n] != '\0' && (value[n] != ' ' || depth > 0); n++)
        depth += (value[n] == '(') - (value[n] == ')' && depth > 0);
    return n;
}

static named_file find_named(
        const exchange_settings *settings, const naming *kind)
{
    named_file file = {.by = NULL};

    for (int i = 0; i < MOST_NAMES && kind->names[i] != NULL; i++) {
        file.by = exchange_settings_find(settings, kind->names[i], true);
        if (file.by == NULL || file.by->value == NULL)
            continue;
        snprintf(file.path, sizeof(file.path), "%.*s",
                word_length(file.by->value), file.by->value);
        file.has_name = is_file(kind, i, file.path);
        if (file.has_name || strchr(file.path, '$') != NULL)
            return file;
    }
    file.by = NULL;
    return file;
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

int exchange_folder_above(const char *file, int n)
{
    int last = n - 2;

    while (last >= 0 && file[last] != '/')
        last--;
    return n <= 1 || strncmp(file + last + 1, "..", 2) == 0 ||
                           strncmp(file + last + 1, "./", 2) == 0
                   ? -1
                   : last + 1;
}

/* What stands behind a folder that only a run would tell: "$(cd .. && pwd)/x",
 * "$HERE/x". */
static const char *behind_folder(const char *value)
{
    const char *rest = value;

    for (const char *at = value; *at != '\0'; at++)
        if (strchr("})`", *at) != NULL)
            rest = at + 1;
    if (rest[0] == '$')
        rest += strcspn(rest, "/");
    return rest == value ? value : rest + strspn(rest, "/");
}

void exchange_find_beside(const char *file, const char *value, p3d_text *path)
{
    const char *const slash = strrchr(file, '/');
    int n = slash != NULL ? (int)(slash - file) + 1 : 0;

    value = behind_folder(value);
    for (const char *part = value + (value[0] == '/');
            strchr(value, '$') == NULL && strchr(part, '/') != NULL;
            part = strchr(part, '/') + 1) {
        for (int folder = n, i = 0; folder >= 0 && i < MOST_FOLDERS;
                folder = exchange_folder_above(file, folder), i++)
            if (find_from(file, folder, part, path))
                return;
        if (value[0] != '/')
            break; /* as it is */
    }
    (void)find_from(file, n, p3d_last_part(value), path);
}

/* True where a file of that name was read. */
static bool is_read(const exchange_follow_from *from, const char *value)
{
    for (int i = 0; i < from->n_files; i++)
        if (strcmp(p3d_last_part(from->files[i]), p3d_last_part(value)) == 0)
            return true;
    return false;
}

/* @return true where a file of the kind is there, or is missing */
static bool follow_kind(const exchange_follow_from *from, const naming *kind,
        exchange_followed *out)
{
    const named_file file = find_named(from->settings, kind);

    if (file.by == NULL || file.by->file >= from->n_files ||
            is_read(from, file.path) ||
            (kind->launched != NULL &&
                    !says_one(from->settings, &kind->launched, 1)) ||
            says_one(from->settings, kind->known, P3D_COUNT_OF(kind->known)) ||
            says_one(from->settings, kind->unlike, P3D_COUNT_OF(kind->unlike)))
        return false;
    if (file.has_name)
        exchange_find_beside(from->files[file.by->file], file.path, &out->path);
    out->beneath = kind->beneath;
    if (out->path.length > 0 || kind->missing == NULL ||
            exchange_settings_find(from->settings, "zero-stage", true) != NULL)
        return out->path.length > 0;
    p3d_text_add(&out->missing, "%s ('%.40s = %.80s' is not among the files)",
            kind->missing, file.by->name, file.path);
    return true;
}

bool exchange_follow(const exchange_follow_from *from, exchange_followed *out,
        p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(namings); i++) {
        p3d_text_cut(&out->missing, 0);
        if (follow_kind(from, &namings[i], out) && out->path.length > 0)
            break;
        if (out->missing.length > 0)
            break;
    }
    return !(out->path.failed || out->missing.failed) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}
