/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron_context.c - how Megatron-LM's options say the exchange of
 * context-parallel ranks. Source: Megatron-LM@d98e8a64 megatron/core/
 * model_parallel_config.py (hierarchical_context_parallel_sizes: the inner
 * groups first) and megatron/training/arguments.py (--cp-comm-type). */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/megatron.h"

const char *const exchange_megatron_exchanges[EXCHANGE_N_EXCHANGES] = {
        [P3D_CP_RING] = "p2p",
        [P3D_CP_ALL_TO_ALL] = "a2a",
        [EXCHANGE_BOTH] = "a2a+p2p"};

bool exchange_megatron_mixes(const exchange_launch *launch)
{
    return launch->said.cp_exchange == EXCHANGE_BOTH;
}

void exchange_megatron_say_context(exchange_launch *launch, bool as_list)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;
    const int heads = p3d_plan_head_ranks(&launch->job, p);

    said->cp_exchange = heads == p->cp ? (int)P3D_CP_ALL_TO_ALL
                        : heads > 1    ? (int)EXCHANGE_BOTH
                                       : (int)P3D_CP_RING;
    if (p->cp == 1)
        said->cp_exchange = (int)launch->job.cp_comm;
    if (exchange_megatron_mixes(launch))
        snprintf(said->cp_sizes, sizeof(said->cp_sizes),
                as_list ? "[%d, %d]" : "%d %d", heads, p->cp / heads);
}

bool exchange_megatron_settle_context(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    int heads = 0, rings = 0;

    if (!exchange_megatron_mixes(launch)) {
        launch->job.cp_comm = (p3d_cp_comm)said->cp_exchange;
        return true;
    }
    if (sscanf(said->cp_sizes, "%*[[( ]%5d%*[, ]%5d", &heads, &rings) != 2 &&
            sscanf(said->cp_sizes, "%5d%*[, ]%5d", &heads, &rings) != 2)
        heads = rings = 0;
    if (heads < 1 || rings < 1 || p3d_mul(heads, rings) != p->cp)
        return p3d_fail(err, P3D_DATA,
                "hierarchical-context-parallel-sizes: '%.40s' is not two sizes "
                "whose product is the %d ranks of context parallelism",
                said->cp_sizes, p->cp);
    p->ulysses = heads;
    return true;
}
