/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_import.c - plans of the settings that launch files have. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/megatron.h"
#include "exchange/read/import.h"
#include "reading.h"

/* Settling. */

static const char base[] =
        "x --num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 "
        "--num-attention-heads 32 --vocab-size 32000 --swiglu "
        "--normalization RMSNorm --disable-bias-linear "
        "--untie-embeddings-and-output-weights --position-embedding-type rope "
        "--max-position-embeddings 4096 --seq-length 4096 --bf16 "
        "--micro-batch-size 2 --global-batch-size 64 ";

static bool at_own_risk;

static bool settle(const char *options, exchange_import *import, p3d_error *err)
{
    char text[2048];
    p3d_cluster cluster;
    p3d_error cause = {0};

    snprintf(text, sizeof(text), "%s%s\n", base, options);
    exchange_settings_free(&settings);
    read_as("a.sh", text);
    problem_check(p3d_cluster_find("16xA100", &cluster, &cause), &cause);
    return exchange_import_settle(
            &(exchange_import_question){.target = &exchange_to_megatron,
                    .cluster = &cluster,
                    .job = &(p3d_job){0},
                    .at_own_risk = at_own_risk},
            &settings, import, err);
}

/* Of that model with another number of layers, 202,383,360 parameters each. */
static void check_plan_of(int n_layers, const char *options, const char *words)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};
    char text[512];

    assert_non_null(import);
    snprintf(text, sizeof(text), "%s --num-layers %d", options, n_layers);
    if (!settle(text, import, &err))
        fail_msg("%s: %s", text, err.text);
    assert_string_equal(
            p3d_plan_print(&import->launch.plan, text, sizeof(text)), words);
    assert_int_equal(p3d_total_params(&import->launch.model),
            6738415616 + (n_layers - 32) * 202383360LL);
    exchange_import_free(import);
    free(import);
}

static void check_plan(const char *options, const char *words)
{
    check_plan_of(32, options, words);
}

static void check_refused(const char *options, const char *words)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    assert_non_null(import);
    assert_false(settle(options, import, &err));
    test_check_error(&err, P3D_DATA, words);
    exchange_import_free(import);
    free(import);
}

/* The job of a script of Megatron with these words behind its options. */
static p3d_job job_of(const char *words)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};
    p3d_job job;

    assert_non_null(import);
    if (!settle(words, import, &err))
        fail_msg("%s: %s", words, err.text);
    assert_int_equal(import->unknown.length, 0);
    job = import->launch.job;
    exchange_import_free(import);
    free(import);
    return job;
}

/* Megatron-LM overlaps nothing that a script does not ask for; what plan3d
 * takes as usual has its flags. */
static void gradients_are_reduced_beside_the_passes_where_it_is_said(
        void **state)
{
    (void)state;
    assert_int_equal(job_of("").dp_overlap, P3D_OVERLAP_OFF);
    assert_int_equal(
            job_of("--overlap-grad-reduce").dp_overlap, P3D_OVERLAP_USUAL);
    assert_int_equal(
            job_of("--use-distributed-optimizer").dp_overlap, P3D_OVERLAP_OFF);
    assert_int_equal(job_of("--use-distributed-optimizer --overlap-grad-reduce")
                             .dp_overlap,
            P3D_OVERLAP_USUAL);
    assert_int_equal(job_of("--use-megatron-fsdp "
                            "--data-parallel-sharding-strategy "
                            "optim_grads_params")
                             .dp_overlap,
            P3D_OVERLAP_USUAL);
}

static void garbage_is_collected_as_often_as_it_is_said(void **state)
{
    (void)state;
    assert_int_equal(job_of("").gc_interval, 0);
    assert_int_equal(
            job_of("--manual-gc --manual-gc-interval 5").gc_interval, 5);
}

static void launches_block_where_the_environment_says_so(void **state)
{
    (void)state;
    assert_false(job_of("").launch_blocking);
    assert_true(job_of("\nexport CUDA_LAUNCH_BLOCKING=1").launch_blocking);
    assert_false(job_of("\nexport CUDA_LAUNCH_BLOCKING=0").launch_blocking);
}

static void segments_grow_where_the_environment_says_so(void **state)
{
    static const struct {
        const char *words;
        p3d_allocator allocator;
    } cases[] = {{"\nexport PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
                         P3D_ALLOCATOR_EXPANDABLE},
            {"\nexport PYTORCH_ALLOC_CONF=max_split_size_mb:512,"
             "expandable_segments:False",
                    P3D_ALLOCATOR_FIXED},
            {"\nexport PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512",
                    P3D_ALLOCATOR_USUAL}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++)
        assert_int_equal(job_of(cases[i].words).allocator, cases[i].allocator);
}

/* torchtitan's lists of converters: one scale a tensor where no recipe is
 * named, gathered in 16 bit where nothing else is said. */
static void float8_of_torchtitan_is_read(void **state)
{
    static const struct {
        const char *lines;
        p3d_dtype dtype;
        p3d_fp8_recipe recipe;
        bool copies;
    } files[] = {{"", P3D_BF16, P3D_FP8_USUAL, false},
            {"[float8]\nrecipe_name = \"rowwise\"\n", P3D_BF16, P3D_FP8_USUAL,
                    false},
            {"[model]\nconverters = [\"float8\"]\n[float8]\n"
             "enable_fsdp_float8_all_gather = true\n",
                    P3D_FP8, P3D_FP8_CURRENT, false},
            {"[model]\nconverters = [\"quantize.linear.float8\"]\n"
             "[quantize.linear.float8]\nrecipe_name = \"rowwise\"\n",
                    P3D_FP8, P3D_FP8_ROWWISE, true},
            {"[model]\nconverters = [\"quantize.linear.mx\"]\n", P3D_FP8,
                    P3D_FP8_MXFP8, true}};
    exchange_import *const import = malloc(sizeof(*import));
    const p3d_problem p = problem_of("llama-3-8b", "8xB200", "fsdp2", 4096, 64);

    (void)state;
    assert_non_null(import);
    for (int i = 0; i < P3D_COUNT_OF(files); i++) {
        char text[512];
        p3d_error err = {0};

        snprintf(text, sizeof(text),
                "[training]\nlocal_batch_size = 1\nseq_len = 4096\n%s",
                files[i].lines);
        exchange_settings_free(&settings);
        read_as("a.toml", text);
        if (!exchange_import_settle(
                    &(exchange_import_question){
                            .target = &exchange_to_torchtitan,
                            .model = &p.model,
                            .cluster = &p.cluster,
                            .job = &(p3d_job){0}},
                    &settings, import, &err))
            fail_msg("%d: %s", i, err.text);
        assert_int_equal(import->launch.job.dtype, files[i].dtype);
        assert_int_equal(import->launch.job.fp8_recipe, files[i].recipe);
        assert_int_equal(import->launch.job.fp8_copies, files[i].copies);
        exchange_import_free(import);
    }
    free(import);
}

static void nvfp4_of_megatron_is_read(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    if (!settle("--bf16 --fp4-format e2m1 --fp4-param-gather "
                "--use-distributed-optimizer",
                import, &err))
        fail_msg("%s", err.text);
    assert_int_equal(import->launch.job.dtype, P3D_NVFP4);
    assert_false(import->launch.job.fp8_copies);
    exchange_import_free(import);
    if (!settle("--bf16 --fp4-format e2m1 --use-distributed-optimizer", import,
                &err))
        fail_msg("%s", err.text);
    assert_true(import->launch.job.fp8_copies);
    exchange_import_free(import);
    assert_false(settle("--fp4-format e2m1 --fp8-format e4m3", import, &err));
    assert_non_null(strstr(err.text, "fp8 and fp4 contradict each other"));
    exchange_import_free(import);
    free(import);
}

static void fp8_and_teachers_of_megatron_are_read(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    if (!settle("--bf16 --fp8-format e4m3 --fp8-recipe mxfp8 "
                "--export-kd-teacher-load /teacher",
                import, &err))
        fail_msg("%s", err.text);
    assert_int_equal(import->launch.job.fp8_recipe, P3D_FP8_MXFP8);
    assert_non_null(strstr(
            p3d_text_get(&import->unmodelled), "export-kd-teacher-load"));
    exchange_import_free(import);
    free(import);
}

static void megatron_defaults_hold_where_nothing_is_said(void **state)
{
    (void)state;
    check_plan("", "tp=1,pp=1,dp=16,mbs=2,zero=0");
    check_plan("--sequence-parallel", "tp=1,pp=1,dp=16,mbs=2,zero=0");
    check_plan("--use-megatron-fsdp", "tp=1,pp=1,dp=16,mbs=2,zero=3");
    check_plan("--recompute-activations --use-distributed-optimizer",
            "tp=1,pp=1,dp=16,mbs=2,zero=1,recompute=selective");
}

static void megatron_has_two_ways_to_say_chunks(void **state)
{
    static const char plan[] = "tp=2,pp=4,dp=2,vp=4,mbs=2,zero=0,nosp";

    (void)state;
    check_plan("--tensor-model-parallel-size 2 "
               "--pipeline-model-parallel-size 4 "
               "--num-layers-per-virtual-pipeline-stage 2",
            plan);
    check_plan("--tensor-model-parallel-size=2 "
               "--pipeline-model-parallel-size=4 "
               "--num-virtual-stages-per-pipeline-rank=4",
            plan);
}

static void megatron_layouts_become_words(void **state)
{
    (void)state;
    check_plan("--pipeline-model-parallel-size 4 "
               "--pipeline-model-parallel-layout 'Et*6|(t*9|)*2t*8L'",
            "tp=1,pp=4,dp=4,mbs=2,zero=0,first=6,last=8");
    check_plan("--pipeline-model-parallel-size 2 "
               "--pipeline-model-parallel-layout 'E,t*16|t*16,L'",
            "tp=1,pp=2,dp=8,mbs=2,zero=0");
    check_refused("--pipeline-model-parallel-size 4 "
                  "--pipeline-model-parallel-layout 'Et*9|t*8|t*7|t*8L'",
            "plan3d has no words for the stages");
    check_refused("--pipeline-model-parallel-size 4 "
                  "--pipeline-model-parallel-layout Et*32L",
            "is no layout of pp=4 stages");
    /* 61 layers as 4 x 15 + 1, the last chunk alone of its own:
     * Megatron-Bridge's recipe of Kimi K2 for pp=8 with vp=2. */
    check_plan_of(61,
            "--pipeline-model-parallel-size 8 "
            "--pipeline-model-parallel-layout 'Et*4|(t*4|)*14tL'",
            "tp=1,pp=8,dp=2,vp=2,mbs=2,zero=0,last=1");
}

/* Layouts of recipes of DeepSeek-V3: Megatron-Bridge (H100 and B200),
 * Megatron-LM's documentation, AMD-AGI/Primus, NVIDIA's NeMo. */
static void megatron_layouts_have_short_and_bare_chunks(void **state)
{
    static const struct {
        const char *layout;
        const char *words;
    } cases[] = {
            {"'Et|(tt|)*30mL'", "uneven"},
            {"'Et*3|(tt|)*29m|L'", "first=3,tail=mtp-head"},
            {"'Et|t|(tt|)*29tL'", "first=1,last=1,short=1"},
            {"'Et|(tt|)*14,t|(tt|)*15,tL'", "first=1,last=1,short=15"},
            {"'Et*2|(tt|)*22t|(tt|)*7mL'", "short=23,tail=head"},
    };
    char options[200], plan[200];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        snprintf(options, sizeof(options),
                "--pipeline-model-parallel-size 8 --mtp-num-layers 1 "
                "--pipeline-model-parallel-layout %s",
                cases[i].layout);
        snprintf(plan, sizeof(plan), "tp=1,pp=8,dp=2,vp=4,mbs=2,zero=0,%s",
                cases[i].words);
        check_plan_of(61, options, plan);
    }
}

/* 30 layers and the two are 8 items a rank, as plan3d counts where options say
 * nothing; 31 and one are 8, or 4 a chunk. */
static void megatron_counts_embedding_and_loss_as_layers(void **state)
{
#define EMBEDDING "--account-for-embedding-in-pipeline-split "
#define LOSS      "--account-for-loss-in-pipeline-split "
#define STAGES    " --pipeline-model-parallel-size 4 "
    (void)state;
    check_plan_of(30, EMBEDDING LOSS STAGES, "tp=1,pp=4,dp=4,mbs=2,zero=0");
    check_plan_of(31, LOSS STAGES, "tp=1,pp=4,dp=4,mbs=2,zero=0");
    check_plan_of(31, EMBEDDING STAGES, "tp=1,pp=4,dp=4,mbs=2,zero=0,first=7");
    check_plan_of(31,
            EMBEDDING STAGES "--num-virtual-stages-per-pipeline-rank 2",
            "tp=1,pp=4,dp=4,vp=2,mbs=2,zero=0,first=3");
    check_refused(LOSS STAGES "--decoder-first-pipeline-num-layers 7",
            "go with no account-for-embedding or account-for-loss");
    check_refused(EMBEDDING LOSS STAGES,
            "32 layers, counted as the options of the pipeline's split say, "
            "are not shared out by pp=4 x vp=1");
#undef EMBEDDING
#undef LOSS
#undef STAGES
}

/* Layers of a rank, over its chunks: 8 of each are 4 a chunk; 2, 12, 12, 6 are
 * chunks of 1, 6, 6, 3, 1, 6, 6, 3. */
static void layers_of_megatrons_ranks_are_shared_by_their_chunks(void **state)
{
    (void)state;
    check_plan("--pipeline-model-parallel-size 4 "
               "--num-virtual-stages-per-pipeline-rank 2 "
               "--decoder-first-pipeline-num-layers 8",
            "tp=1,pp=4,dp=4,vp=2,mbs=2,zero=0");
    check_refused("--pipeline-model-parallel-size 4 "
                  "--num-virtual-stages-per-pipeline-rank 2 "
                  "--decoder-first-pipeline-num-layers 2 "
                  "--decoder-last-pipeline-num-layers 6",
            "no words for 2 layers of the first and 6 of the last rank");
}

static void degrees_that_contradict_are_refused(void **state)
{
    (void)state;
    check_refused("--tensor-model-parallel-size 3",
            "tp=3 x pp=1 x cp=1 does not divide 16 GPUs");
    check_refused("--fp16", "contradict each other");
    check_refused("--recompute-granularity full", "needs recompute-method");
    check_refused("--tensor-model-parallel-size 0", "out of range");
    check_refused("--recompute-granularity ful", "did you mean 'full'");
    check_refused("--use-distributed-optimizer "
                  "--num-distributed-optimizer-instances 3",
            "does not divide 16 replicas");
}

/* Those of the tables of plans and jobs; what is left out is said by 0 there,
 * and not in files. */
static void numbers_keep_to_the_ranges_of_their_fields(void **state)
{
    char words[64];

    (void)state;
    snprintf(words, sizeof(words), "out of range; write 1 to %d", P3D_MAX_GPUS);
    check_refused("--context-parallel-size 1000000000", words);
    check_refused("--decoder-first-pipeline-num-layers 0",
            "out of range; write 1 to 1024");
    check_refused("--seq-length 2000000000",
            "seq-length: 2000000000 is out of range; write 1 to 134217728");
    check_refused("--global-batch-size 1000000001",
            "out of range; write 1 to 1000000000");
    check_refused("--mtp-num-layers 2000", "out of range; write 0 to ");
}

/* The same limits as those of a config.json: no number is made of these. */
static void sizes_that_no_model_has_are_refused(void **state)
{
    (void)state;
    check_refused("--group-query-attention --num-query-groups 7",
            "7 key/value heads do not divide its 32 query heads");
    check_refused("--kv-channels 2000000000",
            "size of a head: 2000000000 is above 4096");
    check_refused("--num-layers 1025", "layers: 1025 is above 1024");
    check_refused("--num-experts 8 --moe-ffn-hidden-size 2000000000",
            "width of an expert: 2000000000 is above 262144");
    check_refused("--num-attention-heads 33", "33 do not divide");
}

static void nanotron_heads_share_the_hidden_size(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_cluster cluster;
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    problem_check(p3d_cluster_find("16xA100", &cluster, &err), &err);
    exchange_settings_free(&settings);
    read_as("a.yaml", "model:\n  model_config: {num_hidden_layers: 32, "
                      "hidden_size: 4096, num_attention_heads: 30, "
                      "vocab_size: 32000, intermediate_size: 11008}\n"
                      "tokens: {micro_batch_size: 1, sequence_length: 4096}\n");
    assert_false(exchange_import_settle(
            &(exchange_import_question){.target = &exchange_to_nanotron,
                    .cluster = &cluster,
                    .job = &(p3d_job){0}},
            &settings, import, &err));
    test_check_error(&err, P3D_DATA, "num_attention_heads 30 do not divide");
    exchange_import_free(import);
    free(import);
}

/* Inputs of nanotron's linears are gathered again unless it is told not to: the
 * costs are those of the option. verl's ranks of Ulysses exchange heads. */
static void options_change_the_costs_of_a_framework(void **state)
{
    static const char *const files[] = {"",
            "parallelism: {tp_recompute_allgather: true}\n",
            "parallelism: {tp_recompute_allgather: false}\n"};
    exchange_import *const import = malloc(sizeof(*import));
    p3d_model model;
    p3d_cluster cluster;
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    problem_check(p3d_cluster_find("8xA100", &cluster, &err), &err);
    problem_check(p3d_model_find("llama-2-7b", &model, &err), &err);
    for (int i = 0; i < P3D_COUNT_OF(files); i++) {
        char text[256];

        snprintf(text, sizeof(text),
                "%stokens: {micro_batch_size: 1, sequence_length: 4096}\n",
                files[i]);
        exchange_settings_free(&settings);
        read_as("a.yaml", text);
        problem_check(exchange_import_settle(
                              &(exchange_import_question){
                                      .target = &exchange_to_nanotron,
                                      .model = &model,
                                      .cluster = &cluster,
                                      .job = &(p3d_job){0}},
                              &settings, import, &err),
                &err);
        assert_int_equal(import->framework.keeps_gathered_input, i == 2);
        assert_int_equal(import->unmodelled.length, 0);
        exchange_import_free(import);
    }
    exchange_settings_free(&settings);
    read_as("a.json",
            "{\"zero_optimization\": {\"stage\": 3}, \"bf16\": {\"enabled\": "
            "true}, \"train_micro_batch_size_per_gpu\": 1, \"seq-length\": "
            "4096,"
            "\"ds-sequence-parallel-size\": 4}");
    problem_check(exchange_import_settle(
                          &(exchange_import_question){
                                  .target = &exchange_to_deepspeed,
                                  .model = &model,
                                  .cluster = &cluster,
                                  .job = &(p3d_job){0}},
                          &settings, import, &err),
            &err);
    assert_int_equal(import->launch.plan.cp, 4);
    assert_int_equal(import->launch.plan.dp, 2);
    assert_int_equal(import->launch.job.cp_comm, P3D_CP_ALL_TO_ALL);
    assert_true(import->framework.context_parallel);
    exchange_import_free(import);
    free(import);
}

static void what_is_not_known_is_kept(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    assert_true(settle("--no-such-flag 3 --optimizer-cpu-offload "
                       "--optimizer-offload-fraction $F",
            import, &err));
    assert_string_equal(p3d_text_get(&import->unknown), "");
    assert_string_equal(p3d_text_get(&import->unresolved), "");
    assert_string_equal(p3d_text_get(&import->doubtful),
            "optimizer-offload-fraction = $F (offload)\n"
            "no-such-flag = 3 (no option of Megatron-LM)\n");
    assert_int_equal(import->launch.plan.offload, P3D_OFFLOAD_OPTIMIZER);
    exchange_import_free(import);
    free(import);
}

/* What looks like a part of the plan is not among what has none. */
static void what_looks_like_a_part_of_the_plan_is_told_apart(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    assert_true(settle("--my-zero-stage 2 --wandb-project p --load_in_4bit "
                       "--no-such-batch 8 --my-offload false --tp-size 1",
            import, &err));
    assert_string_equal(p3d_text_get(&import->unknown),
            "wandb-project = p\nmy-offload = false\ntp-size = 1\n");
    assert_string_equal(p3d_text_get(&import->doubtful),
            "my-zero-stage = 2 (sharding)\n"
            "load_in_4bit (precision)\nno-such-batch = 8 (batch)\n");
    exchange_import_free(import);
    free(import);
}

/* The script describes the model: what no table knows of its layers may change
 * them. How many experts a token has is another thing in each version. */
static void what_looks_like_layers_is_told_apart(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    assert_true(settle("--num-experts 8 --glu-activation geglu "
                       "--post-mlp-layernorm --multiple-of 256 "
                       "--attention-softmax-in-fp32 --embed-layernorm "
                       "--init-method-std 0.02 --hidden-gate none",
            import, &err));
    assert_string_equal(p3d_text_get(&import->doubtful),
            "glu-activation = geglu (the model's layers)\n"
            "post-mlp-layernorm (the model's layers)\n"
            "multiple-of = 256 (the model's layers)\n");
    assert_non_null(strstr(p3d_text_get(&import->unmodelled),
            "experts of a token, which the files do not say: 2"));
    exchange_import_free(import);
    assert_true(settle("--num-experts 8 --moe-router-topk 1", import, &err));
    assert_string_equal(p3d_text_get(&import->unmodelled), "");
    exchange_import_free(import);
    free(import);
}

/* Nobody knows how many GPUs a replica has: no answer, but at own risk. */
static void what_looks_like_parallelism_has_no_answer(void **state)
{
    static const char *const refused[][2] = {
            {"--tp_size 8",
                    "'tp_size = 8' looks like parallelism, and Megatron-LM has "
                    "no such option; name the framework (--from), or leave it "
                    "out at your own risk (--force)"},
            {"--my-pipeline-parallel 2", "looks like parallelism"},
            {"--my-lora-rank 16", "looks like frozen weights or adapters"},
            {"--tensor-model-parallel-size $TP",
                    "'tensor-model-parallel-size = $TP' has its value from "
                    "outside; write --set TP=VALUE, or take the framework's "
                    "default at your own risk (--force)"},
            {"--expert-model-parallel-size ${EP:?}", "write --set EP=VALUE"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(refused); i++) {
        exchange_import *const import = malloc(sizeof(*import));
        p3d_error err = {0};

        check_refused(refused[i][0], refused[i][1]);
        assert_non_null(import);
        at_own_risk = true;
        if (!settle(refused[i][0], import, &err))
            fail_msg("%s: %s", refused[i][0], err.text);
        at_own_risk = false;
        assert_true(import->doubtful.length > 0);
        assert_int_equal(import->launch.plan.tp, 1);
        exchange_import_free(import);
        free(import);
    }
}

/* They change no size, and make the model the model. */
static void positions_and_norms_of_the_model_are_read(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    assert_true(settle("--rotary-base 500000 --norm-epsilon 1e-6 "
                       "--use-rope-scaling --rope-scaling-factor 8 "
                       "--apply-layernorm-1p",
            import, &err));
    assert_true(import->launch.model.centered_norms);
    CHECK_REL(import->launch.model.rotary.base, 500000, 1e-15);
    CHECK_REL(import->launch.model.norm_epsilon, 1e-6, 1e-15);
    CHECK_REL(import->launch.model.rotary.factor, 8, 1e-15);
    assert_int_equal(import->unknown.length + import->doubtful.length, 0);
    exchange_import_free(import);
    free(import);
}

/* Those of DeepSeek-V3, and several balances of which the first counts. */
static void routers_and_stretched_positions_are_read(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);

    const p3d_rotary *const rotary = &import->launch.model.rotary;
    const p3d_router *const router = &import->launch.model.router;

    assert_true(settle("--num-experts 64 --moe-router-topk 8 "
                       "--moe-router-num-groups 8 --moe-router-group-topk 4 "
                       "--moe-router-enable-expert-bias "
                       "--moe-router-score-function sigmoid "
                       "--moe-router-topk-scaling-factor 2.5 "
                       "--moe-router-load-balancing-type seq_aux_loss aux_loss "
                       "--moe-aux-loss-coeff 1e-4 1e-2 --moe-router-dtype fp32 "
                       "--position-embedding-type rope --rotary-percent 1.0 "
                       "--multi-latent-attention --rotary-scaling-factor 40 "
                       "--mscale 1.0 --mscale-all-dim 0.707",
            import, &err));
    assert_int_equal(router->score, P3D_SCORE_SIGMOID);
    assert_int_equal(router->balance, P3D_BALANCE_SEQUENCE);
    CHECK_REL(router->loss_weight, 1e-4, 1e-12);
    CHECK_REL(router->scale, 2.5, 1e-15);
    assert_false(router->keeps_scores);
    assert_int_equal(import->launch.model.expert_groups, 8);
    assert_int_equal(rotary->kind, P3D_ROTARY_YARN);
    CHECK_REL(rotary->factor, 40, 1e-15);
    CHECK_REL(rotary->mscale_all_dim, 0.707, 1e-15);
    assert_true(rotary->share <= 0);
    assert_int_equal(import->unknown.length + import->doubtful.length, 0);
    exchange_import_free(import);

    assert_true(settle("--position-embedding-type yarn "
                       "--rotary-scaling-factor 4 "
                       "--yarn-original-max-position-embeddings 32768 "
                       "--num-experts 8 --moe-router-pre-softmax",
            import, &err));
    assert_int_equal(rotary->kind, P3D_ROTARY_YARN);
    assert_int_equal(rotary->first_positions, 32768);
    assert_int_equal(import->launch.model.learned_positions, 0);
    assert_true(router->keeps_scores);
    exchange_import_free(import);
    free(import);
}

static void scripts_take_variables_from_outside(void **state)
{
    exchange_variable given[] = {{"TP", "4", false}, {"NO", "1", false}};
    exchange_settings read = {.given = given, .n_given = 2};
    exchange_setting *found;

    (void)state;
    assert_true(exchange_read_shell("PP=${PP:-2}\nTP=${TP:-1}\n"
                                    "x --tp $TP --pp ${PP} --n $((TP * 2))\n",
            &read, NULL));
    found = exchange_settings_find(&read, "tp", true);
    assert_string_equal(found->value, "4");
    found = exchange_settings_find(&read, "pp", true);
    assert_string_equal(found->value, "2");
    found = exchange_settings_find(&read, "n", true);
    assert_string_equal(found->value, "8");
    assert_true(given[0].used);
    assert_false(given[1].used);
    exchange_settings_free(&read);
}

static void what_changes_the_run_is_pointed_out(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    assert_true(settle("--use-torch-fsdp2 --window-size 128,0 "
                       "--tensor-parallel-num-weight-shards 1 --nnodes 4",
            import, &err));
    assert_string_equal(p3d_text_get(&import->unmodelled),
            "use-torch-fsdp2\nwindow-size = 128,0\n");
    assert_non_null(strstr(p3d_text_get(&import->contradicted),
            "nnodes = 2 by the cluster, not 4\n"));
    exchange_import_free(import);
    free(import);
}

/* One number of experts is read, and others stand behind it. */
static void several_values_of_a_number_are_pointed_out(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_error err = {0};

    (void)state;
    assert_non_null(import);
    assert_true(settle("--rampup-samples 4 --num-layers 32 64", import, &err));
    assert_non_null(strstr(p3d_text_get(&import->doubtful),
            "num-layers = 32 64 (several values)\n"));
    exchange_import_free(import);
    assert_true(settle("--num-layers 32 32", import, &err));
    assert_null(strstr(p3d_text_get(&import->doubtful), "several values"));
    exchange_import_free(import);
    free(import);
}

static void another_kind_of_distribution_is_refused(void **state)
{
    exchange_import *const import = malloc(sizeof(*import));
    p3d_cluster cluster;
    p3d_error err = {0};
    const p3d_model model = {.n_layers = 2};

    (void)state;
    assert_non_null(import);
    read_as("a.yaml", "distributed_type: DEEPSPEED\nnum_processes: 16\n");
    problem_check(p3d_cluster_find("16xA100", &cluster, &err), &err);
    assert_false(exchange_import_settle(
            &(exchange_import_question){.target = &exchange_to_accelerate,
                    .model = &model,
                    .cluster = &cluster,
                    .job = &(p3d_job){0}},
            &settings, import, &err));
    test_check_error(&err, P3D_DATA, "no model of the value 'DEEPSPEED'");
    exchange_import_free(import);
    free(import);
}

static void patterns_of_expert_layers_are_those_of_megatron(void **state)
{
    static const struct {
        const char *pattern;
        int n_layers, n_moe, first;
    } rows[] = {{"1", 4, 4, 0}, {"2", 5, 3, 0}, {"([0]*3+[1]*58)", 61, 58, 3},
            {"([1]*3+[0]*1)*3", 12, 9, 0}, {"[0,1,1]", 3, 2, 1}};
    p3d_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        p3d_model m = {.n_layers = rows[i].n_layers, .n_experts = 8};

        assert_true(exchange_layer_pattern_parse(rows[i].pattern, &m, &err));
        assert_int_equal(
                p3d_model_count_layers(&m, P3D_LAYER_MOE), rows[i].n_moe);
        assert_int_equal(m.layer_kind[rows[i].first], P3D_LAYER_MOE);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    static const struct CMUnitTest tests[] = {
            TEST(gradients_are_reduced_beside_the_passes_where_it_is_said),
            TEST(garbage_is_collected_as_often_as_it_is_said),
            TEST(launches_block_where_the_environment_says_so),
            TEST(segments_grow_where_the_environment_says_so),
            TEST(fp8_and_teachers_of_megatron_are_read),
            TEST(float8_of_torchtitan_is_read),
            TEST(nvfp4_of_megatron_is_read),
            TEST(megatron_defaults_hold_where_nothing_is_said),
            TEST(megatron_has_two_ways_to_say_chunks),
            TEST(megatron_layouts_become_words),
            TEST(megatron_layouts_have_short_and_bare_chunks),
            TEST(megatron_counts_embedding_and_loss_as_layers),
            TEST(layers_of_megatrons_ranks_are_shared_by_their_chunks),
            TEST(degrees_that_contradict_are_refused),
            TEST(numbers_keep_to_the_ranges_of_their_fields),
            TEST(sizes_that_no_model_has_are_refused),
            TEST(nanotron_heads_share_the_hidden_size),
            TEST(options_change_the_costs_of_a_framework),
            TEST(what_is_not_known_is_kept),
            TEST(what_looks_like_a_part_of_the_plan_is_told_apart),
            TEST(what_looks_like_layers_is_told_apart),
            TEST(what_looks_like_parallelism_has_no_answer),
            TEST(positions_and_norms_of_the_model_are_read),
            TEST(routers_and_stretched_positions_are_read),
            TEST(scripts_take_variables_from_outside),
            TEST(what_changes_the_run_is_pointed_out),
            TEST(several_values_of_a_number_are_pointed_out),
            cmocka_unit_test(another_kind_of_distribution_is_refused),
            TEST(patterns_of_expert_layers_are_those_of_megatron),
    };
#undef TEST

    return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
