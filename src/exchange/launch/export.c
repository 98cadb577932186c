/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - the files of a launch: tables of options, the list of hosts and
 * the shell script that starts it, by launcher.
 *
 * Sources: PyTorch's torchrun (torch/distributed/run.py); Slurm's sbatch and
 * srun, one task a node as in torchtitan@b5bcd76c multinode_trainer.slurm;
 * DeepSpeed@edaa7221 deepspeed/launcher/runner.py; Open MPI's mpirun;
 * accelerate@16cb6eb8 src/accelerate/commands/launch.py. */
#include "exchange/launch/export.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"

enum { PORT = 29500, RAY_PORT = 6379 };

const char *exchange_launcher_word(int i)
{
    static const char *const words[EXCHANGE_N_LAUNCHERS] = {
            "torchrun", "slurm", "mpirun", "deepspeed"};

    return i < EXCHANGE_N_LAUNCHERS ? words[i] : NULL;
}

/* In the launch script, and no file of their own. */
static bool is_in_script(const exchange_table *table)
{
    return table->form == EXCHANGE_ARGUMENTS ||
           table->form == EXCHANGE_OVERRIDES;
}

static bool has_arguments(const exchange_target *target)
{
    for (int i = 0; i < target->n_tables; i++) {
        if (is_in_script(&target->tables[i]))
            return true;
    }
    return false;
}

static void put_arguments(const exchange_target *target,
        const exchange_launch *launch, p3d_text *out)
{
    exchange_launch defaults = {.n_gpus = 0};

    target->defaults(&defaults);
    p3d_text_add(out, "ARGS=(\n");
    for (int i = 0; i < target->n_tables; i++) {
        if (is_in_script(&target->tables[i]))
            exchange_form_write(&target->tables[i], launch, &defaults, out);
    }
    p3d_text_add(out, ")\n");
}

/* A program with the arguments of the script, and what the caller adds. */
static void put_words(
        const exchange_target *target, const char *program, p3d_text *out)
{
    p3d_text_add(out, "%s%s \"$@\"\n", program,
            has_arguments(target) ? " \"${ARGS[@]}\"" : "");
}

static bool is_wrapped(
        const exchange_target *target, const exchange_launch *launch)
{
    return target->wrapper != NULL && target->wrapper->when(launch);
}

static const char *program_of(
        const exchange_target *target, const exchange_launch *launch)
{
    return is_wrapped(target, launch) ? target->wrapper->program
                                      : target->program;
}

static void put_program(const exchange_target *target,
        const exchange_launch *launch, p3d_text *out)
{
    put_words(target, program_of(target, launch), out);
}

/* How the processes of a node are started. */
static void put_runner(const exchange_target *target,
        const exchange_launch *launch, const char *node_rank, p3d_text *out)
{
    if (target->runner == EXCHANGE_RUN_HOST) {
        p3d_text_add(out, "python3 ");
        return;
    }
    if (target->runner == EXCHANGE_RUN_NODE ||
            target->runner == EXCHANGE_RUN_RAY ||
            target->runner == EXCHANGE_RUN_SSH) {
        p3d_text_add(out, "python ");
        return;
    }
    if (target->runner == EXCHANGE_RUN_ACCELERATE) {
        p3d_text_add(out,
                "accelerate launch --config_file \"$HERE/accelerate.yaml\" \\\n"
                "    --machine_rank \"%s\" --main_process_ip \"$HEAD\" \\\n"
                "    --main_process_port %d ",
                node_rank, PORT);
        return;
    }
    p3d_text_add(out,
            "torchrun --nnodes %d --nproc-per-node %d \\\n"
            "    --rdzv-id \"${SLURM_JOB_ID:-plan3d}\" --rdzv-backend c10d \\\n"
            "    --rdzv-endpoint \"$HEAD:%d\" \\\n"
            "    ",
            launch->n_nodes, launch->gpus_per_node, PORT);
}

static void put_torchrun(const exchange_target *target,
        const exchange_launch *launch, p3d_text *out)
{
    if (target->runner == EXCHANGE_RUN_SSH) {
        p3d_text_add(out,
                "# Run this on one node; it reaches all by ssh, by their names "
                "in hostfile.\n"
                "exec ");
        put_runner(target, launch, "0", out);
        put_program(target, launch, out);
        return;
    }
    if (target->runner == EXCHANGE_RUN_HOST) {
        p3d_text_add(out,
                "# Run this on each host of the %s; they find each other.\n"
                "exec ",
                launch->n_gpus > launch->gpus_per_slice ? "slices" : "slice");
        put_runner(target, launch, "0", out);
        put_program(target, launch, out);
        return;
    }
    if (launch->n_nodes == 1)
        p3d_text_add(out, "HEAD=localhost\nNODE_RANK=0\n");
    else if (target->runner == EXCHANGE_RUN_RAY)
        p3d_text_add(out,
                "# Run this on the first of %d nodes, after 'ray start --head' "
                "there and\n"
                "# 'ray start --address=FIRST-NODE:%d' on the others.\n"
                "HEAD=$(hostname)\nNODE_RANK=0\n"
                "export RAY_ADDRESS=${RAY_ADDRESS:-$HEAD:%d}\n",
                launch->n_nodes, RAY_PORT, RAY_PORT);
    else
        p3d_text_add(out,
                "# Run this on each of the %d nodes.\n"
                "HEAD=${HEAD:?is the name of the first node}\n"
                "NODE_RANK=${NODE_RANK:?is 0 on the first node, 1 on the "
                "next}\n",
                launch->n_nodes);
    p3d_text_add(out, "export HEAD NODE_RANK\n\nexec ");
    put_runner(target, launch, "$NODE_RANK", out);
    put_program(target, launch, out);
}

/* A task without a number of CPUs may be bound to one of them, with all the
 * processes that it starts: slurm.schedmd.com/srun.html, --cpus-per-task. */
#define SLURM_STEP \
    "--kill-on-bad-exit=1 --cpus-per-task=\"$SLURM_CPUS_ON_NODE\""

/* Ray runs on all nodes, and the program beside it on the first one, where
 * sbatch runs the script: docs.ray.io, "Deploying on Slurm". */
static void put_ray(const exchange_launch *launch, p3d_text *out)
{
    if (launch->n_nodes == 1)
        return;
    p3d_text_add(out,
            "srun --overlap --nodes=1 --ntasks=1 --nodelist=\"$HEAD\" \\\n"
            "    " SLURM_STEP " ray start --head \\\n"
            "    --port=%d --block &\n"
            "sleep 20\n"
            "srun --overlap --nodes=%d --ntasks=%d --exclude=\"$HEAD\" \\\n"
            "    " SLURM_STEP " ray start \\\n"
            "    --address=\"$HEAD:%d\" --block &\n"
            "sleep 20\n"
            "export RAY_ADDRESS=$HEAD:%d\n",
            RAY_PORT, launch->n_nodes - 1, launch->n_nodes - 1, RAY_PORT,
            RAY_PORT);
}

/* One task a node; each starts the processes of its GPUs. */
static void put_slurm(const exchange_target *target,
        const exchange_launch *launch, p3d_text *out)
{
    p3d_text_add(out,
            ": \"${SLURM_JOB_NODELIST:?is set by Slurm: start this script with "
            "sbatch, or export with --launcher torchrun}\"\n"
            "HEAD=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | "
            "head -n 1)\n"
            "export HEAD HERE\n\n");
    if (target->runner == EXCHANGE_RUN_ACCELERATE) {
        p3d_text_add(out, "srun " SLURM_STEP " bash -c '");
        put_runner(target, launch, "$SLURM_NODEID", out);
        p3d_text_add(out, "\"$@\"' launch ");
        put_program(target, launch, out);
        return;
    }
    if (target->runner == EXCHANGE_RUN_RAY)
        put_ray(launch, out);
    else if (target->runner == EXCHANGE_RUN_SSH)
        p3d_text_add(out,
                "scontrol show hostnames \"$SLURM_JOB_NODELIST\" |\n"
                "    sed 's/$/ slots=%d/' >\"$HERE/hostfile\"\n",
                launch->gpus_per_node);
    else
        p3d_text_add(out, "srun " SLURM_STEP " ");
    put_runner(target, launch, "$SLURM_NODEID", out);
    put_program(target, launch, out);
}

/* Where the plan is less sure to fit than was asked for, memory that a usual
 * allocator would leave between its segments counts. Graphs and pools of one's
 * own do not go with segments that grow. */
static bool is_thin(exchange_start start)
{
    const exchange_launch *const launch = start.launch;

    return start.less_sure_frac > 0 && launch->sm > 0 &&
           launch->job.graphs == P3D_GRAPHS_NONE &&
           start.target->runner != EXCHANGE_RUN_NODE &&
           !start.target->own_allocator;
}

static bool sets_allocator(exchange_start start)
{
    return start.launch->job.allocator != P3D_ALLOCATOR_USUAL || is_thin(start);
}

/* One process a GPU; torch.distributed reads its place from variables. */
static void put_mpirun(exchange_start start, p3d_text *out)
{
    const exchange_target *const target = start.target;
    const exchange_launch *const launch = start.launch;
    const bool by_node = target->runner == EXCHANGE_RUN_NODE;

    p3d_text_add(out,
            "MASTER_ADDR=$(awk '/^[^#]/ { print $1; exit }' "
            "\"$HERE/hostfile\")\n"
            "export MASTER_ADDR MASTER_PORT=%d HEAD=$MASTER_ADDR HERE\n\n"
            "mpirun -np %d --hostfile \"$HERE/hostfile\" --map-by ppr:%d:node "
            "\\\n"
            "    -x MASTER_ADDR -x MASTER_PORT -x HEAD -x HERE -x PATH \\\n"
            "    -x LD_LIBRARY_PATH -x CUDA_DEVICE_MAX_CONNECTIONS%s%s \\\n"
            "    bash -c 'RANK=$OMPI_COMM_WORLD_RANK \\\n"
            "        LOCAL_RANK=$OMPI_COMM_WORLD_LOCAL_RANK \\\n"
            "        WORLD_SIZE=$OMPI_COMM_WORLD_SIZE exec python -u \"$@\"' "
            "launch \\\n"
            "    ",
            PORT, by_node ? launch->n_nodes : launch->n_gpus,
            by_node ? 1 : launch->gpus_per_node,
            sets_allocator(start) ? " \\\n    -x PYTORCH_CUDA_ALLOC_CONF" : "",
            launch->plan.offload != P3D_OFFLOAD_NONE
                    ? " \\\n    -x OMP_NUM_THREADS"
                    : "");
    put_program(target, launch, out);
}

static void put_deepspeed(const exchange_target *target,
        const exchange_launch *launch, p3d_text *out)
{
    /* With a list of hosts it would reach even its own by ssh. */
    if (launch->n_nodes == 1)
        p3d_text_add(out, "exec deepspeed ");
    else
        p3d_text_add(out,
                "exec deepspeed --hostfile \"$HERE/hostfile\" --num_nodes %d ",
                launch->n_nodes);
    p3d_text_add(out, "--num_gpus %d \\\n    --master_port %d ",
            launch->gpus_per_node, PORT);
    if (strncmp(target->program, "-m ", 3) == 0) {
        p3d_text_add(out, "--module "); /* deepspeed/launcher/runner.py */
        put_words(target, target->program + 3, out);
        return;
    }
    put_program(target, launch, out);
}

static bool check_launcher(const exchange_target *target,
        exchange_launcher launcher, p3d_error *err)
{
    if (target->runner == EXCHANGE_RUN_HOST && launcher != EXCHANGE_TORCHRUN)
        return p3d_fail(err, P3D_DATA,
                "%s does not start under --launcher %s; write torchrun: the "
                "script is run on each host by other means",
                target->title, exchange_launcher_word((int)launcher));
    if (target->runner == EXCHANGE_RUN_TORCH || launcher == EXCHANGE_TORCHRUN ||
            launcher == EXCHANGE_SLURM ||
            (launcher == EXCHANGE_MPIRUN &&
                    target->runner == EXCHANGE_RUN_NODE))
        return true;
    return p3d_fail(err, P3D_DATA,
            "%s does not start under --launcher %s; write slurm or "
            "torchrun",
            target->title, exchange_launcher_word((int)launcher));
}

static void put_allocator(exchange_start start, p3d_text *out)
{
    const p3d_allocator said = start.launch->job.allocator;
    const double percent = round(100 * start.less_sure_frac);

    if (!sets_allocator(start))
        return;
    if (said == P3D_ALLOCATOR_USUAL)
        p3d_text_add(out,
                "# The plan is %s%.0f %% sure to fit, not %.0f %%: segments "
                "that grow leave\n# less memory unused between tensors.\n",
                percent < 1 ? "less than " : "", fmax(percent, 1),
                100 * start.launch->job.sure_frac);
    p3d_text_add(out, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:%s\n",
            said == P3D_ALLOCATOR_FIXED ? "False" : "True");
}

/* The folder of the files. sbatch runs a copy that is named slurm_script, from
 * any folder; the job's Command is the original. Sources: SchedMD/slurm
 * src/slurmd/slurmd/req.c (the copy); slurm.schedmd.com/scontrol.html. */
static void put_here(exchange_launcher launcher, p3d_text *out)
{
    p3d_text_add(out, "HERE=$(cd \"$(dirname \"$0\")\" && pwd)\n");
    if (launcher != EXCHANGE_SLURM)
        return;
    p3d_text_add(out,
            "# sbatch runs a copy of this script; the job has the original's "
            "path\n"
            "case $0 in\n"
            "*/slurm_script)\n"
            "    HERE=$(scontrol show job \"$SLURM_JOB_ID\" |\n"
            "        sed -n 's|^ *Command=\\(/[^ ]*\\)/.*|\\1|p')\n"
            "    ;;\n"
            "esac\n");
}

/* @return false with P3D_DATA (X4) */
static bool put_script(
        exchange_start start, const char *head, p3d_text *out, p3d_error *err)
{
    const exchange_target *const target = start.target;
    const exchange_launch *const launch = start.launch;

    if (!check_launcher(target, start.launcher, err))
        return false;
    p3d_text_add(out, "#!/bin/bash\n%s", head);
    if (start.launcher == EXCHANGE_SLURM)
        p3d_text_add(out,
                "#SBATCH --nodes=%d --ntasks-per-node=1 --gpus-per-node=%d "
                "--exclusive\n"
                "#SBATCH --job-name=plan3d --output=%%x-%%j.log "
                "--time=01:00:00\n",
                launch->n_nodes, launch->gpus_per_node);
    p3d_text_add(out, "set -eu\n");
    put_here(start.launcher, out);
    if (target->variables != NULL)
        p3d_text_add(out, "%s", target->variables);
    if (target->environment != NULL)
        target->environment(launch, out);
    put_allocator(start, out);
    if (launch->plan.offload != P3D_OFFLOAD_NONE)
        p3d_text_add(out,
                "# The CPU steps: torchrun would give each process one "
                "thread.\n"
                "export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(($(nproc) / "
                "%d))}\n",
                launch->gpus_per_node);
    p3d_text_add(out, "\n");
    if (has_arguments(target)) {
        put_arguments(target, launch, out);
        p3d_text_add(out, "\n");
    }
    switch (start.launcher) {
    case EXCHANGE_TORCHRUN: put_torchrun(target, launch, out); break;
    case EXCHANGE_SLURM: put_slurm(target, launch, out); break;
    case EXCHANGE_MPIRUN: put_mpirun(start, out); break;
    case EXCHANGE_DEEPSPEED: put_deepspeed(target, launch, out); break;
    case EXCHANGE_N_LAUNCHERS: break;
    }
    return true;
}

/* Whether files have the list of hosts. */
static bool lists_hosts(exchange_start start)
{
    return start.launcher == EXCHANGE_MPIRUN ||
           (start.launcher == EXCHANGE_DEEPSPEED &&
                   start.launch->n_nodes > 1) ||
           (start.target->runner == EXCHANGE_RUN_SSH &&
                   start.launcher == EXCHANGE_TORCHRUN);
}

/* Hosts of several types, each with its slots; the last of a type may have
 * some that are left over. */
static void put_typed_hosts(const exchange_launch *launch, p3d_text *out)
{
    p3d_text_add(out, "# the names of your nodes\n");
    for (int i = 0; i < launch->n_types; i++) {
        const exchange_hosts *const hosts = &launch->types[i];
        int left = hosts->n_gpus;

        for (int k = 1; left > 0; k++, left -= hosts->gpus_per_node)
            p3d_text_add(out, "node-%s-%d slots=%d type=%s\n", hosts->type, k,
                    left < hosts->gpus_per_node ? left : hosts->gpus_per_node,
                    hosts->type);
    }
}

/* The list of hosts that mpirun, deepspeed and FlagScale read. */
static void put_hosts(const exchange_launch *launch, p3d_text *out)
{
    if (launch->n_types > 0) {
        put_typed_hosts(launch, out);
        return;
    }
    if (launch->n_nodes == 1) {
        p3d_text_add(out, "localhost slots=%d\n", launch->gpus_per_node);
        return;
    }
    p3d_text_add(out, "# the names of your nodes\n");
    for (int i = 1; i <= launch->n_nodes; i++)
        p3d_text_add(out, "node-%d slots=%d\n", i, launch->gpus_per_node);
}

static void put_head(const exchange_target *target,
        const exchange_launch *launch, const char *about, p3d_text *out)
{
    p3d_text notes = {0};

    exchange_comment_write(about, out);
    p3d_text_add(out, "# names of the options: %s\n", target->versions);
    if (target->folder != NULL)
        p3d_text_add(&notes, "run it in the folder of %s\n", target->folder);
    if (launch->hosts_listed)
        p3d_text_add(&notes,
                "the plan is for the hosts of --hosts in their order: give it "
                "to the\nlauncher (Slurm: --distribution=arbitrary with "
                "SLURM_HOSTFILE)\n");
    if (target->notes != NULL)
        p3d_text_add(&notes, "%s", target->notes);
    if (target->note != NULL)
        target->note(launch, &notes);
    if (notes.length > 0) {
        p3d_text_add(out, "#\n");
        exchange_comment_write(p3d_text_get(&notes), out);
    }
    out->failed = out->failed || notes.failed;
    p3d_text_free(&notes);
}

static p3d_text *add_file(
        exchange_files *files, const char *name, bool executable)
{
    P3D_ASSERT(files->n < EXCHANGE_MAX_FILES);
    files->at[files->n] =
            (exchange_file){.name = name, .executable = executable};
    return &files->at[files->n++].text;
}

/* Python reads the encoding from a comment of the first two lines, where a name
 * could say another one. */
static bool is_python(const exchange_table *table)
{
    return table->form == EXCHANGE_FIELDS || table->form == EXCHANGE_CALLS;
}

static void add_tables(const exchange_target *target,
        const exchange_launch *launch, const char *head, exchange_files *files)
{
    exchange_launch defaults = {.n_gpus = 0};

    target->defaults(&defaults);
    for (int i = 0; i < target->n_tables; i++) {
        const exchange_table *const table = &target->tables[i];
        p3d_text *out;

        if (is_in_script(table))
            continue;
        if (files->n > 0 &&
                strcmp(files->at[files->n - 1].name, table->file) == 0) {
            exchange_form_write(
                    table, launch, &defaults, &files->at[files->n - 1].text);
            continue; /* the rest of a file */
        }
        out = add_file(files, table->file, false);
        if (is_python(table))
            p3d_text_add(out, "# -*- coding: utf-8 -*-\n");
        if (table->form != EXCHANGE_JSON)
            p3d_text_add(out, "%s", head);
        if (table->before != NULL)
            p3d_text_add(out, "%s", table->before);
        exchange_form_write(table, launch, &defaults, out);
        if (table->after != NULL)
            p3d_text_add(out, "%s", table->after);
    }
}

static void add_wrapper(const exchange_target *target,
        const exchange_launch *launch, const char *head, exchange_files *files)
{
    if (is_wrapped(target, launch))
        p3d_text_add(add_file(files, target->wrapper->file, false),
                "# -*- coding: utf-8 -*-\n%s%s", head, target->wrapper->text);
}

static bool add_all(exchange_start start, const char *head,
        exchange_files *files, p3d_error *err)
{
    bool failed = false;

    add_tables(start.target, start.launch, head, files);
    add_wrapper(start.target, start.launch, head, files);
    if (lists_hosts(start))
        put_hosts(start.launch, add_file(files, "hostfile", false));
    if (!put_script(start, head, add_file(files, "launch.sh", true), err))
        return false;
    for (int i = 0; i < files->n; i++)
        failed = failed || files->at[i].text.failed;
    return !failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

bool exchange_export(exchange_start start, const char *about,
        exchange_files *out, p3d_error *err)
{
    p3d_refusal refusal = {.rule = NULL};
    p3d_text head = {0};
    bool ok;

    if (!exchange_target_can_say(start.target, start.launch, &refusal))
        return p3d_fail(
                err, P3D_DATA, "%s: %s", start.target->name, refusal.reason);
    put_head(start.target, start.launch, about, &head);
    ok = add_all(start, p3d_text_get(&head), out, err);
    p3d_text_free(&head);
    return ok;
}

void exchange_files_free(exchange_files *files)
{
    for (int i = 0; i < files->n; i++)
        p3d_text_free(&files->at[i].text);
    files->n = 0;
}

bool exchange_files_write(const exchange_files *files, const char *directory,
        bool force, p3d_error *err)
{
    p3d_output_file outputs[EXCHANGE_MAX_FILES];

    for (int i = 0; i < files->n; i++)
        outputs[i] = (p3d_output_file){.name = files->at[i].name,
                .text = &files->at[i].text,
                .executable = files->at[i].executable};
    return p3d_write_files(directory, outputs, files->n, force, err);
}
