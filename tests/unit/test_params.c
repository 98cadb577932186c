/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_params.c - parameter counts against published ones, and their shares. */
#include "test.h"

#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "plan3d/workload.h"

#define I64(n) INT64_C(n)

/* clang-format off */
/* Where a published number is from. */
#define HUB         "Hugging Face Hub API, safetensors.total"
#define THIRD_PARTY "counted in the checkpoint by others, in public tables"
#define FORMULA     "none published: a separate implementation of the formulas"

/* What is stored beside the unique parameters of the main model is taken off
 * in the third column, and named. */
static const struct {
    const char *name;
    int64_t published;
    int64_t not_parameters;
    const char *source;
} published[] = {
    {"llama-2-7b", 6738417664,
     32 * 64,
     HUB ": less 32 * 64 rotary frequencies"},
    {"llama-2-13b", 13015866880,
     40 * 64,
     HUB ": less 40 * 64 rotary frequencies"},
    {"llama-30b", 32528943616, 0, FORMULA},
    {"llama-65b", 65285660672, 0, FORMULA},
    {"llama-2-70b", 68976653312,
     80 * 64,
     HUB ": less 80 * 64 rotary frequencies"},
    {"llama-3-8b", 8030261248, 0, HUB},
    {"llama-3-70b", 70553706496, 0, HUB},
    {"llama-3.1-405b", 405853388800, 0, HUB},
    {"llama-3.2-1b", 1235814400, 0, THIRD_PARTY},
    {"llama-3.2-3b", 3212749824, 0, HUB},
    {"tinyllama-1.1b", 1100048384, 0, THIRD_PARTY},
    {"codellama-34b", 33743970304, 0, FORMULA},
    {"mistral-7b-v0.1", 7241732096, 0, HUB},
    {"mistral-7b-v0.3", 7248023552, 0, HUB},
    {"mistral-nemo-12b", 12247782400, 0, HUB},
    {"mistral-large-2407", 122610069504, 0, FORMULA},
    {"mixtral-8x7b", 46702792704, 0, THIRD_PARTY},
    {"mixtral-8x22b", 140630071296, 0, THIRD_PARTY},
    {"qwen2-0.5b", 494032768, 0, THIRD_PARTY},
    {"qwen2.5-1.5b", 1543714304, 0, FORMULA},
    {"qwen2.5-3b", 3085938688, 0, FORMULA},
    {"qwen2-7b", 7615616512, 0, HUB},
    {"qwen2.5-14b", 14770033664, 0, FORMULA},
    {"qwen2.5-32b", 32763876352, 0, FORMULA},
    {"qwen2.5-72b", 72706203648, 0, HUB},
    {"qwen3-0.6b", 596049920, 0, THIRD_PARTY},
    {"qwen3-1.7b", 1720574976, 0, FORMULA},
    {"qwen3-4b", 4022468096, 0, FORMULA},
    {"qwen3-8b", 8190735360, 0, HUB},
    {"qwen3-14b", 14768307200, 0, FORMULA},
    {"qwen3-32b", 32762123264, 0, HUB},
    {"qwen3-30b-a3b", 30532122624, 0, HUB},
    {"qwen3-235b-a22b", 235093634560, 0, HUB},
    {"qwen1.5-moe-a2.7b", 14315784192, 0, HUB},
    {"qwen2-57b-a14b", 57408658944, 0, FORMULA},
    {"deepseek-v2-lite", 15706484224, 0, HUB},
    {"deepseek-v2", 235741434880, 0, HUB},
    {"deepseek-v3", 684531386000,
     11610068224 + I64(2) * 129280 * 7168 + 41540496,
     HUB ": less MTP layer with copies of embedding and head, fp8 scales"},
    {"kimi-k2", 1026408232448, 0, FORMULA},
    {"gpt2", 124439808, 0, "karpathy/llm.c README.md:52 (num_parameters)"},
    {"gpt2-medium", 354823168, 0, FORMULA},
    {"gpt2-large", 774030080, 0, FORMULA},
    {"gpt2-xl", 1557611200, 0, FORMULA},
    {"pythia-70m", 70426624, 0, FORMULA},
    {"pythia-160m", 162322944, 0, FORMULA},
    {"pythia-410m", 405334016, 0, FORMULA},
    {"pythia-1b", 1011781632, 0, FORMULA},
    {"pythia-1.4b", 1414647808, 0, THIRD_PARTY},
    {"pythia-2.8b", 2775208960, 0, THIRD_PARTY},
    {"pythia-6.9b", 6857302016, 0, THIRD_PARTY},
    {"pythia-12b", 11846072320, 0, THIRD_PARTY},
    {"gpt-neox-20b", 20554567680, 0, "Hugging Face model card text"},
    {"gpt-j-6b", 6053381344,
     28 * 3 * 4096 * 7 + 2 * 4096 * 7 + 8 * 4096,
     "kingoflolz/mesh-transformer-jax README.md:77: less copies on 8 shards"},
    {"opt-125m", 125239296, 0, FORMULA},
    {"opt-1.3b", 1315758080, 0, FORMULA},
    {"opt-6.7b", 6658473984, 0, FORMULA},
    {"opt-13b", 12853473280, 0, FORMULA},
    {"opt-30b", 29974540288, 0, FORMULA},
    {"opt-66b", 65719701504, 0, FORMULA},
    {"bloom-560m", 559214592, 0, THIRD_PARTY},
    {"bloom-7b1", 7069016064, 0, THIRD_PARTY},
    {"bloom-176b", 176247271424, 0, "huggingface.js safetensors parser test"},
    {"falcon-7b", 7217189760,
     65024 * 4544,
     THIRD_PARTY ": less the stored copy of the tied head"},
    {"falcon-40b", 41303293952, 0, FORMULA},
    {"falcon-180b", 179522565120,
     65024 * 14848,
     HUB ": less the stored copy of the tied head"},
    {"mpt-7b", 6649286656, 0, FORMULA},
    {"mpt-30b", 29957200896, 0, FORMULA},
    {"phi-1.5", 1418270720, 0, FORMULA},
    {"phi-2", 2779683840, 0, HUB},
    {"phi-3-mini", 3821079552, 0, HUB},
    {"phi-3-medium", 13960238080, 0, FORMULA},
    {"phi-4", 14659507200, 0, HUB},
    {"gemma-2b", 2506172416, 0, FORMULA},
    {"gemma-7b", 8537680896, 0, FORMULA},
    {"gemma-2-2b", 2614341888, 0, FORMULA},
    {"gemma-2-9b", 9241705984, 0, HUB},
    {"gemma-2-27b", 27227128320, 0, HUB},
    {"gemma-3-1b", 999885952, 0, THIRD_PARTY},
    {"gemma-3-4b", 3880263168, 0, THIRD_PARTY},
    {"gemma-3-12b", 11766034176, 0, FORMULA},
    {"gemma-3-27b", 27009346304, 0, FORMULA},
    {"gemma-4-e2b", 4628569344, 0, FORMULA},
    {"gemma-4-e4b", 7463013376, 0, FORMULA},
    {"gpt-oss-20b", 20914757184, 0, HUB},
    {"gpt-oss-120b", 116829156672, 0, HUB},
    {"olmo-2-7b", 7298617344, 0, HUB},
    {"olmo-2-13b", 13716198400, 0, HUB},
    {"glm-4-9b-0414", 9400279040, 0, "llama.cpp n-params in a public log"},
    {"glm-4-32b-0414", 32566081536, 0, FORMULA},
    {"glm-4.5", 358337791296,
     5539962272,
     HUB ": less MTP layer with copies of embedding and head"},
    {"glm-4.5-air", 110468824832,
     3616573568,
     HUB ": less MTP layer with copies of embedding and head"},
    {"llama-4-scout", 107769861120, 0, FORMULA},
    {"llama-4-maverick", 400711848960, 0, FORMULA},
    {"mixtral-8x22b-v0.1", 140620634112, 0, FORMULA},
    {"qwen3-coder-480b-a35b", 480154875392, 0, HUB},
    {"phi-4-mini", 3836021760, 0, HUB},
    {"moonlight-16b-a3b", 15960110208, 0, FORMULA},
};
/* clang-format on */

static p3d_model load(const char *name)
{
    p3d_model model = {0};
    p3d_error err = {0};

    if (!p3d_model_find(name, &model, &err))
        fail_msg("%s: %s: %s", name, err.pointer, err.text);
    return model;
}

static p3d_shard shard_of(int tp, int ep, int etp)
{
    return (p3d_shard){
            .tp = tp, .cp = 1, .ep = ep, .etp = etp, .micro_batch = 1};
}

static p3d_params block_of(const p3d_model *model, p3d_shard shard, int block)
{
    return p3d_block_params(model, NULL, shard, block);
}

static void check_count(int64_t got, int64_t want)
{
    if (got != want)
        fail_msg("%lld instead of %lld", (long long)got, (long long)want);
}

static void counts_agree_with_the_published_ones_to_the_integer(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(published); i++) {
        const p3d_model model = load(published[i].name);
        const int64_t got = p3d_total_params(&model);
        const int64_t want =
                published[i].published - published[i].not_parameters;

        if (got != want)
            fail_msg("%s has %lld parameters instead of %lld (%s)",
                    published[i].name, (long long)got, (long long)want,
                    published[i].source);
    }
}

static void deepseek_v3_counts_in_transformers_without_its_correction(
        void **state)
{
    p3d_model model = load("deepseek-v3");

    (void)state;
    model.router_correction = false;
    check_count(p3d_total_params(&model), I64(671026404352));
}

static void prediction_layers_are_not_counted(void **state)
{
    p3d_model model = load("deepseek-v3");
    const int64_t with = p3d_total_params(&model);

    (void)state;
    assert_int_equal(model.n_mtp_layers, 1);
    model.n_mtp_layers = 0;
    check_count(p3d_total_params(&model), with);
}

/* Definition: all parameters but those of the experts that a token does not
 * visit, with the embedding counted once and whole. The publishers round to
 * one or two digits, hence the tolerances. gpt-oss counts the output matrix
 * and not the embedding (arXiv:2508.10925). */
static void active_parameters_agree_with_the_published_ones(void **state)
{
    static const struct {
        const char *name;
        double published;
        double tolerance;
        bool without_embedding;
        const char *source;
    } rows[] = {
            {"mixtral-8x7b", 12.9e9, 0.005, false, "arXiv:2401.04088 1"},
            {"deepseek-v3", 37e9, 0.02, false, "arXiv:2412.19437 abstract"},
            {"deepseek-v2", 21e9, 0.02, false, "arXiv:2405.04434 abstract"},
            {"qwen3-30b-a3b", 3.3e9, 0.02, false, "Qwen3-30B-A3B model card"},
            {"qwen3-235b-a22b", 22e9, 0.02, false, "Qwen3-235B model card"},
            {"gpt-oss-120b", 5.13e9, 0.002, true, "arXiv:2508.10925 Table 1"},
            {"gpt-oss-20b", 3.61e9, 0.01, true, "arXiv:2508.10925 Table 1"},
            {"llama-4-scout", 17e9, 0.02, false, "Llama 4 model card"},
            {"llama-4-maverick", 17e9, 0.02, false, "Llama 4 model card"},
            {"kimi-k2", 32e9, 0.03, false, "Kimi-K2 model card"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const p3d_model model = load(rows[i].name);
        double active = (double)p3d_active_params(&model);

        if (rows[i].without_embedding)
            active -= (double)model.vocab * model.hidden;
        CHECK_REL(active, rows[i].published, rows[i].tolerance);
    }
}

static void all_parameters_of_a_dense_model_are_active(void **state)
{
    const p3d_model model = load("llama-3-8b");

    (void)state;
    check_count(p3d_active_params(&model), I64(8030261248));
}

static void a_layer_counts_its_matrices_and_norms(void **state)
{
    const p3d_model model = load("llama-3-8b");
    const p3d_params one = block_of(&model, shard_of(1, 1, 1), 0);

    (void)state;
    check_count(one.dense, 4096 * 4096 + 2 * 4096 * 1024 + 4096 * 4096 +
                                   3 * 4096 * 14336 + 2 * 4096);
    check_count(one.experts, 0);
}

static void tensor_parallelism_divides_matrices_but_not_norms(void **state)
{
    const p3d_model model = load("llama-3-8b");
    const int64_t matrices =
            2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336;

    (void)state;
    for (int tp = 1; tp <= 8; tp *= 2)
        check_count(block_of(&model, shard_of(tp, 1, 1), 0).dense,
                matrices / tp + 2 * 4096);
}

static void more_ranks_than_key_value_heads_copy_them(void **state)
{
    const p3d_model model = load("llama-3-8b");

    (void)state;
    check_count(block_of(&model, shard_of(16, 1, 1), 0).dense,
            2 * 4096 * 4096 / 16 + 2 * 4096 * 1024 / 8 + 3 * 4096 * 14336 / 16 +
                    2 * 4096);
}

static void biases_of_row_parallel_matrices_are_not_divided(void **state)
{
    const p3d_model model = load("gpt2-xl"); /* 25 heads of 64 */
    const p3d_params half = block_of(&model, shard_of(5, 1, 1), 0);

    (void)state;
    check_count(half.dense, 4 * 1600 * 1600 / 5 + 3 * 1600 / 5 + 1600 +
                                    2 * 1600 * 6400 / 5 + 6400 / 5 + 1600 +
                                    4 * 1600);
}

static void latent_down_projections_are_not_divided(void **state)
{
    const p3d_model model = load("deepseek-v3");
    const int64_t down = 7168 * 1536 + 1536 + 7168 * (512 + 64) + 512;
    const int64_t up = I64(128) * (1536 * 192 + 512 * 256 + 128 * 7168);

    (void)state;
    for (int tp = 1; tp <= 8; tp *= 2)
        check_count(block_of(&model, shard_of(tp, 1, 1), 0).dense,
                down + up / tp + I64(3) * 7168 * 18432 / tp + 2 * 7168);
}

static void experts_divide_by_ep_and_etp_and_the_router_by_nothing(void **state)
{
    const p3d_model model = load("mixtral-8x7b");
    const int64_t experts = I64(8) * 3 * 4096 * 14336;
    const int64_t attention = 2 * 4096 * 4096 + 2 * 4096 * 1024;

    (void)state;
    for (int ep = 1; ep <= 8; ep *= 2) {
        const p3d_params one =
                block_of(&model, shard_of(2, ep, 2), P3D_LAYER_MOE);

        check_count(one.experts, experts / ep / 2);
        check_count(one.dense, attention / 2 + 4096 * 8 + 2 * 4096);
    }
}

static void shared_experts_divide_by_tp_and_count_as_dense(void **state)
{
    const p3d_model model = load("qwen1.5-moe-a2.7b");
    const p3d_params one = block_of(&model, shard_of(4, 4, 1), P3D_LAYER_MOE);

    (void)state;
    check_count(one.experts, I64(60) / 4 * 3 * 2048 * 1408);
    check_count(one.dense, 4 * 2048 * 2048 / 4 + 3 * 2048 / 4 + 2048 * 60 +
                                   3 * 2048 * 5632 / 4 + 2048 + 2 * 2048);
}

static void biased_experts_keep_the_bias_of_their_output_whole(void **state)
{
    const p3d_model model = load("gpt-oss-20b");
    const p3d_params one = block_of(&model, shard_of(2, 4, 2), P3D_LAYER_MOE);

    (void)state;
    check_count(
            one.experts, I64(8) * (3 * 2880 * 2880 / 2 + 2 * 2880 / 2 + 2880));
    check_count(one.dense, 2 * 2880 * 4096 / 2 + 2 * 2880 * 512 / 2 +
                                   (4096 + 1024) / 2 + 2880 + 32 + 2880 * 32 +
                                   32 + 2 * 2880);
}

static void vocabulary_is_padded_as_the_framework_does(void **state)
{
    const p3d_framework framework = {.vocab_multiple = 128};
    const p3d_framework plain = {0};
    const p3d_model model = load("llama-2-7b");

    (void)state;
    check_count(p3d_padded_vocab(&model, NULL, 8), 32000);
    check_count(p3d_padded_vocab(&model, &plain, 8), 32000);
    check_count(p3d_padded_vocab(&model, &framework, 1), 32000);
    check_count(p3d_padded_vocab(&model, &framework, 8), 32768);
    check_count(p3d_block_params(&model, &framework, shard_of(8, 1, 1),
                        P3D_BLOCK_EMBEDDING)
                        .dense,
            32768 / 8 * 4096);
    check_count(p3d_block_params(
                        &model, &framework, shard_of(8, 1, 1), P3D_BLOCK_HEAD)
                        .dense,
            32768 / 8 * 4096 + 4096);
}

static void a_tied_head_has_no_output_matrix(void **state)
{
    const p3d_model model = load("llama-3.2-1b");

    (void)state;
    check_count(block_of(&model, shard_of(1, 1, 1), P3D_BLOCK_HEAD).dense,
            model.hidden);
}

static void learned_positions_lie_on_the_embedding_undivided(void **state)
{
    const p3d_model model = load("gpt2");

    (void)state;
    check_count(block_of(&model, shard_of(3, 1, 1), P3D_BLOCK_EMBEDDING).dense,
            (50257 + 2) / 3 * 768 + 1024 * 768);
}

static void a_narrow_embedding_needs_a_projection_at_both_ends(void **state)
{
    const p3d_model model = load("opt-350m");

    (void)state;
    check_count(block_of(&model, shard_of(1, 1, 1), P3D_BLOCK_EMBEDDING).dense,
            50272 * 512 + 2050 * 1024 + 512 * 1024);
    check_count(block_of(&model, shard_of(1, 1, 1), P3D_BLOCK_HEAD).dense,
            512 * 1024);
}

static void a_biased_head_divides_its_bias(void **state)
{
    const p3d_model model = load("gpt-j-6b");

    (void)state;
    check_count(block_of(&model, shard_of(2, 1, 1), P3D_BLOCK_HEAD).dense,
            2 * 4096 + 50400 / 2 * 4096 + 50400 / 2);
}

static void blocks_add_up_to_the_whole_model(void **state)
{
    const p3d_model model = load("glm-4.5-air");
    int64_t sum = 0;

    (void)state;
    for (int block = 0; block < P3D_N_BLOCKS; block++) {
        const p3d_params one = block_of(&model, shard_of(1, 1, 1), block);
        const int n = block < P3D_N_LAYER_KINDS
                              ? p3d_model_count_layers(&model, block)
                              : 1;

        sum += n * (one.dense + one.experts);
    }
    check_count(sum, p3d_total_params(&model));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(
                    counts_agree_with_the_published_ones_to_the_integer),
            cmocka_unit_test(
                    deepseek_v3_counts_in_transformers_without_its_correction),
            cmocka_unit_test(prediction_layers_are_not_counted),
            cmocka_unit_test(active_parameters_agree_with_the_published_ones),
            cmocka_unit_test(all_parameters_of_a_dense_model_are_active),
            cmocka_unit_test(a_layer_counts_its_matrices_and_norms),
            cmocka_unit_test(tensor_parallelism_divides_matrices_but_not_norms),
            cmocka_unit_test(more_ranks_than_key_value_heads_copy_them),
            cmocka_unit_test(biases_of_row_parallel_matrices_are_not_divided),
            cmocka_unit_test(latent_down_projections_are_not_divided),
            cmocka_unit_test(
                    experts_divide_by_ep_and_etp_and_the_router_by_nothing),
            cmocka_unit_test(shared_experts_divide_by_tp_and_count_as_dense),
            cmocka_unit_test(
                    biased_experts_keep_the_bias_of_their_output_whole),
            cmocka_unit_test(vocabulary_is_padded_as_the_framework_does),
            cmocka_unit_test(a_tied_head_has_no_output_matrix),
            cmocka_unit_test(learned_positions_lie_on_the_embedding_undivided),
            cmocka_unit_test(
                    a_narrow_embedding_needs_a_projection_at_both_ends),
            cmocka_unit_test(a_biased_head_divides_its_bias),
            cmocka_unit_test(blocks_add_up_to_the_whole_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
