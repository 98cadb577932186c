/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of answers in other languages than English. */
#ifndef PLAN3D_REPORT_WORDS_WORDS_H
#define PLAN3D_REPORT_WORDS_WORDS_H

#include "base/text.h"

#if defined(__GNUC__)
#    define REPORT_SAYS(argument) __attribute__((format_arg(argument)))
#else
#    define REPORT_SAYS(argument)
#endif

/**
 * Words or a template in the language of a style. English is the key: what a
 * table does not have is returned as it is, and tests/unit/test_words.c fails
 * for it. A translation has the conversions of the English; in another order
 * they are numbered ("%2$s").
 */
const char *report_say(p3d_style style, const char *english) REPORT_SAYS(2);

/** A sentence by value. */
typedef struct report_sentence {
    char text[512];
} report_sentence;

/** A sentence that another room has made of a template that is in the table of
 *  sentences, such as "128 GPUs instead of 64"; others are returned as they
 *  are. */
report_sentence report_say_made(p3d_style style, const char *sentence);

/** One row of a table of words. */
typedef struct report_translation {
    const char *english;
    const char *words; /* NULL = the same, such as the name of a unit */
} report_translation;

/** The i-th row of a language, of words or of templates of report_say_made();
 *  NULL past the last. In a translation of these "%#s" leaves a part as it is,
 *  and "%.0s" leaves it out. */
const report_translation *report_translation_at(p3d_lang lang, int i);
const report_translation *report_sentence_at(p3d_lang lang, int i);

#endif
