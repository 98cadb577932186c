/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.c - reads and writes the files of hardware/calibration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"
#include "spec/hardware_rows.h"
#include "spec/residuals.h"

/* A calibration as its file has it; the parts are objects of their own. */
typedef struct head {
    int schema;
    p3d_calibration calibration;
    p3d_rows runs; /* of p3d_own_run */
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
#define AT(member) offsetof(head, calibration.member)
static const json_field head_fields[] = {
    SCHEMA(head, false),
    NEEDS(STRING, name, 1, 48, "name of the calibration"),
    NEEDS(STRING, basis, 1, 48, "GPU that the constants are of"),
    MAY(STRING, device, 1, 96,
        "that was measured by its owner, as its driver has it"),
    MAY(STRING, driver, 1, 32, "of that device"),
    MAY(STRING, date, 1, 24, "of the first measurement, UTC"),
    ELSEWHERE(gemm, true, "GEMMs in bf16 and fp16"),
    ELSEWHERE(gemm_fp8, false, "GEMMs in fp8"),
    ELSEWHERE(gemm_nvfp4, false, "GEMMs in nvfp4"),
    NEEDS(DOUBLE, sustained_frac, 0.1, 1, "sustained over burst rate"),
    ELSEWHERE(attention, true, "attention kernels"),
    ELSEWHERE(memory_pass, true, "memory-bound kernels"),
    ELSEWHERE(collective, true, "collectives inside a node"),
    ELSEWHERE(network, false, "between nodes, as measured on a cluster"),
    ELSEWHERE(host, false, "the host, as measured"),
    ELSEWHERE(assumed, false, "what no microbenchmark of one kernel tells"),
    ELSEWHERE(sources, true, "where each number is from"),
    {"runs", JSON_LIST(spec_own_run_shape), 0, offsetof(head, runs), 0, 0,
        "measured runs of the user's own on this GPU"},
};

#undef AT
#define AT(member) offsetof(gemm_file, fit.member)
static const json_field gemm_fields[] = {
    {"form", JSON_STRING, true, offsetof(gemm_file, form), 1, 16,
        "tile_wave or roofline"},
    NEEDS(DOUBLE, launch_s, 0, 1e-2, "fixed time of a launch, s"),
    NEEDS(DOUBLE, peak_frac, 0.01, 1, "of the dense peak"),
    NEEDS(DOUBLE, k_ramp, 0, 1e5, "extra elements of k"),
    NEEDS(DOUBLE, memory_frac, 0.01, 1, "of the memory rate"),
    MAY(DOUBLE, wave_q, 0, 1, "1 = whole waves"),
    MAY(DOUBLE, tile_128_frac, 0.01, 2, "rate of 128-wide tiles"),
    MAY(DOUBLE, tile_64_frac, 0.01, 2, "rate of 64-wide tiles"),
    MAY(DOUBLE, p_norm, 1, 100, "how compute and memory combine"),
    NEEDS(DOUBLE, error_frac, 0, 1, "mean error, held out"),
    MAY(DOUBLE, sustained_frac, 0.1, 1,
        "sustained over burst rate, where it differs"),
    MAY(DOUBLE, expert_ramp, 0, 1e4,
        "extra rows of each group of a grouped product"),
    MAY(DOUBLE, even_frac, 0.01, 1,
        "rate of even sizes that are no multiples of 8"),
    MAY(DOUBLE, odd_frac, 0.01, 1, "rate of odd sizes"),
    MAY(DOUBLE, general_frac, 0.01, 2,
        "products that no tensor core can run, over the fp32 rate"),
};

static const json_field kernels_fields[] = {
    ELSEWHERE(efficient, false, "memory-efficient attention"),
    ELSEWHERE(flash1, false, "FlashAttention"),
    ELSEWHERE(flash2, false, "FlashAttention-2"),
    ELSEWHERE(flash3, false, "FlashAttention-3"),
    ELSEWHERE(cudnn, false, "cuDNN's fused attention"),
    ELSEWHERE(flash4, false, "FlashAttention-4"),
};

#undef AT
#define AT(member) offsetof(p3d_attention_fit, member)
static const json_field kernel_fields[] = {
    ELSEWHERE(forward, true, "forward pass"),
    ELSEWHERE(backward, true, "backward pass"),
    NEEDS(BOOL, sustained, 0, 1, "the power limit applies"),
    NEEDS(DOUBLE, error_frac, 0.001, 1, "mean error"),
};

#undef AT
#define AT(member) offsetof(p3d_attention_pass, member)
static const json_field core_fields[] = {
    NEEDS(DOUBLE, launch_s, 0, 1e-2, "fixed time of a launch, s"),
    ELSEWHERE(peak_frac, true, "of the dense peak, by head size"),
    NEEDS(DOUBLE, seq_ramp, 0, 1e5, "tokens"),
    NEEDS(DOUBLE, wave_ramp, 0, 100, "tiles per multiprocessor"),
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

#undef AT
#define AT(member) offsetof(p3d_pass_fit, member)
static const json_field pass_fields[] = {
    NEEDS(DOUBLE, hbm_frac, 0.01, 1, "of the memory rate"),
    MAY(DOUBLE, single_frac, 0.01, 1,
            "of the memory rate, PyTorch's operations one by one"),
    NEEDS(DOUBLE, launch_s, 0, 1e-2, "fixed time of a launch, s"),
    NEEDS(DOUBLE, error_frac, 0, 1, "mean error"),
    ELSEWHERE(kinds, false, "rates of some kinds of kernels"),
};

static const json_field pass_kinds_fields[] = {
    ELSEWHERE(vector, false, "element by element"),
    ELSEWHERE(rows, false, "sums over rows: norms, softmax, losses"),
    ELSEWHERE(rows_backward, false, "their gradients"),
    ELSEWHERE(optimizer, false, "update of the weights"),
};
_Static_assert(P3D_COUNT_OF(pass_kinds_fields) == P3D_N_PASS_KINDS,
        "one field for each kind");

#undef AT
#define AT(member) offsetof(p3d_pass_rate, member)
static const json_field pass_rate_fields[] = {
    NEEDS(DOUBLE, hbm_frac, 0.01, 1, "of the memory rate"),
    NEEDS(DOUBLE, launch_s, 0, 1e-2, "fixed time of a launch, s"),
};

#undef AT
#define AT(member) offsetof(collectives, member)
static const json_field collectives_fields[] = {
#define AS_FIELD(name, key, like)                                              \
    {#key, JSON_ANY, (name) == (like), 0, 0, 0, "one collective"},
    P3D_COLLECTIVES(AS_FIELD)
#undef AS_FIELD
    MAY(DOUBLE, nvls_factor, 1, 4, "gain of all-reduce in the switch"),
    NEEDS(DOUBLE, multinode_ramp_s_per_sqrt_byte, 0, 1e-4, "between nodes"),
    NEEDS(DOUBLE, error_frac, 0, 1, "mean error"),
};

#undef AT
#define AT(member) offsetof(p3d_collective_fit, member)
static const json_field collective_fields[] = {
    NEEDS(DOUBLE, launch_s, 0, 1e-2, "fixed time of a launch, s"),
    NEEDS(DOUBLE, step_s, 0, 1e-2, "of one step of the ring, s"),
    NEEDS(DOUBLE, link_frac, 0.001, 1, "of the link's rate"),
    NEEDS(DOUBLE, ramp_s_per_sqrt_byte, 0, 1e-4, "slow start"),
};

#undef AT
#define AT(member) offsetof(p3d_network_fit, member)
static const json_field network_fields[] = {
    MAY(DOUBLE, latency_s, 0, 1, "of a collective over two nodes, s"),
    MAY(DOUBLE, all_reduce_bytes_per_s, 0, 1e13, "of each GPU"),
    MAY(DOUBLE, all_gather_bytes_per_s, 0, 1e13,
        "of each GPU, of reduce-scatter too"),
    MAY(DOUBLE, all_to_all_bytes_per_s, 0, 1e13, "of each GPU"),
};

#undef AT
#define AT(member) offsetof(p3d_host_fit, member)
static const json_field host_fields[] = {
    MAY(DOUBLE, copy_bytes_per_s, 0, 1e13,
        "between pinned memory and a GPU, one way"),
    MAY(DOUBLE, adam_bytes_per_s, 0, 1e13,
        "of the CPU's Adam, for each GPU of the host"),
};

#undef AT
#define AT(member) offsetof(p3d_assumed_fit, member)
static const json_field assumed_fields[] = {
    MAY(DOUBLE, fixed_step_s, 0, 10,
        "of a step: data, logging, synchronization, s"),
    MAY(DOUBLE, overlap_leak_frac, 0, 1,
        "of overlapped communication: stays exposed"),
    MAY(DOUBLE, overlap_error_frac, 0, 10,
        "mean error of overlap_leak_frac; 0 = not measured"),
    MAY(DOUBLE, gpu_spread_frac, 0, 0.5,
        "standard deviation of the speed of GPUs"),
};
/* clang-format on */

static const char *const collective_keys[] = {
#define AS_KEY(name, key, like) #key,
        P3D_COLLECTIVES(AS_KEY)
#undef AS_KEY
};

static const char *const part_sources[] = {
#define AS_SOURCE(name, key) "/" #key,
        P3D_CALIBRATION_PARTS(AS_SOURCE)
#undef AS_SOURCE
};

/* Where a file says nothing.
 *
 * fixed_step_s      data loading, logging and the gradient-norm synchronization
 *                   of a step. Assumes: A8.
 * overlap_leak_frac share of overlapped communication that stays exposed: it
 *                   slows the kernels beside it: GEMMs beside an all-gather
 *                   of 24 blocks on H100 run at 47 instead of 80 % of the peak
 *                   (0.41; forums.developer.nvidia.com 337991); computation is
 *                   18.9 % slower beside communication and all of it one after
 *                   the other 10.2 % slower than both at once, in the mean of
 *                   A100, H100, MI210 and MI250 (0.189 / (1.189 * 1.102 - 1) =
 *                   0.61; arXiv:2507.03114 abstract). Assumes: A10.
 * gpu_spread_frac   standard deviation of the speed of GPUs of one type under
 *                   load: whiskers that are 8 % of the median apart (quartiles
 *                   and 1.5 times their distance, 5.4 standard deviations of a
 *                   normal law). Assumes: A15. Source: arXiv:2208.11035
 *                   abstract, section 4. */
static const p3d_assumed_fit USUAL = {.fixed_step_s = 3e-3,
        .overlap_leak_frac = 0.5,
        .gpu_spread_frac = 0.08 / 5.4};

/* A value of a document with the JSON Pointer that leads to it, and where to
 * say what is wrong with it. */
typedef struct place {
    const json_doc *doc;
    const json_value *value;
    char pointer[SPEC_POINTER_MAX];
    p3d_error *err;
} place;

/* Go to the member of an object that must be an object, too. */
static bool enter(const place *object, const char *key, place *out)
{
    place inner = {.doc = object->doc,
            .value = json_get(object->value, key),
            .err = object->err};
    const int length = snprintf(inner.pointer, sizeof(inner.pointer), "%s/%s",
            object->pointer, key);

    P3D_ASSERT(length > 0 && (size_t)length < sizeof(inner.pointer));
    *out = inner;
    return json_is_object(inner.value) ||
           json_fail(inner.doc, inner.pointer, inner.err,
                   "\"%s\" is not an object", key);
}

static bool read_at(const place *at, const json_shape *shape, void *out)
{
    return json_read_fields(
            (json_place){at->doc, at->value, at->pointer}, shape, out, at->err);
}

/* Read the fields of such a member. */
static bool read_in(const place *object, const char *key,
        const json_shape *shape, void *out, place *at)
{
    return enter(object, key, at) && read_at(at, shape, out);
}

static bool read_gemm(const place *root, const char *key, p3d_gemm_fit *out)
{
    gemm_file file = {0};
    place at;

    if (!read_in(root, key, JSON_FIELDS(gemm_fields), &file, &at))
        return false;
    file.fit.tile_wave = strcmp(file.form, "tile_wave") == 0;
    if (!file.fit.tile_wave && strcmp(file.form, "roofline") != 0)
        return json_fail(at.doc, at.pointer, at.err,
                "unknown form '%s'; write tile_wave or roofline", file.form);
    if (file.fit.tile_wave &&
            (file.fit.tile_128_frac <= 0 || file.fit.tile_64_frac <= 0 ||
                    file.fit.p_norm <= 0))
        return json_fail(at.doc, at.pointer, at.err,
                "the form tile_wave needs tile_128_frac, tile_64_frac and "
                "p_norm");
    *out = file.fit;
    return true;
}

/* One pass of an attention kernel. */
static bool read_core(
        const place *kernel, const char *key, p3d_attention_pass *out)
{
    place at, fracs;

    return read_in(kernel, key, JSON_FIELDS(core_fields), out, &at) &&
           read_in(&at, "peak_frac", JSON_FIELDS(head_size_fields),
                   out->peak_frac, &fracs);
}

/* The kernels that were measured: at least one. */
static bool read_attention(const place *root, p3d_calibration *out)
{
    place all, at;
    int n_read = 0;

    if (!read_in(root, "attention", JSON_FIELDS(kernels_fields), out, &all))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(kernels_fields); i++) {
        const char *const key = kernels_fields[i].key;
        p3d_attention_fit *const fit = &out->attention[P3D_EFFICIENT + i];

        if (json_get(all.value, key) == NULL)
            continue;
        n_read++;
        if (!read_in(&all, key, JSON_FIELDS(kernel_fields), fit, &at) ||
                !read_core(&at, "forward", &fit->forward) ||
                !read_core(&at, "backward", &fit->backward))
            return false;
    }
    return n_read > 0 || json_fail(all.doc, all.pointer, all.err,
                                 "no kernel; write efficient, flash1, "
                                 "flash2, flash3, cudnn or flash4");
}

/* The kinds that were measured apart, of those there are. */
static bool read_passes(const place *root, p3d_pass_fit *out)
{
    p3d_pass_fit unused;
    place all, kinds, at;

    if (!read_in(root, "memory_pass", JSON_FIELDS(pass_fields), out, &all))
        return false;
    if (json_get(all.value, "kinds") == NULL)
        return true;
    if (!read_in(
                &all, "kinds", JSON_FIELDS(pass_kinds_fields), &unused, &kinds))
        return false;
    for (int i = 0; i < P3D_N_PASS_KINDS; i++)
        if (json_get(kinds.value, pass_kinds_fields[i].key) != NULL &&
                !read_in(&kinds, pass_kinds_fields[i].key,
                        JSON_FIELDS(pass_rate_fields), &out->kind[i], &at))
            return false;
    return true;
}

static bool read_collectives(const place *root, p3d_calibration *out)
{
    static const int lenders[] = {
#define AS_LENDER(name, key, like) like,
            P3D_COLLECTIVES(AS_LENDER)
#undef AS_LENDER
    };
    collectives shared = {.nvls_factor = 1};
    place all, at;

    if (!read_in(root, "collective", JSON_FIELDS(collectives_fields), &shared,
                &all))
        return false;
    for (int i = 0; i < P3D_N_COLLECTIVES; i++) {
        out->collective[i] = out->collective[lenders[i]];
        if (json_get(all.value, collective_keys[i]) == NULL && lenders[i] != i)
            continue;
        if (!read_in(&all, collective_keys[i], JSON_FIELDS(collective_fields),
                    &out->collective[i], &at))
            return false;
    }
    out->nvls_factor = shared.nvls_factor;
    out->multinode_ramp_s_per_sqrt_byte = shared.multinode_ramp_s_per_sqrt_byte;
    out->collective_error_frac = shared.error_frac;
    return true;
}

static unsigned find_assumed(const json_value *file)
{
    unsigned parts = 0;

    for (int i = 0; i < P3D_N_CALIBRATION_PARTS; i++)
        if (spec_is_assumed(file, part_sources[i]))
            parts |= 1u << i;
    return parts;
}

static bool keep_runs(
        const place *root, const p3d_rows *rows, p3d_own_runs *out)
{
    if (rows->n > P3D_MAX_OWN_RUNS)
        return json_fail(root->doc, "/runs", root->err,
                "%d runs; a calibration has at most %d", rows->n,
                P3D_MAX_OWN_RUNS);
    out->n = rows->n;
    for (int i = 0; i < rows->n; i++)
        out->at[i] = ((const p3d_own_run *)rows->items)[i];
    return true;
}

static bool read_parts(const place *root, p3d_calibration *c)
{
    const json_value *const file = root->value;
    place at;

    return read_gemm(root, "gemm", &c->gemm) &&
           (json_get(file, "gemm_fp8") == NULL ||
                   read_gemm(root, "gemm_fp8", &c->gemm_fp8)) &&
           (json_get(file, "gemm_nvfp4") == NULL ||
                   read_gemm(root, "gemm_nvfp4", &c->gemm_nvfp4)) &&
           read_attention(root, c) && read_passes(root, &c->pass) &&
           read_collectives(root, c) &&
           (json_get(file, "network") == NULL ||
                   read_in(root, "network", JSON_FIELDS(network_fields),
                           &c->network, &at)) &&
           (json_get(file, "host") == NULL ||
                   read_in(root, "host", JSON_FIELDS(host_fields), &c->host,
                           &at)) &&
           (json_get(file, "assumed") == NULL ||
                   read_in(root, "assumed", JSON_FIELDS(assumed_fields),
                           &c->assumed, &at));
}

static bool read_calibration(
        const json_doc *doc, p3d_calibration *out, p3d_error *err)
{
    const place root = {.doc = doc, .value = doc->root, .err = err};
    head file = {.calibration.assumed = USUAL};
    bool ok = read_at(&root, JSON_FIELDS(head_fields), &file) &&
              keep_runs(&root, &file.runs, &file.calibration.runs) &&
              read_parts(&root, &file.calibration);

    free(file.runs.items);
    if (!ok)
        return false;
    file.calibration.assumed_parts = find_assumed(doc->root);
    *out = file.calibration;
    return true;
}

bool spec_calibration_load(
        const char *name, p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return spec_hardware_open(P3D_CALIBRATIONS, name, &doc, err) &&
           json_close_after(&doc, read_calibration(&doc, out, err));
}

bool spec_calibration_open(
        const char *path, p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return spec_hardware_open_path(path, &doc, err) &&
           json_close_after(&doc, read_calibration(&doc, out, err));
}

bool spec_calibration_parse(const char *file, const char *text,
        p3d_calibration *out, p3d_error *err)
{
    json_doc doc = {0};

    return json_parse(file, text, strlen(text), &doc, err) &&
           json_close_after(&doc, read_calibration(&doc, out, err));
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

static void put_passes(json_writer *w, const p3d_pass_fit *fit)
{
    bool any = false;

    json_begin(w, "memory_pass", '{');
    PUT(w, pass_fields, fit);
    for (int i = 0; i < P3D_N_PASS_KINDS; i++) {
        if (fit->kind[i].hbm_frac <= 0)
            continue;
        if (!any)
            json_begin(w, "kinds", '{');
        any = true;
        json_begin(w, pass_kinds_fields[i].key, '{');
        PUT(w, pass_rate_fields, &fit->kind[i]);
        json_end(w, '}');
    }
    if (any)
        json_end(w, '}');
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

/* What not every calibration has. */
static bool has_member(const p3d_calibration *c, const char *key)
{
    const struct {
        const char *key;
        bool there;
    } rows[] = {{"/gemm_fp8", c->gemm_fp8.peak_frac > 0},
            {"/gemm_nvfp4", c->gemm_nvfp4.peak_frac > 0},
            {"/network", c->network.latency_s > 0 ||
                                 c->network.all_to_all_bytes_per_s > 0},
            {"/host", c->host.copy_bytes_per_s > 0 ||
                              c->host.adam_bytes_per_s > 0},
            {"/assumed", c->assumed.overlap_error_frac > 0}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (strcmp(rows[i].key, key) == 0)
            return rows[i].there;
    return true;
}

static bool is_assumed(const p3d_calibration *c, const char *key)
{
    for (int i = 0; i < P3D_N_CALIBRATION_PARTS; i++)
        if (strcmp(part_sources[i], key) == 0)
            return (c->assumed_parts >> i & 1) != 0;
    return false;
}

static void put_sources(const p3d_calibration *c,
        const spec_calibration_source *sources, int n, json_writer *w)
{
    json_begin(w, "sources", '{');
    for (int i = 0; i < n; i++) {
        if (!has_member(c, sources[i].key))
            continue;
        json_begin(w, sources[i].key, '{');
        json_put_string(w, "kind",
                is_assumed(c, sources[i].key) ? "assumed" : "fitted");
        json_put_string(w, "ref", sources[i].ref);
        json_end(w, '}');
    }
    json_end(w, '}');
}

void spec_calibration_write(const p3d_calibration *c,
        const spec_calibration_source *sources, int n_sources, p3d_text *out)
{
    /* Rows are written through the same table that reads them. */
    p3d_own_run list[P3D_MAX_OWN_RUNS];
    const head file = {
            .schema = 1, .calibration = *c, .runs = {list, c->runs.n}};
    json_writer w = {.out = out};

    memcpy(list, c->runs.at, sizeof(list));
    json_begin(&w, NULL, '{');
    PUT(&w, head_fields, &file);
    put_gemm(&w, "gemm", &c->gemm);
    if (has_member(c, "/gemm_fp8"))
        put_gemm(&w, "gemm_fp8", &c->gemm_fp8);
    if (has_member(c, "/gemm_nvfp4"))
        put_gemm(&w, "gemm_nvfp4", &c->gemm_nvfp4);
    put_attention(&w, c);
    put_passes(&w, &c->pass);
    put_collectives(&w, c);
    if (has_member(c, "/network")) {
        json_begin(&w, "network", '{');
        PUT(&w, network_fields, &c->network);
        json_end(&w, '}');
    }
    if (has_member(c, "/host")) {
        json_begin(&w, "host", '{');
        PUT(&w, host_fields, &c->host);
        json_end(&w, '}');
    }
    json_begin(&w, "assumed", '{');
    PUT(&w, assumed_fields, &c->assumed);
    json_end(&w, '}');
    put_sources(c, sources, n_sources, &w);
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}
