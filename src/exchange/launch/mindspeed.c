/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mindspeed.c - MindSpeed-LLM on Ascend: the arguments of Megatron-LM, and its
 * own in place of those that its Megatron-LM has not.
 *
 * Names: Ascend/MindSpeed-LLM@c77308a1 pretrain_gpt.py, mindspeed_llm/
 * features_manager, examples/mcore (which set the variables, too);
 * Ascend/MindSpeed@028de58c mindspeed/features_manager; those of Megatron-LM:
 * NVIDIA/Megatron-LM@e823cf6e (core_v0.12.1) megatron/training/arguments.py. */
#include <stdio.h>

#include "exchange/launch/megatron.h"
#include "exchange/launch/target_rows.h"

static const char *const exchanges[EXCHANGE_N_EXCHANGES] = {
        [P3D_CP_RING] = "megatron_cp_algo",
        [P3D_CP_ALL_TO_ALL] = "ulysses_cp_algo",
        [EXCHANGE_BOTH] = "hybrid_cp_algo"};

/* clang-format off */
TEST(mixes_exchanges, l->said.cp_exchange == EXCHANGE_BOTH)
TEST(has_root_mean_squares, l->model.norm_weights == 1)
TEST(is_gated, l->model.gated_mlp)
TEST(is_rotary, l->said.position > 0)
TEST(has_yarn, l->model.rotary.kind == P3D_ROTARY_YARN)
TEST(has_dense_layers, l->said.dense_layers > 0)
TEST(has_latents, p3d_model_is_mla(&l->model))
TEST(has_query_norms, l->model.qk_norm == P3D_QK_NORM_HEAD && !has_latents(l))

#define SPEC(module, test)                                         \
    {.field.key = "spec", .kind = EXCHANGE_FIXED, .raw = true,     \
     .text = "mindspeed_llm.tasks.models.spec." module " layer_spec", \
     .when = test}
static const exchange_option options[] = {
    HEAD("of MindSpeed"),
    FIXED("use-mcore-models", NULL),
    FIXED("transformer-impl", "local"),
    /* Layers of their own: of latent attention, norms of queries and keys. */
    SPEC("deepseek_spec", has_latents),
    SPEC("qwen3_spec", has_query_norms),
    FIXED("use-flash-attn", NULL),
    FIXED_WHEN("use-fused-rmsnorm", NULL, has_root_mean_squares),
    FIXED_WHEN("use-fused-swiglu", NULL, is_gated),
    FIXED_WHEN("use-fused-rotary-pos-emb", NULL, is_rotary),
    /* mindspeed_llm/features_manager/common/rotary.py. */
    FIXED_WHEN("rope-scaling-type", "yarn", has_yarn),
    VALUE_WHEN("rope-scaling-factor", model.rotary.factor, has_yarn),
    SOME_WHEN("rope-scaling-original-max-position-embeddings",
        model.rotary.first_positions, has_yarn),
    SOME_SHY("beta-fast", said.beta_fast),
    SOME_SHY("beta-slow", said.beta_slow),
    {VALUE_ROW("rope-scaling-mscale", model.rotary.mscale), .shy = true,
     .when = has_yarn},
    {VALUE_ROW("rope-scaling-mscale-all-dim", model.rotary.mscale_all_dim),
     .shy = true, .when = has_yarn},
    FIXED("no-masked-softmax-fusion", NULL),
    FIXED("no-gradient-accumulation-fusion", NULL),
    FLAG("use-ascend-mc2", job.tp_overlap),
    WORD("context-parallel-algo", said.cp_exchange, exchanges),
    SOME_WHEN("ulysses-degree-in-cp", plan.ulysses, mixes_exchanges),
    SOME_WHEN("first-k-dense-replace", said.dense_layers, has_dense_layers),
    FIXED_WHEN("moe-layer-freq", "1", has_dense_layers),
};
/* clang-format on */

/* What stands above under another name, and what core_v0.12.1 has not. */
static const char *const without[] = {"cp-comm-type",
        "hierarchical-context-parallel-sizes", "moe-layer-freq",
        "pipeline-model-parallel-layout", "tp-comm-overlap",
        "attention-backend", "cpu-offloading-num-layers", "cuda-graph-impl",
        "fp8-format", "fp8-recipe", "fp8-param-gather", "fp4-format",
        "fp4-param-gather", "moe-flex-dispatcher-backend", "moe-enable-deepep",
        "mscale", "mscale-all-dim", "rope-type", "rotary-scaling-factor",
        "yarn-beta-fast", "yarn-beta-slow",
        "yarn-original-max-position-embeddings",
        "no-yarn-correction-range-round-to-int", "moe-shared-expert-gate",
        "overlap-moe-expert-parallel-comm", "use-megatron-fsdp", NULL};

/* Layouts of stages and orders of ranks are those of a later Megatron-LM. */
static void narrow(p3d_framework *framework)
{
    framework->uneven_stages = framework->layer_map = false;
}

/* The first layers that have no experts, where no others are so; below 0 where
 * other layers are. */
static int first_dense_layers(const p3d_model *model)
{
    int n = 0;

    if (model->n_experts == 0)
        return 0;
    while (n < model->n_layers && (model->layer_kind[n] & P3D_LAYER_MOE) == 0)
        n++;
    for (int i = n; i < model->n_layers; i++)
        if ((model->layer_kind[i] & P3D_LAYER_MOE) == 0)
            return -1;
    return n;
}

static void say(exchange_launch *launch)
{
    exchange_megatron_say(launch);
    if (has_yarn(launch)) {
        launch->said.position = 1;
        launch->said.beta_fast = (int)launch->model.rotary.beta_fast;
        launch->said.beta_slow = (int)launch->model.rotary.beta_slow;
    }
    launch->said.dense_layers = first_dense_layers(&launch->model);
    if (launch->said.cp_exchange == EXCHANGE_BOTH)
        launch->plan.ulysses = p3d_plan_head_ranks(&launch->job, &launch->plan);
}

/* MC2 takes sequence parallelism: mindspeed/features_manager/tensor_parallel/
 * mc2.py. A stage without experts: mindspeed_llm/features_manager/transformer/
 * transformer_block.py. */
static bool can_say_plan(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_plan *const p = &launch->plan;

    if (launch->job.tp_overlap && p->tp > 1 && !p->sequence_parallel)
        return exchange_target_refuse(refusal, "X3",
                "tp=%d: --use-ascend-mc2 needs sequence parallelism; add sp",
                p->tp);
    if (launch->said.layout[0] != '\0')
        return exchange_target_refuse(refusal, "X3",
                "stages of other numbers of layers than first= and last= say "
                "have no option of MindSpeed-LLM's");
    if (p->pp > 1 && launch->said.dense_layers > 0 &&
            launch->said.dense_layers >= launch->model.n_layers / p->pp)
        return exchange_target_refuse(refusal, "X2",
                "pp=%d: --first-k-dense-replace leaves a stage no layer with "
                "experts; try fewer stages",
                p->pp);
    return true;
}

static bool can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;

    if (!exchange_megatron_can_say(launch, refusal))
        return false;
    if (launch->model.shared_gate || launch->said.dense_layers < 0)
        return exchange_target_refuse(refusal, "X1",
                "the options do not describe %s: %s", launch->model.name,
                launch->model.shared_gate ? "a gate of its shared expert"
                                          : "which of its layers have experts");
    if (job->optimizer != P3D_ADAM && job->optimizer != P3D_SGD)
        return exchange_target_refuse(refusal, "X2",
                "--optimizer %s: write adam or sgd",
                p3d_optimizer_of(job->optimizer)->name);
    if (job->attention == P3D_EAGER)
        return exchange_target_refuse(refusal, "X2",
                "--attention eager: its attention is a fused kernel alone; "
                "write flash");
    return can_say_plan(launch, refusal);
}

static bool settle_model(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const int n = launch->said.dense_layers;

    /* rope-scaling-factor is the one of Llama 3.1 where that is said. */
    if (m->rotary.factor > 0 && !launch->said.stretches_rotary)
        launch->said.position = 2;
    m->rotary.beta_fast = launch->said.beta_fast;
    m->rotary.beta_slow = launch->said.beta_slow;
    if (!exchange_megatron_settle_model(launch, err))
        return false;
    if (m->n_experts > 0 && n >= m->n_layers)
        return p3d_fail(err, P3D_DATA,
                "first-k-dense-replace: %d layers of %d leave none with "
                "experts",
                n, m->n_layers);
    for (int i = 0; m->n_experts > 0 && i < n; i++)
        m->layer_kind[i] &= (unsigned char)~P3D_LAYER_MOE;
    return true;
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    if (said->cp_exchange == EXCHANGE_BOTH && p->ulysses > 0)
        snprintf(said->cp_sizes, sizeof(said->cp_sizes), "%d %d", p->ulysses,
                p->cp / p->ulysses);
    return exchange_megatron_settle_plan(launch, err);
}

const exchange_target exchange_to_mindspeed = {
        .name = "mindspeed",
        .title = "MindSpeed-LLM",
        .versions = "Ascend/MindSpeed-LLM@c77308a1, Ascend/MindSpeed@028de58c, "
                    "NVIDIA/Megatron-LM@e823cf6e",
        .framework = "mindspeed",
        .harmless = exchange_megatron_harmless,
        .reads_as = "mindspeed", /* its front end knows the files */
        .front = "MindSpeed-LLM",
        .tables = {{.form = EXCHANGE_ARGUMENTS, OPTIONS(options)},
                {.form = EXCHANGE_ARGUMENTS,
                        .without = without,
                        OPTIONS(exchange_megatron_options)}},
        .n_tables = 2,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "pretrain_gpt.py",
        .own_allocator = true, /* that of torch_npu */
        .narrow = narrow,
        .defaults = exchange_megatron_defaults,
        .can_say = can_say,
        .say = say,
        .settle_model = settle_model,
        .settle = settle,
        .folder = "MindSpeed-LLM",
        .notes = "its recipes have --tokenizer-type PretrainedFromHF "
                 "--tokenizer-name-or-path NAME\n"
                 "--handler-name GeneralPretrainHandler where Megatron-LM's "
                 "tokenizer stands below\n"
                 "the made-up data have a token more: its NullTokenizer adds "
                 "one, and the vocabulary\nis padded to the next 128\n"
                 "under Slurm --gpus-per-node stands for what your site calls "
                 "its NPUs\n",
        .variables = "export CUDA_DEVICE_MAX_CONNECTIONS=1\n"
                     "export HCCL_CONNECT_TIMEOUT=3600\n"
                     "export HCCL_EXEC_TIMEOUT=3600\n"
                     "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\n",
};
