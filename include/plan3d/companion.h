/* SPDX-License-Identifier: GPL-3.0-or-later */
/* companion.h - a frozen model beside the trained one: the reference of
 * preference training, or the teacher of a distillation. */
#ifndef PLAN3D_COMPANION_H
#define PLAN3D_COMPANION_H

#include <stdbool.h>

#include "plan3d/api.h"
#include "plan3d/framework.h"
#include "plan3d/model.h"

P3D_API_BEGIN

/** Whose log-probabilities preference training holds its own against. Of DPO a
 *  sequence is half of a pair: one chosen, one rejected. Of KTO it is single,
 *  and both models also run forward on one that belongs to another prompt. */
typedef enum p3d_reference {
    P3D_REFERENCE_NONE,
    P3D_REFERENCE_SELF,        /* those of the model as it was at the start */
    P3D_REFERENCE_PRECOMPUTED, /* the same, written down before the training */
    P3D_REFERENCE_PAIRS,       /* nobody's: pairs are held against each other */
    P3D_REFERENCE_KTO,         /* of KTO, by the model as it was at the start */
    P3D_N_REFERENCES
} p3d_reference;

/** Word for the i-th ("none", "self", "precomputed"); NULL past the last. */
const char *p3d_reference_word(int i);

/** The frozen model of a job: one of the two at most. */
typedef struct p3d_companion {
    p3d_reference reference;
    p3d_model teacher; /* whose logits are learned from; of no layers = none */
} p3d_companion;

/** What a framework does with a frozen model beside the trained one. */
typedef struct p3d_companion_facts {
    const char *framework;
    bool reference;
    bool teacher;
    bool swaps;  /* the reference waits in the host's memory, and takes the
                    place of the weights before the passes of a step */
    bool chunks; /* no teacher beside several chunks of a pipeline's rank */
    double divergence_bytes; /* per logit at the loss, beside the logits of
                                both */
    double divergence_pass_bytes[2]; /* per logit, forward and backward */
    int n_divergence_kernels[2];
    const char *source;
} p3d_companion_facts;

/** NULL where the framework has neither. */
const p3d_companion_facts *p3d_companion_facts_of(
        const p3d_framework *framework);

struct p3d_job;

/** The frozen model that runs forward in each step of a job that trains this
 *  one; NULL = none does. */
const p3d_model *p3d_companion_of(
        const struct p3d_job *job, const p3d_model *model);

/** Forward passes without a backward one that a job has beside each of the
 *  trained model: 1 of DPO's reference and of a teacher, 3 of KTO. */
int p3d_companion_passes(const struct p3d_job *job);

/** Whether a micro-batch is of pairs of sequences. */
bool p3d_companion_pairs(const struct p3d_job *job);

/** Whether its weights are those of the trained model: adapters are switched
 *  off for its pass. */
bool p3d_companion_is_base(const struct p3d_job *job);

P3D_API_END

#endif
