/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_tower.c - the operations of a tower: its layers as
 * those of a model without a causal mask, and the two ends of it.
 *
 * A tower is whole on each rank of the first stage: it is not divided over
 * tensor- or context-parallel ranks. Source: transformers@v5.0 (no plan for
 * tensor parallelism of towers); NVIDIA-NeMo/Megatron-Bridge@355cef45 src/
 * megatron/bridge/models/qwen_vl/modeling_qwen25_vl.py (Hugging Face's module
 * on ranks with pre_process); modelscope/ms-swift swift/megatron/model/
 * mm_gpt (HuggingFaceModule). Assumes: A29. */

#include "base/util.h"
#include "cost/workload/workload_list.h"
#include "spec/given.h"
#include "spec/params.h"

static const char TRANSFORMERS[] = "transformers@v5.0 src/transformers/models";

/* Bytes per element of making patches of pixels, adding positions and putting
 * the result among the tokens, were they in 16 bit: forward and backward. */
static const double PATCH_PASS_BYTES[2] = {8, 6};
static const double NORM_PASS_BYTES[2] = {4, 8};
static const double ACTIVATION_PASS_BYTES[2] = {4, 6};

/** The job of a tower: 16-bit products, no dropout, its own attention. Frozen
 *  matrices may be in 8 or 4 bits, as the decoder's. */
static p3d_job tower_job(const p3d_job *job, int seq_len, bool trained)
{
    p3d_job own = *job;

    own.seq_len = seq_len;
    own.adapters =
            (p3d_adapters){.base = trained ? P3D_BASE_16 : job->adapters.base};
    own.frozen = trained ? 0 : P3D_ALL_PARTS;
    own.lengths = (p3d_lengths){.filling = P3D_FILLING_WHOLE};
    own.dropout = false;
    if (job->dtype == P3D_FP8 || job->dtype == P3D_NVFP4)
        own.dtype = P3D_BF16;
    return own;
}

void cost_drop_backward(p3d_workload *list)
{
    int n = 0;

    for (int i = 0; i < list->n_ops; i++) {
        if (list->ops[i].phase == P3D_FORWARD)
            list->ops[n++] = list->ops[i];
    }
    list->n_ops = n;
}

/** Attention to all patches; its tensors are told from the decoder's. */
static void make_tower_layer(p3d_workload *list)
{
    for (int i = 0; i < list->n_ops; i++) {
        if (list->ops[i].kind == P3D_OP_ATTENTION)
            list->ops[i].not_causal = true;
    }
    for (int i = 0; i < list->n_tensors; i++)
        list->tensors[i].why = "backward of a layer of the tower";
}

/** A layer: sequences of all patches of an image or a part of it, or of those
 *  of a window. */
static void build_layer(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out)
{
    const p3d_images images = p3d_job_images(job, model);
    const bool trained = p3d_tower_trained(model, job);
    const int window = block == P3D_BLOCK_TOWER_WINDOWED
                               ? model->tower.window_patches
                               : images.tile_patches;
    const int seq = window < images.tile_patches ? window : images.tile_patches;
    const p3d_job own = tower_job(job, seq, trained);
    p3d_shard whole = p3d_shard_whole();
    p3d_model layer;
    list_context c;

    if (images.n == 0)
        return;
    spec_tower_layer(&model->tower, &layer);
    whole.micro_batch = p3d_at_most_int(p3d_mul(shard.micro_batch,
            p3d_mul(images.tiles, p3d_ceil_div(images.tile_patches, seq))));
    c = list_context_of(&layer, &own, whole, out);
    list_layer(&c, 0);
    make_tower_layer(out);
    if (trained)
        return;
    cost_drop_backward(out);
    out->n_tensors = 0;
}

/** What of the ends is run backward. */
typedef struct ends {
    list_context *c;
    bool vision, projector; /* are trained */
    int64_t patches, tokens;
} ends;

/** A product whose input has a gradient, or not; without a backward pass where
 *  nothing here or below is trained. */
static void list_end_gemm(
        const ends *e, const char *name, cost_product p, bool trains, bool back)
{
    p3d_workload *const out = e->c->out;
    const int first = out->n_ops;
    int n = first;

    list_wide_gemm(e->c, name, p);
    for (int i = first; i < out->n_ops; i++) {
        const p3d_op *const op = &out->ops[i];

        if (op->phase == P3D_FORWARD ||
                (op->kind == P3D_OP_GEMM && op->weight_gradient ? trains
                                                                : back))
            out->ops[n++] = *op;
    }
    out->n_ops = n;
}

static void list_end_pass(const ends *e, const char *name, double elements,
        const double bytes[2], bool back)
{
    list_pass_over(e->c, name, elements,
            (list_work){{bytes[0], back ? bytes[1] : 0}, {1, back ? 2 : 0}});
}

static void keep_end(
        const ends *e, const char *name, int64_t rows, int64_t width)
{
    list_keep(e->c,
            (list_tensor){name, "backward of the tower's ends", TRANSFORMERS,
                    rows, width, (double)e->c->bytes, 0, 0, false});
}

/** From pixels to patches, and the norms around the layers. */
static void list_stem(const ends *e)
{
    const p3d_tower *const t = &e->c->model->tower;
    const double elements = (double)e->patches * t->hidden;

    for (int i = 0; i < t->n_stem; i++) {
        const int64_t rows = p3d_mul(e->patches, t->stem_rows[i]);

        list_matrix_of(e->c, p3d_tower_part(e->c->model), 0, false);
        list_end_gemm(e, "patches",
                (cost_product){rows, t->stem[i].out, t->stem[i].in, 1},
                e->vision, e->vision && i > 0);
        if (e->vision)
            keep_end(e, "input of the patches", rows, t->stem[i].in);
    }
    list_end_pass(
            e, "patches and positions", elements, PATCH_PASS_BYTES, e->vision);
    for (int i = 0; i < t->n_outer_norms; i++) {
        list_end_pass(
                e, "norm of the tower", elements, NORM_PASS_BYTES, e->vision);
        if (e->vision)
            keep_end(e, "input of the tower's norm", e->patches, t->hidden);
    }
}

static void list_projector(const ends *e, const p3d_projector *p)
{
    const bool back = e->vision || e->projector;
    const int last = p->n_linears - 1;

    if (p->norm_params > 0) {
        list_end_pass(e, "norm of the projector",
                (double)e->tokens * p->linear[0].in, NORM_PASS_BYTES, back);
        if (back)
            keep_end(e, "input of the projector's norm", e->tokens,
                    p->linear[0].in);
    }
    for (int i = 0; i < p->n_linears; i++) {
        const p3d_linear *const l = &p->linear[i];
        const bool below = e->vision || (e->projector && i > 0) ||
                           (e->projector && p->norm_params > 0);

        if (i == last && i > 0) {
            list_end_pass(e, "activation of the projector",
                    (double)e->tokens * l->in, ACTIVATION_PASS_BYTES, back);
            if (back)
                keep_end(e, "input of the projector's activation", e->tokens,
                        l->in);
        }
        list_matrix_of(e->c, P3D_PART_PROJECTOR, 0, false);
        list_end_gemm(e, "projector",
                (cost_product){e->tokens, l->out, l->in, 1}, e->projector,
                below);
        if (e->projector)
            keep_end(e, "input of the projector", e->tokens, l->in);
    }
}

static void build_ends(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, p3d_workload *out)
{
    const p3d_images images = p3d_job_images(job, model);
    const unsigned frozen = p3d_job_frozen(job, model);
    const p3d_job own = tower_job(job, 1, true);
    list_context c = {.model = model,
            .job = &own,
            .shard = p3d_shard_whole(),
            .out = out,
            .part = P3D_BESIDE_ATTENTION,
            .bytes = p3d_dtype_bytes(own.dtype),
            .wide = own.dtype,
            .frozen = frozen};
    const ends e = {.c = &c,
            .vision = (frozen & p3d_tower_part(model)) == 0,
            .projector = (frozen & P3D_PART_PROJECTOR) == 0,
            .patches = p3d_mul(p3d_mul(shard.micro_batch, images.tiles),
                    images.tile_patches),
            .tokens = p3d_mul(
                    shard.micro_batch, p3d_mul(images.n, images.tokens))};

    if (images.n == 0)
        return;
    list_stem(&e);
    list_projector(&e, &model->tower.projector);
    for (int i = 0; i < model->tower.n_deepstack; i++)
        list_projector(&e, &model->tower.deepstack);
}

void list_tower(const p3d_model *model, const p3d_job *job, p3d_shard shard,
        int block, p3d_workload *out)
{
    if (p3d_tower_blocks(model, block) == 0)
        return;
    if (block == P3D_BLOCK_TOWER_ENDS)
        build_ends(model, job, shard, out);
    else
        build_layer(model, job, shard, block, out);
}
