/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_streams.c - residual streams beside the one that attention and MLP
 * read, and the products of low rank beside the attention, as Gemma 3n has them
 * (alternating updates, learned augmented residual layer): on every
 * tensor-parallel rank. Source: transformers@v5.23 modeling_gemma3n.py. */
#include "base/util.h"
#include "cost/workload/workload_list.h"

static const char source[] = "transformers@v5.23 modeling_gemma3n.py";

/* Bytes per channel of all streams. Forward a small product per token (read 2,
 * write 2), what was there added (6), the layer's change repeated (2), scaled
 * (4) and added (6), the layer's embedding added (6); backward the gradients of
 * both products (6 + 6), of what was added (6), of the change summed up (4),
 * and two additions of gradients (12). And the kernels of both. */
static const list_work STREAM_PASSES = {{28, 34}, {14, 24}};

/* The same of a stream that a matrix has made or brought back: its square, mean
 * and scaling (2 + 2 + 2 + 4 + 4), and its copy beside the others (4). */
static const list_work MAGNITUDE_PASSES = {{18, 30}, {8, 14}};

/** The two products beside the attention, whose input is that of the attention.
 */
static void list_bypass(list_context *c)
{
    const int64_t T = c->resident, h = c->model->hidden;
    const int64_t r = c->model->bypass_rank;

    if (r == 0)
        return;
    list_matrix_of(c, P3D_PART_MLP, 0, false);
    list_gemm(
            c, "product down beside the attention", (cost_product){T, r, h, 1});
    list_gemm(c, "product up beside the attention", (cost_product){T, h, r, 1});
    list_keep(c, (list_tensor){"between the products beside the attention",
                         "gradient of the weights", source, T,
                         list_trains(c, P3D_PART_MLP) ? r : 0, (double)c->bytes,
                         P3D_MODULE_PER_OP, 0, false});
}

void list_streams(list_context *c)
{
    const int64_t T = c->resident, h = c->model->hidden;
    const int64_t side = c->model->side_streams;
    const double E = (double)c->bytes;

    list_bypass(c);
    if (side == 0)
        return;
    list_matrix_of(c, P3D_PART_MLP, 0, false);
    /* Its weights are used twice: before and behind attention and MLP. */
    list_gemm(
            c, "router of the streams", (cost_product){2 * T, side + 1, h, 1});
    list_pass_over(
            c, "residual streams", (double)(T * (side + 1) * h), STREAM_PASSES);
    list_keep(c, (list_tensor){"other streams before the layer",
                         "backward of their prediction", source, side * T, h, E,
                         0, 0, true});
    list_keep(c,
            (list_tensor){"change of each stream", "gradients of its factors",
                    source, (side + 1) * T, h, E, P3D_MODULE_PER_OP, 0, false});
    list_keep(c, (list_tensor){"first stream before its scale",
                         "gradient of the scale", source, T, h, E,
                         P3D_MODULE_PER_OP, 0, false});
    list_hold(c, "gradients of the other streams", "backward of the layer",
            (list_held){side * T, h,
                    P3D_AT_MLP_ACTIVATION | P3D_AT_MLP_INPUT |
                            P3D_AT_ATTENTION});
}

/** Streams before and after the scaling to the magnitude of the first. */
static void keep_scaled(list_context *c, int64_t side)
{
    list_keep(c,
            (list_tensor){"streams before and after their scaling",
                    "backward of the scaling", source, 2 * side * c->resident,
                    c->model->hidden, (double)c->bytes, 0, 0, true});
}

void list_streams_begin(list_context *c)
{
    const int64_t T = c->resident, h = c->model->hidden;
    const int64_t side = c->model->side_streams;

    if (side == 0)
        return;
    list_matrix_of(c, P3D_PART_EMBEDDINGS, 0, false);
    list_gemm(c, "products to the other streams",
            (cost_product){T, side * h, h, 1});
    list_pass_over(c, "magnitudes of the streams", (double)(T * side * h),
            MAGNITUDE_PASSES);
    keep_scaled(c, side);
}

void list_streams_end(list_context *c)
{
    const int64_t T = c->resident, h = c->model->hidden;
    const int64_t side = c->model->side_streams;

    if (side == 0)
        return;
    list_matrix_of(c, P3D_PART_HEAD, 0, false);
    list_gemm(c, "products back from the other streams",
            (cost_product){T, h, h, side});
    list_pass_over(c, "magnitudes of the streams", (double)(T * side * h),
            MAGNITUDE_PASSES);
    list_keep(c, (list_tensor){"other streams behind the layers",
                         "gradient of the weights", source,
                         list_trains(c, P3D_PART_HEAD) ? side * T : 0, h,
                         (double)c->bytes, 0, 0, true});
    keep_scaled(c, side);
}
