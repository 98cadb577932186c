/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_list.c - writing operations into a workload. */
#include "cost/workload/workload_list.h"

#include "base/util.h"

p3d_op *list_add(
        list_context *c, const char *name, p3d_op_kind kind, p3d_phase phase)
{
    p3d_op *op;

    P3D_ASSERT(c->out->n_ops < P3D_MAX_OPS);
    op = &c->out->ops[c->out->n_ops++];
    *op = (p3d_op){.name = name,
            .kind = kind,
            .phase = phase,
            .count = 1,
            .n_kernels = 1,
            .dtype = c->wide,
            .modules = c->modules,
            .expert = c->expert,
            .part = c->part,
            .exposed_frac = 1};
    return op;
}

static p3d_op *add_gemm(
        list_context *c, const char *name, p3d_phase phase, cost_product p)
{
    p3d_op *op = list_add(c, name, P3D_OP_GEMM, phase);

    op->m = p.m;
    op->n = p.n;
    op->k = p.k;
    op->count = p.count;
    return op;
}

/** Bytes moved for an element of the gradient of weights by the product itself:
 *  read and written where it is added there. Source: Megatron-LM@d98e8a64
 *  megatron/core/tensor_parallel/layers.py (gradient_accumulation_fusion). */
static double gradient_bytes(const p3d_job *job)
{
    if (!job->framework->adds_in_product || job->separate_gradients)
        return 0;
    return 2 * (job->gradient_dtype == P3D_STATE_IN_16 ? 2 : 4);
}

void list_wide_gemm(list_context *c, const char *name, cost_product p)
{
    p3d_op *op;

    add_gemm(c, name, P3D_FORWARD, p);
    add_gemm(c, name, P3D_BACKWARD, (cost_product){p.m, p.k, p.n, p.count});
    op = add_gemm(
            c, name, P3D_BACKWARD, (cost_product){p.n, p.k, p.m, p.count});
    op->weight_gradient = true;
    op->out_bytes = gradient_bytes(c->job);
}

/* Bytes per element of casting an input of a product to fp8, in both layouts:
 * reads 16 bit, writes one byte for each. Source:
 * TransformerEngine@d0067d0d transformer_engine/common (cast_transpose), less
 * what norms and activations write as fp8 by themselves. */
static const double CAST_PASS_BYTES = 2.8;

void list_gemm(list_context *c, const char *name, cost_product p)
{
    const int first = c->out->n_ops;

    list_wide_gemm(c, name, p);
    if (c->job->dtype != P3D_FP8)
        return;
    for (int i = first; i < c->out->n_ops; i++)
        c->out->ops[i].dtype = P3D_FP8;
    list_pass(c, "cast to fp8",
            (list_work){
                    {CAST_PASS_BYTES * (double)(p.m * p.k * p.count),
                            CAST_PASS_BYTES * (double)(p.m * p.n * p.count)},
                    {1, 1}});
}

void list_core_gemm(list_context *c, const char *name, cost_product p)
{
    add_gemm(c, name, P3D_FORWARD, p);
    add_gemm(c, name, P3D_BACKWARD, (cost_product){p.m, p.k, p.n, p.count});
    add_gemm(c, name, P3D_BACKWARD, (cost_product){p.n, p.k, p.m, p.count});
}

void list_pass(list_context *c, const char *name, list_work work)
{
    static const p3d_phase phases[] = {P3D_FORWARD, P3D_BACKWARD};

    for (int i = 0; i < P3D_COUNT_OF(phases); i++) {
        p3d_op *op = list_add(c, name, P3D_OP_PASS, phases[i]);

        op->bytes = work.bytes[i];
        op->n_kernels = work.n_kernels[i];
    }
}

const p3d_pass_bytes *list_pass_bytes(const list_context *c)
{
    const p3d_framework *fw = c->job->framework;

    if (c->job->eager && fw->compiles)
        return &fw->pass_eager;
    return &fw->pass[c->model->gated_mlp ? 1 : 0];
}

/** Size of an axis in the shard. */
static int axis_size(const list_context *c, p3d_axis axis)
{
    const int sizes[P3D_N_AXES] = {[P3D_AXIS_TP] = c->shard.tp,
            [P3D_AXIS_CP] = c->shard.cp,
            [P3D_AXIS_EP] = c->shard.ep,
            [P3D_AXIS_ETP] = c->shard.etp};

    return sizes[axis];
}

p3d_op *list_collective(list_context *c, const char *name, list_transfer sent)
{
    p3d_op *op;

    if (axis_size(c, sent.axis) <= 1)
        return NULL;
    op = list_add(c, name, P3D_OP_COLLECTIVE, sent.phase);
    op->collective = sent.collective;
    op->axis = sent.axis;
    op->bytes = sent.payload_bytes;
    return op;
}

void list_keep(list_context *c, list_tensor t)
{
    const double bytes = (double)t.rows * (double)t.width * t.bytes_per_element;

    if (bytes < 1)
        return;
    P3D_ASSERT(c->out->n_tensors < P3D_MAX_TENSORS);
    c->out->tensors[c->out->n_tensors++] = (p3d_tensor){.name = t.name,
            .why = t.why,
            .source = t.source,
            .rows = t.rows,
            .width = t.width,
            .bytes_per_element = t.bytes_per_element,
            .bytes = (int64_t)bytes,
            .moments = t.moments,
            .is_input = t.is_input,
            .modules = c->modules | t.modules};
}

int64_t list_stream_bytes(const list_context *c)
{
    return c->bytes * c->tokens * c->model->hidden;
}
