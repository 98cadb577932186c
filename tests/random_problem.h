/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_problem.h - random small problems, of every framework, with values
 * that a person has fixed, and memories that lie between the least that any
 * plan needs and what the fastest takes. */
#ifndef PLAN3D_TEST_RANDOM_PROBLEM_H
#define PLAN3D_TEST_RANDOM_PROBLEM_H

#include "random_plan.h"

#include "plan3d/plan3d.h"

/** A problem, and how it came about. */
typedef struct random_case {
    uint32_t seed;
    p3d_problem problem;
    p3d_pins pins;
    char pin_words[P3D_PLAN_WORDS];
} random_case;

/** A problem of this seed, with memory for everything. */
void random_case_of(uint32_t seed, random_case *out);

/** Print a problem so that a person sees what it is. */
void random_case_say(const random_case *c);

/** Cut the memory of GPUs, and of some nodes, so that about half of the
 *  problems have plans that fit only with recomputation or offload.
 *  @return false when no plan of the problem is legal */
bool random_case_tighten(random_case *c);

#endif
