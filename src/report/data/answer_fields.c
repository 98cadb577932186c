/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer_fields.c - the JSON objects of the question, of one plan, of the error
 * of its step and of the measured runs near it, by tables. */
#include "base/util.h"

#include "report/answer.h"
#include "report/data/fields.h"
#include "report/document.h"
#include "spec/adapters.h"
#include "spec/block_sparse.h"
#include "spec/compression.h"
#include "spec/tiers.h"
#include "spec/tower.h"
#include "spec/words.h"

void report_get_chars(const void *at, json_got *out)
{
    out->string = at;
}

void report_get_words(const void *estimate, json_got *out)
{
    const p3d_estimate *const e = estimate;

    p3d_plan_print(&e->plan, out->chars, sizeof(out->chars));
}

void report_get_peak(const void *estimate, json_got *out)
{
    const p3d_estimate *const e = estimate;

    out->integer64 = p3d_memory_device_bytes(&e->memory);
}

void report_get_margin(const void *estimate, json_got *out)
{
    out->integer64 = p3d_estimate_margin_bytes(estimate);
}

void report_get_step(const void *estimate, json_got *out)
{
    const p3d_estimate *const e = estimate;

    out->number = p3d_time_step_s(&e->time);
}

void report_get_parameters(const void *model, json_got *out)
{
    out->integer64 = p3d_total_params(model);
}

void report_get_active_parameters(const void *model, json_got *out)
{
    out->integer64 = p3d_active_params(model);
}

static void tower_parameters_of(const void *model, json_got *out)
{
    out->integer64 = p3d_tower_params(model);
}

static void tower_frozen_of(const void *problem, json_got *out)
{
    const p3d_problem *const p = problem;
    const unsigned has = p3d_has_tower(&p->model) ? p3d_tower_part(&p->model) |
                                                            P3D_PART_PROJECTOR
                                                  : 0;
    char text[SPEC_ADAPTERS_WORDS];

    p3d_copy(out->chars, sizeof(out->chars),
            spec_parts_print(p3d_job_frozen(&p->job, &p->model) & has, text));
}

static void images_of(const void *problem, json_got *out)
{
    const p3d_problem *const p = problem;

    out->integer = p3d_job_images(&p->job, &p->model).n;
}

static void image_tokens_of(const void *problem, json_got *out)
{
    const p3d_problem *const p = problem;

    out->integer = p3d_job_images(&p->job, &p->model).tokens;
}

GETTER(pass_of, p3d_stage, string, p3d_pass_name(x->pass))
GETTER(allocated_of, p3d_memory, integer64, p3d_memory_allocated_bytes(x))
GETTER(reserved_of, p3d_memory, integer64, p3d_memory_reserved_bytes(x))
GETTER(stages_of, report_answer, list,
        ((json_list){x->stages, x->found.plan.pp}))

static void recompute_words_of(const void *plan, json_got *out)
{
    p3d_print_recompute(plan, out->chars);
}

static void offload_words_of(const void *plan, json_got *out)
{
    p3d_print_offload(plan, out->chars);
}

/* Of a plan 0 means all of them: what is written says what it is. */
GETTER(offload_frac_of, p3d_plan, number,
        x->offload == P3D_OFFLOAD_NONE ? 0
        : x->offload_frac > 0          ? x->offload_frac
                                       : 1)

GETTER(peak_flop_of, p3d_problem, number, report_peak_flop_per_s(x))
GETTER(tokens_of, p3d_job, integer64, report_tokens_per_step(x))
GETTER(loss_of, p3d_job, string, p3d_loss_name(p3d_job_loss(x)))
GETTER(reduce_of, p3d_job, string,
        x->reduce_dtype == P3D_STATE_USUAL
                ? "usual"
                : spec_state_dtype_word((int)x->reduce_dtype - 1))
GETTER(reference_of, p3d_job, string,
        p3d_reference_word((int)x->companion.reference))
GETTER(dispatcher_of, p3d_job, string, p3d_dispatcher_name(x->dispatcher))
GETTER(framework_of, p3d_job, string, x->framework->name)
GETTER(versions_of, p3d_job, string, x->framework->versions)

static void lora_of(const void *job, json_got *out)
{
    const p3d_job *const j = job;
    char text[SPEC_ADAPTERS_WORDS];

    p3d_copy(out->chars, sizeof(out->chars),
            spec_adapters_print(&j->adapters, text));
}

static void compress_of(const void *job, json_got *out)
{
    const p3d_job *const j = job;
    char text[SPEC_COMPRESSION_WORDS];

    p3d_copy(out->chars, sizeof(out->chars),
            spec_compression_print(&j->compression, text));
}

static void sparse_of(const void *job, json_got *out)
{
    const p3d_job *const j = job;
    char text[SPEC_SPARSE_WORDS];

    p3d_copy(out->chars, sizeof(out->chars),
            spec_sparse_print(&j->sparse, text));
}

static void freeze_of(const void *job, json_got *out)
{
    const p3d_job *const j = job;
    char text[SPEC_ADAPTERS_WORDS];

    p3d_copy(out->chars, sizeof(out->chars), spec_parts_print(j->frozen, text));
}

static void teacher_of(const void *job, json_got *out)
{
    const p3d_job *const j = job;
    const p3d_model *const teacher = &j->companion.teacher;

    p3d_copy(out->chars, sizeof(out->chars),
            teacher->n_layers > 0 ? teacher->name : "");
}

static void frameworks_of(const void *question, json_got *out)
{
    const report_question *const q = question;
    const json_list none = {NULL, 0};

    out->list = q->frameworks == NULL
                        ? none
                        : (json_list){q->frameworks->at, q->frameworks->n};
}

/* clang-format off */
#define Q report_question
#define M problem.model
#define NAME_OF(key, at, d)                                                    \
    {GOT(key, Q, at, char *, TEXT, report_get_chars, d)}
static const json_field model_fields[] = {
    {AS("asked", Q, model_word, "the model as it was asked for")},
    ARRAY_IN(Q, M, name, "name of the model"),
    ARRAY_IN(Q, M, family, "Hugging Face model_type"),
    {GOT("parameters", Q, M, p3d_model, INT64, report_get_parameters,
            "all parameters, tied matrices once")},
    {GOT("active_parameters", Q, M, p3d_model, INT64,
            report_get_active_parameters,
            "parameters that one token passes through")},
    IN(Q, M, n_layers, "decoder layers"),
    IN(Q, M, hidden, "width of the residual stream"),
    IN(Q, M, n_heads, "query heads"),
    IN(Q, M, n_kv_heads, "key and value heads"),
    IN(Q, M, head_dim, "width of a query head"),
    MAYBE_IN(Q, M, ffn, "width of a dense MLP"),
    IN(Q, M, vocab, "vocabulary before padding"),
    IN(Q, M, n_experts, "experts of a layer; 0 = dense model"),
    IN(Q, M, top_k, "experts that a token is sent to"),
    IN(Q, M, expert_ffn, "width of an expert"),
    MAYBE_IN(Q, M, max_positions,
            "tokens of the longest sequence that it was made for"),
    NAME_OF("tower", M.tower.key,
            "key of the file that says what it sees or hears with; empty: "
            "none that is counted"),
    {GOT("tower_parameters", Q, M, p3d_model, INT64, tower_parameters_of,
            "of these, of its tower and the projector")},
    NAME_OF("not_counted", M.not_counted,
            "keys of parts of the model that are not counted"),
};

GETTER(tiers_of, p3d_cluster, list, ((json_list){x->tiers.at, x->tiers.n}))
GETTER(placement_of, p3d_cluster, string,
        x->tiers.n > 0 ? p3d_placement_word((int)x->tiers.placement) : NULL)

#define C problem.cluster
static const json_field cluster_fields[] = {
    {AS("asked", Q, cluster_word, "the cluster as it was asked for")},
    ARRAY_IN(Q, C, name, "the cluster in words"),
    IN(Q, C, n_gpus, "GPUs"),
    IN(Q, C, n_nodes, "nodes"),
    IN(Q, C.node, gpus_per_node, "GPUs used of each node"),
    IN(Q, C.node, gpus_per_nvlink_domain,
            "GPUs that reach each other over NVLink; 1 = none"),
    IN(Q, C.node, nics_per_node, "network adapters of a node"),
    NAME_OF("gpu", C.gpu.name, "type of GPU"),
    NAME_OF("node", C.node.name, "type of node"),
    NAME_OF("fabric", C.fabric.name, "type of network"),
    IN(Q, C.gpu, memory_bytes, "of a GPU, nominal"),
    IN(Q, C.gpu, visible_memory_bytes, "of a GPU, as the driver shows it"),
    IN(Q, C.gpu, hbm_bytes_per_s, "of a GPU, data sheet"),
    {GOT("peak_flop_per_s", Q, problem, p3d_problem, DOUBLE,
            peak_flop_of, "of a GPU, dense, of the job's data type")},
    MAYBE_IN(Q, C.gpu, nvlink_bytes_per_s_one_way, "of a GPU"),
    MAYBE_IN(Q, C.fabric, nic_bytes_per_s_one_way, "of an adapter"),
    {.key = "tiers",
            .type = JSON_TYPE(LIST, .shape = &spec_tier_shape, .get = tiers_of),
            .offset = JSON_AT(Q, C, p3d_cluster),
            .doc = "switches above the nodes, from the nodes up; absent: none "
                   "that may be tight"},
    {.key = "placement",
            .type = JSON_GOT(TEXT, placement_of),
            .offset = JSON_AT(Q, C, p3d_cluster),
            .doc = "of the nodes below these switches"},
    {"rails", JSON_BOOL, 0, offsetof(Q, C.tiers.rails), 0, 0,
            "a leaf switch has one card of each node; absent: all of them"},
    NAME_OF("calibration", C.calibration.name, "set of constants"),
    NAME_OF("calibration_basis", C.calibration.basis,
            "GPU that the constants are of"),
};

static const json_field rank_fields[] = {
    ROW(p3d_framework_rank, name, "training framework"),
    WORD_ROW(p3d_framework_rank, verdict, p3d_framework_verdict,
            p3d_framework_verdict_word, "on the job, or on the plan asked for"),
    MAYBE_ROW(p3d_framework_rank, step_s, "its fastest plan that fits"),
    KNOWN_ROW(p3d_framework_rank, slower_frac,
            "how much longer than the first it takes"),
    ROW(p3d_framework_rank, missing_bytes,
            "of a GPU, that its closest plan lacks"),
    ROW(p3d_framework_rank, node_bytes,
            "of host memory and NVMe, that this plan takes"),
    ROW(p3d_framework_rank, reason, "why it is rejected, or empty"),
};
static const json_shape rank_shape = REPORT_SHAPE(p3d_framework_rank,
        rank_fields, "what one framework can do");

#define J problem.job
#define WORD_OF(f, CTYPE, words, d)                                            \
    {TYPED(#f, Q, J.f, JSON_WORD_BY(words), CTYPE, d)}
#define STRING_OF(key, getter, d)                                              \
    {GOT(key, Q, J, p3d_job, TEXT, getter, d)}
static const json_field job_fields[] = {
    IN(Q, J, seq_len, "tokens per sequence"),
    IN(Q, J, global_batch, "sequences per step"),
    {GOT("tokens_per_step", Q, J, p3d_job, INT64, tokens_of,
            "sequences x tokens")},
    MAYBE_IN(Q, J, n_tokens, "tokens of the whole training"),
    WORD_OF(dtype, p3d_dtype, spec_dtype_word, "data type of the GEMMs"),
    WORD_OF(optimizer, p3d_optimizer, spec_optimizer_word, "optimizer"),
    WORD_OF(attention, p3d_attention, spec_attention_word, "attention kernel"),
    STRING_OF("loss", loss_of, "implementation of the cross entropy"),
    IN(Q, J, asynchronous, "weights may be updated a step late"),
    IN(Q, J, tp_overlap,
            "tensor-parallel communication in pieces beside products"),
    IN(Q, J, partition_activations,
            "tensor-parallel ranks share out the inputs that full "
            "recomputation keeps"),
    IN(Q, J, unit_params,
            "the fewest parameters of a unit of FSDP1; 0: each layer is one"),
    WORD_OF(dp_overlap, p3d_overlap, p3d_overlap_word,
            "data-parallel communication beside the passes"),
    STRING_OF("reduce_dtype", reduce_of,
            "of gradients that data-parallel ranks exchange"),
    STRING_OF("dispatcher", dispatcher_of, "transport of tokens to experts"),
    IN(Q, J, expert_overlap, "that transport runs beside another micro-batch"),
    WORD_OF(graphs, p3d_graphs, p3d_graphs_word, "what CUDA graphs launch"),
    IN(Q, J, launch_blocking, "kernels are launched one at a time"),
    IN(Q, J, gc_interval,
            "steps from one collection of Python's garbage to the next; 0: "
            "none"),
    IN(Q, J, dropout, "dropout masks are kept"),
    {GOT("lora", Q, J, p3d_job, STRING, lora_of,
            "adapters that are trained beside frozen weights, as --lora says "
            "them; empty: none")},
    {GOT("compress", Q, J, p3d_job, STRING, compress_of,
            "how data-parallel ranks send less, as --compress says it; empty: "
            "they do not")},
    {GOT("sparse_attention", Q, J, p3d_job, STRING, sparse_of,
            "blocks that attention sees, as --sparse-attention says them; "
            "empty: as the model's file has it")},
    {GOT("freeze", Q, J, p3d_job, STRING, freeze_of,
            "parts that are not trained, as --freeze says them; empty: none")},
    STRING_OF("reference", reference_of,
            "whose log-probabilities preference training holds its own against "
            "(none, self, precomputed, pairs, kto)"),
    {GOT("teacher", Q, J, p3d_job, STRING, teacher_of,
            "frozen model that a distillation learns from; empty: none")},
    {TYPED("filling", Q, J.lengths.filling, JSON_WORD_BY(p3d_filling_word),
            p3d_filling, "how texts lie in the sequences")},
    {MAYBE("mean_text_tokens", Q, J.lengths.mean,
            "tokens of a text in the mean, as --lengths says")},
    {GOT("tower_frozen", Q, problem, p3d_problem, STRING, tower_frozen_of,
            "parts of the tower that are not trained, with adapters as well")},
    {GOT("images", Q, problem, p3d_problem, INT, images_of,
            "images, or clips of sound, of a sequence")},
    {GOT("image_tokens", Q, problem, p3d_problem, INT, image_tokens_of,
            "tokens of each of them")},
    STRING_OF("framework", framework_of, "training framework"),
    STRING_OF("framework_versions", versions_of,
            "that the rules were read from"),
    LIST_GOT_ROW("frameworks", rank_shape, frameworks_of,
            "that were compared, the best first; empty but for any"),
    IN(Q, J, reserve_bytes, "kept free on each GPU"),
    MAYBE_IN(Q, J, usd_per_gpu_h, "price of a GPU-hour"),
    {AS("own_runs", Q, J.anchor.n_steps,
            "measured runs of the user's own that the step follows")},
    {MAYBE("own_runs_step_factor", Q, J.anchor.step_factor,
            "by which they made the step longer")},
};

#define COUNT(f, type, doc)   ROW(p3d_plan, f, doc),
#define PART(f, type, doc)    COUNT(f, type, doc)
#define FLAG(f, type, doc)    COUNT(f, type, doc)
#define SWITCH(f, type, doc)  COUNT(f, type, doc)
#define SHARE(f, type, doc)   SHARE_##f(doc)
#define SHARE_offload_frac(doc)                                                \
    {GOT_OF_ALL("offload_frac", DOUBLE, offload_frac_of,                       \
            "of the optimizer's states, offloaded; 0 = none, 1 = all")},
#define SHARE_activation_offload_frac(doc)                                     \
    ROW(p3d_plan, activation_offload_frac, doc),
#define NAMED(f, type, doc)   WORD_ROW(p3d_plan, f, type, spec_##f##_word, doc),
#define MODULES(f, type, doc) /* the words of the plan have them */
static const json_field plan_fields[] = {
#define AS_ROW(type, pin, member, word, kind, least, most, free, doc) \
    kind(member, type, doc)
    P3D_PLAN_FIELDS(AS_ROW)
#undef AS_ROW
};

static const json_field memory_term_fields[] = {
#define P3D_AS_ROW(field, words) ROW(p3d_memory, field##_bytes, words),
    P3D_MEMORY_TERMS(P3D_AS_ROW)
#undef P3D_AS_ROW
};

static const json_field time_term_fields[] = {
#define P3D_AS_ROW(field, words) ROW(p3d_time, field##_s, words),
    P3D_TIME_TERMS(P3D_AS_ROW)
#undef P3D_AS_ROW
};

const json_shape report_model_shape = REPORT_SHAPE(
        Q, model_fields, "the model");
const json_shape report_cluster_shape = REPORT_SHAPE(
        Q, cluster_fields, "the cluster");
const json_shape report_job_shape = REPORT_SHAPE(
        Q, job_fields, "the training job");
const json_shape report_plan_shape = REPORT_SHAPE(
        p3d_plan, plan_fields, "how the job is spread over the GPUs");
static const json_shape memory_terms_shape = REPORT_SHAPE(
        p3d_memory, memory_term_fields, "memory of one GPU, by terms");
static const json_shape time_terms_shape = REPORT_SHAPE(
        p3d_time, time_term_fields, "seconds of one step, by terms");

#define S report_stage
static const json_field stage_fields[] = {
    {AS("stage", S, number, "pipeline rank, from 0")},
    IN(S, held, n_layers, "decoder layers on it"),
    {AS("in_flight_micro_batches", S, held.in_flight,
            "micro-batches whose activations are alive")},
    ROW(S, peak_bytes, "taken from the device"),
    {GOT("pass", S, held, p3d_stage, TEXT, pass_of, "that runs at the peak")},
    IN(S, held, moment, "of that pass"),
    {TYPED("terms", S, held.memory, JSON_OBJECT(memory_terms_shape),
            p3d_memory, "by terms")},
};
static const json_shape stage_shape = REPORT_SHAPE(
        S, stage_fields, "memory of one pipeline rank");

static const json_field range_fields[] = {
    ROW(p3d_bytes_range, low_bytes, "lower end"),
    ROW(p3d_bytes_range, high_bytes, "upper end"),
};
static const json_shape range_shape = REPORT_SHAPE(
        p3d_bytes_range, range_fields, "where a number of bytes lies");

static const json_field ranges_fields[] = {
    OBJECT_ROW(p3d_memory_ranges, allocated, p3d_bytes_range, range_shape,
            "handed out by the allocator"),
    OBJECT_ROW(p3d_memory_ranges, reserved, p3d_bytes_range, range_shape,
            "taken by the allocator"),
    OBJECT_ROW(p3d_memory_ranges, device, p3d_bytes_range, range_shape,
            "taken from the device"),
};
static const json_shape ranges_shape = REPORT_SHAPE(
        p3d_memory_ranges, ranges_fields, "how sure the three numbers are");

#define A report_answer
static const json_field memory_fields[] = {
    ROW(A, peak_bytes, "taken from the device on the tight rank"),
    IN(A, found, usable_bytes,
            "visible memory of a GPU less what --reserve keeps free"),
    SIGNED_ROW(A, margin_bytes, "usable less peak"),
    {GOT("allocated_bytes", A, found.memory, p3d_memory, INT64,
            allocated_of, "handed out by the allocator")},
    {GOT("reserved_bytes", A, found.memory, p3d_memory, INT64,
            reserved_of, "taken by the allocator")},
    OBJECT_ROW(A, ranges, p3d_memory_ranges, ranges_shape,
            "how sure the three numbers are"),
    IN(A, found, host_bytes_per_node,
            "host memory that offloading takes of a node"),
    IN(A, found, pinned_bytes_per_node, "of these, locked in memory"),
    IN(A, found, nvme_bytes_per_node, "NVMe that offloading takes of a node"),
    IN(A, found, tight_stage, "pipeline rank with the highest peak"),
    {AS("error_frac", A, found.memory_error_frac,
            "half width of the peak's range")},
    {TYPED("terms", A, found.memory, JSON_OBJECT(memory_terms_shape),
            p3d_memory, "of the tight rank")},
    LIST_GOT_ROW("stages", stage_shape, stages_of, "every pipeline rank"),
};
static const json_shape memory_shape = REPORT_SHAPE(
        A, memory_fields, "memory of a GPU");

static const json_field time_fields[] = {
    ROW(A, step_s, "one optimizer step"),
    IN(A, range, low_s, "lower end of the step's range"),
    IN(A, range, median_s, "of runs like it half are slower"),
    IN(A, range, high_s, "upper end of the step's range"),
    IN(A, range, confidence_frac, "share of runs in the range"),
    {AS("range_constants", A, range.constants,
            "the constants whose error widens it most")},
    {AS("range_constants_error_frac", A, range.constants_error_frac,
            "standard error of the step by these alone")},
    {TYPED("terms", A, found.time, JSON_OBJECT(time_terms_shape), p3d_time,
            "sum to step_s")},
};
static const json_shape time_shape = REPORT_SHAPE(
        A, time_fields, "time of a step");

#define RATE(name, path, d)  AS(name, A, path, d)
#define PRICE(name, path, d) MAYBE(name, A, path, d)
static const json_field answer_fields[] = {
    ROW(A, words, "the plan as --plan reads it"),
    {GOT("recompute_words", A, found.plan, p3d_plan, STRING,
            recompute_words_of, "as in words")},
    {GOT("offload_words", A, found.plan, p3d_plan, STRING,
            offload_words_of, "as in words")},
    WORD_ROW(A, verdict, p3d_verdict, spec_verdict_word,
            "fits: as sure as was asked; fits_barely: by the estimate"),
    IN(A, found, fits, "by the estimate"),
    ROW(A, fit_probability_frac,
            "of fitting, by measured peaks of this framework and others"),
    ROW(A, departures,
            "from what the framework does by itself, the gravest first"),
    ROW(A, missing_bytes, "0 when it fits"),
    PLAN_IN(A, found, "the plan"),
    PART_ROW("memory", memory_shape, "memory of a GPU"),
    PART_ROW("time", time_shape, "time of a step"),
    IN(A, found, n_micro_batches, "of a replica and step"),
    IN(A, found, tokens_per_s, "of the whole cluster"),
    {RATE("low_tokens_per_s", low.tokens_per_s, "lower end of its range")},
    {RATE("high_tokens_per_s", high.tokens_per_s, "upper end of its range")},
    ROW(A, tokens_per_s_per_gpu, "of one GPU"),
    {RATE("low_tokens_per_s_per_gpu", low.tokens_per_s_per_gpu,
            "lower end of its range")},
    {RATE("high_tokens_per_s_per_gpu", high.tokens_per_s_per_gpu,
            "upper end of its range")},
    IN(A, found, mfu_frac,
            "model FLOPs without recomputation, of the dense peak"),
    IN(A, found, hfu_frac, "model FLOPs with recomputation, of the dense peak"),
    MAYBE_ROW(A, billion_tokens_usd,
            "rent for 1e9 tokens: with failures where tokens were asked "
            "(--tokens), else if nothing fails"),
    {PRICE("low_billion_tokens_usd", low.billion_tokens_usd,
            "lower end of its range")},
    {PRICE("high_billion_tokens_usd", high.billion_tokens_usd,
            "upper end of its range")},
    OBJECT_OR_NULL_ROW(A, training, report_training, report_training_shape,
            "of n_tokens, where that was asked"),
    ROW(A, why_not_first, "term of time that grew most against the first plan"),
};

/* clang-format on */

const json_shape report_answer_shape =
        REPORT_SHAPE(A, answer_fields, "one plan, estimated");

/* clang-format off */
#define O p3d_operations
static const json_field operations_fields[] = {
    ROW(O, gpu_mtbf_s, "of a GPU with its share of all else, between failures"),
    ROW(O, restart_s, "from a failure until the checkpoint can be read"),
    ROW(O, storage_bytes_per_s, "of the whole job"),
    ROW(O, async_save, "checkpoints are written beside the steps"),
    MAYBE_ROW(O, repair_s,
            "until a broken node is back; null = another is there"),
    MAYBE_ROW(O, preempted_every_s, "mean time between the times that the "
            "whole cluster is taken away; null = it never is"),
    MAYBE_ROW(O, away_s, "until it is back; null = at once"),
    MAYBE_ROW(O, notice_s, "of that, before; null = none"),
    ROW(O, pue, "energy of the site over that of its computers"),
    MAYBE_ROW(O, usd_per_kwh, "price of energy"),
    MAYBE_ROW(O, usd_per_gpu, "price of a GPU with its share of all else"),
    MAYBE_ROW(O, amortize_s, "in which that is paid back"),
};
static const json_shape operations_shape = REPORT_SHAPE(
        O, operations_fields, "how a training is run, said or assumed");

#define T report_training
/* A number and the ends of its range; null when the training never ends. */
#define RANGED(f, d)                                                           \
    MAYBE_IN(T, found, f, d),                                                  \
    {MAYBE("low_" #f, T, low.f, "lower end of its range")},                    \
    {MAYBE("high_" #f, T, high.f,                                              \
            "upper end of its range; null: unknown, or it never ends")}
static const json_field training_fields[] = {
    IN(T, found, progresses,
            "false: it fails faster than it works, and has no real days"),
    RANGED(ideal_s, "of its steps, if nothing fails"),
    IN(T, found, save_s, "during which checkpoints stop the steps"),
    IN(T, found, lost_s, "of work that failures undo"),
    IN(T, found, restart_s, "after failures"),
    IN(T, found, waiting_s, "for broken nodes, when all spares are in use"),
    IN(T, found, away_s, "during which the cluster is taken away"),
    RANGED(real_s, "sum of these six"),
    MAYBE_IN(T, found, goodput_frac, "ideal_s over real_s"),
    IN(T, found, checkpoint_bytes, "weights and states of the whole model"),
    IN(T, found, write_s, "of one checkpoint to the storage, and to read it"),
    IN(T, found, pause_s, "that one checkpoint stops the steps for"),
    MAYBE_IN(T, found, checkpoint_interval_s,
            "of steps between checkpoints, the best"),
    MAYBE_IN(T, found, checkpoint_interval_steps, "the same in steps"),
    MAYBE_IN(T, found, young_interval_s, "by Young's formula"),
    MAYBE_IN(T, found, daly_interval_s, "by Daly's formula"),
    IN(T, found, mtbf_s, "between failures of the job"),
    RANGED(n_failures, "expected"),
    IN(T, found, n_preemptions, "times that the cluster is taken away, "
            "expected"),
    IN(T, found, saves_at_notice, "the notice of these is enough to save all "
            "work"),
    IN(T, found, n_spare_nodes, "paid for, and waiting"),
    MAYBE_IN(T, found, availability_frac,
            "of the time, enough nodes are whole"),
    MAYBE_IN(T, found, power_w, "of all nodes in use while steps run"),
    RANGED(energy_kwh, "of the whole training, with the site's"),
    RANGED(billion_tokens_kwh, "of 1e9 tokens, with the site's"),
    RANGED(gpu_h, "GPU hours of the wall-clock time but away_s, spares too"),
    RANGED(rent_usd, "GPU hours of the wall-clock time, spares too"),
    RANGED(energy_usd, "energy of the whole training"),
    RANGED(purchase_usd,
            "share of the purchase price that the wall-clock time takes"),
    RANGED(total_usd, "sum of these three"),
    {TYPED("operations", T, found.operations, JSON_OBJECT(operations_shape), O,
            "how it is run, said or assumed")},
};
/* clang-format on */

const json_shape report_training_shape =
        REPORT_SHAPE(T, training_fields, "a whole training");

GETTER(terms_of, p3d_error_budget, list, ((json_list){x->terms, P3D_N_ERRORS}))
GETTER(cures_of, p3d_error_budget, list, ((json_list){x->cures, P3D_N_CURES}))

/* clang-format off */
#define TE p3d_term_error
static const json_field term_fields[] = {
    ROW(TE, name, "of the term, or \"unexplained\""),
    ROW(TE, step_frac, "share of this step; of the unexplained 1"),
    ROW(TE, scale, "of the term's ln(measured / predicted): 5 of 8 are within"),
    ROW(TE, least_scale, "the least, without one source"),
    ROW(TE, most_scale, "the most, without one source"),
    ROW(TE, variance_frac, "of the squared error of this step"),
    ROW(TE, n_runs, "measured runs that spend 5 % of their step there"),
    ROW(TE, n_sources, "of these runs"),
};

#define CU p3d_cure
static const json_field cure_fields[] = {
    ROW(CU, name, "of what is measured"),
    ROW(CU, measure, "what to run"),
    ROW(CU, variance_frac, "of the squared error, taken away at most"),
    ROW(CU, left_scale, "of the step's error, what is left at least"),
    MAYBE_ROW(CU, n_runs, "that say so; null: the terms and the constants do"),
    MAYBE_ROW(CU, n_sources, "of these runs; null likewise"),
};
/* clang-format on */

const json_shape report_term_error_shape =
        REPORT_SHAPE(TE, term_fields, "how wrong a term is");
static const json_shape cure_shape =
        REPORT_SHAPE(CU, cure_fields, "a measurement and what it is worth");

/* clang-format off */
#define B p3d_error_budget
static const json_field budget_fields[] = {
    ROW(B, scale, "of the step's ln(measured / predicted): 5 of 8 are within"),
    ROW(B, flat_scale, "of any step, by all runs alike"),
    ROW(B, n_runs, "measured runs that it was found from"),
    ROW(B, n_sources, "of these runs"),
    ROW(B, n_better,
            "of these sources: foretold better by the terms than by "
            "flat_scale, both from the other sources"),
    LIST_GOT_ROW("terms", report_term_error_shape, terms_of,
            "the largest part of the error first"),
    LIST_GOT_ROW("cures", cure_shape, cures_of, "what takes away most first"),
};
/* clang-format on */

const json_shape report_budget_shape =
        REPORT_SHAPE(B, budget_fields, "the error of a step by its terms");

double report_near_error_frac(const p3d_near_run *near)
{
    return near->run.predicted_step_s / near->run.measured_step_s - 1;
}

GETTER(error_of, p3d_near_run, number, report_near_error_frac(x))

/* clang-format off */
static const json_field part_fields[] = {
#define P3D_AS_ROW(part, words)                                                \
    ROW(p3d_distance_parts, part##_steps, words),
    P3D_DISTANCE_PARTS(P3D_AS_ROW)
#undef P3D_AS_ROW
};
static const json_shape parts_shape = REPORT_SHAPE(p3d_distance_parts,
        part_fields, "a step is a doubling, or another word");

#define N p3d_near_run
static const json_field near_fields[] = {
    IN(N, run, id, "of the run"),
    IN(N, run, source, "that published it"),
    IN(N, run, ref, "where it stands there"),
    MAYBE_IN(N, run, year, "of the publication"),
    IN(N, run, gpu, "it ran on"),
    IN(N, run, n_gpus, "GPUs of the run"),
    MAYBE_IN(N, run, network_bytes_per_s_per_gpu,
            "a GPU's share of the network between nodes; null: one node"),
    IN(N, run, framework, "as the source names it"),
    IN(N, run, profile, "framework whose costs predicted it"),
    IN(N, run, model, "as the source names it"),
    IN(N, run, parameters, "of the model"),
    IN(N, run, active_parameters, "that a token passes"),
    MAYBE_IN(N, run, n_experts, "of a layer; null: dense"),
    MAYBE_IN(N, run, adapter_rank, "of LoRA; null: all weights are trained"),
    IN(N, run, seq_len, "tokens of a sequence"),
    IN(N, run, dtype, "data type of the products"),
    IN(N, run, plan, "as --plan reads it"),
    IN(N, run, measured_step_s, "one optimizer step, measured"),
    IN(N, run, predicted_step_s, "the same, predicted"),
    IN(N, run, measured_tokens_per_s_per_gpu, "of one GPU, measured"),
    IN(N, run, predicted_tokens_per_s_per_gpu, "the same, predicted"),
    {GOT_OF_ALL("error_frac", DOUBLE, error_of,
            "predicted over measured step, less 1"), SIGNED},
    ROW(N, near, "near enough to count"),
    ROW(N, distance_steps, "sum of the parts"),
    OBJECT_ROW(N, parts, p3d_distance_parts, parts_shape,
            "parts of the distance"),
};
/* clang-format on */

const json_shape report_near_run_shape =
        REPORT_SHAPE(N, near_fields, "a measured run and how near it is");
