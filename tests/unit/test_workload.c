/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_workload.c - the operations of blocks, with sizes worked out by hand. */
#include "problem.h"

#include <string.h>

static p3d_shard shard_of(int tp, int cp, int ep, int etp, int micro_batch)
{
    return (p3d_shard){.tp = tp,
            .cp = cp,
            .ep = ep,
            .etp = etp,
            .micro_batch = micro_batch,
            .sequence_parallel = tp > 1};
}

static p3d_workload list_of(
        const p3d_problem *problem, p3d_shard shard, int block)
{
    p3d_workload list;

    p3d_workload_build(&problem->model, &problem->job, shard, block, &list);
    return list;
}

static p3d_problem usual(const char *model, int seq_len)
{
    return problem_of(model, "8xA100", "megatron-core", seq_len, 8);
}

/** Where the n-th operation with this name in a phase is; -1 = nowhere. */
static int place(
        const p3d_workload *list, const char *name, p3d_phase phase, int n)
{
    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *op = &list->ops[i];

        if (strcmp(op->name, name) == 0 && op->phase == phase && n-- == 0)
            return i;
    }
    return -1;
}

/** The same, which must be there. */
static const p3d_op *find(
        const p3d_workload *list, const char *name, p3d_phase phase, int n)
{
    const int i = place(list, name, phase, n);

    if (i < 0)
        fail_msg("no '%s'", name);
    return &list->ops[i < 0 ? 0 : i];
}

/** Of the attention core, which selective recomputation runs again. */
static bool is_core(const p3d_op *op)
{
    return (op->modules & P3D_MODULE_CORE_ATTENTION) != 0;
}

static void check_shape(
        const p3d_op *op, int64_t m, int64_t n, int64_t k, int64_t count)
{
    assert_int_equal(op->kind, P3D_OP_GEMM);
    assert_int_equal(op->m, m);
    assert_int_equal(op->n, n);
    assert_int_equal(op->k, k);
    assert_int_equal(op->count, count);
}

/* C[m,n] = A[m,k] W[k,n]; backward dA[m,k] = dC W^T and dW[n,k] over m. */
static void check_gemm(const p3d_workload *list, const char *name, int64_t m,
        int64_t n, int64_t k, int64_t count)
{
    check_shape(find(list, name, P3D_FORWARD, 0), m, n, k, count);
    assert_int_equal(place(list, name, P3D_FORWARD, 1), -1);
    check_shape(find(list, name, P3D_BACKWARD, 0), m, k, n, count);
    check_shape(find(list, name, P3D_BACKWARD, 1), n, k, m, count);
    assert_int_equal(place(list, name, P3D_BACKWARD, 2), -1);
}

static int count_kind(
        const p3d_workload *list, p3d_op_kind kind, p3d_phase phase)
{
    int n = 0;

    for (int i = 0; i < list->n_ops; i++)
        n += list->ops[i].kind == kind && list->ops[i].phase == phase;
    return n;
}

static void check_collective(const p3d_op *op, p3d_collective collective,
        p3d_axis axis, double bytes, double exposed)
{
    assert_int_equal(op->kind, P3D_OP_COLLECTIVE);
    assert_int_equal(op->collective, collective);
    assert_int_equal(op->axis, axis);
    assert_true(op->bytes == bytes);
    assert_true(op->exposed_frac == exposed);
}

/* Llama-2-7B, tp = 2, two sequences of 4,096 = 8,192 tokens: qkv 3 x 4096 / 2
 * = 6144, output 4096 / 2 = 2048 wide, gate and up 2 x 11008 / 2 = 11008,
 * down 5504. */
static void a_llama_layer(void **state)
{
    const p3d_problem problem = usual("llama-2-7b", 4096);
    const p3d_workload list = list_of(&problem, shard_of(2, 1, 1, 2, 2), 0);
    const p3d_op *core = find(&list, "attention core", P3D_FORWARD, 0);

    (void)state;
    check_gemm(&list, "qkv projection", 8192, 6144, 4096, 1);
    check_gemm(&list, "output projection", 8192, 4096, 2048, 1);
    check_gemm(&list, "MLP up", 8192, 11008, 4096, 1);
    check_gemm(&list, "MLP down", 8192, 4096, 5504, 1);
    assert_int_equal(count_kind(&list, P3D_OP_GEMM, P3D_FORWARD), 4);
    assert_int_equal(count_kind(&list, P3D_OP_GEMM, P3D_BACKWARD), 8);
    assert_int_equal(core->heads, 16);
    assert_int_equal(core->batch, 2);
    assert_int_equal(core->seq_q, 4096);
    assert_int_equal(core->seq_kv, 4096);
    assert_int_equal(core->qk_dim, 128);
    assert_true(is_core(core));
    /* 2 B x 8,192 x 4,096 / 2 of the block's input stay on a rank. */
    assert_int_equal(p3d_workload_input_bytes(&list), 33554432);
}

/* arXiv:2205.05198 figure 5: gather in, scatter out, twice; backward the
 * gather of the input again. Payload 2 B x 8,192 x 4,096 = 64 MiB. */
static void sequence_parallelism_gathers_and_scatters(void **state)
{
    const p3d_problem problem = usual("llama-2-7b", 4096);
    const p3d_workload list = list_of(&problem, shard_of(2, 1, 1, 2, 2), 0);
    static const char *const names[] = {
            "attention tensor parallelism", "MLP tensor parallelism"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int phase = P3D_FORWARD; phase <= P3D_BACKWARD; phase++) {
            check_collective(find(&list, names[i], (p3d_phase)phase, 0),
                    P3D_ALL_GATHER, P3D_AXIS_TP, 67108864, 1);
            check_collective(find(&list, names[i], (p3d_phase)phase, 1),
                    P3D_REDUCE_SCATTER, P3D_AXIS_TP, 67108864,
                    phase == P3D_FORWARD ? 1 : 0);
        }
        check_collective(find(&list, names[i], P3D_BACKWARD, 2), P3D_ALL_GATHER,
                P3D_AXIS_TP, 67108864, 0);
    }
    assert_int_equal(count_kind(&list, P3D_OP_COLLECTIVE, P3D_FORWARD), 4);
    assert_int_equal(count_kind(&list, P3D_OP_COLLECTIVE, P3D_BACKWARD), 6);
}

/* GPT-3, tp = 8, scores kept: qkv 3 x 12288 / 8 = 4608; 96 / 8 = 12 heads of
 * 128: scores 2048 x 2048 over 128; MLP 49152 / 8 = 6144. All-reduces of 2 B x
 * 2,048 x 12,288 = 48 MiB, two each way (arXiv:1909.08053 section 3). */
static void a_gpt_layer(void **state)
{
    p3d_problem problem = usual("gpt3-175b", 2048);
    p3d_shard shard = shard_of(8, 1, 1, 8, 1);
    p3d_workload list;

    (void)state;
    shard.sequence_parallel = false;
    problem.job.attention = P3D_EAGER;
    list = list_of(&problem, shard, 0);
    check_gemm(&list, "qkv projection", 2048, 4608, 12288, 1);
    check_gemm(&list, "attention scores", 2048, 2048, 128, 12);
    check_gemm(&list, "attention over values", 2048, 128, 2048, 12);
    check_gemm(&list, "output projection", 2048, 12288, 1536, 1);
    check_gemm(&list, "MLP up", 2048, 6144, 12288, 1);
    check_gemm(&list, "MLP down", 2048, 12288, 6144, 1);
    assert_true(is_core(find(&list, "attention scores", P3D_FORWARD, 0)));
    assert_true(is_core(find(&list, "softmax", P3D_FORWARD, 0)));
    assert_true(is_core(find(&list, "attention over values", P3D_BACKWARD, 1)));
    assert_false(is_core(find(&list, "qkv projection", P3D_FORWARD, 0)));
    for (int phase = P3D_FORWARD; phase <= P3D_BACKWARD; phase++) {
        check_collective(find(&list, "attention tensor parallelism",
                                 (p3d_phase)phase, 0),
                P3D_ALL_REDUCE, P3D_AXIS_TP, 50331648,
                phase == P3D_FORWARD ? 1 : 0);
        assert_int_equal(
                count_kind(&list, P3D_OP_COLLECTIVE, (p3d_phase)phase), 2);
    }
}

/* A gate that is a linear of its own reduces the gradient of its input apart,
 * but with sequence parallelism. */
static void gates_apart_reduce_apart(void **state)
{
    p3d_problem problem = usual("llama-2-7b", 4096);
    p3d_shard shard = shard_of(2, 1, 1, 1, 1);

    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool apart = i % 2 != 0;
        p3d_workload list;

        shard.sequence_parallel = i / 2 != 0;
        problem.job.framework =
                p3d_framework_find(apart ? "aleph-alpha" : "deepspeed");
        list = list_of(&problem, shard, 0);
        check_collective(find(&list, "MLP tensor parallelism", P3D_BACKWARD, 0),
                shard.sequence_parallel ? P3D_ALL_GATHER : P3D_ALL_REDUCE,
                P3D_AXIS_TP, 33554432, 1);
        if (!shard.sequence_parallel)
            assert_int_equal(place(&list, "MLP tensor parallelism",
                                     P3D_BACKWARD, 1) >= 0,
                    apart);
    }
}

/* Mixtral 8x7B, ep = 8, 4,096 tokens: 4,096 x 2 = 8,192 rows on the one expert
 * of a rank; up 2 x 14336. Exchanged: 2 B x 8,192 x 4,096 = 64 MiB. */
static void a_mixtral_layer(void **state)
{
    const p3d_problem problem = usual("mixtral-8x7b", 4096);
    const p3d_workload list =
            list_of(&problem, shard_of(1, 1, 8, 1, 1), P3D_LAYER_MOE);

    (void)state;
    /* 32 heads and 2 x 8 key/value heads of 128. */
    check_gemm(&list, "qkv projection", 4096, 6144, 4096, 1);
    check_gemm(&list, "router", 4096, 8, 4096, 1);
    check_gemm(&list, "experts up", 8192, 28672, 4096, 1);
    check_gemm(&list, "experts down", 8192, 4096, 14336, 1);
    check_collective(find(&list, "dispatch to experts", P3D_FORWARD, 0),
            P3D_ALL_TO_ALL, P3D_AXIS_EP, 67108864, 1);
    check_collective(find(&list, "combine from experts", P3D_BACKWARD, 0),
            P3D_ALL_TO_ALL, P3D_AXIS_EP, 67108864, 1);
    assert_int_equal(place(&list, "MLP up", P3D_FORWARD, 0), -1);
    /* How many of 8 experts' tokens 8 ranks send, 8 bytes each; a weight of 4
     * bytes for each row. */
    check_collective(find(&list, "sizes of the exchange", P3D_FORWARD, 0),
            P3D_ALL_GATHER, P3D_AXIS_EP, 512, 1);
    check_collective(find(&list, "weights of the experts", P3D_BACKWARD, 0),
            P3D_ALL_TO_ALL, P3D_AXIS_EP, 32768, 1);
    assert_int_equal(count_kind(&list, P3D_OP_COLLECTIVE, P3D_FORWARD), 4);
}

/* tp = etp = 2, ep = 4: 2,048 resident tokens x 2 experts, gathered over the
 * two tensor-parallel ranks: 8,192 rows on 8 / 4 = 2 experts of half the width.
 * Each rank sends its own half of 64 MiB; the gather makes it whole. */
static void a_mixtral_layer_with_tensor_parallel_experts(void **state)
{
    const p3d_problem problem = usual("mixtral-8x7b", 4096);
    const p3d_workload list =
            list_of(&problem, shard_of(2, 1, 4, 2, 1), P3D_LAYER_MOE);

    (void)state;
    check_gemm(&list, "router", 2048, 8, 4096, 1);
    check_gemm(&list, "experts up", 4096, 14336, 4096, 2);
    check_gemm(&list, "experts down", 4096, 4096, 7168, 2);
    check_collective(find(&list, "dispatch to experts", P3D_FORWARD, 0),
            P3D_ALL_TO_ALL, P3D_AXIS_EP, 33554432, 1);
    check_collective(find(&list, "dispatch to experts", P3D_FORWARD, 1),
            P3D_ALL_GATHER, P3D_AXIS_ETP, 67108864, 1);
    /* Attention alone talks over tp. */
    assert_int_equal(
            place(&list, "MLP tensor parallelism", P3D_FORWARD, 0), -1);
}

/* etp = 1 under tp = 2: no gather, 2,048 x 2 rows on one expert. */
static void a_mixtral_layer_with_whole_experts(void **state)
{
    const p3d_problem problem = usual("mixtral-8x7b", 4096);
    const p3d_workload list =
            list_of(&problem, shard_of(2, 1, 8, 1, 1), P3D_LAYER_MOE);

    (void)state;
    check_gemm(&list, "experts up", 4096, 28672, 4096, 1);
    assert_int_equal(place(&list, "dispatch to experts", P3D_FORWARD, 1), -1);
}

/* DeepSeek-V3 (arXiv:2412.19437 section 4.2): query 7168 -> 1536 -> 128 x 192,
 * latent 7168 -> 512 + 64 and 512 -> 128 x (128 + 128), output 128 x 128 ->
 * 7168; 256 experts of 2048, 8 a token, one shared. 4,096 tokens, ep = 8:
 * 32,768 rows on 32 experts. */
static void a_deepseek_layer(void **state)
{
    const p3d_problem problem = usual("deepseek-v3", 4096);
    const p3d_workload list =
            list_of(&problem, shard_of(1, 1, 8, 1, 1), P3D_LAYER_MOE);
    const p3d_workload dense = list_of(&problem, shard_of(1, 1, 8, 1, 1), 0);
    const p3d_op *core = find(&list, "attention core", P3D_FORWARD, 0);

    (void)state;
    check_gemm(&list, "query down-projection", 4096, 1536, 7168, 1);
    check_gemm(&list, "query up-projection", 4096, 24576, 1536, 1);
    check_gemm(&list, "latent down-projection", 4096, 576, 7168, 1);
    check_gemm(&list, "latent up-projection", 4096, 32768, 512, 1);
    check_gemm(&list, "output projection", 4096, 7168, 16384, 1);
    check_gemm(&list, "router", 4096, 256, 7168, 1);
    check_gemm(&list, "experts up", 1024, 4096, 7168, 32);
    check_gemm(&list, "experts down", 1024, 7168, 2048, 32);
    check_gemm(&list, "shared experts up", 4096, 4096, 7168, 1);
    check_gemm(&list, "shared experts down", 4096, 7168, 2048, 1);
    check_gemm(&dense, "MLP up", 4096, 36864, 7168, 1);
    assert_int_equal(place(&dense, "router", P3D_FORWARD, 0), -1);
    assert_int_equal(core->qk_dim, 192);
    assert_int_equal(core->v_dim, 128);
    assert_int_equal(core->heads, 128);
}

/* cp = 4: a quarter of the 8,192 tokens; the ring gathers keys and values of
 * the whole sequence, 2 B x 8,192 x 2 x 8 heads x 128 = 32 MiB. */
static void context_parallelism_divides_the_tokens(void **state)
{
    const p3d_problem problem = usual("llama-3-8b", 8192);
    const p3d_workload list = list_of(&problem, shard_of(1, 4, 1, 1, 1), 0);
    const p3d_op *core = find(&list, "attention core", P3D_FORWARD, 0);

    (void)state;
    check_gemm(&list, "qkv projection", 2048, 6144, 4096, 1);
    assert_int_equal(core->seq_q, 2048);
    assert_int_equal(core->seq_kv, 8192);
    assert_int_equal(core->count, 4);
    check_collective(find(&list, "keys and values", P3D_FORWARD, 0),
            P3D_ALL_GATHER, P3D_AXIS_CP, 33554432, 1);
    check_collective(
            find(&list, "gradients of keys and values", P3D_BACKWARD, 0),
            P3D_REDUCE_SCATTER, P3D_AXIS_CP, 33554432, 1);
}

/* cp = 8 of which 4 exchange heads: rings of 2, of a quarter of the heads. A
 * rank's tokens are an eighth of 8,192; exchanged, 2 B x 1,024 x (4,096 + 2 x
 * 1,024) = 12 MiB of queries, keys and values and 8 MiB of the output; the ring
 * gathers 2 B x 8,192 x 2 x 2 heads x 128 = 8 MiB. */
static void part_of_the_context_ranks_exchange_heads(void **state)
{
    const p3d_problem problem = usual("llama-3-8b", 8192);
    p3d_shard shard = shard_of(1, 8, 1, 1, 1);
    p3d_workload list;
    const p3d_op *core;

    (void)state;
    shard.ulysses = 4;
    list = list_of(&problem, shard, 0);
    core = find(&list, "attention core", P3D_FORWARD, 0);
    assert_int_equal(core->heads, 8);
    assert_int_equal(core->kv_heads, 2);
    assert_int_equal(core->seq_q, 4096);
    assert_int_equal(core->count, 2);
    check_collective(find(&list, "heads against tokens", P3D_FORWARD, 0),
            P3D_ALL_TO_ALL, P3D_AXIS_HEADS, 12582912, 1);
    check_collective(find(&list, "tokens against heads", P3D_BACKWARD, 0),
            P3D_ALL_TO_ALL, P3D_AXIS_HEADS, 8388608, 1);
    check_collective(find(&list, "keys and values", P3D_FORWARD, 0),
            P3D_ALL_GATHER, P3D_AXIS_RING, 8388608, 1);
}

/* 8 key/value heads on 16 tensor-parallel ranks: each holds one copy. */
static void key_value_heads_are_copied_where_tp_exceeds_them(void **state)
{
    const p3d_problem problem = usual("llama-3-70b", 4096);
    const p3d_workload list = list_of(&problem, shard_of(16, 1, 1, 16, 1), 0);

    (void)state;
    /* 64 / 16 = 4 query heads, 1 + 1: 6 x 128. */
    check_gemm(&list, "qkv projection", 4096, 768, 8192, 1);
    assert_int_equal(
            find(&list, "attention core", P3D_FORWARD, 0)->kv_heads, 1);
}

/* Vocabulary 32,000 over tp = 2; loss 6 B for each of 4,096 x 16,000 logits;
 * the final norm keeps input and output, 2 x 2 B x 2,048 x 4,096. */
static void the_head(void **state)
{
    const p3d_problem problem = usual("llama-2-7b", 4096);
    const p3d_workload list =
            list_of(&problem, shard_of(2, 1, 1, 2, 1), P3D_BLOCK_HEAD);
    int moment = -1;

    (void)state;
    check_gemm(&list, "logits", 4096, 16000, 4096, 1);
    assert_int_equal(
            p3d_workload_working_bytes(&list, &moment), 6 * 4096 * 16000);
    assert_string_equal(p3d_moment_name(moment), "loss");
    assert_int_equal(p3d_workload_saved_bytes(&list, 0), 4 * 2048 * 4096);
    assert_int_equal(p3d_workload_input_bytes(&list), 2 * 2048 * 4096);
    check_collective(find(&list, "logits tensor parallelism", P3D_BACKWARD, 0),
            P3D_REDUCE_SCATTER, P3D_AXIS_TP, 2 * 4096 * 4096, 1);
}

static void the_embedding_multiplies_nothing(void **state)
{
    const p3d_problem problem = usual("llama-2-7b", 4096);
    const p3d_workload list =
            list_of(&problem, shard_of(1, 1, 1, 1, 1), P3D_BLOCK_EMBEDDING);

    (void)state;
    assert_int_equal(list.n_ops, 2);
    assert_int_equal(count_kind(&list, P3D_OP_PASS, P3D_FORWARD), 1);
    assert_int_equal(count_kind(&list, P3D_OP_PASS, P3D_BACKWARD), 1);
}

/* A parallel block reads one norm and reduces once. */
static void a_parallel_block_talks_once(void **state)
{
    const p3d_problem problem = usual("gpt-j-6b", 2048);
    p3d_shard shard = shard_of(2, 1, 1, 2, 1);
    p3d_workload list;

    (void)state;
    shard.sequence_parallel = false;
    list = list_of(&problem, shard, 0);
    assert_int_equal(count_kind(&list, P3D_OP_COLLECTIVE, P3D_FORWARD), 1);
    assert_int_equal(count_kind(&list, P3D_OP_COLLECTIVE, P3D_BACKWARD), 1);
}

/* Gemma-2: half of the layers see 4,096 of 8,192 tokens. */
static void windowed_layers_see_their_window(void **state)
{
    const p3d_problem problem = usual("gemma-2-9b", 8192);
    const p3d_shard whole = p3d_shard_whole();
    const p3d_workload global = list_of(&problem, whole, 0);
    const p3d_workload local = list_of(&problem, whole, P3D_LAYER_WINDOWED);

    (void)state;
    assert_int_equal(
            find(&global, "attention core", P3D_FORWARD, 0)->window, 0);
    assert_int_equal(
            find(&local, "attention core", P3D_FORWARD, 0)->window, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_llama_layer),
            cmocka_unit_test(sequence_parallelism_gathers_and_scatters),
            cmocka_unit_test(a_gpt_layer),
            cmocka_unit_test(gates_apart_reduce_apart),
            cmocka_unit_test(a_mixtral_layer),
            cmocka_unit_test(a_mixtral_layer_with_tensor_parallel_experts),
            cmocka_unit_test(a_mixtral_layer_with_whole_experts),
            cmocka_unit_test(a_deepseek_layer),
            cmocka_unit_test(context_parallelism_divides_the_tokens),
            cmocka_unit_test(part_of_the_context_ranks_exchange_heads),
            cmocka_unit_test(key_value_heads_are_copied_where_tp_exceeds_them),
            cmocka_unit_test(the_head),
            cmocka_unit_test(the_embedding_multiplies_nothing),
            cmocka_unit_test(a_parallel_block_talks_once),
            cmocka_unit_test(windowed_layers_see_their_window),
    };

    return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
