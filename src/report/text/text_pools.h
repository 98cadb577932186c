/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_pools.h - parts of answers about pools of several types. */
#ifndef PLAN3D_REPORT_TEXT_TEXT_POOLS_H
#define PLAN3D_REPORT_TEXT_TEXT_POOLS_H

#include "report/pools.h"

/** What to run, and how much faster that is than the other. */
void report_pools_verdict(const report_pools *answer, p3d_text *out);

/** The job, the pools and their networks. */
void report_pools_question(const report_pools *answer, p3d_text *out);

/** The replicas of the plan, a row for those that are alike. */
void report_pools_classes(const report_pools *answer, p3d_text *out);

/** The links between pools. */
void report_pools_links(const report_pools *answer, p3d_text *out);

/** A pool as a command line names it, or some of its GPUs (0 = all): of a file,
 *  which has more of it than GPUs, by the file and its name there. */
void report_pool_word(const p3d_pools *pools, int k, int n_gpus,
        const char *cluster_word, p3d_text *command);

#endif
