/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pareto.h - which of many choices no other choice makes pointless. */
#ifndef PLAN3D_PARETO_H
#define PLAN3D_PARETO_H

#include "plan3d/api.h"
#include "plan3d/error.h"

P3D_API_BEGIN

/**
 * Find the choices that no other one dominates: none is at least as good in
 * every objective and better in one. Equal choices do not dominate each other.
 *
 * @param n             choices
 * @param n_objectives  numbers of each choice; less is better
 * @param values        finite; those of choice i begin at i * n_objectives
 * @param on_front      n of them
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_pareto_front(int n, int n_objectives, const double *values,
        bool *on_front, p3d_error *err);

P3D_API_END

#endif
