/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_pool_word.c - a pool in a command that follows from an answer. */
#include <string.h>

#include "report/text/layout.h"
#include "report/text/text_pools.h"
#include "spec/hardware.h"

/* Of a machine its name: its GPU alone would be in another node. */
static const char *type_of(const p3d_cluster *pool)
{
    return pool->node.gpu[0] != '\0' &&
                           strcmp(pool->node.name, pool->gpu.node) != 0
                   ? pool->node.name
                   : pool->gpu.name;
}

void report_pool_word(const p3d_pools *pools, int k, int n_gpus,
        const char *cluster_word, p3d_text *command)
{
    const p3d_cluster *const pool = &pools->clusters[k];
    const bool part = n_gpus > 0 && n_gpus < pool->n_gpus;
    p3d_text word = {.length = 0};

    if (spec_cluster_is_file(cluster_word)) {
        p3d_text_add(&word, "%s", cluster_word);
        if (pools->n_pools > 1)
            p3d_text_add(&word, ":%s", pools->names[k]);
        if (part)
            p3d_text_add(&word, ":%d", n_gpus);
    } else {
        const char *const type = type_of(pool);
        char words[128];

        p3d_text_add(&word, "%s",
                spec_cluster_print(type, part ? n_gpus : pool->n_gpus,
                        spec_type_unit(type), words, sizeof(words)));
    }
    report_shell_word(p3d_text_get(&word), command);
    report_text_free(&word, command);
}
