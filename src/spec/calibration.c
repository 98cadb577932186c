/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.c - reads and writes the files of hardware/calibration. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"

/* A calibration as its file has it; the parts are objects of their own. */
typedef struct head {
    int schema;
    p3d_calibration calibration;
} head;

typedef struct gemm_file {
    char form[16];
    p3d_gemm_fit fit;
} gemm_file;

typedef struct collectives {
    double nvls_factor;
    double multinode_ramp_s_per_sqrt_byte;
    double error_frac;
} collectives;

/* clang-format off */
#define HEAD(field) offsetof(head, calibration.field)
static const json_field head_fields[] = {
    {"schema", JSON_INT, false, offsetof(head, schema), 1, 1,
        "version of this format, 1"},
    {"name", JSON_STRING, true, HEAD(name), 1, 48,
        "name of the calibration"},
    {"basis", JSON_STRING, true, HEAD(basis), 1, 48,
        "GPU that the microbenchmarks ran on"},
    {"device", JSON_STRING, false, HEAD(device), 1, 96,
        "that was measured by its owner, as its driver has it"},
    {"driver", JSON_STRING, false, HEAD(driver), 1, 32,
        "of that device"},
    {"date", JSON_STRING, false, HEAD(date), 1, 24,
        "of the first measurement, UTC"},
    {"gemm", JSON_ANY, true, 0, 0, 0,
        "matrix products in bf16 and fp16"},
    {"gemm_fp8", JSON_ANY, false, 0, 0, 0,
        "matrix products in fp8"},
    {"sustained_frac", JSON_DOUBLE, true, HEAD(sustained_frac), 0.1, 1,
        "sustained over burst rate"},
    {"attention", JSON_ANY, true, 0, 0, 0,
        "attention kernels"},
    {"memory_pass", JSON_ANY, true, 0, 0, 0,
        "memory-bound kernels"},
    {"collective", JSON_ANY, true, 0, 0, 0,
        "collectives inside a node"},
    {"assumed", JSON_ANY, false, 0, 0, 0,
        "what no microbenchmark of one kernel tells"},
    {"sources", JSON_ANY, true, 0, 0, 0,
        "where each number is from"},
};

#define GEMM(field) offsetof(gemm_file, fit.field)
static const json_field gemm_fields[] = {
    {"form", JSON_STRING, true, offsetof(gemm_file, form), 1, 16,
        "tile_wave or roofline"},
    {"launch_s", JSON_DOUBLE, true, GEMM(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"peak_frac", JSON_DOUBLE, true, GEMM(peak_frac), 0.01, 1,
        "of the dense peak"},
    {"k_ramp", JSON_DOUBLE, true, GEMM(k_ramp), 0, 1e5,
        "extra elements of k"},
    {"memory_frac", JSON_DOUBLE, true, GEMM(memory_frac), 0.01, 1,
        "of the memory rate"},
    {"wave_q", JSON_DOUBLE, false, GEMM(wave_q), 0, 1,
        "1 = whole waves"},
    {"tile_128_frac", JSON_DOUBLE, false, GEMM(tile_128_frac), 0.01, 2,
        "rate of 128-wide tiles"},
    {"tile_64_frac", JSON_DOUBLE, false, GEMM(tile_64_frac), 0.01, 2,
        "rate of 64-wide tiles"},
    {"p_norm", JSON_DOUBLE, false, GEMM(p_norm), 1, 100,
        "how compute and memory combine"},
    {"error_frac", JSON_DOUBLE, true, GEMM(error_frac), 0, 1,
        "mean error, held out"},
    {"sustained_frac", JSON_DOUBLE, false, GEMM(sustained_frac), 0.1, 1,
        "sustained over burst rate, where it differs"},
    {"expert_ramp", JSON_DOUBLE, false, GEMM(expert_ramp), 0, 1e4,
        "extra rows of each group of a grouped product"},
    {"even_frac", JSON_DOUBLE, false, GEMM(even_frac), 0.01, 1,
        "rate of even sizes that are no multiples of 8"},
    {"odd_frac", JSON_DOUBLE, false, GEMM(odd_frac), 0.01, 1,
        "rate of odd sizes"},
};

static const json_field kernels_fields[] = {
    {"efficient", JSON_ANY, false, 0, 0, 0,
        "memory-efficient attention"},
    {"flash1", JSON_ANY, false, 0, 0, 0,
        "FlashAttention"},
    {"flash2", JSON_ANY, false, 0, 0, 0,
        "FlashAttention-2"},
    {"flash3", JSON_ANY, false, 0, 0, 0,
        "FlashAttention-3"},
    {"cudnn", JSON_ANY, false, 0, 0, 0,
        "cuDNN's fused attention"},
};

#define KERNEL(field) offsetof(p3d_attention_fit, field)
static const json_field kernel_fields[] = {
    {"forward", JSON_ANY, true, 0, 0, 0,
        "forward pass"},
    {"backward", JSON_ANY, true, 0, 0, 0,
        "backward pass"},
    {"sustained", JSON_BOOL, true, KERNEL(sustained), 0, 1,
        "the power limit applies"},
    {"error_frac", JSON_DOUBLE, true, KERNEL(error_frac), 0.001, 1,
        "mean error"},
};

#define CORE(field) offsetof(p3d_attention_pass, field)
static const json_field core_fields[] = {
    {"launch_s", JSON_DOUBLE, true, CORE(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"peak_frac", JSON_ANY, true, 0, 0, 0,
        "of the dense peak, by head size"},
    {"seq_ramp", JSON_DOUBLE, true, CORE(seq_ramp), 0, 1e5,
        "tokens"},
    {"wave_ramp", JSON_DOUBLE, true, CORE(wave_ramp), 0, 100,
        "tiles per multiprocessor"},
};

static const json_field head_size_fields[] = {
    {"64", JSON_DOUBLE, true, 0, 0.001, 1,
        "of the dense peak"},
    {"128", JSON_DOUBLE, true, sizeof(double), 0.001, 1,
        "of the dense peak"},
    {"160", JSON_DOUBLE, false, 2 * sizeof(double), 0.001, 1,
        "of the dense peak, heads of 192 and 128"},
    {"256", JSON_DOUBLE, true, 3 * sizeof(double), 0.001, 1,
        "of the dense peak"},
};
_Static_assert(P3D_COUNT_OF(head_size_fields) == P3D_N_HEAD_SIZES,
        "one field for each head size");

#define PASS(field) offsetof(p3d_pass_fit, field)
static const json_field pass_fields[] = {
    {"hbm_frac", JSON_DOUBLE, true, PASS(hbm_frac), 0.01, 1,
        "of the memory rate"},
    {"launch_s", JSON_DOUBLE, true, PASS(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"error_frac", JSON_DOUBLE, true, PASS(error_frac), 0, 1,
        "mean error"},
};

#define ALL(field) offsetof(collectives, field)
static const json_field collectives_fields[] = {
#define AS_FIELD(name, key, like)                                              \
    {#key, JSON_ANY, (name) == (like), 0, 0, 0, "one collective"},
    P3D_COLLECTIVES(AS_FIELD)
#undef AS_FIELD
    {"nvls_factor", JSON_DOUBLE, false, ALL(nvls_factor), 1, 4,
        "gain of all-reduce in the switch"},
    {"multinode_ramp_s_per_sqrt_byte", JSON_DOUBLE, true,
        ALL(multinode_ramp_s_per_sqrt_byte), 0, 1e-4,
        "between nodes"},
    {"error_frac", JSON_DOUBLE, true, ALL(error_frac), 0, 1,
        "mean error"},
};

#define ONE(field) offsetof(p3d_collective_fit, field)
static const json_field collective_fields[] = {
    {"launch_s", JSON_DOUBLE, true, ONE(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"step_s", JSON_DOUBLE, true, ONE(step_s), 0, 1e-2,
        "of one step of the ring, s"},
    {"link_frac", JSON_DOUBLE, true, ONE(link_frac), 0.001, 1,
        "of the link's rate"},
    {"ramp_s_per_sqrt_byte", JSON_DOUBLE, true,
        ONE(ramp_s_per_sqrt_byte), 0, 1e-4,
        "slow start"},
};

#define ASSUMED(field) offsetof(p3d_assumed_fit, field)
static const json_field assumed_fields[] = {
    {"fixed_step_s", JSON_DOUBLE, false, ASSUMED(fixed_step_s), 0, 10,
        "of a step: data, logging, synchronization, s"},
    {"overlap_leak_frac", JSON_DOUBLE, false, ASSUMED(overlap_leak_frac), 0, 1,
        "of hidden communication that shows anyway"},
    {"gpu_spread_frac", JSON_DOUBLE, false, ASSUMED(gpu_spread_frac), 0, 0.5,
        "standard deviation of the speed of GPUs"},
};
/* clang-format on */

static const char *const collective_keys[] = {
#define AS_KEY(name, key, like) #key,
        P3D_COLLECTIVES(AS_KEY)
#undef AS_KEY
};

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

bool spec_calibration_load(
        const char *name, p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return spec_hardware_open(P3D_CALIBRATIONS, name, &doc, err) &&
           read_and_close(&doc, out, err);
}

bool spec_calibration_open(
        const char *path, p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return spec_hardware_open_path(path, &doc, err) &&
           read_and_close(&doc, out, err);
}

bool spec_calibration_parse(const char *file, const char *text,
        p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return json_parse(file, text, strlen(text), &doc, err) &&
           read_and_close(&doc, out, err);
}

#define PUT(w, table, in) json_put_fields(w, JSON_FIELDS(table), in)

static void put_gemm(json_writer *w, const char *key, const p3d_gemm_fit *fit)
{
    gemm_file file = {.fit = *fit};

    p3d_copy(file.form, sizeof(file.form),
            fit->tile_wave ? "tile_wave" : "roofline");
    json_begin(w, key, '{');
    PUT(w, gemm_fields, &file);
    json_end(w, '}');
}

static void put_core(
        json_writer *w, const char *key, const p3d_attention_pass *pass)
{
    json_begin(w, key, '{');
    PUT(w, core_fields, pass);
    json_begin(w, "peak_frac", '{');
    PUT(w, head_size_fields, pass->peak_frac);
    json_end(w, '}');
    json_end(w, '}');
}

static void put_attention(json_writer *w, const p3d_calibration *c)
{
    json_begin(w, "attention", '{');
    for (int i = 0; i < P3D_COUNT_OF(kernels_fields); i++) {
        const p3d_attention_fit *const fit = &c->attention[P3D_EFFICIENT + i];

        if (fit->error_frac <= 0)
            continue;
        json_begin(w, kernels_fields[i].key, '{');
        put_core(w, "forward", &fit->forward);
        put_core(w, "backward", &fit->backward);
        PUT(w, kernel_fields, fit);
        json_end(w, '}');
    }
    json_end(w, '}');
}

static void put_collectives(json_writer *w, const p3d_calibration *c)
{
    const collectives shared = {.nvls_factor = c->nvls_factor,
            .multinode_ramp_s_per_sqrt_byte = c->multinode_ramp_s_per_sqrt_byte,
            .error_frac = c->collective_error_frac};

    json_begin(w, "collective", '{');
    for (int i = 0; i < P3D_N_COLLECTIVES; i++) {
        json_begin(w, collective_keys[i], '{');
        PUT(w, collective_fields, &c->collective[i]);
        json_end(w, '}');
    }
    PUT(w, collectives_fields, &shared);
    json_end(w, '}');
}

static void put_sources(
        json_writer *w, const p3d_calibration_source *sources, int n)
{
    json_begin(w, "sources", '{');
    for (int i = 0; i < n; i++) {
        json_begin(w, sources[i].key, '{');
        json_put_string(w, "kind", "fitted");
        json_put_string(w, "ref", sources[i].ref);
        json_end(w, '}');
    }
    json_end(w, '}');
}

void spec_calibration_write(const p3d_calibration *c,
        const p3d_calibration_source *sources, int n_sources, p3d_text *out)
{
    const head file = {.schema = 1, .calibration = *c};
    json_writer w = {.out = out};

    json_begin(&w, NULL, '{');
    PUT(&w, head_fields, &file);
    put_gemm(&w, "gemm", &c->gemm);
    if (c->gemm_fp8.peak_frac > 0)
        put_gemm(&w, "gemm_fp8", &c->gemm_fp8);
    put_attention(&w, c);
    json_begin(&w, "memory_pass", '{');
    PUT(&w, pass_fields, &c->pass);
    json_end(&w, '}');
    put_collectives(&w, c);
    json_begin(&w, "assumed", '{');
    PUT(&w, assumed_fields, &c->assumed);
    json_end(&w, '}');
    put_sources(&w, sources, n_sources);
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}
