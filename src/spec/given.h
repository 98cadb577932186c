/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.h - the numbers and enumerations of the structs that a caller of the
 * library fills, the values that each may have, and whether what a function
 * needs was given: pointers to structs that were filled with such values. */
#ifndef PLAN3D_SPEC_GIVEN_H
#define PLAN3D_SPEC_GIVEN_H

#include "plan3d/estimate.h"
#include "plan3d/search.h"

struct json_field;
struct json_shape;

/** What each number and enumeration (JSON_INT) of a struct may be; with
 *  JSON_ZERO_IS_NULL 0 as well: not said. Keys are the names of the header,
 *  `doc` has words for messages, where there are any. No finite range holds
 *  what is no number. */
extern const struct json_shape spec_job_members;
extern const struct json_shape spec_model_members;
extern const struct json_shape spec_cluster_members; /* node, fabric too */
extern const struct json_shape spec_gpu_members;
extern const struct json_shape spec_plan_members; /* what no rule looks at, */
extern const struct json_shape spec_plan_sizes; /* what rules refuse in words */
extern const struct json_shape spec_pins_members;

/** A member's value, exact up to 2^53. */
double spec_member_value(const struct json_field *member, const void *of);

/** True when every member of a struct has a value that it may have. */
bool spec_members_hold(const struct json_shape *members, const void *of);

/** Refuse a model with a size above these. @return false with P3D_DATA */
P3D_CHECK bool spec_model_check_limits(const p3d_model *model, p3d_error *err);

/** True where queries share the key/value heads evenly. */
bool spec_kv_heads_divide(const p3d_model *model);

/** Refuse key/value heads that do not divide those of the queries; a head has
 *  channels. @return false with P3D_DATA */
P3D_CHECK bool spec_model_check_heads(const p3d_model *model, p3d_error *err);

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

/** Of cp context-parallel ranks those that exchange heads: `ulysses`, or what
 *  the job says of all of them where that is 0. */
static inline int spec_head_ranks(const p3d_job *job, int cp, int ulysses)
{
    if (ulysses > 0)
        return ulysses;
    return job->cp_comm == P3D_CP_ALL_TO_ALL ? cp : 1;
}

/** What p3d_plan_shard() leaves. */
bool spec_shard_given(const p3d_shard *shard);

/** The same, and each rank has a head and a token of this model and job. */
bool spec_shard_fits(
        const p3d_model *model, const p3d_job *job, const p3d_shard *shard);

#endif
