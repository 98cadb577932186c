/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_rules.c - what is exported is imported as the same plan. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "commands/invariants.h"
#include "exchange/launch/target.h"

enum { MAX_FILES = 3 /* that import reads */ };

static const exchange_target *draw_target(trial *t)
{
    int n = 0;

    while (exchange_target_at(n) != NULL)
        n++;
    return exchange_target_at(draw_below(&t->draw, n));
}

/* The question of an export into a folder of its own. */
static line export_line(trial *t, const exchange_target *target)
{
    line l = trial_question(t, "export");

    line_drop(&l, "framework");
    line_drop(&l, "launcher");
    line_set(&l, "to", target->name);
    line_set(&l, "out", trial_path(t, "launch"));
    line_set(&l, "force", NULL);
    if (!line_has(&l, "plan") && draw_one_in(&t->draw, 3)) {
        const grammar_size size =
                grammar_size_of(line_positional(&l, 1), line_positional(&l, 2));
        char words[LINE_WORD - 16];

        grammar_draw_plan(&t->draw, &size, words, sizeof(words));
        line_set(&l, "plan", words);
    }
    return l;
}

/* The import of the files that were written. */
static line import_line(
        trial *t, const answer *exported, const exchange_target *target)
{
    const json_value *f = json_first(answer_at(exported, "written.files"));
    line l = {0};
    int n = 0;

    line_add(&l, "import");
    for (; f != NULL; f = json_next(f)) {
        const char *const name = json_string(json_get(f, "name"));
        char path[TRIAL_PATH];

        snprintf(path, sizeof(path), "launch/%s", name);
        if (strcmp(name, "hostfile") == 0)
            trial_path(t, path);
        else if (++n <= MAX_FILES)
            line_add(&l, "%s", trial_path(t, path));
    }
    P3D_ASSERT(n <= MAX_FILES);
    line_set(&l, "cluster", line_positional(&exported->line, 2));
    if (target->settle_model == NULL)
        line_set(&l, "model", line_positional(&exported->line, 1));
    line_set(&l, "json", NULL);
    return l;
}

verdict trial_import_is_what_was_exported(trial *t)
{
    static const char *const same[] = {"job.seq_len", "job.global_batch"};
    const exchange_target *const target = draw_target(t);
    const answer *exported, *imported;
    line l;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    l = export_line(t, target);
    exported = trial_ask(t, &l);
    if (exported->status != 0)
        return INVARIANT_SILENT;
    l = import_line(t, exported, target);
    imported = trial_ask(t, &l);
    if (!answer_is_given(imported))
        return trial_broken(
                t, exported, imported, "the import says: %s", imported->err);
    if (strcmp(answer_string(exported, "estimate.words"),
                answer_string(imported, "estimate.words")) != 0)
        return trial_broken(t, exported, imported, "%s is read as %s",
                answer_string(exported, "estimate.words"),
                answer_string(imported, "estimate.words"));
    for (int i = 0; i < P3D_COUNT_OF(same); i++)
        if (answer_number(exported, same[i]) !=
                answer_number(imported, same[i]))
            return trial_broken(t, exported, imported, "%s is read as %.0f",
                    same[i], answer_number(imported, same[i]));
    return INVARIANT_HOLDS;
}
