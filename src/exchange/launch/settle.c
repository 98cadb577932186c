/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settle.c - between what files say and a plan: what several targets share. */
#include "base/util.h"
#include "exchange/launch/target.h"

bool exchange_settle_replicas(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const int64_t inner = p3d_mul(p3d_mul(p->tp, p->pp), p->cp);

    if (inner < 1 || inner > launch->n_gpus || launch->n_gpus % inner != 0)
        return p3d_fail(err, P3D_DATA,
                "tp=%d x pp=%d x cp=%d does not divide %d GPUs: the files and "
                "the cluster contradict each other",
                p->tp, p->pp, p->cp, launch->n_gpus);
    p->dp = (int)(launch->n_gpus / inner);
    return true;
}

bool exchange_settle_said_replicas(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const int said = p->dp;

    if (!exchange_settle_replicas(launch, err))
        return false;
    if (said > 0 && said != p->dp)
        return p3d_fail(err, P3D_DATA,
                "dp=%d x tp=%d x pp=%d x cp=%d is not the %d GPUs of the "
                "cluster",
                said, p->tp, p->pp, p->cp, launch->n_gpus);
    return true;
}

int64_t exchange_said_batch(const p3d_launch *launch)
{
    return p3d_mul(p3d_mul(launch->plan.micro_batch, launch->plan.dp),
            launch->said.n_micro_batches);
}

p3d_recompute exchange_said_recompute(const p3d_launch *launch)
{
    return launch->said.recompute ? P3D_RECOMPUTE_FULL : P3D_RECOMPUTE_NONE;
}

p3d_plan exchange_unsaid_plan(void)
{
    return (p3d_plan){
            .tp = 1, .pp = 1, .cp = 1, .ep = 1, .vp = 1, .micro_batch = 1};
}

void exchange_narrow_to_shards(p3d_framework *framework)
{
    framework->pipeline = false;
    framework->expert_parallel = false;
    framework->zero_stages_pipeline = 0;
    framework->usual_zero[1] = 3;
    framework->modules = framework->usual_modules = 0;
    framework->lacks |= P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
                        P3D_LACKS_SELECTIVE;
}

void exchange_say_shard(p3d_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    p3d_launch_said *const said = &launch->said;

    said->shard = p->shard > 0 ? p->shard / p->cp : p->dp;
    said->replicate = said->shard > 0 ? p->dp / said->shard : 1;
}

bool exchange_can_say_group(const p3d_launch *launch, p3d_refusal *refusal)
{
    if (launch->plan.group == 0)
        return true;
    return exchange_target_refuse(refusal, "X3",
            "group=%d: no option says how many micro-batches run in a row; "
            "leave it out",
            launch->plan.group);
}

bool exchange_settle_shard(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const p3d_launch_said *const said = &launch->said;
    int shard = said->shard;

    if (!exchange_settle_replicas(launch, err))
        return false;
    if (said->replicate < 1 || p->dp % said->replicate != 0)
        return p3d_fail(err, P3D_DATA,
                "%d groups of replicas do not divide dp=%d", said->replicate,
                p->dp);
    if (shard <= 0)
        shard = p->dp / said->replicate;
    if (p3d_mul(shard, said->replicate) != p->dp)
        return p3d_fail(err, P3D_DATA,
                "%d replicas that share x %d groups of them is not dp=%d, "
                "which follows from the %d GPUs",
                shard, said->replicate, p->dp, launch->n_gpus);
    p->shard = said->replicate > 1 ? shard * p->cp : 0;
    return true;
}

bool exchange_settle_dtype(p3d_launch *launch, p3d_error *err)
{
    const p3d_launch_said *const said = &launch->said;

    if (said->bf16 && said->fp16)
        return p3d_fail(err, P3D_DATA, "bf16 and fp16 contradict each other");
    launch->job.dtype = said->fp8 > 0 ? P3D_FP8
                        : said->bf16  ? P3D_BF16
                        : said->fp16  ? P3D_FP16
                                      : P3D_FP32;
    return true;
}
