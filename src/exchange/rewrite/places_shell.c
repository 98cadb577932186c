/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places_shell.c - where a shell script says an option: in a command, an array
 * or a string, with its value there or in a variable. */
#include <string.h>

#include "base/ascii.h"
#include "exchange/rewrite/places.h"

enum { MAX_VARIABLE = 128 };

size_t exchange_line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

size_t exchange_line_end(const char *text, size_t at)
{
    return at + strcspn(text + at, "\n");
}

/* True in a comment, but for those that Slurm reads. */
static bool is_comment(const char *text, size_t at)
{
    const size_t begin = exchange_line_begin(text, at);
    size_t i = begin + strspn(text + begin, " \t");
    char quote = '\0';

    if (strncmp(text + i, "#SBATCH", 7) == 0)
        return false;
    for (; i < at; i++) {
        const char c = text[i];

        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '#' && (i == begin || strchr(" \t", text[i - 1]) != NULL))
            return true;
    }
    return false;
}

/* A line that goes on in the next one. */
static size_t continuation(const char *at)
{
    return at[0] != '\\'                    ? 0
           : at[1] == '\n'                  ? 2
           : at[1] == '\r' && at[2] == '\n' ? 3
                                            : 0;
}

static size_t skip_gap(const char *text, size_t at)
{
    for (;;) {
        const size_t more = strspn(text + at, " \t");
        const size_t joined = continuation(text + at + more);

        if (more + joined == 0)
            return at;
        at += more + joined;
    }
}

/* Behind the bracket that closes the one at a place. */
static size_t closing(const char *text, size_t at, char open, char close)
{
    int depth = 0;

    for (; text[at] != '\0' && text[at] != '\n'; at++) {
        depth += text[at] == open;
        depth -= text[at] == close;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

static bool ends_word(const char *at)
{
    return *at == '\0' || strchr(" \t\r\n;|&()<>\"'`", *at) != NULL ||
           continuation(at) > 0;
}

/* A word with its quotes, where it begins with one. */
static size_t word_end(const char *text, size_t at)
{
    const char quote = text[at];

    if (quote == '"' || quote == '\'') {
        const char *const end = strchr(text + at + 1, quote);

        return end != NULL ? (size_t)(end - text) + 1 : at;
    }
    while (!ends_word(text + at)) {
        if (text[at] == '$' && (text[at + 1] == '{' || text[at + 1] == '('))
            at = closing(text, at + 1, text[at + 1],
                    text[at + 1] == '{' ? '}' : ')');
        else
            at++;
    }
    return at;
}

static exchange_place word_at(const char *text, size_t at)
{
    const size_t end = word_end(text, at);
    const bool quoted = end > at + 1 && strchr("\"'", text[at]) != NULL;

    return (exchange_place){.begin = at,
            .value = at + quoted,
            .value_n = end - at - 2 * (size_t)quoted,
            .end = end,
            .quoted = quoted};
}

static int count_words(const char *value)
{
    int n = 0;

    while (*value != '\0') {
        const size_t length = strcspn(value, " ");

        n += length > 0;
        value += length + strspn(value + length, " ");
    }
    return n;
}

/* The value behind a name of n bytes. */
static bool find_value(
        const exchange_said_at *said, size_t n, exchange_place *out)
{
    const char *const text = said->text;
    size_t at = out->begin + n;
    exchange_place word;
    int n_words;

    out->end = out->value = at;
    out->value_n = 0;
    out->quoted = false;
    if (said->value == NULL)
        return true;
    at = text[at] == '=' ? at + 1 : skip_gap(text, at);
    word = word_at(text, at);
    if (word.end == at)
        return false;
    n_words = count_words(said->value);
    out->value = word.value;
    out->value_n = word.value_n;
    out->quoted = word.quoted;
    out->end = word.end;
    /* A word that stands for several is one here. */
    for (int i = 1;
            i < n_words && !word.quoted &&
            memchr(text + word.begin, '$', word.end - word.begin) == NULL;
            i++) {
        word = word_at(text, skip_gap(text, out->end));
        if (word.end == word.begin)
            break;
        out->end = word.end;
        out->value_n = word.end - out->value;
    }
    return true;
}

static size_t place_of_line(const char *text, int line)
{
    size_t at = 0;

    for (; line > 1 && text[at] != '\0'; at++)
        line -= text[at] == '\n';
    return at;
}

bool exchange_shell_place(const exchange_said_at *said, exchange_place *out)
{
    const char *const text = said->text;
    const size_t n = strlen(said->name);
    const bool is_override = strchr(said->name, '.') != NULL;
    size_t at = place_of_line(text, said->line);
    const char *found;

    for (; (found = strstr(text + at, said->name)) != NULL;
            at = (size_t)(found - text) + 1) {
        const size_t begin = (size_t)(found - text);
        const char next = found[n];

        if (is_override ? begin == 0 || p3d_is_word(found[-1]) || next != '='
                        : begin < 2 || strncmp(found - 2, "--", 2) != 0 ||
                                  (begin > 2 && (p3d_is_word(found[-3]) ||
                                                        found[-3] == '-')))
            continue;
        if ((next != '=' && !ends_word(found + n)) || is_comment(text, begin))
            continue;
        out->begin = is_override ? begin : begin - 2;
        return find_value(said, n + (is_override ? 0 : 2), out);
    }
    return false;
}

/* The variable that all of a value is: "$NAME", "${NAME}", "${NAME:-word}".
 * @param word  offset of the word; 0 = none */
static bool read_reference(const char *text, const exchange_place *place,
        char name[MAX_VARIABLE], size_t *word)
{
    const char *at = text + place->value;
    const char *const end = at + place->value_n;
    const bool braces = place->value_n > 3 && at[1] == '{';
    size_t n = 0;

    *word = 0;
    if (place->value_n < 2 || at[0] != '$' || (braces && end[-1] != '}'))
        return false;
    at += braces ? 2 : 1;
    if (p3d_is_digit(*at))
        return false;
    while (at + n < end && n + 1 < MAX_VARIABLE && p3d_is_word(at[n])) {
        name[n] = at[n];
        n++;
    }
    name[n] = '\0';
    at += n;
    if (n > 0 && braces && strncmp(at, ":-", 2) == 0) {
        *word = (size_t)(at - text) + 2;
        return true;
    }
    return n > 0 && at + braces == end;
}

static bool is_name_at(const char *text, size_t at, const char *name)
{
    const size_t n = strlen(name);

    return strncmp(text + at, name, n) == 0 && !p3d_is_word(text[at + n]) &&
           (at == 0 || !p3d_is_word(text[at - 1]));
}

/* "NAME=" at the start of a command. */
static bool is_assignment(const char *text, size_t at, size_t n)
{
    return text[at + n] == '=' && text[at + n + 1] != '(' &&
           (at == 0 || strchr(" \t\n;", text[at - 1]) != NULL);
}

/** What a script does with a variable. */
typedef struct variable_uses {
    int n_assigned;
    int n_others;
    size_t value; /* of the last assignment */
} variable_uses;

static variable_uses count_uses(const char *text, const char *name)
{
    const size_t n = strlen(name);
    variable_uses uses = {0};
    size_t end = 0; /* of the assigned value, which may ask for the name */

    for (size_t at = 0; text[at] != '\0'; at++) {
        if (!is_name_at(text, at, name) || is_comment(text, at))
            continue;
        if (is_assignment(text, at, n)) {
            uses.n_assigned++;
            uses.value = at + n + 1;
            end = word_end(text, uses.value);
        } else if (at >= end) {
            uses.n_others++;
        }
    }
    return uses;
}

/* Within "${NAME:-word}" the word. */
static bool narrow_to_word(const char *text, exchange_place *place, size_t word)
{
    const size_t end = place->value + place->value_n - 1;

    place->value = word;
    place->value_n = end - word;
    return memchr(text + word, '$', end - word) == NULL &&
           memchr(text + word, '"', end - word) == NULL;
}

exchange_place exchange_shell_source(
        const char *text, const exchange_place *place)
{
    exchange_place source = *place;
    char name[MAX_VARIABLE];
    variable_uses uses;
    size_t word;

    if (!read_reference(text, place, name, &word))
        return source;
    uses = count_uses(text, name);
    if (uses.n_assigned == 0 && word > 0)
        return narrow_to_word(text, &source, word) ? source : *place;
    if (uses.n_assigned == 0) {
        source.value_n = 0; /* it is the environment's */
        return source;
    }
    if (uses.n_assigned > 1 || uses.n_others > 1 || uses.value > place->value)
        return *place;
    source = word_at(text, uses.value);
    if (memchr(text + source.value, '$', source.value_n) == NULL &&
            memchr(text + source.value, '`', source.value_n) == NULL)
        return source.value_n > 0 ? source : *place;
    if (read_reference(text, &source, name, &word) && word > 0 &&
            narrow_to_word(text, &source, word))
        return source;
    return *place;
}
