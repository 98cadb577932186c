/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grammar.h - random command lines, most of which the program answers. */
#ifndef PLAN3D_TEST_GRAMMAR_H
#define PLAN3D_TEST_GRAMMAR_H

#include "cli/commands.h"
#include "commands/draw.h"
#include "commands/line.h"

/** What model and cluster of a command line are, for what must suit them. */
typedef struct grammar_size {
    int n_gpus;
    int n_layers;
    int n_heads;
    int n_experts;
} grammar_size;

/** Draw a command line. */
void grammar_draw(draw_source *d, line *out);

/** Append options of a command's table. One that the grammar has no values for
 *  is a mistake. */
void grammar_add_options(draw_source *d, const cli_command *command,
        const grammar_size *size, line *l);

/** Draw the words of a plan; an odd one is not legal. */
void grammar_draw_plan(
        draw_source *d, const grammar_size *size, char *words, size_t n);

/** Leave words of a plan out, each with the same chance, but one. */
void grammar_thin_plan(
        draw_source *d, const char *words, char *fewer, size_t n);

/** The sizes of a problem that the program has read. */
grammar_size grammar_size_of(const char *model, const char *cluster);

#endif
