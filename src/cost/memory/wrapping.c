/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrapping.c - the units that FSDP1 gathers at once where modules are wrapped
 * by their size, or not at all. */
#include <math.h>

#include "cost/memory/memory.h"

/** Parameters of a module: a unit of its own, or what is left for the module
 *  around it. */
static double rest_of(cost_wrapping *units, double n, double least)
{
    if (n < least)
        return n;
    units->largest = fmax(units->largest, n);
    return 0;
}

static double rest_of_layer(
        const p3d_model *model, double least, cost_wrapping *units)
{
    const double h = model->hidden;
    const double q = h * model->n_heads * model->head_dim;
    const double kv = h * model->n_kv_heads * model->head_dim;
    const double attention =
            2 * rest_of(units, q, least) + 2 * rest_of(units, kv, least);
    const double mlp =
            (model->gated_mlp ? 3 : 2) * rest_of(units, h * model->ffn, least);
    const double norms = h * model->norm_weights * model->n_norms;

    return rest_of(units,
            rest_of(units, attention, least) + rest_of(units, mlp, least) +
                    norms,
            least);
}

cost_wrapping cost_wrap(const p3d_model *model, double least)
{
    cost_wrapping units = {0};
    const double table = (double)model->hidden * model->vocab;
    const double layers =
            model->n_layers * rest_of_layer(model, least, &units) +
            (model->final_norm ? (double)model->hidden * model->norm_weights
                               : 0);

    units.wraps_ends = table >= least;
    units.around = layers + (units.wraps_ends ? 0 : table);
    units.is_root = units.around < least;
    if (!units.wraps_ends && !model->tied_embeddings)
        units.around += table;
    return units;
}

cost_wrapping cost_wrap_job(const p3d_problem *problem)
{
    const int64_t least = problem->job.unit_params;
    const cost_wrapping whole = {.is_root = true};

    return least == P3D_UNIT_WHOLE ? whole
                                   : cost_wrap(&problem->model, (double)least);
}

double cost_params_around(const p3d_problem *problem, double all)
{
    const int64_t least = problem->job.unit_params;

    if (least == 0)
        return 0;
    return least == P3D_UNIT_WHOLE
                   ? all
                   : fmin(all,
                             cost_wrap(&problem->model, (double)least).around);
}
