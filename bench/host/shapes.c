/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.c - space-filling shapes of products, and sizes of buffers. */
#include "bench/host/shapes.h"

#include <math.h>

static const double SMALLEST = 512;
static const double LARGEST = 16384;

double bench_van_der_corput(int i, int base)
{
    double value = 0;
    double place = 1;

    for (; i > 0; i /= base) {
        place /= base;
        value += place * (i % base);
    }
    return value;
}

/* @param step  a side is an odd multiple of it; 0 = a multiple of 64 */
static int64_t side(double at, int step)
{
    const double length = SMALLEST * pow(LARGEST / SMALLEST, at);

    if (step > 0)
        return 2 * step * (int64_t)(length / (2 * step)) + step;
    return 64 * (int64_t)(length / 64 + 0.5);
}

bench_shape bench_shape_at(int i, p3d_number number)
{
    const int odd = i % 8 < 7 ? 0 : number == P3D_NUMBER_FP8 ? 16 : 8;

    return (bench_shape){.layout = i % P3D_N_LAYOUTS,
            .m = side(bench_van_der_corput(i + 1, 2), odd),
            .n = side(bench_van_der_corput(i + 1, 3), odd),
            .k = side(bench_van_der_corput(i + 1, 5), odd)};
}

int64_t bench_size_at(int i, int64_t min_bytes, int64_t max_bytes)
{
    int64_t size = min_bytes;

    while (i > 0 && size < max_bytes) {
        size = size > max_bytes / 2 ? max_bytes : 2 * size;
        i--;
    }
    return i == 0 ? size : 0;
}

int bench_factor_bytes(p3d_number number)
{
    switch (number) {
    case P3D_NUMBER_FP8: return 1;
    case P3D_NUMBER_BF16:
    case P3D_NUMBER_FP16: return 2;
    case P3D_NUMBER_TF32:
    case P3D_NUMBER_FP32:
    case P3D_N_NUMBERS: break;
    }
    return 4;
}

int bench_result_bytes(p3d_number number, bool accumulate)
{
    return accumulate || bench_factor_bytes(number) == 4 ? 4 : 2;
}
