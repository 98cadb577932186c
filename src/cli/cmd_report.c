/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_report.c - plan3d report: one page of HTML to look at and to send. */
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/rows.h"

/* The page stands where other commands have text. */
static const char *format_word(int i)
{
    static const char *const words[] = {"html", "json"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* clang-format off */
static const cli_option options[] = {
    CLI_PLAN_OR_BEST_ROW,
    {.name = "out", .letter = 'o', .kind = CLI_TEXT,
     .offset = CLI_AT(out, const char *), .value = "FILE",
     .fallback = "standard output", .doc = "file to write (plan.html)"},
    {.name = "force", .kind = CLI_FLAG, .offset = CLI_AT(force, _Bool),
     .doc = "replace a file that is there"},
    CLI_IDLE_ROW,
    CLI_FORMATS_ROW(format_word, "html", "html, or json: what the page shows"),
    CLI_JOB_ROWS,
};
/* clang-format on */

static bool make_document(cli_page *page, p3d_error *err)
{
    const report_question *const question = &page->question->question;
    const p3d_pins pins = p3d_pins_free();
    p3d_change changes[P3D_MAX_CHANGES];
    report_findings findings = {.search = page->search,
            .estimate = &page->estimate,
            .explain = true};

    if (page->search->n_top == 0)
        cli_find_changes(&question->problem, &pins, changes, &findings);
    page->document = report_document_create(question, &findings, err);
    page->page.document = page->document;
    return page->document != NULL;
}

static bool find_all(cli_page *page, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();

    page->cache = p3d_search_cache_create(err);
    if (page->cache == NULL)
        return false;
    page->other = malloc(sizeof(*page->other));
    if (page->other == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!cli_question_search(
                page->question, &pins, P3D_MAX_TOP, &page->search, err) ||
            !cli_goes_on("before the page was made", err) ||
            !cli_estimate_plan_or_found(page->question, page->args->plan,
                    page->search, &page->estimate, err) ||
            !make_document(page, err) || !cli_page_origin(page, err) ||
            !cli_page_space(page, err) || !cli_page_scales(page, err) ||
            !cli_page_targets(page, err))
        return false;
    cli_page_swings(page);
    return true;
}

static void free_page(cli_page *page)
{
    for (int i = 0; i < P3D_COUNT_OF(page->texts); i++)
        free(page->texts[i]);
    for (int i = 0; i < page->page.targets.n; i++)
        p3d_launch_files_free(&page->launches[i]);
    report_document_destroy(page->document);
    p3d_search_cache_destroy(page->cache);
    free(page->other);
    free(page->search);
    free(page);
}

static bool print(const cli_page *page, p3d_text *out, p3d_error *err)
{
    const cli_args *const args = page->args;
    const bool to_file = args->out != NULL && strcmp(args->out, "-") != 0;
    p3d_text file = {0};
    p3d_text *const to = to_file ? &file : out;
    bool ok = true;

    if (cli_format(args) == REPORT_JSON)
        report_print_json(&report_page_shape, &page->page, to);
    else
        ok = report_page_print(&page->page, to, err);
    if (ok && to_file) {
        p3d_text_add(out, "%s: %lld KB%s\n", args->out,
                ((long long)file.length + 999) / 1000,
                cli_format(args) == REPORT_JSON
                        ? ""
                        : "; open it in a browser, or read it with plan3d "
                          "import");
        ok = out->failed ||
             cli_write_file(args->out, args->force, "plan.html", &file, err);
    }
    p3d_text_free(&file);
    return ok;
}

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    cli_page *const page = calloc(1, sizeof(*page));
    bool ok;

    if (page == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    page->args = args;
    page->question = question;
    ok = find_all(page, err) && print(page, reply->out, err);
    if (ok)
        reply->code = page->estimate.fits ? P3D_OK : P3D_NO;
    free_page(page);
    return ok;
}

const cli_command cli_report = {
        .name = "report",
        .summary = "One page of HTML to look at and to send: the plan, its "
                   "figures, its launch files.",
        .positionals = {{"MODEL",
                                "name of 'plan3d list models', path of a "
                                "Hugging Face config.json, or a size such as "
                                "70B",
                                CLI_ONCE},
                CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d report 70B 64xA800 -o plan.html",
                "plan3d report 70B 64xA800 --plan tp=8,pp=4 --tokens 2T "
                "--price 1.50 -o plan.html"},
        .answer = answer,
};
