/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron.c - Megatron-LM: its arguments and environment; and
 * Megatron-Bridge (NeMo): a recipe in Python.
 *
 * Names, types and choices: Megatron-LM@d98e8a64 megatron/training/arguments.py
 * and the configurations that its groups of arguments are made from; checked
 * against tests/data/megatron_flags.csv. Megatron-Bridge@067f987d src/megatron/
 * bridge/recipes/common.py, src/megatron/bridge/recipes/llama/h100/llama3.py,
 * src/megatron/bridge/training/config.py; those of cfg.model are
 * Megatron-LM's. */
#include <math.h>
#include <stdio.h>

#include "exchange/launch/megatron.h"
#include "exchange/launch/peft.h"
#include "exchange/launch/target_rows.h"

static const char *const positions[] = {"learned_absolute", "rope", "yarn"};
static const char *const rotary_kinds[] = {"rope", "yarn"};
static const char *const scores[P3D_N_ROUTER_SCORES] = {
        [P3D_SCORE_SOFTMAX] = "softmax",
        [P3D_SCORE_SIGMOID] = "sigmoid",
        [P3D_SCORE_SQRT_SOFTPLUS] = "sqrtsoftplus"};
static const char *const norms[] = {NULL, "RMSNorm", "LayerNorm"};
static const char *const optimizers[P3D_N_OPTIMIZERS] = {[P3D_ADAM] = "adam",
        [P3D_SGD] = "sgd",
        [P3D_LION] = "lion",
        [P3D_MUON] = "muon"};
static const char *const kernels[P3D_N_ATTENTIONS] = {[P3D_FLASH] = "auto",
        [P3D_EAGER] = "unfused",
        [P3D_FLASH_2] = "flash",
        [P3D_FLASH_3] = "flash",
        [P3D_CUDNN] = "fused",
        [P3D_FLASH_4] = "flash"};
static const char *const fp8_formats[] = {NULL, "hybrid", "e4m3"};
static const char *const fp4_formats[] = {NULL, "e2m1"};
static const char *const fp8_recipes[P3D_N_FP8_RECIPES] = {
        [P3D_FP8_DELAYED] = "delayed",
        [P3D_FP8_CURRENT] = "tensorwise",
        [P3D_FP8_BLOCKWISE] = "blockwise",
        [P3D_FP8_MXFP8] = "mxfp8"};
static const char *const fusions[] = {"native", "te"};
static const char *const graphs[P3D_N_GRAPHS] = {
        "none", "transformer_engine", "full_iteration"};

/* clang-format off */
TEST(is_latent, p3d_model_is_mla(&l->model))
TEST(is_not_latent, !p3d_model_is_mla(&l->model))
TEST(has_groups, l->said.grouped_query)
TEST(is_rotary, l->said.position > 0)
TEST(has_rotary_base, is_rotary(l) && l->said.rotary_base > 0)
TEST(stretches_rotary, l->said.stretches_rotary)
/* Chunks whose number no layout says; a layout goes with no other option. */
TEST(has_plain_chunks, l->plan.vp > 1 && l->said.layout[0] == '\0')
TEST(uses_flex, l->plan.ep > 1 && l->job.dispatcher >= P3D_DISPATCH_DEEPEP)
TEST(uses_fsdp, l->said.fsdp)
TEST(offloads_layers, l->said.offload_layers > 0)
TEST(gathers_beside, l->said.gathers_beside)
TEST(has_context, l->plan.cp > 1)
TEST(is_sequence_parallel, l->plan.sequence_parallel)
TEST(graphs_steps, l->job.graphs == P3D_GRAPHS_STEP)
TEST(is_fused, l->said.fusion != 0)
TEST(collects_garbage, l->job.gc_interval > 0)
/* YaRN: of the model's attention, or of latents, where it is the usual kind. */
TEST(has_yarn, l->model.rotary.kind == P3D_ROTARY_YARN)
TEST(has_plain_yarn, l->said.position == 2)
TEST(has_latent_yarn, is_latent(l) && has_yarn(l))
TEST(has_softmax_scores,
    exchange_has_experts(l) && l->model.router.score == P3D_SCORE_SOFTMAX)
/* transformer_config.py:811-813: "especially when the number of experts is
 * large"; HybridEP takes no other: moe/token_dispatcher.py:1139. */
TEST(scores_in_32_bits,
    exchange_has_experts(l) && (l->model.router.score != P3D_SCORE_SOFTMAX ||
                                (uses_flex(l) && l->job.dispatcher ==
                                                 P3D_DISPATCH_HYBRIDEP)))
TEST(has_low_rank_queries, is_latent(l) && l->model.q_lora_rank > 0)

const exchange_option exchange_megatron_options[] = {
    SECTION("model", "train.model"),
    VALUE("num-layers", model.n_layers),
    VALUE("hidden-size", model.hidden),
    SOME("ffn-hidden-size", model.ffn),
    VALUE("num-attention-heads", model.n_heads),
    FLAG("group-query-attention", said.grouped_query),
    VALUE_WHEN("num-query-groups", model.n_kv_heads, has_groups),
    VALUE_WHEN("kv-channels", model.head_dim, is_not_latent),
    FLAG("multi-latent-attention", said.latent),
    VALUE_WHEN("q-lora-rank", model.q_lora_rank, has_low_rank_queries),
    SOME_WHEN("kv-lora-rank", model.kv_lora_rank, is_latent),
    SOME_WHEN("qk-head-dim", model.qk_nope_dim, is_latent),
    SOME_WHEN("qk-pos-emb-head-dim", model.qk_rope_dim, is_latent),
    SOME_WHEN("v-head-dim", model.v_head_dim, is_latent),
    MEANS("qk-layernorm", model.qk_norm, P3D_QK_NORM_HEAD),
    /* The norms of latents: gpt_layer_specs.py:246-255 has none without it. */
    FIXED_WHEN("qk-layernorm", NULL, is_latent),
    WORD("normalization", model.norm_weights, norms),
    FLAG("swiglu", model.gated_mlp),
    MEANS("squared-relu", model.activation, P3D_ACTIVATION_SQUARED_RELU),
    FLAG("apply-layernorm-1p", model.centered_norms),
    {FLAG_ROW("disable-bias-linear", said.bias, false),
     .logged = "add-bias-linear", .logged_not = true},
    FLAG("add-qkv-bias", said.qkv_bias),
    FLAG("untie-embeddings-and-output-weights", said.untied),
    WORD("position-embedding-type", said.position, positions),
    SOME_WHEN("rotary-base", said.rotary_base, has_rotary_base),
    {FLAG_ROW("use-rope-scaling", said.stretches_rotary, true),
     .when = is_rotary},
    VALUE_WHEN("rope-scaling-factor", said.stretch, stretches_rotary),
    SOME_SHY("rotary-seq-len-interpolation-factor", said.rotary_divisor),
    {VALUE_ROW("rotary-percent", model.rotary.share), .shy = true,
     .when = is_rotary},
    {FLAG_ROW("rotary-interleaved", model.rotary.interleaved, true),
     .when = is_not_latent},
    WORD_WHEN("rope-type", said.rotary_kind, rotary_kinds, has_latent_yarn),
    VALUE_WHEN("rotary-scaling-factor", model.rotary.factor, has_yarn),
    SOME_WHEN("yarn-original-max-position-embeddings",
        model.rotary.first_positions, has_plain_yarn),
    {VALUE_ROW("yarn-beta-fast", model.rotary.beta_fast), .shy = true,
     .when = has_plain_yarn},
    {VALUE_ROW("yarn-beta-slow", model.rotary.beta_slow), .shy = true,
     .when = has_plain_yarn},
    {FLAG_ROW("no-yarn-correction-range-round-to-int",
        model.rotary.exact_range, true), .when = has_plain_yarn},
    {VALUE_ROW("mscale", model.rotary.mscale), .shy = true, .when = has_yarn},
    {VALUE_ROW("mscale-all-dim", model.rotary.mscale_all_dim), .shy = true,
     .when = has_yarn},
    VALUE_SHY("norm-epsilon", model.norm_epsilon),
    SOME("max-position-embeddings", model.max_positions),
    VALUE("vocab-size", model.vocab),
    FIXED("make-vocab-size-divisible-by", "128"),
    VALUE_SHY("mtp-num-layers", job.n_mtp_layers),
    VALUE("attention-dropout", said.attention_dropout),
    VALUE("hidden-dropout", said.hidden_dropout),
    SOME_WHEN("num-experts", model.n_experts, exchange_has_experts),
    SOME_WHEN("moe-router-topk", model.top_k, exchange_has_experts),
    SOME_WHEN("moe-ffn-hidden-size", model.expert_ffn, exchange_has_experts),
    VALUE("moe-layer-freq", said.moe_layers),
    VALUE_SHY("moe-shared-expert-intermediate-size", model.shared_ffn),
    FLAG("moe-shared-expert-gate", model.shared_gate),
    VALUE_SHY("moe-router-num-groups", model.expert_groups),
    VALUE_SHY("moe-router-group-topk", model.routed_groups),
    FLAG("moe-router-enable-expert-bias", model.router_correction),
    {WORD_ROW("moe-router-score-function", model.router.score, scores),
     .shy = true},
    {FLAG_ROW("moe-router-pre-softmax", model.router.keeps_scores, true),
     .when = has_softmax_scores},
    VALUE_SHY("moe-router-topk-scaling-factor", model.router.scale),
    FIXED_WHEN("moe-router-dtype", "fp32", scores_in_32_bits),
    RAW_VALUE("moe-router-load-balancing-type", said.balance),
    RAW_VALUE("moe-aux-loss-coeff", said.balance_weights),
    SECTION("plan", "train.system"),
    VALUE("tensor-model-parallel-size", plan.tp),
    VALUE("pipeline-model-parallel-size", plan.pp),
    VALUE("context-parallel-size", plan.cp),
    WORD_WHEN("cp-comm-type", said.cp_exchange,
        exchange_megatron_exchanges, has_context),
    RAW_VALUE("hierarchical-context-parallel-sizes", said.cp_sizes),
    {VALUE_ROW("num-virtual-stages-per-pipeline-rank", plan.vp),
     .logged = "virtual-pipeline-model-parallel-size",
     .when = has_plain_chunks},
    SOME_SHY("num-layers-per-virtual-pipeline-stage", said.stage_layers),
    {VALUE_ROW("microbatch-group-size-per-virtual-pipeline-stage", plan.group),
     .value = 1, .shy = true, .logged = "microbatch-group-size-per-vp-stage"},
    {VALUE_ROW("decoder-first-pipeline-num-layers", plan.first_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    {VALUE_ROW("decoder-last-pipeline-num-layers", plan.last_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    FLAG("account-for-embedding-in-pipeline-split", said.counts_embedding),
    FLAG("account-for-loss-in-pipeline-split", said.counts_loss),
    VALUE("pipeline-model-parallel-layout", said.layout),
    FLAG("sequence-parallel", plan.sequence_parallel),
    VALUE_WHEN("expert-model-parallel-size", plan.ep, exchange_has_experts),
    VALUE_WHEN("expert-tensor-parallel-size", plan.etp,
        exchange_splits_experts),
    FIXED_WHEN("moe-grouped-gemm", NULL, exchange_has_experts),
    WORD_WHEN("moe-token-dispatcher-type", said.dispatcher,
        exchange_megatron_dispatchers, exchange_has_experts),
    WORD_WHEN("moe-flex-dispatcher-backend", said.flex_backend,
        exchange_megatron_backends, uses_flex),
    FLAG("moe-enable-deepep", said.deepep),
    {FLAG_ROW("overlap-moe-expert-parallel-comm", job.expert_overlap, true),
     .when = exchange_splits_experts},
    FLAG("use-distributed-optimizer", said.distributed_optimizer),
    FLAG("overlap-grad-reduce", said.overlaps_dp),
    FIXED_WHEN("overlap-param-gather", NULL, gathers_beside),
    FLAG("use-megatron-fsdp", said.fsdp),
    WORD_WHEN("data-parallel-sharding-strategy", said.sharding,
        exchange_megatron_strategies, uses_fsdp),
    FIXED_WHEN("ckpt-format", "fsdp_dtensor", uses_fsdp),
    SOME_SHY("num-distributed-optimizer-instances", said.instances),
    MEANS("use-tp-pp-dp-mapping", plan.order, P3D_ORDER_PP_DP),
    {FLAG_ROW("tp-comm-overlap", job.tp_overlap, true),
     .when = is_sequence_parallel},
    WORD("recompute-granularity", said.granularity,
        exchange_megatron_granularities),
    FLAG("distribute-saved-activations", job.partition_activations),
    FLAG("recompute-activations", said.recompute),
    WORD("recompute-method", said.method, exchange_megatron_methods),
    SOME_SHY("recompute-num-layers", said.method_layers),
    RAW_VALUE("recompute-modules", said.modules),
    SOME_SHY("cpu-offloading-num-layers", said.offload_layers),
    FLAG("optimizer-cpu-offload", said.offload),
    VALUE_WHEN("optimizer-offload-fraction", said.offload_frac,
        exchange_offloads),
    FIXED_WHEN("use-precision-aware-optimizer", NULL, exchange_offloads),
    /* FlagScale's alone, over GPUs of several types. */
    SECTION("", "train.system.hetero"),
    FLAG("enable-hetero", said.has_meshes),
    RAW_VALUE("hetero-process-meshes", said.meshes),
    RAW_VALUE("hetero-pipeline-layer-split", said.mesh_layers),
    RAW_VALUE("hetero-device-types", said.mesh_types),
    SECTION("batch and precision", "train.system"),
    VALUE("micro-batch-size", plan.micro_batch),
    VALUE("global-batch-size", job.global_batch),
    VALUE("seq-length", job.seq_len),
    FLAG("bf16", said.bf16),
    FLAG("fp16", said.fp16),
    {WORD_ROW("fp8-format", said.fp8, fp8_formats), .logged = "fp8"},
    {WORD_ROW("fp8-recipe", said.fp8_recipe, fp8_recipes),
        .shy = true},
    FLAG("fp8-param-gather", said.fp8_weights),
    {WORD_ROW("fp4-format", said.fp4, fp4_formats), .logged = "fp4"},
    FLAG("fp4-param-gather", said.fp4_weights),
    FLAG("grad-reduce-in-bf16", said.grads_16),
    WORD_SHY("cuda-graph-impl", job.graphs, graphs),
    FIXED_WHEN("no-check-for-nan-in-loss-and-grad", NULL, graphs_steps),
    FIXED_WHEN("manual-gc", NULL, collects_garbage),
    VALUE_SHY("manual-gc-interval", job.gc_interval),
    WORD("attention-backend", job.attention, kernels),
    MEANS("cross-entropy-loss-fusion", said.fusion, 1),
    WORD_WHEN("cross-entropy-fusion-impl", said.fusion_kind, fusions, is_fused),
    WORD("optimizer", job.optimizer, optimizers),
    /* Read only: of front ends that train on pairs. */
    VALUE_WHEN("outputs_of_the_head", said.n_outputs, exchange_never),
    WORD_WHEN("preference", job.companion.reference, exchange_references,
        exchange_never),
    SECTION("to measure a step on made-up data; a training has in their place:",
        "train.data"),
    HEAD("  --data-path PREFIX --split 969,30,1"),
    HEAD("  --tokenizer-type HuggingFaceTokenizer --tokenizer-model NAME"),
    HEAD("  --save DIR --load DIR --save-interval 500"),
    HEAD("  --exit-duration-in-mins N, some minutes below the time limit"),
    FIXED("mock-data", NULL),
    FIXED("tokenizer-type", "NullTokenizer"),
    FIXED("train-iters", "100"),
    FIXED("lr", "1e-4"),
    FIXED("eval-iters", "0"),
    FIXED("log-interval", "1"),
    FIXED("log-throughput", NULL),
};
/* clang-format on */

static void environment(const exchange_launch *launch, p3d_text *lines)
{
    exchange_megatron_environment(launch, lines);
    if (launch->job.attention == P3D_EAGER)
        p3d_text_add(lines, "export NVTE_FLASH_ATTN=0 NVTE_FUSED_ATTN=0\n");
}

/* True when options say how positions are stretched. Those of latent attention
 * have no ends of the range: megatron/core/transformer/transformer_config.py:
 * 3318-3324. */
static bool says_rotary(const p3d_model *m)
{
    const p3d_rotary *const r = &m->rotary;

    if (m->learned_positions > 0 || r->kind == P3D_ROTARY_PLAIN)
        return true;
    if (!p3d_model_is_mla(m))
        return r->kind != P3D_ROTARY_OTHER;
    return r->kind == P3D_ROTARY_YARN &&
           (r->first_positions == 0 || r->first_positions == 4096) &&
           (r->beta_fast <= 0 || fabs(r->beta_fast - 32) < 1e-9) &&
           (r->beta_slow <= 0 || fabs(r->beta_slow - 1) < 1e-9);
}

static void note(const exchange_launch *launch, p3d_text *lines)
{
    if (launch->said.position > 0 &&
            (launch->model.rotary.base <= 0 || launch->model.norm_epsilon <= 0))
        p3d_text_add(lines,
                "the model's file does not say its rotary base or norm "
                "epsilon: set\n--rotary-base and --norm-epsilon\n");
    if (!says_rotary(&launch->model))
        p3d_text_add(lines,
                "how the model's file stretches its rotary positions has no "
                "option: sequences\nlonger than it was first trained with "
                "would see others\n");
    if (launch->plan.recompute == P3D_RECOMPUTE_SELECTIVE &&
            launch->plan.recompute_modules == 0 &&
            launch->job.attention != P3D_EAGER)
        p3d_text_add(lines,
                "recomputing core_attn saves nothing with fused attention\n");
}

static const char *const unmodelled[] = {"use-torch-fsdp2", "use-custom-fsdp",
        "megatron-fsdp-version", "fine-grained-activation-offloading",
        "tensor-parallel-num-weight-shards", "hybrid-context-parallel",
        "rampup-batch-size", "step-batch-size-schedule", "window-size",
        "hybrid-layer-pattern", "hybrid-override-pattern",
        "heterogeneous-layers-config-path", "moe-expert-capacity-factor",
        "moe-layer-recompute", "moe-latent-size", "main-grads-dtype",
        "main-params-dtype", "exp-avg-dtype", "exp-avg-sq-dtype",
        "outer-dp-sharding-strategy",
        /* A teacher beside the model, parts that are not trained, 4 bit, layers
         * in 16 bit, the second layout of fp8 weights with Megatron-FSDP:
         * megatron/post_training/arguments.py:65-83, elastification/
         * arguments.py:86-107, training/arguments.py:2683, 3212. */
        "export-kd-teacher-load", "export-kd-cfg", "distillation",
        "freeze-model", "first-last-layers-bf16", "keep-fp8-transpose-cache",
        "perform-rl-step", NULL};

/* How a thing is done that other options ask for, what has no part in memory
 * or time, and what a log prints beside (megatron/training/arguments.py:
 * validate_args). */
const char *const exchange_megatron_harmless[] = {
        "accumulate-allreduce-grads-in-fp32", "activation-offload-fraction",
        "attention-softmax-in-fp32", "batch-invariant-backend",
        "data-parallel-size", "dino-freeze-last-layer", "encoder-seq-length",
        "fp16-lm-cross-entropy", "fp4-recipe", "fp8-amax-compute-algo",
        "fp8-amax-history-len", "fp8-margin", "fp8-wgrad", "fsdp-double-buffer",
        "fsdp-manual-registration", "gdp-num-chunk-states-to-recompute",
        "gtp-remat-opt-in-modules", "indexer-batch-size",
        "megatron-fsdp-grad-comm-dtype", "megatron-fsdp-main-grads-dtype",
        "megatron-fsdp-main-params-dtype", "mem-batch-size",
        "microbatch-group-size-per-vp-stage", "moe-combine-bwd-dtype",
        "moe-deepep-num-sms", "moe-dispatch-fwd-dtype",
        "moe-flex-dispatcher-num-sms", "moe-hybridep-num-sms",
        "moe-hybridep-num-sms-preprocessing",
        "moe-paged-stash-buffer-size-factor-cpu",
        "moe-paged-stash-buffer-size-factor-cuda", "moe-paged-stash-page-size",
        "moe-permute-fusion", "moe-router-bias-update-rate", "moe-router-dtype",
        "moe-router-force-load-balancing", "moe-router-fusion",
        "moe-router-quantile-balancing-ema", "moe-token-drop-policy",
        "moe-upcycling-granularity", "muon-coefficient-type",
        "muon-fp32-matmul-prec", "muon-no-split-qkv", "muon-num-ns-steps",
        "muon-scalar-optimizer", "muon-tp-mode",
        "no-ckpt-load-validate-sharding-integrity", "no-fp8-wgrad",
        "no-load-optim", "no-strict-fsdp-dtensor-load", "no-tp-comm-bulk-dgrad",
        "no-tp-comm-bulk-wgrad", "no-tp-comm-overlap-ag",
        "no-tp-comm-overlap-rs", "no-tp-comm-split-ag", "no-tp-comm-split-rs",
        "num-layers-at-end-in-bf16", "num-layers-at-start-in-bf16",
        "offload-modules", "overlap-cpu-optimizer-d2h-h2d", "params-dtype",
        "rl-sequence-packing-algo", "rl-sequence-packing-max-sequences-per-bin",
        "router-gbs", "router-inter-dim", "router-std", "short-seq-prob",
        "tp-comm-bootstrap-backend", "transformer-pipeline-model-parallel-size",
        NULL};

const exchange_target exchange_to_megatron = {
        .name = "megatron",
        .title = "Megatron-LM",
        .versions = "NVIDIA/Megatron-LM@d98e8a64",
        .framework = "megatron-core",
        .tables = {{.form = EXCHANGE_ARGUMENTS,
                OPTIONS(exchange_megatron_options)}},
        .n_tables = 1,
        .unmodelled = unmodelled,
        .names = exchange_megatron_names,
        .harmless = exchange_megatron_harmless,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "pretrain_gpt.py",
        .defaults = exchange_megatron_defaults,
        .can_say = exchange_megatron_can_say,
        .say = exchange_megatron_say,
        .settle_model = exchange_megatron_settle_model,
        .settle = exchange_megatron_settle_plan,
        .folder = "Megatron-LM",
        .note = note,
        .environment = environment,
};

/* Megatron-Bridge. */

static const char *const mappings[P3D_N_ORDERS] = {"False", "True"};
/* One word for data type, recipe of fp8 and weights in it: Megatron-Bridge@
 * 067f987d src/megatron/bridge/training/mixed_precision.py. */
static const char *const precisions[] = {"bf16_mixed", "fp16_mixed",
        "bf16_with_fp8_delayed_scaling_mixed",
        "bf16_with_fp8_current_scaling_mixed", "bf16_with_mxfp8_mixed",
        "bf16_with_nvfp4_mixed"};
static const struct {
    p3d_dtype dtype;
    p3d_fp8_recipe recipe;
} precision_of[P3D_COUNT_OF(precisions)] = {{P3D_BF16, P3D_FP8_USUAL},
        {P3D_FP16, P3D_FP8_USUAL}, {P3D_FP8, P3D_FP8_DELAYED},
        {P3D_FP8, P3D_FP8_CURRENT}, {P3D_FP8, P3D_FP8_MXFP8},
        {P3D_NVFP4, P3D_FP8_USUAL}};
static const char *const types[P3D_N_DTYPES] = {[P3D_FP16] = "torch.float16",
        [P3D_BF16] = "torch.bfloat16",
        [P3D_FP8] = "torch.bfloat16",
        [P3D_NVFP4] = "torch.bfloat16"};

/* clang-format off */
TEST(has_lora, l->job.adapters.rank > 0 && !l->job.adapters.dora)
TEST(has_dora, l->job.adapters.rank > 0 && l->job.adapters.dora)

static const exchange_option recipe[] = {
    HEAD("plan"),
    VALUE("model.tensor_model_parallel_size", plan.tp),
    VALUE("model.pipeline_model_parallel_size", plan.pp),
    VALUE("model.context_parallel_size", plan.cp),
    WORD_SHY("model.cp_comm_type", said.cp_exchange,
        exchange_megatron_exchanges),
    RAW_VALUE("model.hierarchical_context_parallel_sizes", said.cp_sizes),
    VALUE_WHEN("model.virtual_pipeline_model_parallel_size", plan.vp,
        has_plain_chunks),
    SOME_SHY("model.microbatch_group_size_per_vp_stage", plan.group),
    {VALUE_ROW("model.num_layers_in_first_pipeline_stage", plan.first_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    {VALUE_ROW("model.num_layers_in_last_pipeline_stage", plan.last_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    {VALUE_ROW("model.account_for_embedding_in_pipeline_split",
        said.counts_embedding), .shy = true},
    {VALUE_ROW("model.account_for_loss_in_pipeline_split",
        said.counts_loss), .shy = true},
    VALUE("model.pipeline_model_parallel_layout", said.layout),
    VALUE("model.sequence_parallel", plan.sequence_parallel),
    VALUE_WHEN("model.expert_model_parallel_size", plan.ep,
        exchange_splits_experts),
    VALUE_WHEN("model.expert_tensor_parallel_size", plan.etp,
        exchange_splits_experts),
    WORD_WHEN("model.moe_token_dispatcher_type", said.dispatcher,
        exchange_megatron_dispatchers, exchange_splits_experts),
    WORD_WHEN("model.moe_flex_dispatcher_backend", said.flex_backend,
        exchange_megatron_backends, uses_flex),
    {WORD_ROW("model.pipeline_dtype", job.dtype, types), .raw = true,
     .when = exchange_has_pipeline},
    WORD("model.recompute_granularity", said.granularity,
        exchange_megatron_granularities),
    WORD("model.recompute_method", said.method, exchange_megatron_methods),
    SOME_SHY("model.recompute_num_layers", said.method_layers),
    RAW_VALUE("model.recompute_modules", said.modules),
    {WORD_ROW("dist.use_tp_pp_dp_mapping", plan.order, mappings),
     .raw = true, .shy = true},
    VALUE("ddp.use_distributed_optimizer", said.distributed_optimizer),
    VALUE("ddp.overlap_grad_reduce", said.overlaps_dp),
    VALUE("ddp.overlap_param_gather", said.gathers_beside),
    /* Read only: what sets these, and is None in a plain recipe. */
    {VALUE_ROW("comm_overlap.tp_comm_overlap", job.tp_overlap),
     .when = exchange_never},
    {VALUE_ROW("comm_overlap.overlap_grad_reduce", said.overlaps_dp),
     .when = exchange_never},
    {VALUE_ROW("comm_overlap.overlap_param_gather", said.gathers_beside),
     .when = exchange_never},
    {VALUE_ROW("comm_overlap.overlap_moe_expert_parallel_comm",
        job.expert_overlap), .when = exchange_never},
    VALUE("ddp.use_megatron_fsdp", said.fsdp),
    WORD_WHEN("ddp.data_parallel_sharding_strategy", said.sharding,
        exchange_megatron_strategies, uses_fsdp),
    FIXED_WHEN("checkpoint.ckpt_format", "\"fsdp_dtensor\"", uses_fsdp),
    SOME_SHY("ddp.num_distributed_optimizer_instances", said.instances),
    FIXED_WHEN("model.cpu_offloading", "True", offloads_layers),
    FIXED_WHEN("model.cpu_offloading_weights", "False", offloads_layers),
    SOME_SHY("model.cpu_offloading_num_layers", said.offload_layers),
    VALUE("optimizer.optimizer_cpu_offload", said.offload),
    VALUE_WHEN("optimizer.optimizer_offload_fraction", said.offload_frac,
        exchange_offloads),
    FIXED_WHEN("optimizer.use_precision_aware_optimizer", "True",
        exchange_offloads),
    HEAD("batch and precision"),
    VALUE("train.micro_batch_size", plan.micro_batch),
    VALUE("train.global_batch_size", job.global_batch),
    VALUE("model.seq_length", job.seq_len),
    VALUE("dataset.seq_length", job.seq_len),
    WORD("mixed_precision", said.precision, precisions),
    VALUE("model.attention_dropout", said.attention_dropout),
    VALUE("model.hidden_dropout", said.hidden_dropout),
    {.field.key = "from megatron.bridge.peft.lora import LoRA",
     .kind = EXCHANGE_HEAD, .text = "", .when = has_lora},
    {.field.key = "from megatron.bridge.peft.dora import DoRA",
     .kind = EXCHANGE_HEAD, .text = "", .when = has_dora},
    FIXED_WHEN("peft", "LoRA()", has_lora),
    FIXED_WHEN("peft", "DoRA()", has_dora),
    VALUE_WHEN("peft.dim", job.adapters.rank, exchange_has_adapters),
    VALUE_WHEN("peft.alpha", said.adapter_alpha, exchange_has_adapters),
    VALUE_WHEN("peft.dropout", job.adapters.dropout,
        exchange_has_adapter_dropout),
    {VALUE_ROW("peft.target_modules", said.adapted), .raw = true,
     .when = exchange_has_some_targets},
    VALUE_WHEN("peft.use_dora", job.adapters.dora, exchange_never),
    FIXED_WHEN("checkpoint.pretrained_checkpoint",
        "os.environ[\"PRETRAINED\"]", exchange_has_adapters),
    /* scripts/performance/run_recipe.py:133-138: the data of _pretrain_common()
     * are made up, and it has a tokenizer without a name, which must be set. */
    HEAD("to measure a step on made-up data; a training has its own"),
    FIXED("tokenizer.tokenizer_type", "\"NullTokenizer\""),
    FIXED("tokenizer.vocab_size", "cfg.model.vocab_size"),
    FIXED("tokenizer.use_tokenizer_vocab_size", "False"),
    FIXED("train.train_iters", "100"),
    FIXED("scheduler.lr_warmup_iters", "10"),
    FIXED("validation.eval_iters", "0"),
    FIXED("checkpoint.save", "None"),
    FIXED("checkpoint.load", "None"),
    FIXED("logger.log_interval", "1"),
};
/* clang-format on */

/* Linears of Megatron-Core, and the matrices that lie side by side in each:
 * Megatron-Bridge@0191fc5e src/megatron/bridge/peft/lora.py, dora.py. */
static const struct {
    const char *name;
    unsigned targets;
    const char *words; /* of the command line */
} linears[] = {
        {"linear_qkv", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V, "q+k+v"},
        {"linear_proj", P3D_TARGET_O, "o"},
        {"linear_fc1", P3D_TARGET_GATE | P3D_TARGET_UP, "gate+up"},
        {"linear_fc2", P3D_TARGET_DOWN, "down"}};

/* Of those that the model has. */
static unsigned joined_targets(const p3d_model *m, int linear)
{
    return m->gated_mlp ? linears[linear].targets
                        : linears[linear].targets & ~(unsigned)P3D_TARGET_GATE;
}

static void say_adapters(exchange_launch *launch)
{
    const p3d_adapters *const a = &launch->job.adapters;
    p3d_text names = {0};

    for (int i = 0; i < P3D_COUNT_OF(linears); i++)
        if ((a->targets & joined_targets(&launch->model, i)) != 0)
            p3d_text_add(&names, "%s\"%s\"", names.length > 0 ? ", " : "",
                    linears[i].name);
    launch->said.adapter_alpha = EXCHANGE_ALPHA_OF_RANK * a->rank;
    (void)snprintf(launch->said.adapted, sizeof(launch->said.adapted), "[%s]",
            p3d_text_get(&names));
    p3d_text_free(&names);
}

/* The experts' linears have the names of the others, and those of latent
 * attention and mixers have names of their own. */
static bool bridge_can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    static const unsigned mlp =
            P3D_TARGET_GATE | P3D_TARGET_UP | P3D_TARGET_DOWN;
    const p3d_adapters *const a = &launch->job.adapters;
    const p3d_model *const m = &launch->model;

    if (a->rank > 0 && (m->kv_lora_rank > 0 ||
                               p3d_model_count_with(m, P3D_LAYER_MIXER) > 0))
        return exchange_target_refuse(refusal, "X2",
                "the options do not describe %s: adapters of latent attention "
                "and of mixers",
                m->name);
    if (m->n_experts > 0 && (a->targets & mlp) != 0)
        return exchange_target_refuse(refusal, "X2",
                "Megatron-Bridge adapts the experts of %s with its other MLPs; "
                "leave out targets= of --lora or write targets=attention",
                m->name);
    for (int i = 0; i < P3D_COUNT_OF(linears); i++) {
        const unsigned joined = joined_targets(m, i);

        if ((a->targets & joined) != 0 && (a->targets & joined) != joined)
            return exchange_target_refuse(refusal, "X2",
                    "Megatron-Bridge has one adapter for the matrices of %s; "
                    "write targets=%s of --lora, or none of them",
                    linears[i].name, linears[i].words);
    }
    return exchange_megatron_can_say(launch, refusal);
}

static void bridge_environment(const exchange_launch *launch, p3d_text *lines)
{
    if (exchange_has_adapters(launch))
        p3d_text_add(lines,
                "export PRETRAINED=${PRETRAINED:?is the folder of the weights "
                "that AutoBridge.import_ckpt wrote}\n");
    exchange_megatron_environment(launch, lines);
}

/** The word for a job; past the last where there is none. */
static int precision_word(const p3d_job *job)
{
    const p3d_fp8_recipe wanted = job->dtype != P3D_FP8 ? P3D_FP8_USUAL
                                  : job->fp8_recipe != P3D_FP8_USUAL
                                          ? job->fp8_recipe
                                          : P3D_FP8_DELAYED;
    int i = 0;

    while (i < P3D_COUNT_OF(precisions) &&
            (precision_of[i].dtype != job->dtype ||
                    precision_of[i].recipe != wanted))
        i++;
    return i;
}

static void say_bridge(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    char names[EXCHANGE_LAYOUT];

    launch->said.precision = precision_word(&launch->job);
    say_adapters(launch);
    exchange_megatron_say(launch);
    exchange_megatron_say_context(launch, true);
    if (p->recompute != P3D_RECOMPUTE_SELECTIVE || p->recompute_modules == 0)
        return;
    exchange_modules_print(p->recompute_modules, ", ", "\"", names);
    snprintf(launch->said.modules, EXCHANGE_LAYOUT, "[%.8000s]", names);
}

static void bridge_defaults(exchange_launch *launch)
{
    exchange_megatron_defaults(launch);
    launch->job.dtype = P3D_BF16;
    launch->said.precision = -1;
    launch->said.distributed_optimizer = true;
    launch->said.overlaps_dp = true;
    launch->said.bias = false;
}

static bool settle_bridge(exchange_launch *launch, p3d_error *err)
{
    exchange_said *const said = &launch->said;
    const int word = said->precision;

    if (word >= 0) {
        launch->job.dtype = precision_of[word].dtype;
        said->fp8_recipe = (int)precision_of[word].recipe;
    }
    if (launch->plan.tp < 2 || !launch->plan.sequence_parallel)
        launch->job.tp_overlap = false; /* comm_overlap.py:442-451 */
    said->fp8 = launch->job.dtype == P3D_FP8;
    said->fp4 = launch->job.dtype == P3D_NVFP4;
    said->fp8_weights = said->fp8 > 0; /* of those words */
    said->fp4_weights = said->fp4 > 0;
    said->fp16 = launch->job.dtype == P3D_FP16;
    said->bf16 =
            launch->job.dtype == P3D_BF16 || said->fp8 > 0 || said->fp4 > 0;
    return exchange_megatron_settle_plan(launch, err);
}

const exchange_target exchange_to_bridge = {
        .name = "bridge",
        .title = "Megatron-Bridge (NeMo)",
        .versions = "NVIDIA-NeMo/Megatron-Bridge@067f987d",
        .framework = "megatron-core",
        .tables = {{.form = EXCHANGE_FIELDS,
                .file = "recipe.py",
                .before = "import os\n\n"
                          "import torch\n"
                          "from megatron.bridge import AutoBridge\n"
                          "from megatron.bridge.recipes.common import "
                          "_pretrain_common\n"
                          "from megatron.bridge.training.gpt_step import "
                          "forward_step\n"
                          "from megatron.bridge.training.pretrain import "
                          "pretrain\n\n\n"
                          "def recipe():\n"
                          "    cfg = _pretrain_common()\n"
                          "    bridge = AutoBridge.from_hf_pretrained("
                          "os.environ[\"HF_MODEL\"])\n"
                          "    cfg.model = bridge.to_megatron_provider("
                          "load_weights=False)\n",
                .after = "    return cfg\n\n\n"
                         "if __name__ == \"__main__\":\n"
                         "    pretrain(recipe(), forward_step)\n",
                OPTIONS(recipe)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "\"$HERE/recipe.py\"",
        .defaults = bridge_defaults,
        .can_say = bridge_can_say,
        .say = say_bridge,
        .settle = settle_bridge,
        .notes =
                "the model comes from Hugging Face: set HF_MODEL to its name "
                "there\n"
                "it runs 100 steps on made-up data and saves nothing: put your "
                "own into\n"
                "cfg.dataset, cfg.tokenizer and cfg.checkpoint\n",
        .variables = "export HF_MODEL=${HF_MODEL:?is the name of the model at "
                     "Hugging Face}\n",
        .environment = bridge_environment,
};
