/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_memory.h - passes over the memory of the host, by many threads. */
#ifndef PLAN3D_BENCH_HOST_MEMORY_H
#define PLAN3D_BENCH_HOST_MEMORY_H

#include <stdint.h>

#include "plan3d/measurements.h"

/** A step of Adam over part of a model, as CPU offload runs it. */
typedef struct bench_adam_state {
    float *weights;
    float *gradients;
    float *m;
    float *v;
    uint16_t *rounded; /* bf16 copy of the weights, for the device */
    int64_t n;
} bench_adam_state;

/** Bytes of one parameter: p, m, v, g read and p, m, v written in fp32, a
 *  16-bit copy written. */
enum { BENCH_ADAM_BYTES = 30 };

/** One step with beta 0.9 and 0.999, epsilon 1e-8, rate 1e-3, as step number
 *  `step` >= 1. Source: arXiv:1412.6980 algorithm 1.
 *  Tested: tests/bench/test_host_memory.c */
void bench_adam_step(
        const bench_adam_state *adam, int64_t from, int64_t to, int64_t step);

/** bf16 of a finite number, to the nearest, ties to even. */
uint16_t bench_bf16_of(float value);

/**
 * Time the kernel of a row, by its threads, over buffers of together about its
 * bytes.
 *
 * @param row  bytes become those that were moved
 * @return false with P3D_SYSTEM: no memory, or no threads
 */
P3D_CHECK bool bench_host_measure(
        p3d_host_row *row, int n_samples, p3d_error *err);

#endif
