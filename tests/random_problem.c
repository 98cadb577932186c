/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_problem.c - see random_problem.h. */
#include "random_problem.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_model.h"

static void make_cluster(random_source *r, p3d_cluster *out)
{
    static const char *const words[] = {"1xA100", "2xA100", "3xH100", "4xA100",
            "8xA100", "2x2xA100", "2x2xH100", "3x2xH100", "2x4xA800",
            "4xRTX-4090", "5xA100", "6xH100", "4xV100-32G", "2x2xB200",
            "4xMI300X", "2x3xL40S"};
    p3d_error err = {.code = P3D_OK};

    problem_check(p3d_cluster_find(PICK(r, words), out, &err), &err);
}

/** A cluster of Ascend or TPU where the framework runs there alone; a copy of
 *  the source, so that what follows is as for the others. */
static void make_other(
        random_source r, const p3d_framework *framework, p3d_cluster *out)
{
    static const char *const ascend[] = {
            "1x910B", "4x910B", "8x910B", "2x2x910B", "3x2x910B"};
    static const char *const tpu[] = {"1xTPU-v5e", "4xTPU-v4", "8xTPU-v5e",
            "2x4xTPU-v5p", "3x2xTPU-v6e", "16xTPU-v5p", "3xTPU-v7x"};
    p3d_error err = {.code = P3D_OK};

    if (framework->devices == P3D_ON_ASCEND)
        problem_check(p3d_cluster_find(PICK(&r, ascend), out, &err), &err);
    if (framework->devices == P3D_ON_TPU)
        problem_check(p3d_cluster_find(PICK(&r, tpu), out, &err), &err);
}

/** Nodes below switches that neighbours share or not. */
static void make_hosts(random_source *r, p3d_cluster *c)
{
    p3d_tiers *const tiers = &c->tiers;
    const int domain = c->node.gpus_per_nvlink_domain / c->node.gpus_per_node;
    const int step = domain > 1 ? domain : 1;

    tiers->placement = P3D_PLACEMENT_HOSTS;
    for (int n = 0; n < c->n_nodes; n += step) {
        p3d_stretch *const to = &tiers->stretches[tiers->n_stretches++];

        to->n_nodes = step;
        to->switch_of[0] = (uint16_t)random_below(r, 4);
        for (int tier = 1; tier < P3D_MAX_TIERS; tier++)
            to->switch_of[tier] = to->switch_of[tier - 1] / 2;
    }
}

/** Switches above the nodes of some; a copy of the source, so that what
 *  follows is as without them. */
static void make_tiers(random_source r, p3d_cluster *c)
{
    p3d_tiers *const tiers = &c->tiers;

    if (c->n_nodes < 2 || one_in(&r, 2))
        return;
    tiers->n = 1 + one_in(&r, 3);
    for (int i = 0; i < tiers->n; i++)
        tiers->at[i] = (p3d_tier){.nodes_below = 1 + i,
                .oversubscription = 1 + random_below(&r, 40) / 4.0,
                .routing = one_in(&r, 4) ? P3D_LINKS_ECMP : P3D_LINKS_ADAPTIVE};
    if (one_in(&r, 3))
        tiers->placement = P3D_PLACEMENT_RANDOM;
    else if (one_in(&r, 2))
        make_hosts(&r, c);
}

static p3d_dtype make_dtype(random_source *r, const p3d_gpu *gpu)
{
    static const p3d_dtype types[] = {
            P3D_BF16, P3D_BF16, P3D_BF16, P3D_FP16, P3D_FP32, P3D_FP8};
    p3d_dtype dtype;

    do
        dtype = PICK(r, types);
    while (p3d_gpu_peak_flop_per_s(gpu, dtype) <= 0);
    return dtype;
}

/** How launches add and what overlaps, without a draw that others would have
 *  made. */
static void make_host(random_source r, p3d_job *job)
{
    job->launch_blocking = one_in(&r, 12);
    job->gc_interval = one_in(&r, 8) ? 5 : 0;
    job->fixed_added_host = one_in(&r, 3);
    job->added_host_frac = random_below(&r, 11) * 0.1;
    if (one_in(&r, 4))
        job->dp_overlap = (p3d_overlap)random_below(&r, P3D_N_OVERLAPS);
}

/** Adapters or frozen parts, likewise. */
static void make_adapters(random_source r, p3d_job *job)
{
    static const int ranks[] = {4, 6, 8, 16, 64};

    (void)random_below(&r, 7);
    if (one_in(&r, 8)) {
        job->frozen = (unsigned)random_below(&r, P3D_PART_VISION);
        return;
    }
    if (p3d_adapter_facts_of(job->framework) == NULL || !one_in(&r, 4))
        return;
    job->adapters = (p3d_adapters){.rank = PICK(&r, ranks),
            .targets = (unsigned)random_below(&r, P3D_ALL_TARGETS + 1),
            .trained = one_in(&r, 4)
                               ? (unsigned)random_below(&r, P3D_ALL_PARTS + 1)
                               : 0,
            .dora = one_in(&r, 4),
            .dropout = one_in(&r, 3) ? 0.1 : 0};
    if (job->dtype == P3D_BF16 || job->dtype == P3D_FP16)
        job->adapters.base = (p3d_base)random_below(&r, P3D_N_BASES);
}

static void make_job(random_source *r, p3d_problem *p)
{
    static const int lengths[] = {512, 1024, 2048, 4096, 65536};
    static const int batches[] = {1, 2, 3, 4, 6, 8, 12, 16};
    int n;
    const p3d_framework *frameworks = p3d_frameworks(&n);
    p3d_job *job = &p->job;

    *job = (p3d_job){.seq_len = PICK(r, lengths),
            .global_batch = PICK(r, batches),
            .framework = &frameworks[random_below(r, n)]};
    make_other(*r, job->framework, &p->cluster);
    p3d_job_default(job, &p->model, &p->cluster);
    job->sure_reserve_bytes = (int64_t)random_below(r, 3) << 25;
    job->dtype = make_dtype(r, &p->cluster.gpu);
    job->optimizer =
            (p3d_optimizer)(one_in(r, 2) ? random_below(r, P3D_N_OPTIMIZERS)
                                         : P3D_ADAM);
    if (one_in(r, 3))
        job->attention = P3D_EAGER;
    job->dropout = one_in(r, 6);
    job->eager = one_in(r, 6);
    job->optimizer_in_backward = one_in(r, 12);
    job->asynchronous = one_in(r, 8);
    make_host(*r, job);
    job->cp_comm = one_in(r, 3) ? P3D_CP_ALL_TO_ALL : P3D_CP_RING;
    if (p->model.n_experts > 0 && one_in(r, 4)) {
        job->dispatcher = (p3d_dispatcher)random_below(r, P3D_N_DISPATCHERS);
        job->expert_overlap = one_in(r, 2);
    }
    make_adapters(*r, job);
    job->master_dtype = one_in(r, 8) ? P3D_STATE_NONE : P3D_STATE_USUAL;
    if (p->cluster.n_nodes > 1 && one_in(r, 4))
        job->max_idle_nodes = 1;
}

/** What a model sees with, likewise: some of them as much work as all of its
 *  layers, with images of a part of the sequence. */
static void make_tower(random_source r, p3d_problem *p)
{
    static const int widths[] = {256, 512, 1280};
    static const int merges[] = {1, 4, 9, 16};
    p3d_tower *const t = &p->model.tower;

    (void)random_below(&r, 5);
    if (!one_in(&r, 4))
        return;
    *t = (p3d_tower){.key = "vision_config",
            .hidden = PICK(&r, widths),
            .n_layers = 1 + random_below(&r, 12),
            .n_heads = 8,
            .norm_weights = 1 + random_below(&r, 2),
            .qkv_bias = true,
            .gated_mlp = one_in(&r, 2),
            .n_stem = 1,
            .stem_rows = {1},
            .class_tokens = random_below(&r, 2),
            .learned_positions = 64,
            .n_outer_norms = random_below(&r, 3),
            .patches_per_token = PICK(&r, merges),
            .image_tokens = 64 << random_below(&r, 3),
            .n_deepstack = random_below(&r, 2)};
    t->ffn = 4 * t->hidden;
    t->stem[0] = (p3d_linear){588, t->hidden, true};
    t->n_windowed = random_below(&r, t->n_layers + 1);
    t->window_patches = 64;
    t->tile_patches = one_in(&r, 2) ? 64 * t->patches_per_token : 0;
    t->projector = (p3d_projector){.norm_params = t->hidden,
            .n_linears = 1,
            .linear = {
                    {t->hidden * t->patches_per_token, p->model.hidden, true}}};
    t->deepstack = t->projector;
    p->job.n_images = random_below(&r, 3);
    if (p->job.adapters.rank == 0 && one_in(&r, 3))
        p->job.frozen |= one_in(&r, 2) ? P3D_PART_VISION
                                       : P3D_PART_VISION | P3D_PART_PROJECTOR;
    p->job.no_images = one_in(&r, 8);
    p->job.tower_recompute = (p3d_overlap)random_below(&r, P3D_N_OVERLAPS);
}

/** A frozen model beside the trained one, likewise: the same with other sizes,
 *  or the model as it was. */
static void make_companion(random_source r, p3d_problem *p)
{
    p3d_model *const teacher = &p->job.companion.teacher;

    (void)random_below(&r, 11);
    if (p3d_companion_facts_of(p->job.framework) == NULL || !one_in(&r, 5))
        return;
    if (p->job.global_batch % 2 == 0 && one_in(&r, 2)) {
        p->job.companion.reference =
                (p3d_reference)(1 + random_below(&r, P3D_N_REFERENCES - 1));
        return;
    }
    *teacher = p->model;
    teacher->n_layers = p->model.n_layers * (1 + random_below(&r, 3));
    for (int i = 0; i < teacher->n_layers; i++)
        teacher->layer_kind[i] = p->model.layer_kind[i % p->model.n_layers];
    teacher->ffn *= 1 + random_below(&r, 3);
}

/** Texts in its sequences, likewise. */
static void make_lengths(random_source r, p3d_job *job)
{
    (void)random_below(&r, 13);
    if (!one_in(&r, 5))
        return;
    job->lengths.filling = (p3d_filling)random_below(&r, P3D_N_FILLINGS);
    job->lengths.mean = job->seq_len / (1 + random_below(&r, 7));
    job->lengths.mean_square = 1.5 * job->lengths.mean * job->lengths.mean;
}

/** Switches of a job, each on in some. */
static const size_t job_flags[] = {offsetof(p3d_job, flash_copies_output),
        offsetof(p3d_job, fixed_cp_comm), offsetof(p3d_job, loads_all_kernels),
        offsetof(p3d_job, whole_at_start),
        offsetof(p3d_job, separate_gradients),
        offsetof(p3d_job, separate_experts), offsetof(p3d_job, fp8_copies),
        offsetof(p3d_job, fp8_one_layout), offsetof(p3d_job, tp_overlap),
        offsetof(p3d_job, partition_activations)};

static void make_switches(random_source r, p3d_job *job)
{
    (void)random_below(&r, 29);
    for (int i = 0; i < P3D_COUNT_OF(job_flags); i++)
        if (one_in(&r, 12))
            *(bool *)((char *)job + job_flags[i]) = true;
    if (job->framework->wraps && one_in(&r, 4))
        job->unit_params = P3D_UNIT_WHOLE;
    /* Without the ability no plan is legal. */
    job->partition_activations =
            job->partition_activations && job->framework->partition_activations;
}

/** One of what the framework has. */
static void make_compression(random_source r, p3d_job *job)
{
    const unsigned has = job->framework->compresses;
    p3d_compression *const c = &job->compression;

    (void)random_below(&r, 31);
    if (has == 0 || !one_in(&r, 8))
        return;
    if ((has & P3D_COMPRESS_LOW_RANK) != 0) {
        c->rank = 4;
    } else if (one_in(&r, 3) && job->optimizer == P3D_ADAM) {
        c->one_bit = true;
    } else {
        c->weights = one_in(&r, 2);
        c->gradients = one_in(&r, 2);
        c->shares = 1 << random_below(&r, 3);
    }
}

/** Data types of the states that the framework can have. */
static void make_states(random_source r, p3d_job *job)
{
    p3d_job other = *job;
    p3d_error err = {.code = P3D_OK};

    (void)random_below(&r, 31);
    if (!one_in(&r, 4))
        return;
    other.gradient_dtype = (p3d_state_dtype)random_below(&r, 3);
    other.moment_dtype = (p3d_state_dtype)random_below(&r, 4);
    if (one_in(&r, 2))
        other.master_dtype = (p3d_state_dtype)random_below(&r, 3);
    if (p3d_job_check_states(&other, &err))
        *job = other;
    job->reduce_dtype = (p3d_state_dtype)random_below(&r, 3);
}

/** What else a job may say. */
static void make_settings(random_source r, p3d_problem *p)
{
    p3d_job *const job = &p->job;

    (void)random_below(&r, 37);
    if (one_in(&r, 8))
        job->loss = (p3d_loss)random_below(&r, P3D_N_LOSSES);
    if (one_in(&r, 8) && job->framework->graphs)
        job->graphs = (p3d_graphs)random_below(&r, P3D_N_GRAPHS);
    if (one_in(&r, 6))
        job->allocator = (p3d_allocator)random_below(&r, P3D_N_ALLOCATORS);
    if (one_in(&r, 12))
        job->deferred_logits = 1 + random_below(&r, 3);
    if (one_in(&r, 8))
        job->cublas_bytes = (int64_t)random_below(&r, 5) << 24;
    if (one_in(&r, 4) && p->model.n_experts > 0)
        job->expert_load = 1 + random_below(&r, 5) / 4.0;
    if (p->model.n_mtp_layers > 0 && one_in(&r, 2))
        job->n_mtp_layers = 1;
    if (one_in(&r, 8)) {
        job->reserve_bytes = (int64_t)random_below(&r, 3) << 28;
        job->fixed_reserve = true;
    }
    if (job->dtype == P3D_FP8 && one_in(&r, 2))
        job->fp8_recipe = (p3d_fp8_recipe)random_below(&r, P3D_N_FP8_RECIPES);
    make_switches(r, job);
    make_compression(r, job);
    make_states(r, job);
}

/** Networks without GPUDirect or that reach a place in a node, and small NVMe;
 *  likewise. */
static void make_links(random_source r, p3d_cluster *c)
{
    (void)random_below(&r, 41);
    c->fabric.without_gpudirect = c->n_nodes > 1 && one_in(&r, 8);
    if (c->tiers.n > 0 && c->tiers.placement != P3D_PLACEMENT_HOSTS)
        c->tiers.rails = one_in(&r, 4);
    if (one_in(&r, 6))
        c->node.nvme_bytes = (int64_t)(random_below(&r, 32) * P3D_GIB);
}

/** A value or two that somebody has fixed. */
static void make_pins(random_source *r, random_case *c)
{
    static const char *const words[] = {"tp=1", "tp=2", "pp=1", "pp=2", "dp=1",
            "dp=2", "cp=1", "cp=2", "mbs=1", "mbs=2", "zero=0", "zero=1",
            "zero=2", "zero=3", "sp", "nosp", "vp=1", "vp=2", "uneven",
            "first=1", "last=1", "first=2", "recompute=none",
            "recompute=selective", "recompute=full", "recompute=full:1",
            "recompute=full:2", "recompute=uniform:2", "recompute=uniform:3",
            "recompute=selective:mlp", "offload=none", "offload=optimizer",
            "offload=optimizer:0.3", "offload=optimizer:0.55",
            "offload=optimizer+parameters", "offload=optimizer@nvme",
            "offload=activations:0.5", "shard=2", "schedule=1f1b",
            "schedule=gpipe", "group=2", "group=4", "order=tp-cp-ep-pp-dp",
            "ep=2", "ep=1", "etp=1", "ulysses=1", "ulysses=2"};
    const int n = one_in(r, 2) ? 0 : 1 + random_below(r, 3);
    p3d_error err = {.code = P3D_OK};

    c->pins = p3d_pins_free();
    c->pin_words[0] = '\0';
    for (int i = 0; i < n; i++) {
        char more[2 * P3D_PLAN_WORDS];
        p3d_pins pins;

        snprintf(more, sizeof(more), "%s%s%s", c->pin_words,
                c->pin_words[0] != '\0' ? "," : "", PICK(r, words));
        if (!p3d_pins_parse(more, &pins, &err))
            continue; /* the same word twice */
        c->pins = pins;
        p3d_copy(c->pin_words, sizeof(c->pin_words), more);
    }
}

void random_case_of(uint32_t seed, random_case *out)
{
    random_source r = {seed * 2654435761u + 12345};

    memset(out, 0, sizeof(*out));
    out->seed = seed;
    for (int i = 0; i < 4; i++)
        (void)random_below(&r, 2); /* seeds that follow begin alike */
    make_cluster(&r, &out->problem.cluster);
    random_model_of(&r, &out->problem.model);
    make_job(&r, &out->problem);
    make_tower(r, &out->problem);
    make_companion(r, &out->problem);
    make_lengths(r, &out->problem.job);
    make_tiers(r, &out->problem.cluster);
    make_settings(r, &out->problem);
    make_links(r, &out->problem.cluster);
    make_pins(&r, out);
    out->problem.cluster.gpu.visible_memory_bytes = (int64_t)1 << 50;
    out->problem.cluster.node.host_memory_bytes = (int64_t)1 << 50;
    /* Own runs that were slower or faster than the constants say. */
    if (seed % 3 == 0)
        out->problem.job.anchor = (p3d_anchor){
                .step_factor = 0.5 + seed % 16 / 8.0, .n_steps = 1};
}

void random_case_say(const random_case *c)
{
    const p3d_problem *p = &c->problem;
    const p3d_model *m = &p->model;

    print_error("seed %u: %s, %d layers (%d without experts), hidden %d, "
                "tower of %d layers, %d/%d heads, %d experts, latent %d, "
                "sequence %d, batch %lld, "
                "%s, %s, %s, attention %d, visible %.6f GiB, host %.6f GiB, "
                "idle %d, pins '%s'\n",
            (unsigned)c->seed, p->cluster.name, m->n_layers,
            p3d_model_count_layers(m, 0), m->hidden, m->tower.n_layers,
            m->n_heads, m->n_kv_heads, m->n_experts, m->kv_lora_rank,
            p->job.seq_len, (long long)p->job.global_batch,
            p->job.framework->name, p3d_dtype_name(p->job.dtype),
            p3d_optimizer_of(p->job.optimizer)->name, (int)p->job.attention,
            (double)p->cluster.gpu.visible_memory_bytes / P3D_GIB,
            (double)p->cluster.node.host_memory_bytes / P3D_GIB,
            p->job.max_idle_nodes, c->pin_words);
}

/** Bytes of a device with which some plan fits; 0 when there is none. */
static int64_t least_bytes(const p3d_problem *problem, const p3d_pins *pins)
{
    p3d_problem p = *problem;
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;

    p.cluster.gpu.visible_memory_bytes = 0;
    problem_check(p3d_verify(&p, pins, NULL, &b, &err), &err);
    return b.n_plans > 0 ? b.least_missing_bytes : 0;
}

/** Bytes between two, both included. */
static int64_t between(random_source *r, int64_t low, int64_t high)
{
    const int part = random_below(r, 5);

    return low + (high - low) / 4 * part;
}

bool random_case_tighten(random_case *c)
{
    random_source r = {c->seed ^ 0x9e3779b9u};
    p3d_pins plain = c->pins;
    int64_t least, most;

    least = least_bytes(&c->problem, &c->pins);
    if (least == 0)
        return false;
    plain.recompute = P3D_RECOMPUTE_NONE;
    plain.recompute_layers = plain.recompute_group = 0;
    plain.recompute_modules = 0;
    plain.offload = P3D_OFFLOAD_NONE;
    plain.offload_frac = 0;
    plain.offload_nvme = 0;
    plain.activation_offload_frac = 0;
    most = least_bytes(&c->problem, &plain);
    if (most <= least)
        most = 2 * least;
    (void)random_below(&r, 2);
    if (one_in(&r, 4))
        most = 2 * most;
    c->problem.cluster.gpu.visible_memory_bytes =
            between(&r, least, most) - one_in(&r, 2);
    if (one_in(&r, 3))
        c->problem.cluster.node.host_memory_bytes =
                (int64_t)(random_below(&r, 32) * P3D_GIB / 2);
    return true;
}
