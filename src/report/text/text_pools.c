/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_pools.c - the fastest plan on pools of several types, in text. */
#include <stdio.h>
#include <string.h>

#include "report/amounts.h"
#include "report/pools.h"
#include "report/report.h"
#include "report/text/layout.h"
#include "report/text/text.h"
#include "report/text/text_pools.h"
#include "spec/hardware.h"

static const p3d_pool_alone *best_alone(const report_pools *a)
{
    return a->found->best_alone < 0 ? NULL
                                    : &a->found->alone[a->found->best_alone];
}

/* The verdict: what to run, and how much faster that is than the other. */
void report_pools_verdict(const report_pools *a, p3d_text *out)
{
    const p3d_pools_result *const r = a->found;
    const p3d_pool_alone *const alone = best_alone(a);

    if (!a->fits) {
        report_paint_words(
                REPORT_BAD, report_say(out->style, "DOES NOT FIT"), out);
        report_add(out,
                " on these pools, together or alone, with a plan of the kinds "
                "searched\n");
        return;
    }
    report_paint_words(REPORT_GOOD, report_say(out->style, "FITS"), out);
    if (r->prefer_alone && !r->fits)
        report_add(out,
                " on %s alone: %s per step; not on all pools together\n",
                a->recommended, report_step_words(alone->step_s).text);
    else if (r->prefer_alone && r->plan.step_s < alone->step_s)
        report_add(out,
                " best on %s alone, where the training ends first: %s per "
                "step; all pools together take %s\n",
                a->recommended, report_step_words(alone->step_s).text,
                report_step_words(r->plan.step_s).text);
    else if (r->prefer_alone)
        report_add(out,
                " best on %s alone: %s per step; all pools together take %s\n",
                a->recommended, report_step_words(alone->step_s).text,
                report_step_words(r->plan.step_s).text);
    else if (alone != NULL)
        report_add(out,
                " on all pools together: %s per step, %.3g times as fast as "
                "the best pool alone\n",
                report_step_words(r->plan.step_s).text,
                alone->step_s / r->plan.step_s);
    else
        report_add(out,
                " on all pools together: %s per step; no pool does alone\n",
                report_step_words(r->plan.step_s).text);
}

/* What the pools hold, each with its name where a file gave it another than
 * that of its GPU. */
static void print_pools(const report_pools *a, p3d_text *out)
{
    const p3d_pools *const pools = &a->problem->pools;
    p3d_text holds = {.length = 0};

    for (int k = 0; k < pools->n_pools; k++) {
        const p3d_cluster *const c = &pools->clusters[k];
        const bool named = strcmp(pools->names[k], c->gpu.name) != 0;

        p3d_text_add(&holds, "%s%s%s%d x %s", k == 0 ? "" : " + ",
                named ? pools->names[k] : "", named ? " " : "", c->n_gpus,
                c->gpu.name);
    }
    if (strcmp(p3d_text_get(&holds), pools->name) == 0)
        report_wrap_labelled("pools", out, "%s", pools->name);
    else
        report_wrap_labelled(
                "pools", out, "%s: %s", pools->name, p3d_text_get(&holds));
    out->failed = out->failed || holds.failed;
    p3d_text_free(&holds);
}

/* The network of the pools that have several nodes. */
static void print_networks(const report_pools *a, p3d_text *out)
{
    const p3d_pools *const pools = &a->problem->pools;

    for (int k = 0; k < pools->n_pools; k++) {
        const p3d_cluster *const c = &pools->clusters[k];
        p3d_text tiers = {.style = out->style};

        if (c->node.gpus_per_nvlink_domain > c->node.gpus_per_node)
            report_add(&tiers, ", %s in domains of %d", p3d_gpu_link(&c->gpu),
                    c->node.gpus_per_nvlink_domain);
        report_add_tiers(&c->tiers, &tiers);
        if (c->n_nodes > 1 || c->tiers.n > 0)
            report_wrap_labelled("network", out,
                    "%s: %d x %.4g GB/s %s per node%s", pools->names[k],
                    c->node.nics_per_node,
                    c->fabric.nic_bytes_per_s_one_way / 1e9, c->fabric.name,
                    p3d_text_get(&tiers));
        report_text_free(&tiers, out);
    }
}

void report_pools_question(const report_pools *a, p3d_text *out)
{
    report_wrap_labelled("job", out,
            "%s, %s sequences of %s tokens per step, %s", a->model,
            report_integer_words(a->global_batch).text,
            report_integer_words(a->seq_len).text,
            a->problem->on[0].job.framework->title);
    print_pools(a, out);
    print_networks(a, out);
}

static void print_step(const report_pools *a, p3d_text *out)
{
    const p3d_pools_plan *const plan = &a->found->plan;
    int used = 0, all = 0;

    for (int k = 0; k < a->problem->pools.n_pools; k++) {
        used += plan->n_gpus[k];
        all += a->problem->pools.clusters[k].n_gpus;
    }
    report_wrap_labelled("step", out,
            "%s of pipelines, then %s of gradients, optimizer and what is "
            "fixed; %s tokens/s, MFU %.3g %% of the %d of %d GPUs that are "
            "used; ZeRO %d over %d replica%s",
            report_step_words(plan->pipeline_s).text,
            report_step_words(plan->once_s).text,
            report_integer_words((int64_t)plan->tokens_per_s).text,
            100 * plan->mfu_frac, used, all, plan->zero, plan->n_replicas,
            plan->n_replicas == 1 ? "" : "s");
}

static void print_days(const report_pools *a, p3d_text *out)
{
    const p3d_training *const t = &a->training->found;
    const report_clock unit = report_long_clock_for(t->real_s);

    if (!t->progresses) {
        report_wrap_labelled("time", out,
                "on all pools together the training never ends: it fails, or a "
                "pool is taken away, faster than it works");
        return;
    }
    report_wrap_labelled("time", out,
            "%s %s on all pools together, with checkpoints and failures; "
            "goodput %.3g %%",
            report_three_words(t->real_s / unit.unit_s).text,
            report_say(out->style, unit.word), 100 * t->goodput_frac);
    if (t->n_preemptions > 0)
        report_wrap_labelled("", out,
                "some pool is taken away %s times, for %s %s in all",
                report_three_words(t->n_preemptions).text,
                report_three_words(t->away_s / unit.unit_s).text,
                report_say(out->style, unit.word));
}

static void print_rent(const report_pools *a, p3d_text *out)
{
    const double usd = a->training->found.rent_usd;

    if (usd > 0)
        report_wrap_labelled("cost", out,
                "USD %s for the training, for the GPUs that are used",
                report_three_words(usd).text);
}

/* The days that the training takes, and on the best pool alone. */
static void print_training(const report_pools *a, p3d_text *out)
{
    const report_pool *const rows = a->pools.items;
    const int best = a->found->best_alone;

    if (a->training == NULL)
        return;
    if (a->found->fits)
        print_days(a, out);
    if (best >= 0 && rows[best].alone_real_s > 0) {
        const report_clock unit =
                report_long_clock_for(rows[best].alone_real_s);

        report_wrap_labelled(a->found->fits ? "" : "time", out,
                "%s %s on %s alone",
                report_three_words(rows[best].alone_real_s / unit.unit_s).text,
                report_say(out->style, unit.word), rows[best].name);
    }
    print_rent(a, out);
}

static void print_cost(const report_pools *a, p3d_text *out)
{
    const report_pool *const rows = a->pools.items;
    const int best = a->found->best_alone;
    const double alone_usd =
            best >= 0 ? rows[best].alone_billion_tokens_usd : 0;

    if (a->billion_tokens_usd > 0)
        report_wrap_labelled("cost", out,
                "USD %s per billion tokens for the GPUs that are used, each "
                "pool's at its price, if nothing fails",
                report_three_words(a->billion_tokens_usd).text);
    if (alone_usd > 0)
        report_wrap_labelled(a->billion_tokens_usd > 0 ? "" : "cost", out,
                "USD %s per billion tokens on %s alone",
                report_three_words(alone_usd).text, rows[best].name);
}

void report_pools_classes(const report_pools *a, p3d_text *out)
{
    const report_replica_class *const rows = a->classes.items;
    report_table table;

    report_table_begin(&table, out->style, "rlrrlrr");
    report_table_row(&table, "replicas\tpipeline, from the first stage on\tmbs"
                             "\tmicro-batches\trecompute\tdone s\tpeak GiB");
    for (int i = 0; i < a->classes.n; i++) {
        const p3d_replica_class *const c = &rows[i].found;

        report_table_row(&table, "%d\t%s\t%d\t%s\t%s\t%s\t%s", c->n_replicas,
                rows[i].pipeline, c->micro_batch,
                report_integer_words(c->n_micro_batches).text,
                p3d_recompute_name(c->recompute),
                report_three_words(c->pipeline_s).text,
                report_gib_words(c->peak_bytes).text);
    }
    report_table_print(&table, out);
}

static void print_alone(const report_pools *a, p3d_text *out)
{
    const report_pool *const rows = a->pools.items;
    const int best = a->found->best_alone;

    if (best < 0)
        report_wrap_labelled(
                "alone", out, "no pool alone has a plan that is sure to fit");
    else
        report_wrap_labelled("alone", out,
                "the best pool alone is %s: %s per step with %s",
                rows[best].name,
                report_step_words(rows[best].alone_step_s).text,
                rows[best].alone_plan);
}

void report_pools_links(const report_pools *a, p3d_text *out)
{
    const report_pool_link *const rows = a->links.items;
    const p3d_pools *const pools = &a->problem->pools;

    for (int i = 0; i < a->links.n; i++) {
        const bool tiers = pools->clusters[pools->links[i].pool].tiers.n > 0 ||
                           pools->clusters[pools->links[i].other].tiers.n > 0;
        const double rate = rows[i].bytes_per_s_one_way / 1e9;

        if (!rows[i].assumed)
            report_wrap_labelled("link", out,
                    "%s to %s: %.4g GB/s a node one way", rows[i].from,
                    rows[i].to, rate);
        else
            report_wrap_labelled("assumed", out,
                    tiers ? "%s to %s: %.4g GB/s a node one way, the cards of "
                            "the slower of the two fabrics, and no more than "
                            "the switches above let through; a cluster file "
                            "says another"
                          : "%s to %s: %.4g GB/s a node one way, the slower of "
                            "the two fabrics; a cluster file says another",
                    rows[i].from, rows[i].to, rate);
    }
}

static void print_proof(const report_pools *a, p3d_text *out)
{
    const p3d_pools_result *const r = a->found;

    report_wrap_labelled("proof", out,
            r->interrupted
                    ? "interrupted: no plan is proven to be the fastest; %s "
                      "classes of replicas split, %s left out by bounds, %s "
                      "knapsacks; the work alone takes %s"
            : r->fits ? "no plan of these kinds is faster: %s classes of "
                        "replicas split, %s left out by bounds, %s knapsacks; "
                        "the work alone takes %s"
                      : "no plan of these kinds fits: %s classes of replicas "
                        "split, %s left out by bounds, %s knapsacks; the work "
                        "alone takes %s",
            report_integer_words(r->n_classes).text,
            report_integer_words(r->n_cut).text,
            report_integer_words(r->n_knapsacks).text,
            report_step_words(r->floor_s).text);
    for (int k = 0; k < a->problem->pools.n_pools; k++)
        if (r->unit[k] > 1)
            report_wrap_labelled("units", out,
                    "a replica takes the GPUs of %s by %d",
                    a->problem->pools.names[k], r->unit[k]);
    report_wrap_labelled("limits", out,
            "not searched on mixed pools: CP, EP, ZeRO-2/3, offload; "
            "micro-batches other than 1, 2, 4, 8; more than 2 chunks a stage");
}

/* What runs pools: of the frameworks FlagScale alone, replicas that are all
 * alike. */
static void print_export(const report_pools *a, p3d_text *out)
{
    const p3d_pools_result *const r = a->found;
    const double slower = a->alike_step_s / r->plan.step_s - 1;

    if (!r->fits || r->prefer_alone)
        return;
    if (a->alike_step_s <= 0)
        report_wrap_labelled("export", out,
                "no framework runs this plan: FlagScale, the only one on pools "
                "of several types, takes replicas that are all alike, and no "
                "such plan fits");
    else if (slower < 5e-4)
        report_wrap_labelled("export", out,
                "'plan3d export --to flagscale' writes it; no other framework "
                "runs pools of several types");
    else
        report_wrap_labelled("export", out,
                "'plan3d export --to flagscale' writes the fastest plan whose "
                "replicas are all alike: %s per step, %.3g %% slower; no other "
                "framework runs pools of several types",
                report_step_words(a->alike_step_s).text, 100 * slower);
}

/* What was found is written, where a framework runs it, or looked into; the
 * best pool alone is asked about where it is recommended. */
static void print_next(const report_pools *a, p3d_text *out)
{
    const bool alone = a->found->prefer_alone || !a->found->fits;
    const bool written = !alone && a->exports && a->alike_step_s > 0;
    p3d_text command = {.style = out->style};
    const int best = a->found->best_alone;

    if (alone && best < 0)
        return;
    p3d_text_add(&command, alone     ? "plan3d fit "
                           : written ? "plan3d export "
                                     : "plan3d explain ");
    report_shell_word(a->model_word, &command);
    p3d_text_add(&command, " ");
    if (alone)
        report_pool_word(
                &a->problem->pools, best, 0, a->cluster_word, &command);
    else
        report_shell_word(a->cluster_word, &command);
    if (!alone && !written)
        p3d_text_add(&command, " %s", "network");
    p3d_text_add(&command, "%s", a->options);
    if (!a->said_batch)
        p3d_text_add(&command, " --batch %lld", (long long)a->global_batch);
    if (written)
        p3d_text_add(&command, " --to flagscale -o run");
    p3d_text_add(out, "\n");
    report_next(&command, out);
}

void report_pools_print(
        const report_pools *a, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_pools_shape, a, &report_replica_class_shape, a->classes};

    if (report_print_data(&data, format, out))
        return;
    report_pools_verdict(a, out);
    report_pools_question(a, out);
    if (a->found->fits) {
        print_step(a, out);
        p3d_text_add(out, "\n");
        report_pools_classes(a, out);
        p3d_text_add(out, "\n");
    }
    print_training(a, out);
    print_alone(a, out);
    print_cost(a, out);
    report_pools_links(a, out);
    print_proof(a, out);
    print_export(a, out);
    print_next(a, out);
}
