/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - the program for callers in the same process. */
#include "plan3d/command.h"

#include <stdlib.h>

#include "cli/cli.h"

enum { SYSTEM_STATUS = 4 };

int p3d_command(int argc, const char *const *argv, char **out, char **err)
{
    size_t n_out = 0;
    size_t n_err = 0;
    FILE *out_file;
    FILE *err_file;
    int status = SYSTEM_STATUS;

    *out = NULL;
    *err = NULL;
    out_file = open_memstream(out, &n_out);
    err_file = open_memstream(err, &n_err);
    if (out_file != NULL && err_file != NULL)
        status = p3d_main(argc, argv, out_file, err_file);
    if (out_file != NULL)
        fclose(out_file);
    if (err_file != NULL)
        fclose(err_file);
    return status;
}

void p3d_command_free(char *text)
{
    free(text);
}
