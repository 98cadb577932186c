/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop_product.c - a product that takes the time of one: BLAS in fp32, between
 * conversions of what is stored. */
#include <cblas.h>
#include <stdlib.h>

#include "plan3d/measurements.h"
#include "tests/bench/fake/fake.h"
#include "tests/bench/loop/loop.h"

/* Room in fp32 for the two factors and the result; grows. */
static float *rooms[3];
static size_t sizes[3];

static float *room(int i, size_t n)
{
    if (n > sizes[i]) {
        free(rooms[i]);
        rooms[i] = malloc(n * sizeof(float));
        sizes[i] = n;
    }
    return rooms[i];
}

static void widen(const fake_matrix *m, int64_t column, float *restrict to)
{
    const uint16_t *restrict const from =
            (const uint16_t *)m->data + column * m->ld;

    if (m->dtype != P3D_NUMBER_BF16) {
        for (int64_t i = 0; i < m->rows; i++)
            to[i] = fake_load(m->data, m->dtype, column * m->ld + i);
        return;
    }
    for (int64_t i = 0; i < m->rows; i++)
        to[i] = loop_wide(from[i]);
}

/* Packed columns of a matrix, or the matrix itself where it is in fp32. */
static float *load(int i, const fake_matrix *m, int *ld)
{
    float *to;

    *ld = (int)m->ld;
    if (m->dtype == P3D_NUMBER_FP32)
        return m->data;
    *ld = (int)m->rows;
    to = room(i, (size_t)(m->rows * m->columns));
    for (int64_t j = 0; j < m->columns; j++)
        widen(m, j, to + j * m->rows);
    return to;
}

static void store(const fake_matrix *m, const float *restrict from)
{
    for (int64_t j = 0; j < m->columns; j++) {
        uint16_t *restrict const to = (uint16_t *)m->data + j * m->ld;

        for (int64_t i = 0; i < m->rows && m->dtype == P3D_NUMBER_BF16; i++)
            to[i] = loop_bf16(from[j * m->rows + i]);
        for (int64_t i = 0; i < m->rows && m->dtype != P3D_NUMBER_BF16; i++)
            fake_store(m->data, m->dtype, j * m->ld + i, from[j * m->rows + i]);
    }
}

void fake_multiply(const fake_matrix from[2], float scale, float keep,
        const fake_matrix *to)
{
    static const CBLAS_TRANSPOSE ways[] = {CblasNoTrans, CblasTrans};
    const int64_t k = from[0].transposed ? from[0].rows : from[0].columns;
    const bool is_wide = to->dtype == P3D_NUMBER_FP32;
    int lda, ldb, ldc = (int)to->rows;
    const float *const a = load(0, &from[0], &lda);
    const float *const b = load(1, &from[1], &ldb);
    float *const c = is_wide || keep > 0
                             ? load(2, to, &ldc)
                             : room(2, (size_t)(to->rows * to->columns));

    cblas_sgemm(CblasColMajor, ways[from[0].transposed],
            ways[from[1].transposed], (int)to->rows, (int)to->columns, (int)k,
            scale, a, lda, b, ldb, keep, c, ldc);
    if (!is_wide)
        store(to, c);
}
