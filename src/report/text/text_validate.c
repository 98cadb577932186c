/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_validate.c - what a calibration changed; whether a plan holds on the
 * machine. */
#include <math.h>
#include <stdio.h>

#include "plan3d/units.h"
#include "report/document.h"
#include "report/study.h"
#include "report/text/layout.h"
#include "report/text/text.h"

static report_words percent(bool known, double frac)
{
    return report_known_words(known, "%.1f", 100 * frac);
}

static void print_forms(const json_list *list, p3d_text *out)
{
    const p3d_form_result *const forms = list->items;
    report_table table;

    report_table_begin(&table, out->style, "lrrrr");
    report_table_row(
            &table, "form\tpoints\told error %%\tnew error %%\thold-out %%");
    for (int i = 0; i < list->n; i++) {
        const p3d_form_result *const f = &forms[i];

        report_table_row(&table, "%s\t%d\t%s\t%s\t%s",
                report_say(out->style, f->name), f->n_points,
                percent(f->n_points > 0, f->old_error_frac).text,
                percent(f->fitted, f->new_error_frac).text,
                percent(f->fitted, f->held_error_frac).text);
    }
    report_table_print(&table, out);
    report_add(out,
            "(mean of |predicted / measured - 1|; hold-out: on points that a "
            "fit to the others had\nnot seen, in five parts or one by one)\n");
}

/* A command that measures several forms is said once. */
static bool is_said(const p3d_form_result *forms, int i)
{
    for (int k = 0; k < i; k++)
        if (!forms[k].fitted && forms[k].measure == forms[i].measure)
            return true;
    return false;
}

static void print_kept(const char *base, const json_list *list, p3d_text *out)
{
    const p3d_form_result *const forms = list->items;
    bool any = false;

    for (int i = 0; i < list->n; i++) {
        if (forms[i].fitted)
            continue;
        if (!any)
            report_add(out, "\nkept from %s, for too few points:\n", base);
        any = true;
        report_add(out, "  %s: %d points, a fit needs %d\n",
                report_say(out->style, forms[i].name), forms[i].n_points,
                forms[i].n_least);
    }
    if (any)
        report_add(out, "to measure them:\n");
    for (int i = 0; i < list->n; i++) {
        if (!forms[i].fitted && !is_said(forms, i))
            p3d_text_add(out, "  %s\n", forms[i].measure);
    }
}

static void print_left(const json_list *list, p3d_text *out)
{
    const p3d_left_rows *const left = list->items;

    if (list->n > 0)
        report_add(out, "\nleft out:\n");
    for (int i = 0; i < list->n; i++)
        report_add(out, "  %d %s: %s\n", left[i].n_rows,
                report_say(out->style, left[i].what),
                report_say(out->style, left[i].why));
}

static void print_own_runs(const json_list *list, p3d_text *out)
{
    const p3d_own_score *const scores = list->items;
    report_table table;

    report_table_begin(&table, out->style, "llrrrr");
    report_table_row(&table,
            "run\tframework\tmeasured s\tpredicted s\terror %%\tafter the "
            "others %%");
    for (int i = 0; i < list->n; i++) {
        const p3d_own_score *const s = &scores[i];

        report_table_row(&table, "%s\t%s\t%.3g\t%.3g\t%s\t%s", s->run.id,
                s->run.framework, s->run.measured_step_s,
                s->run.predicted_step_s,
                percent(!isnan(s->error_frac), s->error_frac).text,
                percent(!isnan(s->held_error_frac), s->held_error_frac).text);
    }
    report_table_print(&table, out);
}

/* What the step of a log is of. */
static void print_log(const char *id, const p3d_own_log *log, p3d_text *out)
{
    p3d_text words = {.style = out->style};

    if (log->n_steps == 0)
        return;
    p3d_text_add(&words, "%s: ", id);
    if (log->whole_run)
        report_add(&words, "a mean over the whole run, its warm-up in it");
    else if (log->n_counted > 0)
        report_add(
                &words, "mean of %d micro-batches of its bar", log->n_counted);
    else
        report_add(&words, "median of %d of its reports", log->n_steps);
    if (log->n_warm_up > 0)
        report_add(&words, "; left out: %d of the warm-up", log->n_warm_up);
    if (log->n_repeated > 0)
        report_add(&words, "; %d of other ranks or repeated", log->n_repeated);
    if (log->n_other_runs > 0)
        report_add(&words, "; %d of other runs", log->n_other_runs);
    if (log->n_other_batches > 0)
        report_add(&words, "; %d of other batches", log->n_other_batches);
    report_wrap_labelled_text("log", &words, out);
}

static void print_logs(const json_list *list, p3d_text *out)
{
    const p3d_own_score *const scores = list->items;
    bool any = false;

    for (int i = 0; i < list->n && !any; i++)
        any = scores[i].log.n_steps > 0;
    if (any)
        p3d_text_add(out, "\n");
    for (int i = 0; i < list->n; i++)
        print_log(scores[i].run.id, &scores[i].log, out);
}

/* Further off than any framework's own runs are in the median. */
static bool is_doubtful(const p3d_own_score *score)
{
    return !isnan(score->error_frac) &&
           (score->error_frac > 1 || score->error_frac < -0.5);
}

static void print_doubts(const json_list *list, p3d_text *out)
{
    const p3d_own_score *const scores = list->items;

    for (int i = 0; i < list->n; i++)
        if (is_doubtful(&scores[i]))
            report_add(out,
                    "\n%s: measured %.3g times the prediction; is what ran "
                    "what stands here?\n",
                    scores[i].run.id, 1 / (1 + scores[i].error_frac));
}

static void print_learned(const report_calibrated *c, p3d_text *out)
{
    report_add(out,
            c->runs.n == 1 ? "%s, %d measured run of yours\n\n"
                           : "%s, %d measured runs of yours\n\n",
            c->gpu, c->runs.n);
    print_own_runs(&c->runs, out);
    print_logs(&c->runs, out);
    print_doubts(&c->runs, out);
    if (c->median_held_error_frac > 0)
        report_add(out,
                "\nmedian error %.1f %%; %.1f %% where each is predicted after "
                "the others\n",
                100 * c->median_error_frac, 100 * c->median_held_error_frac);
    else if (c->median_error_frac > 0)
        report_add(out,
                "\nmedian error %.1f %%; a second run of the same model and "
                "framework shows what it\nhelps (published runs: "
                "docs/accuracy.md)\n",
                100 * c->median_error_frac);
}

static void print_constants(const report_calibrated *c, p3d_text *out)
{
    report_add(out, "%s, measured as %s, driver %s, %s\n\n", c->gpu, c->device,
            c->driver[0] != '\0' ? c->driver
                                 : report_say(out->style, "unknown"),
            c->date[0] != '\0' ? c->date
                               : report_say(out->style, "date unknown"));
    print_forms(&c->forms, out);
    print_kept(c->base, &c->forms, out);
    print_left(&c->left, out);
}

void report_print_calibrated(
        const report_calibrated *c, report_format format, p3d_text *out)
{
    const bool learned = c->runs.n > 0;
    const report_data data = {&report_calibrated_shape, c,
            learned ? &report_own_score_shape : &report_form_shape,
            learned ? c->runs : c->forms};

    if (report_print_data(&data, format, out))
        return;
    (learned ? print_learned : print_constants)(c, out);
    if (c->file != NULL)
        report_add(out, "\nwritten to %s; plan with --calibration %s\n",
                c->file, c->file);
    else
        report_add(out, "\nnothing was written; -o FILE keeps the fit\n");
}

/* Whether a plan holds. */

static void print_verdict(const report_validated *v, p3d_text *out)
{
    char words[64];

    switch ((report_verdict)v->verdict) {
    case REPORT_HOLDS:
        snprintf(words, sizeof(words),
                report_say(out->style, "HOLDS, within %g %%"),
                100 * v->tolerance_frac);
        report_paint_line(REPORT_GOOD, words, out);
        break;
    case REPORT_DOES_NOT_HOLD:
        snprintf(words, sizeof(words),
                report_say(out->style, "DOES NOT HOLD, within %g %%"),
                100 * v->tolerance_frac);
        report_paint_line(REPORT_BAD, words, out);
        break;
    case REPORT_NOT_RUN:
        report_paint_line(REPORT_CARE, "NOT RUN (--dry-run)", out);
        break;
    case REPORT_NOT_MEASURED:
        report_paint_words(REPORT_CARE, "NOT MEASURED", out);
        p3d_text_add(out, ": %s\n", v->why_not);
        break;
    }
}

static void print_head(const report_validated *v, p3d_text *out)
{
    print_verdict(v, out);
    report_wrap_labelled("plan", out, "%s", v->plan);
    report_wrap_labelled("model", out, "%s", v->model);
    report_wrap_labelled("cluster", out, "%s", v->cluster);
    if (v->device != NULL)
        report_wrap_labelled("measured", out, "%s, driver %s, %s", v->device,
                v->driver[0] != '\0' ? v->driver
                                     : report_say(out->style, "unknown"),
                v->date[0] != '\0' ? v->date
                                   : report_say(out->style, "date unknown"));
}

/* A number for each of several columns, or none without points. */
static void print_comparison(const p3d_comparison *c, report_table *table)
{
    report_table_row(table, "%s\t%d of %d\t%d",
            report_say(table->style, c->name), c->n_found, c->n_wanted,
            c->n_points);
    if (c->n_points == 0) {
        for (int i = 0; i < 4; i++)
            report_table_cell(table, "-");
        report_table_cell(table, "%s", "");
        return;
    }
    report_table_row(table, "%.3f\t%.3f\t%.3f\t%.3f\t%s, not %s",
            c->median_ratio, c->low_ratio, c->high_ratio, c->worst_ratio,
            report_seconds_words(c->worst_measured_s, table->style).text,
            report_seconds_words(c->worst_predicted_s, table->style).text);
}

static void print_kinds(const report_validated *v, p3d_text *out)
{
    const p3d_comparison *const kinds = v->kinds.items;
    const char *label = report_say(out->style, "worst    ");
    report_table table;

    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "lrrrrrrl");
    report_table_row(&table,
            "measured / predicted\toperations\tpoints\tmedian\t10 "
            "%%\t90 %%\tworst\twhich took");
    for (int i = 0; i < v->kinds.n; i++)
        print_comparison(&kinds[i], &table);
    print_comparison(v->all, &table);
    report_table_print(&table, out);
    for (int i = 0; i < v->kinds.n; i++) {
        if (kinds[i].n_points == 0)
            continue;
        p3d_text_add(out, "%s%s: %s\n", label,
                report_say(out->style, kinds[i].name), kinds[i].worst);
        label = "         ";
    }
    report_add(out, "measured: %.1f %% of the planned seconds\n",
            100 * v->covered_frac);
}

static void print_step(const p3d_step_check *s, p3d_text *out)
{
    const report_words before = report_step_words(s->predicted_s);

    if (s->calibrated_s <= 0) {
        report_add(out,
                "step     %s predicted; too few points to fit "
                "constants to\n",
                before.text);
        return;
    }
    report_add(out,
            "step     %s predicted, %s with measured constants "
            "(%+.1f %%)\n",
            before.text, report_step_words(s->calibrated_s).text,
            100 * s->change_frac);
    if (s->best_plan == NULL)
        return;
    if (s->is_best)
        report_add(out, "choice   still the recommended plan\n");
    else
        report_wrap_labelled("choice", out,
                "with these constants %s is recommended: %s, and the plan "
                "takes %.2f %% longer",
                s->best_plan, report_step_words(s->best_s).text,
                100 * s->regret_frac);
}

static void print_memory(const p3d_had_memory *m, p3d_text *out)
{
    const report_words wanted = report_bytes_words((double)m->wanted_bytes);

    if (!m->measured)
        report_add(out, "memory   %s allocated at the peak; not tried\n",
                wanted.text);
    else
        report_add(out,
                "memory   %s allocated at the peak; the GPU gives up to %s: "
                "%s\n",
                wanted.text, report_bytes_words((double)m->largest_bytes).text,
                report_say(out->style, m->fits ? "enough" : "NOT enough"));
}

static void print_lines(
        const char *label, const json_list *lines, p3d_text *out)
{
    const char *const text = lines->items;

    for (int i = 0; i < lines->n; i++)
        report_wrap_labelled(i == 0 ? label : "", out, "%s",
                report_say_made(out->style, text + (size_t)i * JSON_LINE).text);
}

static void print_commands(const report_validated *v, p3d_text *out)
{
    const report_bench *const commands = v->commands.items;

    if (v->commands.n == 0)
        return;
    report_add(out, "\n%s measurements, where the GPUs are:\n",
            report_integer_words(v->n_measurements).text);
    for (int i = 0; i < v->commands.n; i++) {
        p3d_text_add(out, "  ");
        report_wrap_command(commands[i].command, 2, out);
    }
}

/* Where a traced step differs from the prediction. */

static report_words count_words(double n)
{
    return report_known_words(n > 0, "%.0f", n);
}

/* Which part of the predicted seconds recomputation runs again. */
static void print_recomputed(const json_list *list, p3d_text *out)
{
    const p3d_trace_term *const rows = list->items;

    for (int i = 0; i < list->n; i++)
        if (rows[i].recomputed_s > 0)
            report_wrap_labelled("again", out,
                    "%s: %.4f s of the predicted %.4f s are recomputation",
                    report_say(out->style, rows[i].name), rows[i].recomputed_s,
                    rows[i].predicted_s);
}

static void print_traced(const report_validated *v, p3d_text *out)
{
    const p3d_traced_step *const s = v->trace;
    const p3d_trace_term *const rows = v->terms.items;
    report_table table;

    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "lrrrrr");
    report_table_row(&table,
            "part of a step\tpredicted s\tmeasured s\tdifference "
            "s\tkernels planned\tmeasured");
    for (int i = 0; i < v->terms.n; i++)
        report_table_row(&table, "%s\t%.4f\t%.4f\t%+.4f\t%s\t%s",
                report_say(out->style, rows[i].name), rows[i].predicted_s,
                rows[i].measured_s, rows[i].difference_s,
                count_words(rows[i].n_planned).text,
                count_words(rows[i].n_measured).text);
    report_table_row(&table, "%s\t%.4f\t%.4f\t%+.4f\t\t",
            report_say(out->style, "step"), s->predicted_s, s->measured_s,
            s->measured_s - s->predicted_s);
    report_table_print(&table, out);
    report_add(out,
            "mean of %d steps, %.4f to %.4f s; beside other kernels: %.4f s of "
            "communication\n\n",
            s->n_steps, s->shortest_s, s->longest_s, s->hidden_s);
    print_recomputed(&v->terms, out);
    for (int i = 0; i < v->terms.n; i++)
        if (rows[i].cause[0] != '\0')
            report_wrap_labelled("why", out, "%s: %s",
                    report_say(out->style, rows[i].name),
                    report_say_made(out->style, rows[i].cause).text);
}

static void print_rank_kinds(const json_list *list, p3d_text *out)
{
    const p3d_ranks_kind *const rows = list->items;
    report_table table;

    report_table_begin(&table, out->style, "lrrrrr");
    report_table_row(&table,
            "kernels of a rank\tmean s\tfastest s\trank\tslowest s\trank");
    for (int i = 0; i < list->n; i++)
        report_table_row(&table, "%s\t%.4f\t%.4f\t%d\t%.4f\t%d",
                report_say(out->style, rows[i].name), rows[i].mean_s,
                rows[i].fastest_s, rows[i].fastest_rank, rows[i].slowest_s,
                rows[i].slowest_rank);
    report_table_print(&table, out);
}

static void print_rank_collectives(const json_list *list, p3d_text *out)
{
    const p3d_ranks_collective *const rows = list->items;
    report_table table;

    if (list->n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "lrrrrrr");
    report_table_row(&table,
            "collectives of a rank\tcalls\tmean s\ttransfer s\twaiting "
            "s\tlast rank\tshare %%");
    for (int i = 0; i < list->n; i++) {
        const bool waits = rows[i].last_rank >= 0;

        report_table_row(&table, "%s\t%.0f\t%.4f\t%.4f\t%.4f\t%s\t%s",
                report_say(out->style, rows[i].name), rows[i].n_calls,
                rows[i].mean_s, rows[i].transfer_s, rows[i].waiting_s,
                report_known_words(waits, "%.0f", (double)rows[i].last_rank)
                        .text,
                report_known_words(waits, "%.0f", 100 * rows[i].last_frac)
                        .text);
    }
    report_table_print(&table, out);
    report_add(out,
            "transfer: what the rank takes that comes last; the others wait "
            "for it\n");
}

static void print_rank_stages(const json_list *list, p3d_text *out)
{
    const p3d_ranks_stage *const rows = list->items;
    report_table table;

    if (list->n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "rrrr");
    report_table_row(&table, "stage\tranks\tcomputing s\tbubble s");
    for (int i = 0; i < list->n; i++)
        report_table_row(&table, "%d\t%d\t%.4f\t%.4f", rows[i].stage,
                rows[i].n_ranks, rows[i].computing_s, rows[i].bubble_s);
    report_table_print(&table, out);
}

static void print_ranks(const report_validated *v, p3d_text *out)
{
    p3d_text_add(out, "\n");
    report_wrap_labelled("ranks", out,
            "%d are traced; above is rank %d, which computes longest",
            v->ranks->n_traces, v->ranks->compared_rank);
    p3d_text_add(out, "\n");
    print_rank_kinds(&v->rank_kinds, out);
    print_rank_collectives(&v->rank_collectives, out);
    print_rank_stages(&v->rank_stages, out);
    p3d_text_add(out, "\n");
}

void report_print_validated(
        const report_validated *v, report_format format, p3d_text *out)
{
    const bool traced = v->trace != NULL;
    const report_data data = {&report_validated_shape, v,
            traced ? &report_traced_term_shape : &report_kind_shape,
            traced ? v->terms : v->kinds};

    if (report_print_data(&data, format, out))
        return;
    print_head(v, out);
    if (v->all != NULL) {
        print_kinds(v, out);
        p3d_text_add(out, "\n");
        print_step(v->step, out);
        print_memory(v->memory, out);
    }
    if (traced)
        print_traced(v, out);
    if (v->ranks != NULL)
        print_ranks(v, out);
    print_lines("no", &v->reasons, out);
    print_lines("note", &v->notes, out);
    if (v->file != NULL)
        report_add(out, "written  %s; plan with --calibration %s\n", v->file,
                v->file);
    print_commands(v, out);
}
