/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory_items.c - what a rank holds beside the tensors of its layers,
 * line by line. */
#include "problem.h"

#include <string.h>

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))
#define I64(n)        INT64_C(n)

/* LLaMA-2-7B: a layer, the embedding, the head with its norm; and all. */
static const int64_t layer = 202383360, embedding = 131072000;
static const int64_t head = 131076096, all = I64(6738415616);
static const int64_t input = 33554432; /* 2 B x 4096 x 4096 */
static const int64_t mib = 1048576;

static p3d_memory_item lines[P3D_MAX_MEMORY_ITEMS];
static int n_lines;

static void list(const p3d_problem *problem, const char *words, int stage)
{
    const p3d_plan plan = problem_plan(problem, words);

    n_lines = p3d_estimate_items(problem, &plan, stage, lines);
}

/** Bytes of the lines with this name and term; 0 = there is none. */
static int64_t bytes_of(int term, const char *name)
{
    int64_t sum = 0;

    for (int i = 0; i < n_lines; i++) {
        if (lines[i].term == term && strcmp(lines[i].name, name) == 0)
            sum += lines[i].bytes;
    }
    return sum;
}

static void check_line(int term, const char *name, int64_t bytes)
{
    if (bytes_of(term, name) != bytes)
        print_error("%s\n", name);
    assert_int_equal(bytes_of(term, name), bytes);
}

static p3d_problem llama(const char *framework, int64_t global_batch)
{
    return problem_of("llama-2-7b", "8xA100", framework, 4096, global_batch);
}

/* One micro-batch: gradients come with the backward and stay reserved. A layer
 * is gathered, the next one too; the last layer, embedding and head are not
 * given back; 16 bytes of all parameters are shared by 8 ranks. */
static void torchtitan_with_zero_3_holds_these(void **state)
{
    const p3d_problem problem = llama("fsdp2-2024", 8);

    (void)state;
    list(&problem, "zero=3", 0);
    check_line(P3D_TERM_weights, "weights", 4 * all / 8);
    check_line(P3D_TERM_gradients, "gradients", 0);
    check_line(P3D_TERM_fragmentation, "gradients", 4 * all / 8);
    check_line(P3D_TERM_optimizer, "moments of the optimizer", all);
    check_line(P3D_TERM_optimizer, "master weights", 0);
    check_line(P3D_TERM_buffers, "gathered weights of a layer", 2 * layer);
    check_line(
            P3D_TERM_buffers, "gathered weights of the next layer", 2 * layer);
    check_line(P3D_TERM_buffers, "gathered weights of the ends of the model",
            2 * (embedding + head));
    check_line(P3D_TERM_buffers, "gradients of a layer", 2 * layer);
    check_line(P3D_TERM_buffers, "gradients of a layer in fp32", 4 * layer);
    check_line(P3D_TERM_buffers, "gradient of the output matrix", 2 * head);
    /* In the pool of the stream that gathers: all ranks' parts and an own. */
    check_line(P3D_TERM_fragmentation,
            "buffers of the gathered ends of the model",
            2 * (embedding + head) * 9 / 8);
    /* 2 of the 6 bytes of 4096 x 32000 logits that two gradients do not fill */
    check_line(P3D_TERM_fragmentation, "hole that the 16-bit logits leave",
            2 * I64(4096) * 32000);
    check_line(
            P3D_TERM_fragmentation, "holes, and segments of other passes", 0);
}

/* Several micro-batches: gradients outlive the backward. Since 2025 the last
 * layer is given back, the loss is compiled. */
static void torchtitan_of_today_gives_more_back(void **state)
{
    const p3d_problem problem = llama("fsdp2", 64);

    (void)state;
    list(&problem, "zero=3", 0);
    check_line(P3D_TERM_gradients, "gradients", 4 * all / 8);
    check_line(P3D_TERM_fragmentation, "gradients", 0);
    check_line(P3D_TERM_buffers, "gathered weights of the ends of the model",
            2 * head);
    check_line(P3D_TERM_fragmentation, "hole that the 16-bit logits leave", 0);
}

/* Segments that do not grow have holes: 3.2 % of what is allocated, if the
 * peak is also that of what the passes have in common. */
static void segments_that_do_not_grow_have_holes(void **state)
{
    p3d_problem problem = llama("fsdp2", 64);
    const p3d_plan plan = problem_plan(&problem, "zero=3");
    p3d_memory m;

    (void)state;
    problem.job.allocator = P3D_ALLOCATOR_FIXED;
    m = problem_stage(&problem, &plan, 0).memory;
    list(&problem, "zero=3", 0);
    CHECK_REL((double)bytes_of(P3D_TERM_fragmentation,
                      "holes, and segments of other passes"),
            0.032 * (double)p3d_memory_allocated_bytes(&m), 1e-6);
}

/* ZeRO-1 of 8 ranks: 4 B of fp32 and 2 B of flat gradients at the step, when
 * activations are gone; their segments stay. 5e8 gradients are flattened. */
static void deepspeed_flattens_at_the_step(void **state)
{
    const p3d_problem problem = llama("deepspeed", 64);

    (void)state;
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_fragmentation, "copies of the gradients", 6 * all / 8);
    check_line(P3D_TERM_fragmentation, "gradients flattened to be reduced",
            1000000000);
    check_line(P3D_TERM_buffers, "bucket of gradients", 0);
    list(&problem, "zero=2", 0);
    check_line(P3D_TERM_buffers, "bucket of gradients", 1000000000);
    check_line(P3D_TERM_gradients, "gradients", 4 * all / 8);
}

/* Autograd holds the gathered weights of all 32 layers; the model's output the
 * logits in fp32, and three copies more are alive at the loss. */
static void transformers_holds_what_autograd_does(void **state)
{
    const p3d_problem problem = llama("deepspeed-hf", 64);
    const int64_t copy = 4 * I64(4096) * 32000;

    (void)state;
    list(&problem, "zero=3", 0);
    check_line(P3D_TERM_buffers, "gathered weights held by autograd",
            2 * 32 * layer);
    check_line(P3D_TERM_working, "logits in fp32, held by the model's output",
            copy);
    check_line(P3D_TERM_working, "gradient of the log-softmax in fp32", copy);
    list(&problem, "zero=3,recompute=full", 0);
    check_line(P3D_TERM_buffers, "gathered weights held by autograd", 0);
}

/* The last of two stages with tp = 2: 2 x 4096 x 2048 x 2 B received and sent
 * both ways; a gradient of each of the shapes of half a layer and half a head:
 * (4096 x (12288 + 4096 + 22016 + 11008)) / 2 and two norms, 32000 x 4096 / 2
 * and one. */
static void megatron_keeps_workspaces_and_boundaries(void **state)
{
    const p3d_problem problem = llama("megatron-core", 64);
    const int64_t shapes = I64(4096) * (12288 + 4096 + 22016 + 11008) / 2 +
                           2 * 4096 + embedding / 2 + 4096;

    (void)state;
    list(&problem, "tp=2,pp=2,zero=1", 1);
    check_line(P3D_TERM_buffers, "buffer for gathered inputs", input);
    check_line(
            P3D_TERM_workspace, "tensors being sent and received", 2 * input);
    check_line(
            P3D_TERM_workspace, "workspaces of cuBLAS", 2 * 8 * mib + mib / 4);
    check_line(P3D_TERM_workspace, "workspaces of Transformer Engine", 4 * mib);
    check_line(P3D_TERM_workspace, "dummy gradients, one of each shape",
            2 * shapes);
    /* Three groups: tensor, pipeline, data. */
    check_line(P3D_TERM_context, "buffers of communicators", 3 * 392000000);
    check_line(
            P3D_TERM_context, "device context and loaded kernels", 768 * mib);
    list(&problem, "tp=2,pp=2,zero=1", 0);
    check_line(P3D_TERM_buffers, "buffer for gathered inputs", 0);
}

/* The main head's logits and their gradient of 2 B x 4096 x 32000 / tp; of the
 * three micro-batches whose gradient is put off, and their inputs. */
static void the_last_stage_holds_what_is_put_off(void **state)
{
    p3d_problem problem = llama("megatron-core", 64);
    const int64_t logits = 2 * I64(4096) * 32000 / 2;

    (void)state;
    problem.job.n_mtp_layers = 1;
    problem.job.deferred_logits = 3;
    list(&problem, "tp=2,pp=2,zero=1", 1);
    check_line(P3D_TERM_buffers, "logits of the main head", 2 * logits);
    check_line(P3D_TERM_buffers, "inputs and gradients of deferred logits",
            3 * (logits + input / 2));
    list(&problem, "tp=2,pp=2,zero=1", 0);
    check_line(P3D_TERM_buffers, "logits of the main head", 0);
    check_line(P3D_TERM_buffers, "inputs and gradients of deferred logits", 0);
    /* No more than there are: two micro-batches. */
    problem.job.global_batch = 4;
    list(&problem, "tp=2,pp=2,zero=1", 1);
    check_line(P3D_TERM_buffers, "inputs and gradients of deferred logits",
            2 * (logits + input / 2));
}

/* A block of multi-token prediction on the last stage: a layer, a projection of
 * 2 h x h, three norms and a copy of the embedding. */
static void a_block_more_is_on_the_last_stage(void **state)
{
    p3d_problem problem = llama("megatron-core", 64);
    const p3d_plan plan = problem_plan(&problem, "pp=2,zero=1");
    p3d_stage before, after;

    (void)state;
    before = problem_stage(&problem, &plan, 1);
    problem.job.n_mtp_layers = 1;
    after = problem_stage(&problem, &plan, 1);
    assert_int_equal(after.params.dense - before.params.dense,
            layer + 2 * I64(4096) * 4096 + 3 * 4096 + embedding);
    assert_int_equal(after.n_layers, before.n_layers + 1);
    /* Its own norm's and matrix's inputs beside those of the layer. */
    assert_int_equal(
            after.memory.activations_bytes - before.memory.activations_bytes,
            I64(539492352) + 2 * input);
}

/* 2 + 5 x 6 layers on chunks of four ranks: the third has chunks 2 and 6, the
 * fourth 3 and 7. The head's matrix is as large as the embedding. */
static void a_block_alone_is_on_the_stage_before(void **state)
{
    p3d_problem problem = llama("megatron-core", 64);
    p3d_plan plan;
    p3d_stage block, end;

    (void)state;
    problem.job.n_mtp_layers = 1;
    plan = problem_plan(&problem, "pp=4,vp=2,zero=1,first=2,tail=mtp-head");
    block = problem_stage(&problem, &plan, 2);
    end = problem_stage(&problem, &plan, 3);
    assert_int_equal(block.params.dense,
            7 * layer + 2 * I64(4096) * 4096 + 3 * 4096 + embedding);
    assert_int_equal(block.n_layers, 7);
    assert_int_equal(end.params.dense, 6 * layer + embedding + 4096);
    assert_int_equal(end.n_layers, 6);
}

/* Several products of experts have 4 workspaces more, overlap 3; cuBLAS takes
 * 32 MiB on Hopper or what is said. */
static void workspaces_follow_the_job(void **state)
{
    p3d_problem problem =
            problem_of("mixtral-8x7b", "8xH100", "megatron-core", 4096, 64);

    (void)state;
    list(&problem, "ep=8,zero=1", 0);
    check_line(P3D_TERM_workspace, "workspaces of cuBLAS", 2 * 32 * mib);
    check_line(P3D_TERM_workspace, "workspaces of Transformer Engine",
            5 * 32 * mib);
    problem.job.tp_overlap = true;
    list(&problem, "ep=8,zero=1", 0);
    check_line(P3D_TERM_workspace, "workspaces of Transformer Engine",
            8 * 32 * mib);
    problem.job.separate_experts = true;
    problem.job.cublas_bytes = 1000000;
    problem.job.separate_gradients = true;
    list(&problem, "ep=8,zero=1", 0);
    check_line(P3D_TERM_workspace, "workspaces of Transformer Engine",
            4 * 32 * mib);
    check_line(P3D_TERM_workspace, "workspaces of cuBLAS", 2000000);
    check_line(P3D_TERM_workspace, "dummy gradients, one of each shape", 0);
}

/* Of the 32 layers' matrices, 1 B each: fp8 copies in both layouts; weights in
 * fp8 alone have the second beside them on Hopper, where Megatron-FSDP holds it
 * for the layer at hand. */
static void fp8_weights_lie_beside(void **state)
{
    const int64_t matrices = 32 * I64(4096) * (12288 + 4096 + 22016 + 11008);
    p3d_problem problem =
            problem_of("llama-2-7b", "8xH100", "megatron-core", 4096, 64);

    (void)state;
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", 0);
    problem.job.dtype = P3D_FP8;
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", matrices);
    list(&problem, "zero=3", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", 0);
    check_line(P3D_TERM_buffers, "gathered weights of a layer", 2 * layer);
    list(&problem, "zero=0", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", 2 * matrices);
    problem.job.fp8_copies = true;
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", 2 * matrices);
}

/* Blackwell's products take either layout, so one is kept and gathered; scales
 * of blocks go with their layout: two are kept, with a byte for 32 values. */
static void one_layout_is_enough_for_blackwell(void **state)
{
    const int64_t matrices = 32 * I64(4096) * (12288 + 4096 + 22016 + 11008);
    p3d_problem problem =
            problem_of("llama-2-7b", "8xB200", "megatron-core", 4096, 64);

    (void)state;
    problem.job.dtype = P3D_FP8;
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", 0);
    list(&problem, "zero=3", 0);
    check_line(P3D_TERM_buffers, "gathered weights of a layer", layer);
    list(&problem, "zero=0", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", matrices);
    problem.job.fp8_recipe = P3D_FP8_MXFP8;
    list(&problem, "zero=0", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", matrices * 33 / 16);
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_workspace, "weights in fp8", matrices * 17 / 16);
    list(&problem, "zero=3", 0);
    check_line(
            P3D_TERM_buffers, "gathered weights of a layer", layer * 33 / 16);
}

/* Liger's SwiGLU keeps gate and up, and writes their gradients over them; its
 * RMSNorm makes no copy in fp32. Stage 3 copies a bucket to share it out. */
static void liger_keeps_less(void **state)
{
    const int64_t wide = 2 * I64(4096) * 11008;
    p3d_problem problem = llama("deepspeed-hf", 64);

    (void)state;
    problem.job.loss = P3D_LOSS_CHUNKED;
    list(&problem, "zero=3,recompute=full,offload=optimizer", 0);
    check_line(P3D_TERM_working, "activated gate of the MLP", wide);
    check_line(P3D_TERM_working, "wide copies of the norms", 4 * input);
    check_line(
            P3D_TERM_working, "gradients of the MLP's wide tensors", 2 * wide);
    check_line(P3D_TERM_fragmentation, "copy of the bucket of gradients",
            1000000000);
    problem.job.loss = P3D_LOSS_LIGER;
    list(&problem, "zero=3,recompute=full,offload=optimizer", 0);
    check_line(P3D_TERM_working, "gate of the MLP", wide);
    check_line(P3D_TERM_working, "activated gate of the MLP", 0);
    check_line(P3D_TERM_working, "wide copies of the norms", 0);
    check_line(P3D_TERM_working, "gradients of the MLP's wide tensors", wide);
    check_line(P3D_TERM_activations, "input of the final norm", input);
}

/* PyTorch's autocast of fp32 weights: a residual stream in fp32, the input of
 * each linear cast for itself (queries, keys, values; gate, up), and the casts
 * of the matrices of layers and head, of which recomputation leaves those of
 * the head (32000 x 4096) and of the layer at hand. */
static void autocast_keeps_casts(void **state)
{
    p3d_problem problem = problem_of("llama-2-7b", "1xH200", "ddp-hf", 4096, 1);
    const int64_t table = I64(32000) * 4096;

    (void)state;
    list(&problem, "zero=0", 0);
    check_line(P3D_TERM_activations, "input of the layer", 2 * 32 * input);
    check_line(P3D_TERM_activations, "wide copies of the norms",
            2 * 2 * 32 * input);
    check_line(P3D_TERM_activations, "input of the QKV projection",
            3 * 32 * input);
    check_line(P3D_TERM_activations, "input of the MLP", 2 * 32 * input);
    check_line(P3D_TERM_activations, "input of the final norm", 4 * input);
    check_line(P3D_TERM_weights, "weights", 4 * all);
    check_line(P3D_TERM_weights, "16-bit casts of the weights",
            2 * (all - embedding - 4096));
    problem.job.dtype = P3D_FP32;
    list(&problem, "zero=0", 0);
    check_line(P3D_TERM_weights, "16-bit casts of the weights", 0);
    problem.job.dtype = P3D_BF16;
    problem.job.seq_len = 131072;
    list(&problem, "zero=0,recompute=full", 0);
    check_line(P3D_TERM_weights, "16-bit casts of the weights", 2 * table);
}

/* Beside frozen 16-bit weights LitGPT runs without autocast: a LayerNorm keeps
 * its input alone, where an RMSNorm of single operations copies it to fp32. */
static void layer_norms_make_no_copy(void **state)
{
    p3d_problem problem = problem_of("gpt3-6.7b", "1xH200", "ddp", 2048, 1);

    (void)state;
    problem.job.adapters = (p3d_adapters){.rank = 8};
    list(&problem, "zero=0", 0);
    check_line(P3D_TERM_activations, "wide copies of the norms", 0);
    check_line(P3D_TERM_activations, "input of the layer",
            32 * I64(2048) * 4096 * 2);
}

/* Of one layer there is no next one to gather. */
static void one_layer_prefetches_none(void **state)
{
    p3d_problem problem = llama("fsdp2", 64);

    (void)state;
    problem.model.n_layers = 1;
    list(&problem, "zero=3", 0);
    check_line(P3D_TERM_buffers, "gathered weights of a layer", 2 * layer);
    check_line(P3D_TERM_buffers, "gathered weights of the next layer", 0);
}

/* Whole weights in 16 bit on each GPU, before 8 of them share them out: more
 * than the step of a short sequence takes. */
static void weights_that_were_whole_count(void **state)
{
    p3d_problem problem = llama("deepspeed-hf", 64);
    const p3d_plan plan =
            problem_plan(&problem, "zero=3,recompute=full,offload=optimizer");
    p3d_estimate estimate;
    int64_t apart;

    (void)state;
    problem.job.seq_len = 512;
    assert_true(p3d_estimate_plan(&problem, &plan, &estimate, NULL));
    assert_true(p3d_memory_reserved_bytes(&estimate.memory) < 2 * all);
    problem.job.whole_at_start = true;
    assert_true(p3d_estimate_plan(&problem, &plan, &estimate, NULL));
    apart = 1000000000; /* the copy of the bucket */
    CHECK_REL((double)p3d_memory_reserved_bytes(&estimate.memory),
            2.0 * (double)all + (double)apart, 1e-9);
}

/* 1271 MiB on V100, 1573 MiB on A100 with all kernels loaded at once. */
static void a_context_may_have_all_kernels(void **state)
{
    p3d_problem problem = llama("megatron-core", 64);

    (void)state;
    list(&problem, "zero=1", 0);
    check_line(
            P3D_TERM_context, "device context and loaded kernels", 768 * mib);
    problem.job.loads_all_kernels = true;
    list(&problem, "zero=1", 0);
    check_line(
            P3D_TERM_context, "device context and loaded kernels", 1573 * mib);
    problem = problem_of("llama-2-7b", "8xV100", "fsdp1", 4096, 64);
    problem.job.loads_all_kernels = true;
    list(&problem, "zero=3", 0);
    check_line(
            P3D_TERM_context, "device context and loaded kernels", 1271 * mib);
}

/* Two inputs of 2 B x 4096 x 4096 of each of the micro-batches in flight, of
 * the stage and to the next. */
static void a_pipeline_of_deepspeed_keeps_its_boundaries(void **state)
{
    const p3d_problem problem = llama("deepspeed", 64);

    (void)state;
    for (int rank = 0; rank < 4; rank++) {
        list(&problem, "pp=4,zero=1", rank);
        check_line(P3D_TERM_activations, "inputs and outputs of the stage",
                2 * (4 - rank) * input);
    }
}

/* With tensor parallelism a rank keeps its share of the output alone: the input
 * is that of the first layer. */
static void tensor_parallel_ranks_share_the_output_of_a_stage(void **state)
{
    const p3d_problem problem = llama("deepspeed", 64);

    (void)state;
    for (int rank = 0; rank < 4; rank++) {
        list(&problem, "tp=2,pp=4,zero=1,nosp", rank);
        check_line(P3D_TERM_activations, "inputs and outputs of the stage",
                (4 - rank) * input / 2);
    }
}

/* 4096 x 32000 logits on each of two ranks, in fp32 at the loss; 16-bit ones of
 * two micro-batches stay, or of the only one. */
static void gathered_logits_are_whole_on_every_rank(void **state)
{
    const int64_t logits = I64(4096) * 32000;
    const p3d_problem several = llama("aleph-alpha-rms", 64);
    const p3d_problem one = llama("aleph-alpha-rms", 4);

    (void)state;
    list(&several, "tp=2,zero=1", 0);
    check_line(P3D_TERM_working, "log-softmax in fp32", 4 * logits);
    check_line(P3D_TERM_buffers, "logits in the buffers of the pipeline",
            2 * 2 * logits);
    list(&one, "tp=2,zero=1", 0);
    check_line(P3D_TERM_buffers, "logits in the buffers of the pipeline",
            2 * logits);
    list(&several, "tp=2,pp=2,zero=1", 0);
    check_line(P3D_TERM_buffers, "logits in the buffers of the pipeline", 0);
}

/* 2048 x 32000 logits of each of two sequences: DeepSpeed's last stage keeps
 * those at hand and the ones before; in fp32 the first are the loss's own. A
 * single stage runs without the pipeline engine. */
static void a_last_stage_of_deepspeed_keeps_its_logits(void **state)
{
    static const char name[] = "logits in the buffers of the pipeline";
    const int64_t logits = I64(4096) * 32000;
    p3d_problem problem = llama("deepspeed", 64);

    (void)state;
    list(&problem, "zero=1", 0);
    check_line(P3D_TERM_buffers, name, 0);
    list(&problem, "pp=2,zero=1", 0);
    check_line(P3D_TERM_buffers, name, 0);
    list(&problem, "pp=2,zero=1", 1);
    check_line(P3D_TERM_buffers, name, 2 * 2 * logits);
    problem.job.dtype = P3D_FP32;
    list(&problem, "pp=2,zero=1", 1);
    check_line(P3D_TERM_buffers, name, 4 * logits);
}

/* With little else the step is the peak: 6 B of own gradients in fp16, and of a
 * chunk's input and its gradient, which the first stage's first chunk has not.
 * Half of 32 layers, with the embedding or the head, over 4 ranks. */
static void the_step_holds_copies_of_the_gradients(void **state)
{
    const char *const words = "pp=2,zero=1,recompute=full";
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "deepspeed", 128, 64);
    const p3d_plan plan = problem_plan(&problem, words);

    (void)state;
    problem.job.dtype = P3D_FP16;
    for (int rank = 0; rank < 2; rank++) {
        const int64_t n = 16 * layer + (rank == 0 ? embedding : head);

        assert_int_equal(
                problem_stage(&problem, &plan, rank).pass, P3D_PASS_STEP);
        list(&problem, words, rank);
        check_line(P3D_TERM_gradients, "copies of the gradients", 6 * n / 4);
        check_line(P3D_TERM_buffers, "gradients flattened to be reduced",
                1000000000);
        check_line(P3D_TERM_workspace,
                "inputs of the chunks and their gradients",
                rank == 0 ? 0 : 2 * 2 * 128 * 4096);
        check_line(P3D_TERM_workspace, "tensors being sent and received", 0);
    }
}

/* Of the axes tp, pp and dp; of all ranks, of a replica, to each neighbour; of
 * the two stages that tie their embeddings. V100 has half as many channels. */
static void an_engine_opens_communicators_of_its_own(void **state)
{
    static const struct {
        const char *model, *cluster, *words;
        int stage;
        int64_t bytes;
    } cases[] = {
            {"llama-2-7b", "64xA100", "tp=2,pp=4,zero=1", 0,
                    6 * I64(392000000)},
            {"llama-2-7b", "64xA100", "tp=2,pp=4,zero=1", 1,
                    7 * I64(392000000)},
            {"llama-2-7b", "8xA100", "zero=1", 0, 2 * I64(392000000)},
            {"bloom-7b1", "64xA100", "tp=2,pp=4,zero=1", 3, 7 * I64(392000000)},
            {"llama-2-7b", "64xV100", "tp=2,pp=4,zero=1", 0,
                    6 * I64(196000000)},
    };

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        const p3d_problem problem = problem_of(
                cases[i].model, cases[i].cluster, "deepspeed", 2048, 64);

        list(&problem, cases[i].words, cases[i].stage);
        check_line(
                P3D_TERM_context, "buffers of communicators", cases[i].bytes);
    }
}

/* 4 B of the embedding's 32000 x 4096 over two ranks; the stages between have
 * both halves of a gated MLP, 22016 x 4096 / 2. Without a pipeline another
 * optimizer runs. */
static void gradients_are_cast_one_by_one(void **state)
{
    const char name[] = "copy of the largest gradient in fp32";
    const p3d_problem problem =
            problem_of("llama-2-7b", "64xA100", "deepspeed", 2048, 64);

    (void)state;
    list(&problem, "tp=2,pp=4,zero=1", 0);
    check_line(P3D_TERM_fragmentation, name, 4 * embedding / 2);
    list(&problem, "tp=2,pp=4,zero=1", 1);
    check_line(P3D_TERM_fragmentation, name, 4 * I64(22016) * 4096 / 2);
    list(&problem, "tp=2,zero=1", 0);
    check_line(P3D_TERM_fragmentation, name, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_engine_opens_communicators_of_its_own),
            cmocka_unit_test(gradients_are_cast_one_by_one),
            cmocka_unit_test(torchtitan_with_zero_3_holds_these),
            cmocka_unit_test(torchtitan_of_today_gives_more_back),
            cmocka_unit_test(segments_that_do_not_grow_have_holes),
            cmocka_unit_test(deepspeed_flattens_at_the_step),
            cmocka_unit_test(transformers_holds_what_autograd_does),
            cmocka_unit_test(megatron_keeps_workspaces_and_boundaries),
            cmocka_unit_test(the_last_stage_holds_what_is_put_off),
            cmocka_unit_test(a_block_more_is_on_the_last_stage),
            cmocka_unit_test(a_block_alone_is_on_the_stage_before),
            cmocka_unit_test(workspaces_follow_the_job),
            cmocka_unit_test(fp8_weights_lie_beside),
            cmocka_unit_test(liger_keeps_less),
            cmocka_unit_test(autocast_keeps_casts),
            cmocka_unit_test(layer_norms_make_no_copy),
            cmocka_unit_test(one_layer_prefetches_none),
            cmocka_unit_test(a_context_may_have_all_kernels),
            cmocka_unit_test(weights_that_were_whole_count),
            cmocka_unit_test(one_layout_is_enough_for_blackwell),
            cmocka_unit_test(the_step_holds_copies_of_the_gradients),
            cmocka_unit_test(a_pipeline_of_deepspeed_keeps_its_boundaries),
            cmocka_unit_test(tensor_parallel_ranks_share_the_output_of_a_stage),
            cmocka_unit_test(gathered_logits_are_whole_on_every_rank),
            cmocka_unit_test(a_last_stage_of_deepspeed_keeps_its_logits),
    };

    return cmocka_run_group_tests_name("memory items", tests, NULL, NULL);
}
