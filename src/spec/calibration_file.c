/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration_file.c - reads the files of hardware/calibration. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/calibration_fields.h"

/* Where a file says nothing.
 *
 * fixed_step_s      data loading, logging and the gradient-norm synchronization
 *                   of a step. Assumes: A8.
 * overlap_leak_frac share of hidden communication that shows anyway, because it
 *                   slows the kernels beside it. Assumes: A10.
 * gpu_spread_frac   standard deviation of the speed of GPUs of one type under
 *                   load: whiskers that are 8 % of the median apart (quartiles
 *                   and 1.5 times their distance, 5.4 standard deviations of a
 *                   normal law). Assumes: A15. Source: arXiv:2208.11035
 *                   abstract, section 4. */
static const p3d_assumed_fit USUAL = {.fixed_step_s = 3e-3,
        .overlap_leak_frac = 0.15,
        .gpu_spread_frac = 0.08 / 5.4};

/* A value of a document with the JSON Pointer that leads to it. */
typedef struct place {
    const json_doc *doc;
    const json_value *value;
    char pointer[P3D_POINTER_MAX];
} place;

/* The member of an object that must be an object, too. */
static bool enter(
        const place *object, const char *key, place *out, p3d_error *err)
{
    place inner = {.doc = object->doc, .value = json_get(object->value, key)};
    const int length = snprintf(inner.pointer, sizeof(inner.pointer), "%s/%s",
            object->pointer, key);

    P3D_ASSERT(length > 0 && (size_t)length < sizeof(inner.pointer));
    if (!json_is_object(inner.value))
        return json_fail(
                inner.doc, inner.pointer, err, "\"%s\" is not an object", key);
    *out = inner;
    return true;
}

static bool read_at(const place *at, const json_field *fields, int n_fields,
        void *out, p3d_error *err)
{
    return json_read_fields((json_place){at->doc, at->value, at->pointer},
            &(json_shape){.n_fields = n_fields, .fields = fields}, out, err);
}

static bool read_gemm(
        const place *root, const char *key, p3d_gemm_fit *out, p3d_error *err)
{
    gemm_file file = {0};
    place at = {0};

    if (!enter(root, key, &at, err) ||
            !read_at(&at, gemm_fields, P3D_COUNT_OF(gemm_fields), &file, err))
        return false;
    file.fit.tile_wave = strcmp(file.form, "tile_wave") == 0;
    if (!file.fit.tile_wave && strcmp(file.form, "roofline") != 0)
        return json_fail(at.doc, at.pointer, err,
                "unknown form '%s'; write tile_wave or roofline", file.form);
    if (file.fit.tile_wave &&
            (file.fit.tile_128_frac <= 0 || file.fit.tile_64_frac <= 0 ||
                    file.fit.p_norm <= 0))
        return json_fail(at.doc, at.pointer, err,
                "the form tile_wave needs tile_128_frac, tile_64_frac and "
                "p_norm");
    *out = file.fit;
    return true;
}

/* One pass of an attention kernel. */
static bool read_core(const place *kernel, const char *key,
        p3d_attention_pass *out, p3d_error *err)
{
    place at = {0};
    place fracs = {0};

    return enter(kernel, key, &at, err) &&
           read_at(&at, core_fields, P3D_COUNT_OF(core_fields), out, err) &&
           enter(&at, "peak_frac", &fracs, err) &&
           read_at(&fracs, head_size_fields, P3D_COUNT_OF(head_size_fields),
                   out->peak_frac, err);
}

static bool read_kernel(const place *kernels, const char *key,
        p3d_attention_fit *out, p3d_error *err)
{
    place at = {0};

    return enter(kernels, key, &at, err) &&
           read_at(&at, kernel_fields, P3D_COUNT_OF(kernel_fields), out, err) &&
           read_core(&at, "forward", &out->forward, err) &&
           read_core(&at, "backward", &out->backward, err);
}

/* The kernels that were measured: at least one. */
static bool read_attention(
        const place *root, p3d_calibration *out, p3d_error *err)
{
    const int n = P3D_COUNT_OF(kernels_fields);
    place at = {0};
    int n_read = 0;

    if (!enter(root, "attention", &at, err) ||
            !read_at(&at, kernels_fields, n, out, err))
        return false;
    for (int i = 0; i < n; i++) {
        const char *const key = kernels_fields[i].key;

        if (json_get(at.value, key) == NULL)
            continue;
        n_read++;
        if (!read_kernel(&at, key, &out->attention[P3D_EFFICIENT + i], err))
            return false;
    }
    return n_read > 0 || json_fail(at.doc, at.pointer, err,
                                 "no kernel; write efficient, flash1, "
                                 "flash2, flash3 or cudnn");
}

static bool read_collectives(
        const place *root, p3d_calibration *out, p3d_error *err)
{
    static const int lenders[] = {
#define AS_LENDER(name, key, like) like,
            P3D_COLLECTIVES(AS_LENDER)
#undef AS_LENDER
    };
    collectives shared = {.nvls_factor = 1};
    place at = {0};
    place one = {0};

    if (!enter(root, "collective", &at, err) ||
            !read_at(&at, collectives_fields, P3D_COUNT_OF(collectives_fields),
                    &shared, err))
        return false;
    for (int i = 0; i < P3D_N_COLLECTIVES; i++) {
        out->collective[i] = out->collective[lenders[i]];
        if (json_get(at.value, collective_keys[i]) == NULL && lenders[i] != i)
            continue;
        if (!enter(&at, collective_keys[i], &one, err) ||
                !read_at(&one, collective_fields,
                        P3D_COUNT_OF(collective_fields), &out->collective[i],
                        err))
            return false;
    }
    out->nvls_factor = shared.nvls_factor;
    out->multinode_ramp_s_per_sqrt_byte = shared.multinode_ramp_s_per_sqrt_byte;
    out->collective_error_frac = shared.error_frac;
    return true;
}

static bool read_assumed(
        const place *root, p3d_assumed_fit *out, p3d_error *err)
{
    place at = {0};

    *out = USUAL;
    return json_get(root->value, "assumed") == NULL ||
           (enter(root, "assumed", &at, err) &&
                   read_at(&at, assumed_fields, P3D_COUNT_OF(assumed_fields),
                           out, err));
}

static bool read_calibration(
        const json_doc *doc, p3d_calibration *out, p3d_error *err)
{
    const place root = {.doc = doc, .value = doc->root};
    head file = {0};
    p3d_calibration *const c = &file.calibration;
    place pass = {0};

    if (!read_at(&root, head_fields, P3D_COUNT_OF(head_fields), &file, err) ||
            !read_gemm(&root, "gemm", &c->gemm, err))
        return false;
    if (json_get(doc->root, "gemm_fp8") != NULL &&
            !read_gemm(&root, "gemm_fp8", &c->gemm_fp8, err))
        return false;
    if (!read_attention(&root, c, err) ||
            !enter(&root, "memory_pass", &pass, err) ||
            !read_at(&pass, pass_fields, P3D_COUNT_OF(pass_fields), &c->pass,
                    err) ||
            !read_collectives(&root, c, err) ||
            !read_assumed(&root, &c->assumed, err))
        return false;
    *out = file.calibration;
    return true;
}

static bool read_and_close(json_doc *doc, p3d_calibration *out, p3d_error *err)
{
    const bool ok = read_calibration(doc, out, err);

    json_close(doc);
    return ok;
}

bool p3d_calibration_load(
        const char *name, p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return p3d_hardware_open(P3D_CALIBRATIONS, name, &doc, err) &&
           read_and_close(&doc, out, err);
}

bool p3d_calibration_open(
        const char *path, p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return p3d_hardware_open_path(path, &doc, err) &&
           read_and_close(&doc, out, err);
}

bool p3d_calibration_parse(const char *file, const char *text,
        p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return json_parse(file, text, strlen(text), &doc, err) &&
           read_and_close(&doc, out, err);
}
