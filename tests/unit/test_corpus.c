/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_corpus.c - a measured run becomes a problem and a plan, or says why
 * not. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "corpus_row.h"

static void a_dense_row_is_its_plan(void **state)
{
    const exchange_run row = a_row();
    const exchange_case c = convert(&row);
    const p3d_plan *const plan = &c.plan;

    (void)state;
    assert_int_equal(plan->tp, 4);
    assert_int_equal(plan->pp, 2);
    assert_int_equal(plan->dp, 8);
    assert_int_equal(plan->cp, 1);
    assert_int_equal(plan->ep, 1);
    assert_int_equal(plan->etp, 4);
    assert_int_equal(plan->vp, 1);
    assert_int_equal(plan->micro_batch, 2);
    assert_int_equal(plan->zero, 1);
    assert_true(plan->sequence_parallel);
    assert_int_equal(plan->schedule, P3D_1F1B);
    assert_int_equal(c.problem.model.head_dim, 128);
    assert_int_equal(c.problem.model.norm_weights, 1);
    assert_int_equal(c.problem.cluster.n_nodes, 8);
    assert_string_equal(c.problem.job.framework->name, "megatron-core");
    assert_int_equal(c.problem.job.attention, P3D_FLASH_2);
    assert_int_equal(c.assumed, 1u << EXCHANGE_ASSUMED_FLASH);
    assert_int_equal(c.stage, EXCHANGE_STAGE_HIGHEST);
    assert_int_equal(c.meter, EXCHANGE_METER_RESERVED);
}

static void attention_that_is_not_stated_follows_framework_and_year(
        void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.year = 2022;
    assert_int_equal(convert(&row).problem.job.attention, P3D_EAGER);
    assert_int_equal(convert(&row).assumed, 1u << EXCHANGE_ASSUMED_EAGER);
    row.attention = "flash";
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_2);
    assert_int_equal(convert(&row).assumed, 0);
    row.attention = "";
    row.framework = "torchtitan FSDP2";
    row.sharding = "fsdp";
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_2);
    row.framework = "LLM-Foundry/Composer FSDP1";
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_1);
    row.framework = "Megatron-DeepSpeed";
    row.sharding = "zero1";
    row.year = 2024;
    assert_int_equal(convert(&row).problem.job.attention, P3D_EAGER);
    assert_string_equal(convert(&row).problem.job.framework->name, "deepspeed");
}

/* A row that names the kernel had another one than the profile's usual. */
static void attention_kernels_are_those_that_ran(void **state)
{
    static const struct {
        const char *word;
        p3d_attention kernel;
    } cases[] = {{"flash1", P3D_FLASH_1}, {"flash2", P3D_FLASH_2},
            {"flash3", P3D_FLASH_3}, {"cudnn", P3D_CUDNN},
            {"efficient", P3D_EFFICIENT}, {"flash4", P3D_FLASH_4}};
    exchange_run row = a_row();

    (void)state;
    row.gpu = "H100-SXM5-80GB";
    row.attention = "flash";
    assert_int_equal(convert(&row).problem.job.attention, P3D_CUDNN);
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        row.attention = cases[i].word;
        assert_int_equal(convert(&row).problem.job.attention, cases[i].kernel);
    }
}

/* PyTorch's choice changed in 2026. */
static void attention_of_pytorch_is_that_of_its_year(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.gpu = "H100-SXM5-80GB";
    row.framework = "torchtitan";
    row.attention = "flash";
    row.sharding = "fsdp";
    row.year = 2025;
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_2);
    row.year = 2026;
    assert_int_equal(convert(&row).problem.job.attention, P3D_CUDNN);
    row.gpu = "A800-SXM4-80GB";
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_2);
}

/* Texts that are packed see themselves alone; of others the sequence is one. */
static void texts_are_as_long_as_the_row_says(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.kind = "sft";
    assert_true(convert(&row).assumed & 1u << EXCHANGE_ASSUMED_PACKED);
    row.lengths = "200,100";
    assert_false(convert(&row).assumed & 1u << EXCHANGE_ASSUMED_PACKED);

    const p3d_job job = convert(&row).problem.job;

    assert_int_equal(job.lengths.filling, P3D_FILLING_PACKED);
    assert_true(p3d_text_tokens(&job) == 250);
}

/* Of 24 layers those that the row gives to each of its stages. */
static void stages_hold_the_layers_of_the_row(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.framework = "Megatron-DeepSpeed (Sailor)";
    row.pp = 4;
    row.layer_map = "4|7|7|6";

    const exchange_case got = convert(&row);

    assert_string_equal(got.problem.job.framework->name, "sailor");
    assert_int_equal(got.plan.first_layers, 4);
    assert_int_equal(got.plan.last_layers, 6);
    row.layer_map = "4|7|8|5";
    check_refused(&row, "layer_map 4|7|8|5 is not modelled");
    row.layer_map = "12|12";
    check_refused(&row, "layer_map 12|12 is not one of 4 stages");
    row.layer_map = "4|7|7|5|1";
    check_refused(&row, "layer_map 4|7|7|5|1 is not one of 4 stages");
}

static void hosts_are_as_the_row_says(void **state)
{
    exchange_run row = a_row();

    (void)state;
    assert_true(convert(&row).problem.cluster.node.host_time_factor == 0);
    assert_false(convert(&row).problem.job.launch_blocking);
    row.host_time_factor = 2.2;
    row.launch_blocking = 1;
    assert_int_equal(convert(&row).problem.job.gc_interval, 0);
    row.gc_interval = 5;
    assert_int_equal(convert(&row).problem.job.gc_interval, 5);
    assert_true(convert(&row).problem.cluster.node.host_time_factor == 2.2);
    assert_true(convert(&row).problem.job.launch_blocking);
}

static void dropout_goes_with_eager_gpt_only(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.attention = "eager";
    assert_false(convert(&row).problem.job.dropout);
    row.gated_mlp = 0;
    assert_true(convert(&row).problem.job.dropout);
    assert_int_equal(convert(&row).problem.model.learned_positions, 4096);
    row.attention = "flash";
    assert_false(convert(&row).problem.job.dropout);
}

static void experts_and_latent_attention_are_read(void **state)
{
    exchange_run row = a_row();
    exchange_case c;

    (void)state;
    row.n_experts = 64;
    row.top_k = 6;
    row.moe_ffn = 1408;
    row.n_shared_experts = 2;
    row.n_dense_layers = 1;
    row.ep = 8;
    row.head_dim = 192;
    row.notes = "x; MLA: q_lora 1536, kv_lora 512, qk_nope 128, qk_rope 64, "
                "v 128";
    c = convert(&row);
    assert_int_equal(c.problem.model.n_experts, 64);
    assert_int_equal(c.problem.model.shared_ffn, 2816);
    assert_int_equal(c.problem.model.layer_kind[0], 0);
    assert_int_equal(c.problem.model.layer_kind[1], P3D_LAYER_MOE);
    assert_int_equal(c.problem.model.q_lora_rank, 1536);
    assert_int_equal(c.problem.model.kv_lora_rank, 512);
    assert_int_equal(c.problem.model.qk_nope_dim, 128);
    assert_int_equal(c.problem.model.qk_rope_dim, 64);
    assert_int_equal(c.problem.model.v_head_dim, 128);
    assert_int_equal(c.plan.etp, 1);
    row.etp = 2;
    row.notes = "MLA: no q_lora, kv_lora 512, qk_nope 128, qk_rope 64, v 128";
    c = convert(&row);
    assert_int_equal(c.plan.etp, 2);
    assert_int_equal(c.problem.model.q_lora_rank, 0);
    row.ep = 1;
    assert_int_equal(convert(&row).plan.etp, 4);
    row.etp = 0;
    row.ep = 2;
    check_refused(&row, "etp is 0");
    row.ep = 0;
    check_refused(&row, "ep is 0");
    row.ep = 1;
    row.moe_ffn = 1 << 22;
    check_refused(&row, "the experts are not possible");
    row.top_k = EXCHANGE_NOT_STATED;
    check_refused(&row, "top_k or moe_ffn of the experts is not stated");
}

static void every_data_type_is_kept(void **state)
{
    static const struct {
        const char *word;
        p3d_dtype dtype;
    } cases[] = {{"fp32", P3D_FP32}, {"fp16", P3D_FP16}, {"bf16", P3D_BF16},
            {"fp8", P3D_FP8}, {"mxfp8", P3D_FP8}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        row.dtype = cases[i].word;
        assert_int_equal(convert(&row).problem.job.dtype, cases[i].dtype);
    }
}

static void sharding_words_are_zero_stages(void **state)
{
    static const struct {
        const char *word;
        int zero;
        int shard; /* of 8 replicas; 0 = all of them */
    } cases[] = {{"ddp", 0, 0}, {"", 0, 0}, {"dist_opt", 1, 0}, {"zero1", 1, 0},
            {"zero1:4", 1, 4}, {"zero1:8", 1, 0}, {"zero2", 2, 0},
            {"zero3", 3, 0}, {"zero3++", 3, 0}, {"fsdp", 3, 0},
            {"hsdp:4", 3, 4}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        exchange_case c;

        row.sharding = cases[i].word;
        c = convert(&row);
        assert_int_equal(c.plan.zero, cases[i].zero);
        assert_int_equal(c.plan.shard, cases[i].shard);
        assert_int_equal(c.assumed >> EXCHANGE_ASSUMED_SHARD_GROUP & 1, 0);
    }
    row.sharding = "zero1:x";
    check_refused(&row, "sharding zero1:x is not modelled");
}

/* FSDP2 has ZeRO 2 and 3 only; on one GPU there is nothing to share. torchtune
 * runs there without it. */
static void one_replica_takes_a_stage_that_the_framework_has(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.framework = "torchtitan";
    row.sharding = "ddp";
    row.n_gpus = row.gpus_per_node = row.tp = row.pp = 1;
    assert_int_equal(convert(&row).plan.zero, 2);
    assert_false(convert(&row).plan.sequence_parallel);
    row.framework = "torchtune";
    assert_int_equal(convert(&row).plan.zero, 0);
}

static void recompute_and_schedule_words_are_read(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.recompute = "full:4";
    assert_int_equal(convert(&row).plan.recompute, P3D_RECOMPUTE_FULL);
    assert_int_equal(convert(&row).plan.recompute_layers, 4);
    row.recompute = "selective:core_attn";
    assert_int_equal(convert(&row).plan.recompute, P3D_RECOMPUTE_SELECTIVE);
    row.recompute = "";
    assert_true(convert(&row).assumed >> EXCHANGE_ASSUMED_RECOMPUTE & 1);
    row.schedule = "1f1b-interleaved";
    row.vp = 4;
    assert_int_equal(convert(&row).plan.schedule, P3D_INTERLEAVED);
    row.schedule = "";
    assert_int_equal(convert(&row).plan.schedule, P3D_INTERLEAVED);
}

static void stages_and_meters_are_read(void **state)
{
    static const struct {
        const char *word;
        int stage;
    } stages[] = {{"0", 0}, {"1", 1}, {"last", EXCHANGE_STAGE_LAST},
            {"one_rank", 0}, {"max_over_ranks", EXCHANGE_STAGE_HIGHEST},
            {"max_of_first_and_last", EXCHANGE_STAGE_FIRST_OR_LAST}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(stages); i++) {
        row.stage = stages[i].word;
        assert_int_equal(convert(&row).stage, stages[i].stage);
    }
    row.memory_meter = "allocated";
    assert_int_equal(convert(&row).meter, EXCHANGE_METER_ALLOCATED);
    row.memory_meter = "nvidia_smi";
    assert_int_equal(convert(&row).meter, EXCHANGE_METER_DEVICE);
    row.stage = "2";
    check_refused(&row, "stage 2 is no rank of the pipeline");
}

static void what_is_not_modelled_is_named(void **state)
{
    static const struct {
        size_t offset;
        const char *value;
        const char *words;
    } cases[] = {
#define CASE(field, value, words) {offsetof(exchange_run, field), value, words}
            CASE(recompute, "selective:router",
                    "recompute selective:router is not modelled"),
            CASE(recompute, "selective:mlp+",
                    "recompute selective:mlp+ is not modelled"),
            CASE(recompute, "none:3", "recompute none:3 is not modelled"),
            CASE(recompute, "half", "recompute half is not modelled"),
            CASE(schedule, "chimera", "schedule chimera is not modelled"),
            CASE(dtype, "mxfp4", "dtype mxfp4 is not modelled"),
            CASE(dtype, "", "dtype is not stated"),
            CASE(offload, "activations:40",
                    "offload of activations:40 is not modelled"),
            CASE(offload, "activations:x%",
                    "offload of activations:x% is not modelled"),
            CASE(dispatcher, "ring", "dispatcher ring is not modelled"),
            CASE(cuda_graphs, "half", "cuda_graphs half is not modelled"),
            CASE(offload, "gradients", "offload of gradients is not modelled"),
            CASE(attention, "ring", "attention ring is not modelled"),
            CASE(sharding, "none", "sharding none is not modelled"),
            CASE(kind, "lora", "LoRA of a rank that is not said"),
            CASE(lora, "r=0", "lora: the rank"),
            CASE(lengths, "9000000,1", "lengths: --lengths: the mean"),
            CASE(lengths, "runs.csv",
                    "lengths runs.csv are no mean and standard deviation"),
            CASE(notes, "x; hybrid-layer-pattern=M-M*",
                    "its Mamba layers are not said"),
            CASE(notes, "pipeline-model-parallel-layout=Et*3|t*4|L",
                    "its layout of layers is not read"),
            CASE(gpu, "TPUv3", "GPU 'TPUv3' is not known"),
            CASE(gpu, "", "GPU '' is not known"),
            CASE(memory_meter, "top", "memory_meter top is not known"),
#undef CASE
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        exchange_run row = a_row();

        memcpy((char *)&row + cases[i].offset, &cases[i].value,
                sizeof(cases[i].value));
        check_refused(&row, cases[i].words);
    }
}

static void numbers_that_are_missing_or_wrong_are_named(void **state)
{
    static const struct {
        size_t offset;
        int64_t value;
        const char *words;
    } cases[] = {
#define CASE(field, value, words) {offsetof(exchange_run, field), value, words}
            CASE(hidden, EXCHANGE_NOT_STATED, "hidden is not stated"),
            CASE(vocab, 0, "vocab = 0 is not possible"),
            CASE(n_heads, 1LL << 40, "is not possible"),
            CASE(n_layers, 5000, "n_layers = 5000 is not possible"),
            CASE(micro_batch, EXCHANGE_NOT_STATED, "micro_batch is not stated"),
            CASE(tp, EXCHANGE_NOT_STATED, "tp or pp is not stated"),
            CASE(tp, 128, "tp x pp x cp is more than n_gpus"),
            CASE(n_gpus, 12, "12 GPUs do not fill nodes of 8"),
            CASE(n_gpus, 0, "n_gpus is not stated"),
            CASE(vp, 0, "cp or vp is 0"),
            CASE(micro_batch, 1 << 20, "more than 134217728 tokens"),
            CASE(global_batch, 1000000001, "global_batch is above 1e9"),
            CASE(n_kv_heads, 64, "n_kv_heads or head_dim is not possible"),
#undef CASE
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        exchange_run row = a_row();

        memcpy((char *)&row + cases[i].offset, &cases[i].value,
                sizeof(cases[i].value));
        check_refused(&row, cases[i].words);
    }
}

static void a_rack_stays_one_nvlink_domain(void **state)
{
    exchange_run row = a_row();
    exchange_case c;

    (void)state;
    row.gpu = "GB200";
    row.gpus_per_node = 4;
    c = convert(&row);
    assert_int_equal(c.problem.cluster.n_nodes, 16);
    assert_int_equal(c.problem.cluster.node.gpus_per_nvlink_domain, 64);
}

/* The node of an A800 has eight adapters of 200 Gb/s. */
static void the_network_is_that_of_the_words(void **state)
{
    static const struct {
        const char *text;
        const char *fabric;
        int n_nics;
        double nic_gbit_per_s;
    } cases[] = {
            {"", "ib-hdr-200", 8, 200},
            {"unstated", "ib-hdr-200", 8, 200},
            {"4x100 Gb RoCE per node", "roce-100", 4, 100},
            {"800 Gb/s RoCE per node", "roce-100", 8, 100},
            {"inter 800 Gb/s", "ib-hdr-200", 8, 100},
            {"Omni-Path, 400 Gb/s per node", "opa-100", 4, 100},
            {"400 Gb/s RDMA per GPU", "ib-hdr-200", 8, 400},
            {"InfiniBand 400 Gb/s (NIC count unstated)", "ib-ndr-400", 8, 400},
    };
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_cluster c;

        row.interconnect = cases[i].text;
        c = convert(&row).problem.cluster;
        assert_string_equal(c.fabric.name, cases[i].fabric);
        assert_int_equal(c.node.nics_per_node, cases[i].n_nics);
        CHECK_REL(c.fabric.nic_bytes_per_s_one_way * 8,
                cases[i].nic_gbit_per_s * 1e9, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_dense_row_is_its_plan),
            cmocka_unit_test(
                    attention_that_is_not_stated_follows_framework_and_year),
            cmocka_unit_test(attention_kernels_are_those_that_ran),
            cmocka_unit_test(attention_of_pytorch_is_that_of_its_year),
            cmocka_unit_test(texts_are_as_long_as_the_row_says),
            cmocka_unit_test(stages_hold_the_layers_of_the_row),
            cmocka_unit_test(hosts_are_as_the_row_says),
            cmocka_unit_test(dropout_goes_with_eager_gpt_only),
            cmocka_unit_test(experts_and_latent_attention_are_read),
            cmocka_unit_test(every_data_type_is_kept),
            cmocka_unit_test(sharding_words_are_zero_stages),
            cmocka_unit_test(one_replica_takes_a_stage_that_the_framework_has),
            cmocka_unit_test(recompute_and_schedule_words_are_read),
            cmocka_unit_test(stages_and_meters_are_read),
            cmocka_unit_test(what_is_not_modelled_is_named),
            cmocka_unit_test(numbers_that_are_missing_or_wrong_are_named),
            cmocka_unit_test(a_rack_stays_one_nvlink_domain),
            cmocka_unit_test(the_network_is_that_of_the_words),
    };

    return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
