/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_numbers.h - numbers as people write them: 16,384, 2T, 1.5 trillion,
 * thirty-two, 2万亿, 十六, 半. */
#ifndef PLAN3D_CLI_ASK_NUMBERS_H
#define PLAN3D_CLI_ASK_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ask_number {
    double value;
    bool is_size; /* with a magnitude such as K, B, T or 亿: parameters or
                     tokens rather than GPUs */
    bool is_kilo; /* "8K": 8 Ki where tokens of a sequence are meant */
} ask_number;

/** Read the number that a text begins with. @return bytes used; 0 = none */
size_t ask_number_scan(const char *text, ask_number *out);

/** Room for ask_number_print(). */
enum { ASK_NUMBER_BUFFER = 40 };

/** "2T", "14.8T", "4096": a count as an option takes it. */
void ask_number_print(char buffer[ASK_NUMBER_BUFFER], double value);

#endif
