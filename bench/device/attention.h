/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attention.h - cuDNN's fused attention core, ready to run. */
#ifndef PLAN3D_BENCH_ATTENTION_H
#define PLAN3D_BENCH_ATTENTION_H

#include "bench/device/device.h"

/** Sizes of an attention core: see p3d_attention_row. */
typedef struct bench_attention_spec {
    int dtype;
    bool causal;
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
} bench_attention_spec;

/** The fused core of cuDNN; opaque, because its header may not be there. */
typedef struct bench_fused bench_fused;

/** Version of cuDNN, packed as 91900; 0 where it cannot be used. */
int64_t bench_fused_version(void);

/**
 * Build the pass, fill its inputs, and run it once.
 *
 * @param out  release with bench_fused_close()
 * @return false with P3D_DATA (too little memory) or P3D_DEVICE (cuDNN is not
 *         there, or has no kernel for it: why)
 */
P3D_CHECK bool bench_fused_open(const bench_device *device,
        const bench_attention_spec *spec, bool backward, bench_fused **out,
        p3d_error *err);
/** Accepts NULL. */
void bench_fused_close(bench_fused *fused);
/** A bench_run of it. */
bool bench_fused_run(
        void *fused, int64_t i, cudaStream_t stream, p3d_error *err);
/** Compare entries of the results with sums in double precision: of O, or of
 *  dV, dQ and dK.
 *  @return false with P3D_DEVICE when one is no rounding error */
P3D_CHECK bool bench_fused_check(
        bench_fused *fused, p3d_attention_row *row, p3d_error *err);

#endif
