/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tower.c - towers that see and hear: parameters, published and by hand,
 * what a layer keeps, what is frozen, images of a sequence. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "cost/cost.h"
#include "spec/adapters.h"
#include "spec/tower.h"

#define I64(n) INT64_C(n)

static p3d_model load(const char *name)
{
    p3d_model model;
    p3d_error err = {0};
    char path[512];

    snprintf(path, sizeof(path), "%s/tests/data/towers/%s.json", P3D_SOURCE_DIR,
            name);
    problem_check(p3d_model_load(path, &model, &err), &err);
    return model;
}

static p3d_problem problem_with(const char *name, const char *framework)
{
    p3d_problem p = problem_of("llama-2-7b", "8xH100", framework, 4096, 64);

    p.model = load(name);
    return p;
}

/* Parameters of the checkpoints as the safetensors metadata of each on Hugging
 * Face has them: Qwen/Qwen2-VL-7B-Instruct, Qwen/Qwen2.5-VL-3B-Instruct and
 * -7B-Instruct, Qwen/Qwen3-VL-8B-Instruct, llava-hf/llava-1.5-7b-hf,
 * google/gemma-3-4b-it, mistralai/Mistral-Small-3.1-24B-Instruct-2503,
 * HuggingFaceTB/SmolVLM-256M-Instruct and SmolVLM2-2.2B-Instruct,
 * OpenGVLab/InternVL3-8B and -8B-hf, google/paligemma-3b-pt-224,
 * Qwen/Qwen2-Audio-7B-Instruct. A tied output matrix counts once. */
static void parameters_are_those_published(void **state)
{
    static const struct {
        const char *name;
        int64_t all, tower;
    } rows[] = {{"qwen2-vl-7b", I64(8291375616), I64(675759104)},
            {"qwen2.5-vl-3b", I64(3754622976), I64(668684288)},
            {"qwen2.5-vl-7b", I64(8292166656), I64(676550144)},
            {"qwen3-vl-8b", I64(8767123696), I64(576388336)},
            {"qwen3.5-4b", I64(4539265536), I64(333514240)},
            {"qwen3.5-35b-a3b", I64(35107181936), I64(446571248)},
            {"llava-1.5-7b", I64(7063427072), I64(324487168)},
            {"gemma-3-4b", I64(4300079472), I64(419816304)},
            {"mistral-small-3.1-24b", I64(24011361280), I64(438958080)},
            {"smolvlm-256m", I64(256484928), I64(93510912)},
            {"smolvlm2-2.2b", I64(2246784880), I64(434220912)},
            {"internvl3-8b", I64(7944373760), I64(331552768)},
            {"internvl3-8b-hf", I64(7944373760), I64(331552768)},
            {"paligemma-3b", I64(2923466480), I64(414803696)},
            {"qwen2-audio-7b", I64(8397094912), I64(642215936)}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const p3d_model m = load(rows[i].name);

        assert_int_equal(p3d_total_params(&m), rows[i].all);
        assert_int_equal(p3d_tower_params(&m), rows[i].tower);
        assert_string_equal(m.not_counted, "");
    }
}

static int64_t block_of(const p3d_model *m, int block)
{
    return p3d_block_params(m, NULL, p3d_shard_whole(), block).dense;
}

/* CLIP ViT-L/14-336: 303,507,456 parameters, and the projector of LLaVA. */
static void parts_of_clip_add_up(void **state)
{
    const p3d_model m = load("llava-1.5-7b");
    const int64_t h = 1024, f = 4096, w = 4096;
    const int64_t layer = 4 * (h * h + h) + 2 * h * f + f + h + 2 * 2 * h;
    const int64_t ends = 3 * 14 * 14 * h + h + 577 * h + 2 * 2 * h;
    const int64_t projector = h * w + w + w * w + w;

    (void)state;
    assert_int_equal(24 * layer + ends, I64(303507456));
    assert_int_equal(block_of(&m, P3D_BLOCK_TOWER), layer);
    assert_int_equal(block_of(&m, P3D_BLOCK_TOWER_ENDS), ends + projector);
    assert_int_equal(p3d_tower_blocks(&m, P3D_BLOCK_TOWER), 24);
    assert_int_equal(p3d_tower_blocks(&m, P3D_BLOCK_TOWER_WINDOWED), 0);
}

/* Qwen2.5-VL: 28 of 32 layers see windows of 8 x 8 patches; a gated MLP with
 * biases, RMSNorm; a merger of 4 patches of 1280. */
static void parts_of_qwen_add_up(void **state)
{
    const p3d_model m = load("qwen2.5-vl-7b");
    const int64_t h = 1280, f = 3420, in = 5120, w = 3584;
    const int64_t layer = 4 * (h * h + h) + 3 * h * f + 2 * f + h + 2 * h;
    const int64_t merger = h + in * in + in + in * w + w;

    (void)state;
    assert_int_equal(block_of(&m, P3D_BLOCK_TOWER), layer);
    assert_int_equal(block_of(&m, P3D_BLOCK_TOWER_WINDOWED), layer);
    assert_int_equal(
            block_of(&m, P3D_BLOCK_TOWER_ENDS), 3 * 2 * 14 * 14 * h + merger);
    assert_int_equal(p3d_tower_blocks(&m, P3D_BLOCK_TOWER), 4);
    assert_int_equal(p3d_tower_blocks(&m, P3D_BLOCK_TOWER_WINDOWED), 28);
    assert_int_equal(m.tower.window_patches, 64);
}

static p3d_workload list_of(const p3d_problem *p, int block, int micro_batch)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_workload list;

    shard.micro_batch = micro_batch;
    p3d_workload_build(&p->model, &p->job, shard, block, &list);
    return list;
}

/* Of 577 patches in bf16: inputs of two norms and of two pairs of linears, q,
 * k, v and the output of the attention (8 h), the MLP before and behind its
 * activation (2 f), and 4 B a row and head. */
static void a_layer_keeps_what_it_needs(void **state)
{
    p3d_problem p = problem_with("llava-1.5-7b", "megatron-core");
    const int64_t s = 577, h = 1024, f = 4096;
    const int64_t kept = 2 * s * (8 * h + 2 * f) + 4 * s * 16;
    p3d_workload list = list_of(&p, P3D_BLOCK_TOWER, 1);

    (void)state;
    assert_int_equal(p3d_workload_saved_bytes(&list, 0), kept);
    assert_int_equal(p3d_workload_input_bytes(&list), 2 * s * h);
    list = list_of(&p, P3D_BLOCK_TOWER, 3);
    assert_int_equal(p3d_workload_saved_bytes(&list, 0), 3 * kept);
    p.job.n_images = 2;
    list = list_of(&p, P3D_BLOCK_TOWER, 3);
    assert_int_equal(p3d_workload_saved_bytes(&list, 0), 6 * kept);
    p.job.frozen = P3D_PART_VISION;
    list = list_of(&p, P3D_BLOCK_TOWER, 1);
    assert_int_equal(p3d_workload_saved_bytes(&list, 0), 0);
    p.job.no_images = true;
    list = list_of(&p, P3D_BLOCK_TOWER, 1);
    assert_int_equal(list.n_ops, 0);
}

/* Forward 2 operations a weight and patch, attention 4 s^2 h as all patches see
 * each other; backward twice that where it is trained. */
static void operations_are_those_of_a_layer(void **state)
{
    p3d_problem p = problem_with("llava-1.5-7b", "megatron-core");
    const double s = 577, h = 1024, f = 4096, t = 576, w = 4096;
    const double layers =
            24 * (2 * s * (4 * h * h + 2 * h * f) + 4 * s * s * h);
    const double stem = 2 * s * 588 * h;
    const double projector = 2 * t * (h * w + w * w);

    (void)state;
    /* No gradient of the pixels. */
    CHECK_REL(cost_tower_flop(&p.model, &p.job),
            3 * (layers + projector) + 2 * stem, 1e-12);
    p.job.frozen = P3D_PART_VISION | P3D_PART_PROJECTOR;
    CHECK_REL(cost_tower_flop(&p.model, &p.job), layers + projector + stem,
            1e-12);
    /* Of the projector's first matrix no gradient of the input. */
    p.job.frozen = P3D_PART_VISION;
    CHECK_REL(cost_tower_flop(&p.model, &p.job),
            layers + stem + 3 * projector - 2 * t * h * w, 1e-12);
    p.job.frozen = P3D_PART_PROJECTOR;
    CHECK_REL(cost_tower_flop(&p.model, &p.job),
            3 * layers + 2 * stem + 2 * projector, 1e-12);
}

/* A window of 64 patches is a sequence of its own. */
static void windows_are_sequences(void **state)
{
    const p3d_problem p = problem_with("qwen2.5-vl-7b", "megatron-core");
    const p3d_workload full = list_of(&p, P3D_BLOCK_TOWER, 2);
    const p3d_workload window = list_of(&p, P3D_BLOCK_TOWER_WINDOWED, 2);
    int n = 0;

    (void)state;
    for (int i = 0; i < full.n_ops; i++) {
        const p3d_op *const a = &full.ops[i];
        const p3d_op *const b = &window.ops[i];

        if (a->kind != P3D_OP_ATTENTION)
            continue;
        assert_true(a->not_causal);
        assert_int_equal(a->batch, 2);
        assert_int_equal(a->seq_q, 4096);
        assert_int_equal(b->batch, 2 * 64);
        assert_int_equal(b->seq_q, 64);
        n++;
    }
    assert_int_equal(n, 2);
}

static p3d_stage stage_of(const p3d_problem *p, const char *words, int rank)
{
    const p3d_plan plan = problem_plan(p, words);

    return problem_stage(p, &plan, rank);
}

/* The tower is whole on each rank of the first stage: tp divides nothing of it,
 * the second stage has nothing of it. */
static void it_lies_on_the_first_stage(void **state)
{
    const p3d_problem with = problem_with("llava-1.5-7b", "megatron-core");
    p3d_problem without = with;
    const int64_t tower = I64(324487168);

    (void)state;
    memset(&without.model.tower, 0, sizeof(without.model.tower));
    for (int tp = 1; tp <= 4; tp *= 2) {
        char words[64];

        snprintf(words, sizeof(words), "tp=%d,pp=2,zero=0,nosp", tp);
        assert_int_equal(stage_of(&with, words, 0).params.dense -
                                 stage_of(&without, words, 0).params.dense,
                tower);
        assert_int_equal(stage_of(&with, words, 1).params.dense,
                stage_of(&without, words, 1).params.dense);
    }
}

/* Frozen it has weights of 2 B and neither gradients nor states, and the
 * activations are those of the language model. */
static void frozen_it_has_no_states(void **state)
{
    p3d_problem trained = problem_with("llava-1.5-7b", "deepspeed-hf");
    p3d_problem frozen = trained;
    p3d_problem without = trained;
    const int64_t tower = I64(324487168);
    p3d_memory a, b, c;

    (void)state;
    frozen.job.frozen = P3D_PART_VISION | P3D_PART_PROJECTOR;
    memset(&without.model.tower, 0, sizeof(without.model.tower));
    a = stage_of(&trained, "zero=0,mbs=8", 0).memory;
    b = stage_of(&frozen, "zero=0,mbs=8", 0).memory;
    c = stage_of(&without, "zero=0,mbs=8", 0).memory;
    assert_int_equal(a.weights_bytes, b.weights_bytes);
    assert_int_equal(b.weights_bytes - c.weights_bytes, 2 * tower);
    assert_int_equal(b.gradients_bytes, c.gradients_bytes);
    assert_int_equal(b.optimizer_bytes, c.optimizer_bytes);
    assert_int_equal(a.optimizer_bytes - b.optimizer_bytes, 12 * tower);
    assert_int_equal(b.activations_bytes, c.activations_bytes);
    assert_true(a.activations_bytes > b.activations_bytes);
}

/* With adapters it is frozen, and its matrices are packed as the others: 24
 * layers of 4 h^2 + 2 h f in NF4. */
static void adapters_freeze_it(void **state)
{
    p3d_problem p = problem_with("llava-1.5-7b", "deepspeed-hf");
    p3d_problem without = p;
    const double h = 1024, f = 4096;
    const double matrices = 24 * (4 * h * h + 2 * h * f);
    p3d_error err = {0};

    (void)state;
    problem_check(
            spec_adapters_read("r=16,base=nf4", &p.job.adapters, &err), &err);
    without.job = p.job;
    memset(&without.model.tower, 0, sizeof(without.model.tower));
    assert_false(p3d_tower_trained(&p.model, &p.job));
    CHECK_REL((double)(stage_of(&p, "zero=0", 0).memory.weights_bytes -
                       stage_of(&without, "zero=0", 0).memory.weights_bytes),
            2 * (324487168.0 - matrices) + 0.515869140625 * matrices, 1e-8);
}

/* Recomputed, a layer keeps its input: s h in bf16. */
static void recomputed_layers_keep_their_input(void **state)
{
    p3d_problem p = problem_with("llava-1.5-7b", "megatron-core");
    const int64_t s = 577, h = 1024, f = 4096;
    const int64_t less = 2 * s * (7 * h + 2 * f) + 4 * s * 16;
    p3d_blocks keep, again;
    const p3d_block *a = &keep.block[P3D_BLOCK_EMBEDDING];
    const p3d_block *b = &again.block[P3D_BLOCK_EMBEDDING];

    (void)state;
    p3d_blocks_build(&p, p3d_shard_whole(), &keep);
    p.job.tower_recompute = P3D_OVERLAP_ON;
    p3d_blocks_build(&p, p3d_shard_whole(), &again);
    assert_int_equal(a->saved_bytes[P3D_RECOMPUTE_NONE] -
                             b->saved_bytes[P3D_RECOMPUTE_NONE],
            24 * less);
    assert_true(b->backward_s > a->backward_s);
    assert_int_equal(b->working_bytes - a->working_bytes, less + 2 * s * h);
}

/* A tower that is recomputed is a part of what runs again in a step. */
static void recomputed_layers_are_told_by_kind(void **state)
{
    p3d_problem p = problem_with("llava-1.5-7b", "megatron-core");
    const p3d_plan plan = problem_plan(&p, "tp=1,zero=1");
    p3d_recomputed again;

    (void)state;
    p.job.tower_recompute = P3D_OVERLAP_ON;
    p3d_estimate_recomputed(&p, &plan, &again);
    assert_true(again.time.gemm_s > 0 && again.n_cores > 0);
    CHECK_REL(p3d_time_step_s(&again.time),
            problem_estimate(&p, "tp=1,zero=1").time.recompute_s, 1e-9);
}

/* Fixed sizes have their tokens, others 1,024; a longer one is more tiles. */
static void images_have_their_tokens(void **state)
{
    static const struct {
        const char *name;
        int tokens, patches;
    } rows[] = {{"llava-1.5-7b", 576, 577}, {"qwen2.5-vl-7b", 1024, 4096},
            {"gemma-3-4b", 256, 4096}, {"smolvlm-256m", 64, 1024},
            {"smolvlm2-2.2b", 81, 729}, {"internvl3-8b", 256, 1025},
            {"paligemma-3b", 256, 256}, {"qwen2-audio-7b", 750, 1500},
            {"mistral-small-3.1-24b", 1024, 4096}};
    p3d_problem p = problem_with("internvl3-8b", "megatron-core");
    p3d_images images;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const p3d_model m = load(rows[i].name);

        images = p3d_job_images(&p.job, &m);
        assert_int_equal(images.n, 1);
        assert_int_equal(images.tokens, rows[i].tokens);
        assert_int_equal(images.tiles, 1);
        assert_int_equal(images.tile_patches, rows[i].patches);
    }
    p.job.image_tokens = 7 * 256;
    p.job.n_images = 2;
    images = p3d_job_images(&p.job, &p.model);
    assert_int_equal(images.tiles, 14);
    assert_int_equal(images.tile_patches, 1025);
}

static void refused(const p3d_problem *p, const char *words)
{
    p3d_refusal refusal = {0};

    assert_false(p3d_job_runs(&p->model, &p->cluster, &p->job, &refusal));
    assert_non_null(strstr(refusal.reason, words));
}

static void images_stand_inside_the_sequence(void **state)
{
    p3d_problem p = problem_with("qwen2.5-vl-7b", "megatron-core");
    p3d_refusal refusal;

    (void)state;
    p.job.n_images = 4;
    assert_true(p3d_job_runs(&p.model, &p.cluster, &p.job, &refusal));
    p.job.n_images = 5;
    refused(&p, "5 x 1024 tokens of images are longer than a sequence of 4096");
    p = problem_of("llama-2-7b", "8xH100", "megatron-core", 4096, 8);
    p.job.n_images = 1;
    refused(&p, "no tower that plan3d knows");
}

static void check_refused(const char *text, const char *words)
{
    p3d_model model;
    p3d_error err = {0};

    assert_false(p3d_model_parse("config.json", text, &model, &err));
    test_check_error(&err, P3D_DATA, words);
}

#define TEXT                                                             \
    "\"text_config\": {\"model_type\": \"llama\", \"hidden_size\": 64, " \
    "\"intermediate_size\": 128, \"num_hidden_layers\": 2, "             \
    "\"num_attention_heads\": 4, \"vocab_size\": 32}"

/* LLaVA-NeXT has LLaVA's parts and a vector of the decoder's width; an image is
 * five tiles of 7 x 7 patches. */
static void tiled_images_have_more_tokens(void **state)
{
    static const char text[] = "{\"model_type\": \"%s\", \"vision_config\": "
                               "{}, " TEXT "}";
    p3d_model models[2];
    char file[512];

    (void)state;
    for (int i = 0; i < 2; i++) {
        p3d_error err = {0};

        snprintf(file, sizeof(file), text, i == 0 ? "llava" : "llava_next");
        problem_check(
                p3d_model_parse("config.json", file, &models[i], &err), &err);
    }
    assert_int_equal(
            p3d_tower_params(&models[1]) - p3d_tower_params(&models[0]), 64);
    assert_int_equal(models[0].tower.image_tokens, 49);
    assert_int_equal(models[1].tower.image_tokens, 5 * 49);
}

/* What is wrong is said; what is not known is named, and not counted. */
static void a_wrong_tower_is_refused(void **state)
{
    static const char *const unknown[] = {
            "{\"model_type\": \"llava\", \"vision_config\": {\"model_type\": "
            "\"dinov9\"}, " TEXT "}",
            "{\"model_type\": \"llava\", \"vision_config\": {\"model_type\": "
            "\"siglip_vision_model\"}, " TEXT "}",
            "{\"model_type\": \"llava\", \"vision_feature_layer\": [-2, -5], "
            "\"vision_config\": {}, " TEXT "}",
            "{\"model_type\": \"vipllava\", \"vision_config\": {}, " TEXT "}",
            "{\"model_type\": \"llava\", " TEXT "}"};

    (void)state;
    check_refused("{\"model_type\": \"llava\", \"vision_config\": "
                  "{\"hidden_size\": -1}, " TEXT "}",
            "'hidden_size' of the tower is no whole number from 1");
    check_refused("{\"model_type\": \"llava\", \"vision_config\": "
                  "{\"patch_size\": \"big\"}, " TEXT "}",
            "'patch_size' of the tower is no whole number");
    check_refused("{\"model_type\": \"llava\", \"vision_config\": "
                  "{\"hidden_size\": 770}, " TEXT "}",
            "the 12 heads of the tower do not divide its hidden size 770");
    check_refused("{\"model_type\": \"internvl\", \"downsample_ratio\": 0, "
                  "\"vision_config\": {}, " TEXT "}",
            "'downsample_ratio' is no number from 0.1 to 1");
    for (int i = 0; i < P3D_COUNT_OF(unknown); i++) {
        p3d_model model;
        p3d_error err = {0};

        problem_check(
                p3d_model_parse("config.json", unknown[i], &model, &err), &err);
        assert_int_equal(model.tower.hidden, 0);
        assert_string_equal(model.not_counted, "vision_config");
        assert_int_equal(p3d_tower_params(&model), 0);
    }
}

static void quantized_files_are_named(void **state)
{
    p3d_model model;
    p3d_error err = {0};

    (void)state;
    problem_check(p3d_model_parse("config.json",
                          "{\"model_type\": \"llava\", \"quantization_config\""
                          ": {\"quant_method\": \"fp8\"}, " TEXT "}",
                          &model, &err),
            &err);
    assert_string_equal(model.quantization, "fp8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(parameters_are_those_published),
            cmocka_unit_test(parts_of_clip_add_up),
            cmocka_unit_test(parts_of_qwen_add_up),
            cmocka_unit_test(a_layer_keeps_what_it_needs),
            cmocka_unit_test(operations_are_those_of_a_layer),
            cmocka_unit_test(windows_are_sequences),
            cmocka_unit_test(it_lies_on_the_first_stage),
            cmocka_unit_test(frozen_it_has_no_states),
            cmocka_unit_test(adapters_freeze_it),
            cmocka_unit_test(recomputed_layers_keep_their_input),
            cmocka_unit_test(recomputed_layers_are_told_by_kind),
            cmocka_unit_test(images_have_their_tokens),
            cmocka_unit_test(images_stand_inside_the_sequence),
            cmocka_unit_test(tiled_images_have_more_tokens),
            cmocka_unit_test(a_wrong_tower_is_refused),
            cmocka_unit_test(quantized_files_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
