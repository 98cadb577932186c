/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - what a launch has and needs options for. */
#include "exchange/launch/launch.h"

bool exchange_never(const p3d_launch *launch)
{
    (void)launch;
    return false;
}

bool exchange_has_experts(const p3d_launch *launch)
{
    return launch->model.n_experts > 0;
}

bool exchange_is_latent(const p3d_launch *launch)
{
    return p3d_model_is_mla(&launch->model);
}

bool exchange_is_not_latent(const p3d_launch *launch)
{
    return !p3d_model_is_mla(&launch->model);
}

bool exchange_has_groups(const p3d_launch *launch)
{
    return launch->said.grouped_query;
}

bool exchange_offloads(const p3d_launch *launch)
{
    return launch->plan.offload != P3D_OFFLOAD_NONE;
}

bool exchange_has_pipeline(const p3d_launch *launch)
{
    return launch->plan.pp > 1;
}

bool exchange_has_chunks(const p3d_launch *launch)
{
    return launch->plan.vp > 1;
}

bool exchange_has_plain_chunks(const p3d_launch *launch)
{
    return launch->plan.vp > 1 && launch->said.layout[0] == '\0';
}

bool exchange_splits_experts(const p3d_launch *launch)
{
    return launch->plan.ep > 1;
}

bool exchange_uses_flex(const p3d_launch *launch)
{
    return exchange_splits_experts(launch) &&
           launch->job.dispatcher >= P3D_DISPATCH_DEEPEP;
}

bool exchange_uses_fsdp(const p3d_launch *launch)
{
    return launch->said.fsdp;
}
