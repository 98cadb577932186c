/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_pools_network.c - which links are tight for a plan on pools, in text. */
#include <stdio.h>

#include "report/amounts.h"
#include "report/report.h"
#include "report/text/layout.h"
#include "report/text/text.h"
#include "report/text/text_network.h"
#include "report/text/text_pools.h"

/* "A800-SXM4-80GB, links up of tier 1", "A800-SXM4-80GB to new". */
static report_sentence cut_words(const report_pools_cut *cut, p3d_style style)
{
    report_sentence out;

    if (cut->to != NULL)
        (void)snprintf(out.text, sizeof(out.text),
                report_say(style, "%s to %s"), cut->pool, cut->to);
    else if (cut->found.tier == 0)
        (void)snprintf(out.text, sizeof(out.text), "%s, %s", cut->pool,
                report_say(style, "network cards"));
    else
        (void)snprintf(out.text, sizeof(out.text),
                report_say(style, "%s, links up of tier %d"), cut->pool,
                cut->found.tier);
    return out;
}

static void print_head(const report_pools *a, p3d_text *out)
{
    const p3d_pools_network *const n = a->network;
    const report_pools_cut *const cut =
            n->tight >= 0 ? &a->cut_rows[n->tight] : NULL;

    if (cut == NULL) {
        report_paint_words(REPORT_HEAD, "NETWORK NOT TIGHT", out);
        report_add(out, ": no link of it costs anything of a step of %s\n",
                report_step_words(n->step_s).text);
    } else {
        report_paint_words(REPORT_HEAD, "TIGHT", out);
        report_add(out, ": %s, which cost %.3g s (%.1f %%) of a step of %s\n",
                cut_words(cut, out->style).text, cut->found.cost_s,
                100 * cut->found.cost_frac, report_step_words(n->step_s).text);
    }
}

/* The part of a step that links cost most. */
static const char *mostly(const p3d_pools_cut *cut)
{
    if (cut->cost_s <= 0)
        return "";
    return 2 * cut->pipeline_s > cut->cost_s ? "pipelines" : "gradients";
}

static void print_cuts(const report_pools *a, p3d_text *out)
{
    report_table table;

    report_cuts_begin(&table, out->style);
    for (int i = 0; i < a->cuts.n; i++) {
        const p3d_pools_cut *const c = &a->cut_rows[i].found;
        const report_sentence cut = cut_words(&a->cut_rows[i], out->style);

        report_cuts_row(&table, &(report_cut_row){cut.text, c->gpus_below,
                                        c->bytes_per_s, c->cost_s, c->cost_frac,
                                        report_say(out->style, mostly(c))});
    }
    report_cuts_print(&table, out);
}

static void print_loads(const report_pools *a, p3d_text *out)
{
    report_table table;

    report_table_begin(&table, out->style, "llrrr");
    report_table_row(
            &table, "groups\tcut\tload %%\tlinks reached %%\ttime / cards");
    for (int i = 0; i < a->network->n_loads; i++) {
        const p3d_pools_load *const l = &a->network->loads[i];

        report_table_row(&table, "%s, %s\t%s\t%.3g\t%.3g\t%.3g", l->axis,
                report_say(out->style, l->pattern),
                cut_words(&a->cut_rows[l->cut], out->style).text,
                100 * l->load_frac, 100 * l->spread_frac, l->of_cards_frac);
    }
    report_table_print(&table, out);
    report_wrap(report_say(out->style,
                        "(load: of the GPUs below, those that send up at once; "
                        "of unlike stages, those that find the cut the "
                        "tightest; time / cards: above 1 the cut is tighter "
                        "than the network cards)"),
            0, out);
}

void report_pools_network(
        const report_pools *a, report_format format, p3d_text *out)
{
    const p3d_pools_network *const n = a->network;
    const report_data data = {&report_pools_network_document_shape, a,
            &report_pools_change_shape,
            {n != NULL ? n->changes : NULL, n != NULL ? n->n_changes : 0}};

    if (report_print_data(&data, format, out))
        return;
    if (n == NULL) {
        report_pools_verdict(a, out);
        report_pools_question(a, out);
        return;
    }
    print_head(a, out);
    report_pools_question(a, out);
    if (a->found->prefer_alone)
        report_wrap_labelled("plan", out,
                "the fastest on all pools together; %s alone is no slower",
                a->recommended);
    p3d_text_add(out, "\n");
    report_pools_classes(a, out);
    p3d_text_add(out, "\n");
    print_cuts(a, out);
    p3d_text_add(out, "\n");
    if (n->n_loads > 0) {
        print_loads(a, out);
        p3d_text_add(out, "\n");
    }
    report_network_changes(n->changes, n->n_changes, out);
    p3d_text_add(out, "\n");
    report_pools_links(a, out);
}
