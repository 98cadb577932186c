/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - finds words in the tables of a language, and sentences that other
 * rooms have made of a template: which one it was, what stood in it, and the
 * same in another language. */
#include "report/words/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/words/tables.h"

static const report_translation *const chinese[] = {report_chinese_answers,
        report_chinese_studies, report_chinese_terms, report_chinese_items,
        report_chinese_page, report_chinese_help, report_chinese_options};

const report_translation *report_translation_at(p3d_lang lang, int i)
{
    if (lang != P3D_CHINESE || i < 0)
        return NULL;
    for (int table = 0; table < P3D_COUNT_OF(chinese); table++)
        for (int row = 0; chinese[table][row].english != NULL; row++)
            if (i-- == 0)
                return &chinese[table][row];
    return NULL;
}

const char *report_say(p3d_style style, const char *english)
{
    if (style.lang != P3D_CHINESE)
        return english;
    for (int table = 0; table < P3D_COUNT_OF(chinese); table++)
        for (const report_translation *row = chinese[table];
                row->english != NULL; row++)
            if (strcmp(row->english, english) == 0)
                return row->words != NULL ? row->words : english;
    return english;
}

/* Sentences. */

enum { MOST_PARTS = 9 };

/* What stands in a sentence for a conversion of its template. */
typedef struct part {
    const char *text;
    size_t n;
} part;

/* Bytes of the conversion that begins with a percent sign. */
static size_t conversion_length(const char *at)
{
    return 1 + strspn(at + 1, "0123456789$.*+-# l") + 1;
}

/* Bytes up to the next conversion, or to the end; %% is none. */
static size_t literal_length(const char *template)
{
    return strcspn(template, "%");
}

/* Bytes that may stand for a conversion: words for "%s", else a number. */
static size_t most_taken(const char *conversion, size_t length, const char *at)
{
    return conversion[length - 1] == 's' ? strlen(at)
                                         : strspn(at, "+-.,0123456789e");
}

/* Match what begins with a conversion: the shortest part behind which the rest
 * of the template matches. */
static bool match(
        const char *template, const char *sentence, part *parts, int n_left)
{
    const size_t n = literal_length(template);
    size_t length, most;

    if (strncmp(template, sentence, n) != 0)
        return false;
    template += n;
    sentence += n;
    if (*template == '\0')
        return *sentence == '\0';
    if (template[1] == '%')
        return *sentence == '%' &&
               match(template + 2, sentence + 1, parts, n_left);
    if (n_left == 0)
        return false;
    length = conversion_length(template);
    most = most_taken(template, length, sentence);
    for (size_t taken = 0; taken <= most; taken++) {
        *parts = (part){sentence, taken};
        if (match(template + length, sentence + taken, parts + 1, n_left - 1))
            return true;
    }
    return false;
}

/* A part that is a sentence itself goes into the language, too. */
static report_sentence say_part(p3d_style style, const part *p)
{
    report_sentence words = {""};

    (void)snprintf(words.text, sizeof(words.text), "%.*s", (int)p->n, p->text);
    return report_say_made(style, words.text);
}

/* Put the parts into a translation: in their order, or by their numbers. The
 * name of an option is no word. */
static void fill(p3d_style style, const char *template, const part *parts,
        report_sentence *out)
{
    static const p3d_style as_it_is = {.lang = P3D_ENGLISH};
    size_t used = 0;
    int next = 0;

    while (*template != '\0' && used < sizeof(out->text)) {
        const size_t n = literal_length(template);
        const part literal = {template, n > 0 ? n : 1};
        report_sentence words;

        if (n > 0 || template[1] == '%') {
            (void)snprintf(words.text, sizeof(words.text), "%.*s",
                    (int)literal.n, literal.text);
            template += n > 0 ? n : 2;
        } else {
            const bool numbered = isdigit((unsigned char)template[1]) != 0 &&
                                  template[2] == '$';

            words = say_part(
                    used > 0 && out->text[used - 1] == '-' ? as_it_is : style,
                    &parts[numbered ? template[1] - '1' : next++]);
            template += conversion_length(template);
        }
        used += (size_t)snprintf(
                out->text + used, sizeof(out->text) - used, "%s", words.text);
    }
}

/* The same as it is, or as words of a table. @return whether it is there */
static bool say_words(
        p3d_style style, const char *sentence, report_sentence *out)
{
    (void)p3d_copy(out->text, sizeof(out->text), report_say(style, sentence));
    return style.lang != P3D_CHINESE || strcmp(out->text, sentence) != 0;
}

report_sentence report_say_made(p3d_style style, const char *sentence)
{
    report_sentence out = {""};
    part parts[MOST_PARTS] = {{"", 0}};

    if (say_words(style, sentence, &out))
        return out;
    for (const report_translation *row = report_chinese_sentences;
            row->english != NULL; row++) {
        if (!match(row->english, sentence, parts, MOST_PARTS))
            continue;
        fill(style, row->words, parts, &out);
        return out;
    }
    return out;
}
