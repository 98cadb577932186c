/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program: everything is in cli.c, so that tests can call it. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return p3d_main(argc, argv, stdout, stderr);
}
