/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_product.c - a product by its definition. */
#include "tests/bench/fake/fake.h"

/* Element (i, j) of what a matrix, or its transpose, is. */
static double at(const fake_matrix *m, int64_t i, int64_t j)
{
    return (double)fake_load(
            m->data, m->dtype, m->transposed ? j + i * m->ld : i + j * m->ld);
}

void fake_multiply(const fake_matrix from[2], float scale, float keep,
        const fake_matrix *to)
{
    const int64_t n = from[0].transposed ? from[0].rows : from[0].columns;

    for (int64_t j = 0; j < to->columns; j++) {
        for (int64_t i = 0; i < to->rows; i++) {
            double sum = keep > 0 ? (double)keep * at(to, i, j) : 0;

            for (int64_t k = 0; k < n; k++)
                sum += (double)scale * at(&from[0], i, k) * at(&from[1], k, j);
            fake_store(to->data, to->dtype, i + j * to->ld, (float)sum);
        }
    }
}
