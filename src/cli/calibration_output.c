/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration_output.c - the file that calibrate and validate write. */
#include "cli/calibration_output.h"

#include <stdio.h>

#include "base/util.h"
#include "cli/output.h"
#include "spec/hardware.h"

static const char EXAMPLE[] = "h100.json";

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

static void print_file(const p3d_calibrated *c, p3d_text *out)
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

void cli_calibration_name(p3d_calibrated *c)
{
    snprintf(c->constants.name, sizeof(c->constants.name), "%.36s-measured",
            c->base);
}

bool cli_calibration_may_write(const char *path, bool force, p3d_error *err)
{
    return path == NULL || cli_may_write_file(path, force, EXAMPLE, err);
}

bool cli_calibration_write(
        const char *path, bool force, const p3d_calibrated *c, p3d_error *err)
{
    p3d_text text = {0};
    bool ok;

    print_file(c, &text);
    ok = cli_write_file(path, force, EXAMPLE, &text, err);
    p3d_text_free(&text);
    return ok;
}
