/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_page.h - plan3d import of a page that plan3d report made. */
#ifndef PLAN3D_CLI_IMPORT_PAGE_H
#define PLAN3D_CLI_IMPORT_PAGE_H

#include "base/text.h"
#include "cli/answer.h"

/**
 * Ask the question of a page again, of its own model, cluster, job and plan.
 *
 * @param args  of the import: nothing but the page, --format and --json
 * @param text  of the page
 */
P3D_CHECK bool cli_import_page(const cli_args *args, const char *text,
        cli_reply *reply, p3d_error *err);

#endif
