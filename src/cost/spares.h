/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spares.h - nodes that wait to take the place of broken ones. */
#ifndef PLAN3D_COST_SPARES_H
#define PLAN3D_COST_SPARES_H

/**
 * Share of the time that a job waits because more nodes are broken than there
 * are spares.
 *
 *     B(0) = 1,  B(n) = a B(n - 1) / (n + a B(n - 1)),  share = B(s + 1)
 *
 * a  repair time over the job's time between failures   s  spare nodes
 *
 * Each failure breaks one node; a job that waits does not break more; repairs
 * run side by side and take any time with that mean. That is Erlang's system
 * of s + 1 lines in which a call that finds them all busy is lost.
 *
 * Source: A. K. Erlang, Solution of some problems in the theory of
 *         probabilities of significance in automatic telephone exchanges
 *         (1917), formula of loss.
 * Assumes: A20.
 * Tested: tests/unit/test_spares.c
 */
double cost_waiting_frac(int n_spares, double load);

/** The number of spares, at most n_nodes, with the fewest node hours for the
 *  work: the least (n_nodes + s) / (1 - share). */
int cost_spares(int n_nodes, double load);

#endif
