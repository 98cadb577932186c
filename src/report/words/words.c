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

/* The i-th row of all tables; NULL past the last. */
static const report_translation *row_at(
        const report_translation *const *tables, int n_tables, int i)
{
    for (int table = 0; table < n_tables; table++)
        for (int row = 0; tables[table][row].english != NULL; row++)
            if (i-- == 0)
                return &tables[table][row];
    return NULL;
}

const report_translation *report_translation_at(p3d_lang lang, int i)
{
    return lang == P3D_CHINESE && i >= 0
                   ? row_at(chinese, P3D_COUNT_OF(chinese), i)
                   : NULL;
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

static const report_translation *const chinese_sentences[] = {
        report_chinese_sentences, report_chinese_errors_base,
        report_chinese_errors_cli, report_chinese_errors_exchange,
        report_chinese_errors_spec, report_chinese_errors_study,
        report_chinese_errors_made, report_chinese_errors_general};

/* The last table is for what is in no other. */
enum { PARTICULAR = P3D_COUNT_OF(chinese_sentences) - 1 };

const report_translation *report_sentence_at(p3d_lang lang, int i)
{
    return lang == P3D_CHINESE && i >= 0
                   ? row_at(chinese_sentences, P3D_COUNT_OF(chinese_sentences),
                             i)
                   : NULL;
}

/* What stands in a sentence for a conversion of its template. */
typedef struct part {
    const char *text;
    size_t n;
} part;

/* Bytes of the conversion that begins with a percent sign. */
static size_t conversion_length(const char *at)
{
    return 1 + strspn(at + 1, "0123456789$.*+-# lz") + 1;
}

/* Bytes up to the next conversion, or to the end; %% is none. */
static size_t literal_length(const char *template)
{
    return strcspn(template, "%");
}

/* Bytes that may stand for a conversion: words for "%s", a character for "%c",
 * else a number. */
static size_t most_taken(const char *conversion, size_t length, const char *at)
{
    switch (conversion[length - 1]) {
    case 's': return strlen(at);
    case 'c': return at[0] != '\0';
    case 'x': return strspn(at, "0123456789abcdef");
    default: return strspn(at, "+-.,0123456789e");
    }
}

/* What is tried first for a conversion: all that is left where nothing follows
 * it; where another follows at once, what a mark ends that it may begin with,
 * such as "; did you mean"; else one byte, as hardly a part is empty. */
static size_t first_taken(const char *behind, size_t most, const char *at)
{
    size_t n = 1;

    if (*behind == '\0')
        return most;
    if (behind[0] == '%' && behind[1] != '%')
        n = strcspn(at, ",;:(");
    return n < most ? n : most;
}

static bool match(
        const char *template, const char *sentence, part *parts, int n_left);

/* Match what begins with a conversion. */
static bool match_part(
        const char *template, const char *sentence, part *parts, int n_left)
{
    const size_t length = conversion_length(template);
    const char *const behind = template + length;
    const size_t most = most_taken(template, length, sentence);
    const size_t first = first_taken(behind, most, sentence);

    if (n_left == 0)
        return false;
    for (size_t i = 0; i <= most; i++) {
        const size_t taken = (first + i) % (most + 1);

        *parts = (part){sentence, taken};
        if (match(behind, sentence + taken, parts + 1, n_left - 1))
            return true;
    }
    return false;
}

/* The parts are the shortest that the rest of the template matches behind. */
static bool match(
        const char *template, const char *sentence, part *parts, int n_left)
{
    const size_t n = literal_length(template);

    if (strncmp(template, sentence, n) != 0)
        return false;
    template += n;
    sentence += n;
    if (*template == '\0')
        return *sentence == '\0';
    if (template[1] == '%')
        return *sentence == '%' &&
               match(template + 2, sentence + 1, parts, n_left);
    return match_part(template, sentence, parts, n_left);
}

/* Whether what a template says by itself is in a sentence, one after the other:
 * a quick look that most templates do not pass. */
static bool has_literals(const char *template, const char *sentence)
{
    size_t n = literal_length(template);

    if (strncmp(template, sentence, n) != 0)
        return false;
    while (template[n] != '\0') {
        sentence += n;
        template += n + conversion_length(template + n);
        n = literal_length(template);
        while (*sentence != '\0' && strncmp(template, sentence, n) != 0)
            sentence++;
        if (n > 0 && *sentence == '\0')
            return false;
    }
    return true;
}

/* Bytes of a template that are not of conversions. */
static size_t count_literal(const char *template)
{
    size_t n = 0;

    while (*template != '\0') {
        const size_t length = literal_length(template);

        n += length;
        template += length;
        if (*template != '\0')
            template += conversion_length(template);
    }
    return n;
}

/* A template that begins with a part may take the beginning of a sentence that
 * another stands in, such as "--seq: ", or all of one with a hint behind it. */
static bool takes_another(const char *template, const part *first)
{
    if (template[0] != '%')
        return false;
    if (template[conversion_length(template)] == ';')
        return true;
    for (size_t i = 0; i + 1 < first->n; i++)
        if (first->text[i] == ':' && first->text[i + 1] == ' ')
            return true;
    return false;
}

/* The template that says most of a sentence by itself, in whatever order they
 * stand: the most particular of those that match. @return it or NULL */
static const report_translation *find_particular(
        const char *sentence, bool takes_others, part parts[MOST_PARTS])
{
    const report_translation *found = NULL;
    size_t most = 0;

    for (int table = 0; table < PARTICULAR; table++)
        for (const report_translation *row = chinese_sentences[table];
                row->english != NULL; row++) {
            part own[MOST_PARTS] = {{"", 0}};

            if (!has_literals(row->english, sentence) ||
                    !match(row->english, sentence, own, MOST_PARTS) ||
                    (!takes_others && takes_another(row->english, &own[0])) ||
                    (found != NULL && count_literal(row->english) <= most))
                continue;
            found = row;
            most = count_literal(row->english);
            memcpy(parts, own, sizeof(own));
        }
    return found;
}

/* What stands behind "--seq: " or "megatron: ", one word that is no word of a
 * plan; NULL where no such is first. */
static const char *behind_name(const char *sentence)
{
    const size_t n = strcspn(sentence, " ='\"");

    return n > 1 && sentence[n] == ' ' && sentence[n - 1] == ':'
                   ? sentence + n + 1
                   : NULL;
}

static bool is_row(const char *english)
{
    static const p3d_style style = {.lang = P3D_CHINESE};

    return report_say(style, english) != english;
}

/* First a sentence alone, then one behind a name, then what others stand in. */
static const report_translation *find_sentence(
        const char *sentence, part parts[MOST_PARTS])
{
    const report_translation *const general = chinese_sentences[PARTICULAR];
    const report_translation *found = find_particular(sentence, false, parts);
    bool is_behind_name = false;

    for (const char *at = behind_name(sentence);
            found == NULL && at != NULL && !is_behind_name;
            at = behind_name(at))
        is_behind_name =
                is_row(at) || find_particular(at, false, parts) != NULL;
    if (is_behind_name && match(general->english, sentence, parts, MOST_PARTS))
        return general;
    if (found == NULL)
        found = find_particular(sentence, true, parts);
    for (const report_translation *row = general + 1;
            found == NULL && row->english != NULL; row++)
        if (match(row->english, sentence, parts, MOST_PARTS))
            found = row;
    if (found == NULL && match(general->english, sentence, parts, MOST_PARTS))
        found = general;
    return found;
}

/* A part that is a sentence itself goes into the language, too. */
static report_sentence say_part(p3d_style style, const part *p)
{
    report_sentence words = {""};

    (void)snprintf(words.text, sizeof(words.text), "%.*s", (int)p->n, p->text);
    return report_say_made(style, words.text);
}

static bool ends_with(const char *text, size_t n, const char *end)
{
    const size_t n_end = strlen(end);

    return n >= n_end && memcmp(text + n - n_end, end, n_end) == 0;
}

/* The name of an option is no word, nor is what a person has typed or is to
 * type: what stands behind these marks and has no blank in it. */
static bool is_typed(const char *before, size_t n, const part *p)
{
    static const char *const marks[] = {"-", "=", "/", "“"};

    if (n > 0 && before[n - 1] == '-')
        return true;
    for (int i = 0; i < P3D_COUNT_OF(marks); i++)
        if (ends_with(before, n, marks[i]))
            return memchr(p->text, ' ', p->n) == NULL;
    return false;
}

/* One conversion of a translation: the next part or the one of its number; "#"
 * leaves it as it is, ".0" out, such as the s of a plural. */
static report_sentence fill_part(p3d_style style, const char *conversion,
        const part *p, const report_sentence *before, size_t used)
{
    static const p3d_style as_it_is = {.lang = P3D_ENGLISH};
    const char *const end = conversion + conversion_length(conversion);
    const char *const dot = memchr(conversion, '.', (size_t)(end - conversion));
    const bool is_kept =
            memchr(conversion, '#', (size_t)(end - conversion)) != NULL;

    if (dot != NULL && dot[1] == '0' && end[-1] == 's')
        return (report_sentence){""};
    return say_part(
            is_kept || is_typed(before->text, used, p) ? as_it_is : style, p);
}

/* No blank stands behind another or a mark that is as wide as a character. */
static const char *skip_blank(
        const report_sentence *before, size_t used, const char *words)
{
    static const char *const wide[] = {" ", "：", "；", "，", "、", "（", "“"};

    for (int i = 0; words[0] == ' ' && i < P3D_COUNT_OF(wide); i++)
        if (ends_with(before->text, used, wide[i]))
            return words + 1;
    return words;
}

/* Put the parts into a translation: in their order, or by their numbers. */
static void fill(p3d_style style, const char *template, const part *parts,
        report_sentence *out)
{
    size_t used = 0;
    int next = 0;

    while (*template != '\0' && used < sizeof(out->text)) {
        const size_t n = literal_length(template);
        report_sentence words;

        if (n > 0 || template[1] == '%') {
            (void)snprintf(words.text, sizeof(words.text), "%.*s",
                    n > 0 ? (int)n : 1, template);
            template += n > 0 ? n : 2;
        } else {
            const bool numbered = isdigit((unsigned char)template[1]) != 0 &&
                                  template[2] == '$';
            const part *const p = &parts[numbered ? template[1] - '1' : next++];

            words = fill_part(style, template, p, out, used);
            template += conversion_length(template);
        }
        used += (size_t)snprintf(out->text + used, sizeof(out->text) - used,
                "%s", skip_blank(out, used, words.text));
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
    const report_translation *row;

    if (sentence[0] == '\0' || say_words(style, sentence, &out))
        return out;
    row = find_sentence(sentence, parts);
    if (row != NULL)
        fill(style, row->words, parts, &out);
    return out;
}
