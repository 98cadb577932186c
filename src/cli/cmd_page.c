/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_page.c - plan3d page: the program as a page for a browser, which the
 * program holds where the page was built before it. */
#include <string.h>

#include "base/builtin.h"
#include "cli/commands.h"
#include "cli/option_rows.h"
#include "cli/output.h"

#define PAGE_NAME "plan3d.html"

static const json_option options[] = {
        CLI_FILE_ROWS("standard output", "file to write (plan3d.html)",
                "replace a file that is there"),
        CLI_HELP_ROW,
};

static bool write_page(const p3d_builtin_file *page, const cli_args *args,
        p3d_text *out, p3d_error *err)
{
    const bool to_file = args->out != NULL && strcmp(args->out, "-") != 0;
    p3d_text file = {0};
    bool ok = true;

    p3d_text_append(to_file ? &file : out, page->text, page->length);
    if (to_file) {
        p3d_text_add(out, "%s: %lld KB; open it in a browser\n", args->out,
                ((long long)page->length + 999) / 1000);
        ok = out->failed ||
             cli_write_file(args->out, args->force, PAGE_NAME, &file, err);
    }
    p3d_text_free(&file);
    return ok;
}

static bool run_page(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const p3d_builtin_file *const page =
            p3d_builtin_find(P3D_BUILTIN "page/" PAGE_NAME);

    if (page == NULL)
        return p3d_fail(err, P3D_SYSTEM,
                "this program holds no page; 'make page all' in its sources "
                "builds one that does");
    return write_page(page, args, reply->out, err);
}

const cli_command cli_page = {
        .name = "page",
        .summary = "This program as one page for a browser: it answers there "
                   "without a network.",
        .table = CLI_TABLE(options),
        .examples = {"plan3d page -o plan3d.html"},
        .run = run_page,
};
