/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hjson.h - Hjson, JSON as people write it, as JSON. */
#ifndef PLAN3D_EXCHANGE_READ_HJSON_H
#define PLAN3D_EXCHANGE_READ_HJSON_H

#include "base/text.h"

/** Length of the comment that begins at a place; 0 = none does. */
size_t exchange_hjson_comment(const char *at);

/**
 * Write Hjson as JSON (https://hjson.github.io/syntax.html): keys without
 * quotes, values that end with their line, members without commas between
 * them, comments. Lines stay where they are. What is no Hjson becomes something
 * that is no JSON.
 *
 * @param text  ends in NUL
 */
void exchange_hjson_to_json(const char *text, p3d_text *out);

#endif
