/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - the files of a launch, in memory. */
#include "exchange/launch/export.h"

#include <string.h>

#include "base/util.h"
#include "base/write_file.h"

void exchange_comment_write(const char *lines, p3d_text *out)
{
    while (*lines != '\0') {
        const size_t n = strcspn(lines, "\n");

        p3d_text_add(out, n > 0 ? "# " : "#");
        p3d_text_show(out, lines, n, "");
        p3d_text_append(out, "\n", 1);
        lines += n + (lines[n] == '\n');
    }
}

static void put_head(const p3d_target *target, const p3d_launch *launch,
        const char *about, p3d_text *out)
{
    p3d_text notes = {0};

    exchange_comment_write(about, out);
    p3d_text_add(out, "# names of the options: %s\n", target->versions);
    if (target->note != NULL)
        target->note(launch, &notes);
    if (notes.length > 0) {
        p3d_text_add(out, "#\n");
        exchange_comment_write(p3d_text_get(&notes), out);
    }
    out->failed = out->failed || notes.failed;
    p3d_text_free(&notes);
}

static p3d_text *add_file(
        p3d_launch_files *files, const char *name, bool executable)
{
    P3D_ASSERT(files->n < P3D_MAX_LAUNCH_FILES);
    files->at[files->n] =
            (p3d_launch_file){.name = name, .executable = executable};
    return &files->at[files->n++].text;
}

/* Python reads the encoding from a comment of the first two lines, where a name
 * could say another one. */
static bool is_python(const p3d_option_table *table)
{
    return table->form == P3D_FORM_FIELDS || table->form == P3D_FORM_CALLS;
}

static void add_tables(const p3d_target *target, const p3d_launch *launch,
        const char *head, p3d_launch_files *files)
{
    p3d_launch defaults = {.n_gpus = 0};

    target->defaults(&defaults);
    for (int i = 0; i < target->n_tables; i++) {
        const p3d_option_table *const table = &target->tables[i];
        p3d_text *out;

        if (table->form == P3D_FORM_ARGUMENTS)
            continue;
        out = add_file(files, table->file, false);
        if (is_python(table))
            p3d_text_add(out, "# -*- coding: utf-8 -*-\n");
        if (table->form != P3D_FORM_JSON)
            p3d_text_add(out, "%s", head);
        if (table->before != NULL)
            p3d_text_add(out, "%s", table->before);
        exchange_form_write(table, launch, &defaults, out);
        if (table->after != NULL)
            p3d_text_add(out, "%s", table->after);
    }
}

static bool add_all(p3d_start start, const char *head, p3d_launch_files *files,
        p3d_error *err)
{
    bool failed = false;

    add_tables(start.target, start.launch, head, files);
    if (start.launcher == P3D_LAUNCH_MPIRUN ||
            start.launcher == P3D_LAUNCH_DEEPSPEED)
        exchange_hosts_write(start.launch, add_file(files, "hostfile", false));
    if (!exchange_script_write(
                start, head, add_file(files, "launch.sh", true), err))
        return false;
    for (int i = 0; i < files->n; i++)
        failed = failed || files->at[i].text.failed;
    return !failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

bool exchange_export(p3d_start start, const char *about, p3d_launch_files *out,
        p3d_error *err)
{
    p3d_refusal refusal = {.rule = NULL};
    p3d_text head = {0};
    bool ok;

    if (!exchange_target_can_say(start.target, start.launch, &refusal))
        return p3d_fail(err, P3D_DATA, "%s: %s: %s", start.target->name,
                refusal.rule, refusal.reason);
    put_head(start.target, start.launch, about, &head);
    ok = add_all(start, p3d_text_get(&head), out, err);
    p3d_text_free(&head);
    return ok;
}

void exchange_files_free(p3d_launch_files *files)
{
    for (int i = 0; i < files->n; i++)
        p3d_text_free(&files->at[i].text);
    files->n = 0;
}

bool exchange_files_write(const p3d_launch_files *files, const char *directory,
        bool force, p3d_error *err)
{
    p3d_output_file outputs[P3D_MAX_LAUNCH_FILES];

    for (int i = 0; i < files->n; i++)
        outputs[i] = (p3d_output_file){.name = files->at[i].name,
                .text = &files->at[i].text,
                .executable = files->at[i].executable};
    return p3d_write_files(directory, outputs, files->n, force, err);
}
