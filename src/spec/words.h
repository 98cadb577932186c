/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of enumerations as lists, each up to its last one, then
 * NULL: for options and for fields of JSON. */
#ifndef PLAN3D_SPEC_WORDS_H
#define PLAN3D_SPEC_WORDS_H

#include "base/util.h"
#include "plan3d/best_framework.h"
#include "plan3d/cluster.h"
#include "plan3d/framework.h"
#include "plan3d/job.h"
#include "plan3d/plan.h"
#include "plan3d/recommend.h"

/** Define such a list of n words. @param word  the one of `i` */
#define SPEC_WORDS(list, n, word)         \
    static inline const char *list(int i) \
    {                                     \
        return i < (n) ? (word) : NULL;   \
    }

/* clang-format off */
SPEC_WORDS(spec_dtype_word, P3D_N_DTYPES, p3d_dtype_name((p3d_dtype)i))
SPEC_WORDS(spec_optimizer_word, P3D_N_OPTIMIZERS,
        p3d_optimizer_of((p3d_optimizer)i)->name)
SPEC_WORDS(spec_attention_word, P3D_N_ATTENTIONS,
        p3d_attention_name((p3d_attention)i))
SPEC_WORDS(spec_loss_word, P3D_N_LOSSES, p3d_loss_name((p3d_loss)i))
SPEC_WORDS(spec_dispatcher_word, P3D_N_DISPATCHERS,
        p3d_dispatcher_name((p3d_dispatcher)i))
SPEC_WORDS(spec_recompute_word, P3D_N_RECOMPUTES,
        p3d_recompute_name((p3d_recompute)i))
SPEC_WORDS(spec_offload_word, P3D_N_OFFLOADS, p3d_offload_name((p3d_offload)i))
SPEC_WORDS(spec_schedule_word, P3D_N_SCHEDULES,
        p3d_schedule_name((p3d_schedule)i))
SPEC_WORDS(spec_order_word, P3D_N_ORDERS, p3d_order_name((p3d_order)i))
SPEC_WORDS(spec_tail_word, P3D_N_TAILS, p3d_tail_name((p3d_tail)i))
SPEC_WORDS(spec_objective_word, P3D_N_OBJECTIVES,
        p3d_objective_name((p3d_objective)i))
SPEC_WORDS(spec_verdict_word, P3D_N_VERDICTS, p3d_verdict_name((p3d_verdict)i))
/* clang-format on */

/** Types that states are kept in, from the one after "usual" on. */
static inline const char *spec_state_dtype_word(int i)
{
    static const char *const words[P3D_N_STATE_DTYPES - 1] = {
            "fp32", "16bit", "8bit", "none"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/** Recipes of fp8, likewise. */
static inline const char *spec_fp8_recipe_word(int i)
{
    return i + 1 < P3D_N_FP8_RECIPES
                   ? p3d_fp8_recipe_name((p3d_fp8_recipe)(i + 1))
                   : NULL;
}

/** Kinds of segments, likewise. */
static inline const char *spec_allocator_word(int i)
{
    static const char *const words[P3D_N_ALLOCATORS - 1] = {
            "fixed", "expandable"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

static inline const char *spec_reference_word(int i)
{
    return p3d_reference_word(i + 1); /* behind "none" */
}

static inline const char *spec_filling_word(int i)
{
    return p3d_filling_word(i + 1); /* behind "whole" */
}

static inline const char *spec_overlap_word(int i)
{
    return p3d_overlap_word(i + 1); /* behind "usual" */
}

static inline const char *spec_cp_comm_word(int i)
{
    static const char *const words[P3D_N_CP_COMMS] = {"p2p", "a2a"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/** Of frameworks, which have other names for some of them too; the last is
 *  P3D_ANY_FRAMEWORK. */
static inline const char *spec_framework_word(int i)
{
    int n = 0;
    const p3d_framework *const frameworks = p3d_frameworks(&n);

    return i < n ? frameworks[i].name : i == n ? P3D_ANY_FRAMEWORK : NULL;
}

#endif
