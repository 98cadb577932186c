/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_words.h - the words of a plan, for plans and for pins of a search. */
#ifndef PLAN3D_SPEC_PLAN_WORDS_H
#define PLAN3D_SPEC_PLAN_WORDS_H

#include "plan3d/plan.h"

/** What a word says; two words may say the same thing ("vp", "vpp"). */
typedef enum p3d_plan_key {
    P3D_KEY_TP,
    P3D_KEY_PP,
    P3D_KEY_DP,
    P3D_KEY_CP,
    P3D_KEY_EP,
    P3D_KEY_ETP,
    P3D_KEY_VP,
    P3D_KEY_MICRO_BATCH,
    P3D_KEY_ZERO,
    P3D_KEY_SEQUENCE_PARALLEL, /* 0 or 1 */
    P3D_KEY_RECOMPUTE,         /* a p3d_recompute */
    P3D_KEY_OFFLOAD,           /* a p3d_offload */
    P3D_KEY_SCHEDULE,          /* a p3d_schedule */
    P3D_KEY_SHARD,
    P3D_KEY_GROUP,
    P3D_KEY_FIRST_LAYERS,
    P3D_KEY_LAST_LAYERS,
    P3D_KEY_UNEVEN,
    P3D_KEY_ORDER, /* a p3d_order */
    P3D_N_PLAN_KEYS
} p3d_plan_key;

/** The i-th word that a plan may have ("tp", "sp"), or NULL past the last. */
const char *p3d_plan_word(int i);

/** True for a word that stands before "=" and a value. */
bool p3d_plan_word_has_value(int i);

/** The k-th value of the i-th word, or NULL past the last; numbers have none
 *  that are named. */
const char *p3d_plan_word_value(int i, int k);

/** What a text has said, and nothing that follows from it. */
typedef struct p3d_said {
    bool said[P3D_N_PLAN_KEYS];
    int value[P3D_N_PLAN_KEYS];
    int recompute_layers;       /* of recompute=full:4; 0 = not said */
    int recompute_group;        /* of recompute=uniform:2; 0 = not said */
    unsigned recompute_modules; /* of recompute=selective:mlp; 0 = not said */
    double offload_frac;        /* of offload=optimizer:0.5; 0 = not said */
    bool offload_nvme;          /* of offload=optimizer@nvme */
    double activation_offload_frac; /* of offload=activations:0.5 */
} p3d_said;

/** Read what stands after "recompute=" and "offload="; what they say of more
 *  than a choice goes into *said.
 *  @param text   the whole word, for messages
 *  @param value  is changed
 *  @return false with P3D_DATA */
P3D_CHECK bool p3d_read_recompute(
        const char *text, char *value, p3d_said *said, p3d_error *err);
P3D_CHECK bool p3d_read_offload(
        const char *text, char *value, p3d_said *said, p3d_error *err);

/**
 * Read words divided by commas; blank text says nothing.
 *
 * @param out  untouched on failure
 * @return false with P3D_DATA: the word that is wrong and what to write
 */
P3D_CHECK bool p3d_said_read(const char *words, p3d_said *out, p3d_error *err);

#endif
