/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - predicts one measured run. */
#include "study/predict.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"
#include "spec/legality.h"
#include "study/evidence.h"

/* What people say who have no model: 40 % of the dense peak. */
const double study_guess_mfu_frac = 0.4;

/* The step at that use of the peak, from the one at its own. */
static double guess_s(const p3d_estimate *estimate)
{
    return p3d_time_step_s(&estimate->time) * estimate->mfu_frac /
           study_guess_mfu_frac;
}

static int64_t metered(const p3d_memory *memory, exchange_meter meter)
{
    switch (meter) {
    case EXCHANGE_METER_ALLOCATED: return p3d_memory_allocated_bytes(memory);
    case EXCHANGE_METER_RESERVED: return p3d_memory_reserved_bytes(memory);
    case EXCHANGE_METER_DEVICE: break;
    }
    return p3d_memory_device_bytes(memory);
}

static bool is_metered(const exchange_case *c, int stage)
{
    const int last = c->plan.pp - 1;

    switch (c->stage) {
    case EXCHANGE_STAGE_HIGHEST: return true;
    case EXCHANGE_STAGE_LAST: return stage == last;
    case EXCHANGE_STAGE_FIRST_OR_LAST: return stage == 0 || stage == last;
    default: return stage == c->stage;
    }
}

static void predict_memory(const exchange_case *c, study_prediction *out)
{
    p3d_blocks blocks;

    p3d_blocks_build(&c->problem, p3d_plan_shard(&c->plan), &blocks);
    out->fits = true;
    for (int i = 0; i < c->plan.pp; i++) {
        p3d_stage stage;
        int64_t peak_bytes;

        p3d_estimate_stage(&c->problem, &c->plan, &blocks, i, &stage);
        peak_bytes = metered(&stage.memory, c->meter);
        if (is_metered(c, i) && peak_bytes > out->peak_bytes)
            out->peak_bytes = peak_bytes;
        if (p3d_memory_device_bytes(&stage.memory) >
                c->problem.cluster.gpu.visible_memory_bytes)
            out->fits = false;
    }
}

/* Refusals are counted by the rule, not by their numbers. */
static void refuse(const p3d_refusal *refusal, exchange_reason *out)
{
    int i = 0;

    while (spec_rule_id(i) != NULL &&
            strcmp(spec_rule_id(i), refusal->rule) != 0)
        i++;
    snprintf(out->kind, sizeof(out->kind), "not legal: %s",
            spec_rule_id(i) != NULL ? spec_rule_words(i) : refusal->rule);
    snprintf(out->words, sizeof(out->words), "%s", refusal->reason);
}

bool study_constants_hold(const p3d_calibration *calibration,
        const p3d_gpu *basis, const p3d_gpu *gpu)
{
    return strcmp(basis->calibration, gpu->calibration) == 0 ||
           p3d_same_word(calibration->name, gpu->calibration);
}

void study_predict_run(const exchange_run *row, exchange_hardware *hardware,
        const study_constants *given, study_prediction *out)
{
    exchange_case c;
    p3d_estimate estimate;
    p3d_refusal refusal = {0};

    *out = (study_prediction){0};
    if (!exchange_corpus_convert(row, hardware, &c, &out->reason))
        return;
    out->calibrated =
            given != NULL && study_constants_hold(given->calibration,
                                     &given->basis, &c.problem.cluster.gpu);
    if (out->calibrated)
        spec_cluster_calibrate(&c.problem.cluster, given->calibration);
    if (!p3d_estimate_plan(&c.problem, &c.plan, &estimate, &refusal)) {
        refuse(&refusal, &out->reason);
        return;
    }
    out->known = true;
    out->assumed = c.assumed;
    out->step_s = p3d_time_step_s(&estimate.time);
    out->guess_s = guess_s(&estimate);
    study_describe_run(row, &c, &estimate, &out->run);
    predict_memory(&c, out);
}
