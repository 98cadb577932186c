/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target_rows.h - short forms for the rows of the targets' option tables. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_TARGET_ROWS_H
#define PLAN3D_EXCHANGE_LAUNCH_TARGET_ROWS_H

#include "base/util.h"
#include "exchange/launch/target.h"

/* clang-format off */
#define HEAD(words) {.name = words, .kind = P3D_OPTION_HEAD}
#define UNDER(statement) \
    {.name = statement, .kind = P3D_OPTION_HEAD, .raw = true}
#define FIXED(option, value_) \
    {.name = option, .kind = P3D_OPTION_FIXED, .text = value_}
#define RAW(option, value_) \
    {.name = option, .kind = P3D_OPTION_FIXED, .text = value_, .raw = true}
#define FLAG(option, member) \
    {.name = option, .kind = P3D_OPTION_FLAG, \
     .offset = P3D_LAUNCH_AT(member, _Bool)}
#define UNFLAG(option, member) \
    {.name = option, .kind = P3D_OPTION_UNFLAG, \
     .offset = P3D_LAUNCH_AT(member, _Bool)}
#define BOOL(option, member) \
    {.name = option, .kind = P3D_OPTION_BOOL, \
     .offset = P3D_LAUNCH_AT(member, _Bool)}
#define INT(option, member, least) \
    {.name = option, .kind = P3D_OPTION_INT, .value = least, \
     .offset = P3D_LAUNCH_AT(member, int)}
#define COUNT(option, member) \
    {.name = option, .kind = P3D_OPTION_COUNT, .value = 1, \
     .offset = P3D_LAUNCH_AT(member, int64_t)}
#define REAL(option, member) \
    {.name = option, .kind = P3D_OPTION_REAL, \
     .offset = P3D_LAUNCH_AT(member, double)}
#define CHARS(option, member) \
    {.name = option, .kind = P3D_OPTION_CHARS, \
     .offset = P3D_LAUNCH_AT(member, char *)}
#define WORD(option, member, words_) \
    {.name = option, .kind = P3D_OPTION_WORD, \
     .offset = P3D_LAUNCH_ENUM(member), .words = words_, \
     .n_words = P3D_COUNT_OF(words_)}
/* Left out where the framework's default says the same. */
#define INT_SHY(option, member, least)                                         \
    {.name = option, .kind = P3D_OPTION_INT, .value = least,                   \
     .offset = P3D_LAUNCH_AT(member, int), .shy = true}
#define WORD_SHY(option, member, words_)                                       \
    {.name = option, .kind = P3D_OPTION_WORD, .shy = true,                     \
     .offset = P3D_LAUNCH_ENUM(member), .words = words_,                       \
     .n_words = P3D_COUNT_OF(words_)}
/* Only where a test holds. */
#define INT_WHEN(option, member, least, test)                                  \
    {.name = option, .kind = P3D_OPTION_INT, .value = least,                   \
     .offset = P3D_LAUNCH_AT(member, int), .when = test}
#define COUNT_WHEN(option, member, least, test)                                \
    {.name = option, .kind = P3D_OPTION_COUNT, .value = least,                 \
     .offset = P3D_LAUNCH_AT(member, int64_t), .when = test}
#define REAL_WHEN(option, member, test)                                        \
    {.name = option, .kind = P3D_OPTION_REAL, .when = test,                    \
     .offset = P3D_LAUNCH_AT(member, double)}
#define WORD_WHEN(option, member, words_, test)                                \
    {.name = option, .kind = P3D_OPTION_WORD, .when = test,                    \
     .offset = P3D_LAUNCH_ENUM(member), .words = words_,                       \
     .n_words = P3D_COUNT_OF(words_)}
#define FIXED_WHEN(option, value_, test)                                       \
    {.name = option, .kind = P3D_OPTION_FIXED, .text = value_, .when = test}
/* clang-format on */

#endif
