/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_networks.h - the networks that each cluster of a sweep has in turn. */
#ifndef PLAN3D_CLI_SWEEP_NETWORKS_H
#define PLAN3D_CLI_SWEEP_NETWORKS_H

#include "cli/option_rows.h"
#include "spec/tiers.h"

enum { CLI_MAX_RATIOS = 16, CLI_MAX_NETWORKS = 2 * CLI_MAX_RATIOS };

/** Each value of --oversubscription with each of --rails. */
typedef struct cli_networks {
    int n;              /* at least 1 */
    const char *varies; /* an option of several values; NULL = none */
    spec_tiers_said at[CLI_MAX_NETWORKS];
    char words[CLI_MAX_NETWORKS][64]; /* "oversubscription=4 rails=yes": of the
                                         options with several values */
} cli_networks;

/** Read both lists. @return false with P3D_USAGE */
P3D_CHECK bool cli_networks_read(
        const cli_args *args, cli_networks *out, p3d_error *err);

/** Say in the arguments of a row what its network has.
 *  @param words  of the network; others are taken for the first one's */
void cli_networks_say(
        const cli_networks *networks, const char *words, cli_args *args);

/** The options of one value, " --rails yes", which rows do not name. */
void cli_networks_repeat(const cli_args *args, p3d_text *out);

#endif
