/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron_said.c - plans and models in the terms of Megatron's options, and
 * back; layers in its own small languages: the layout of a pipeline and the
 * pattern of expert layers. The options themselves: megatron.c.
 *
 * Source: Megatron-LM@d98e8a64 megatron/training/arguments.py (moe_freq_type:
 * lines 327-360), megatron/core/transformer/transformer_config.py,
 * megatron/core/transformer/pipeline_parallel_layer_layout.py:
 * parse_str_to_list. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/launch/megatron.h"
#include "exchange/launch/target.h"

/* Append to a text of fixed size; what does not fit is cut, and no model of
 * 1024 layers comes that far. */
P3D_PRINTF(2, 3)
static void add(char out[EXCHANGE_LAYOUT], const char *fmt, ...)
{
    const size_t used = strlen(out);
    va_list args;

    va_start(args, fmt);
    vsnprintf(out + used, EXCHANGE_LAYOUT - used, fmt, args);
    va_end(args);
}

void exchange_modules_print(unsigned modules, const char *between,
        const char *quote, char out[EXCHANGE_LAYOUT])
{
    out[0] = '\0';
    for (int i = 0; i < P3D_N_MODULES; i++) {
        if ((modules >> i & 1) != 0)
            add(out, "%s%s%s%s", out[0] == '\0' ? "" : between, quote,
                    p3d_module_name(i), quote);
    }
}

/* Any text with names of modules.
 * @return false with P3D_DATA at a name that plan3d has no model of */
static bool parse_modules(const char *text, unsigned *modules, p3d_error *err)
{
    unsigned found = 0;

    while (*text != '\0') {
        int module = -1;
        size_t n = 0;

        while (p3d_is_word(text[n]))
            n++;
        if (n == 0) {
            text++;
            continue;
        }
        for (int i = 0; i < P3D_N_MODULES; i++) {
            if (strlen(p3d_module_name(i)) == n &&
                    strncmp(p3d_module_name(i), text, n) == 0)
                module = i;
        }
        if (module < 0)
            return p3d_fail(err, P3D_DATA,
                    "recompute-modules: plan3d has no model of '%.*s'",
                    n < 60 ? (int)n : 60, text);
        found |= 1u << module;
        text += n;
    }
    *modules = found;
    return true;
}

/* "t*39", "t", "" */
static void add_layers(char out[EXCHANGE_LAYOUT], char letter, int n)
{
    if (n > 1)
        add(out, "%c*%d", letter, n);
    else if (n == 1)
        add(out, "%c", letter);
}

/* Layers of each stage as a layout, "Et*39|t*40|t*39L"; "" where all stages
 * have the same number. */
static void print_layout(
        const exchange_launch *launch, char out[EXCHANGE_LAYOUT])
{
    const p3d_plan *const plan = &launch->plan;
    const int64_t n_stages = (int64_t)plan->pp * plan->vp;
    int layers[P3D_MAX_LAYERS];
    bool even = true;

    out[0] = '\0';
    if (plan->pp == 1 || n_stages > P3D_MAX_LAYERS ||
            !p3d_plan_split_layers(&launch->model, &launch->job, plan, layers))
        return;
    for (int i = 1; i < n_stages; i++)
        even = even && layers[i] == layers[0];
    if (even)
        return;
    add(out, "E");
    for (int i = 0; i < n_stages; i++) {
        add(out, "%s", i == 0 ? "" : "|");
        add_layers(out, 't', layers[i]);
    }
    add_layers(out, 'm', launch->job.n_mtp_layers);
    add(out, "L");
}

/* The number behind a "*"; one that is too large stays so. */
static long read_times(const char **at)
{
    long times = 0;

    for ((*at)++; p3d_is_digit(**at); (*at)++)
        times = times > EXCHANGE_LAYOUT ? times : 10 * times + (**at - '0');
    return times;
}

/* One pass over a layout: what is in parentheses, or one character, is
 * repeated as often as the number after its "*" says. */
static bool unroll(const char *from, bool parentheses, char to[EXCHANGE_LAYOUT])
{
    size_t used = 0;

    while (*from != '\0') {
        const char *const close =
                parentheses && *from == '(' ? strchr(from, ')') : NULL;
        const char *const unit = close != NULL ? from + 1 : from;
        const size_t length = close != NULL ? (size_t)(close - unit) : 1;
        const char *after = close != NULL ? close + 1 : from + 1;
        long times = 1;

        if (*after == '*' && (close != NULL || !parentheses))
            times = read_times(&after);
        if (used + (size_t)times * length + 1 > EXCHANGE_LAYOUT)
            return false;
        for (long i = 0; i < times; i++) {
            memcpy(to + used, unit, length);
            used += length;
        }
        from = after;
    }
    to[used] = '\0';
    return true;
}

/* Layers of each stage. @return the number of stages, or 0 */
static int count_layers(const char *layout, int layers[P3D_MAX_LAYERS])
{
    char plain[EXCHANGE_LAYOUT];
    char flat[EXCHANGE_LAYOUT];
    int n = 1;

    if (!unroll(layout, true, plain) || !unroll(plain, false, flat))
        return 0;
    layers[0] = 0;
    for (const char *p = flat; *p != '\0'; p++) {
        if (*p == 't')
            layers[n - 1]++;
        else if (*p == '|' && n < P3D_MAX_LAYERS)
            layers[n++] = 0;
        else if (strchr("ELm,", *p) == NULL)
            return 0;
    }
    return n;
}

static bool splits_like(
        const exchange_launch *launch, const p3d_plan *plan, const int *wanted)
{
    int layers[P3D_MAX_LAYERS];

    if (!p3d_plan_split_layers(&launch->model, &launch->job, plan, layers))
        return false;
    return memcmp(layers, wanted,
                   (size_t)(plan->pp * plan->vp) * sizeof(*layers)) == 0;
}

/* The plan's words for a layout: none, uneven, or first and last.
 * @return false with P3D_DATA where there are none */
static bool parse_layout(
        const char *layout, exchange_launch *launch, p3d_error *err)
{
    int layers[P3D_MAX_LAYERS];
    const int n = count_layers(layout, layers);
    p3d_plan plan = launch->plan;

    if (n == 0 || plan.pp < 1 || n % plan.pp != 0)
        return p3d_fail(err, P3D_DATA,
                "pipeline-model-parallel-layout: '%.60s' is no layout of "
                "pp=%d stages; write it like Et*39|t*40|t*39L",
                layout, plan.pp);
    plan.vp = n / plan.pp;
    for (int form = 0; form < 3; form++) {
        plan.uneven = form == 1;
        plan.first_layers = form == 2 ? layers[0] : 0;
        plan.last_layers = form == 2 ? layers[n - 1] : 0;
        if (splits_like(launch, &plan, layers)) {
            launch->plan = plan;
            return true;
        }
    }
    return p3d_fail(err, P3D_DATA,
            "pipeline-model-parallel-layout: plan3d has no words for the "
            "stages of '%.60s'; it knows even ones and first and last ones of "
            "their own",
            layout);
}

/* Which layers are mixtures of experts, "([0]*3+[1]*58)"; "" where all or none
 * are. */
static void print_pattern(const p3d_model *model, char out[EXCHANGE_LAYOUT])
{
    const int n_moe = p3d_model_count_layers(model, P3D_LAYER_MOE);

    out[0] = '\0';
    if (model->n_experts == 0 || n_moe == model->n_layers)
        return;
    add(out, "(");
    for (int i = 0; i < model->n_layers;) {
        const int kind = model->layer_kind[i] & P3D_LAYER_MOE;
        int run = 1;

        while (i + run < model->n_layers &&
                (model->layer_kind[i + run] & P3D_LAYER_MOE) == kind)
            run++;
        add(out, "%s[%d]*%d", i == 0 ? "" : "+", kind != 0, run);
        i += run;
    }
    add(out, ")");
}

enum { MAX_DEPTH = 8 };

/* A pattern under evaluation: "([1]*3+[0]*1)*3". */
typedef struct pattern {
    const char *at;
    uint8_t layers[P3D_MAX_LAYERS];
    int n;
    bool wrong;
} pattern;

static void read_sum(pattern *p, int depth);

static void read_list(pattern *p)
{
    for (p->at++; *p->at != '\0' && *p->at != ']'; p->at++) {
        if (strchr(", ", *p->at) != NULL)
            continue;
        if ((*p->at != '0' && *p->at != '1') || p->n == P3D_MAX_LAYERS) {
            p->wrong = true;
            return;
        }
        p->layers[p->n++] = *p->at == '1';
    }
}

static void repeat(pattern *p, int from, long times)
{
    const int length = p->n - from;

    if (times < 0 || times > P3D_MAX_LAYERS ||
            from + times * length > P3D_MAX_LAYERS) {
        p->wrong = true;
        return;
    }
    for (int i = 1; i < times; i++)
        memcpy(p->layers + from + i * length, p->layers + from, (size_t)length);
    p->n = from + (int)times * length;
}

static void read_product(pattern *p, int depth)
{
    const int from = p->n;
    const char close = *p->at == '(' ? ')' : ']';

    if (*p->at == '[')
        read_list(p);
    else if (*p->at == '(' && depth < MAX_DEPTH) {
        p->at++;
        read_sum(p, depth + 1);
    }
    if (*p->at != close) {
        p->wrong = true;
        return;
    }
    p->at++;
    while (*p->at == '*' && !p->wrong)
        repeat(p, from, read_times(&p->at));
}

static void read_sum(pattern *p, int depth)
{
    read_product(p, depth);
    while (*p->at == '+' && !p->wrong) {
        p->at++;
        read_product(p, depth);
    }
}

/* "2": every second layer, from the first on. */
static bool read_every(const char *text, pattern *p, int n_layers)
{
    int every = 0;

    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' ||
            strlen(text) > 4)
        return false;
    for (; *text != '\0'; text++)
        every = 10 * every + (*text - '0');
    if (every == 0)
        return false;
    for (int i = 0; i < n_layers; i++)
        p->layers[i] = i % every == 0;
    p->n = n_layers;
    return true;
}

bool exchange_layer_pattern_parse(
        const char *text, p3d_model *model, p3d_error *err)
{
    pattern p = {.at = text};

    if (!read_every(text, &p, model->n_layers)) {
        read_sum(&p, 0);
        p.wrong = p.wrong || *p.at != '\0';
    }
    if (p.wrong || p.n != model->n_layers)
        return p3d_fail(err, P3D_DATA,
                "moe-layer-freq: '%.60s' is no pattern of %d layers; write it "
                "like ([0]*1+[1]*%d)",
                text, model->n_layers, model->n_layers - 1);
    for (int i = 0; i < p.n; i++)
        model->layer_kind[i] = p.layers[i] ? P3D_LAYER_MOE : 0;
    return true;
}

const char *const exchange_megatron_granularities[P3D_N_RECOMPUTES] = {
        [P3D_RECOMPUTE_SELECTIVE] = "selective", [P3D_RECOMPUTE_FULL] = "full"};

const char *const exchange_megatron_methods[EXCHANGE_N_METHODS] = {
        [EXCHANGE_METHOD_UNIFORM] = "uniform",
        [EXCHANGE_METHOD_BLOCK] = "block"};

const char *const exchange_megatron_strategies[] = {
        "no_shard", "optim", "optim_grads", "optim_grads_params"};

const char *const exchange_megatron_dispatchers[] = {
        [P3D_DISPATCH_ALL_TO_ALL] = "alltoall",
        [P3D_DISPATCH_ALL_GATHER] = "allgather",
        [EXCHANGE_FLEX] = "flex"};

const char *const exchange_megatron_backends[P3D_N_DISPATCHERS] = {
        [P3D_DISPATCH_DEEPEP] = "deepep", [P3D_DISPATCH_HYBRIDEP] = "hybridep"};

/* Modules that are recomputed when none are named. */
#define USUAL_MODULES P3D_MODULE_CORE_ATTENTION

void exchange_megatron_defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->job.dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    launch->model = (p3d_model){.norm_weights = 2,
            .n_norms = 2,
            .final_norm = true,
            .top_k = 2,
            .n_kv_heads = 1,
            .kv_lora_rank = 32,
            .qk_nope_dim = 128,
            .qk_rope_dim = 64,
            .v_head_dim = 128};
    launch->said.instances = 1;
    launch->said.sharding = 3;
    launch->said.offload_frac = 1;
    launch->said.bias = true;
    launch->said.attention_dropout = 0.1;
    launch->said.hidden_dropout = 0.1;
    launch->said.dispatcher = P3D_DISPATCH_ALL_GATHER;
    launch->said.flex_backend = P3D_DISPATCH_DEEPEP;
}

void exchange_megatron_environment(
        const exchange_launch *launch, p3d_text *lines)
{
    const bool wants_one = launch->plan.tp > 1 || launch->plan.cp > 1;

    if (launch->said.fsdp)
        p3d_text_add(lines, "unset CUDA_DEVICE_MAX_CONNECTIONS\n");
    else if (wants_one && launch->sm > 0 && launch->sm < 100)
        p3d_text_add(lines, "export CUDA_DEVICE_MAX_CONNECTIONS=1\n");
}

static void say_recompute(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    said->granularity = (int)p->recompute;
    if (p->recompute == P3D_RECOMPUTE_SELECTIVE && p->recompute_modules != 0)
        exchange_modules_print(p->recompute_modules, " ", "", said->modules);
    if (p->recompute != P3D_RECOMPUTE_FULL)
        return;
    said->method = p->recompute_layers > 0 ? EXCHANGE_METHOD_BLOCK
                                           : EXCHANGE_METHOD_UNIFORM;
    said->method_layers = p->recompute_layers > 0  ? p->recompute_layers
                          : p->recompute_group > 1 ? p->recompute_group
                                                   : 1;
}

static void say_model(exchange_launch *launch)
{
    p3d_model *const m = &launch->model;
    exchange_said *const said = &launch->said;

    said->latent = p3d_model_is_mla(m);
    said->grouped_query = !said->latent && m->n_kv_heads != m->n_heads;
    said->bias = m->mlp_bias;
    said->qkv_bias = m->qkv_bias && !m->mlp_bias;
    said->untied = !m->tied_embeddings;
    said->position = m->learned_positions == 0;
    if (m->ffn == 0)
        m->ffn = m->expert_ffn;
    if (m->max_positions < launch->job.seq_len)
        m->max_positions = launch->job.seq_len;
    print_pattern(m, said->moe_layers);
}

void exchange_megatron_say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;
    const p3d_dispatcher d = launch->job.dispatcher;

    said->distributed_optimizer = p->zero >= 1;
    said->fsdp = p->zero >= 2;
    said->sharding = p->zero;
    said->instances = p->shard > 0 ? p->dp * p->cp / p->shard : 1;
    said->offload = p->offload != P3D_OFFLOAD_NONE;
    said->offload_frac = p->offload_frac > 0 ? p->offload_frac : 1;
    said->offload_layers =
            (int)lround(p->activation_offload_frac * launch->model.n_layers);
    said->dispatcher = d >= P3D_DISPATCH_DEEPEP ? EXCHANGE_FLEX : (int)d;
    said->flex_backend = (int)d;
    said->attention_dropout = launch->job.dropout ? 0.1 : 0;
    said->hidden_dropout = said->attention_dropout;
    said->fusion = launch->job.loss == P3D_LOSS_NATIVE_FUSED ||
                   launch->job.loss == P3D_LOSS_TE_FUSED;
    said->fusion_kind = launch->job.loss == P3D_LOSS_TE_FUSED;
    said->grads_16 = launch->job.gradient_dtype == P3D_STATE_IN_16;
    said->fp8_weights = said->fp8 > 0 && p->zero > 0 && !launch->job.fp8_copies;
    said->fp8_recipe = said->fp8 > 0 && launch->job.fp8_blocks;
    said->method_layers = 0;
    say_recompute(launch);
    exchange_megatron_say_context(launch, false);
    say_model(launch);
    if (p->first_layers == 0 && p->last_layers == 0)
        print_layout(launch, said->layout);
}

/* What Megatron's options describe: RMSNorm or LayerNorm before attention and
 * MLP, rotary or learned positions. */
static bool can_say_model(const p3d_model *m, p3d_refusal *refusal)
{
    const struct {
        bool has;
        const char *words;
    } odd[] = {
            {m->n_norms != 2 || !m->final_norm, "its norms"},
            {m->parallel_block, "attention and MLP side by side"},
            {m->embedding_norm, "a norm of the embedding"},
            {m->attention_sinks, "attention sinks"},
            {m->qk_norm == P3D_QK_NORM_FULL, "norms over all heads"},
            {m->embedding_width != 0 && m->embedding_width != m->hidden,
                    "a narrow embedding"},
            {m->window > 0 && (p3d_model_count_layers(m, P3D_LAYER_WINDOWED) +
                                      p3d_model_count_layers(
                                              m, P3D_LAYER_WINDOWED |
                                                         P3D_LAYER_MOE)) > 0,
                    "windowed attention"},
            {m->o_bias != m->mlp_bias || (m->mlp_bias && !m->qkv_bias),
                    "biases of some projections"},
            {m->head_bias || m->expert_bias || m->router_bias,
                    "biases of the head or of experts"},
            {p3d_same_word(m->family, "bloom") ||
                            p3d_same_word(m->family, "mpt"),
                    "ALiBi"},
    };

    for (int i = 0; i < P3D_COUNT_OF(odd); i++) {
        if (odd[i].has)
            return exchange_target_refuse(refusal, "X1",
                    "the options do not describe %s: %s", m->name,
                    odd[i].words);
    }
    return true;
}

/* Whole layers, less than all: Megatron-LM@d98e8a64 megatron/core/transformer/
 * transformer_config.py:1884-1899. What sends the inputs of modules is not
 * said: the plan does not name them. */
static bool can_say_activations(
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_plan *const p = &launch->plan;
    const double n = p->activation_offload_frac * launch->model.n_layers;

    if (n <= 0 ||
            (p->pp == 1 && p->recompute == P3D_RECOMPUTE_NONE &&
                    launch->said.offload_layers < launch->model.n_layers &&
                    fabs(n - launch->said.offload_layers) < 1e-6 * n))
        return true;
    return exchange_target_refuse(refusal, "X3",
            "offload=activations:%g is not said by a number of layers; it "
            "takes pp=1, no recomputation, and a share of less than all %d "
            "layers",
            p->activation_offload_frac, launch->model.n_layers);
}

bool exchange_megatron_can_say(
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_plan *const p = &launch->plan;
    const p3d_loss loss = launch->job.loss;

    if (!can_say_model(&launch->model, refusal) ||
            !can_say_activations(launch, refusal))
        return false;
    if (loss != P3D_LOSS_USUAL && loss != P3D_LOSS_VOCAB_PARALLEL &&
            loss != P3D_LOSS_NATIVE_FUSED && loss != P3D_LOSS_TE_FUSED)
        return exchange_target_refuse(refusal, "X2",
                "--loss %s: write vocab-parallel, native-fused or te-fused",
                p3d_loss_name(loss));
    if (launch->job.optimizer == P3D_ADAM_8BIT ||
            launch->job.optimizer == P3D_ADAFACTOR)
        return exchange_target_refuse(refusal, "X2",
                "--optimizer %s: write adam, sgd, lion or muon",
                p3d_optimizer_of(launch->job.optimizer)->name);
    if (p->zero >= 2 && launch->job.optimizer != P3D_ADAM &&
            launch->job.optimizer != P3D_SGD)
        return exchange_target_refuse(refusal, "X3",
                "zero=%d: Megatron-FSDP takes adam or sgd alone; try zero=1",
                p->zero);
    return true;
}

/* The way back. */

static bool settle_zero(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    const int64_t replicas = (int64_t)p->dp * p->cp;

    p->zero = said->fsdp ? said->sharding : said->distributed_optimizer;
    if (said->instances == 1)
        return true;
    if (p->zero == 0 || replicas % said->instances != 0)
        return p3d_fail(err, P3D_DATA,
                "num-distributed-optimizer-instances: %d does not divide %lld "
                "replicas that share states",
                said->instances, (long long)replicas);
    p->shard = (int)(replicas / said->instances);
    return true;
}

static bool settle_recompute(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;

    p->recompute = (p3d_recompute)said->granularity;
    if (said->recompute)
        p->recompute = P3D_RECOMPUTE_SELECTIVE;
    if (p->recompute == P3D_RECOMPUTE_SELECTIVE && said->modules[0] != '\0') {
        if (!parse_modules(said->modules, &p->recompute_modules, err))
            return false;
        if (p->recompute_modules == USUAL_MODULES)
            p->recompute_modules = 0;
    }
    if (p->recompute != P3D_RECOMPUTE_FULL)
        return true;
    if (said->method == EXCHANGE_METHOD_NONE || said->method_layers < 1)
        return p3d_fail(err, P3D_DATA,
                "recompute-granularity full needs recompute-method (uniform or "
                "block) and recompute-num-layers");
    if (said->method == EXCHANGE_METHOD_BLOCK)
        p->recompute_layers = said->method_layers;
    else if (said->method_layers > 1)
        p->recompute_group = said->method_layers;
    return true;
}

static bool settle_chunks(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    const int per_rank = launch->model.n_layers / p->pp;

    if (said->layout[0] != '\0')
        return parse_layout(said->layout, launch, err);
    if (said->stage_layers == 0)
        return true;
    if (p->vp > 1 || per_rank % said->stage_layers != 0)
        return p3d_fail(err, P3D_DATA,
                "num-layers-per-virtual-pipeline-stage: %d does not divide the "
                "%d layers of a rank, or the stages are given twice",
                said->stage_layers, per_rank);
    p->vp = per_rank / said->stage_layers;
    return true;
}

static bool settle_types(exchange_launch *launch, p3d_error *err)
{
    const exchange_said *const said = &launch->said;
    p3d_job *const job = &launch->job;

    if (!exchange_settle_dtype(launch, err))
        return false;
    job->gradient_dtype = said->grads_16 ? P3D_STATE_IN_16 : P3D_STATE_USUAL;
    job->fp8_copies = said->fp8 > 0 && !said->fp8_weights &&
                      (said->distributed_optimizer || said->fsdp);
    job->fp8_blocks =
            said->fp8 > 0 && (said->fp8_recipe == 1 || said->fp8_recipe == 2);
    job->dropout = said->attention_dropout > 0 || said->hidden_dropout > 0;
    if (said->fusion)
        job->loss =
                said->fusion_kind ? P3D_LOSS_TE_FUSED : P3D_LOSS_NATIVE_FUSED;
    job->dispatcher = (p3d_dispatcher)(said->dispatcher == EXCHANGE_FLEX
                                               ? said->flex_backend
                                               : said->dispatcher);
    if (said->deepep)
        job->dispatcher = P3D_DISPATCH_DEEPEP;
    if (launch->model.n_experts == 0)
        job->dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    return true;
}

bool exchange_megatron_settle_plan(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;

    if (!exchange_settle_replicas(launch, err))
        return false;
    if (p->etp == 0 || p->ep == 1)
        p->etp = p->tp;
    p->sequence_parallel = p->sequence_parallel && p->tp > 1;
    if (said->offload) {
        p->offload = P3D_OFFLOAD_OPTIMIZER;
        p->offload_frac = said->offload_frac < 1 ? said->offload_frac : 0;
    }
    if (said->offload_layers > 0 &&
            said->offload_layers >= launch->model.n_layers)
        return p3d_fail(err, P3D_DATA,
                "cpu-offloading-num-layers: write less than all %d layers",
                launch->model.n_layers);
    if (said->offload_layers > 0)
        p->activation_offload_frac =
                (double)said->offload_layers / launch->model.n_layers;
    if (launch->job.global_batch == 0)
        launch->job.global_batch = p3d_mul(p->micro_batch, p->dp);
    return exchange_megatron_settle_context(launch, err) &&
           settle_types(launch, err) && settle_zero(launch, err) &&
           settle_recompute(launch, err) && settle_chunks(launch, err);
}

static bool needs(bool said, const char *option, p3d_error *err)
{
    return said || p3d_fail(err, P3D_DATA,
                           "--%s is not said, and Megatron-LM has no default "
                           "for it; add it, or write --model",
                           option);
}

/* 4 h, or two thirds of it in a multiple of 64 with three matrices.
 * Megatron-LM@d98e8a64 megatron/training/arguments.py (ffn_hidden_size). */
static int usual_width(const p3d_model *m)
{
    return m->gated_mlp ? (int)(4.0 * m->hidden * 2 / 3 / 64) * 64
                        : 4 * m->hidden;
}

static bool settle_attention(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const exchange_said *const said = &launch->said;

    if (said->latent) {
        m->n_kv_heads = m->n_heads;
        m->head_dim = m->qk_nope_dim + m->qk_rope_dim;
        return true;
    }
    m->kv_lora_rank = m->q_lora_rank = 0;
    m->qk_nope_dim = m->qk_rope_dim = m->v_head_dim = 0;
    if (!said->grouped_query)
        m->n_kv_heads = m->n_heads;
    if (m->head_dim == 0 && m->hidden % m->n_heads != 0)
        return p3d_fail(err, P3D_DATA,
                "num-attention-heads: %d do not divide hidden-size %d; say "
                "kv-channels",
                m->n_heads, m->hidden);
    if (m->head_dim == 0)
        m->head_dim = m->hidden / m->n_heads;
    return true;
}

static bool settle_experts(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const char *const layers = launch->said.moe_layers;

    if (m->n_experts == 0) {
        m->top_k = m->expert_ffn = m->shared_ffn = 0;
        return true;
    }
    if (m->top_k > m->n_experts)
        return p3d_fail(err, P3D_DATA,
                "moe-router-topk: %d is more than the %d experts", m->top_k,
                m->n_experts);
    if (m->expert_ffn == 0)
        m->expert_ffn = m->ffn;
    for (int i = 0; i < m->n_layers; i++)
        m->layer_kind[i] = P3D_LAYER_MOE;
    return layers[0] == '\0' || exchange_layer_pattern_parse(layers, m, err);
}

bool exchange_megatron_settle_model(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const exchange_said *const said = &launch->said;

    if (!needs(m->n_layers > 0, "num-layers", err) ||
            !needs(m->hidden > 0, "hidden-size", err) ||
            !needs(m->n_heads > 0, "num-attention-heads", err) ||
            !needs(m->vocab > 0, "vocab-size", err))
        return false;
    if (m->ffn == 0)
        m->ffn = usual_width(m);
    m->mlp_bias = m->o_bias = said->bias;
    m->qkv_bias = said->bias || said->qkv_bias;
    m->tied_embeddings = !said->untied;
    m->learned_positions = said->position == 1 ? 0 : m->max_positions;
    (void)p3d_copy(m->family, sizeof(m->family), "megatron");
    (void)p3d_copy(m->name, sizeof(m->name), "model of the script");
    return settle_attention(launch, err) && settle_experts(launch, err);
}
