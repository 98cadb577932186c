/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_values.h - the plausible values of each decision of a plan. */
#ifndef PLAN3D_SEARCH_ADVICE_DECISION_VALUES_H
#define PLAN3D_SEARCH_ADVICE_DECISION_VALUES_H

#include "plan3d/search.h"
#include "search/exact/divisors.h"

/** Values worth a question, ascending; not all of them legal, so that the rule
 *  can be told. None where there is nothing to decide. */
typedef void decision_values(const p3d_problem *problem, search_divisors *out);

decision_values decision_values_tp; /* up to two NVLink domains or nodes */
decision_values decision_values_pp;
decision_values decision_values_vp; /* that share out the layers */
decision_values decision_values_cp;
decision_values decision_values_ep;
decision_values decision_values_etp; /* 1 and those of tp */
decision_values decision_values_mbs;
decision_values decision_values_zero;
decision_values decision_values_recompute;
decision_values decision_values_offload;
decision_values decision_values_sp;       /* where tensor parallelism is */
decision_values decision_values_schedule; /* that the framework has */

/**
 * Keep the `most` values that stand nearest to the chosen one in the list, and
 * the first one, which stands for "none" or "no split". The chosen value is
 * added where it is not in a list that has any.
 *
 * @param most  >= 2
 */
void decision_values_near(search_divisors *values, int chosen, int most);

#endif
