/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.c - a command line that is put together, changed and asked. */
#include "commands/line.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/util.h"
#include "cli/commands.h"
#include "plan3d/command.h"
#include "report/report.h"

void line_add(line *l, const char *fmt, ...)
{
    va_list args;
    int length;

    P3D_ASSERT(l->n < LINE_WORDS);
    va_start(args, fmt);
    length = vsnprintf(l->words[l->n], LINE_WORD, fmt, args);
    va_end(args);
    P3D_ASSERT(length >= 0 && length < LINE_WORD);
    l->n++;
}

static bool is_option(const char *word)
{
    return strncmp(word, "--", 2) == 0;
}

/* Index of an option; -1 = not there. */
static int find(const line *l, const char *name)
{
    const size_t n = strlen(name);

    for (int i = 0; i < l->n; i++) {
        const char *const word = l->words[i];

        if (is_option(word) && strncmp(word + 2, name, n) == 0 &&
                (word[2 + n] == '\0' || word[2 + n] == '='))
            return i;
    }
    return -1;
}

void line_set(line *l, const char *name, const char *value)
{
    line_drop(l, name);
    if (value == NULL)
        line_add(l, "--%s", name);
    else
        line_add(l, "--%s=%s", name, value);
}

void line_drop(line *l, const char *name)
{
    const int i = find(l, name);

    if (i < 0)
        return;
    l->n--;
    memmove(l->words[i], l->words[i + 1], (size_t)(l->n - i) * LINE_WORD);
}

bool line_has(const line *l, const char *name)
{
    return find(l, name) >= 0;
}

const char *line_value(const line *l, const char *name)
{
    const int i = find(l, name);
    const char *equals;

    if (i < 0)
        return NULL;
    equals = strchr(l->words[i], '=');
    return equals == NULL ? "" : equals + 1;
}

const char *line_positional(const line *l, int i)
{
    for (int k = 0; k < l->n; k++)
        if (!is_option(l->words[k]) && i-- == 0)
            return l->words[k];
    return "";
}

line line_of_command(const line *question, const char *command)
{
    static const char *const of_form[] = {"json", "format", "top", "verify",
            "color", "lang", "help", "out", "force", "dry-run"};
    const json_option_table table = cli_command_find(command, NULL)->table;
    line l = {.spaced = question->spaced};

    line_add(&l, "%s", command);
    line_add(&l, "%s", line_positional(question, 1));
    line_add(&l, "%s", line_positional(question, 2));
    for (int i = 0; i < question->n; i++) {
        const char *const word = question->words[i];

        if (is_option(word) && json_option_find(table, word) != NULL)
            line_add(&l, "%s", word);
    }
    for (int i = 0; i < P3D_COUNT_OF(of_form); i++)
        line_drop(&l, of_form[i]);
    return l;
}

void line_print(const line *l, p3d_text *out)
{
    p3d_text_add(out, "plan3d");
    for (int i = 0; i < l->n; i++) {
        p3d_text_add(out, " ");
        report_shell_word(l->words[i], out);
    }
}

bool line_is_same(const line *a, const line *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->words[i], b->words[i]) != 0)
            return false;
    return true;
}

/* The arguments of a line, pieces of *copy. @return how many */
static int arguments(line *copy, const char *argv[2 * LINE_WORDS])
{
    int n = 0;

    for (int i = 0; i < copy->n; i++) {
        char *const word = copy->words[i];
        char *const equals =
                copy->spaced && is_option(word) ? strchr(word, '=') : NULL;

        argv[n++] = word;
        if (equals != NULL) {
            *equals = '\0';
            argv[n++] = equals + 1;
        }
    }
    return n;
}

bool answer_wants_json(const line *l)
{
    const char *const format = line_value(l, "format");
    const char *const command = line_positional(l, 0);

    return !line_has(l, "help") &&
           (line_has(l, "json") ||
                   (format != NULL && strcmp(format, "json") == 0) ||
                   strcmp(command, "trace") == 0 ||
                   (strcmp(command, "schema") == 0 && !line_has(l, "keys") &&
                           line_positional(l, 1)[0] != '\0'));
}

answer *answer_ask(const line *l)
{
    const char *argv[2 * LINE_WORDS];
    answer *const a = calloc(1, sizeof(*a));
    line copy = *l;
    clock_t begin;

    P3D_ASSERT(a != NULL);
    a->line = *l;
    begin = clock();
    a->status = p3d_command(arguments(&copy, argv), argv, &a->out, &a->err);
    a->cpu_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
    P3D_ASSERT(a->out != NULL && a->err != NULL);
    return a;
}

void answer_free(answer *a)
{
    while (a != NULL) {
        answer *const next = a->next;

        json_close(&a->json);
        p3d_command_free(a->out);
        p3d_command_free(a->err);
        free(a);
        a = next;
    }
}

bool answer_is_given(const answer *a)
{
    return a->status == 0 || a->status == 1;
}

const json_value *answer_at(const answer *a, const char *path)
{
    const json_value *value = a->json.root;

    while (value != NULL && *path != '\0') {
        const size_t n = strcspn(path, ".");
        char key[64];

        P3D_ASSERT(n < sizeof(key));
        memcpy(key, path, n);
        key[n] = '\0';
        value = json_is_object(value) ? json_get(value, key) : NULL;
        path += n + (path[n] == '.');
    }
    return value;
}

double answer_number(const answer *a, const char *path)
{
    double number = 0;

    if (!json_number(answer_at(a, path), &number))
        number = (double)NAN;
    return number;
}

const char *answer_string(const answer *a, const char *path)
{
    const json_value *const value = answer_at(a, path);

    return value == NULL ? "" : json_string(value);
}

bool answer_true(const answer *a, const char *path)
{
    return answer_number(a, path) > 0;
}
