/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration_write.c - writes a calibration as calibration_file.c reads it. */
#include <stdio.h>
#include <string.h>

#include "spec/calibration_fields.h"

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

void p3d_calibration_write(const p3d_calibration *c,
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
