/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.c - a folder in the place of a file: which of what it has says a
 * training. */
#include "exchange/read/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/util.h"

/* Files and folders that are looked at, and names that are shown. */
enum { MOST_LOOKS = 4000, SHOWN = 4, MOST_DEPTH = 3 };
enum { MOST_PATH = 1024, MOST_BYTES = 1 << 20 };

typedef struct found {
    char *names[MOST_LOOKS]; /* behind the folder's; owned */
    int n, n_looks;
} found;

static bool has_one(const char *text, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (strstr(text, words[i]) != NULL)
            return true;
    return false;
}

static bool is_launch_name(const char *name)
{
    static const char *const ends[] = {
            ".sh", ".yaml", ".yml", ".toml", ".slurm", ".sbatch", ".json"};
    const char *const dot = strrchr(name, '.');

    for (int i = 0; dot != NULL && i < P3D_COUNT_OF(ends); i++)
        if (strcmp(dot, ends[i]) == 0)
            return true;
    return false;
}

/* A file with a micro-batch and a model. */
static bool says_training(const char *path)
{
    static const char *const batches[] = {"micro_batch", "micro-batch",
            "per_device_train_batch_size", "train_batch_size",
            "local_batch_size", "batch_size"};
    static const char *const models[] = {"model_name", "num-layers",
            "num_layers", "base_model", "model.path", "--model",
            "model:", "hf-checkpoint", "[model]", "model_type", "_component_"};
    char *text = NULL;
    size_t length = 0;
    bool ok = p3d_read_file(path, MOST_BYTES, &text, &length, NULL);

    ok = ok && has_one(text, batches, P3D_COUNT_OF(batches)) &&
         has_one(text, models, P3D_COUNT_OF(models));
    free(text);
    return ok;
}

static void look_at(
        const char *folder, const char *inside, int depth, found *out);

/* @param depth  of a folder that is looked into; -1 = files alone */
static void look_at_one(
        const char *folder, const char *name, int depth, found *out)
{
    char path[MOST_PATH];
    struct stat status;
    const int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

    if (n < 0 || (size_t)n >= sizeof(path) || lstat(path, &status) != 0 ||
            out->n_looks >= MOST_LOOKS ||
            (depth >= 0) != (S_ISDIR(status.st_mode) != 0))
        return;
    out->n_looks++;
    if (depth >= 0 && depth < MOST_DEPTH)
        look_at(folder, name, depth + 1, out);
    else if (S_ISREG(status.st_mode) && is_launch_name(name) &&
             says_training(path) && (out->names[out->n] = strdup(name)) != NULL)
        out->n++;
}

/* Files of a folder, or the folders in it. */
static void go_through(
        const char *folder, const char *inside, int depth, found *out)
{
    char path[MOST_PATH];
    const int n = snprintf(path, sizeof(path), "%s/%s", folder, inside);
    DIR *const d = n < 0 || (size_t)n >= sizeof(path) ? NULL : opendir(path);

    for (const struct dirent *e = d != NULL ? readdir(d) : NULL; e != NULL;
            e = readdir(d)) {
        char name[MOST_PATH];
        const int k = snprintf(name, sizeof(name), "%s%s%s", inside,
                inside[0] != '\0' ? "/" : "", e->d_name);

        if (e->d_name[0] != '.' && k > 0 && (size_t)k < sizeof(name))
            look_at_one(folder, name, depth, out);
    }
    if (d != NULL)
        closedir(d);
}

/* Files first: where there are too many, those near the folder count.
 * @param inside  behind the folder's name; "" = itself */
static void look_at(
        const char *folder, const char *inside, int depth, found *out)
{
    go_through(folder, inside, -1, out);
    go_through(folder, inside, depth, out);
}

/* Those nearest to the folder first, then by name. */
static int compare(const void *a, const void *b)
{
    const char *const x = *(char *const *)a;
    const char *const y = *(char *const *)b;
    int deeper = 0;

    for (const char *at = x; *at != '\0'; at++)
        deeper += *at == '/';
    for (const char *at = y; *at != '\0'; at++)
        deeper -= *at == '/';
    return deeper != 0 ? deeper : strcmp(x, y);
}

static bool fail_found(const char *folder, const found *in, p3d_error *err)
{
    p3d_text list = {0};
    char more[40] = "";

    if (in->n == 0)
        return p3d_fail(err, P3D_DATA,
                "this is a folder, and none of its files has a micro-batch and "
                "a model; write the file that starts the training");
    for (int i = 0; i < in->n && i < SHOWN; i++)
        p3d_text_add(&list, "%s%.120s", i > 0 ? ", " : "", in->names[i]);
    if (in->n > SHOWN)
        snprintf(more, sizeof(more), " and %d more", in->n - SHOWN);
    p3d_fail(err, P3D_DATA,
            "this is a folder; these of its files say a training: %s%s; write "
            "one of them, as %.100s/%.120s",
            p3d_text_get(&list), more, folder, in->names[0]);
    p3d_text_free(&list);
    return false;
}

/* @return that name of the folder's, owned by the caller; NULL: no memory */
static char *join(const char *folder, const char *name)
{
    const size_t n = strlen(folder);
    const size_t size = n + strlen(name) + 2;
    char *const path = malloc(size);

    if (path != NULL)
        snprintf(path, size, "%s%s%s", folder,
                n > 0 && folder[n - 1] == '/' ? "" : "/", name);
    return path;
}

bool exchange_folder_file(const char *path, char **file, p3d_error *err)
{
    struct stat status;
    p3d_error why = {0};
    found *in;
    bool ok;

    *file = NULL;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return true;
    in = calloc(1, sizeof(*in));
    if (in == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    look_at(path, "", 0, in);
    ok = in->n == 1;
    if (ok) {
        *file = join(path, in->names[0]);
        ok = *file != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");
    } else {
        qsort(in->names, (size_t)in->n, sizeof(in->names[0]), compare);
        ok = fail_found(path, in, &why) || p3d_fail_file(err, path, &why);
    }
    for (int i = 0; i < in->n; i++)
        free(in->names[i]);
    free(in);
    return ok;
}
