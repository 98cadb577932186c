/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster_file.c - clusters as files, with more memory than they have. */
#include "commands/cluster_file.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "plan3d/catalog.h"

/* The file of a folder that has this name inside. */
static cJSON *load(p3d_folder folder, const char *name)
{
    p3d_catalog catalog = {0};
    cJSON *found = NULL;

    P3D_ASSERT(p3d_catalog_open(folder, &catalog, NULL));
    for (int i = 0; i < catalog.n_names && found == NULL; i++) {
        char path[1200];
        char *text = NULL;
        size_t length = 0;

        if (!p3d_same_word(catalog.names[i], name))
            continue;
        p3d_catalog_path(&catalog, i, path, sizeof(path));
        P3D_ASSERT(p3d_read_file(path, 1 << 20, &text, &length, NULL));
        found = cJSON_Parse(text);
        free(text);
    }
    p3d_catalog_free(&catalog);
    P3D_ASSERT(found != NULL);
    return found;
}

static void scale(cJSON *object, const char *key, double factor)
{
    cJSON *const number = cJSON_GetObjectItemCaseSensitive(object, key);

    if (number != NULL)
        cJSON_SetNumberValue(number, floor(number->valuedouble * factor));
}

const char *cluster_file_write(trial *t, const answer *of, const char *name,
        double gpu_factor, double host_factor)
{
    const char *const path = trial_path(t, name);
    FILE *const file = fopen(path, "w");
    cJSON *const cluster = cJSON_CreateObject();
    cJSON *const gpu = load(P3D_GPUS, answer_string(of, "cluster.gpu"));
    cJSON *const node = load(P3D_NODES, answer_string(of, "cluster.node"));
    char *text;

    P3D_ASSERT(file != NULL);
    scale(gpu, "memory_bytes", gpu_factor);
    scale(gpu, "visible_memory_bytes", gpu_factor);
    scale(node, "host_memory_bytes", host_factor);
    scale(node, "nvme_bytes", host_factor);
    cJSON_AddNumberToObject(cluster, "schema", 1);
    cJSON_AddNumberToObject(
            cluster, "n_nodes", answer_number(of, "cluster.n_nodes"));
    cJSON_AddNumberToObject(cluster, "gpus_per_node",
            answer_number(of, "cluster.gpus_per_node"));
    cJSON_AddItemToObject(cluster, "gpu", gpu);
    cJSON_AddItemToObject(cluster, "node", node);
    text = cJSON_Print(cluster);
    P3D_ASSERT(text != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    cJSON_free(text);
    cJSON_Delete(cluster);
    return path;
}
