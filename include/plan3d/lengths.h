/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lengths.h - what stands in the sequences of a fine-tuning: texts of different
 * lengths, several in each sequence or one. */
#ifndef PLAN3D_LENGTHS_H
#define PLAN3D_LENGTHS_H

#include "plan3d/api.h"

P3D_API_BEGIN

typedef enum p3d_filling {
    P3D_FILLING_WHOLE,  /* each sequence is one text of its length */
    P3D_FILLING_PACKED, /* several texts, which do not see each other */
    P3D_FILLING_PADDED, /* one text, and padding behind it */
    P3D_N_FILLINGS
} p3d_filling;

/** Word for the i-th ("whole", "packed", "padded"); NULL past the last. */
const char *p3d_filling_word(int i);

/** Lengths of texts, each cut at the length of a sequence. */
typedef struct p3d_lengths {
    p3d_filling filling;
    double mean;        /* tokens; 0 = not said */
    double mean_square; /* of their squares */
} p3d_lengths;

struct p3d_job;

/**
 * Tokens of the text that a token stands in, in the mean over tokens: what
 * attention's pairs grow with.
 *
 *     packed  sum of l^2 / sum of l, at most a sequence
 *     else    a sequence
 *
 * Tested: tests/unit/test_lengths.c
 */
double p3d_text_tokens(const struct p3d_job *job);

/** Tokens of a step that are no padding. */
double p3d_job_tokens(const struct p3d_job *job);

P3D_API_END

#endif
