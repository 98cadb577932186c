/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalog.c - finds and lists the folders of data files. */
#include "spec/hardware.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/builtin.h"
#include "base/grow.h"
#include "base/util.h"

static const char *const folder_paths[P3D_N_FOLDERS] = {
        [P3D_MODELS] = "models",
        [P3D_GPUS] = "hardware/gpu",
        [P3D_NODES] = "hardware/node",
        [P3D_FABRICS] = "hardware/fabric",
        [P3D_CALIBRATIONS] = "hardware/calibration",
};

static const char suffix[] = ".json";

static bool is_directory(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The first root that has the folder; the library itself has all of them. */
static void find_folder(const char *folder, char *path, size_t n)
{
    const char *const roots[] = {
            getenv("PLAN3D_DATA"), P3D_SOURCE_DIR, P3D_INSTALL_DIR};

    for (int i = 0; i < P3D_COUNT_OF(roots); i++) {
        int length;

        if (roots[i] == NULL || roots[i][0] == '\0')
            continue;
        if (strcmp(roots[i], P3D_BUILTIN) == 0)
            break;
        length = snprintf(path, n, "%s/%s", roots[i], folder);
        if (length > 0 && (size_t)length < n && is_directory(path))
            return;
    }
    snprintf(path, n, P3D_BUILTIN "%s", folder);
}

void spec_data_path(const char *folder, const char *file, char *path)
{
    char directory[1024];

    find_folder(folder, directory, sizeof(directory));
    snprintf(path, SPEC_PATH, "%s/%s", directory, file);
}

/* Length of a file name without ".json"; 0 when it is not a data file. */
static size_t stem_length(const char *file)
{
    const size_t length = strlen(file);
    const size_t tail = sizeof(suffix) - 1;

    if (file[0] == '.' || length <= tail)
        return 0;
    return strcmp(file + length - tail, suffix) == 0 ? length - tail : 0;
}

static bool add_name(
        p3d_catalog *catalog, const char *file, size_t length, p3d_error *err)
{
    void *names;

    if (length >= sizeof(catalog->names[0]))
        return p3d_fail(err, P3D_SYSTEM,
                "the name of '%s/%s' is too long; use at most %zu bytes",
                catalog->directory, file,
                sizeof(catalog->names[0]) + sizeof(suffix) - 2);
    names = p3d_grow(
            catalog->names, catalog->n_names, sizeof(catalog->names[0]));
    if (names == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    catalog->names = names;
    memcpy(catalog->names[catalog->n_names], file, length);
    catalog->names[catalog->n_names][length] = '\0';
    catalog->n_names++;
    return true;
}

static bool list_builtin(
        p3d_catalog *catalog, const char *folder, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; ok && i < p3d_n_builtin_files; i++) {
        const char *const file = p3d_builtin_in(&p3d_builtin_files[i], folder);
        const size_t length = file == NULL ? 0 : stem_length(file);

        if (length > 0)
            ok = add_name(catalog, file, length, err);
    }
    return ok;
}

static bool list_files(p3d_catalog *catalog, p3d_error *err)
{
    DIR *const directory = opendir(catalog->directory);
    bool ok = true;

    if (directory == NULL)
        return p3d_fail(err, P3D_SYSTEM, "the folder '%s' cannot be read",
                catalog->directory);
    while (ok) {
        const struct dirent *entry;
        size_t length;

        errno = 0;
        entry = readdir(directory);
        if (entry == NULL) {
            ok = errno == 0 ||
                 p3d_fail(err, P3D_SYSTEM, "the folder '%s' cannot be read",
                         catalog->directory);
            break;
        }
        length = stem_length(entry->d_name);
        if (length > 0)
            ok = add_name(catalog, entry->d_name, length, err);
    }
    closedir(directory);
    return ok;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool p3d_catalog_open(p3d_folder folder, p3d_catalog *out, p3d_error *err)
{
    if ((unsigned)folder >= P3D_N_FOLDERS || out == NULL)
        return p3d_misuse(err, __func__);

    const char *const path = folder_paths[folder];
    p3d_catalog catalog = {0};

    find_folder(path, catalog.directory, sizeof(catalog.directory));
    if (!(p3d_is_builtin(catalog.directory) ? list_builtin(&catalog, path, err)
                                            : list_files(&catalog, err))) {
        p3d_catalog_free(&catalog);
        return false;
    }
    if (catalog.n_names > 0)
        qsort(catalog.names, (size_t)catalog.n_names, sizeof(catalog.names[0]),
                compare_names);
    *out = catalog;
    return true;
}

void p3d_catalog_free(p3d_catalog *catalog)
{
    if (catalog == NULL)
        return;
    free(catalog->names);
    *catalog = (p3d_catalog){0};
}

void p3d_catalog_path(const p3d_catalog *catalog, int i, char *path, size_t n)
{
    if (path == NULL || n == 0)
        return;
    path[0] = '\0';
    if (catalog != NULL && i >= 0 && i < catalog->n_names)
        snprintf(path, n, "%s/%s%s", catalog->directory, catalog->names[i],
                suffix);
}
