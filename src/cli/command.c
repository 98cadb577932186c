/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - the program for callers in the same process. */
#include "plan3d/command.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "plan3d/error.h"

static bool are_given(int argc, const char *const *argv)
{
    if (argc < 0 || (argv == NULL && argc > 0))
        return false;
    for (int i = 0; i < argc; i++) {
        if (argv[i] == NULL)
            return false;
    }
    return true;
}

static int run(int argc, const char *const *argv, FILE *out, FILE *err)
{
    if (are_given(argc, argv))
        return p3d_main(argc, argv, out, err);
    fprintf(err, "plan3d: p3d_command() was called with NULL for an argument; "
                 "give argc words\n");
    return p3d_exit_status(P3D_USAGE);
}

/* Hand a text over to who asked for it. */
static void hand(char **to, char *text)
{
    if (to != NULL)
        *to = text;
    else
        free(text);
}

int p3d_command(int argc, const char *const *argv, char **out, char **err)
{
    char *texts[2] = {NULL, NULL};
    size_t sizes[2];
    FILE *const out_file = open_memstream(&texts[0], &sizes[0]);
    FILE *const err_file = open_memstream(&texts[1], &sizes[1]);
    int status = p3d_exit_status(P3D_SYSTEM);

    if (out_file != NULL && err_file != NULL)
        status = run(argc, argv, out_file, err_file);
    if (out_file != NULL)
        fclose(out_file);
    if (err_file != NULL)
        fclose(err_file);
    hand(out, texts[0]);
    hand(err, texts[1]);
    return status;
}

void p3d_command_free(char *text)
{
    free(text);
}
