/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target_rows.h - short forms for the rows of the targets' option tables. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_TARGET_ROWS_H
#define PLAN3D_EXCHANGE_LAUNCH_TARGET_ROWS_H

#include "base/util.h"
#include "exchange/launch/target.h"

/* clang-format off */
/** Offset of a member of exchange_launch, with the type of its kind checked; an
 *  enumeration is as wide as an int. */
#define EXCHANGE_AT(kind, member)                                              \
    (offsetof(exchange_launch, member) + 0 * sizeof(char[                      \
        EXCHANGE_IS_##kind(((exchange_launch *)0)->member) ? 1 : -1]))
#define EXCHANGE_IS_A(x, T)   _Generic((x), T : 1, default : 0)
#define EXCHANGE_IS_FLAG(x)   EXCHANGE_IS_A(x, _Bool)
#define EXCHANGE_IS_UNFLAG(x) EXCHANGE_IS_A(x, _Bool)
#define EXCHANGE_IS_BOOL(x)   EXCHANGE_IS_A(x, _Bool)
#define EXCHANGE_IS_INT(x)    EXCHANGE_IS_A(x, int)
#define EXCHANGE_IS_COUNT(x)  EXCHANGE_IS_A(x, int64_t)
#define EXCHANGE_IS_REAL(x)   EXCHANGE_IS_A(x, double)
#define EXCHANGE_IS_CHARS(x)  EXCHANGE_IS_A(x, char *)
#define EXCHANGE_IS_WORD(x)   (sizeof(x) == sizeof(int))
#define EXCHANGE_IS_MEANS(x)  (sizeof(x) == sizeof(int))

/* When an option is written, in the words of its launch `l`. */
#define TEST(name, condition) \
    static bool name(const exchange_launch *l) { return condition; }

/* The members of a row that every option has, those of one with words, and the
 * options of a table. */
#define ROW(option, kind_, member)                                             \
    .name = option, .kind = EXCHANGE_##kind_,                                  \
    .offset = EXCHANGE_AT(kind_, member)
#define WORDS(list) .words = list, .n_words = P3D_COUNT_OF(list)
#define OPTIONS(rows) .options = rows, .n_options = P3D_COUNT_OF(rows)

#define HEAD(words_) {.name = words_, .kind = EXCHANGE_HEAD}
#define UNDER(statement) \
    {.name = statement, .kind = EXCHANGE_HEAD, .raw = true}
#define FIXED(option, value_) FIXED_WHEN(option, value_, NULL)
#define RAW(option, value_) \
    {.name = option, .kind = EXCHANGE_FIXED, .text = value_, .raw = true}
#define FLAG(option, member)       {ROW(option, FLAG, member)}
#define UNFLAG(option, member)     {ROW(option, UNFLAG, member)}
#define MEANS(option, member, is)  {ROW(option, MEANS, member), .value = is}
#define BOOL(option, member)       {ROW(option, BOOL, member)}
#define INT(option, member, least) INT_WHEN(option, member, least, NULL)
#define COUNT(option, member)      COUNT_WHEN(option, member, 1, NULL)
#define REAL(option, member)       REAL_WHEN(option, member, NULL)
#define WORD(option, member, list) WORD_WHEN(option, member, list, NULL)
#define CHARS(option, member)      {ROW(option, CHARS, member)}
/* Without quotes in Python. */
#define RAW_CHARS(option, member)  {ROW(option, CHARS, member), .raw = true}
#define RAW_WORD(option, member, list) \
    {ROW(option, WORD, member), WORDS(list), .raw = true}
/* Left out where the framework's default says the same. */
#define INT_SHY(option, member, least) \
    {ROW(option, INT, member), .value = least, .shy = true}
#define WORD_SHY(option, member, list) \
    {ROW(option, WORD, member), WORDS(list), .shy = true}
/* Only where a test holds. */
#define FIXED_WHEN(option, value_, test) \
    {.name = option, .kind = EXCHANGE_FIXED, .text = value_, .when = test}
#define INT_WHEN(option, member, least, test) \
    {ROW(option, INT, member), .value = least, .when = test}
#define COUNT_WHEN(option, member, least, test) \
    {ROW(option, COUNT, member), .value = least, .when = test}
#define REAL_WHEN(option, member, test) \
    {ROW(option, REAL, member), .when = test}
#define WORD_WHEN(option, member, list, test) \
    {ROW(option, WORD, member), WORDS(list), .when = test}
/* clang-format on */

#endif
