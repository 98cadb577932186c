/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elementary.h - exp, log and the like with the same last digit on every
 * machine: those of the C library differ from one to the next, and glibc's
 * from processor to processor.
 *
 * They are made of sums, products, quotients and roots of doubles, which
 * IEEE 754 rounds alike everywhere, with some 66 bits: the nearest double but
 * for one argument in thousands, and for all within 0.501 units of the last
 * place. What has no finite answer, and what is not normal, is left to the C
 * library. */
#ifndef PLAN3D_BASE_ELEMENTARY_H
#define PLAN3D_BASE_ELEMENTARY_H

double p3d_exp(double x);
double p3d_expm1(double x);
double p3d_log(double x);
double p3d_log1p(double x);
double p3d_log2(double x);
double p3d_log10(double x);
double p3d_pow(double x, double y);

/** For |x| up to a million. */
double p3d_cos(double x);

/** For squares that neither overflow nor vanish. */
double p3d_hypot(double x, double y);

#endif
