/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.c - commands of scripts that count what the cluster has: they are not
 * run, the cluster of the question answers.
 *
 * DeepSpeed's ds_ssh (deepspeedai/DeepSpeed@edaa7221 bin/ds_ssh) prints the
 * lines of all nodes; the scripts of Megatron-DeepSpeed take two lines of its
 * own off (deepspeedai/Megatron-DeepSpeed@4efb479d examples_deepspeed). */
#include "exchange/read/expand.h"

#include <string.h>

#include "base/util.h"

enum { LINES_OF_DS_SSH = 2, MOST_PARTS = 3 };

enum { OF_NODES, OF_A_NODE, OF_ALL };

static const struct {
    const char *parts[MOST_PARTS]; /* the command has all of them */
    int what;
    int more;
} commands[] = {
        {{"ds_ssh nvidia-smi", "--query-gpu", "wc -l"}, OF_ALL,
                LINES_OF_DS_SSH},
        {{"nvidia-smi", "--query-gpu", "wc -l"}, OF_A_NODE, 0},
        {{"nvidia-smi", "-L", "wc -l"}, OF_A_NODE, 0},
        {{"nvidia-smi", "--list-gpus", "wc -l"}, OF_A_NODE, 0},
        {{"python", "print(torch.cuda.device_count())", "-c"}, OF_A_NODE, 0},
        {{"scontrol", "show hostname", "wc -l"}, OF_NODES, 0},
};

static bool has(const char *text, size_t n, const char *part)
{
    const size_t length = strlen(part);

    for (size_t i = 0; i + length <= n; i++)
        if (strncmp(text + i, part, length) == 0)
            return true;
    return false;
}

int exchange_shell_count(const exchange_shell_variables *variables,
        const char *command, size_t n)
{
    const int nodes = variables->n_nodes, gpus = variables->gpus_per_node;
    const int have[] = {nodes, gpus, nodes * gpus};

    for (int i = 0; nodes > 0 && i < P3D_COUNT_OF(commands); i++) {
        bool all = true;

        for (int k = 0; k < MOST_PARTS; k++)
            all = all && has(command, n, commands[i].parts[k]);
        if (all)
            return have[commands[i].what] + commands[i].more;
    }
    return 0;
}
