/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deepspeed.c - DeepSpeed's JSON, with the arguments of Megatron-DeepSpeed for
 * what the JSON cannot say: model, tensor and pipeline parallelism.
 *
 * Names: DeepSpeed@edaa7221 deepspeed/runtime/config.py, deepspeed/runtime/
 * zero/config.py; Megatron-DeepSpeed@4efb479d megatron/arguments.py,
 * megatron/model/gpt_model.py:447-462 (recomputation in pipelines). */
#include "exchange/launch/deepspeed.h"

#include <string.h>

#include "exchange/launch/megatron.h"
#include "exchange/launch/target_rows.h"
#include "spec/block_sparse.h"

enum { TO_NOTHING, TO_CPU, TO_NVME };

const char *const exchange_deepspeed_devices[EXCHANGE_N_DEVICES] = {
        "none", "cpu", "nvme"};
const char *const exchange_deepspeed_overlaps[P3D_N_OVERLAPS] = {
        [P3D_OVERLAP_ON] = "true", [P3D_OVERLAP_OFF] = "false"};
const char *const exchange_deepspeed_gradients[P3D_N_STATE_DTYPES] = {
        [P3D_STATE_IN_FP32] = "fp32"};

const char *const exchange_deepspeed_wire_types[EXCHANGE_N_WIRE_TYPES] = {
        NULL, "fp32", "fp16", "bf16"};

static const char null_tokenizer[] = "NullTokenizer";
static const char *const norms[] = {NULL, "rmsnorm", "layernorm"};

/* Attention to blocks, by its words. */
static const char *const layouts[P3D_N_SPARSE_LAYOUTS] = {
        [P3D_SPARSE_FIXED] = "fixed",
        [P3D_SPARSE_VARIABLE] = "variable",
        [P3D_SPARSE_LOCAL] = "local",
        [P3D_SPARSE_BIGBIRD] = "bigbird",
        [P3D_SPARSE_LONGFORMER] = "bslongformer"};

/* clang-format off */
TEST(has_no_pipeline, l->plan.pp == 1)
TEST(partitions, l->job.partition_activations)
TEST(has_rotary_base, l->said.position == 1 && l->said.rotary_base > 0)

#define CALLS(option, kernel, written) \
    {MEANS_ROW(option, job.attention, kernel), .when = written}

static const exchange_option settings[] = {
    VALUE("train_batch_size", job.global_batch),
    VALUE("train_micro_batch_size_per_gpu", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE("bf16.enabled", said.bf16),
    VALUE("fp16.enabled", said.fp16),
    WORD("data_types.grad_accum_dtype", job.gradient_dtype,
        exchange_deepspeed_gradients),
    EXCHANGE_DEEPSPEED_WIRE,
    VALUE("zero_optimization.stage", plan.zero),
    {WORD_ROW("zero_optimization.overlap_comm", job.dp_overlap,
              exchange_deepspeed_overlaps),
     .raw = true},
    FIXED("zero_optimization.reduce_bucket_size", "500000000"),
    FIXED("zero_optimization.allgather_bucket_size", "500000000"),
    {VALUE_ROW("zero_optimization.mics_shard_size", plan.shard), .value = -1,
     .shy = true},
    EXCHANGE_DEEPSPEED_SENT,
    EXCHANGE_SENT_LESS,
    EXCHANGE_DEEPSPEED_OFFLOAD,
    FIXED("gradient_clipping", "1.0"),
    FIXED("steps_per_print", "10"),
};

static const exchange_option arguments[] = {
    HEAD("model"),
    VALUE("num-layers", model.n_layers),
    VALUE("hidden-size", model.hidden),
    SOME("ffn-hidden-size", model.ffn),
    VALUE("num-attention-heads", model.n_heads),
    VALUE("num-key-value-heads", model.n_kv_heads),
    VALUE("kv-channels", model.head_dim),
    WORD("normalization", model.norm_weights, norms),
    FLAG("swiglu", model.gated_mlp),
    UNFLAG("disable-bias-linear", said.bias),
    FLAG("untie-embeddings-and-output-weights", said.untied),
    MEANS("use-rotary-position-embeddings", said.position, 1),
    SOME_WHEN("rotary-position-embeddings-theta", said.rotary_base,
        has_rotary_base),
    VALUE_SHY("layernorm-epsilon", model.norm_epsilon),
    SOME("max-position-embeddings", model.max_positions),
    FIXED("make-vocab-size-divisible-by", "128"),
    VALUE("attention-dropout", said.attention_dropout),
    VALUE("hidden-dropout", said.hidden_dropout),
    SOME_WHEN("num-experts", model.n_experts, exchange_has_experts),
    SOME_WHEN("topk", model.top_k, exchange_has_experts),
    SOME_WHEN("expert-interval", said.expert_every, exchange_has_experts),
    HEAD("plan"),
    VALUE("tensor-model-parallel-size", plan.tp),
    VALUE("pipeline-model-parallel-size", plan.pp),
    FIXED_WHEN("no-pipeline-parallel", NULL, has_no_pipeline),
    FLAG("sequence-parallel", plan.sequence_parallel),
    VALUE_SHY("ds-sequence-parallel-size", plan.cp),
    VALUE_WHEN("moe-expert-parallel-size", plan.ep, exchange_has_experts),
    FIXED_WHEN("create-moe-param-group", NULL, exchange_has_experts),
    FLAG("enable-expert-tensor-parallelism", said.expert_tp),
    VALUE("zero-stage", plan.zero),
    WORD("recompute-granularity", said.granularity,
        exchange_megatron_granularities),
    WORD("recompute-method", said.method, exchange_megatron_methods),
    SOME_SHY("recompute-num-layers", said.method_layers),
    FIXED_WHEN("deepspeed-activation-checkpointing", NULL, partitions),
    FLAG("partition-activations", job.partition_activations),
    FIXED_WHEN("cpu-optimizer", NULL, exchange_offloads),
    HEAD("batch and precision"),
    VALUE("micro-batch-size", plan.micro_batch),
    VALUE("global-batch-size", job.global_batch),
    VALUE("seq-length", job.seq_len),
    FLAG("bf16", said.bf16),
    FLAG("fp16", said.fp16),
    CALLS("use-flash-attn-v1", P3D_FLASH_1, NULL),
    CALLS("use-flash-attn", P3D_FLASH_1, exchange_never),
    CALLS("use-flash-attn-triton", P3D_FLASH_1, exchange_never),
    CALLS("use-flash-attn-v2", P3D_FLASH_2, NULL),
    /* Read only: of GPT-NeoX, and of transformers' Trainer. */
    WORD_WHEN("sparse_attention_layout", job.sparse.layout, layouts,
        exchange_never),
    VALUE_WHEN("sparse_attention_block", job.sparse.block, exchange_never),
    VALUE_WHEN("sparse_attention_local", job.sparse.local, exchange_never),
    VALUE_WHEN("sparse_attention_global", job.sparse.global, exchange_never),
    VALUE_WHEN("sparse_attention_random", job.sparse.random, exchange_never),
    {FLAG_ROW("use_liger_kernel", said.liger, true), .when = exchange_never},
    EXCHANGE_OF_TRAINERS,
    FIXED("deepspeed", NULL),
    RAW("deepspeed_config", "\"$HERE/deepspeed.json\""),
    HEAD("to measure a step; a training has beside it, or in its place:"),
    HEAD("  --tokenizer-type HFTokenizer --tokenizer-model NAME"),
    HEAD("  --save DIR --load DIR --save-interval 500"),
    HEAD("  --exit-duration-in-mins N, some minutes below the time limit"),
    FIXED("train-iters", "100"),
    FIXED("lr", "1e-4"),
    RAW("data-path", "\"${DATA_PATH:?is the prefix of the data}\""),
    VALUE("tokenizer-type", said.tokenizer),
    HEAD("one less than the model's: NullTokenizer adds a token"),
    VALUE("vocab-size", model.vocab),
};
/* clang-format on */

void exchange_deepspeed_say_wire(exchange_launch *launch)
{
    const p3d_job *const job = &launch->job;

    launch->said.wire_type = job->reduce_dtype == P3D_STATE_USUAL     ? 0
                             : job->reduce_dtype == P3D_STATE_IN_FP32 ? 1
                             : job->dtype == P3D_FP16                 ? 2
                                                                      : 3;
}

void exchange_deepspeed_settle_wire(exchange_launch *launch)
{
    const int type = launch->said.wire_type;

    if (type > 0)
        launch->job.reduce_dtype =
                type == 1 ? P3D_STATE_IN_FP32 : P3D_STATE_IN_16;
    /* ZeRO++ is of stage 3: deepspeed/runtime/engine.py. */
    if (launch->plan.zero < 3)
        launch->job.compression =
                (p3d_compression){.one_bit = launch->job.compression.one_bit,
                        .rank = launch->job.compression.rank};
    if (launch->job.compression.shares == 1)
        launch->job.compression.shares = 0;
}

/* Experts of DeepSpeed itself are as wide as the MLP and in every layer, and
 * stage 3 does not shard them: deepspeed/runtime/engine.py:1888-1893. */
static void narrow(p3d_framework *framework)
{
    framework->lacks |=
            P3D_LACKS_PIPELINE_LAYER_COUNTS | P3D_LACKS_ZERO_3_EXPERTS;
}

/* DeepSpeed 0.19.8 refuses mics_shard_size: deepspeed/runtime/config.py. */
static void retire(p3d_framework *framework)
{
    framework->hybrid_stages = 0;
}

static void defaults(exchange_launch *launch)
{
    exchange_megatron_defaults(launch);
    launch->job.gradient_dtype = P3D_STATE_USUAL;
    launch->said.method_layers = 1;
    launch->said.expert_every = 2;
    launch->model.top_k = 1;
    launch->plan.shard = 0;
    launch->model.n_kv_heads = 0;
}

bool exchange_deepspeed_to_nvme(const exchange_launch *launch)
{
    return launch->plan.offload_nvme;
}

bool exchange_deepspeed_offloads_weights(const exchange_launch *launch)
{
    return launch->plan.offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
}

bool exchange_deepspeed_offloads_part(const exchange_launch *launch)
{
    return launch->said.offload_frac < 1;
}

void exchange_deepspeed_say_devices(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    said->device = p->offload == P3D_OFFLOAD_NONE ? TO_NOTHING
                   : p->offload_nvme              ? TO_NVME
                                                  : TO_CPU;
    said->weights_device = p->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS
                                   ? said->device
                                   : TO_NOTHING;
}

static void say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    exchange_megatron_say(launch);
    exchange_deepspeed_say_devices(launch);
    exchange_deepspeed_say_wire(launch);
    if (launch->job.attention == P3D_FLASH)
        launch->job.attention = P3D_FLASH_2;
    /* NullTokenizer has a token more than it is given: megatron/tokenizer/
     * tokenizer.py:510-514. */
    launch->model.vocab--;
    (void)p3d_copy(said->tokenizer, sizeof(said->tokenizer), null_tokenizer);
    said->expert_tp = p->ep > 1 && p->etp > 1;
    said->expert_every = 1;
    if (said->method_layers == 0)
        said->method_layers = 1;
}

static bool can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_model *const m = &launch->model;

    if (!exchange_megatron_can_say(launch, refusal))
        return false;
    if (p3d_model_is_mla(m) || m->qk_norm != P3D_QK_NORM_NONE ||
            (m->qkv_bias && !m->mlp_bias))
        return exchange_target_refuse(refusal, "X1",
                "Megatron-DeepSpeed's options do not describe the attention of "
                "%s",
                m->name);
    if (m->activation != P3D_ACTIVATION_USUAL || m->centered_norms)
        return exchange_target_refuse(refusal, "X1",
                "Megatron-DeepSpeed's options do not describe the MLP or the "
                "norms of %s",
                m->name);
    if (m->n_experts > 0 &&
            (m->expert_ffn != m->ffn || m->shared_ffn > 0 ||
                    m->expert_groups > 0 ||
                    p3d_model_count_layers(m, P3D_LAYER_MOE) != m->n_layers))
        return exchange_target_refuse(refusal, "X1",
                "Megatron-DeepSpeed's options do not describe the experts of "
                "%s",
                m->name);
    return true;
}

static bool settle_model(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;

    launch->said.grouped_query = m->n_kv_heads > 0;
    if (m->n_experts == 1)
        m->n_experts = 0;
    if (m->vocab > 0 && strncmp(launch->said.tokenizer, null_tokenizer,
                                strlen(null_tokenizer)) == 0)
        m->vocab++;
    return exchange_megatron_settle_model(launch, err);
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;
    const int zero = p->zero;
    const int shard = p->shard > 0 ? p->shard : 0;
    const p3d_overlap overlap = launch->job.dp_overlap;

    if (p->micro_batch == 0 && launch->job.global_batch > 0 &&
            said->n_micro_batches > 0 && exchange_settle_replicas(launch, err))
        p->micro_batch =
                (int)(launch->job.global_batch / p->dp / said->n_micro_batches);
    if (launch->job.global_batch == 0 && said->n_micro_batches > 0 &&
            exchange_settle_replicas(launch, err))
        launch->job.global_batch = exchange_said_batch(launch);
    p->shard = 0;
    p->etp = said->expert_tp ? p->tp : 1;
    if (said->n_found[1] ==
            0) /* no Megatron-DeepSpeed, whose defaults follow */
        said->attention_dropout = said->hidden_dropout = 0;
    else if (launch->job.attention == P3D_FLASH)
        launch->job.attention = P3D_EAGER;
    said->offload = said->device != TO_NOTHING;
    said->dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    said->cp_exchange = p->cp > 1 ? P3D_CP_ALL_TO_ALL : P3D_CP_RING;
    if (!exchange_megatron_settle_plan(launch, err))
        return false;
    p->zero = zero;
    exchange_deepspeed_settle_wire(launch);
    spec_sparse_complete(&launch->job.sparse);
    p->shard = shard < p3d_mul(p->dp, p->cp) ? shard : 0;
    if (said->liger)
        launch->job.loss = P3D_LOSS_LIGER;
    exchange_settle_overlap(launch, overlap == P3D_OVERLAP_USUAL
                                            ? zero == 3
                                            : overlap == P3D_OVERLAP_ON);
    p->offload_nvme = said->device == TO_NVME;
    if (said->weights_device != TO_NOTHING)
        p->offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    if (said->n_micro_batches > 0 &&
            exchange_said_batch(launch) != launch->job.global_batch)
        return p3d_fail(err, P3D_DATA,
                "train_batch_size %lld is not train_micro_batch_size_per_gpu "
                "%d x gradient_accumulation_steps %lld x dp=%d",
                (long long)launch->job.global_batch, p->micro_batch,
                (long long)said->n_micro_batches, p->dp);
    return true;
}

static const char *const unmodelled[] = {
        "zero_optimization.zero_quantized_nontrainable_weights",
        "tensor_parallel.autotp_size", "sequence_parallel_size",
        "activation_checkpointing.cpu_checkpointing", "enable-zbh1-pipeline",
        "checkpoint-activations", "rampup-batch-size", NULL};

/* Sizes of buffers below a percent of the memory, how states are laid out and
 * saved (deepspeed/runtime/zero/config.py, runtime/config.py). */
static const char *const harmless[] = {"zero_optimization.allgather_partitions",
        "zero_optimization.allgather_bucket_size",
        "zero_optimization.contiguous_gradients",
        "zero_optimization.elastic_checkpoint",
        "zero_optimization.ignore_unused_parameters",
        "zero_optimization.load_from_fp32_weights",
        "zero_optimization.memory_efficient_linear",
        "zero_optimization.offload_optimizer.buffer_count",
        "zero_optimization.offload_optimizer.fast_init",
        "zero_optimization.offload_optimizer.pin_memory",
        "zero_optimization.offload_param.buffer_count",
        "zero_optimization.offload_param.buffer_size",
        "zero_optimization.offload_param.max_in_cpu",
        "zero_optimization.offload_param.pin_memory",
        "zero_optimization.reduce_bucket_size",
        "zero_optimization.reduce_scatter",
        "zero_optimization.round_robin_gradients",
        "zero_optimization.stage3_gather_16bit_weights_on_model_save",
        "zero_optimization.stage3_gather_fp16_weights_on_model_save",
        "zero_optimization.stage3_max_live_parameters",
        "zero_optimization.stage3_max_reuse_distance",
        "zero_optimization.stage3_param_persistence_threshold",
        "zero_optimization.stage3_prefetch_bucket_size",
        "zero_optimization.sub_group_size", "zero_allow_untested_optimizer",
        /* Of 1-bit optimizers, from where on and how often they send:
         * runtime/fp16/onebit/adam.py, zoadam.py, lamb.py. */
        "optimizer.params.freeze_step", "optimizer.params.comm_backend_name",
        "optimizer.params.cuda_aware", "optimizer.params.var_freeze_step",
        "optimizer.params.var_update_scaler",
        "optimizer.params.local_step_scaler",
        "optimizer.params.local_step_clipper", "optimizer.params.max_coeff",
        "optimizer.params.min_coeff", "optimizer.params.coeff_beta",
        "optimizer.params.factor_max", "optimizer.params.factor_min",
        "optimizer.params.factor_threshold", "zero_force_ds_cpu_optimizer",
        "fp16.auto_cast", "fp16.hysteresis", "fp16.initial_scale_power",
        "activation_checkpointing.number_checkpoints",
        "activation_checkpointing.contiguous_memory_optimization",
        /* Megatron-DeepSpeed's argument stands over it (megatron/
         * initialize.py), and without tensor parallelism it does nothing. */
        "activation_checkpointing.partition_activations",
        "activation_checkpointing.synchronize_checkpoint_boundary",
        "no-async-tensor-model-parallel-allreduce",
        "sync-tp-duplicated-parameters", NULL};

const exchange_target exchange_to_deepspeed = {
        .name = "deepspeed",
        .title = "DeepSpeed with Megatron-DeepSpeed",
        .versions = "deepspeedai/DeepSpeed@edaa7221, "
                    "deepspeedai/Megatron-DeepSpeed@4efb479d",
        .framework = "deepspeed",
        .tables = {{.form = EXCHANGE_JSON,
                           .file = "deepspeed.json",
                           OPTIONS(settings)},
                {.form = EXCHANGE_ARGUMENTS, OPTIONS(arguments)}},
        .n_tables = 2,
        .unmodelled = unmodelled,
        .harmless = harmless,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "pretrain_gpt.py",
        .narrow = narrow,
        .retire = retire,
        .defaults = defaults,
        .can_say = can_say,
        .say = say,
        .settle_model = settle_model,
        .settle = settle,
        .folder = "Megatron-DeepSpeed",
};
