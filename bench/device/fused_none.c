/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fused_none.c - where cuDNN's headers were not there to build with. */
#include "bench/device/attention.h"

int64_t bench_fused_version(void)
{
    return 0;
}

bool bench_fused_open(const bench_device *device,
        const bench_attention_spec *spec, bool backward, bench_fused **out,
        p3d_error *err)
{
    (void)device;
    (void)spec;
    (void)backward;
    (void)out;
    return p3d_fail(err, P3D_DEVICE, "built without cuDNN");
}

void bench_fused_close(bench_fused *fused)
{
    (void)fused;
}

bool bench_fused_run(
        void *fused, int64_t i, cudaStream_t stream, p3d_error *err)
{
    (void)fused;
    (void)i;
    (void)stream;
    return p3d_fail(err, P3D_DEVICE, "built without cuDNN");
}

bool bench_fused_check(
        bench_fused *fused, p3d_attention_row *row, p3d_error *err)
{
    (void)fused;
    (void)row;
    return p3d_fail(err, P3D_DEVICE, "built without cuDNN");
}
