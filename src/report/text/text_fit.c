/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_fit.c - does it fit, on one screen: the verdict, days and money, the
 * plan and what else there is, what it rests on, where to go on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/text/layout.h"
#include "report/text/spans.h"
#include "report/text/text.h"
#include "spec/hardware.h"

enum {
    NEXT = 9,   /* column of a command that follows */
    LEFT = 2,   /* of a plan that is too long for that */
    CHANGE = 5, /* of a change */
    GOOD = 54,  /* of what a command is good for */
    TERMS_YES = 2,
    TERMS_NO = 3,
    CHANGES_BARELY = 2,
    CHANGES_NO = 5
};

/* The whole training, which was asked for. */

static void print_days(
        const report_document *d, const report_training *t, p3d_text *out)
{
    const report_clock unit = report_long_clock_for(t->found.real_s);
    const report_span s = report_time_span(t);

    report_wrap_labelled("time", out,
            "%s for %s tokens, with checkpoints and failures%s",
            report_span_words(&s,
                    REPORT_WORDS(" %s", report_say(out->style, unit.word)).text,
                    out->style)
                    .text,
            report_count_words(d->job->n_tokens).text,
            s.is_open ? report_say(out->style,
                                "; with the slowest steps it never ends")
                      : "");
}

/* Money, energy and hours, as far as they are known. */
static void print_cost(
        const report_document *d, const report_training *t, p3d_text *out)
{
    static const double s_per_h = 3600;
    const report_span usd = report_usd_span(t, out->style);
    const report_span energy = report_energy_span(t);
    const bool has_usd = report_training_usd(&t->found) > 0;
    const bool has_energy = t->found.energy_kwh > 0;
    const char *const between = report_say(out->style, "; ");
    const double gpu_h = d->cluster->n_gpus * t->found.real_s / s_per_h;

    report_wrap_labelled(has_usd      ? "cost"
                         : has_energy ? "energy"
                                      : "",
            out, "%s%s%s%s%s GPU-hours",
            has_usd ? report_usd_span_words(&usd, out->style).text : "",
            has_usd ? between : "",
            has_energy ? report_span_words(
                                 &energy, report_energy_unit(t), out->style)
                                 .text
                       : "",
            has_energy ? between : "", report_three_words(gpu_h).text);
}

/* Days and money: what was asked for most of all. */
static void print_training(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const report_training *const t = a->training;

    if (t != NULL && !t->found.progresses) {
        report_wrap_labelled("time", out,
                "never ends: one failure in %s; without them %s of steps",
                report_seconds_words(t->found.mtbf_s, out->style).text,
                report_seconds_words(t->found.ideal_s, out->style).text);
    } else if (t != NULL) {
        print_days(d, t, out);
        print_cost(d, t, out);
    } else if (d->job->usd_per_gpu_h > 0) {
        const report_span usd = report_billion_span(a, out->style);

        report_wrap_labelled("cost", out,
                "%s per billion tokens, if nothing fails",
                report_usd_span_words(&usd, out->style).text);
    }
}

/* The step and its rate; the ranges of an answer hold as many runs. */
void report_text_step(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    const report_span step = report_step_span(a);
    const report_span rate = report_rate_span(a, out->style);

    report_wrap_labelled("step", out,
            "%s %s (%s to %s in %.0f %% of runs), %s, MFU %.3g %%",
            step.value.text, unit.word, step.low.text, step.high.text,
            100 * a->range.confidence_frac,
            report_span_words(&rate, " tokens/s", out->style).text,
            100 * a->found.mfu_frac);
}

/* Days, money and energy of half of the runs: ", 485 days, USD 1.49 M". */
static void add_median_training(const report_training *t, p3d_text *words)
{
    const report_clock unit = report_long_clock_for(t->found.real_s);
    const report_span days = report_time_span(t);
    const report_span usd = report_usd_span(t, words->style);
    const report_span energy = report_energy_span(t);

    if (!t->found.progresses || !t->median.progresses)
        return;
    p3d_text_add(words, "%s%s %s", report_say(words->style, ", "),
            days.median.text, report_say(words->style, unit.word));
    if (report_training_usd(&t->found) > 0)
        report_add(words, ", USD %s", usd.median.text);
    if (t->found.energy_kwh > 0)
        p3d_text_add(words, "%s%s%s", report_say(words->style, ", "),
                energy.median.text, report_energy_unit(t));
}

/* Why the numbers above are not the middle of their ranges: they are what the
 * terms add up to, and runs lose more. Source: docs/recommendation.md, "How
 * long". */
void report_text_median(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    const report_span step = report_step_span(a);
    const report_span rate = report_rate_span(a, out->style);
    p3d_text words = {.style = out->style};

    if (strcmp(step.median.text, step.value.text) == 0)
        return;
    report_add(&words, "%s %s, %s tokens/s", step.median.text, unit.word,
            rate.median.text);
    if (a->training != NULL)
        add_median_training(a->training, &words);
    report_add(&words, ": half of the runs are slower");
    report_wrap_labelled_text("median", &words, out);
}

/* The largest terms of the tight GPU: "gradients 16.9, weights 8.46". */
static void add_terms(const report_answer *a, int n_terms, p3d_text *out)
{
    p3d_memory left = a->stages[a->found.tight_stage].held.memory;

    for (int i = 0; i < n_terms; i++) {
        const int term = report_largest_term(&left);
        const int64_t n_bytes = report_memory_term_bytes(&left, term);

        p3d_text_add(out, "%s%s %s", i == 0 ? "" : report_say(out->style, ", "),
                report_say(out->style, report_memory_terms[term].words),
                report_three_words(report_gib(n_bytes)).text);
        memset((char *)&left + report_memory_terms[term].offset, 0,
                sizeof(n_bytes));
    }
}

/* What the tight GPU takes, most of it for what; what a host takes. */
static void print_memory(const report_answer *a, int n_terms, p3d_text *out)
{
    const report_span peak = report_peak_span(a);
    p3d_text words = {.style = out->style};

    p3d_text_add(
            &words, "%s", report_span_words(&peak, " GiB", out->style).text);
    if (a->found.plan.pp > 1)
        report_add(&words, " on stage %d of %d", a->found.tight_stage,
                a->found.plan.pp);
    report_add(&words, ": ");
    add_terms(a, n_terms, &words);
    if (a->found.host_bytes_per_node > 0)
        report_add(&words, "; host %s GiB per node",
                report_three_words(report_gib(a->found.host_bytes_per_node))
                        .text);
    report_wrap_labelled_text("memory", &words, out);
}

/* Plans to choose from. */

/* A plan to copy stands further left where it would not fit on the line. */
void report_text_words(const char *words, p3d_text *out)
{
    const int width = NEXT + (int)strlen(words);

    p3d_text_repeat(out, ' ', width <= report_width(out->style) ? NEXT : LEFT);
    p3d_text_add(out, "%s\n", words);
}

/* What another plan gains, and what it risks. */
static void print_choice(const report_document *d, const char *label,
        const report_answer *a, p3d_text *out)
{
    const report_words pace =
            report_pace_words(a->step_s / d->best->step_s - 1, out->style);
    const int n = report_n_departures(d, a);

    if (strcmp(a->words, d->best->words) == 0) {
        report_wrap_labelled(label, out, "the same plan");
        return;
    }
    if (n == 0)
        report_wrap_labelled(label, out,
                "%s on paper, %s to fit with %.1f GiB free, nothing unusual",
                pace.text,
                report_sure_words(a->fit_probability_frac, out->style).text,
                report_gib(a->free_bytes));
    else
        report_wrap_labelled(label, out,
                "%s on paper, %s to fit with %.1f GiB free, %d unusual "
                "setting%s",
                pace.text,
                report_sure_words(a->fit_probability_frac, out->style).text,
                report_gib(a->free_bytes), n, n == 1 ? "" : "s");
    report_text_words(a->words, out);
}

static void print_choices(const report_document *d, p3d_text *out)
{
    report_wrap_labelled("unusual", out, "%s",
            report_departures_words(d, d->best, out->style).text);
    if (d->recommended == NULL)
        return;
    if (strcmp(d->best->words, d->recommended->words) != 0)
        print_choice(d, "instead", d->recommended, out);
    print_choice(d, "fastest", d->fastest, out);
    print_choice(d, "roomiest", d->roomiest, out);
    if (d->usual != NULL)
        print_choice(d, "usual", d->usual, out);
}

/* What the answer is about and rests on. */

void report_text_job(const report_document *d, p3d_text *out)
{
    const p3d_framework_ranking *const any = d->question.frameworks;
    p3d_text words = {.style = out->style};

    report_add(&words, "%s on %s, sequence %s, batch %s, %s, %s",
            d->model->name, d->cluster->name,
            report_integer_words(d->job->seq_len).text,
            report_integer_words(d->job->global_batch).text,
            p3d_dtype_name(d->job->dtype), d->job->framework->name);
    report_add_trained(d->job, &words);
    if (any != NULL)
        report_add(&words, ", %s of %d frameworks",
                report_say(out->style, any->at[0].verdict == P3D_FRAMEWORK_FITS
                                               ? "the fastest"
                                               : "the closest"),
                any->n);
    report_wrap_labelled_text("job", &words, out);
}

static void print_proof(const report_document *d, p3d_text *out)
{
    if (!d->search.interrupted)
        report_wrap_labelled("proof", out,
                "each of %s legal plans was tried or ruled out by a bound",
                report_integer_words(d->search.n_plans).text);
}

/* What of a config.json is not in the answer. */
static void print_left_out(const p3d_model *m, p3d_text *out)
{
    const char *label = "beware";

    if (m->not_counted[0] != '\0') {
        report_wrap_labelled(label, out,
                "only the language model is counted, without %s",
                m->not_counted);
        label = "";
    }
    if (m->unread_keys[0] != '\0') {
        report_wrap_labelled(label, out,
                "keys of the model's file that plan3d does not read: %s",
                m->unread_keys);
        label = "";
    }
    if (m->quantization[0] != '\0')
        report_wrap_labelled(label, out,
                "the file stores its weights in %s; the training uses --dtype; "
                "for weights in 4 bits beside adapters: --lora r=16,base=nf4",
                m->quantization);
}

static void print_basis(const report_document *d, p3d_text *out)
{
    report_text_counted(d->model, d->job, out);
    print_left_out(d->model, out);
    report_text_nearest(d, out);
    print_proof(d, out);
    report_wrap_labelled("assumed", out,
            "%d defaults and constants; --long lists them, with the options "
            "that change them",
            d->assumed.n);
}

/* What helps. */

static void print_remedy(int number, const p3d_remedy *c,
        const report_document *d, p3d_text *out)
{
    const p3d_estimate *const e = &c->estimate;
    const double per_gpu = report_remedy_rate(c);
    p3d_text words = {.style = out->style};

    report_add(&words, "%s: %s GiB, %s %% sure, %s tokens/s per GPU",
            report_say_made(out->style, c->words).text,
            report_three_words(report_gib(p3d_memory_device_bytes(&e->memory)))
                    .text,
            report_sure_percent(c->fit_probability_frac).text,
            report_three_words(per_gpu).text);
    if (d->closest != NULL) {
        const double more_frac = per_gpu / d->closest->tokens_per_s_per_gpu - 1;

        report_add(
                &words, " (%+.*f %%)", fabs(more_frac) < 0.1, 100 * more_frac);
    }
    p3d_text_add(out, "%3d  ", number);
    report_wrap_text(&words, CHANGE, out);
}

/* The smallest cluster, where no change that is shown has said it. */
static void print_smallest(const report_document *d, int n, p3d_text *out)
{
    for (int i = 0; i < n; i++)
        if (d->remedy_items[i].n_gpus == d->smallest_cluster_gpus)
            return;
    if (d->smallest_cluster_gpus > 0)
        report_add(out, "the smallest cluster found that it fits on: %d GPUs\n",
                d->smallest_cluster_gpus);
}

static void print_changes(const report_document *d, int n_most, p3d_text *out)
{
    const int n = d->changes.n < n_most ? d->changes.n : n_most;
    p3d_text head = {.style = out->style};

    report_add(
            &head, d->fits ? "changes that make it sure to fit, settings first"
                           : "changes that make it fit, settings first");
    if (d->changes.n > n)
        report_add(&head, ", %d more with --long", d->changes.n - n);
    if (d->closest != NULL)
        report_add(&head, " (%%: speed against the closest plan)");
    if (n > 0) {
        p3d_text painted = {.style = out->style};

        report_paint_words(REPORT_HEAD, p3d_text_get(&head), &painted);
        report_wrap_text(&painted, 0, out);
    }
    report_text_free(&head, out);
    for (int i = 0; i < n; i++)
        print_remedy(i + 1, &d->remedy_items[i], d, out);
    print_smallest(d, n, out);
}

/* Where to go on. */

/* A command, and what it is good for. */
static void print_command(
        const char *label, p3d_text *command, const char *good, p3d_text *out)
{
    const int end = NEXT + (int)strlen(p3d_text_get(command));
    const int width = report_width(out->style);
    int column = end + 2 > GOOD ? end + 2 : GOOD;

    good = report_say(out->style, good);
    if (column + 2 + report_paint_columns(good) > width)
        column = end + 2;
    report_left(report_say(out->style, label), NEXT, out);
    if (column + 2 + report_paint_columns(good) <= width) {
        p3d_text_add(out, "%s", p3d_text_get(command));
        p3d_text_repeat(out, ' ', column - end);
        p3d_text_add(out, "# %s\n", good);
    } else {
        report_wrap_command(p3d_text_get(command), NEXT, out);
    }
    report_text_free(command, out);
}

static void print_long(const report_document *d, p3d_text *out)
{
    p3d_text command = {.style = out->style};

    report_text_command(d, "plan3d fit ", &command);
    report_add(&command, " --long");
    print_command(
            "next", &command, "memory and time by terms, all assumptions", out);
}

/* How long, if that was not asked; else the next best plans. */
static void print_further(const report_document *d, p3d_text *out)
{
    p3d_text command = {.style = out->style};

    if (d->job->n_tokens > 0) {
        report_text_command(d, "plan3d plan ", &command);
        print_command("", &command, "the best plans of other kinds", out);
    } else {
        report_text_command(d, "plan3d fit ", &command);
        report_add(&command, " --tokens 1T");
        print_command("", &command,
                d->job->usd_per_gpu_h > 0 ? "how many days, at what cost"
                                          : "how many days; --price: money",
                out);
    }
}

static void print_page(const report_document *d, p3d_text *out)
{
    p3d_text command = {.style = out->style};

    if (d->question.choice[0] != '\0')
        return; /* it shows the recommended plan */
    report_text_command(d, "plan3d report ", &command);
    report_add(&command, " -o plan.html");
    print_command("", &command, "figures and launch files", out);
}

static void print_walk(const report_document *d, p3d_text *out)
{
    p3d_text command = {.style = out->style};

    report_text_command(d, "plan3d advise ", &command);
    print_command("", &command, "what was tried, step by step", out);
}

/* The type of "64xA800"; NULL for nodes x GPUs and for files. */
static const char *type_of(const report_question *q)
{
    const char *const x =
            q->cluster_word + strspn(q->cluster_word, "0123456789");

    return x > q->cluster_word && *x == 'x' &&
                           strchr("0123456789", x[1]) == NULL
                   ? x + 1
                   : NULL;
}

/* The same on the smallest cluster. */
static void print_larger(const report_document *d, p3d_text *out)
{
    const char *const type = type_of(&d->question);
    report_document larger = {.question = d->question};
    char word[128];
    p3d_text command = {.style = out->style};

    if (type == NULL || d->smallest_cluster_gpus == 0)
        return;
    (void)spec_cluster_print(type, d->smallest_cluster_gpus,
            spec_type_unit(type), word, sizeof(word));
    larger.question.cluster_word = word;
    report_text_command(&larger, "plan3d fit ", &command);
    print_command("", &command, "where it fits", out);
}

static void print_yes(const report_document *d, p3d_text *out)
{
    report_text_verdict(d, d->best, out);
    report_text_interrupted(d, out);
    print_training(d, d->best, out);
    report_text_step(d->best, out);
    report_text_median(d->best, out);
    report_wrap_labelled("plan", out, "%s",
            report_short_plan(&d->best->found.plan, out->style).text);
    report_text_words(d->best->words, out);
    print_choices(d, out);
    print_memory(d->best, TERMS_YES, out);
    report_text_job(d, out);
    print_changes(d, CHANGES_BARELY, out);
    print_basis(d, out);
    print_long(d, out);
    print_further(d, out);
    print_page(d, out);
}

static void print_no(const report_document *d, p3d_text *out)
{
    report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
    if (d->closest != NULL) {
        report_add(out, ": the closest plan ");
        report_text_lack(d, d->closest, out);
    }
    p3d_text_add(out, "\n");
    report_text_interrupted(d, out);
    if (d->closest != NULL) {
        report_wrap_labelled("plan", out, "%s",
                report_short_plan(&d->closest->found.plan, out->style).text);
        report_text_words(d->closest->words, out);
        print_memory(d->closest, TERMS_NO, out);
    }
    report_text_job(d, out);
    print_changes(d, CHANGES_NO, out);
    print_basis(d, out);
    print_long(d, out);
    print_larger(d, out);
    print_walk(d, out);
}

void report_fit(
        const report_document *document, report_format format, p3d_text *out)
{
    const report_data data = {&report_fit_shape, document, &report_answer_shape,
            report_found(document)};

    if (report_print_data(&data, format, out))
        return;
    if (document->fits)
        print_yes(document, out);
    else
        print_no(document, out);
}
