/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fits.h - whether anything fits at all: a search that stops at once. */
#ifndef PLAN3D_SEARCH_FITS_H
#define PLAN3D_SEARCH_FITS_H

#include "plan3d/search.h"

/** @param scratch  large; holds the first plan that fits, if any
 *  @param work     what it took is added: bounds of memory that were asked for
 *  @return true when some plan fits */
bool search_fits(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, int64_t *work);

#endif
