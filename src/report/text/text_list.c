/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_list.c - the lists of what plan3d knows, as tables. */
#include <stdio.h>

#include "plan3d/units.h"
#include "report/list.h"
#include "report/text/amounts.h"
#include "report/text/table.h"
#include "report/text/wrap.h"

/* A number, or a dash where there is none. */
static void number(report_table *table, double value)
{
    if (value == 0)
        report_table_cell(table, "-");
    else
        report_table_cell(table, "%.5g", value);
}

void report_print_models(const json_list *items, p3d_text *out)
{
    static const char *const words[] = {"model", "parameters", "active",
            "layers", "hidden", "heads", "experts", "context"};
    const report_model_item *models = items->items;
    report_table table;

    report_table_begin(&table, "lrrrrrrr");
    report_table_heads(&table, words);
    for (int i = 0; i < items->n; i++) {
        const p3d_model *m = &models[i].model;
        char count[32];

        report_table_cell(&table, "%s", models[i].name);
        report_table_cell(&table, "%s",
                p3d_print_integer(count, sizeof(count), p3d_total_params(m)));
        report_table_cell(&table, "%s",
                m->n_experts == 0 ? "all"
                                  : p3d_print_integer(count, sizeof(count),
                                            p3d_active_params(m)));
        report_table_cell(&table, "%d", m->n_layers);
        report_table_cell(&table, "%d", m->hidden);
        report_table_cell(&table, "%d/%d", m->n_heads, m->n_kv_heads);
        if (m->n_experts == 0)
            report_table_cell(&table, "-");
        else
            report_table_cell(&table, "%d/%d", m->top_k, m->n_experts);
        if (m->max_positions == 0)
            report_table_cell(&table, "-");
        else
            report_table_cell(&table, "%d", m->max_positions);
    }
    report_table_print(&table, out);
    p3d_text_add(out, "(heads: of queries/of keys and values; experts: of a "
                      "token/of a layer)\n");
}

void report_print_gpus(const json_list *items, p3d_text *out)
{
    static const char *const words[] = {"GPU", "GiB", "visible", "HBM GB/s",
            "bf16", "fp8", "NVLink", "node", "constants"};
    const p3d_gpu *gpus = items->items;
    report_table table;

    report_table_begin(&table, "lrrrrrrll");
    report_table_heads(&table, words);
    for (int i = 0; i < items->n; i++) {
        const p3d_gpu *g = &gpus[i];

        report_table_cell(&table, "%s", g->name);
        report_table_cell(&table, "%.2f", report_gib(g->memory_bytes));
        report_table_cell(&table, "%.2f", report_gib(g->visible_memory_bytes));
        number(&table, g->hbm_bytes_per_s / 1e9);
        number(&table, g->bf16_flop_per_s / 1e12);
        number(&table, g->fp8_flop_per_s / 1e12);
        number(&table, g->nvlink_bytes_per_s_one_way / 1e9);
        report_table_cell(&table, "%s", g->node);
        report_table_cell(&table, "%s", g->calibration);
    }
    report_table_print(&table, out);
    p3d_text_add(out,
            "(GiB: memory as marketed and as a program sees it; bf16, fp8: "
            "dense peak in TFLOP/s;\nNVLink: GB/s of a GPU one way, half of "
            "what is "
            "mostly quoted; constants: a file of\nhardware/calibration)\n");
}

void report_print_nodes(const json_list *items, p3d_text *out)
{
    static const char *const words[] = {"node", "GPUs", "NVLink domain",
            "NVSwitch", "NICs", "host GiB", "host GB/s", "network"};
    const p3d_node *nodes = items->items;
    report_table table;

    report_table_begin(&table, "lrrlrrrl");
    report_table_heads(&table, words);
    for (int i = 0; i < items->n; i++) {
        const p3d_node *n = &nodes[i];

        report_table_cell(&table, "%s", n->name);
        report_table_cell(&table, "%d", n->gpus_per_node);
        report_table_cell(&table, "%d", n->gpus_per_nvlink_domain);
        report_table_cell(&table, "%s", n->nvswitch ? "yes" : "no");
        report_table_cell(&table, "%d", n->nics_per_node);
        report_table_cell(&table, "%.0f", report_gib(n->host_memory_bytes));
        number(&table, n->host_memory_bytes_per_s / 1e9);
        report_table_cell(&table, "%s", n->fabric);
    }
    report_table_print(&table, out);
}

void report_print_fabrics(const json_list *items, p3d_text *out)
{
    static const char *const words[] = {"network", "kind", "GB/s per NIC",
            "latency us", "all-reduce %", "all-gather %", "p2p %"};
    const p3d_fabric *fabrics = items->items;
    report_table table;

    report_table_begin(&table, "llrrrrr");
    report_table_heads(&table, words);
    for (int i = 0; i < items->n; i++) {
        const p3d_fabric *f = &fabrics[i];

        report_table_cell(&table, "%s", f->name);
        report_table_cell(&table, "%s", f->kind);
        number(&table, f->nic_bytes_per_s_one_way / 1e9);
        number(&table, f->latency_s * 1e6);
        number(&table, 100 * f->all_reduce_frac);
        number(&table, 100 * f->all_gather_frac);
        number(&table, 100 * f->p2p_frac);
    }
    report_table_print(&table, out);
    p3d_text_add(out, "(GB/s one way; %%: of that rate, as reached by "
                      "collectives and by send and receive)\n");
}

void report_print_calibrations(const json_list *items, p3d_text *out)
{
    static const char *const words[] = {"calibration", "GPU", "products %",
            "fp8 %", "attention %", "passes %", "NCCL %", "date", "device"};
    const report_calibration_item *calibrations = items->items;
    report_table table;

    report_table_begin(&table, "llrrrrrll");
    report_table_heads(&table, words);
    for (int i = 0; i < items->n; i++) {
        const p3d_calibration *c = &calibrations[i].constants;
        const double errors[] = {c->gemm.error_frac, c->gemm_fp8.error_frac,
                report_attention_error_frac(c), c->pass.error_frac,
                c->collective_error_frac};

        report_table_cell(&table, "%s", calibrations[i].name);
        report_table_cell(&table, "%s", c->basis);
        for (size_t k = 0; k < sizeof(errors) / sizeof(errors[0]); k++)
            if (errors[k] > 0)
                report_table_cell(&table, "%.1f", 100 * errors[k]);
            else
                report_table_cell(&table, "-");
        report_table_cell(&table, "%.10s", c->date[0] != '\0' ? c->date : "-");
        report_table_cell(&table, "%s", c->device[0] != '\0' ? c->device : "-");
    }
    report_table_print(&table, out);
    p3d_text_add(out, "(%%: mean errors of the fits on kernels held out; NCCL: "
                      "collectives in a node; date, device:\nof a machine that "
                      "'plan3d calibrate' was given)\n");
}

/* "optimizer, activations": in the words of a plan. */
static const char *offload_words(const p3d_framework *f, char out[64])
{
    const struct {
        bool can;
        const char *word;
    } parts[] = {{f->offload_zero_stages != 0, "optimizer"},
            {f->parameter_offload, "parameters"},
            {f->activation_offload, "activations"}};
    size_t used = 0;

    (void)snprintf(out, 64, "none");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (parts[i].can)
            used += (size_t)snprintf(out + used, 64 - used, "%s%s",
                    used > 0 ? ", " : "", parts[i].word);
    return out;
}

void report_print_frameworks(const json_list *items, p3d_text *out)
{
    static const char *const words[] = {
            "framework", "ZeRO", "with PP", "PP", "VP", "CP", "EP", "offload"};
    static const char *const notes[P3D_N_FRAMEWORK_STANDINGS] = {
            "", "; of the past: not among any", "; a profile: not among any"};
    const p3d_framework *frameworks = items->items;
    report_table table;

    report_table_begin(&table, "llllllll");
    report_table_heads(&table, words);
    for (int i = 0; i < items->n; i++) {
        const p3d_framework *f = &frameworks[i];
        const bool can[] = {f->pipeline,
                p3d_schedule_offered(P3D_INTERLEAVED, f), f->context_parallel,
                f->expert_parallel};
        char zero[REPORT_ZERO_WORDS];
        char offload[64];

        report_table_cell(&table, "%s", f->name);
        report_table_cell(
                &table, "%s", report_zero_words(f->zero_stages, zero));
        report_table_cell(&table, "%s",
                report_zero_words(report_pipeline_stages(f), zero));
        for (size_t k = 0; k < sizeof(can) / sizeof(can[0]); k++)
            report_table_cell(&table, "%s", can[k] ? "yes" : "no");
        report_table_cell(&table, "%s", offload_words(f, offload));
    }
    report_table_print(&table, out);
    for (int i = 0; i < items->n; i++) {
        const p3d_framework *f = &frameworks[i];
        char aliases[REPORT_ALIASES];
        p3d_text about = {0};

        report_aliases(f, aliases);
        p3d_text_add(&about, "%s%s%s: %s, as of %s%s", f->name,
                aliases[0] != '\0' ? " or " : "", aliases, f->title,
                f->versions, notes[f->standing]);
        report_wrap(p3d_text_get(&about), 0, REPORT_WIDTH, out);
        out->failed = out->failed || about.failed;
        p3d_text_free(&about);
    }
    p3d_text_add(out, "any: the one of these whose best plan is the fastest\n");
}
