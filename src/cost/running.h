/* SPDX-License-Identifier: GPL-3.0-or-later */
/* running.h - what it takes to run a training: failures, checkpoints, spare
 * nodes, power. */
#ifndef PLAN3D_COST_RUNNING_H
#define PLAN3D_COST_RUNNING_H

#include "plan3d/cluster.h"

/** How a job fails and is saved. */
typedef struct cost_failures {
    double mtbf_s;    /* of the whole job, > 0 */
    double restart_s; /* from a failure until steps run again, >= 0 */
    double pause_s;   /* that a checkpoint stops the steps for, > 0 */
    double behind_s;  /* from then until it can be restarted from, >= 0 */
} cost_failures;

/** Expected seconds from one checkpoint to the next. */
typedef struct cost_segment {
    double work_s; /* steps that are kept */
    double save_s;
    double lost_s; /* steps and checkpoints that a failure undoes */
    double restart_s;
} cost_segment;

/**
 * Expected time from one checkpoint to the next, when failures come at random
 * with a constant rate, in steps, checkpoints and restarts alike.
 *
 *     T = M exp((R + W) / M) (exp(S / M) - 1),  S = t + C
 *
 *     saved    C
 *     lost     M (q - S / M) + q M exp(R / M) (exp(W / M) - 1)
 *     restart  q M (exp(R / M) - 1),  q = exp(S / M) - 1 failures of a segment
 *
 * M  mtbf_s   R  restart_s   C  pause_s   t  interval_s of steps
 * W  behind_s: a checkpoint that is still being written is of no use, so that
 *    a failure loses W more in the mean
 *
 * Source: J. T. Daly, A higher order estimate of the optimum checkpoint
 *         interval for restart dumps, Future Generation Computer Systems 22
 *         (2006) 303-312, the complete cost function (W = 0).
 * Assumes: A20.
 * Tested: tests/unit/test_goodput.c, tests/prop/test_goodput.c (simulation)
 */
cost_segment cost_segment_of(const cost_failures *f, double interval_s);

/** Time that is not work, over work. */
double cost_overhead_frac(const cost_failures *f, double interval_s);

/**
 * Young's interval between checkpoints, sqrt(2 C M).
 *
 * Source: J. W. Young, A first order approximation to the optimum checkpoint
 *         interval, Communications of the ACM 17 (1974) 530-531.
 */
double cost_young_interval_s(const cost_failures *f);

/**
 * Daly's interval between checkpoints.
 *
 *     sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + (C / 2M) / 9) - C    for C < 2 M
 *     M                                                        else
 *
 * Source: Daly 2006, as above; his figures 3 to 5 (R = 10 min, C = 5 min) have
 *         117, 57 and 9.1 min for M = 24 h, 6 h and 15 min.
 */
double cost_daly_interval_s(const cost_failures *f);

/** Preemptions: how often, for how long, and what the job does at one. */
typedef struct cost_preemptions {
    double every_s; /* > 0 */
    double away_s;
    double again_s; /* to save at the notice and to start again, < every_s */
} cost_preemptions;

/**
 * Time that a job takes on a cluster which is taken away now and then.
 *
 *     up = t / (1 - s / P)    real = up + A up / P
 *
 * t  time without preemptions that save their work; those that do not are
 *    failures, one in P more    P  mean time that the cluster is there at a
 *    stretch    A  mean time that it is away    s  again_s, the steps stop
 *
 * A cluster is taken away at random with a constant rate while it is there:
 * that happens up / P times. Of a cycle of P + A the share P / (P + A) is up.
 *
 * Source: W. L. Smith, Renewal theory and its ramifications, Journal of the
 *         Royal Statistical Society B 20 (1958) 243-302, cumulative processes:
 *         mean reward of a cycle over its mean length.
 * Assumes: A20, for preemptions too.
 * Tested: tests/unit/test_training.c
 *
 * @return up
 */
double cost_up_s(const cost_preemptions *p, double work_s);

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

/** What a GPU draws with its share of the rest of its node. */
typedef struct cost_power {
    double work_w; /* while steps run */
    double idle_w; /* while they do not */
} cost_power;

/**
 * Power of one GPU and its share of a node's processors, memory, network
 * adapters and fans.
 *
 *     work = 0.76 P / n     idle = 0.29 P / n
 *
 * P  rated power of the node; where it is not known, 1.82 times that of its
 *    GPUs      n  GPUs of the node
 *
 * Assumes: A22. Tested: tests/unit/test_energy.c
 */
cost_power cost_power_per_gpu(const p3d_cluster *cluster);

#endif
