/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_network.c - which links of the network are tight for a plan, in text. */
#include <stdio.h>
#include <string.h>

#include "plan3d/network.h"
#include "plan3d/units.h"
#include "report/text/layout.h"
#include "report/text/text.h"
#include "report/text/text_network.h"

/* A step that is so much longer or shorter is as long. */
static const double SAME_FRAC = 5e-5;

/* "network cards of a node", "links up of a switch, tier 1". */
static report_words cut_words(const p3d_network_cut *cut, p3d_style style)
{
    return cut->tier == 0
                   ? REPORT_WORDS("%s", report_say(style, "network cards"))
                   : REPORT_WORDS(report_say(style, "links up of tier %d"),
                             cut->tier);
}

static void print_head(const report_document *d, p3d_text *out)
{
    const p3d_network *const n = &d->network;
    const p3d_network_cut *const cut =
            n->tight >= 0 ? &n->cuts[n->tight] : NULL;

    if (cut == NULL) {
        report_paint_words(REPORT_HEAD, "NETWORK NOT TIGHT", out);
        report_add(out, ": no link of it costs anything of a step of %s\n",
                report_step_words(n->step_s).text);
        if (d->question.problem.cluster.torus.n_axes > 0)
            report_add(out,
                    "(%s inside a slice is not counted here: 'plan3d estimate' "
                    "has what each collective costs)\n",
                    p3d_gpu_link(&d->question.problem.cluster.gpu));
    } else {
        report_paint_words(REPORT_HEAD, "TIGHT", out);
        report_add(out, ": %s, which cost %.3g s (%.1f %%) of a step of %s\n",
                cut_words(cut, out->style).text, cut->cost_s,
                100 * cut->cost_frac, report_step_words(n->step_s).text);
    }
    report_text_plan(d->estimate, out);
    report_text_question(d, out);
}

void report_cuts_begin(report_table *table, p3d_style style)
{
    report_table_begin(table, style, "lrrrrl");
    report_table_row(
            table, "cut\tGPUs below\tlinks GB/s\tcosts s\tstep %%\tmostly");
}

void report_cuts_row(report_table *table, const report_cut_row *row)
{
    if (row->gpus_below == 0)
        report_table_row(table, "%s\t%s\t-\t-\t-\t", row->cut,
                report_say(table->style, "all"));
    else
        report_table_row(table, "%s\t%d\t%.4g\t%.3g\t%.1f\t%s", row->cut,
                row->gpus_below, row->bytes_per_s / 1e9, row->cost_s,
                100 * row->cost_frac, row->mostly);
}

void report_cuts_print(report_table *table, p3d_text *out)
{
    report_table_print(table, out);
    report_wrap(report_say(out->style,
                        "(costs: what a step takes less where these links are "
                        "unlimited; of the cards, on a network with nothing "
                        "tight above them)"),
            0, out);
}

static void print_cuts(const p3d_network *n, p3d_text *out)
{
    report_table table;

    report_cuts_begin(&table, out->style);
    for (int i = 0; i < n->n_cuts; i++) {
        const p3d_network_cut *const c = &n->cuts[i];
        const report_words cut = cut_words(c, out->style);

        report_cuts_row(&table,
                &(report_cut_row){cut.text, c->gpus_below, c->bytes_per_s,
                        c->cost_s, c->cost_frac,
                        c->term != NULL ? report_say(out->style, c->term)
                                        : ""});
    }
    report_cuts_print(&table, out);
}

static void print_loads(const p3d_network *n, p3d_text *out)
{
    report_table table;

    report_table_begin(&table, out->style, "lrlrrr");
    report_table_row(&table,
            "groups\tranks\tcut\tload %%\tlinks reached %%\ttime / cards");
    for (int i = 0; i < n->n_loads; i++) {
        const p3d_network_load *const l = &n->loads[i];

        report_table_row(&table, "%s, %s\t%d\t%s\t%.3g\t%.3g\t%.3g", l->axis,
                report_say(out->style, l->pattern), l->n_ranks,
                cut_words(&n->cuts[l->tier], out->style).text,
                100 * l->load_frac, 100 * l->spread_frac, l->of_cards_frac);
    }
    report_table_print(&table, out);
    report_wrap(report_say(out->style,
                        "(load: of the GPUs below, those that send up at once; "
                        "of an all-to-all, of their bytes; time / cards: above "
                        "1 the cut is tighter than the network cards)"),
            0, out);
}

void report_network_changes(
        const p3d_network_change *changes, int n, p3d_text *out)
{
    report_table table;

    report_table_begin(&table, out->style, "lrr");
    report_table_row(&table, "the same plan with\tstep s\tstep %%");
    for (int i = 0; i < n; i++) {
        const p3d_network_change *const c = &changes[i];
        const bool same =
                c->slower_frac > -SAME_FRAC && c->slower_frac < SAME_FRAC;

        report_table_row(&table, same ? "%s\t%.4g\t=" : "%s\t%.4g\t%+.1f",
                report_say_made(out->style, c->what).text, c->step_s,
                100 * c->slower_frac);
    }
    report_table_print(&table, out);
}

void report_network(
        const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", NULL};
    const report_data data = {&report_network_document_shape, d,
            &report_network_change_shape,
            {d->network.changes, d->network.n_changes}};

    if (report_print_data(&data, format, out))
        return;
    print_head(d, out);
    p3d_text_add(out, "\n");
    if (d->cluster->n_nodes > 1) {
        print_cuts(&d->network, out);
        p3d_text_add(out, "\n");
    }
    if (d->network.n_loads > 0) {
        print_loads(&d->network, out);
        p3d_text_add(out, "\n");
    }
    if (d->network.n_changes > 0) {
        report_network_changes(d->network.changes, d->network.n_changes, out);
        p3d_text_add(out, "\n");
    }
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
