/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_sum.c - bytes of the tensors of a workload. */
#include "base/util.h"
#include "plan3d/workload.h"

const char *p3d_moment_name(int i)
{
    if (i < 0 || i >= P3D_N_MOMENTS)
        return "";

    static const char *const names[P3D_N_MOMENTS] = {
            "backward of the MLP activation", "backward of the MLP's input",
            "backward of the attention core", "loss",
            "backward of the output matrix"};

    return names[i];
}

int64_t p3d_workload_saved_bytes(const p3d_workload *list, unsigned modules)
{
    if (list == NULL)
        return 0;

    int64_t sum = 0;

    for (int i = 0; i < list->n_tensors; i++) {
        const p3d_tensor *t = &list->tensors[i];

        if (t->moments == 0 && (t->modules & modules) == 0)
            sum = p3d_add(sum, t->bytes);
    }
    return sum;
}

int64_t p3d_workload_input_bytes(const p3d_workload *list)
{
    if (list == NULL)
        return 0;

    int64_t sum = 0;

    for (int i = 0; i < list->n_tensors; i++)
        sum += list->tensors[i].is_input ? list->tensors[i].bytes : 0;
    return sum;
}

int64_t p3d_workload_working_bytes(const p3d_workload *list, int *moment)
{
    if (list == NULL)
        return 0;

    int64_t most = 0;

    if (moment != NULL)
        *moment = 0;
    for (int at = 0; at < P3D_N_MOMENTS; at++) {
        int64_t sum = 0;

        for (int i = 0; i < list->n_tensors; i++) {
            const p3d_tensor *t = &list->tensors[i];

            sum = p3d_add(sum, (t->moments >> at & 1) != 0 ? t->bytes : 0);
        }
        if (sum > most && moment != NULL)
            *moment = at;
        most = sum > most ? sum : most;
    }
    return most;
}
