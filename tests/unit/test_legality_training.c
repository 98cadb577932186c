/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_legality_training.c - the rules on what is trained, and on what it is
 * trained with. */
#include "base/util.h"
#include "legality_world.h"
#include "test.h"

/* The framework of this file, by its name, has no adapters; megatron-core has
 * them. */
static void s14_and_e5_refuse_adapters_that_do_not_go(void **state)
{
    world w = dense();

    (void)state;
    w.job.adapters.rank = 6;
    refused(&w, "", "S14",
            "all has no LoRA; these have: megatron-core, deepspeed-hf, ddp, "
            "ddp-hf, fsdp1, fsdp2-hf, torchtune, generic");
    w.framework.costs_of = "megatron-core";
    legal(&w, "tp=2");
    refused(&w, "tp=4", "E5",
            "tp=4 does not divide the rank 6 of the adapters; try tp=2");
}

#define OFFLOADS                                                            \
    "torchtune offloads the inputs of recomputed layers, and all of them; " \
    "try "                                                                  \
    "recompute=full,offload=activations"

/* Its recipes: FSDP2 on several GPUs, all layers' inputs or none on the host,
 * and no tensor parallelism beside adapters. */
static void torchtune_has_what_its_recipes_have(void **state)
{
    world w = dense();

    (void)state;
    w.framework = *p3d_framework_find("torchtune");
    refused(&w, "zero=0", "F2",
            "torchtune shards over several GPUs; try zero=3");
    legal(&w, "zero=3");
    refused(&w, "zero=3,offload=activations", "F2", OFFLOADS);
    refused(&w, "zero=3,recompute=full:1,offload=activations", "F2", OFFLOADS);
    refused(&w, "zero=3,recompute=full,offload=activations:0.5", "F2",
            OFFLOADS);
    legal(&w, "zero=3,recompute=full,offload=activations");
    legal(&w, "tp=2,zero=3,sp");
    w.job.adapters.rank = 8;
    refused(&w, "tp=2,zero=3,sp", "E5",
            "tp=2: torchtune divides no model with adapters; try tp=1");
}

static void b9_needs_a_tower_for_images(void **state)
{
    world w = dense();

    (void)state;
    w.job.n_images = 1;
    refused(&w, "", "B9", NO_TOWER);
    w.job.n_images = 0;
    w.job.frozen = P3D_PART_VISION;
    refused(&w, "", "B9", NO_PARTS);
}

#define PAIRS                                                                \
    "mbs=3: both sequences of a pair are in one micro-batch (--reference); " \
    "try mbs=4"

/* A teacher of as many heads, with fewer key/value heads and odd layers. */
static void b10_and_b11_refuse_frozen_models_that_do_not_go(void **state)
{
    world w = dense();
    p3d_model *const teacher = &w.job.companion.teacher;

    (void)state;
    w.job.companion.reference = P3D_REFERENCE_SELF;
    refused(&w, "", "B10",
            "all has no preference training (--reference); these have: "
            "megatron-core, deepspeed-hf, ddp, ddp-hf, fsdp1, fsdp2-hf, "
            "torchtune, generic");
    w.framework.costs_of = "generic";
    legal(&w, "mbs=2");
    w.job.global_batch = 64 * 6;
    refused(&w, "mbs=3", "B11", PAIRS);
    w.job.companion.reference = P3D_REFERENCE_NONE;
    *teacher = w.model;
    legal(&w, "tp=8,pp=8");
    teacher->ffn = 28676;
    p3d_copy(teacher->name, sizeof(teacher->name), "big");
    refused(&w, "tp=8", "B11",
            "tp=8 does not divide the 28676 MLP channels of the teacher big; "
            "try tp=4");
    teacher->n_layers = 0;
    legal(&w, "tp=8");
}

/* Last of the tests. */
static void every_rule_has_been_broken_by_some_test(void **state)
{
    (void)state;
    check_all_broken(true);
}

static void s16_f3_s17_inputs_shared_out_and_units(void **state)
{
    world w = dense();

    (void)state;
    w.job.unit_params = P3D_UNIT_WHOLE;
    refused(&w, "zero=3", "S17",
            "all does not wrap modules by their size; leave out --fsdp-unit");
    w.job.unit_params = 0, w.job.partition_activations = true;
    refused(&w, "tp=4,nosp,recompute=full", "S16",
            "all does not share out the inputs that recomputation keeps; leave "
            "out --partition-activations");
    w.framework.partition_activations = true;
    refused(&w, "tp=4,nosp", "F3",
            "recompute=none: --partition-activations shares out what "
            "recompute=full keeps; try that");
}

/* DeepSpeed@0.18.0 deepspeed/utils/groups.py: groups among all ranks. */
static void s18_what_is_sent_compressed(void **state)
{
    world w = dense();

    (void)state;
    w.job.compression.weights = true;
    refused(&w, "zero=3", "S18",
            "all has no ZeRO++; leave out --compress, or try --framework "
            "deepspeed-hf");
    w.framework.compresses = P3D_COMPRESS_ZEROPP | P3D_COMPRESS_LOW_RANK;
    legal(&w, "zero=3");
    refused(&w, "zero=1", "S18",
            "zero=1: ZeRO++ goes with zero=3 alone; try that");
    w.job.compression = (p3d_compression){.rank = 4};
    legal(&w, "zero=0");
    w.model.mixer.kind = P3D_MIXER_MAMBA;
    refused(&w, "zero=0", "S18",
            "PowerSGD is planned for dense decoders that are trained in full; "
            "leave out --compress");
}

/* DeepSpeed@38327e07 deepspeed/ops/sparse_attention/sparse_self_attention.py:
 * fp16, whole blocks, equal shapes of queries and keys. */
static void s19_attention_to_blocks(void **state)
{
    world w = dense();
    p3d_gpu *const gpu = &w.cluster.gpu;

    (void)state;
    w.job.sparse = (p3d_block_sparse){P3D_SPARSE_FIXED, 16, 4, 0, 1, 0};
    refused(&w, "zero=1", "S19",
            "all has no kernels over blocks; leave out --sparse-attention, or "
            "try --framework deepspeed");
    w.framework.block_sparse = true;
    assert_true(p3d_copy(gpu->architecture, sizeof(gpu->architecture), "sm80"));
    gpu->fp16_flop_per_s = gpu->bf16_flop_per_s;
    w.job.dtype = P3D_BF16;
    refused(&w, "zero=1", "S19",
            "kernels over blocks compute in fp16 alone; try --dtype fp16");
    w.job.dtype = P3D_FP16;
    w.model.n_kv_heads = w.model.n_heads;
    legal(&w, "zero=1");
    refused(&w, "zero=1,cp=2", "S19",
            "cp=2: kernels over blocks take whole sequences; try cp=1");
    w.model.n_kv_heads = w.model.n_heads / 2;
    refused(&w, "zero=1", "S19",
            "kernels over blocks take no grouped queries; leave out "
            "--sparse-attention");
    w.model.n_kv_heads = w.model.n_heads;
    w.job.seq_len = 2040;
    refused(&w, "zero=1", "S19",
            "block=16 of --sparse-attention does not divide the sequence of "
            "2040 tokens; try --seq 2048");
    w.job.seq_len = 2048;
    assert_true(p3d_copy(gpu->architecture, sizeof(gpu->architecture), "sm90"));
    refused(&w, "zero=1", "S19",
            "kernels over blocks need PyTorch before 2.0, which runs on sm70 "
            "to sm86; G is sm90; leave out --sparse-attention");
}

/* Megatron-LM@d98e8a64 refuses them at its start. */
static void f1_fp8_and_graphs_keep_some_modules(void **state)
{
    world w = dense();

    (void)state;
    w.framework.modules |= P3D_MODULE_CORE_ATTENTION | P3D_MODULE_NORMS |
                           P3D_MODULE_MOE_ACTIVATION;
    w.framework.delayed_keeps = P3D_MODULE_NORMS;
    legal(&w, "recompute=selective:layernorm");
    refused(&w, "recompute=selective:moe_act", "F1",
            "recompute=selective:moe_act: the model has no such module; try "
            "recompute=selective");
    w.job.graphs = P3D_GRAPHS_STEP;
    w.framework.graphs = true;
    w.job.dropout = true;
    legal(&w, "recompute=selective:layernorm");
    refused(&w, "recompute=selective:core_attn", "F1",
            "recompute=selective:core_attn: CUDA graphs (--cuda-graphs) replay "
            "no dropout of a module that is recomputed; leave out --dropout");
    w.cluster.gpu.fp8_flop_per_s = 6e14;
    w.job.dtype = P3D_FP8;
    refused(&w, "recompute=selective:layernorm", "F1",
            "recompute=selective:layernorm: all does not recompute it in fp8 "
            "by the recipe delayed; try --fp8-recipe current");
}

static void e1_e3_what_goes_with_an_optimizer(void **state)
{
    world w = dense();

    (void)state;
    w.framework.sharded_optimizers = 1u << P3D_ADAM;
    legal(&w, "zero=3");
    w.job.optimizer = P3D_MUON;
    legal(&w, "zero=1");
    refused(&w, "zero=3", "E1",
            "zero=3: all does not run --optimizer muon with it; try zero=1");
    w.job.optimizer = P3D_ADAM;
    w.framework.offloads_delayed = true;
    w.framework.fp8_recipes = 1u << P3D_FP8_CURRENT;
    w.cluster.gpu.fp8_flop_per_s = 6e14;
    w.job.dtype = P3D_FP8;
    refused(&w, "zero=1,offload=optimizer", "E3",
            "offload=optimizer: all keeps weights in fp8 beside it by the "
            "recipe delayed alone; try --fp8-recipe delayed, or --fp8-copies");
    w.job.fp8_copies = true;
    legal(&w, "zero=1,offload=optimizer");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(f1_fp8_and_graphs_keep_some_modules),
            cmocka_unit_test(e1_e3_what_goes_with_an_optimizer),
            cmocka_unit_test(s18_what_is_sent_compressed),
            cmocka_unit_test(s19_attention_to_blocks),
            cmocka_unit_test(s16_f3_s17_inputs_shared_out_and_units),
            cmocka_unit_test(s14_and_e5_refuse_adapters_that_do_not_go),
            cmocka_unit_test(torchtune_has_what_its_recipes_have),
            cmocka_unit_test(b9_needs_a_tower_for_images),
            cmocka_unit_test(b10_and_b11_refuse_frozen_models_that_do_not_go),
            cmocka_unit_test(every_rule_has_been_broken_by_some_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
