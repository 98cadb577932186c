/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron.c - Megatron-LM: its arguments and environment.
 *
 * Names, types and choices: Megatron-LM@d98e8a64 megatron/training/arguments.py
 * and the configurations that its groups of arguments are made from; checked
 * against tests/data/megatron_flags.csv. */
#include "exchange/launch/megatron.h"
#include "exchange/launch/target_rows.h"

static const char *const positions[] = {"learned_absolute", "rope"};
static const char *const norms[] = {NULL, "RMSNorm", "LayerNorm"};
static const char *const optimizers[P3D_N_OPTIMIZERS] = {[P3D_ADAM] = "adam",
        [P3D_SGD] = "sgd",
        [P3D_LION] = "lion",
        [P3D_MUON] = "muon"};
static const char *const kernels[P3D_N_ATTENTIONS] = {[P3D_FLASH] = "auto",
        [P3D_EAGER] = "unfused",
        [P3D_FLASH_2] = "flash",
        [P3D_FLASH_3] = "flash",
        [P3D_CUDNN] = "fused"};
static const char *const fp8_formats[] = {NULL, "hybrid", "e4m3"};
static const char *const fusions[] = {"native", "te"};
static const char *const graphs[P3D_N_GRAPHS] = {
        "none", "transformer_engine", "full_iteration"};

static bool overlaps(const p3d_launch *launch)
{
    return launch->said.distributed_optimizer;
}

static bool has_context(const p3d_launch *launch)
{
    return launch->plan.cp > 1;
}

static bool is_fused(const p3d_launch *launch)
{
    return launch->said.fusion != 0;
}

/* A bias of the routing needs sigmoid scores: transformer_config.py. */
static bool corrects_routing(const p3d_launch *launch)
{
    return launch->model.router_correction;
}

static bool has_low_rank_queries(const p3d_launch *launch)
{
    return exchange_is_latent(launch) && launch->model.q_lora_rank > 0;
}

/* clang-format off */
static const p3d_option options[] = {
    HEAD("model"),
    INT("num-layers", model.n_layers, 1),
    INT("hidden-size", model.hidden, 1),
    INT("ffn-hidden-size", model.ffn, 1),
    INT("num-attention-heads", model.n_heads, 1),
    FLAG("group-query-attention", said.grouped_query),
    INT_WHEN("num-query-groups", model.n_kv_heads, 1, exchange_has_groups),
    INT_WHEN("kv-channels", model.head_dim, 1, exchange_is_not_latent),
    FLAG("multi-latent-attention", said.latent),
    INT_WHEN("q-lora-rank", model.q_lora_rank, 0, has_low_rank_queries),
    INT_WHEN("kv-lora-rank", model.kv_lora_rank, 1, exchange_is_latent),
    INT_WHEN("qk-head-dim", model.qk_nope_dim, 1, exchange_is_latent),
    INT_WHEN("qk-pos-emb-head-dim", model.qk_rope_dim, 1, exchange_is_latent),
    INT_WHEN("v-head-dim", model.v_head_dim, 1, exchange_is_latent),
    {.name = "qk-layernorm", .kind = P3D_OPTION_MEANS,
     .offset = P3D_LAUNCH_ENUM(model.qk_norm), .value = P3D_QK_NORM_HEAD},
    WORD("normalization", model.norm_weights, norms),
    FLAG("swiglu", model.gated_mlp),
    {.name = "disable-bias-linear", .kind = P3D_OPTION_UNFLAG,
     .offset = P3D_LAUNCH_AT(said.bias, _Bool), .logged = "add-bias-linear",
     .logged_not = true},
    FLAG("add-qkv-bias", said.qkv_bias),
    FLAG("untie-embeddings-and-output-weights", said.untied),
    WORD("position-embedding-type", said.position, positions),
    INT("max-position-embeddings", model.max_positions, 1),
    INT("vocab-size", model.vocab, 1),
    FIXED("make-vocab-size-divisible-by", "128"),
    INT_SHY("mtp-num-layers", job.n_mtp_layers, 0),
    REAL("attention-dropout", said.attention_dropout),
    REAL("hidden-dropout", said.hidden_dropout),
    INT_WHEN("num-experts", model.n_experts, 1, exchange_has_experts),
    INT_WHEN("moe-router-topk", model.top_k, 1, exchange_has_experts),
    INT_WHEN("moe-ffn-hidden-size", model.expert_ffn, 1,
        exchange_has_experts),
    CHARS("moe-layer-freq", said.moe_layers),
    INT_SHY("moe-shared-expert-intermediate-size", model.shared_ffn, 0),
    FLAG("moe-shared-expert-gate", model.shared_gate),
    INT_SHY("moe-router-num-groups", model.expert_groups, 0),
    INT_SHY("moe-router-group-topk", model.routed_groups, 0),
    FLAG("moe-router-enable-expert-bias", model.router_correction),
    FIXED_WHEN("moe-router-score-function", "sigmoid", corrects_routing),
    HEAD("plan"),
    INT("tensor-model-parallel-size", plan.tp, 1),
    INT("pipeline-model-parallel-size", plan.pp, 1),
    INT("context-parallel-size", plan.cp, 1),
    WORD_WHEN("cp-comm-type", job.cp_comm,
        exchange_megatron_exchanges, has_context),
    {.name = "num-virtual-stages-per-pipeline-rank", .kind = P3D_OPTION_INT,
     .value = 1, .offset = P3D_LAUNCH_AT(plan.vp, int),
     .logged = "virtual-pipeline-model-parallel-size",
     .when = exchange_has_plain_chunks},
    INT_SHY("num-layers-per-virtual-pipeline-stage", said.stage_layers, 1),
    {.name = "microbatch-group-size-per-virtual-pipeline-stage", .value = 1,
     .kind = P3D_OPTION_INT, .offset = P3D_LAUNCH_AT(plan.group, int),
     .shy = true, .logged = "microbatch-group-size-per-vp-stage"},
    INT_SHY("decoder-first-pipeline-num-layers", plan.first_layers, 1),
    INT_SHY("decoder-last-pipeline-num-layers", plan.last_layers, 1),
    CHARS("pipeline-model-parallel-layout", said.layout),
    FLAG("sequence-parallel", plan.sequence_parallel),
    INT_WHEN("expert-model-parallel-size", plan.ep, 1, exchange_has_experts),
    INT_WHEN("expert-tensor-parallel-size", plan.etp, 1,
        exchange_splits_experts),
    FIXED_WHEN("moe-grouped-gemm", NULL, exchange_has_experts),
    WORD_WHEN("moe-token-dispatcher-type", said.dispatcher,
        exchange_megatron_dispatchers, exchange_has_experts),
    WORD_WHEN("moe-flex-dispatcher-backend", said.flex_backend,
        exchange_megatron_backends, exchange_uses_flex),
    FLAG("moe-enable-deepep", said.deepep),
    FLAG("overlap-moe-expert-parallel-comm", job.expert_overlap),
    FLAG("use-distributed-optimizer", said.distributed_optimizer),
    FIXED_WHEN("overlap-grad-reduce", NULL, overlaps),
    FIXED_WHEN("overlap-param-gather", NULL, overlaps),
    FLAG("use-megatron-fsdp", said.fsdp),
    WORD_WHEN("data-parallel-sharding-strategy", said.sharding,
        exchange_megatron_strategies, exchange_uses_fsdp),
    FIXED_WHEN("ckpt-format", "fsdp_dtensor", exchange_uses_fsdp),
    INT_SHY("num-distributed-optimizer-instances", said.instances, 1),
    {.name = "use-tp-pp-dp-mapping", .kind = P3D_OPTION_MEANS,
     .offset = P3D_LAUNCH_ENUM(plan.order), .value = P3D_ORDER_PP_DP},
    FLAG("tp-comm-overlap", job.tp_overlap),
    WORD("recompute-granularity", said.granularity,
        exchange_megatron_granularities),
    FLAG("recompute-activations", said.recompute),
    WORD("recompute-method", said.method, exchange_megatron_methods),
    INT_SHY("recompute-num-layers", said.method_layers, 1),
    {.name = "recompute-modules", .kind = P3D_OPTION_CHARS, .raw = true,
     .offset = P3D_LAUNCH_AT(said.modules, char *)},
    FLAG("optimizer-cpu-offload", said.offload),
    {.name = "optimizer-offload-fraction", .kind = P3D_OPTION_REAL,
     .offset = P3D_LAUNCH_AT(said.offload_frac, double),
     .when = exchange_offloads},
    FIXED_WHEN("use-precision-aware-optimizer", NULL, exchange_offloads),
    HEAD("batch and precision"),
    INT("micro-batch-size", plan.micro_batch, 1),
    COUNT("global-batch-size", job.global_batch),
    INT("seq-length", job.seq_len, 1),
    FLAG("bf16", said.bf16),
    FLAG("fp16", said.fp16),
    {.name = "fp8-format", .kind = P3D_OPTION_WORD, .logged = "fp8",
     .offset = P3D_LAUNCH_ENUM(said.fp8), .words = fp8_formats,
     .n_words = P3D_COUNT_OF(fp8_formats)},
    FLAG("grad-reduce-in-bf16", said.grads_16),
    WORD_SHY("cuda-graph-impl", job.graphs, graphs),
    WORD("attention-backend", job.attention, kernels),
    {.name = "cross-entropy-loss-fusion", .kind = P3D_OPTION_MEANS,
     .offset = P3D_LAUNCH_AT(said.fusion, int), .value = 1},
    WORD_WHEN("cross-entropy-fusion-impl", said.fusion_kind, fusions, is_fused),
    WORD("optimizer", job.optimizer, optimizers),
    HEAD("to measure a step; put your data, tokenizer and schedule here"),
    FIXED("mock-data", NULL),
    FIXED("tokenizer-type", "NullTokenizer"),
    FIXED("train-iters", "100"),
    FIXED("lr", "1e-4"),
    FIXED("eval-iters", "0"),
    FIXED("log-interval", "1"),
    FIXED("log-throughput", NULL),
};
/* clang-format on */

static void environment(const p3d_launch *launch, p3d_text *lines)
{
    exchange_megatron_environment(launch, lines);
    if (launch->job.attention == P3D_EAGER)
        p3d_text_add(lines, "export NVTE_FLASH_ATTN=0 NVTE_FUSED_ATTN=0\n");
}

static void note(const p3d_launch *launch, p3d_text *lines)
{
    p3d_text_add(lines, "run it in the folder of Megatron-LM\n");
    if (launch->said.position == 1)
        p3d_text_add(lines,
                "rotary base and norm epsilon change no size: set "
                "--rotary-base "
                "and\n--norm-epsilon as the model's config.json has them\n");
    if (launch->plan.recompute == P3D_RECOMPUTE_SELECTIVE &&
            launch->plan.recompute_modules == 0 &&
            launch->job.attention != P3D_EAGER)
        p3d_text_add(lines,
                "recomputing core_attn saves nothing with fused attention\n");
}

static const char *const unmodelled[] = {"use-torch-fsdp2", "use-custom-fsdp",
        "megatron-fsdp-version", "cpu-offloading-num-layers",
        "fine-grained-activation-offloading", "distribute-saved-activations",
        "tensor-parallel-num-weight-shards",
        "hierarchical-context-parallel-sizes", "hybrid-context-parallel",
        "rampup-batch-size", "step-batch-size-schedule", "window-size",
        "hybrid-layer-pattern", "hybrid-override-pattern",
        "heterogeneous-layers-config-path", "moe-expert-capacity-factor",
        "moe-layer-recompute", "moe-latent-size", "fp8-param-gather",
        "main-grads-dtype", "main-params-dtype", "exp-avg-dtype",
        "exp-avg-sq-dtype", "outer-dp-sharding-strategy", NULL};

const p3d_target exchange_to_megatron = {
        .name = "megatron",
        .title = "Megatron-LM",
        .versions = "NVIDIA/Megatron-LM@d98e8a64",
        .framework = "megatron-core",
        .says = P3D_SAYS_FP16 | P3D_SAYS_FP32 | P3D_SAYS_FP8 |
                P3D_SAYS_DROPOUT | P3D_SAYS_CP_ALL_TO_ALL |
                P3D_SAYS_DISPATCHER | P3D_SAYS_GRAPHS | P3D_SAYS_MTP |
                P3D_SAYS_TP_OVERLAP | P3D_SAYS_EXPERT_OVERLAP |
                P3D_SAYS_GRADIENTS | P3D_SAYS_OPTIMIZERS |
                P3D_SAYS_EAGER_ATTENTION,
        .tables = {{.form = P3D_FORM_ARGUMENTS,
                .options = options,
                .n_options = P3D_COUNT_OF(options)}},
        .n_tables = 1,
        .unmodelled = unmodelled,
        .runner = P3D_RUN_TORCH,
        .program = "pretrain_gpt.py",
        .defaults = exchange_megatron_defaults,
        .can_say = exchange_megatron_can_say,
        .say = exchange_megatron_say,
        .settle_model = exchange_megatron_settle_model,
        .settle = exchange_megatron_settle_plan,
        .note = note,
        .environment = environment,
};
