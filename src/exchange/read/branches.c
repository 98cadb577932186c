/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches.c - tests of a script whose words are known. */
#include "exchange/read/branches.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

typedef enum verdict { FALSE_TEST, TRUE_TEST, NOT_KNOWN } verdict;

static bool is_number(const char *word, long *out)
{
    char *end;

    *out = strtol(word, &end, 10);
    return end != word && *end == '\0';
}

static verdict compare_numbers(const char *a, const char *test, const char *b)
{
    static const char *const tests[] = {
            "-eq", "-ne", "-gt", "-ge", "-lt", "-le"};
    long x, y;

    if (!is_number(a, &x) || !is_number(b, &y))
        return NOT_KNOWN;

    const bool holds[] = {x == y, x != y, x > y, x >= y, x < y, x <= y};

    for (int i = 0; i < P3D_COUNT_OF(tests); i++)
        if (strcmp(tests[i], test) == 0)
            return holds[i] ? TRUE_TEST : FALSE_TEST;
    return NOT_KNOWN;
}

static verdict compare(const char *a, const char *test, const char *b)
{
    const bool same = strcmp(a, b) == 0;

    if (strpbrk(b, "*?") != NULL)
        return NOT_KNOWN;
    if (strcmp(test, "=") == 0 || strcmp(test, "==") == 0)
        return same ? TRUE_TEST : FALSE_TEST;
    if (strcmp(test, "!=") == 0)
        return same ? FALSE_TEST : TRUE_TEST;
    return compare_numbers(a, test, b);
}

static verdict length_test(const char *test, const char *word)
{
    const bool is_empty = word[0] == '\0';

    if (strcmp(test, "-z") == 0)
        return is_empty ? TRUE_TEST : FALSE_TEST;
    if (strcmp(test, "-n") == 0)
        return is_empty ? FALSE_TEST : TRUE_TEST;
    return NOT_KNOWN;
}

/* "[ A = B ]", "[[ -z A ]]": what has a variable that nobody set is not
 * known. */
static verdict judge(const exchange_branches *b)
{
    if (b->n_words < 4 || b->n_words > 5 ||
            (strcmp(b->words[0], "[") != 0 && strcmp(b->words[0], "[[") != 0))
        return NOT_KNOWN;
    for (int i = 1; i < b->n_words; i++)
        if (strpbrk(b->words[i], "$`") != NULL)
            return NOT_KNOWN;
    return b->n_words == 4 ? length_test(b->words[1], b->words[2])
                           : compare(b->words[1], b->words[2], b->words[3]);
}

static void begin_test(exchange_branches *b)
{
    b->testing = true;
    b->n_words = 0;
}

static void open_if(exchange_branches *b)
{
    if (b->n == EXCHANGE_MAX_BRANCHES) {
        b->broken = true;
        return;
    }
    b->at[b->n].decided = b->at[b->n].skipped = false;
    b->n++;
    begin_test(b);
}

bool exchange_branches_take(exchange_branches *b, const char *word)
{
    const bool closes = strcmp(word, "fi") == 0;
    const bool turns = strcmp(word, "else") == 0;

    if (b->is_off || b->testing)
        return false;
    if (strcmp(word, "then") == 0)
        return true;
    if (strcmp(word, "if") == 0) {
        open_if(b);
        return true;
    }
    if (!closes && !turns && strcmp(word, "elif") != 0)
        return false;
    if (b->n == 0)
        b->broken = true;
    else if (closes)
        b->n--;
    else if (turns)
        b->at[b->n - 1].skipped = b->at[b->n - 1].decided;
    else
        begin_test(b);
    return true;
}

bool exchange_branches_test(exchange_branches *b, const char *word)
{
    if (!b->testing)
        return false;
    if (b->n_words < EXCHANGE_TEST_WORDS &&
            p3d_copy(b->words[b->n_words], EXCHANGE_TEST_WORD, word))
        b->n_words++;
    else
        b->n_words = EXCHANGE_TEST_WORDS + 1;
    return true;
}

void exchange_branches_close(exchange_branches *b, char end)
{
    verdict found;

    if (!b->testing || b->n == 0)
        return;
    b->testing = false;
    found = judge(b);
    if ((end == '&' && found == TRUE_TEST) ||
            (end == '|' && found == FALSE_TEST))
        found = NOT_KNOWN;
    b->at[b->n - 1].skipped = b->at[b->n - 1].decided || found == FALSE_TEST;
    if (found == TRUE_TEST)
        b->at[b->n - 1].decided = true;
}

bool exchange_branches_skip(const exchange_branches *b)
{
    for (int i = 0; i < b->n; i++)
        if (b->at[i].skipped)
            return true;
    return false;
}
