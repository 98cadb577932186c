/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lies.h - wrong answers, so that each invariant is seen to break. */
#ifndef PLAN3D_TEST_LIES_H
#define PLAN3D_TEST_LIES_H

#include "commands/invariants.h"

/** Falsify the answer of the count-th line that was asked. */
typedef void lie_teller(answer *a, int count);

/** The lie that the invariant of this check must find; NULL = none. */
lie_teller *lie_about(const invariant *one);

#endif
