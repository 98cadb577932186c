/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_abilities.c - what each GPU of the catalog runs, and the attention
 * kernel that each framework takes there. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/abilities.h"
#include "spec/hardware.h"
#include "spec/legality.h"

/* One question, each field of which a test may change. */
typedef struct asked {
    p3d_model model;
    p3d_cluster cluster;
    p3d_job job;
} asked;

static asked ask(const char *gpu, const char *framework, p3d_dtype dtype)
{
    asked a = {.model = {.head_dim = 128},
            .cluster.node = {.name = "N",
                    .gpus_per_node = 8,
                    .gpus_per_nvlink_domain = 8},
            .job = {.dtype = dtype,
                    .framework = p3d_framework_find(framework)}};
    p3d_error err = {0};

    assert_non_null(a.job.framework);
    assert_true(p3d_gpu_find(gpu, &a.cluster.gpu, &err));
    return a;
}

static const char *refusal_of(const asked *a)
{
    static p3d_refusal refusal;

    refusal.reason[0] = '\0';
    assert_true(p3d_job_runs(&a->model, &a->cluster, &a->job, &refusal) ==
                (refusal.reason[0] == '\0'));
    return refusal.reason;
}

/* clang-format off */
static const struct usual {
    const char *gpu;
    const char *framework;
    p3d_dtype dtype;
    int head_dim;
    p3d_attention attention;
} usual[] = {
    {"V100-SXM2-32GB", "megatron-core", P3D_FP16, 128, P3D_EAGER},
    {"V100-SXM2-32GB", "deepspeed",     P3D_FP16, 128, P3D_EAGER},
    {"V100-SXM2-32GB", "llm-foundry",   P3D_FP16, 128, P3D_EAGER},
    {"V100-SXM2-32GB", "deepspeed-hf",  P3D_FP16, 128, P3D_EFFICIENT},
    {"V100-SXM2-32GB", "fsdp2",         P3D_FP16, 128, P3D_EFFICIENT},
    {"V100-SXM2-32GB", "generic",           P3D_FP16, 128, P3D_EFFICIENT},
    {"A100-SXM4-80GB", "megatron-core", P3D_BF16, 128, P3D_FLASH_2},
    {"A100-SXM4-80GB", "megatron-core", P3D_FP32, 128, P3D_EAGER},
    {"A100-SXM4-80GB", "fsdp2",         P3D_FP32, 128, P3D_EFFICIENT},
    {"A100-SXM4-80GB", "llm-foundry",   P3D_BF16, 128, P3D_FLASH_1},
    {"A100-SXM4-80GB", "llm-foundry",   P3D_BF16, 256, P3D_FLASH_2},
    {"A100-SXM4-80GB", "megatron-core", P3D_BF16, 512, P3D_EAGER},
    {"A100-SXM4-80GB", "megatron-2021", P3D_BF16, 128, P3D_EAGER},
    {"A100-SXM4-80GB", "megatron-local", P3D_BF16, 128, P3D_EAGER},
    {"RTX-4090-24GB",  "megatron-core", P3D_FP8,  128, P3D_FLASH_2},
    {"H100-SXM5-80GB", "megatron-core", P3D_FP8,  256, P3D_CUDNN},
    {"H100-SXM5-80GB", "internevo",     P3D_BF16, 128, P3D_FLASH_2},
    {"B200-SXM-180GB", "megatron-core", P3D_BF16, 256, P3D_CUDNN},
    {"B200-SXM-180GB", "llm-foundry",   P3D_BF16, 128, P3D_FLASH_2},
    {"RTX-5090-32GB",  "megatron-core", P3D_BF16, 128, P3D_CUDNN},
    {"RTX-5090-32GB",  "megatron-core", P3D_BF16, 256, P3D_FLASH_2},
    {"MI250X-GCD-64GB", "megatron-core", P3D_BF16, 128, P3D_FLASH_2},
    {"MI300X-192GB",   "megatron-core", P3D_BF16, 128, P3D_FLASH_2},
    {"MI300X-192GB",   "internevo",     P3D_BF16, 128, P3D_FLASH_2},
    {"MI300X-192GB",   "torchtune",     P3D_BF16, 128, P3D_EFFICIENT},
    {"MI355X-288GB",   "fsdp2",         P3D_FP8,  128, P3D_EFFICIENT},
};
/* clang-format on */

static void the_usual_kernel_is_one_that_runs(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(usual); i++) {
        asked a = ask(usual[i].gpu, usual[i].framework, usual[i].dtype);

        a.model.head_dim = usual[i].head_dim;
        p3d_job_default_attention(&a.job, &a.model, &a.cluster.gpu);
        if (a.job.attention != usual[i].attention)
            fail_msg("%s, %s: %s", usual[i].gpu, usual[i].framework,
                    p3d_attention_name(a.job.attention));
        assert_string_equal(refusal_of(&a), "");
    }
}

static void grouped_products_of_experts_are_of_ampere_and_later(void **state)
{
    asked v100 = ask("V100", "megatron-core", P3D_FP16);
    asked a100 = ask("A100", "megatron-core", P3D_FP16);

    (void)state;
    v100.cluster.n_gpus = a100.cluster.n_gpus = 8;
    p3d_job_default(&v100.job, &v100.model, &v100.cluster);
    p3d_job_default(&a100.job, &a100.model, &a100.cluster);
    assert_true(v100.job.separate_experts);
    assert_false(a100.job.separate_experts);
}

static void a_kernel_that_was_said_is_kept(void **state)
{
    asked a = ask("A100", "megatron-core", P3D_BF16);

    (void)state;
    a.job.attention = P3D_CUDNN;
    p3d_job_default_attention(&a.job, &a.model, &a.cluster.gpu);
    assert_int_equal(a.job.attention, P3D_CUDNN);
}

/* clang-format off */
static const struct refused {
    const char *gpu;
    const char *framework;
    p3d_attention attention;
    p3d_dtype dtype;
    int head_dim;
    const char *reason; /* "" = it runs */
} refused[] = {
    {"V100-SXM2-32GB", "generic", P3D_FLASH_1, P3D_FP16, 128,
        "FlashAttention 1 needs sm75 to sm90; V100-SXM2-32GB is sm70; try "
        "--attention efficient"},
    {"V100-SXM2-32GB", "megatron-core", P3D_FLASH_2, P3D_FP16, 128,
        "FlashAttention-2 needs sm80 or later; V100-SXM2-32GB is sm70; try "
        "--attention eager"},
    {"V100-SXM2-32GB", "nanotron-2024", P3D_FLASH_2, P3D_FP16, 128,
        "FlashAttention-2 needs sm80 or later; V100-SXM2-32GB is sm70, and "
        "nanotron-2024 calls no other; try another framework"},
    {"A100-SXM4-80GB", "generic", P3D_FLASH_3, P3D_BF16, 128,
        "FlashAttention-3 needs sm90; A100-SXM4-80GB is sm80; try --attention "
        "flash2"},
    {"B200-SXM-180GB", "generic", P3D_FLASH_3, P3D_BF16, 128,
        "FlashAttention-3 needs sm90; B200-SXM-180GB is sm100; try --attention "
        "cudnn"},
    {"RTX-5090-32GB", "generic", P3D_FLASH_3, P3D_BF16, 128,
        "FlashAttention-3 needs sm90; RTX-5090-32GB is sm120; try --attention "
        "cudnn"},
    {"A100-SXM4-80GB", "generic", P3D_FLASH_4, P3D_BF16, 128,
        "FlashAttention-4 needs sm90 or later; A100-SXM4-80GB is sm80; try "
        "--attention flash2"},
    {"B200-SXM-180GB", "megatron-core", P3D_FLASH_4, P3D_BF16, 128, ""},
    {"B200-SXM-180GB", "llm-foundry", P3D_FLASH_4, P3D_BF16, 128,
        "llm-foundry does not call FlashAttention-4; try --attention flash2"},
    {"H100-SXM5-80GB", "generic", P3D_FLASH_3, P3D_BF16, 128, ""},
    {"H20-96GB", "generic", P3D_FLASH_3, P3D_BF16, 128, ""},
    {"B200-SXM-180GB", "generic", P3D_FLASH_1, P3D_BF16, 128,
        "FlashAttention 1 needs sm75 to sm90; B200-SXM-180GB is sm100; try "
        "--attention cudnn"},
    {"MI300X-192GB", "generic", P3D_CUDNN, P3D_BF16, 128,
        "cuDNN's fused attention needs sm80 or later; MI300X-192GB is gfx942; "
        "try --attention efficient"},
    {"MI300X-192GB", "generic", P3D_EFFICIENT, P3D_BF16, 128, ""},
    {"A100-SXM4-80GB", "generic", P3D_CUDNN, P3D_BF16, 128, ""},
    {"A100-SXM4-80GB", "generic", P3D_CUDNN, P3D_BF16, 256,
        "cuDNN's fused attention takes heads of at most 128 on A100-SXM4-80GB, "
        "not 256; try --attention flash2"},
    {"H100-SXM5-80GB", "generic", P3D_CUDNN, P3D_FP32, 128,
        "cuDNN's fused attention computes in fp16 and bf16, not in fp32; try "
        "--attention efficient"},
    {"A100-SXM4-80GB", "megatron-2021", P3D_FLASH_2, P3D_BF16, 128,
        "megatron-2021 does not call FlashAttention-2; try --attention eager"},
    {"V100-SXM2-32GB", "generic", P3D_EAGER, P3D_BF16, 128,
        "bf16 needs sm80 or later; V100-SXM2-32GB is sm70; try --dtype fp16"},
    {"T4-16GB", "generic", P3D_EAGER, P3D_BF16, 128,
        "bf16 needs sm80 or later; T4-16GB is sm75; try --dtype fp16"},
    {"RTX-2080-Ti-11GB", "generic", P3D_FLASH_1, P3D_FP16, 128, ""},
    {"MI250X-GCD-64GB", "generic", P3D_EAGER, P3D_FP8, 128,
        "fp8 needs sm89 or later, gfx942, gfx950, gaudi2, gaudi3; "
        "MI250X-GCD-64GB is gfx90a; try --dtype bf16"},
    {"Gaudi-2-96GB", "generic", P3D_FLASH_2, P3D_BF16, 128, ""},
    {"Gaudi-2-96GB", "generic", P3D_EFFICIENT, P3D_BF16, 128,
        "memory-efficient attention needs sm50 or later, gfx90a, gfx942, "
        "gfx950; Gaudi-2-96GB is gaudi2; try --attention flash2"},
    {"TPU-v5e", "maxtext", P3D_FLASH_2, P3D_BF16, 128, ""},
    {"TPU-v5e", "maxtext", P3D_EAGER, P3D_FP16, 128,
        "fp16 needs sm70 or later, gfx90a, gfx942, gfx950, ascend910b, "
        "ascend910c, gaudi2, gaudi3; TPU-v5e is tpu-v5e; try --dtype bf16"},
    {"H100-SXM5-80GB", "megatron-local", P3D_EAGER, P3D_FP8, 128,
        "megatron-local has no fp8; try --dtype bf16"},
    {"A100-SXM4-80GB", "generic", P3D_EAGER, P3D_FP8, 128,
        "fp8 needs sm89 or later; A100-SXM4-80GB is sm80; try "
        "--dtype bf16"},
};
/* clang-format on */

static void what_does_not_run_is_refused_with_what_does(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(refused); i++) {
        asked a = ask(refused[i].gpu, refused[i].framework, refused[i].dtype);

        a.job.attention = refused[i].attention;
        a.model.head_dim = refused[i].head_dim;
        assert_string_equal(refusal_of(&a), refused[i].reason);
    }
}

/* Ascend runs what PyTorch alone is needed for, and what is made for it. */
static void frameworks_run_on_their_own_kind_of_gpu(void **state)
{
    static const struct {
        const char *gpu, *framework, *reason;
    } rows[] = {
            {"910B", "megatron-core",
                    "megatron-core does not run on Ascend-910B2-64GB; try "
                    "--framework mindspeed"},
            {"910B", "fsdp2",
                    "fsdp2 does not run on Ascend-910B2-64GB; try "
                    "--framework mindspeed"},
            {"A100", "mindspeed",
                    "mindspeed does not run on A100-SXM4-80GB; try "
                    "--framework megatron-core"},
            {"MI300X", "mindspeed",
                    "mindspeed does not run on MI300X-192GB; try "
                    "--framework megatron-core"},
            {"A100", "maxtext",
                    "maxtext does not run on A100-SXM4-80GB; try "
                    "--framework megatron-core"},
            {"TPU-v5p", "ddp",
                    "ddp does not run on TPU-v5p; try --framework maxtext"},
            {"TPU-v5p", "maxtext", ""},
            {"TPU-v5p", "generic", ""},
            {"910B", "mindspeed", ""},
            {"910B", "ddp", ""},
            {"MI300X", "megatron-core", ""},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        asked a = ask(rows[i].gpu, rows[i].framework, P3D_BF16);

        p3d_job_default_attention(&a.job, &a.model, &a.cluster.gpu);
        assert_string_equal(refusal_of(&a), rows[i].reason);
        assert_string_equal(p3d_gpu_link(&a.cluster.gpu),
                strcmp(rows[i].gpu, "910B") == 0      ? "HCCS"
                : strcmp(rows[i].gpu, "TPU-v5p") == 0 ? "ICI"
                : strcmp(rows[i].gpu, "MI300X") == 0  ? "Infinity Fabric"
                                                      : "NVLink");
    }
}

static void dispatchers_need_their_gpu_and_nvlink(void **state)
{
    asked a = ask("MI300X", "megatron-core", P3D_BF16);

    (void)state;
    a.job.dispatcher = P3D_DISPATCH_DEEPEP;
    assert_string_equal(refusal_of(&a),
            "DeepEP needs sm80 to sm103; MI300X-192GB is gfx942; try "
            "--dispatcher alltoall");
    a = ask("A100", "megatron-core", P3D_BF16);
    a.job.dispatcher = P3D_DISPATCH_DEEPEP;
    assert_string_equal(refusal_of(&a), "");
    a.cluster.node.gpus_per_nvlink_domain = 2;
    assert_string_equal(refusal_of(&a),
            "DeepEP needs NVLink between all GPUs of a node, which N has not; "
            "try --dispatcher alltoall");
    a.job.dispatcher = P3D_DISPATCH_HYBRIDEP;
    assert_string_equal(refusal_of(&a),
            "HybridEP needs sm90 to sm103; A100-SXM4-80GB is sm80; try "
            "--dispatcher alltoall");
    a.job.dispatcher = P3D_DISPATCH_ALL_GATHER;
    assert_string_equal(refusal_of(&a), "");
}

static p3d_dispatcher usual_dispatcher(
        const char *gpu, const char *framework, const char *fabric)
{
    asked a = ask(gpu, framework, P3D_BF16);

    a.cluster.n_gpus = 8;
    a.model.n_experts = 8;
    snprintf(
            a.cluster.fabric.kind, sizeof(a.cluster.fabric.kind), "%s", fabric);
    p3d_job_default(&a.job, &a.model, &a.cluster);
    assert_string_equal(refusal_of(&a), "");
    return a.job.dispatcher;
}

static void the_usual_dispatcher_is_one_that_runs(void **state)
{
    (void)state;
    assert_int_equal(usual_dispatcher("H100", "megatron-core", "infiniband"),
            P3D_DISPATCH_HYBRIDEP);
    assert_int_equal(usual_dispatcher("GB200", "megatron-core", "infiniband"),
            P3D_DISPATCH_HYBRIDEP);
    assert_int_equal(usual_dispatcher("H100", "megatron-core", "ethernet"),
            P3D_DISPATCH_ALL_TO_ALL);
    assert_int_equal(usual_dispatcher("A100", "megatron-core", "infiniband"),
            P3D_DISPATCH_ALL_TO_ALL);
    assert_int_equal(usual_dispatcher("MI300X", "megatron-core", "infiniband"),
            P3D_DISPATCH_ALL_TO_ALL);
    assert_int_equal(usual_dispatcher("H100", "fsdp2", "infiniband"),
            P3D_DISPATCH_ALL_TO_ALL);
}

/* Said before; without experts; with GPUs that few links join; and of another
 * framework afterwards. */
static void the_dispatcher_follows_what_is_known(void **state)
{
    asked a = ask("H100", "megatron-core", P3D_BF16);

    (void)state;
    a.cluster.n_gpus = 8;
    p3d_job_default(&a.job, &a.model, &a.cluster);
    assert_int_equal(a.job.dispatcher, P3D_DISPATCH_ALL_TO_ALL);
    a.model.n_experts = 8;
    a.job.fixed_dispatcher = true;
    p3d_job_default(&a.job, &a.model, &a.cluster);
    assert_int_equal(a.job.dispatcher, P3D_DISPATCH_ALL_TO_ALL);
    a.job.fixed_dispatcher = false;
    p3d_job_use(&a.job, a.job.framework, &a.model, &a.cluster);
    assert_int_equal(a.job.dispatcher, P3D_DISPATCH_HYBRIDEP);
    p3d_job_use(&a.job, p3d_framework_find("fsdp2"), &a.model, &a.cluster);
    assert_int_equal(a.job.dispatcher, P3D_DISPATCH_ALL_TO_ALL);
    a.cluster.node.gpus_per_node = 8;
    a.cluster.node.gpus_per_nvlink_domain = 2;
    p3d_job_use(
            &a.job, p3d_framework_find("megatron-core"), &a.model, &a.cluster);
    assert_int_equal(a.job.dispatcher, P3D_DISPATCH_ALL_TO_ALL);
}

/* The ranks of the experts that DeepEP reaches; "" = all that are asked for. */
static const char *refusal_of_ranks(const asked *a, int ep)
{
    const p3d_plan plan = {.ep = ep, .etp = 1};
    static p3d_refusal refusal;
    const spec_question q = {.model = &a->model,
            .cluster = &a->cluster,
            .job = &a->job,
            .framework = a->job.framework,
            .plan = &plan,
            .reason = refusal.reason,
            .n_reason = sizeof(refusal.reason)};

    refusal.reason[0] = '\0';
    assert_true(spec_rule_dispatch_links(&q) == (refusal.reason[0] == '\0'));
    return refusal.reason;
}

static void deepep_leaves_the_node_by_rdma(void **state)
{
    asked a = ask("A100", "megatron-core", P3D_BF16);

    (void)state;
    a.cluster.n_gpus = 64;
    a.model.n_experts = 64;
    a.job.dispatcher = P3D_DISPATCH_DEEPEP;
    assert_string_equal(refusal_of_ranks(&a, 8), "");
    assert_string_equal(refusal_of_ranks(&a, 16),
            "ep=16: DeepEP leaves the node from sm90 on; A100-SXM4-80GB is "
            "sm80; try ep=8");
    assert_true(p3d_gpu_find("H100", &a.cluster.gpu, NULL));
    assert_string_equal(refusal_of_ranks(&a, 16), "");
    snprintf(a.cluster.fabric.kind, sizeof(a.cluster.fabric.kind), "ethernet");
    snprintf(a.cluster.fabric.name, sizeof(a.cluster.fabric.name), "slow");
    assert_string_equal(refusal_of_ranks(&a, 8), "");
    assert_string_equal(refusal_of_ranks(&a, 16),
            "ep=16: DeepEP needs GPUDirect RDMA between nodes, which slow has "
            "not; try "
            "--dispatcher alltoall");
    a.cluster.node.gpus_per_nvlink_domain = 72;
    assert_string_equal(refusal_of_ranks(&a, 64), "");
}

/* Whoever describes a GPU of another maker knows what it runs. */
static void an_unknown_architecture_runs_everything(void **state)
{
    asked a = ask("H100", "generic", P3D_BF16);

    (void)state;
    snprintf(a.cluster.gpu.architecture, sizeof(a.cluster.gpu.architecture),
            "gfx1250");
    for (int k = 0; k < P3D_N_ATTENTIONS; k++) {
        a.job.attention = (p3d_attention)k;
        assert_string_equal(refusal_of(&a), "");
    }
}

/* Data sheets and the table speak of the same GPUs. */
static void the_catalog_has_the_data_types_of_the_table(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_catalog_open(P3D_GPUS, &catalog, &err));
    assert_true(catalog.n_names > 20);
    for (int i = 0; i < catalog.n_names; i++) {
        p3d_gpu gpu;

        assert_true(p3d_gpu_find(catalog.names[i], &gpu, &err));
        for (int d = 0; d < P3D_N_DTYPES; d++) {
            const p3d_dtype dtype = (p3d_dtype)d;

            if (spec_gpu_runs(&gpu, spec_dtype_ability(dtype)) !=
                    (p3d_gpu_peak_flop_per_s(&gpu, dtype) > 0))
                fail_msg("%s: %s", gpu.name, p3d_dtype_name(dtype));
        }
    }
    p3d_catalog_free(&catalog);
}

/* Every default of every framework on every GPU runs, or nothing does. */
static void every_framework_has_a_kernel_on_every_gpu(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};
    int n, n_without = 0;
    const p3d_framework *const frameworks = p3d_frameworks(&n);

    (void)state;
    assert_true(p3d_catalog_open(P3D_GPUS, &catalog, &err));
    for (int i = 0; i < catalog.n_names; i++)
        for (int f = 0; f < n; f++) {
            const bool tpu = strncmp(catalog.names[i], "tpu", 3) == 0;
            asked a = ask(catalog.names[i], frameworks[f].name,
                    tpu ? P3D_BF16 : P3D_FP16);

            p3d_job_default_attention(&a.job, &a.model, &a.cluster.gpu);
            n_without += refusal_of(&a)[0] != '\0' &&
                         strstr(refusal_of(&a), "does not run on") == NULL;
        }
    assert_int_equal(n_without, 6); /* nanotron-2024 on Volta and Turing */
    p3d_catalog_free(&catalog);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_usual_kernel_is_one_that_runs),
            cmocka_unit_test(
                    grouped_products_of_experts_are_of_ampere_and_later),
            cmocka_unit_test(a_kernel_that_was_said_is_kept),
            cmocka_unit_test(what_does_not_run_is_refused_with_what_does),
            cmocka_unit_test(frameworks_run_on_their_own_kind_of_gpu),
            cmocka_unit_test(dispatchers_need_their_gpu_and_nvlink),
            cmocka_unit_test(the_usual_dispatcher_is_one_that_runs),
            cmocka_unit_test(the_dispatcher_follows_what_is_known),
            cmocka_unit_test(deepep_leaves_the_node_by_rdma),
            cmocka_unit_test(an_unknown_architecture_runs_everything),
            cmocka_unit_test(the_catalog_has_the_data_types_of_the_table),
            cmocka_unit_test(every_framework_has_a_kernel_on_every_gpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
