/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flagscale.c - FlagScale: the arguments of Megatron-LM in a file of Hydra, and
 * a program that starts torchrun on each host by ssh.
 *
 * Source: flagos-ai/FlagScale@16a2dd5b run.py, flagscale/runner/runner_train.py
 * (experiment), flagscale/runner/utils.py (parse_hostfile,
 * flatten_dict_to_args: all below train.system, train.model and train.data
 * becomes arguments), examples/llama3/conf. Its Megatron-LM is @8479eb35 and
 * its patches: arguments of megatron/training/arguments.py there. */
#include <stdio.h>

#include "exchange/launch/megatron.h"
#include "exchange/launch/target_rows.h"

/* clang-format off */
TEST(wants_one_connection, (l->plan.tp > 1 || l->plan.cp > 1 ||
    l->plan.sequence_parallel) && !l->said.fsdp && l->sm > 0 && l->sm < 100)
TEST(is_eager, l->job.attention == P3D_EAGER)
TEST(has_meshes, l->said.has_meshes)
TEST(grows, l->job.allocator == P3D_ALLOCATOR_EXPANDABLE)
TEST(fixes, l->job.allocator == P3D_ALLOCATOR_FIXED)

/* What is below experiment.envs reaches all hosts. */
#define ENV "experiment.envs."
static const exchange_option experiment[] = {
    FIXED("experiment.exp_name", "plan3d"),
    FIXED("experiment.exp_dir", "OUTPUT"), /* replaced by the launch script */
    FIXED("experiment.task.type", "train"),
    FIXED("experiment.task.backend", "megatron"),
    FIXED("experiment.task.entrypoint", "flagscale/train/train_gpt.py"),
    FIXED("experiment.runner.backend", "torchrun"),
    FIXED("experiment.runner.hostfile", "hostfile"), /* likewise */
    FIXED_WHEN("experiment.runner.rdzv_backend", "static", has_meshes),
    VALUE(ENV "CUDA_VISIBLE_DEVICES", said.devices),
    FIXED_WHEN(ENV "CUDA_DEVICE_MAX_CONNECTIONS", "1", wants_one_connection),
    FIXED_WHEN(ENV "NVTE_FLASH_ATTN", "0", is_eager),
    FIXED_WHEN(ENV "NVTE_FUSED_ATTN", "0", is_eager),
    FIXED_WHEN(ENV "PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True",
        grows),
    FIXED_WHEN(ENV "PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:False",
        fixes),
    FIXED_WHEN(ENV "OMP_NUM_THREADS", "8", exchange_offloads),
    FIXED("action", "run"),
    FIXED("hydra.run.dir", "${experiment.exp_dir}/hydra"),
};
/* clang-format on */

/* What the Megatron-LM of FlagScale has not. */
static void narrow(p3d_framework *framework)
{
    framework->activation_offload = false;
    framework->dispatchers &= ~(1u << P3D_DISPATCH_HYBRIDEP);
    framework->usual_dispatcher = P3D_DISPATCH_DEEPEP;
}

static void say(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;
    size_t n = 0;

    exchange_megatron_say(launch);
    said->deepep = launch->plan.ep > 1 && said->dispatcher == EXCHANGE_FLEX;
    said->flex_backend = 0; /* it has one, and no option to name it */
    for (int i = 0; i < launch->gpus_per_node && n < EXCHANGE_LAYOUT; i++)
        n += (size_t)snprintf(said->devices + n, EXCHANGE_LAYOUT - n,
                i > 0 ? ",%d" : "%d", i);
}

static bool can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;

    if (!exchange_megatron_can_say(launch, refusal))
        return false;
    if (launch->model.shared_gate)
        return exchange_target_refuse(refusal, "X1",
                "the options do not describe %s: a gate of its shared expert",
                launch->model.name);
    if (job->graphs != P3D_GRAPHS_NONE)
        return exchange_target_refuse(refusal, "X2",
                "--cuda-graphs: its Megatron-LM has no option of that name; "
                "leave it out");
    if (job->optimizer != P3D_ADAM && job->optimizer != P3D_SGD)
        return exchange_target_refuse(refusal, "X2",
                "--optimizer %s: write adam or sgd",
                p3d_optimizer_of(job->optimizer)->name);
    return true;
}

static void note(const exchange_launch *launch, p3d_text *lines)
{
    if (launch->said.has_meshes)
        p3d_text_add(lines,
                "each stage is a part of the pipeline of its own: the ranks of "
                "a stage lie beside each\n"
                "other, replica by replica\n");
}

const exchange_target exchange_to_flagscale = {
        .name = "flagscale",
        .title = "FlagScale with Megatron-LM",
        .versions = "flagos-ai/FlagScale@16a2dd5b, NVIDIA/Megatron-LM@8479eb35",
        .framework = "megatron-core",
        .reads_as = "megatron",
        .front = "FlagScale with Megatron-LM",
        .tables = {{.form = EXCHANGE_YAML,
                           .file = "flagscale.yaml",
                           OPTIONS(experiment)},
                {.form = EXCHANGE_SECTIONS,
                        .file = "flagscale.yaml",
                        OPTIONS(exchange_megatron_options)}},
        .n_tables = 2,
        .runner = EXCHANGE_RUN_SSH,
        .program = "run.py --config-path \"$HERE\" \\\n"
                   "    --config-name flagscale.yaml \\\n"
                   "    \"experiment.exp_dir=$OUTPUT\" \\\n"
                   "    \"experiment.runner.hostfile=$HERE/hostfile\"",
        .own_allocator = true, /* the script's variables reach no other host */
        .narrow = narrow,
        .defaults = exchange_megatron_defaults,
        .can_say = can_say,
        .say = say,
        .folder = "FlagScale",
        .notes = "train.data is to measure a step on made-up data; a training "
                 "has there, in their place:\n"
                 "data_path, split, tokenizer_type, tokenizer_path; and in "
                 "train.system save_interval\n",
        .note = note,
        .variables = "export OUTPUT=${OUTPUT:-$HERE/output}\n",
};
