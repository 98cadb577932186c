/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_products.c - products with weights: what is cast to fp8 for them,
 * and the adapters beside them. */
#include "base/util.h"
#include "cost/workload/precision.h"
#include "cost/workload/workload_list.h"

void list_wide_gemm(list_context *c, const char *name, cost_product p)
{
    list_products(c, name, p, list_trains(c, c->linear.part));
    list_adapters(c, p);
}

static const char TO_FP8[] = "cast to fp8";
static const char TO_NVFP4[] = "cast to nvfp4";

bool list_is_cast(const p3d_op *op)
{
    return op->name == TO_FP8 || op->name == TO_NVFP4;
}

/** Casts of one operand with so many elements. */
static void list_cast(list_context *c, cost_operand operand, double n_elements)
{
    static const p3d_phase phases[] = {P3D_FORWARD, P3D_BACKWARD};
    const char *const name = c->job->dtype == P3D_NVFP4 ? TO_NVFP4 : TO_FP8;
    const cost_cast cast =
            cost_cast_of(c->job, operand, !list_trains(c, c->linear.part));

    for (int i = 0; i < P3D_COUNT_OF(phases); i++) {
        if (cast.bytes[i] > 0) {
            p3d_op *op = list_add(c, name, P3D_OP_PASS, phases[i]);

            op->bytes = cast.bytes[i] * n_elements;
            op->n_kernels = cost_cast_kernels(c->job, operand);
        }
    }
}

/** What of a product is in fp8, from the first of its operations on. */
static void list_casts(
        list_context *c, int first, cost_product p, unsigned casts)
{
    const p3d_precision *const how = p3d_precision_of(c->job);
    const bool of_norm = (casts & LIST_OF_NORM) != 0;

    for (int i = first; i < c->out->n_ops; i++) {
        c->out->ops[i].dtype = c->job->dtype;
        c->out->ops[i].sm90_rate_frac = how->sm90_rate_frac;
    }
    if ((casts & LIST_CAST_INPUT) != 0)
        list_cast(c, of_norm ? COST_INPUT_OF_NORM : COST_INPUT,
                (double)(p.m * p.k * p.count));
    if ((casts & LIST_CAST_GRADIENT) != 0)
        list_cast(c, COST_GRADIENT, (double)(p.m * p.n * p.count));
    list_cast(c, COST_WEIGHT, (double)(p.n * p.k * p.count));
}

void list_gemm_casting(
        list_context *c, const char *name, cost_product p, unsigned casts)
{
    const int first = c->out->n_ops;

    list_products(c, name, p, list_trains(c, c->linear.part));
    if (p3d_precision_of(c->job) != NULL)
        list_casts(c, first, p, casts);
    list_adapters(c, p);
}

void list_gemm(list_context *c, const char *name, cost_product p)
{
    list_gemm_casting(c, name, p, LIST_CAST_INPUT | LIST_CAST_GRADIENT);
}
