/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_network.h - tables that the networks of one cluster and of pools have
 * alike. */
#ifndef PLAN3D_REPORT_TEXT_TEXT_NETWORK_H
#define PLAN3D_REPORT_TEXT_TEXT_NETWORK_H

#include "plan3d/network.h"
#include "report/text/layout.h"

/** Links that something crosses, or not, and what they cost. */
typedef struct report_cut_row {
    const char *cut; /* in words */
    int gpus_below;  /* 0 = all: nothing crosses */
    double bytes_per_s;
    double cost_s;
    double cost_frac;
    const char *mostly; /* what it falls on, "" = nothing */
} report_cut_row;

void report_cuts_begin(report_table *table, p3d_style style);
void report_cuts_row(report_table *table, const report_cut_row *row);

/** Print the table, and what its columns mean. */
void report_cuts_print(report_table *table, p3d_text *out);

/** The same plan on other networks. */
void report_network_changes(
        const p3d_network_change *changes, int n, p3d_text *out);

#endif
