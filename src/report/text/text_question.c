/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_question.c - what was asked and assumed, and where to go on. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/text/layout.h"
#include "report/text/text.h"
#include "spec/adapters.h"
#include "spec/block_sparse.h"
#include "spec/release.h"
#include "spec/tower.h"

enum { NEXT = 9 }; /* column of a command that follows */

/* One number of a plan that is worth a word when it is not 1. */
typedef struct plan_word {
    const char *word;
    size_t offset;
    bool always;
} plan_word;

#define PLAN_AT(field) JSON_AT(p3d_plan, field, int)

/* clang-format off */
static const plan_word plan_words[] = {
    {"TP",  PLAN_AT(tp),  true},
    {"PP",  PLAN_AT(pp),  true},
    {"VP",  PLAN_AT(vp),  false},
    {"DP",  PLAN_AT(dp),  true},
    {"CP",  PLAN_AT(cp),  false},
    {"EP",  PLAN_AT(ep),  false},
};
/* clang-format on */

static void add_words(report_sentence *words, const char *fmt, ...)
        P3D_PRINTF(2, 3);

static void add_words(report_sentence *words, const char *fmt, ...)
{
    const size_t used = strlen(words->text);
    va_list args;

    va_start(args, fmt);
    vsnprintf(words->text + used, sizeof(words->text) - used, fmt, args);
    va_end(args);
}

/* "optimizer 0.5+activations 0.25", in the language. */
static report_sentence say_offload(const p3d_plan *plan, p3d_style style)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    char part[P3D_PLAN_PART];
    report_sentence words = {""};

    for (const char *at = p3d_print_offload(plan, part); *at != '\0';) {
        const size_t n = strspn(at, letters);
        char word[P3D_PLAN_PART];

        snprintf(word, sizeof(word), "%.*s", (int)(n > 0 ? n : 1), at);
        add_words(&words, "%s", *at == ':' ? " " : report_say(style, word));
        at += n > 0 ? n : 1;
    }
    return words;
}

report_sentence report_short_plan(const p3d_plan *plan, p3d_style style)
{
    report_sentence words = {""};
    char part[P3D_PLAN_PART];

    for (int i = 0; i < P3D_COUNT_OF(plan_words); i++) {
        int size;

        memcpy(&size, (const char *)plan + plan_words[i].offset, sizeof(size));
        if (size > 1 || plan_words[i].always)
            add_words(&words, "%s %d, ", plan_words[i].word, size);
    }
    if (plan->ep > 1 && plan->etp > 1)
        add_words(&words, "ETP %d, ", plan->etp);
    add_words(&words, report_say(style, "ZeRO-%d, micro-batch %d"), plan->zero,
            plan->micro_batch);
    if (plan->recompute != P3D_RECOMPUTE_NONE) {
        add_words(&words, report_say(style, ", %s recomputation"),
                report_say(style, p3d_recompute_name(plan->recompute)));
    }
    if (plan->recompute_modules != 0)
        add_words(&words, report_say(style, " (%s)"),
                p3d_print_recompute(plan, part) + strlen("selective:"));
    if (plan->recompute_group > 1)
        add_words(&words, report_say(style, " in groups of %d layers"),
                plan->recompute_group);
    if (plan->recompute == P3D_RECOMPUTE_FULL && plan->recompute_layers > 0) {
        add_words(&words, report_say(style, " of %d layer%s a %s"),
                plan->recompute_layers, plan->recompute_layers == 1 ? "" : "s",
                report_say(style, plan->vp > 1 ? "chunk" : "stage"));
    }
    if (plan->pp > 1 && plan->schedule != P3D_1F1B &&
            plan->schedule != P3D_INTERLEAVED)
        add_words(&words, report_say(style, ", schedule %s"),
                p3d_schedule_name(plan->schedule));
    if (plan->shard > 0)
        add_words(&words, report_say(style, ", states shared by %d"),
                plan->shard);
    if (plan->offload != P3D_OFFLOAD_NONE || plan->activation_offload_frac > 0)
        add_words(&words, report_say(style, ", offload %s"),
                say_offload(plan, style).text);
    return words;
}

/* "70B": a number and a letter stand for a size, not for a name. */
static bool is_size_word(const char *word)
{
    const size_t n = strspn(word, "0123456789.");

    return n > 0 && strchr("BbMmTt", word[n]) != NULL && word[n] != '\0' &&
           word[n + 1] == '\0';
}

/* The word is not a name of the model that it was taken for. */
static bool is_taken(const char *word)
{
    char name[SPEC_RELEASE_NAME];

    return is_size_word(word) ||
           (p3d_copy(name, sizeof(name), spec_without_maker(word)) &&
                   spec_drop_releases(name));
}

/* Whether the images stand among the tokens, and how many. */
static void add_images(const p3d_model *m, const p3d_job *job, p3d_text *words)
{
    const p3d_images images = p3d_job_images(job, m);

    if (images.n == 0)
        report_add(words, ", no images");
    else
        report_add(words, ", %s %s tokens per sequence",
                report_integer_words((int64_t)images.n * images.tokens).text,
                report_say(
                        words->style, m->tower.is_audio ? "audio" : "image"));
}

void report_text_counted(const p3d_model *m, const p3d_job *job, p3d_text *out)
{
    const int64_t tower = p3d_tower_params(m);
    const unsigned frozen = p3d_job_frozen(job, m);
    const bool trained = p3d_tower_trained(m, job);
    const bool joined = (frozen & P3D_PART_PROJECTOR) == 0;
    p3d_text words = {.style = out->style};
    char decoder[32];
    char rest[32];

    if (tower == 0)
        return;
    report_add(&words, "language model %s, %s tower %s (%s)",
            p3d_print_count(decoder, sizeof(decoder),
                    (double)(p3d_total_params(m) - tower)),
            report_say(out->style, m->tower.is_audio ? "audio" : "vision"),
            p3d_print_count(rest, sizeof(rest), (double)tower),
            report_say(out->style, trained && joined ? "trained"
                                   : trained ? "trained, its projector frozen"
                                   : joined  ? "frozen, its projector trained"
                                             : "frozen"));
    add_images(m, job, &words);
    report_wrap_labelled_text("counted", &words, out);
}

static void print_model(const report_question *q, p3d_text *out)
{
    const p3d_model *const m = &q->problem.model;
    char taken[160] = "";

    if (is_taken(q->model_word))
        snprintf(taken, sizeof(taken),
                report_say(out->style, "; %s: taken as %s"), q->model_word,
                m->name);
    report_wrap_labelled("model", out, "%s: %s parameters, %s%s%d layers%s",
            m->name, report_integer_words(p3d_total_params(m)).text,
            m->n_experts > 0 ? report_integer_words(p3d_active_params(m)).text
                             : "",
            m->n_experts > 0 ? report_say(out->style, " active, ") : "",
            m->n_layers, taken);
    report_text_counted(m, &q->problem.job, out);
}

void report_add_tiers(const p3d_tiers *tiers, p3d_text *words)
{
    for (int i = 0; i < tiers->n; i++) {
        const p3d_tier *const t = &tiers->at[i];

        report_add(words, ", %d node%s below a switch of tier %d, ",
                t->nodes_below, t->nodes_below == 1 ? "" : "s", i + 1);
        if (t->uplink_bytes_per_s > 0)
            report_add(words, "%.4g GB/s up", t->uplink_bytes_per_s / 1e9);
        else
            p3d_text_add(words, "%.4g:1", t->oversubscription);
        if (t->routing == P3D_LINKS_ECMP)
            p3d_text_add(words, " %s", p3d_link_choice_word(P3D_LINKS_ECMP));
    }
    if (tiers->n > 0 && tiers->placement == P3D_PLACEMENT_RANDOM)
        report_add(words, ", nodes placed at random");
    if (tiers->n > 0 && tiers->placement == P3D_PLACEMENT_HOSTS)
        report_add(words, ", nodes where --hosts has them");
    if (tiers->n > 0 && tiers->rails)
        report_add(words, ", rails");
}

/* ", torus 4 x 8 x 8", ", 2 slices of 256, torus 16 x 16". */
static void add_torus(const p3d_cluster *c, p3d_text *words)
{
    if (c->torus.n_axes < 1)
        return;
    if (c->n_gpus > c->node.gpus_per_nvlink_domain)
        report_add(words, ", %d slices of %d",
                c->n_gpus / c->node.gpus_per_nvlink_domain,
                c->node.gpus_per_nvlink_domain);
    report_add(words, ", torus %d x %d", c->torus.size[0], c->torus.size[1]);
    if (c->torus.n_axes > 2)
        p3d_text_add(words, " x %d", c->torus.size[2]);
}

static void print_cluster(const p3d_cluster *c, p3d_text *out)
{
    p3d_text tiers = {.style = out->style};
    p3d_text torus = {.style = out->style};
    char nvlink[128] = "", domain[48] = "";
    char network[128] = "";

    if (c->torus.n_axes == 0 &&
            c->node.gpus_per_nvlink_domain > c->node.gpus_per_node)
        snprintf(domain, sizeof(domain),
                report_say(out->style, " in domains of %d"),
                c->node.gpus_per_nvlink_domain);
    if (c->node.gpus_per_nvlink_domain > 1) {
        snprintf(nvlink, sizeof(nvlink),
                report_say(out->style, ", %s %.0f GB/s one way per GPU%s"),
                p3d_gpu_link(&c->gpu), c->gpu.nvlink_bytes_per_s_one_way / 1e9,
                domain);
    }
    if (c->n_nodes > 1) {
        snprintf(network, sizeof(network),
                report_say(out->style, ", %d x %.4g GB/s %s per node"),
                c->node.nics_per_node, c->fabric.nic_bytes_per_s_one_way / 1e9,
                c->fabric.name);
    }
    add_torus(c, &torus);
    if (c->n_nodes > 1)
        report_add_tiers(&c->tiers, &tiers);
    report_wrap_labelled("cluster", out, "%s: %d node%s x %d GPU%s%s%s%s%s",
            c->name, c->n_nodes, c->n_nodes == 1 ? "" : "s",
            c->node.gpus_per_node, c->node.gpus_per_node == 1 ? "" : "s",
            nvlink, p3d_text_get(&torus), network, p3d_text_get(&tiers));
    report_text_free(&torus, out);
    report_text_free(&tiers, out);
}

void report_add_trained(const p3d_job *job, p3d_text *words)
{
    char text[SPEC_ADAPTERS_WORDS], sparse[SPEC_SPARSE_WORDS];

    if (job->adapters.rank > 0)
        report_add(
                words, ", LoRA %s", spec_adapters_print(&job->adapters, text));
    else if (job->frozen != 0)
        report_add(words, ", frozen: %s", spec_parts_print(job->frozen, text));
    if (job->lengths.filling == P3D_FILLING_PACKED)
        report_add(words, ", texts packed");
    if (job->lengths.filling == P3D_FILLING_PADDED)
        report_add(words, ", texts padded");
    if (job->sparse.layout != P3D_SPARSE_NONE)
        report_add(words, ", attention to blocks (%s)",
                spec_sparse_print(&job->sparse, sparse));
    if (job->companion.teacher.n_layers > 0)
        report_add(words, ", teacher %s", job->companion.teacher.name);
    else if (job->companion.reference == P3D_REFERENCE_SELF)
        report_add(words, ", pairs against a reference");
    else if (job->companion.reference == P3D_REFERENCE_KTO)
        report_add(words, ", KTO");
    else if (job->companion.reference == P3D_REFERENCE_PAIRS)
        report_add(words, ", pairs");
    else if (job->companion.reference == P3D_REFERENCE_PRECOMPUTED)
        report_add(words, ", pairs against log-probabilities written down");
}

static void print_job(const p3d_job *j, p3d_text *out)
{
    const p3d_framework *const f = j->framework;
    p3d_text trained = {.style = out->style};

    report_add_trained(j, &trained);
    report_wrap_labelled("job", out,
            "sequence %s tokens, batch %s sequence%s = %s tokens per step, %s, "
            "%s, %s attention, %s, %s%s%s%s%s",
            report_integer_words(j->seq_len).text,
            report_integer_words(j->global_batch).text,
            j->global_batch == 1 ? "" : "s",
            report_integer_words(report_tokens_per_step(j)).text,
            p3d_dtype_name(j->dtype), p3d_optimizer_of(j->optimizer)->name,
            p3d_attention_name(j->attention),
            report_say(out->style, j->dropout ? "dropout" : "no dropout"),
            j->launch_blocking ? report_say(out->style, "launches block, ")
                               : "",
            f->name,
            f->costs_of != NULL ? report_say(out->style, ", costs of ") : "",
            f->costs_of != NULL ? f->costs_of : "", p3d_text_get(&trained));
    p3d_text_free(&trained);
}

/* Where a list of frameworks begins, and what else stands in it. */
static void add_ranks(const p3d_framework_ranking *ranking, int verdict,
        const char *head, p3d_text *out)
{
    int n = 0;

    for (int i = 1; i < ranking->n; i++) {
        const p3d_framework_rank *rank = &ranking->at[i];

        if ((int)rank->verdict != verdict)
            continue;
        p3d_text_add(out, "%s%s",
                report_say(out->style, n++ == 0 ? head : ", "), rank->name);
        if (verdict == P3D_FRAMEWORK_FITS)
            report_add(out, " %+.*f %%", rank->slower_frac < 1 ? 1 : 0,
                    100 * rank->slower_frac);
    }
}

void report_frameworks(const report_question *question, p3d_text *out)
{
    const p3d_framework_ranking *ranking = question->frameworks;
    p3d_text words = {.style = out->style};

    if (ranking == NULL)
        return;
    if (ranking->at[0].verdict == P3D_FRAMEWORK_FITS) {
        report_add(&words, "%s%s is the fastest of %d frameworks",
                ranking->at[0].name,
                p3d_job_is_usually_16(&question->problem.job)
                        ? report_say(out->style,
                                  " (weights and moments in 16 bit)")
                        : "",
                ranking->n);
        add_ranks(ranking, P3D_FRAMEWORK_FITS,
                "; step time against it: ", &words);
        add_ranks(
                ranking, P3D_FRAMEWORK_TOO_LARGE, "; too large with ", &words);
    } else {
        report_add(&words,
                "too large with each of %d frameworks; %s comes "
                "closest",
                ranking->n, ranking->at[0].name);
        add_ranks(ranking, P3D_FRAMEWORK_TOO_LARGE, ", then ", &words);
    }
    add_ranks(ranking, P3D_FRAMEWORK_REFUSED, "; rejected by ", &words);
    report_wrap_labelled_text("any", &words, out);
}

void report_text_plan(const report_answer *answer, p3d_text *out)
{
    report_wrap_labelled("plan", out, "%s",
            report_short_plan(&answer->found.plan, out->style).text);
    p3d_text_add(out, "         %s\n", answer->words);
}

void report_text_best(const report_document *d, p3d_text *out)
{
    const char *const label = report_say(out->style, "PLAN: ");
    const int width = report_paint_columns(label) + (int)strlen(d->best->words);

    report_paint_words(REPORT_GOOD, label, out);
    p3d_text_add(out, width > report_width(out->style) ? "\n%s\n" : "%s\n",
            d->best->words);
}

json_list report_found(const report_document *d)
{
    if (d->plans.n > 0)
        return d->plans;
    return (json_list){d->closest, d->closest != NULL};
}

void report_text_question(const report_document *d, p3d_text *out)
{
    print_model(&d->question, out);
    print_cluster(d->cluster, out);
    print_job(d->job, out);
    report_frameworks(&d->question, out);
}

void report_text_assumed(const report_document *d, p3d_text *out)
{
    char lines[REPORT_MAX_ASSUMED][JSON_LINE];
    const int n = report_assume(d, out->style, lines);

    for (int i = 0; i < n; i++)
        report_wrap_labelled(i == 0 ? "assumed" : "", out, "%s", lines[i]);
}

void report_text_interrupted(const report_document *d, p3d_text *out)
{
    if (d->search.interrupted)
        report_wrap_labelled("caution", out,
                d->fits ? "stopped by Ctrl-C, this is not the whole answer: "
                          "there may be faster plans"
                        : "stopped by Ctrl-C, this is not the whole answer");
}

/** What the search proves. */
static void print_certificate(const report_document *d, p3d_text *out)
{
    const p3d_search_result *const s = &d->search;
    p3d_text words = {.style = out->style};

    report_text_interrupted(d, out);
    if (!d->fits || s->interrupted)
        return;
    if (s->cut_s > 0)
        report_add(&words, "each plan that was ruled out takes %s or more; ",
                report_step_words(s->cut_s).text);
    report_add(&words, "none takes less than %s, whatever its memory",
            report_step_words(s->floor_s).text);
    if (s->fastest_s > 0)
        report_add(&words,
                d->best->found.sure ? "; the fastest sure plan takes %s"
                                    : "; the fastest plan that fits takes %s",
                report_step_words(s->fastest_s).text);
    if (s->fastest_s > 0 && s->runner_up_s > 0)
        report_add(&words, ", the best of another layout %.3g %% more",
                100 * report_runner_up_gap_frac(s));
    report_wrap_labelled_text("proof", &words, out);
}

static void print_verified(const report_document *d, p3d_text *out)
{
    const report_verified *v = d->verified;
    char number[32];

    if (v == NULL)
        return;
    p3d_print_integer(number, sizeof(number), v->found.n_plans);
    if (v->interrupted)
        report_add(out, "verified stopped after %s plans\n", number);
    else if (v->agrees)
        report_add(out,
                "verified %s plans one by one: as many as above, none faster, "
                "none better to recommend\n",
                number);
    else
        report_add(out,
                "verified DISAGREES: %s plans one by one, the fastest takes "
                "%.9g s; please report this\n",
                number,
                v->found.have_best ? p3d_time_step_s(&v->found.best.time) : 0);
}

void report_text_search(const report_document *d, p3d_text *out)
{
    const struct {
        int64_t n;
        const char *words;
    } parts[] = {{d->search.n_cut, "cannot be faster (bound)"},
            {d->search.n_too_large, "too large"},
            {d->search.n_dominated, "recompute or offload more than needed"},
            {d->search.n_evaluated, "evaluated"}};
    p3d_text words = {.style = out->style};

    report_add(&words,
            "%s legal plans:", report_integer_words(d->search.n_plans).text);
    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        report_add(&words, i == 0 ? " %s %s" : ", %s %s",
                report_integer_words(parts[i].n).text,
                report_say(out->style, parts[i].words));
    }
    report_wrap_labelled_text("searched", &words, out);
    print_certificate(d, out);
    print_verified(d, out);
}

void report_shell_word(const char *word, p3d_text *out)
{
    bool plain = word[0] != '\0';

    for (const char *c = word; *c != '\0'; c++) {
        plain = plain && (isalnum((unsigned char)*c) ||
                                 strchr("_-.,:=/+@%", *c) != NULL);
    }
    if (plain) {
        p3d_text_add(out, "%s", word);
        return;
    }
    p3d_text_add(out, "'");
    for (const char *c = word; *c != '\0'; c++)
        report_add(out, *c == '\'' ? "'\\''" : "%c", *c);
    p3d_text_add(out, "'");
}

/* Commands that have the options which choose a plan. */
static bool may_choose(const char *command)
{
    return strcmp(command, "plan3d fit ") == 0 ||
           strcmp(command, "plan3d plan ") == 0;
}

void report_text_command(
        const report_document *d, const char *command, p3d_text *out)
{
    const report_question *const q = &d->question;

    p3d_text_add(out, "%s", command);
    report_shell_word(q->model_word, out);
    p3d_text_add(out, " ");
    report_shell_word(q->cluster_word, out);
    p3d_text_add(out, "%s%s", q->options, may_choose(command) ? q->choice : "");
    if (out->style.lang_option != NULL)
        p3d_text_add(out, "%s", out->style.lang_option);
}

void report_text_next(
        const report_document *d, const char *const *commands, p3d_text *out)
{
    for (int i = 0; commands[i] != NULL; i++) {
        const size_t n = strlen(commands[i]);
        p3d_text command = {.style = out->style};

        if (n > 0 && commands[i][n - 1] == ' ')
            report_text_command(d, commands[i], &command);
        else
            p3d_text_add(&command, "%s", commands[i]);
        report_left(i == 0 ? report_say(out->style, "next") : "", NEXT, out);
        report_wrap_command(p3d_text_get(&command), NEXT, out);
        report_text_free(&command, out);
    }
}

void report_about(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;

    p3d_text_add(
            out, "model: %s, cluster: %s\n", d->model->name, d->cluster->name);
    p3d_text_add(out,
            "job: sequence %d, batch %lld sequences = %s tokens per step, %s\n",
            d->job->seq_len, (long long)d->job->global_batch,
            report_integer_words(report_tokens_per_step(d->job)).text,
            p3d_dtype_name(d->job->dtype));
    p3d_text_add(out,
            "predicted: %s per step, %s tokens/s, peak %s of %s GiB, %s to "
            "fit%s\n",
            report_step_words(a->step_s).text,
            report_three_words(a->found.tokens_per_s).text,
            report_three_words(report_gib(a->peak_bytes)).text,
            report_three_words(report_gib(a->found.usable_bytes)).text,
            report_sure_words(a->fit_probability_frac, out->style).text,
            a->found.fits ? "" : ": IT DOES NOT FIT");
}
