/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - the shell script that starts a launch, by launcher.
 *
 * Sources: PyTorch's torchrun (torch/distributed/run.py); Slurm's sbatch and
 * srun, one task a node as in torchtitan@b5bcd76c multinode_trainer.slurm;
 * DeepSpeed@edaa7221 deepspeed/launcher/runner.py; Open MPI's mpirun;
 * accelerate@16cb6eb8 src/accelerate/commands/launch.py. */
#include "base/util.h"
#include "exchange/launch/export.h"

enum { PORT = 29500 };

const char *exchange_launcher_word(int i)
{
    static const char *const words[P3D_N_LAUNCHERS] = {
            "torchrun", "slurm", "mpirun", "deepspeed"};

    return i < P3D_N_LAUNCHERS ? words[i] : NULL;
}

static bool has_arguments(const p3d_target *target)
{
    for (int i = 0; i < target->n_tables; i++) {
        if (target->tables[i].form == P3D_FORM_ARGUMENTS)
            return true;
    }
    return false;
}

static void put_arguments(
        const p3d_target *target, const p3d_launch *launch, p3d_text *out)
{
    p3d_launch defaults = {.n_gpus = 0};

    target->defaults(&defaults);
    p3d_text_add(out, "ARGS=(\n");
    for (int i = 0; i < target->n_tables; i++) {
        if (target->tables[i].form == P3D_FORM_ARGUMENTS)
            exchange_form_write(&target->tables[i], launch, &defaults, out);
    }
    p3d_text_add(out, ")\n");
}

/* The program with the arguments of the script, and what the caller adds. */
static void put_program(const p3d_target *target, p3d_text *out)
{
    p3d_text_add(out, "%s%s \"$@\"\n", target->program,
            has_arguments(target) ? " \"${ARGS[@]}\"" : "");
}

/* How the processes of a node are started. */
static void put_runner(const p3d_target *target, const p3d_launch *launch,
        const char *node_rank, p3d_text *out)
{
    if (target->runner == P3D_RUN_NODE) {
        p3d_text_add(out, "python ");
        return;
    }
    if (target->runner == P3D_RUN_ACCELERATE) {
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

static void put_torchrun(
        const p3d_target *target, const p3d_launch *launch, p3d_text *out)
{
    if (launch->n_nodes == 1)
        p3d_text_add(out, "HEAD=localhost\nNODE_RANK=0\n");
    else
        p3d_text_add(out,
                "# Run this on each of the %d nodes.\n"
                "HEAD=${HEAD:?is the name of the first node}\n"
                "NODE_RANK=${NODE_RANK:?is 0 on the first node, 1 on the "
                "next}\n",
                launch->n_nodes);
    p3d_text_add(out, "export HEAD NODE_RANK\n\nexec ");
    put_runner(target, launch, "$NODE_RANK", out);
    put_program(target, out);
}

/* One task a node; each starts the processes of its GPUs. */
static void put_slurm(
        const p3d_target *target, const p3d_launch *launch, p3d_text *out)
{
    p3d_text_add(out,
            "HEAD=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | "
            "head -n 1)\n"
            "export HEAD HERE\n\n");
    if (target->runner == P3D_RUN_ACCELERATE) {
        p3d_text_add(out, "srun --kill-on-bad-exit=1 bash -c '");
        put_runner(target, launch, "$SLURM_NODEID", out);
        p3d_text_add(out, "\"$@\"' launch ");
        put_program(target, out);
        return;
    }
    p3d_text_add(out, "srun --kill-on-bad-exit=1 ");
    put_runner(target, launch, "$SLURM_NODEID", out);
    put_program(target, out);
}

/* One process a GPU; torch.distributed reads its place from variables. */
static void put_mpirun(
        const p3d_target *target, const p3d_launch *launch, p3d_text *out)
{
    const bool by_node = target->runner == P3D_RUN_NODE;

    p3d_text_add(out,
            "MASTER_ADDR=$(awk '/^[^#]/ { print $1; exit }' "
            "\"$HERE/hostfile\")\n"
            "export MASTER_ADDR MASTER_PORT=%d HEAD=$MASTER_ADDR HERE\n\n"
            "mpirun -np %d --hostfile \"$HERE/hostfile\" --map-by ppr:%d:node "
            "\\\n"
            "    -x MASTER_ADDR -x MASTER_PORT -x HEAD -x HERE -x PATH \\\n"
            "    -x LD_LIBRARY_PATH -x CUDA_DEVICE_MAX_CONNECTIONS \\\n"
            "    bash -c 'RANK=$OMPI_COMM_WORLD_RANK \\\n"
            "        LOCAL_RANK=$OMPI_COMM_WORLD_LOCAL_RANK \\\n"
            "        WORLD_SIZE=$OMPI_COMM_WORLD_SIZE exec python -u \"$@\"' "
            "launch \\\n"
            "    ",
            PORT, by_node ? launch->n_nodes : launch->n_gpus,
            by_node ? 1 : launch->gpus_per_node);
    put_program(target, out);
}

static void put_deepspeed(
        const p3d_target *target, const p3d_launch *launch, p3d_text *out)
{
    p3d_text_add(out,
            "exec deepspeed --hostfile \"$HERE/hostfile\" --num_nodes %d "
            "--num_gpus %d \\\n"
            "    --master_port %d ",
            launch->n_nodes, launch->gpus_per_node, PORT);
    put_program(target, out);
}

static bool check_launcher(
        const p3d_target *target, p3d_launcher launcher, p3d_error *err)
{
    if (target->runner == P3D_RUN_TORCH || launcher == P3D_LAUNCH_TORCHRUN ||
            launcher == P3D_LAUNCH_SLURM ||
            (launcher == P3D_LAUNCH_MPIRUN && target->runner == P3D_RUN_NODE))
        return true;
    return p3d_fail(err, P3D_DATA,
            "X4: %s does not start under --launcher %s; write slurm or "
            "torchrun",
            target->title, exchange_launcher_word((int)launcher));
}

bool exchange_script_write(
        p3d_start start, const char *head, p3d_text *out, p3d_error *err)
{
    const p3d_target *const target = start.target;
    const p3d_launch *const launch = start.launch;

    if (!check_launcher(target, start.launcher, err))
        return false;
    p3d_text_add(out, "#!/bin/bash\n%s", head);
    if (start.launcher == P3D_LAUNCH_SLURM)
        p3d_text_add(out,
                "#SBATCH --nodes=%d --ntasks-per-node=1 --gpus-per-node=%d "
                "--exclusive\n",
                launch->n_nodes, launch->gpus_per_node);
    p3d_text_add(out,
            "set -eu\n"
            "HERE=${SLURM_SUBMIT_DIR:-$(cd \"$(dirname \"$0\")\" && pwd)}\n");
    if (target->environment != NULL)
        target->environment(launch, out);
    p3d_text_add(out, "\n");
    if (has_arguments(target)) {
        put_arguments(target, launch, out);
        p3d_text_add(out, "\n");
    }
    switch (start.launcher) {
    case P3D_LAUNCH_TORCHRUN: put_torchrun(target, launch, out); break;
    case P3D_LAUNCH_SLURM: put_slurm(target, launch, out); break;
    case P3D_LAUNCH_MPIRUN: put_mpirun(target, launch, out); break;
    case P3D_LAUNCH_DEEPSPEED: put_deepspeed(target, launch, out); break;
    case P3D_N_LAUNCHERS: break;
    }
    return true;
}

void exchange_hosts_write(const p3d_launch *launch, p3d_text *out)
{
    p3d_text_add(out, "# the names of your nodes\n");
    for (int i = 1; i <= launch->n_nodes; i++)
        p3d_text_add(out, "node-%d slots=%d\n", i, launch->gpus_per_node);
}
