/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adam.c - a step of Adam, in a file of its own, which is compiled so that the
 * loop uses vectors, as the optimizers do that frameworks run on the host. */
#include <math.h>
#include <string.h>

#include "bench/host/host_memory.h"

/* Finite numbers only, and without a branch. */
static inline uint16_t round_to_bf16(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

uint16_t bench_bf16_of(float value)
{
    return round_to_bf16(value);
}

void bench_adam_step(
        const bench_adam_state *adam, int64_t from, int64_t to, int64_t step)
{
    const float beta1 = 0.9F, beta2 = 0.999F;
    const float rate = 1e-3F, epsilon = 1e-8F;
    const float fix1 = rate / (1 - powf(beta1, (float)step));
    const float fix2 = 1 / sqrtf(1 - powf(beta2, (float)step));
    const float *restrict const gradients = adam->gradients;
    float *restrict const weights = adam->weights;
    float *restrict const m = adam->m;
    float *restrict const v = adam->v;
    uint16_t *restrict const rounded = adam->rounded;

    for (int64_t i = from; i < to; i++) {
        const float g = gradients[i];

        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        weights[i] -= fix1 * m[i] / (sqrtf(v[i]) * fix2 + epsilon);
        rounded[i] = round_to_bf16(weights[i]);
    }
}
