/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watchdog.h - ends the process when a library waits for ever. */
#ifndef PLAN3D_BENCH_WATCHDOG_H
#define PLAN3D_BENCH_WATCHDOG_H

/**
 * Unless it is set again or cleared within this time, the process says on
 * standard error that other ranks do not answer and exits with the status of
 * P3D_DEVICE. NCCL has no deadline of its own: a rank that is lost would keep
 * the others, and their GPUs, busy for ever.
 *
 * @param timeout_s  0 = clear; rounded up to whole seconds
 */
void bench_watchdog(double timeout_s);

#endif
