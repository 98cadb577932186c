/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_adapters.c - what is trained of a block: adapters beside frozen
 * matrices, and matrices that are kept in 8 or 4 bits.
 *
 * An adapter adds B A x to W x, A of r rows and B of r columns
 * (arXiv:2106.09685 section 4.1). */
#include <string.h>

#include "base/util.h"
#include "cost/workload/workload_list.h"

static const char NAME_A[] = "adapters down";
static const char NAME_B[] = "adapters up";
static const char PEFT[] = "huggingface/peft@00336949 src/peft/tuners/lora/"
                           "layer.py";

/* Bytes per element in 16 bit: the result of an adapter is scaled (4) and added
 * (6), backward its gradient is scaled (4) and that of its input added (6); an
 * input is cast to fp32 and back to 16 bit (12), so is its gradient; dropout
 * reads, writes and has a mask of one byte (5). Source: PEFT. */
static const double SCALE_BYTES = 4, ADD_BYTES = 6;
static const double CAST_BYTES = 12, DROPOUT_BYTES = 5;

/* DoRA, per weight: the product B A read and added to W (6), and the sum read
 * for its norm (2); per result: the adapted and the frozen one scaled and added
 * (10), backward both read with the gradient for that of the magnitudes (12).
 * Source: arXiv:2402.09353 section 4.1; huggingface/peft@00336949 src/peft/
 * tuners/lora/dora.py. */
static const double NORM_BYTES = 8;
static const double MAGNITUDE_BYTES[2] = {10, 12};

bool list_adapts(const list_context *c, unsigned targets)
{
    const unsigned said = c->job->adapters.targets;

    return c->adapters != NULL &&
           (targets & (said != 0 ? said : P3D_ALL_TARGETS)) != 0;
}

/** True where adapters are in fp32, and so their inputs: not where all states
 *  are in 16 bit. */
static bool casts_input(const list_context *c)
{
    return c->adapters->casts_input && c->job->dtype != P3D_FP32 &&
           c->job->master_dtype != P3D_STATE_NONE;
}

/** True where adapters keep inputs of their own: cast, or with some of their
 *  elements dropped. */
static bool keeps_own(const list_context *c)
{
    return casts_input(c) || c->job->adapters.dropout > 0;
}

bool list_keeps_input(const list_context *c, unsigned part, unsigned targets)
{
    return list_trains(c, part) || (list_adapts(c, targets) && !keeps_own(c));
}

double list_input_bytes(const list_context *c, unsigned part)
{
    return list_trains(c, part) ? c->input_bytes : (double)c->bytes;
}

void list_matrix_of(
        list_context *c, unsigned part, unsigned target, bool by_input)
{
    c->linear = (list_linear){
            .part = part, .by_input = by_input, .n = 1, .of = {{target, 0}}};
}

/** Matrices of frozen layers are de-quantized for each of their products, by a
 *  pass that reads them and writes 16 bit. Source: arXiv:2305.14314 section 3
 *  (equation 5). */
static void list_dequantize(list_context *c, cost_product p)
{
    static const unsigned parts =
            P3D_PART_ATTENTION | P3D_PART_MLP | P3D_PART_EXPERTS;
    const p3d_base base = c->job->adapters.base;
    const double E = (double)c->bytes;
    const double bytes =
            (p3d_base_bytes(base, E) + E) * (double)(p.n * p.k * p.count);
    const int n = c->linear.n * (int)p.count;

    if (base == P3D_BASE_16 || (c->linear.part & parts) == 0 ||
            list_trains(c, c->linear.part))
        return;
    list_pass(c, "de-quantization", (list_work){{bytes, bytes}, {n, n}});
}

/** The adapters beside one product. */
typedef struct beside {
    int n;         /* matrices A */
    int ranks;     /* that share the product by tensor parallelism */
    p3d_axis axis; /* which ones */
    int64_t rank, rows, results;
    bool splits; /* A or B is divided as the matrix beside it is */
} beside;

static beside beside_of(const list_context *c, cost_product p)
{
    const bool experts = c->expert;
    beside b = {.axis = experts ? P3D_AXIS_ETP : P3D_AXIS_TP,
            .ranks = experts ? c->shard.etp : c->shard.tp,
            .rank = c->job->adapters.rank,
            .rows = p.m * p.count};

    for (int i = 0; i < c->linear.n; i++)
        b.n += list_adapts(c, c->linear.of[i].target);
    b.splits = c->adapters->gathers_input && b.ranks > 1;
    return b;
}

/** What the adapters of a product keep: the results of A, and their own inputs,
 *  where they have some. */
static void keep_adapters(list_context *c, cost_product p, const beside *b)
{
    const double E = (double)c->bytes;
    const bool dropped = c->job->adapters.dropout > 0;

    list_keep(c, (list_tensor){"results of the adapters' A", "gradient of B",
                         "arXiv:2106.09685 section 4.1", b->rows,
                         b->n * b->rank, E, P3D_MODULE_PER_OP, 0, false});
    if (!keeps_own(c))
        return;
    list_keep(c, (list_tensor){dropped ? "inputs of the adapters after dropout"
                                       : "inputs of the adapters, cast",
                         "gradient of A", PEFT, b->rows, b->n * p.k, E,
                         P3D_MODULE_PER_OP, 0, false});
    list_keep(c,
            (list_tensor){"masks of the adapters' dropout",
                    "backward of the dropout", PEFT, b->rows,
                    dropped ? b->n * p.k : 0, 1, P3D_MODULE_PER_OP, 0, false});
}

/** Passes over inputs and results. */
static void list_adapter_passes(
        list_context *c, cost_product p, const beside *b)
{
    const double in = (double)(b->rows * p.k * b->n);
    const double out = (double)b->results;
    const double E = (double)c->bytes / 2;
    const double casts = casts_input(c) ? CAST_BYTES : 0;
    const double drops = c->job->adapters.dropout > 0 ? DROPOUT_BYTES : 0;
    const int more = b->n * ((casts > 0 ? 2 : 0) + (drops > 0 ? 1 : 0));

    list_pass(c, "adapters: inputs and results",
            (list_work){{E * ((SCALE_BYTES + ADD_BYTES) * out +
                                     (casts + drops) * in),
                                E * (SCALE_BYTES * out +
                                            (ADD_BYTES + casts + drops) * in)},
                    {2 * b->n + more, 2 * b->n + more}});
}

/** DoRA: the norms of the rows of W + B A, in every forward pass, and the
 *  magnitudes that results are scaled by. */
static void list_dora(list_context *c, cost_product p, const beside *b)
{
    const double E = (double)c->bytes / 2;
    const double weights = E * NORM_BYTES * (double)(p.n * p.k * p.count);
    p3d_op *op;

    if (!c->job->adapters.dora)
        return;
    op = list_add(c, "norms of the adapted weights", P3D_OP_GEMM, P3D_FORWARD);
    op->m = p.n;
    op->n = p.k;
    op->k = b->rank;
    op->count = p.count;
    op->n_kernels = b->n * (int)p.count;
    op->weight_norm = true;
    list_pass(c, "norms and magnitudes",
            (list_work){{weights + E * MAGNITUDE_BYTES[0] * (double)b->results,
                                E * MAGNITUDE_BYTES[1] * (double)b->results},
                    {4 * b->n, 3 * b->n}});
    list_keep(c, (list_tensor){"frozen and adapted results",
                         "gradient of the magnitudes",
                         "arXiv:2402.09353 section 4.1", b->results, 2,
                         (double)c->bytes, P3D_MODULE_PER_OP, 0, false});
}

/** What ranks of tensor parallelism exchange of an adapter: results of A where
 *  it is divided by its rank or its input, results of B where that is divided
 *  by its output beside a matrix that is not; without sequence parallelism
 *  also the gradients of the input of A.
 *
 *  Source: NVIDIA-NeMo/Megatron-Bridge@03619215 src/megatron/bridge/peft/
 *  utils.py (ParallelLinearAdapter). */
static void list_adapter_exchange(
        list_context *c, cost_product p, const beside *b)
{
    static const char name[] = "adapters tensor parallelism";
    const bool by_input = c->linear.by_input;
    const double E = (double)c->bytes;
    const double inner = E * (double)(b->rows * b->rank * b->n);
    const int last = c->shard.sequence_parallel ? P3D_BACKWARD : P3D_FORWARD;
    const p3d_collective down = by_input ? P3D_ALL_REDUCE : P3D_ALL_GATHER;

    if (b->ranks == 1 || (!b->splits && !by_input))
        return;
    (void)list_collective(
            c, name, (list_transfer){P3D_FORWARD, down, b->axis, inner});
    if (!b->splits)
        return;
    (void)list_collective(c, name,
            (list_transfer){P3D_BACKWARD, P3D_ALL_REDUCE, b->axis, inner});
    if (by_input && !c->expert)
        for (int phase = P3D_FORWARD; phase <= last; phase++)
            (void)list_collective(c, name,
                    (list_transfer){(p3d_phase)phase, P3D_ALL_GATHER, b->axis,
                            E * (double)(b->rows * p.n)});
    if (!by_input && !c->shard.sequence_parallel)
        (void)list_collective(c, name,
                (list_transfer){P3D_BACKWARD, P3D_ALL_REDUCE, b->axis,
                        E * (double)(b->rows * p.k)});
}

/** The products with A and with each B. */
static void list_adapter_products(list_context *c, cost_product p, beside *b)
{
    const bool by_input = c->linear.by_input;
    const int64_t down =
            b->splits && !by_input ? p3d_ceil_div(b->rank, b->ranks) : b->rank;

    list_small_gemm(c, NAME_A, (cost_product){p.m, down, p.k, b->n * p.count});
    for (int i = 0; i < c->linear.n; i++) {
        const int64_t width =
                c->linear.of[i].width > 0 ? c->linear.of[i].width : p.n;
        const int64_t up =
                b->splits && by_input ? p3d_ceil_div(width, b->ranks) : width;

        if (!list_adapts(c, c->linear.of[i].target))
            continue;
        list_small_gemm(c, NAME_B, (cost_product){p.m, up, b->rank, p.count});
        b->results += (by_input && b->splits ? c->resident * p.count
                                             : p.m * p.count) *
                      width;
    }
}

/** One adapter beside all of a product: joint ones are no several matrices. */
static void join_matrices(list_context *c, cost_product *p)
{
    unsigned targets = 0;

    for (int i = 0; i < c->linear.n; i++)
        targets |= c->linear.of[i].target;
    list_matrix_of(c, c->linear.part, targets, c->linear.by_input);
    p->m *= p->count;
    p->count = 1;
}

void list_adapters(list_context *c, cost_product p)
{
    beside b;

    list_dequantize(c, p);
    if (c->adapters == NULL)
        return;
    if (c->adapters->joined)
        join_matrices(c, &p);
    b = beside_of(c, p);
    if (b.n == 0)
        return;
    list_adapter_products(c, p, &b);
    list_adapter_exchange(c, p, &b);
    list_adapter_passes(c, p, &b);
    list_dora(c, p, &b);
    keep_adapters(c, p, &b);
}

/**
 * Parameters of the adapters of a block on one rank.
 *
 *     P = sum over adapted matrices of r (d_in + d_out)  [+ DoRA d_out]
 *
 * as they are divided over tensor-parallel ranks: the gradients of their
 * weights in the list.
 *
 * Source: arXiv:2106.09685 section 4.1; arXiv:2402.09353 equation 5.
 * Tested: tests/unit/test_adapters.c
 */
p3d_params cost_adapter_params(const p3d_workload *list, const p3d_job *job)
{
    p3d_params sum = {0, 0};

    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *const op = &list->ops[i];
        const bool is_up = strcmp(op->name, NAME_B) == 0;
        const int64_t n = op->count * op->m *
                          (op->n + (job->adapters.dora && is_up ? 1 : 0));

        if (!op->adapter || !op->weight_gradient)
            continue;
        sum.experts += op->expert ? n : 0;
        sum.dense += op->expert ? 0 : n;
    }
    return sum;
}
