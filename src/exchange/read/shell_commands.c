/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_commands.c - commands of a script that set variables in ways of their
 * own: loops, read, calls of functions. */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/shell_reader.h"

enum { MOST_NAMES = 16, MAX_NAME = 100, MOST_ARGUMENTS = 9 };

/* Bytes of a loop. */
enum { LONGEST_LOOP = 1 << 16 };

/* True for a variable that the caller gives. */
static bool is_given(const shell_reader *r, const char *name)
{
    for (int i = 0; i < r->out->n_given; i++)
        if (strcmp(r->out->given[i].name, name) == 0)
            return true;
    return false;
}

/* The caller gives arguments: their names are numbers. */
static bool has_arguments(const shell_reader *r)
{
    for (int i = 0; i < r->out->n_given; i++)
        if (p3d_is_digit(r->out->given[i].name[0]))
            return true;
    return false;
}

static size_t word_length(const char *at)
{
    return strcspn(at, " \t\n;()");
}

static bool is_here(const char *at, const char *word)
{
    return word_length(at) == strlen(word) &&
           strncmp(at, word, strlen(word)) == 0;
}

/* The place behind the "done" of a loop; NULL where it is far or missing. */
static const char *find_done(const char *at)
{
    const char *const begin = at;
    int depth = 0;

    for (; *at != '\0' && at - begin < LONGEST_LOOP; at += word_length(at)) {
        at += strspn(at, " \t\n;()");
        depth += is_here(at, "do");
        depth -= is_here(at, "done");
        if (depth == 0 && is_here(at, "done"))
            return at + word_length(at);
    }
    return NULL;
}

bool shell_skip_arguments(shell_reader *r)
{
    static const char *const tests[] = {"$#", "\"$1\"", "getopts "};
    const size_t n = strcspn(r->at, ";\n");
    const char *end = NULL;
    bool asks = false;

    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < P3D_COUNT_OF(tests); k++)
            asks = asks || strncmp(r->at + i, tests[k], strlen(tests[k])) == 0;
    if (asks && !has_arguments(r))
        end = find_done(r->at);
    if (end == NULL)
        return false;
    for (; r->at < end; r->at++)
        r->line += *r->at == '\n';
    return true;
}

/* "in A B C": the words behind the variable of a loop. */
static void read_list(shell_reader *r, p3d_text *list)
{
    shell_skip_blanks(r);
    if (strncmp(r->at, "in", 2) != 0 || !shell_ends_word(r->at[2]))
        return;
    for (r->at += 2;;) {
        shell_word w;

        shell_skip_blanks(r);
        if (shell_ends_word(*r->at))
            return;
        shell_read_word(r, &w);
        p3d_text_add(list, "%s%s", list->length > 0 ? " " : "",
                p3d_text_get(&w.text));
        r->failed = r->failed || w.text.failed || list->failed;
        p3d_text_free(&w.text);
    }
}

/* Who asks for the variable of a loop is told of its words. */
static void note_loop(shell_reader *r, const char *name, const char *words)
{
    p3d_text loop = {0};

    p3d_text_add(&loop, EXCHANGE_LOOP "%s", name);
    if (exchange_settings_add(
                r->out, p3d_text_get(&loop), words, r->line, r->err))
        r->out->at[r->out->n - 1].used = true;
    else
        r->failed = true;
    p3d_text_free(&loop);
}

/* A list of one word is that word. Of several the variable is none. */
static void take_list(shell_reader *r, const char *name, const p3d_text *list)
{
    const char *const words = p3d_text_get(list);
    const bool is_known = list->length > 0 && strpbrk(words, "$`*{") == NULL;
    p3d_text value = {0};

    if (is_known && strchr(words, ' ') == NULL) {
        shell_keep(r, name, strlen(name), words, false);
        return;
    }
    p3d_text_add(&value, "$%s ", name);
    shell_keep(r, name, strlen(name), p3d_text_get(&value), false);
    if (is_known && !exchange_branches_skip(&r->branches))
        note_loop(r, name, words);
    r->failed = r->failed || value.failed;
    p3d_text_free(&value);
}

void shell_read_loop(shell_reader *r)
{
    char name[MAX_NAME] = "";
    p3d_text list = {0};
    size_t n = 0;

    shell_skip_blanks(r);
    while (p3d_is_word(r->at[n]))
        n++;
    if (n < MAX_NAME)
        memcpy(name, r->at, n);
    name[n < MAX_NAME ? n : 0] = '\0';
    r->at += n;
    read_list(r, &list);
    if (name[0] != '\0' && !p3d_is_digit(name[0]) && !is_given(r, name))
        take_list(r, name, &list);
    p3d_text_free(&list);
}

/* Words between blanks, or between the characters of IFS. */
static void share_words(
        shell_reader *r, char (*names)[MAX_NAME], int n, const char *words)
{
    const exchange_shell_variable *const ifs =
            exchange_shell_find(&r->variables, "IFS", 3);
    char between[MAX_NAME] = " \t";

    if (ifs != NULL && ifs->value.length > 0)
        (void)p3d_copy(between, sizeof(between), p3d_text_get(&ifs->value));
    for (int i = 0; i < n; i++) {
        p3d_text value = {0};
        size_t length;

        words += strspn(words, " \t");
        length = i + 1 < n ? strcspn(words, between) : strlen(words);
        p3d_text_append(&value, words, length);
        shell_keep(r, names[i], strlen(names[i]), p3d_text_get(&value), false);
        r->failed = r->failed || value.failed;
        p3d_text_free(&value);
        words += length;
        words += *words != '\0';
    }
    exchange_shell_forget(&r->variables, "IFS", 3);
}

void shell_read_names(shell_reader *r)
{
    char names[MOST_NAMES][MAX_NAME];
    bool is_here = false;
    int n = 0;

    while (!is_here) {
        shell_word w;

        shell_skip_blanks(r);
        is_here = strncmp(r->at, "<<<", 3) == 0;
        if (!is_here && shell_ends_word(*r->at))
            return; /* of a file, or of who runs it */
        r->at += is_here ? 3 : 0;
        shell_skip_blanks(r);
        shell_read_word(r, &w);
        if (is_here)
            share_words(r, names, n, p3d_text_get(&w.text));
        else if (p3d_is_letter(p3d_text_get(&w.text)[0]) && n < MOST_NAMES)
            n += p3d_copy(names[n], MAX_NAME, p3d_text_get(&w.text));
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
}

/* What "$1" and so on stood for. */
typedef struct arguments {
    p3d_text text[MOST_ARGUMENTS];
    bool had[MOST_ARGUMENTS];
} arguments;

static void keep_arguments(shell_reader *r, arguments *before)
{
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const char name[] = {(char)('1' + i), '\0'};
        const exchange_shell_variable *const old =
                exchange_shell_find(&r->variables, name, 1);

        before->had[i] = old != NULL;
        if (old != NULL)
            p3d_text_add(&before->text[i], "%s", p3d_text_get(&old->value));
        r->failed = r->failed || before->text[i].failed;
    }
}

/* The words behind a call are "$1" and so on in its function. */
static void take_arguments(shell_reader *r)
{
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const char name[] = {(char)('1' + i), '\0'};
        shell_word w;

        shell_skip_blanks(r);
        if (shell_ends_word(*r->at)) {
            exchange_shell_forget(&r->variables, name, 1);
            continue;
        }
        shell_read_word(r, &w);
        r->failed = r->failed || w.text.failed ||
                    !exchange_shell_set(&r->variables, name, 1,
                            p3d_text_get(&w.text), false);
        p3d_text_free(&w.text);
    }
}

static void restore_arguments(shell_reader *r, arguments *before)
{
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const char name[] = {(char)('1' + i), '\0'};

        if (!before->had[i])
            exchange_shell_forget(&r->variables, name, 1);
        else if (!exchange_shell_set(&r->variables, name, 1,
                         p3d_text_get(&before->text[i]), false))
            r->failed = true;
        p3d_text_free(&before->text[i]);
    }
}

bool shell_read_call(shell_reader *r, const char *name)
{
    const exchange_shell_function *const called =
            exchange_shell_function_of(&r->functions, name);
    arguments before = {.had = {false}};

    if (called == NULL)
        return false;
    keep_arguments(r, &before);
    take_arguments(r);
    if (!exchange_branches_skip(&r->branches) &&
            r->functions.depth < EXCHANGE_SHELL_DEPTH &&
            r->functions.n_calls++ < EXCHANGE_SHELL_CALLS) {
        const char *const at = r->at;
        const int line = r->line;

        r->functions.depth++;
        r->at = p3d_text_get(&called->body);
        r->line = called->line;
        r->read_lines(r);
        r->functions.depth--;
        r->kind = SHELL_NO_KIND;
        r->at = at;
        r->line = line;
    }
    restore_arguments(r, &before);
    return true;
}

/* The number that one side of "((a > b))" is. @return false where it is not
 * known */
static bool work_out(shell_reader *r, const char *at, size_t n, p3d_text *out)
{
    p3d_text sum = {0};

    p3d_text_add(&sum, "$((%.*s))", (int)n, at);
    if (!sum.failed)
        (void)exchange_shell_expand(&r->variables, sum.data, out);
    r->failed = r->failed || sum.failed || out->failed;
    p3d_text_free(&sum);
    return out->length > 0 && strpbrk(out->data, "$`") == NULL;
}

static void put_test(shell_reader *r, const char *const words[5])
{
    for (int i = 0; i < 5; i++)
        exchange_branches_test(&r->branches, words[i]);
}

/* The first place of a word before an end; the end where there is none. Of a
 * line alone: looking through the rest for each line takes its square. */
static const char *find_before(
        const char *at, const char *end, const char *word)
{
    const size_t n = strlen(word);

    while (at < end && strncmp(at, word, n) != 0)
        at++;
    return at;
}

bool shell_read_number_test(shell_reader *r)
{
    static const char *const tests[][2] = {{">=", "-ge"}, {"<=", "-le"},
            {"==", "-eq"}, {"!=", "-ne"}, {">", "-gt"}, {"<", "-lt"}};
    const char *begin, *end, *line_end;

    if (!r->branches.testing || strncmp(r->at, "((", 2) != 0)
        return false;
    begin = r->at + 2;
    line_end = begin + strcspn(begin, "\n&|");
    end = find_before(begin, line_end, "))");
    if (end == begin || end == line_end)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(tests); i++) {
        const char *const at = find_before(begin, end, tests[i][0]);
        const size_t length = strlen(tests[i][0]);
        p3d_text a = {0}, b = {0};
        bool is_known;

        if (at == end)
            continue;
        is_known = work_out(r, begin, (size_t)(at - begin), &a) &&
                   work_out(r, at + length, (size_t)(end - at) - length, &b);
        if (is_known)
            put_test(r, (const char *const[]){"[", p3d_text_get(&a),
                                tests[i][1], p3d_text_get(&b), "]"});
        p3d_text_free(&a);
        p3d_text_free(&b);
        r->at += is_known ? end + 2 - r->at : 0;
        return is_known;
    }
    return false;
}

/* True where a text ends in a place and a name behind it. */
static bool ends_with(const char *text, const char *place, const char *name)
{
    char end[64];
    const int n = snprintf(end, sizeof(end), "%s%s", place, name);
    const size_t length = strlen(text);

    return n > 0 && length >= (size_t)n &&
           strcmp(text + length - (size_t)n, end) == 0 &&
           (length == (size_t)n || text[length - (size_t)n - 1] == '/');
}

void shell_note_trl(shell_reader *r, const char *text)
{
    static const struct {
        const char *file, *module, *word;
    } programs[] = {{"sft.py", "sft", "sft"}, {"dpo.py", "dpo", "dpo"},
            {"kto.py", "kto", "kto"}, {"orpo.py", "orpo", "orpo"},
            {"grpo.py", "grpo", "grpo"}, {"reward.py", "reward", "reward"},
            {"reward_modeling.py", "reward_modeling", "reward"}};
    static const char *const places[] = {
            "trl/scripts/", "examples/scripts/", "open_r1/"};

    for (int i = 0; i < P3D_COUNT_OF(programs); i++) {
        bool is_it = r->program != NULL && strcmp(r->program, "trl") == 0 &&
                     strcmp(text, programs[i].module) == 0;

        for (int k = 0; k < P3D_COUNT_OF(places); k++)
            is_it = is_it || ends_with(text, places[k], programs[i].file);
        if (!is_it && !ends_with(text, "trl.scripts.", programs[i].module))
            continue;
        r->failed = !exchange_settings_add(r->out, EXCHANGE_BY_TRL,
                            programs[i].word, r->line, r->err) ||
                    r->failed;
        return;
    }
}

bool shell_begins_inner(shell_reader *r, const char *word)
{
    static const char *const shells[] = {"bash", "sh", "zsh"};
    const char *const name = p3d_last_part(word);
    const size_t n = strlen(word);
    const bool is_option = word[0] == '-' && word[1] != '-' && n > 1;
    bool is_name = false;

    if (r->is_shell && is_option && word[n - 1] == 'c')
        return true;
    for (int i = 0; i < P3D_COUNT_OF(shells); i++)
        is_name = is_name || strcmp(name, shells[i]) == 0;
    r->is_shell = is_name || (r->is_shell && is_option);
    return false;
}

static void read_script_of(shell_reader *r, const shell_word *w)
{
    const bool overrides = r->overrides, says = r->says;

    if (w->literal && !exchange_branches_skip(&r->branches) &&
            r->functions.depth < EXCHANGE_SHELL_DEPTH &&
            r->functions.n_calls++ < EXCHANGE_SHELL_CALLS) {
        const char *const at = r->at;
        const int line = r->line;

        r->functions.depth++;
        r->at = p3d_text_get(&w->text);
        r->line = w->line;
        r->read_lines(r);
        r->functions.depth--;
        r->kind = SHELL_NO_KIND;
        r->at = at;
        r->line = line;
    }
    r->overrides = overrides;
    r->says = says;
}

void shell_read_inner(shell_reader *r)
{
    shell_word w;

    shell_skip_blanks(r);
    r->keeps_lines = true;
    shell_read_word(r, &w);
    r->keeps_lines = r->is_shell = false;
    read_script_of(r, &w);
    r->failed = r->failed || w.text.failed;
    p3d_text_free(&w.text);
}

bool shell_read_quoted(shell_reader *r, const shell_word *w)
{
    if (!r->quotes || !w->literal ||
            strpbrk(p3d_text_get(&w->text), " \n") == NULL)
        return false;
    read_script_of(r, w);
    r->quotes = r->keeps_lines = false;
    return true;
}

void shell_skip_function(shell_reader *r)
{
    const char *const end =
            exchange_shell_define(&r->functions, r->at, r->line);

    for (; end != NULL && r->at < end; r->at++)
        r->line += *r->at == '\n';
}
