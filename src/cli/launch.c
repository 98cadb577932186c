/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - the launch files of an estimated plan: export and report. */
#include "cli/launch.h"

#include <stdlib.h>
#include <string.h>

#include "plan3d/version.h"

p3d_launcher cli_usual_launcher(
        const p3d_target *target, const p3d_cluster *cluster)
{
    if (strcmp(target->name, "deepspeed") == 0)
        return P3D_LAUNCH_DEEPSPEED;
    return cluster->n_nodes > 1 ? P3D_LAUNCH_SLURM : P3D_LAUNCH_TORCHRUN;
}

static void print_about(const report_document *document, const char *words,
        const p3d_target *target, p3d_text *out)
{
    p3d_text_add(
            out, "Made by plan3d %s for %s.\n", P3D_VERSION, target->title);
    report_about(document, out);
    if (target->nearest)
        p3d_text_add(out,
                "estimated with the costs of %s, the framework most like it\n",
                target->framework);
    p3d_text_add(out, "plan: %s\n", words);
}

bool cli_make_launch(const report_document *document,
        const p3d_problem *problem, const p3d_plan *plan,
        const p3d_target *target, p3d_launcher launcher,
        p3d_launch_files *files, p3d_error *err)
{
    p3d_launch *const launch = malloc(sizeof(*launch));
    p3d_text about = {0};
    char words[P3D_PLAN_WORDS];
    bool ok;

    if (launch == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    p3d_plan_print(plan, words, sizeof(words));
    print_about(document, words, target, &about);
    *launch = p3d_launch_of(target, problem, plan);
    ok = p3d_export((p3d_start){target, launch, launcher}, p3d_text_get(&about),
            files, err);
    p3d_text_free(&about);
    free(launch);
    return ok;
}
