/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_numbers.c - numbers of 8 and 16 bits, rounded to the nearest. */
#include <math.h>
#include <string.h>

#include "bench/host/host_memory.h"
#include "tests/bench/fake/fake.h"

static float bf16(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof(value));
    return value;
}

/* A number of `bits` bits, `m` of them of the fraction, with this bias. */
static float decode(unsigned code, int bits, int m, int bias)
{
    const unsigned sign = code >> (bits - 1) & 1;
    const int e = (int)(code >> m & ((1U << (bits - 1 - m)) - 1));
    const double fraction =
            (double)(code & ((1U << m) - 1)) / (double)(1U << m);
    const double value =
            e == 0 ? ldexp(fraction, 1 - bias) : ldexp(1 + fraction, e - bias);

    return (float)(sign != 0 ? -value : value);
}

/* The nearest such number, for values in its range. */
static unsigned encode(float value, int bits, int m, int bias)
{
    const double size = fabs((double)value);
    int e = size > 0 ? (int)floor(log2(size)) : 1 - bias;
    unsigned code;

    if (e < 1 - bias)
        e = 1 - bias;
    /* Counting in units of the last place, carries run into the exponent. */
    code = (unsigned)lrint(ldexp(size, m - e)) +
           ((unsigned)(e + bias - 1) << m);
    return code | (value < 0 ? 1U << (bits - 1) : 0);
}

int fake_bytes(int dtype)
{
    return dtype == P3D_NUMBER_FP8                                ? 1
           : dtype == P3D_NUMBER_BF16 || dtype == P3D_NUMBER_FP16 ? 2
                                                                  : 4;
}

float fake_load(const void *data, int dtype, int64_t i)
{
    switch (dtype) {
    case P3D_NUMBER_BF16: return bf16(((const uint16_t *)data)[i]);
    case P3D_NUMBER_FP16:
        return decode(((const uint16_t *)data)[i], 16, 10, 15);
    case P3D_NUMBER_FP8: return decode(((const uint8_t *)data)[i], 8, 3, 7);
    default: break;
    }
    return ((const float *)data)[i];
}

void fake_store(void *data, int dtype, int64_t i, float value)
{
    switch (dtype) {
    case P3D_NUMBER_BF16: ((uint16_t *)data)[i] = bench_bf16_of(value); break;
    case P3D_NUMBER_FP16:
        ((uint16_t *)data)[i] = (uint16_t)encode(value, 16, 10, 15);
        break;
    case P3D_NUMBER_FP8:
        ((uint8_t *)data)[i] = (uint8_t)encode(value, 8, 3, 7);
        break;
    default: ((float *)data)[i] = value; break;
    }
}
