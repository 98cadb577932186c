/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_recompute_modules.c - what is kept, brought back and run again when
 * units of a layer, or whole layers, are recomputed. */
#include "problem.h"

#include <stdio.h>

#include "cost/cost.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))
#define I64(n)        INT64_C(n)

enum {
    CORE = P3D_MODULE_CORE_ATTENTION,
    LATENT = P3D_MODULE_LATENT_UP,
    NORMS = P3D_MODULE_NORMS,
    MLP = P3D_MODULE_MLP,
    MLP_ACT = P3D_MODULE_MLP_ACTIVATION,
    MOE = P3D_MODULE_MOE,
    MOE_ACT = P3D_MODULE_MOE_ACTIVATION,
    SHARED = P3D_MODULE_SHARED_EXPERTS,
    PER_OP = P3D_MODULE_PER_OP,
    ALL_UNITS = PER_OP - 1
};

static p3d_blocks blocks_of(
        const p3d_problem *problem, int tp, int ep, unsigned modules)
{
    const p3d_shard shard = {.tp = tp,
            .cp = 1,
            .ep = ep,
            .etp = ep > 1 ? 1 : tp,
            .micro_batch = 1,
            .sequence_parallel = tp > 1,
            .modules = modules};
    p3d_blocks blocks;

    p3d_blocks_build(problem, shard, &blocks);
    return blocks;
}

/* Bytes of a layer of 4,096 tokens that are not kept. LLaMA-2-7B: T h 2 B =
 * 4096 x 4096 x 2 = 33,554,432 and T f 2 B = 4096 x 11008 x 2 = 90,177,536;
 * Mixtral: 8,192 rows; DeepSeek-V3: 32,768 rows, 128 heads of 192 (queries,
 * keys) and 128 (values). */
static const struct {
    const char *model, *framework;
    int tp, ep, kind;
    unsigned modules;
    int64_t dropped;
} drops[] = {
        /* 4 B x 4096 x 32: the log-sum-exp */
        {"llama-2-7b", "generic", 1, 1, 0, CORE, 524288},
        /* inputs of the QKV projection and of the MLP */
        {"llama-2-7b", "generic", 1, 1, 0, NORMS, 2 * 33554432},
        /* gate, up and their product */
        {"llama-2-7b", "generic", 1, 1, 0, MLP, 3 * 90177536},
        /* the product */
        {"llama-2-7b", "generic", 1, 1, 0, MLP_ACT, 90177536},
        /* without fusion also the activated gate */
        {"llama-2-7b", "megatron-kwai", 1, 1, 0, MLP_ACT, 2 * 90177536},
        {"llama-2-7b", "megatron-kwai", 1, 1, 0, MLP, 4 * I64(90177536)},
        {"llama-2-7b", "megatron-local", 1, 1, 0, MLP, 3 * 90177536},
        /* compiled: gate, up and their product */
        {"llama-2-7b", "fsdp2", 1, 1, 0, MLP, 3 * 90177536},
        /* a dense layer has none of these */
        {"llama-2-7b", "generic", 1, 1, 0, LATENT | MOE | MOE_ACT | SHARED, 0},
        /* the union: the activation lies in the MLP */
        {"llama-2-7b", "generic", 1, 1, 0, MLP | MLP_ACT, 3 * 90177536},
        {"llama-2-7b", "generic", 1, 1, 0, CORE | NORMS | MLP,
                524288 + 2 * 33554432 + 3 * 90177536},
        /* tp = 4: everything by 4 */
        {"llama-2-7b", "generic", 4, 1, 0, CORE | NORMS | MLP,
                (524288 + 2 * 33554432 + 3 * 90177536) / 4},
        /* 3 x 8192 x 14336 x 2 B */
        {"mixtral-8x7b", "generic", 1, 8, P3D_LAYER_MOE, MOE_ACT, 234881024},
        /* and the sorted tokens, 8192 x 4096 x 2 B, and 8 B of each row */
        {"mixtral-8x7b", "generic", 1, 8, P3D_LAYER_MOE, MOE,
                3 * 234881024 + 67108864 + 65536},
        {"mixtral-8x7b", "generic", 1, 8, P3D_LAYER_MOE, MLP | MLP_ACT | SHARED,
                0},
        {"mixtral-8x7b", "generic", 1, 8, P3D_LAYER_MOE, NORMS, 2 * 33554432},
        /* 4 B x 4096 x 128 */
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, CORE, 2097152},
        /* 2 B x 4096 x 128 x (192 + 192 + 128) */
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, LATENT, 536870912},
        /* 2 x 2 B x 4096 x 7168 */
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, NORMS, 117440512},
        /* 2 B x 32768 x 2048 */
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, MOE_ACT, 134217728},
        /* 3 x 2 B x 4096 x 2048 */
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, SHARED, 50331648},
        /* sorted tokens 2 B x 32768 x 7168, 8 B of each row, 3 tensors of the
         * experts and those of the shared ones */
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, MOE,
                469762048 + 262144 + 3 * 134217728 + 50331648},
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE, MOE | MOE_ACT | SHARED,
                469762048 + 262144 + 3 * 134217728 + 50331648},
        {"deepseek-v3", "generic", 1, 8, P3D_LAYER_MOE,
                MOE_ACT | SHARED | LATENT, 134217728 + 50331648 + 536870912},
        /* its dense layers: 3 x 2 B x 4096 x 18432 */
        {"deepseek-v3", "generic", 1, 8, 0, MLP, 452984832},
        {"deepseek-v3", "generic", 1, 8, 0, MOE | MOE_ACT | SHARED, 0},
};

static void modules_drop_these_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(drops); i++) {
        const p3d_problem problem = problem_of(
                drops[i].model, "8xA100", drops[i].framework, 4096, 8);
        const p3d_blocks blocks =
                blocks_of(&problem, drops[i].tp, drops[i].ep, drops[i].modules);
        const int64_t *saved = blocks.block[drops[i].kind].saved_bytes;
        const int64_t got =
                saved[P3D_RECOMPUTE_NONE] - saved[P3D_RECOMPUTE_SELECTIVE];

        if (got != drops[i].dropped)
            print_error("row %d, %s\n", i, drops[i].model);
        assert_int_equal(got, drops[i].dropped);
    }
}

/* By operation torchtitan keeps the layer's input, queries, values, the output
 * of attention and its log-sum-exp, and every second product: 4 x 2 B T h, 4 B
 * T a, the gate. Not compiled, the output of the last product too. */
static void recomputation_by_operation_keeps_every_second_product(void **state)
{
    p3d_problem problem = problem_of("llama-2-7b", "8xA100", "fsdp2", 4096, 8);
    const int64_t kept = 4 * I64(33554432) + 524288 + 90177536;

    (void)state;
    assert_int_equal(blocks_of(&problem, 1, 1, 0)
                             .block[0]
                             .saved_bytes[P3D_RECOMPUTE_SELECTIVE],
            kept);
    problem.job.eager = true;
    assert_int_equal(blocks_of(&problem, 1, 1, 0)
                             .block[0]
                             .saved_bytes[P3D_RECOMPUTE_SELECTIVE],
            kept + 33554432);
}

/* One module after the other comes back: the largest counts. */
static void the_largest_module_comes_back(void **state)
{
    static const struct {
        unsigned modules;
        int64_t bytes;
    } cases[] = {{CORE, 524288}, {NORMS, 2 * 33554432},
            {CORE | NORMS, 2 * 33554432}, {NORMS | MLP_ACT, 90177536},
            {CORE | NORMS | MLP_ACT | MLP, 3 * 90177536}};
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "generic", 4096, 8);

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        const p3d_blocks blocks = blocks_of(&problem, 1, 1, cases[i].modules);

        assert_int_equal(blocks.block[0].replay_bytes[P3D_RECOMPUTE_SELECTIVE],
                cases[i].bytes);
    }
}

/** Models with every unit among them; the kind of their last layer. */
static const struct {
    const char *name;
    int ep;
} layered[] = {{"llama-2-7b", 1}, {"gpt3-175b", 1}, {"gemma-2-9b", 1},
        {"mixtral-8x7b", 8}, {"deepseek-v3", 8}, {"qwen3-30b-a3b", 8}};

static p3d_block last_block(
        const p3d_problem *problem, int ep, unsigned modules)
{
    const int kind = problem->model.layer_kind[problem->model.n_layers - 1];

    return blocks_of(problem, 1, ep, modules).block[kind];
}

static void more_modules_never_keep_more(void **state)
{
    static int64_t kept[ALL_UNITS + 1];

    (void)state;
    for (int i = 0; i < N_ROWS(layered); i++) {
        const p3d_problem problem =
                problem_of(layered[i].name, "8xA100", "generic", 2048, 8);

        for (unsigned set = 1; set <= ALL_UNITS; set++)
            kept[set] = last_block(&problem, layered[i].ep, set)
                                .saved_bytes[P3D_RECOMPUTE_SELECTIVE];
        for (unsigned set = 1; set <= ALL_UNITS; set++) {
            for (unsigned one = 1; one <= ALL_UNITS; one <<= 1)
                assert_true(kept[set | one] <= kept[set]);
        }
    }
}

/* Whoever drops something runs something again, the whole layer at most; more
 * modules take no less time. */
static void what_is_dropped_takes_time_to_bring_back(void **state)
{
    int n = 0;

    (void)state;
    for (int i = 0; i < N_ROWS(layered); i++) {
        const p3d_problem problem =
                problem_of(layered[i].name, "8xA100", "generic", 2048, 8);

        for (unsigned set = 1; set <= ALL_UNITS; set++) {
            const p3d_block b = last_block(&problem, layered[i].ep, set);
            const double again = b.replay_s[P3D_RECOMPUTE_SELECTIVE];
            const double flop = b.replay_flop[P3D_RECOMPUTE_SELECTIVE];
            const bool drops_some = b.saved_bytes[P3D_RECOMPUTE_SELECTIVE] <
                                    b.saved_bytes[P3D_RECOMPUTE_NONE];

            assert_true(drops_some ? again > 0 : again >= 0);
            assert_true(again <= b.replay_s[P3D_RECOMPUTE_FULL]);
            assert_true(flop <= b.replay_flop[P3D_RECOMPUTE_FULL]);
            for (unsigned one = 1; one <= ALL_UNITS; one <<= 1) {
                const p3d_block more =
                        last_block(&problem, layered[i].ep, set | one);

                assert_true(more.replay_s[P3D_RECOMPUTE_SELECTIVE] >=
                            again * (1 - 1e-12));
                n++;
            }
        }
    }
    assert_true(n > 1000);
}

static void the_usual_modules_are_those_of_the_framework(void **state)
{
    int n;
    const p3d_framework *fw = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        const p3d_problem problem =
                problem_of("llama-2-7b", "8xA100", fw[i].name, 2048, 8);
        const p3d_block usual = last_block(&problem, 1, 0);
        const p3d_block said = last_block(&problem, 1, fw[i].usual_modules);

        assert_int_equal(usual.saved_bytes[P3D_RECOMPUTE_SELECTIVE],
                said.saved_bytes[P3D_RECOMPUTE_SELECTIVE]);
        assert_true(usual.replay_s[P3D_RECOMPUTE_SELECTIVE] ==
                    said.replay_s[P3D_RECOMPUTE_SELECTIVE]);
        assert_int_equal(fw[i].usual_modules & ~fw[i].modules, 0);
    }
}

/* LLaMA-2-7B on four ranks of 8 layers, the second with 3 micro-batches: a
 * layer keeps 539,492,352 B, its input is 33,554,432 B; its backward works on
 * two gradients of 2 B x 4096 x 11008 and one of the stream. */
static const int64_t layer = I64(539492352), input = 33554432;
static const int64_t backward = 2 * I64(90177536) + 33554432;

static const struct {
    const char *recompute;
    int inputs, whole, back; /* layers */
} groups[] = {{"none", 0, 8, 0}, {"full", 8, 0, 1}, {"full:1", 1, 7, 1},
        {"full:3", 3, 5, 1}, {"full:8", 8, 0, 1}, {"uniform:1", 8, 0, 1},
        {"uniform:2", 4, 0, 2}, {"uniform:3", 3, 0, 3}, {"uniform:4", 2, 0, 4},
        {"uniform:5", 2, 0, 5}, {"uniform:8", 1, 0, 8}};

static void a_group_of_layers_keeps_one_input(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 16);

    (void)state;
    for (int i = 0; i < N_ROWS(groups); i++) {
        char words[64];
        p3d_plan plan;
        p3d_stage s;

        (void)snprintf(words, sizeof(words), "pp=4,zero=1,recompute=%s",
                groups[i].recompute);
        plan = problem_plan(&problem, words);
        (void)problem_estimate(&problem, words); /* it is legal */
        s = problem_stage(&problem, &plan, 1);
        assert_int_equal(s.pass, P3D_PASS_BACKWARD);
        assert_int_equal(s.memory.activations_bytes,
                3 * (groups[i].inputs * input + groups[i].whole * layer));
        assert_int_equal(
                s.memory.working_bytes, backward + groups[i].back * layer);
    }
}

/* Every layer runs again once, whoever shares an input. */
static void groups_run_every_layer_again(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 16);
    const double all = problem_estimate(&problem, "pp=4,zero=1,recompute=full")
                               .time.recompute_s;
    const double four =
            problem_estimate(&problem, "pp=4,zero=1,recompute=full:4")
                    .time.recompute_s;

    (void)state;
    assert_true(all > 0);
    CHECK_REL(problem_estimate(&problem, "pp=4,zero=1,recompute=uniform:4")
                      .time.recompute_s,
            all, 1e-12);
    CHECK_REL(four, all / 2, 1e-12);
}

/* 32 layers and 16 micro-batches of a rank: full recomputation runs the four
 * products of a layer again (QKV, output, gate and up, down) and its attention;
 * selective the attention alone. */
static void what_runs_again_is_told_by_kind(void **state)
{
    enum { N = 32 * 16 };
    const p3d_problem problem =
            problem_of("llama-2-7b", "1xA100", "megatron-core", 4096, 16);
    p3d_plan plan = problem_plan(&problem, "zero=0,recompute=full");
    p3d_recomputed again;

    (void)state;
    p3d_estimate_recomputed(&problem, &plan, &again);
    CHECK_REL(again.n_gemms, 4 * N, 1e-12);
    CHECK_REL(again.n_cores, N, 1e-12);
    assert_true(again.n_passes >= 4 * N && again.time.memory_pass_s > 0);
    plan = problem_plan(&problem, "zero=0,recompute=selective");
    p3d_estimate_recomputed(&problem, &plan, &again);
    assert_true(again.n_gemms == 0 && again.n_passes == 0);
    CHECK_REL(again.n_cores, N, 1e-12);
    CHECK_REL(again.time.attention_s, p3d_time_step_s(&again.time), 1e-12);
    plan.recompute = P3D_RECOMPUTE_NONE;
    p3d_estimate_recomputed(&problem, &plan, &again);
    assert_true(p3d_time_step_s(&again.time) == 0 && again.n_cores == 0);
}

/* Selective with units: 8 layers without two norms' outputs and the MLP; the
 * largest, the MLP, comes back in the backward. */
static void a_rank_keeps_what_its_modules_leave(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 16);
    const p3d_plan plan = problem_plan(
            &problem, "pp=4,zero=1,recompute=selective:layernorm+mlp");
    const p3d_stage s = problem_stage(&problem, &plan, 1);

    (void)state;
    assert_int_equal(s.memory.activations_bytes,
            3 * 8 * (layer - 2 * input - 3 * I64(90177536)));
    assert_int_equal(s.memory.working_bytes, backward + 3 * I64(90177536));
}

/* Gemma 2 has a window in every second of its 42 layers: groups of four have
 * two of each kind, and one input of 2 B x 4096 x 3584. */
static void groups_reach_across_kinds_of_layer(void **state)
{
    const p3d_problem problem =
            problem_of("gemma-2-9b", "8xA100", "megatron-core", 4096, 8);
    const p3d_plan four = problem_plan(&problem, "zero=1,recompute=uniform:4");
    const int64_t stream = 2 * I64(4096) * 3584;

    (void)state;
    /* ceil(42 / 4) = 11, and the final norm's input and output. */
    assert_int_equal(problem_stage(&problem, &four, 0).memory.activations_bytes,
            11 * stream + 2 * stream);
}

/* Llama 4 Maverick has experts in every second layer: its first two are one
 * of each kind. */
static void the_first_layers_are_of_any_kind(void **state)
{
    const p3d_problem problem =
            problem_of("llama-4-maverick", "8xA100", "megatron-core", 4096, 8);
    const p3d_plan none = problem_plan(&problem, "ep=8,zero=1");
    const p3d_plan two = problem_plan(&problem, "ep=8,zero=1,recompute=full:2");
    const p3d_blocks blocks = blocks_of(&problem, 1, 8, 0);
    int64_t dropped = 0;

    (void)state;
    assert_true(problem.model.layer_kind[0] != problem.model.layer_kind[1]);
    for (int i = 0; i < 2; i++) {
        const int kind = problem.model.layer_kind[i];
        const int64_t *saved = blocks.block[kind].saved_bytes;

        dropped += saved[P3D_RECOMPUTE_NONE] - saved[P3D_RECOMPUTE_FULL];
    }
    assert_int_equal(
            problem_stage(&problem, &none, 0).memory.activations_bytes -
                    problem_stage(&problem, &two, 0).memory.activations_bytes,
            dropped);
}

/* FLOPs of a layer that full recomputation leaves out, one sequence of 4,096
 * tokens. */
static double left_out_flop(
        const char *model, const char *cluster, const char *framework)
{
    const p3d_problem problem = problem_of(model, cluster, framework, 4096, 64);
    const p3d_shard shard = {
            .tp = 1, .cp = 1, .ep = 1, .etp = 1, .micro_batch = 1};
    const p3d_blocks blocks = blocks_of(&problem, 1, 1, 0);
    p3d_workload list;

    p3d_workload_build(&problem.model, &problem.job, shard, 0, &list);
    return cost_forward_flop(&list) -
           blocks.block[0].replay_flop[P3D_RECOMPUTE_FULL];
}

/* No backward pass reads the result of Llama 2's last product, 11,008 x 4,096;
 * Gemma 2 has a norm behind it, Megatron-LM runs all of the layer again. */
static void a_last_product_is_run_again_where_it_is_needed(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "llm-foundry", 4096, 64);
    const p3d_block block = blocks_of(&problem, 1, 1, 0).block[0];

    (void)state;
    CHECK_REL(left_out_flop("llama-2-7b", "8xA100", "llm-foundry"),
            2.0 * 4096 * 4096 * 11008, 1e-12);
    CHECK_REL(left_out_flop("llama-2-7b", "256xTPU-v5e", "maxtext"),
            2.0 * 4096 * 4096 * 11008, 1e-12);
    assert_true(left_out_flop("llama-2-7b", "8xA100", "megatron-core") == 0);
    assert_true(left_out_flop("gemma-2-9b", "8xA100", "llm-foundry") == 0);
    CHECK_REL(block.forward_s - block.replay_s[P3D_RECOMPUTE_FULL],
            cost_gemm_s(&problem.cluster, P3D_BF16,
                    (cost_product){4096, 4096, 11008, 1}),
            1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(modules_drop_these_bytes),
            cmocka_unit_test(
                    recomputation_by_operation_keeps_every_second_product),
            cmocka_unit_test(the_largest_module_comes_back),
            cmocka_unit_test(more_modules_never_keep_more),
            cmocka_unit_test(what_is_dropped_takes_time_to_bring_back),
            cmocka_unit_test(the_usual_modules_are_those_of_the_framework),
            cmocka_unit_test(a_group_of_layers_keeps_one_input),
            cmocka_unit_test(groups_run_every_layer_again),
            cmocka_unit_test(what_runs_again_is_told_by_kind),
            cmocka_unit_test(a_rank_keeps_what_its_modules_leave),
            cmocka_unit_test(groups_reach_across_kinds_of_layer),
            cmocka_unit_test(the_first_layers_are_of_any_kind),
            cmocka_unit_test(a_last_product_is_run_again_where_it_is_needed),
    };

    return cmocka_run_group_tests_name("recomputation", tests, NULL, NULL);
}
