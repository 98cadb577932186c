/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.h - whether callers of the library gave what a function needs: pointers
 * to structs that were filled, with numbers that they may have. */
#ifndef PLAN3D_SPEC_GIVEN_H
#define PLAN3D_SPEC_GIVEN_H

#include "plan3d/estimate.h"
#include "plan3d/search.h"

/** What p3d_model_find() and its like leave. */
bool spec_model_given(const p3d_model *model);

/** Its number of layers alone, for what reads no more of it and is asked a
 *  million times. */
bool spec_layers_given(const p3d_model *model);

/** What p3d_gpu_find() leaves. */
bool spec_gpu_given(const p3d_gpu *gpu);

/** What p3d_cluster_find() and its like leave. */
bool spec_cluster_given(const p3d_cluster *cluster);

/** What p3d_job_default() leaves. */
bool spec_job_given(const p3d_job *job);

/** All three. */
bool spec_problem_given(const p3d_problem *problem);

/** What p3d_plan_parse() leaves: legal or not; its words alone, or with sizes
 *  of at least 1. */
bool spec_plan_words_given(const p3d_plan *plan);
bool spec_plan_given(const p3d_plan *plan);

/** What p3d_pins_free() and p3d_pins_parse() leave. */
bool spec_pins_given(const p3d_pins *pins);

/** What p3d_estimate_plan() leaves: its plan. */
bool spec_estimate_given(const p3d_estimate *estimate);

/** What p3d_plan_shard() leaves. */
bool spec_shard_given(const p3d_shard *shard);

/** The same, and each rank has a head and a token of this model and job. */
bool spec_shard_fits(
        const p3d_model *model, const p3d_job *job, const p3d_shard *shard);

#endif
