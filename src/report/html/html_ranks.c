/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_ranks.c - where the ranks of a group lie: in one domain of links, or on
 * both sides of the network. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "report/html/html.h"

/* Squares of a GPU, nodes in a column and in all that are drawn. */
enum { CELL = 10, COLUMN_NODES = 16, MOST_NODES = 64, MOST_MEMBERS = 512 };

static const struct {
    p3d_axis axis;
    const char *name;
    const char *words;
} axes[] = {{P3D_AXIS_TP, "TP", "tensor parallel"},
        {P3D_AXIS_CP, "CP", "context parallel"},
        {P3D_AXIS_EP, "EP", "expert parallel"},
        {P3D_AXIS_ETP, "ETP", "tensor parallel of experts"},
        {P3D_AXIS_DP, "DP", "replicas (data and context)"},
        {P3D_AXIS_PP, "PP", "pipeline"}};

/** The machine as it is drawn. */
typedef struct machine {
    int per_node; /* GPUs in a row */
    int n_nodes;  /* that are drawn */
    int n_rows;
} machine;

static machine machine_of(const p3d_cluster *cluster)
{
    const int n = cluster->n_nodes < MOST_NODES ? cluster->n_nodes : MOST_NODES;

    return (machine){.per_node = cluster->node.gpus_per_node,
            .n_nodes = n,
            .n_rows = n < COLUMN_NODES ? n : COLUMN_NODES};
}

static int column_width(const machine *m)
{
    return m->per_node * CELL + CELL;
}

/* The i-th rank of the group of rank 0. */
static int member(const cost_axis *axis, int i)
{
    if (axis->n_inner == 0)
        return i * axis->stride;
    return i / axis->n_inner * axis->block + i % axis->n_inner * axis->stride;
}

static void put_square(
        const machine *m, int rank, const char *class, p3d_text *out)
{
    const int node = rank / m->per_node;

    html_add(out,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"8\" "
            "height=\"8\"/>",
            class,
            node / m->n_rows * column_width(m) + rank % m->per_node * CELL,
            node % m->n_rows * CELL);
}

static bool is_shown(const p3d_plan *plan, int i)
{
    if (axes[i].axis == P3D_AXIS_EP || axes[i].axis == P3D_AXIS_ETP)
        return plan->ep > 1 && cost_axis_of(plan, axes[i].axis).n_ranks > 1;
    return cost_axis_of(plan, axes[i].axis).n_ranks > 1;
}

typedef struct ranks_links {
    char words[64];
} ranks_links;

/* "NVLink alone", or what else it crosses. */
static ranks_links where(
        const p3d_cluster *cluster, const cost_group *group, p3d_style style)
{
    const char *const link =
            cost_has_nvlink(cluster) ? p3d_gpu_link(&cluster->gpu) : "PCIe";
    ranks_links links = {""};

    if (group->n_nodes > 1 && group->ranks_per_node <= 1)
        p3d_copy(
                links.words, sizeof(links.words), report_say(style, "network"));
    else if (group->n_nodes > 1)
        snprintf(links.words, sizeof(links.words),
                report_say(style, "%s and network"), link);
    else
        snprintf(links.words, sizeof(links.words),
                report_say(style, "%s alone"), link);
    return links;
}

static void put_axis(
        const p3d_problem *problem, const p3d_plan *plan, int i, p3d_text *out)
{
    const machine m = machine_of(&problem->cluster);
    const cost_axis axis = cost_axis_of(plan, axes[i].axis);
    const cost_group group = cost_place(&problem->cluster, plan, axes[i].axis);
    const int n_columns = (m.n_nodes + m.n_rows - 1) / m.n_rows;
    const int width = n_columns * column_width(&m) - CELL;
    const int height = m.n_rows * CELL;

    html_add(out,
            "<figure class=\"axis\"><figcaption><b>%s %d</b> %s<br>"
            "<span class=\"quiet\">%s</span></figcaption>\n"
            "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
            "aria-label=\"GPUs of the first %s group\">\n",
            axes[i].name, axis.n_ranks, report_say(out->style, axes[i].words),
            where(&problem->cluster, &group, out->style).words, width, height,
            width, axes[i].name);
    for (int node = 0; node < m.n_nodes; node++)
        html_add(out, "<use href=\"#node\" x=\"%d\" y=\"%d\"/>",
                node / m.n_rows * column_width(&m), node % m.n_rows * CELL);
    for (int k = 0; k < axis.n_ranks && k < MOST_MEMBERS; k++)
        if (member(&axis, k) < m.n_nodes * m.per_node)
            put_square(&m, member(&axis, k), "on", out);
    html_add(out, "\n</svg></figure>\n");
}

/* A node's row of GPUs, drawn once and used many times. */
static void put_node(const machine *m, p3d_text *out)
{
    html_add(out, "<svg width=\"0\" height=\"0\" class=\"stamp\" "
                  "aria-hidden=\"true\"><defs><g id=\"node\">");
    for (int i = 0; i < m->per_node; i++)
        html_add(out, "<rect class=\"off\" x=\"%d\" width=\"8\" height=\"8\"/>",
                i * CELL);
    html_add(out, "</g></defs></svg>\n");
}

static void put_table(
        const p3d_problem *problem, const p3d_plan *plan, p3d_text *out)
{
    html_table(out, "Groups by axis",
            "<axis|ranks|from rank to rank|in one domain|domains|<goes over");
    for (int i = 0; i < P3D_COUNT_OF(axes); i++) {
        const cost_axis axis = cost_axis_of(plan, axes[i].axis);
        const cost_group group =
                cost_place(&problem->cluster, plan, axes[i].axis);
        const ranks_links links = where(&problem->cluster, &group, out->style);
        char ranks[HTML_CELL], stride[HTML_CELL];
        char inside[HTML_CELL], domains[HTML_CELL];

        if (!is_shown(plan, i))
            continue;
        snprintf(ranks, sizeof(ranks), "%d", axis.n_ranks);
        snprintf(stride, sizeof(stride), "%d", axis.stride);
        snprintf(inside, sizeof(inside), "%d", group.ranks_per_node);
        snprintf(domains, sizeof(domains), "%d", group.n_nodes);
        html_row(out, (const char *const[]){axes[i].words, ranks, stride,
                              inside, domains, links.words, NULL});
    }
    html_table_end(out);
}

/* "Tensor parallel stays on NVLink; ... cross the network" */
static void print_title(
        const p3d_problem *problem, const p3d_plan *plan, p3d_text *out)
{
    const char *const parts[] = {" in a node", " across the network"};
    bool any = false;

    for (int far = 0; far < 2; far++) {
        int n = 0;

        for (int i = 0; i < P3D_COUNT_OF(axes); i++) {
            const cost_group group =
                    cost_place(&problem->cluster, plan, axes[i].axis);

            if (!is_shown(plan, i) || (group.n_nodes > 1) != (far == 1))
                continue;
            p3d_text_add(out, "%s%s",
                    report_say(out->style, n++ > 0 ? ", "
                                           : any   ? "; "
                                                   : ""),
                    axes[i].name);
        }
        if (n > 0)
            p3d_text_add(out, "%s", report_say(out->style, parts[far]));
        any = any || n > 0;
    }
}

void html_ranks(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    const p3d_problem *const problem = &d->question.problem;
    const machine m = machine_of(&problem->cluster);
    p3d_text title = {.style = out->style};

    if (problem->cluster.n_gpus == 1)
        return;
    print_title(problem, &d->estimate->found.plan, &title);
    html_fold(out, "ranks", "Which ranks talk to each other",
            p3d_text_get(&title));
    html_add(out,
            m.per_node == 1
                    ? "<p class=\"quiet\">A row is a node of %d GPU, a square "
                      "one GPU; filled: the group of rank 0. Every group of an "
                      "axis lies alike.</p>\n"
                    : "<p class=\"quiet\">A row is a node of %d GPUs, a "
                      "square one GPU; filled: the group of rank 0. Every "
                      "group "
                      "of an axis lies alike.</p>\n",
            m.per_node);
    put_node(&m, out);
    html_add(out, "<div class=\"axes\">\n");
    for (int i = 0; i < P3D_COUNT_OF(axes); i++)
        if (is_shown(&d->estimate->found.plan, i))
            put_axis(problem, &d->estimate->found.plan, i, out);
    html_add(out, "</div>\n");
    if (m.n_nodes < problem->cluster.n_nodes)
        html_add(out,
                "<p class=\"quiet\">The first %d of %d nodes are drawn."
                "</p>\n",
                m.n_nodes, problem->cluster.n_nodes);
    put_table(problem, &d->estimate->found.plan, out);
    html_fold_end(out);
    report_text_free(&title, out);
}
