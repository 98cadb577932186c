/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_legality.c - which plans a framework can run, and why not the others. */
#include <stdio.h>

#include "legality_world.h"
#include "test.h"

static void usual_plans_are_legal(void **state)
{
    const world w = dense();

    (void)state;
    legal(&w, "");
    legal(&w, "tp=8,pp=2"), legal(&w, "tp=8,pp=2,nosp");
    legal(&w, "tp=8,pp=4,vp=5,mbs=1");
    legal(&w, "tp=4,cp=2,zero=3");
    legal(&w, "tp=8,pp=2,schedule=gpipe");
    legal(&w, "tp=8,recompute=selective");
    legal(&w, "tp=8,pp=2,recompute=full:40");
    legal(&w, "zero=3,offload=optimizer+parameters");
    legal(&w, "zero=1,offload=optimizer");
}

static void usual_plans_of_experts_are_legal(void **state)
{
    const world w = experts();

    (void)state;
    legal(&w, "");
    legal(&w, "ep=64");
    legal(&w, "tp=2,pp=2,ep=8");
    legal(&w, "tp=2,ep=8,etp=2");
    legal(&w, "tp=2,cp=2,ep=32");
    legal(&w, "tp=8");
}

static void a1_the_plan_uses_every_gpu(void **state)
{
    const world w = dense();
    p3d_plan plan = parse(&w, "tp=8,pp=2");

    (void)state;
    plan.dp = 2;
    check_refused(&w, &plan, "A1",
            "tp*pp*dp*cp = 32, but the cluster has 64 GPUs; leave dp out to "
            "have it derived, or let nodes be idle (--idle)");
    plan.tp = P3D_MAX_GPUS;
    plan.pp = P3D_MAX_GPUS;
    plan.dp = P3D_MAX_GPUS;
    assert_false(ask(&w, &plan, NULL));
}

static void a1_whole_nodes_may_be_idle(void **state)
{
    world w = dense();
    p3d_plan plan = parse(&w, "tp=8,pp=2");

    (void)state;
    w.cluster.node.gpus_per_node = 8;
    w.job.max_idle_nodes = 2;
    plan.dp = 3; /* 48 of 64 GPUs */
    w.job.global_batch = 3 * 64;
    assert_true(ask(&w, &plan, NULL));
    w.job.max_idle_nodes = 1;
    assert_false(ask(&w, &plan, NULL));
}

static void a10_a_pipeline_may_lie_nearer_than_replicas(void **state)
{
    world w = dense();
    world e = experts();

    (void)state;
    refused(&w, "pp=2,order=tp-cp-ep-pp-dp", "A10",
            "order=tp-cp-ep-pp-dp: all does not support it; leave it out");
    w.framework.pp_before_dp = true;
    legal(&w, "pp=2,order=tp-cp-ep-pp-dp");
    e.framework.pp_before_dp = true;
    legal(&e, "tp=8,pp=2,ep=8,order=tp-cp-ep-pp-dp");
    refused(&e, "tp=8,pp=2,ep=4,order=tp-cp-ep-pp-dp", "A10",
            "order=tp-cp-ep-pp-dp: experts need etp*ep = tp*cp, not 4 and 8; "
            "leave it out");
}

static void a1_no_size_is_less_than_one(void **state)
{
    static const size_t sizes[] = {offsetof(p3d_plan, tp),
            offsetof(p3d_plan, pp), offsetof(p3d_plan, dp),
            offsetof(p3d_plan, cp), offsetof(p3d_plan, ep),
            offsetof(p3d_plan, etp), offsetof(p3d_plan, vp),
            offsetof(p3d_plan, micro_batch)};
    const world w = dense();

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        p3d_plan plan = parse(&w, "tp=8,pp=2");
        const int zero = 0;

        memcpy((char *)&plan + sizes[i], &zero, sizeof(zero));
        check_refused(&w, &plan, "A1",
                "a size of the plan is less than 1; write at least 1");
    }
}

static void a2_the_expert_grid_divides_the_gpus(void **state)
{
    const world w = experts();

    (void)state;
    refused(&w, "tp=2,pp=2,ep=64", "A2",
            "etp=1 x ep=64 x pp=2 = 128 does not divide 64 GPUs; try ep=32");
    refused(&w, "tp=2,ep=16,etp=8", "A2",
            "etp=8 x ep=16 x pp=1 = 128 does not divide 64 GPUs; try ep=8");
}

static void s6_the_framework_has_the_dispatcher(void **state)
{
    world w = experts();

    (void)state;
    w.job.dispatcher = P3D_DISPATCH_HYBRIDEP;
    refused(&w, "ep=8", "S6",
            "all does not send tokens by hybridep; try --dispatcher alltoall, "
            "or --framework generic");
    legal(&w, "tp=8,pp=2");
    w.job.fixed_dispatcher = true; /* it was asked for: not lost silently */
    refused(&w, "tp=8,pp=2", "S6",
            "all does not send tokens by hybridep; try --dispatcher alltoall, "
            "or --framework generic");
    w.framework.dispatchers = 1u << P3D_DISPATCH_HYBRIDEP;
    legal(&w, "ep=8");
}

static void s6_deepep_has_settings_for_some_numbers_of_ranks(void **state)
{
    world w = experts();

    (void)state;
    w.job.dispatcher = P3D_DISPATCH_DEEPEP;
    w.framework.dispatchers = 1u << P3D_DISPATCH_DEEPEP;
    legal(&w, "ep=8");
    legal(&w, "tp=2,ep=8,etp=2");
    w.cluster.n_gpus = 320;
    w.model.n_experts = 320;
    w.job.global_batch = 320;
    refused(&w, "ep=20", "S6",
            "ep=20: DeepEP runs on 2, 4, 8, 16, 24, 32, 64, 128, 144 or 160 "
            "ranks, not 20; try ep=16");
}

static void c6_late_weights_are_asked_for(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "pp=2,schedule=2bw", "C6",
            "schedule=2bw updates the weights with gradients of older ones; "
            "say --async if that is allowed");
    w.job.asynchronous = true;
    legal(&w, "pp=2,schedule=2bw");
    refused(&w, "pp=2,schedule=2bw,zero=2", "C6",
            "schedule=2bw keeps whole versions of the weights, not shares "
            "of zero=2; try zero=1");
    w.framework.schedules = 1u << P3D_1F1B;
    refused(&w, "pp=2,schedule=2bw", "S12",
            "schedule=2bw: all does not support it; try schedule=1f1b");
}

static void s7_the_framework_has_graphs(void **state)
{
    world w = dense();

    (void)state;
    w.job.graphs = P3D_GRAPHS_STEP;
    refused(&w, "tp=8", "S7",
            "all has no CUDA graphs; leave out --cuda-graphs");
    w.framework.graphs = true;
    legal(&w, "tp=8");
}

static void g5_an_exchange_needs_another_pass_to_run_beside(void **state)
{
    world w = experts();

    (void)state;
    w.job.expert_overlap = true;
    refused(&w, "ep=8", "G5",
            "all does not run the exchange of experts beside another "
            "micro-batch; leave out --moe-overlap");
    w.framework.expert_overlap = true;
    legal(&w, "ep=8");
    w.job.n_mtp_layers = 2;
    refused(&w, "ep=8", "G5",
            "--moe-overlap goes with one block of multi-token prediction at "
            "most; try --mtp 1");
    w.job.n_mtp_layers = 0;
    refused(&w, "pp=2,ep=8", "G5",
            "--moe-overlap with pp=2 needs chunks; try vp=2");
    refused(&w, "ep=8,recompute=full", "G5",
            "--moe-overlap does not go with recomputation of whole layers or "
            "experts; try recompute=none");
    legal(&w, "pp=2");
    w.framework.dispatchers = 1u << P3D_DISPATCH_ALL_GATHER;
    w.job.dispatcher = P3D_DISPATCH_ALL_GATHER;
    refused(&w, "ep=8", "G5",
            "--moe-overlap does not go with --dispatcher allgather; try "
            "alltoall");
}

static void s_the_framework_has_the_kind_of_parallelism(void **state)
{
    world w = experts();

    (void)state;
    w.framework.tensor_parallel = false;
    refused(&w, "tp=2", "S5", "tp=2: all has no tensor parallelism; try tp=1");
    w.framework.tensor_parallel = true;
    w.framework.pipeline = false;
    w.framework.context_parallel = false;
    w.framework.expert_parallel = false;
    legal(&w, "tp=8");
    refused(&w, "pp=2", "S1",
            "pp=2: all has no pipeline parallelism; try pp=1");
    refused(&w, "cp=2", "S2", "cp=2: all has no context parallelism; try cp=1");
    refused(&w, "ep=2", "S3", "ep=2: all has no expert parallelism; try ep=1");
}

static void s4_the_gpu_has_the_data_type(void **state)
{
    world w = dense();

    (void)state;
    w.cluster.gpu.bf16_flop_per_s = 0;
    w.cluster.gpu.fp16_flop_per_s = 1e14;
    refused(&w, "", "S4", "G has no bf16; try --dtype fp16");
    w.cluster.gpu.fp16_flop_per_s = 0;
    refused(&w, "", "S4", "G has no bf16; try --dtype fp32");
}

/* More of S8 and S9 is in test_abilities.c. */
static void s8_s9_the_gpu_runs_the_kernels(void **state)
{
    world w = dense();

    (void)state;
    snprintf(w.cluster.gpu.architecture, sizeof(w.cluster.gpu.architecture),
            "sm80");
    w.framework.attention[0] = P3D_FLASH_2;
    w.job.attention = P3D_FLASH_3;
    refused(&w, "", "S8",
            "FlashAttention-3 needs sm90; G is sm80; try --attention flash2");
    w.job.attention = P3D_FLASH_2;
    w.job.dispatcher = P3D_DISPATCH_HYBRIDEP;
    refused(&w, "", "S9",
            "HybridEP needs sm90 to sm103; G is sm80; try --dispatcher "
            "alltoall");
}

static void s10_a_ring_needs_a_fused_kernel(void **state)
{
    static const char why[] =
            "cp=2: context parallelism needs a fused kernel, not eager "
            "attention; try cp=1";
    world w = dense();

    (void)state;
    w.job.attention = P3D_EAGER;
    legal(&w, "cp=1");
    refused(&w, "cp=2", "S10", why);
    w.job.cp_comm = P3D_CP_ALL_TO_ALL;
    legal(&w, "cp=2");
    w.framework.transformer_engine = true;
    refused(&w, "cp=2", "S10", why);
    refused(&w, "cp=4,ulysses=3", "A3",
            "ulysses=3 does not divide cp=4; try ulysses=2");
}

static void s11_overlap_reaches_the_gpus_of_a_node(void **state)
{
    world w = dense();

    (void)state;
    w.job.tp_overlap = true;
    w.cluster.node.gpus_per_node = 4;
    w.cluster.node.gpus_per_nvlink_domain = 4;
    refused(&w, "tp=4", "S11",
            "tp=4: all does not communicate beside the products; leave out "
            "--tp-overlap");
    w.framework.transformer_engine = true;
    legal(&w, "tp=4");
    refused(&w, "tp=4,nosp", "S11",
            "tp=4: --tp-overlap needs sequence parallelism; try sp");
    refused(&w, "tp=8", "S11",
            "tp=8: --tp-overlap reaches 4 GPUs that share a node; try tp=4");
    w.cluster.node.gpus_per_nvlink_domain = 72;
    legal(&w, "tp=8");
}

/* More of S15 is in test_abilities.c. */
static void s15_the_framework_runs_on_the_gpu(void **state)
{
    world w = dense();

    (void)state;
    snprintf(w.cluster.gpu.architecture, sizeof(w.cluster.gpu.architecture),
            "sm80");
    w.framework.devices = P3D_ON_ASCEND;
    refused(&w, "", "S15",
            "all does not run on G; try --framework megatron-core");
    w.framework.devices = P3D_ON_CUDA;
    legal(&w, "");
}

static void s13_the_framework_overlaps_the_stage(void **state)
{
    world w = dense();

    (void)state;
    w.job.dp_overlap = P3D_OVERLAP_ON;
    w.framework.overlap_dp = 1u << 3;
    w.framework.overlap_dp_asked = 1u << 1;
    refused(&w, "tp=4,zero=0", "S13",
            "zero=0: all does not communicate beside the passes; leave out "
            "--dp-overlap");
    legal(&w, "tp=4,zero=1");
    legal(&w, "tp=4,zero=3");
    w.job.dp_overlap = P3D_OVERLAP_OFF;
    legal(&w, "tp=4,zero=0");
}

static void d1_the_batch_is_shared_out(void **state)
{
    world w = dense();

    (void)state;
    w.job.global_batch = 1000;
    refused(&w, "tp=1,mbs=2", "D1",
            "a batch of 1000 sequences is not a multiple of dp=64 x mbs=2; try "
            "a batch of 896 or 1024");
    w.job.global_batch = 63;
    refused(&w, "", "D1",
            "dp=64 x mbs=1 needs 64 sequences per step, but the batch has 63");
    w.job.global_batch = 64;
    legal(&w, "");
}

static void d2_a_micro_batch_can_be_counted(void **state)
{
    world w = dense();

    (void)state;
    w.job.seq_len = 1 << 27;
    w.job.global_batch = 128;
    legal(&w, "");
    refused(&w, "tp=1,mbs=2", "D2",
            "a micro-batch of mbs=2 has 268435456 tokens on a rank, more than "
            "the 134217728 that plan3d counts; try mbs=1");
    legal(&w, "tp=1,cp=2,mbs=2");
    w.job.attention = P3D_EAGER;
    w.job.seq_len = 1 << 20;
    legal(&w, "");
    w.job.seq_len = 1 << 27;
    refused(&w, "", "D2",
            "eager attention has 1152921504606846976 scores on a rank, more "
            "than the 281474976710656 that plan3d counts; try --attention "
            "flash");
}

static void b1_heads_are_shared_out(void **state)
{
    world w = dense();

    (void)state;
    w.model.n_heads = 40;
    w.model.n_kv_heads = 40;
    refused(&w, "tp=16", "B1",
            "tp=16: 40 attention heads are not divisible by 16; try tp=8");
}

static void b2_key_value_heads_are_shared_out_or_copied(void **state)
{
    world w = dense();

    (void)state;
    legal(&w, "tp=16");
    w.framework.kv_replication = false;
    refused(&w, "tp=16", "B2",
            "tp=16: 8 key/value heads are not divisible by 16, and all does "
            "not "
            "copy them; try tp=8");
    w.framework.kv_replication = true;
    w.model.n_heads = 48;
    w.model.n_kv_heads = 6;
    legal(&w, "tp=2");
    refused(&w, "tp=16", "B2",
            "tp=16: 6 key/value heads are divided neither by 16 nor 16 by "
            "them; try tp=2");
}

static void b4_widths_are_shared_out(void **state)
{
    world w = dense();

    (void)state;
    w.model.ffn = 28668;
    refused(&w, "tp=8", "B4",
            "tp=8: MLP width 28668 is not divided by 8; try tp=4");
    w = experts(); /* no dense layer uses it */
    w.model.ffn = 28668;
    legal(&w, "tp=8");
    w = experts();
    w.model.expert_ffn = 1400;
    refused(&w, "tp=16,ep=2,etp=32", "B4",
            "etp=32: expert width 1400 is not divided by 32; try etp=8");
}

static void b4_shared_experts_are_shared_out(void **state)
{
    world w = experts();

    (void)state;
    w.model.shared_ffn = 2818;
    refused(&w, "tp=4,ep=4", "B4",
            "tp=4: width 2818 of the shared experts is not divided by 4; try "
            "tp=2");
}

static void b7_sequences_are_shared_out(void **state)
{
    world w = dense();

    (void)state;
    w.job.seq_len = 1020;
    refused(&w, "cp=4", "B7",
            "cp=4: a sequence of 1020 tokens is not a multiple of 2 x 4; try "
            "cp=2");
    refused(&w, "tp=8,cp=2", "B7",
            "sp: 510 tokens (1020 / cp=2) are not divisible by tp=8; try tp=2");
    legal(&w, "tp=8,cp=2,nosp");
}

static void b8_learned_positions_are_the_longest_sequence(void **state)
{
    world w = dense();

    (void)state;
    w.job.seq_len = 8192;
    legal(&w, "tp=8");
    w.model.learned_positions = 4096;
    refused(&w, "tp=8", "B8",
            "a sequence of 8192 tokens, but the model has learned 4096 "
            "positions; try 4096 tokens");
    w.job.seq_len = 4096;
    legal(&w, "tp=8");
}

static void c1_layers_are_shared_out(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "pp=64", "C1",
            "80 layers are not shared out evenly by pp=64 x vp=1; try pp=16");
    w.framework.uneven_stages = false;
    refused(&w, "pp=64", "C1",
            "80 layers are not shared out evenly by pp=64 x vp=1; try pp=16");
    w.model.n_layers = 61;
    refused(&w, "pp=8", "C1",
            "61 layers are not shared out evenly by pp=8 x vp=1");
    w.model.n_layers = 4;
    refused(&w, "pp=8", "C1",
            "4 layers are not shared out evenly by pp=8 x vp=1; try pp=4");
}

static void c6_chunks_need_the_interleaved_schedule(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "vp=2", "C6", "vp=2 needs pp > 1; try vp=1");
    refused(&w, "pp=2,vp=2,schedule=1f1b", "C6",
            "schedule=1f1b runs one chunk per rank, not vp=2; try "
            "schedule=interleaved");
    refused(&w, "pp=2,schedule=interleaved", "C6",
            "schedule=interleaved needs vp > 1; try schedule=1f1b");
    refused(&w, "pp=2,vp=4,schedule=zb-v", "C6",
            "schedule=zb-v needs vp=2, not vp=4; try vp=2");
    w.framework.schedules = 1u << P3D_1F1B;
    refused(&w, "pp=2,vp=2", "S12",
            "schedule=interleaved: all does not support it; try vp=1");
    refused(&w, "pp=2,schedule=zb-h1", "S12",
            "schedule=zb-h1: all does not support it; try schedule=1f1b");
}

static void c7_interleaving_runs_in_groups(void **state)
{
    world w = dense();

    (void)state;
    w.job.global_batch = 96; /* 6 micro-batches with dp=16 */
    legal(&w, "pp=4");
    refused(&w, "pp=4,vp=2", "C7",
            "interleaving needs micro-batches in a multiple of pp=4, not 6; "
            "try vp=1");
    legal(&w, "pp=4,vp=2,group=6");
    refused(&w, "pp=4,vp=2,group=3", "C7",
            "group=3: at least pp=4 and at most all 6 micro-batches run in a "
            "row; try group=4");
    refused(&w, "pp=4,vp=2,group=7", "C7",
            "group=7: at least pp=4 and at most all 6 micro-batches run in a "
            "row; try group=4");
    refused(&w, "pp=4,group=4", "C7",
            "group=4: only schedule=interleaved runs micro-batches in groups");
    w.job.global_batch = 144; /* 9: two groups of 4 and one too few */
    refused(&w, "pp=4,vp=2", "C7",
            "interleaving needs micro-batches in a multiple of pp=4, not 9; "
            "try vp=1, or group=9");
    legal(&w, "pp=4,vp=2,group=9");
    legal(&w, "pp=4,vp=2,group=5"); /* 5 and 4 */
    w.job.global_batch = 128;
    legal(&w, "pp=4,vp=2");
    /* Fewer micro-batches than ranks, 6 of two with dp=8: no group of them
     * would help. */
    w.job.global_batch = 96;
    refused(&w, "pp=8,vp=2,mbs=2", "C7",
            "interleaving needs micro-batches in a multiple of pp=8, not 6; "
            "try vp=1");
}

static void e1_the_framework_has_the_zero_stage(void **state)
{
    world w = dense();
    p3d_plan plan;

    (void)state;
    w.framework.zero_stages = 0x7;
    w.framework.zero_stages_pipeline = 0x3;
    legal(&w, "zero=2");
    refused(&w, "zero=3", "E1",
            "zero=3: all does not support it; try zero=0, 1 or 2");
    refused(&w, "pp=2,zero=2", "E1",
            "zero=2: all does not support it with a pipeline; try zero=0 or 1");
    refused(&w, "pp=2,zero=3", "E1",
            "zero=3: all does not support it; try zero=0 or 1");
    w.framework.zero_stages = 0x8;
    refused(&w, "zero=1", "E1", "zero=1: all does not support it; try zero=3");
    plan = parse(&w, "zero=3");
    plan.zero = 7;
    check_refused(
            &w, &plan, "E1", "zero=7: all does not support it; try zero=3");
    plan.zero = -1;
    check_refused(
            &w, &plan, "E1", "zero=-1: all does not support it; try zero=3");
}

static void e2_the_framework_has_the_offload(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "zero=2,offload=optimizer+parameters", "E2",
            "offload=optimizer+parameters needs zero=3, not zero=2; try zero=3 "
            "or offload=optimizer");
    refused(&w, "zero=0,offload=optimizer", "E2",
            "offload=optimizer: all does not support it with zero=0; try "
            "zero=1, 2 "
            "or 3");
    w.framework.parameter_offload = false;
    refused(&w, "zero=3,offload=optimizer+parameters", "E2",
            "offload=optimizer+parameters: all has no offload of parameters; "
            "try offload=optimizer");
    w.framework.offload_zero_stages = 0;
    refused(&w, "offload=optimizer", "E2",
            "offload=optimizer: all has no offload of the optimizer; try "
            "offload=none");
}

static void e3_the_framework_and_the_node_take_what_is_offloaded(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "offload=activations:0.25", "E3",
            "offload=activations:0.25: all has no offload of activations; try "
            "offload=none");
    refused(&w, "offload=optimizer@nvme", "E3",
            "offload=optimizer@nvme: all has no offload to NVMe; try "
            "offload=optimizer");
    w.framework.activation_offload = true;
    w.framework.nvme = true;
    memcpy(w.cluster.node.name, "N", 2);
    legal(&w, "offload=activations:0.25");
    legal(&w, "offload=optimizer+activations");
    refused(&w, "offload=optimizer:0.5", "E3",
            "offload=optimizer:0.5: all offloads all of the states or none; "
            "try offload=optimizer");
    w.framework.offload_ratio_stages = 1u << 1;
    legal(&w, "offload=optimizer:0.5+activations");
    refused(&w, "offload=optimizer@nvme", "E3",
            "offload=optimizer@nvme: node N states no nvme_bytes; write them "
            "into a cluster file");
    w.cluster.node.nvme_bytes = INT64_C(1) << 40;
    legal(&w, "offload=optimizer@nvme");
}

static void e4_states_are_shared_by_a_divisor_of_the_replicas(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "shard=8", "E4",
            "shard=8: all shares the states of zero=1 by all replicas; leave "
            "it out");
    w.framework.hybrid_stages = 1u << 1 | 1u << 3;
    legal(&w, "shard=8");
    legal(&w, "zero=3,shard=64");
    legal(&w, "tp=2,cp=2,shard=32"); /* dp = 16, times cp */
    refused(&w, "zero=0,shard=8", "E4",
            "shard=8: zero=0 shares no states; try zero=1 or 3");
    refused(&w, "tp=8,shard=6", "E4",
            "shard=6: 8 replicas are not divisible by 6; try shard=4");
    refused(&w, "tp=8,shard=16", "E4",
            "shard=16: 8 replicas are not divisible by 16; try shard=8");
}

static void c2_the_ends_take_layers_of_their_own(void **state)
{
    world w = dense();

    (void)state;
    refused(&w, "pp=4,first=20", "C2",
            "first=20: all shares the layers out by itself; leave it out");
    w.framework.typed_layers = true;
    legal(&w, "pp=4,first=14,last=18");
    legal(&w, "pp=4,first=20");
    refused(&w, "first=80", "C2",
            "first, last, short and tail need pp > 1; leave them out");
    refused(&w, "pp=4,tail=head", "C2",
            "short and tail need vp > 1; leave them out");
    refused(&w, "pp=4,vp=2,tail=mtp-head", "C2",
            "tail=mtp-head needs --mtp; try tail=head");
    /* 80 - 19 layers on three stages */
    refused(&w, "pp=4,first=19", "C1",
            "80 layers are not shared out evenly by pp=4 x vp=1 with first=19; "
            "leave it out");
}

static void g1_sequence_parallelism_goes_with_tensor_parallelism(void **state)
{
    const world w = experts();

    (void)state;
    refused(&w, "sp", "G1", "sp needs tp > 1; try nosp");
    refused(&w, "tp=2,ep=2,nosp", "G1", "ep=2 with tp=2 needs sp; try sp");
    legal(&w, "tp=2,nosp");
}

static void g4_experts_are_shared_out(void **state)
{
    world w = experts();

    (void)state;
    w.model.n_experts = 60;
    refused(&w, "ep=8", "G4",
            "ep=8: 60 experts are not divisible by 8; try ep=4");
    refused(&w, "tp=8,etp=2", "G4",
            "etp=2: with ep=1 it is that of tp; try etp=8");
    w.model.n_experts = 64;
    w.model.expert_bias = true;
    legal(&w, "tp=8,ep=8");
    refused(&w, "tp=8", "G4",
            "etp=8: experts with biases are not split; try etp=1 with ep > 1");
    w = dense();
    refused(&w, "ep=2", "G4", "ep=2: the model has no experts; try ep=1");
}

static void f1_recomputed_layers_are_those_of_a_stage(void **state)
{
    const world w = dense();
    p3d_plan plan = parse(&w, "tp=8,pp=2,recompute=full:41");

    (void)state;
    check_refused(&w, &plan, "F1",
            "recompute=full:41: a stage has only 40 layers; try "
            "recompute=full");
    plan.recompute_layers = 4;
    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    check_refused(&w, &plan, "F1",
            "only recompute=full takes a number of layers (4)");
    refused(&w, "tp=8,pp=4,vp=5,recompute=full:5", "F1",
            "recompute=full:5: a chunk has only 4 layers; try "
            "recompute=full");
}

static void f1_groups_of_layers_are_those_of_a_stage(void **state)
{
    const world w = dense();
    p3d_plan plan = parse(&w, "tp=8,pp=2,recompute=uniform:41");

    (void)state;
    check_refused(&w, &plan, "F1",
            "recompute=uniform:41: a stage has only 40 layers; try "
            "recompute=uniform:40");
    legal(&w, "tp=8,pp=2,recompute=uniform:40");
    plan.recompute_group = 2;
    plan.recompute = P3D_RECOMPUTE_NONE;
    assert_false(ask(&w, &plan, NULL));
}

static void f1_modules_are_those_of_the_framework(void **state)
{
    world w = dense();
    p3d_plan plan;

    (void)state;
    w.framework.modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP;
    legal(&w, "recompute=selective:core_attn+mlp");
    refused(&w, "recompute=selective:mlp+layernorm", "F1",
            "recompute=selective:layernorm: all recomputes it not alone; try "
            "recompute=selective");
    w.framework.modules = P3D_MODULE_CORE_ATTENTION;
    w.framework.unsearched_modules = P3D_MODULE_MLP;
    legal(&w, "recompute=selective:core_attn+mlp");
    plan = parse(&w, "recompute=selective:mlp");
    plan.recompute = P3D_RECOMPUTE_FULL;
    check_refused(&w, &plan, "F1", "only recompute=selective takes modules");
}

static void f2_refuses_what_the_options_cannot_say(void **state)
{
    world w = dense();

    (void)state;
    w.framework.lacks = P3D_LACKS_LAYER_COUNTS;
    refused(&w, "recompute=full:4", "F2",
            "all recomputes all layers or none; try recompute=full");
}

/* Last of the tests. */
static void every_rule_has_been_broken_by_some_test(void **state)
{
    (void)state;
    check_all_broken(false);
    assert_null(spec_rule_words(64));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(usual_plans_are_legal),
            cmocka_unit_test(usual_plans_of_experts_are_legal),
            cmocka_unit_test(a1_the_plan_uses_every_gpu),
            cmocka_unit_test(a1_whole_nodes_may_be_idle),
            cmocka_unit_test(a10_a_pipeline_may_lie_nearer_than_replicas),
            cmocka_unit_test(a1_no_size_is_less_than_one),
            cmocka_unit_test(a2_the_expert_grid_divides_the_gpus),
            cmocka_unit_test(s6_the_framework_has_the_dispatcher),
            cmocka_unit_test(s6_deepep_has_settings_for_some_numbers_of_ranks),
            cmocka_unit_test(c6_late_weights_are_asked_for),
            cmocka_unit_test(s7_the_framework_has_graphs),
            cmocka_unit_test(g5_an_exchange_needs_another_pass_to_run_beside),
            cmocka_unit_test(s_the_framework_has_the_kind_of_parallelism),
            cmocka_unit_test(s4_the_gpu_has_the_data_type),
            cmocka_unit_test(s8_s9_the_gpu_runs_the_kernels),
            cmocka_unit_test(s10_a_ring_needs_a_fused_kernel),
            cmocka_unit_test(s11_overlap_reaches_the_gpus_of_a_node),
            cmocka_unit_test(s15_the_framework_runs_on_the_gpu),
            cmocka_unit_test(s13_the_framework_overlaps_the_stage),
            cmocka_unit_test(d1_the_batch_is_shared_out),
            cmocka_unit_test(d2_a_micro_batch_can_be_counted),
            cmocka_unit_test(b1_heads_are_shared_out),
            cmocka_unit_test(b2_key_value_heads_are_shared_out_or_copied),
            cmocka_unit_test(b4_widths_are_shared_out),
            cmocka_unit_test(b4_shared_experts_are_shared_out),
            cmocka_unit_test(b7_sequences_are_shared_out),
            cmocka_unit_test(b8_learned_positions_are_the_longest_sequence),
            cmocka_unit_test(c1_layers_are_shared_out),
            cmocka_unit_test(c6_chunks_need_the_interleaved_schedule),
            cmocka_unit_test(c7_interleaving_runs_in_groups),
            cmocka_unit_test(e1_the_framework_has_the_zero_stage),
            cmocka_unit_test(e2_the_framework_has_the_offload),
            cmocka_unit_test(
                    e3_the_framework_and_the_node_take_what_is_offloaded),
            cmocka_unit_test(e4_states_are_shared_by_a_divisor_of_the_replicas),
            cmocka_unit_test(c2_the_ends_take_layers_of_their_own),
            cmocka_unit_test(
                    g1_sequence_parallelism_goes_with_tensor_parallelism),
            cmocka_unit_test(g4_experts_are_shared_out),
            cmocka_unit_test(f1_recomputed_layers_are_those_of_a_stage),
            cmocka_unit_test(f1_groups_of_layers_are_those_of_a_stage),
            cmocka_unit_test(f1_modules_are_those_of_the_framework),
            cmocka_unit_test(f2_refuses_what_the_options_cannot_say),
            cmocka_unit_test(every_rule_has_been_broken_by_some_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
