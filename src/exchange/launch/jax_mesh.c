/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jax_mesh.c - JAX: a mesh of devices and the partition of arrays over it.
 *
 * Names: jax.make_mesh, jax.sharding.NamedSharding and PartitionSpec of JAX
 * 0.5 (docs.jax.dev, jax.sharding). */
#include "exchange/launch/target_rows.h"

static const char *const types[P3D_N_DTYPES] = {[P3D_FP32] = "float32",
        [P3D_FP16] = "float16",
        [P3D_BF16] = "bfloat16"};

/* clang-format off */
static const p3d_option options[] = {
    HEAD("axes = dict"),
    INT("axes.replica", said.replicate, 1),
    INT("axes.data", said.shard, 1),
    INT("axes.context", plan.cp, 1),
    INT("axes.tensor", plan.tp, 1),
    HEAD("launch = dict"),
    INT("launch.sequence_length", job.seq_len, 1),
    INT("launch.micro_batch_size", plan.micro_batch, 1),
    COUNT("launch.accumulation_steps", said.n_micro_batches),
    WORD("launch.dtype", job.dtype, types),
    BOOL("launch.sequence_parallel", plan.sequence_parallel),
    BOOL("launch.remat", said.recompute),
};
/* clang-format on */

static void narrow(p3d_framework *framework)
{
    exchange_narrow_to_shards(framework);
    framework->zero_stages = 1u << 3;
}

static void defaults(p3d_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->job.dtype = P3D_BF16;
    launch->said.shard = 1;
    launch->said.replicate = 1;
    launch->said.n_micro_batches = 1;
}

static void say(p3d_launch *launch)
{
    exchange_say_shard(launch);
    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
}

static bool settle(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;

    if (!exchange_settle_shard(launch, err))
        return false;
    p->zero = 3;
    p->etp = p->tp;
    p->recompute = exchange_said_recompute(launch);
    launch->job.global_batch = exchange_said_batch(launch);
    return true;
}

static void note(const p3d_launch *launch, p3d_text *lines)
{
    (void)launch;
    p3d_text_add(lines,
            "a sketch: the mesh and the partition of arrays; the model and its "
            "loop are yours, and so is\n"
            "jax.distributed.initialize(): one process runs on each node.\n"
            "Weights and states lie over data and context (ZeRO 3) and "
            "tensor;\n"
            "wrap layers in jax.checkpoint where launch[\"remat\"]\n");
}

const p3d_target exchange_to_jax = {
        .name = "jax",
        .title = "JAX (mesh and partition specs)",
        .versions = "JAX 0.5, jax.sharding",
        .framework = "fsdp2",
        .nearest = true,
        .says = P3D_SAYS_FP16 | P3D_SAYS_FP32,
        .tables = {{.form = P3D_FORM_CALLS,
                .file = "jax_plan.py",
                .before = "import jax\n"
                          "from jax.sharding import NamedSharding, "
                          "PartitionSpec as P\n\n",
                .after = "\n\n"
                         "def mesh():\n"
                         "    return jax.make_mesh(tuple(axes.values()), "
                         "tuple(axes))\n\n\n"
                         "# What each kind of array is split over.\n"
                         "specs = {\n"
                         "    \"tokens\": P((\"replica\", \"data\"), "
                         "\"context\"),\n"
                         "    \"stream\": P((\"replica\", \"data\"),\n"
                         "                (\"context\", \"tensor\") if "
                         "launch[\"sequence_parallel\"] else \"context\"),\n"
                         "    \"embedding\": P(\"tensor\", (\"data\", "
                         "\"context\")),\n"
                         "    \"column\": P((\"data\", \"context\"), "
                         "\"tensor\"),\n"
                         "    \"row\": P(\"tensor\", (\"data\", "
                         "\"context\")),\n"
                         "    \"norm\": P((\"data\", \"context\")),\n"
                         "}\n\n\n"
                         "def sharding(kind):\n"
                         "    return NamedSharding(mesh(), specs[kind])\n",
                .options = options,
                .n_options = P3D_COUNT_OF(options)}},
        .n_tables = 1,
        .runner = P3D_RUN_NODE,
        .program = "\"$TRAIN\"",
        .narrow = narrow,
        .defaults = defaults,
        .say = say,
        .settle = settle,
        .note = note,
        .environment = exchange_own_script,
};
