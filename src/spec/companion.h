/* SPDX-License-Identifier: GPL-3.0-or-later */
/* companion.h - words and sizes of a frozen model beside the trained one. */
#ifndef PLAN3D_SPEC_COMPANION_H
#define PLAN3D_SPEC_COMPANION_H

#include "plan3d/job.h"

/** Sequences of the smallest micro-batch: a pair, or one. */
int spec_least_micro_batch(const p3d_job *job);

enum { SPEC_COMPANION_WORDS = 160 };

/** The frameworks that run a reference, or a teacher: "torchtune, ddp". */
const char *spec_companion_frameworks(
        bool teacher, char text[SPEC_COMPANION_WORDS]);

#endif
