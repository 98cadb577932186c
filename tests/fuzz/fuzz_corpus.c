/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_corpus.c - tables of measured runs: a row that can be predicted is. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "base/util.h"
#include "exchange/runs/corpus.h"

static void check_row(const exchange_run *row, exchange_hardware *hardware)
{
    exchange_case found;
    exchange_reason reason = {{0}, {0}};
    p3d_estimate estimate;

    if (!exchange_corpus_convert(row, hardware, &found, &reason)) {
        P3D_ASSERT(reason.kind[0] != '\0' && reason.words[0] != '\0');
        return;
    }
    if (p3d_estimate_plan(&found.problem, &found.plan, &estimate, NULL))
        P3D_ASSERT(isfinite(p3d_time_step_s(&estimate.time)));
}

bool fuzz_corpus(const uint8_t *data, size_t n)
{
    static exchange_hardware *hardware;
    exchange_corpus corpus = {.rows = NULL};
    p3d_error err = {0};
    const bool ok = exchange_corpus_open(fuzz_file(data, n), &corpus, &err);

    fuzz_check_error(ok, &err);
    if (hardware == NULL)
        hardware = exchange_hardware_create(NULL);
    P3D_ASSERT(hardware != NULL);
    for (int i = 0; ok && i < corpus.n_rows; i++)
        check_row(&corpus.rows[i], hardware);
    exchange_corpus_close(&corpus);
    return ok;
}
