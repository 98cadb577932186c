/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration_output.c - the file that calibrate and validate write. */
#include "cli/calibration_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "exchange/export.h"
#include "spec/hardware.h"

enum { MAX_PATH = 512 };

/* Members of a calibration file, and the forms that they hold. */
typedef struct member {
    const char *key;
    p3d_cost_form first, last;
} member;

static const member members[] = {
        {"/gemm", P3D_FORM_GEMM, P3D_FORM_GEMM},
        {"/gemm_fp8", P3D_FORM_GEMM_FP8, P3D_FORM_GEMM_FP8},
        {"/attention", P3D_FORM_ATTENTION, P3D_FORM_ATTENTION_BACKWARD},
        {"/memory_pass", P3D_FORM_PASS, P3D_FORM_PASS},
        {"/collective", P3D_FORM_ALL_REDUCE, P3D_FORM_ALL_TO_ALL},
};

static void add_source(const p3d_calibrated *c, const member *m, p3d_text *out)
{
    for (int i = (int)m->first; i <= (int)m->last; i++) {
        const p3d_form_result *const f = &c->forms[i];

        p3d_text_add(out, "%s%s: ", i > (int)m->first ? "; " : "", f->name);
        if (f->fitted)
            p3d_text_add(out, "%d points, error %.1f %%, held out %.1f %%",
                    f->n_points, 100 * f->new_error_frac,
                    100 * f->held_error_frac);
        else
            p3d_text_add(out, "as in %s", c->base);
    }
}

static void write_file(const p3d_calibrated *c, p3d_text *out)
{
    p3d_calibration_source sources[P3D_COUNT_OF(members)];
    int n = 0;

    for (int i = 0; i < P3D_COUNT_OF(members); i++) {
        p3d_text ref = {0};

        if (members[i].first == P3D_FORM_GEMM_FP8 &&
                c->constants.gemm_fp8.peak_frac <= 0)
            continue;
        add_source(c, &members[i], &ref);
        sources[n].key = members[i].key;
        p3d_copy(sources[n].ref, sizeof(sources[n].ref), p3d_text_get(&ref));
        out->failed = out->failed || ref.failed;
        p3d_text_free(&ref);
        n++;
    }
    p3d_calibration_write(&c->constants, sources, n, out);
}

/* The directory of a file, and its name there. */
typedef struct place {
    char directory[MAX_PATH];
    const char *name;
} place;

static bool find_place(const char *path, place *out, p3d_error *err)
{
    const char *const slash = strrchr(path, '/');

    out->name = slash == NULL ? path : slash + 1;
    if (*out->name == '\0' || strlen(path) >= MAX_PATH)
        return p3d_fail(err, P3D_DATA,
                "-o: '%.60s' is no name of a file; write one such as "
                "h100.json",
                path);
    if (slash == NULL)
        p3d_copy(out->directory, MAX_PATH, ".");
    else
        snprintf(out->directory, MAX_PATH, "%.*s",
                slash == path ? 1 : (int)(slash - path), path);
    return true;
}

bool cli_calibration_may_write(const char *path, bool force, p3d_error *err)
{
    struct stat found;
    place at;

    if (path == NULL)
        return true;
    if (!find_place(path, &at, err))
        return false;
    if (lstat(path, &found) == 0 && !force)
        return p3d_fail(err, P3D_DATA,
                "%.300s is there; write --force to replace it", path);
    if (stat(at.directory, &found) == 0 && !S_ISDIR(found.st_mode))
        errno = ENOTDIR;
    else if (access(at.directory, W_OK) == 0 || errno == ENOENT)
        return true;
    return p3d_fail_write(path, "written", errno, err);
}

bool cli_calibration_write(
        const char *path, bool force, const p3d_calibrated *c, p3d_error *err)
{
    p3d_launch_files files = {.n = 1};
    place at;
    bool ok;

    if (!find_place(path, &at, err))
        return false;
    files.at[0].name = at.name;
    write_file(c, &files.at[0].text);
    ok = (!files.at[0].text.failed ||
                 p3d_fail(err, P3D_SYSTEM, "out of memory")) &&
         p3d_launch_files_write(&files, at.directory, force, err);
    p3d_launch_files_free(&files);
    return ok;
}
