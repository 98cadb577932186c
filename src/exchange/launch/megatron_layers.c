/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron_layers.c - Megatron's small languages: the layout of a pipeline, the
 * pattern of expert layers, and lists of modules.
 *
 * Source: Megatron-LM@d98e8a64 megatron/training/arguments.py (moe_freq_type:
 * lines 327-360), megatron/core/transformer/pipeline_parallel_layer_layout.py:
 * parse_str_to_list. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/launch/megatron.h"

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

bool exchange_modules_parse(const char *text, unsigned *modules, p3d_error *err)
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

void exchange_layout_print(
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
        if (i == n_stages - 1 - (plan->tail == P3D_TAIL_MTP_HEAD))
            add_layers(out, 'm', launch->job.n_mtp_layers);
    }
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

/* The chunk between the ends that has fewer layers than others there; 0 = none.
 */
static int find_short(const int *layers, int n)
{
    int most = 0;
    int found = 0;

    for (int i = 1; i < n - 1; i++)
        most = layers[i] > most ? layers[i] : most;
    for (int i = n - 2; i > 0; i--)
        found = layers[i] < most ? i : found;
    return found;
}

/* Chunks without layers at the end. */
static int count_bare(const int *layers, int n)
{
    int bare = 0;

    while (bare < n && layers[n - 1 - bare] == 0)
        bare++;
    return bare;
}

/* Words for these numbers of layers: none, uneven, or first and last, with no
 * more of these than it takes, a short chunk between them, and bare ones behind
 * them. */
static bool find_words(
        exchange_launch *launch, p3d_plan *plan, const int *layers)
{
    const int n = plan->pp * plan->vp;
    const int bare = plan->vp > 1 ? count_bare(layers, n) : 0;
    const int n_full = n - bare;

    if (bare >= P3D_N_TAILS || n_full < 1)
        return false;
    for (int form = 0; form < 5; form++) {
        plan->uneven = form == 1;
        plan->first_layers = form == 2 || form == 4 ? layers[0] : 0;
        plan->last_layers = form >= 3 ? layers[n_full - 1] : 0;
        plan->tail = form == 1 ? P3D_TAIL_LAYERS : (p3d_tail)bare;
        plan->short_chunk =
                form == 1 || plan->vp == 1 ? 0 : find_short(layers, n_full);
        if (splits_like(launch, plan, layers)) {
            launch->plan = *plan;
            return true;
        }
    }
    return false;
}

bool exchange_layout_parse(
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
    if (find_words(launch, &plan, layers))
        return true;
    return p3d_fail(err, P3D_DATA,
            "pipeline-model-parallel-layout: plan3d has no words for the "
            "stages of '%.60s'; it knows even ones, first and last ones of "
            "their own and, with chunks, a shorter one between and one or two "
            "without layers at the end",
            layout);
}

/* Layers of each chunk: those of the ranks in equal parts, of the first and the
 * last chunk one less where embedding and loss count as layers.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/transformer/transformer_block.py:
 * 91-203 (get_num_layers_to_build).
 *
 * @return false where Megatron-LM refuses them */
static bool count_ranks(
        const exchange_launch *launch, int layers[P3D_MAX_LAYERS])
{
    const exchange_said *const said = &launch->said;
    const p3d_plan *const plan = &launch->plan;
    const int pp = plan->pp, vp = plan->vp;
    const int n_ends = (plan->first_layers > 0) + (plan->last_layers > 0);
    const int rest = launch->model.n_layers + said->counts_embedding +
                     said->counts_loss - plan->first_layers - plan->last_layers;
    const int n_middle = pp - n_ends;

    if (n_middle < 0 || rest < 0 || (int64_t)pp * vp > P3D_MAX_LAYERS ||
            (n_middle == 0 ? rest != 0 : rest % n_middle != 0))
        return false;
    for (int i = 0; i < pp * vp; i++) {
        int of_rank = n_middle > 0 ? rest / n_middle : 0;

        if (i % pp == 0 && plan->first_layers > 0)
            of_rank = plan->first_layers;
        if (i % pp == pp - 1 && plan->last_layers > 0)
            of_rank = plan->last_layers;
        if (of_rank % vp != 0)
            return false;
        layers[i] = of_rank / vp;
    }
    layers[0] -= said->counts_embedding;
    layers[pp * vp - 1] -= said->counts_loss;
    return layers[0] >= 0 && layers[pp * vp - 1] >= 0;
}

bool exchange_split_settle(exchange_launch *launch, p3d_error *err)
{
    const bool counts =
            launch->said.counts_embedding || launch->said.counts_loss;
    const p3d_plan *const plan = &launch->plan;
    p3d_plan words = *plan;
    int layers[P3D_MAX_LAYERS];

    if (plan->pp == 1 || (!counts && plan->vp == 1) ||
            (!counts && plan->first_layers == 0 && plan->last_layers == 0))
        return true;
    if (counts && (plan->first_layers > 0 || plan->last_layers > 0))
        return p3d_fail(err, P3D_DATA,
                "numbers of layers of the first or last rank go with no "
                "account-for-embedding or account-for-loss");
    if (!count_ranks(launch, layers))
        return p3d_fail(err, P3D_DATA,
                "%d layers, counted as the options of the pipeline's split "
                "say, are not shared out by pp=%d x vp=%d",
                launch->model.n_layers, plan->pp, plan->vp);
    if (find_words(launch, &words, layers))
        return true;
    return p3d_fail(err, P3D_DATA,
            "plan3d has no words for %d layers of the first and %d of the last "
            "rank with vp=%d; it knows first and last chunks of their own",
            plan->first_layers, plan->last_layers, plan->vp);
}

void exchange_layer_pattern_print(
        const p3d_model *model, char out[EXCHANGE_LAYOUT])
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
