/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - seconds that pass. */
#ifndef PLAN3D_BASE_CLOCK_H
#define PLAN3D_BASE_CLOCK_H

/** Seconds since some moment in the past, by a clock that nobody sets. */
double p3d_now_s(void);

#endif
