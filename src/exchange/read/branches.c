/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches.c - tests of a script whose words are known. */
#include "exchange/read/branches.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/expand.h"

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

/* "$NAME" or "${NAME}" alone, which the script has no value for: a variable
 * that is not set is empty. */
static bool is_unset(const char *word)
{
    const bool braces = strncmp(word, "${", 2) == 0;
    const char *const name = word + 1 + braces;
    size_t n = 0;

    if (word[0] != '$' || p3d_is_digit(name[0]))
        return false;
    while (p3d_is_word(name[n]))
        n++;
    return n > 0 && strcmp(name + n, braces ? "}" : "") == 0 &&
           !exchange_shell_is_given(name);
}

static bool is_known(const char *word)
{
    return strpbrk(word, "$`") == NULL;
}

static verdict turn(verdict found)
{
    return found == TRUE_TEST    ? FALSE_TEST
           : found == FALSE_TEST ? TRUE_TEST
                                 : NOT_KNOWN;
}

static void note_unset(exchange_branches *b, const char *word)
{
    char plain[EXCHANGE_TEST_WORD] = "$";
    const size_t n = strspn(word, "${");

    memcpy(plain + 1, word + n, strcspn(word + n, "}"));
    word = plain;
    for (int i = 0; i < b->n_unset; i++)
        if (strcmp(b->unset[i], word) == 0)
            return;
    if (b->n_unset < EXCHANGE_MAX_UNSET &&
            p3d_copy(b->unset[b->n_unset], EXCHANGE_TEST_WORD, word))
        b->n_unset++;
}

/* "[ A = B ]", "[[ -z A ]]", "[ ! -z A ]": what has a variable that is set
 * outside is not known. */
static verdict judge(exchange_branches *b)
{
    const char *words[EXCHANGE_TEST_WORDS] = {0};
    const bool is_not = b->n_words > 4 && strcmp(b->words[1], "!") == 0;
    const int n = b->n_words - is_not;
    verdict found;

    if (n < 4 || n > 5 ||
            (strcmp(b->words[0], "[") != 0 && strcmp(b->words[0], "[[") != 0))
        return NOT_KNOWN;
    for (int i = 1; i < n; i++) {
        words[i] = b->words[i + is_not];
        if (is_unset(words[i])) {
            if (!exchange_branches_skip(b))
                note_unset(b, words[i]);
            words[i] = "";
        }
        if (!is_known(words[i]))
            return NOT_KNOWN;
    }
    found = n == 4 ? length_test(words[1], words[2])
                   : compare(words[1], words[2], words[3]);
    return is_not ? turn(found) : found;
}

/* The word of a test that nobody knows. */
static const char *find_doubt(const exchange_branches *b)
{
    for (int i = 1; i < b->n_words && i < EXCHANGE_TEST_WORDS; i++)
        if (!is_known(b->words[i]) && !is_unset(b->words[i]))
            return b->words[i];
    return "";
}

static void begin_test(exchange_branches *b)
{
    b->testing = true;
    b->is_plain = false;
    b->n_words = 0;
}

static void open_if(exchange_branches *b)
{
    if (b->n == EXCHANGE_MAX_BRANCHES) {
        b->broken = true;
        return;
    }
    memset(&b->at[b->n++], 0, sizeof(b->at[0]));
    begin_test(b);
}

bool exchange_branches_take(exchange_branches *b, const char *word)
{
    const bool closes = strcmp(word, "fi") == 0 || strcmp(word, "esac") == 0;
    const bool turns = strcmp(word, "else") == 0;

    if (b->is_off || b->testing)
        return false;
    if (strcmp(word, "then") == 0)
        return true;
    if (strcmp(word, "[") == 0 || strcmp(word, "[[") == 0) {
        begin_test(b);
        b->is_plain = true;
        return exchange_branches_test(b, word);
    }
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

/* "[ A = B ] && command" */
static void close_plain(exchange_branches *b, const char *end)
{
    const verdict found = judge(b);

    b->testing = b->is_plain = false;
    b->skip_next = (found == FALSE_TEST && strncmp(end, "&&", 2) == 0) ||
                   (found == TRUE_TEST && strncmp(end, "||", 2) == 0);
}

void exchange_branches_close(exchange_branches *b, const char *end)
{
    verdict found;

    if (!b->testing)
        b->skip_next = b->skip_next && end[0] != '\n' && end[0] != ';' &&
                       end[0] != '\0';
    if (b->testing && b->is_plain) {
        close_plain(b, end);
        return;
    }
    if (!b->testing || b->n == 0)
        return;
    b->testing = false;
    found = judge(b);
    if ((end[0] == '&' && found == TRUE_TEST) ||
            (end[0] == '|' && found == FALSE_TEST))
        found = NOT_KNOWN;
    b->at[b->n - 1].skipped = b->at[b->n - 1].decided || found == FALSE_TEST;
    if (found == TRUE_TEST)
        b->at[b->n - 1].decided = true;
    if (found == NOT_KNOWN)
        (void)p3d_copy(b->at[b->n - 1].subject, sizeof(b->at[b->n - 1].subject),
                find_doubt(b));
}

void exchange_branches_case(exchange_branches *b, const char *subject)
{
    if (b->is_off)
        return;
    if (b->n == EXCHANGE_MAX_BRANCHES) {
        b->broken = true;
        return;
    }
    memset(&b->at[b->n], 0, sizeof(b->at[0]));
    b->at[b->n].is_case = b->at[b->n].awaits = true;
    if (!p3d_copy(b->at[b->n].subject, EXCHANGE_TEST_WORD,
                is_unset(subject) ? "" : subject))
        b->broken = true;
    b->n++;
}

bool exchange_branches_awaits(const exchange_branches *b)
{
    return !b->is_off && b->n > 0 && b->at[b->n - 1].is_case &&
           b->at[b->n - 1].awaits;
}

static bool matches(const char *pattern, size_t n, const char *subject)
{
    char one[EXCHANGE_TEST_WORD];

    while (n > 0 && p3d_is_space(*pattern))
        pattern++, n--;
    while (n > 0 && p3d_is_space(pattern[n - 1]))
        n--;
    if (n > 1 && (pattern[0] == '"' || pattern[0] == '\'') &&
            pattern[n - 1] == pattern[0]) {
        pattern++;
        n -= 2;
    }
    if (n >= sizeof(one))
        return false;
    memcpy(one, pattern, n);
    one[n] = '\0';
    return fnmatch(one, subject, 0) == 0;
}

void exchange_branches_pattern(
        exchange_branches *b, const char *pattern, size_t n)
{
    const char *const end = pattern + n;
    bool found = false;

    b->at[b->n - 1].awaits = false;
    if (!is_known(b->at[b->n - 1].subject)) {
        b->at[b->n - 1].skipped = false;
        return;
    }
    while (pattern < end) {
        const char *const bar = memchr(pattern, '|', (size_t)(end - pattern));
        const char *const stop = bar != NULL ? bar : end;

        found = found || matches(pattern, (size_t)(stop - pattern),
                                 b->at[b->n - 1].subject);
        pattern = stop + 1;
    }
    b->at[b->n - 1].skipped = b->at[b->n - 1].decided || !found;
    b->at[b->n - 1].decided = b->at[b->n - 1].decided || found;
}

void exchange_branches_end_arm(exchange_branches *b)
{
    if (b->is_off || b->n == 0 || !b->at[b->n - 1].is_case)
        return;
    b->at[b->n - 1].awaits = true;
    b->at[b->n - 1].skipped = false;
}

bool exchange_branches_skip(const exchange_branches *b)
{
    for (int i = 0; i < b->n; i++)
        if (b->at[i].skipped)
            return true;
    return b->skip_next;
}

const char *exchange_branches_doubt(const exchange_branches *b)
{
    for (int i = 0; i < b->n; i++)
        if (b->at[i].subject[0] != '\0' && !is_known(b->at[i].subject))
            return b->at[i].subject;
    return NULL;
}
