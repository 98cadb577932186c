/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_shell.c - the options that a shell script gives to a program, read
 * without running it: variables, arrays and simple arithmetic are followed,
 * everything else is left as it is written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/rows.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/branches.h"
#include "exchange/read/read.h"

enum {
    SHELL_VARIABLES = 4096, /* more are left out */
    SHELL_SLOTS = 2 * SHELL_VARIABLES,
    SHELL_EXPANDED = 16 << 20 /* bytes that variables may stand for in a
                                     script, all uses together */
};

typedef struct shell_variable {
    p3d_text name;
    p3d_text value;
} shell_variable;

/** Zero to begin. */
typedef struct shell_variables {
    shell_variable *at;
    int n;
    short slots[SHELL_SLOTS]; /* by the name's hash: a place + 1; 0 = none */
    size_t n_expanded;        /* bytes so far */
} shell_variables;

/* Of a value, so that none can grow for ever. */
enum { MAX_VALUE = 1 << 16 };

/* FNV-1a. */
static uint32_t hash(const char *name, size_t n)
{
    uint32_t h = 2166136261U;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619U;
    return h;
}

/* The slot of a name, or the free one where it belongs: half of the slots are
 * always free. */
static int slot_of(const shell_variables *variables, const char *name, size_t n)
{
    uint32_t slot = hash(name, n) % SHELL_SLOTS;

    while (variables->slots[slot] != 0) {
        const p3d_text *const other =
                &variables->at[variables->slots[slot] - 1].name;

        if (other->length == n && memcmp(p3d_text_get(other), name, n) == 0)
            break;
        slot = (slot + 1) % SHELL_SLOTS;
    }
    return (int)slot;
}

static shell_variable *find(
        const shell_variables *variables, const char *name, size_t n)
{
    const int i = variables->slots[slot_of(variables, name, n)];

    return i > 0 ? &variables->at[i - 1] : NULL;
}

static shell_variable *add(
        shell_variables *variables, const char *name, size_t n)
{
    shell_variable *const at =
            p3d_grow(variables->at, variables->n, sizeof(*at));
    shell_variable variable = {.name = {.data = NULL}};

    if (at == NULL)
        return NULL;
    variables->at = at;
    p3d_text_append(&variable.name, name, n);
    if (variable.name.failed)
        return NULL;
    at[variables->n] = variable;
    variables->slots[slot_of(variables, name, n)] = (short)++variables->n;
    return &at[variables->n - 1];
}

/* Set the variable of a name of n bytes, or append to it behind a blank.
 *  @return false when memory runs out */
static bool shell_set(shell_variables *variables, const char *name, size_t n,
        const char *value, bool append)
{
    shell_variable *variable = find(variables, name, n);

    if (variable == NULL && variables->n == SHELL_VARIABLES)
        return true;
    if (variable == NULL)
        variable = add(variables, name, n);
    else if (append)
        p3d_text_append(&variable->value, " ", 1);
    else
        p3d_text_cut(&variable->value, 0);
    if (variable == NULL)
        return false;
    p3d_text_append(&variable->value, value, strlen(value));
    if (variable->value.length > MAX_VALUE) {
        p3d_text_free(&variable->value);
        p3d_text_append(&variable->value, "$", 1); /* nobody knows it */
    }
    return !variable->value.failed;
}

/* Values that were put are missing: they are too long together. */
static bool shell_too_long(const shell_variables *variables)
{
    return variables->n_expanded > SHELL_EXPANDED;
}

/* Append a value, as long as all of them together are not too long. */
static void shell_put(
        shell_variables *variables, const p3d_text *value, p3d_text *out)
{
    variables->n_expanded += value->length;
    if (!shell_too_long(variables))
        p3d_text_append(out, p3d_text_get(value), value->length);
}

static void shell_free(shell_variables *variables)
{
    for (int i = 0; i < variables->n; i++) {
        p3d_text_free(&variables->at[i].name);
        p3d_text_free(&variables->at[i].value);
    }
    free(variables->at);
    *variables = (shell_variables){.at = NULL};
}

enum { MAX_DEPTH = 32, MAX_DIGITS = 32 };

/* Arithmetic: whole numbers, + - * / % and parentheses. */
typedef struct sum {
    const shell_variables *variables;
    const char *at;
    int depth;
    bool wrong;
} sum;

static int64_t read_sum(sum *s);

static void skip(sum *s)
{
    while (p3d_is_space(*s->at))
        s->at++;
}

static size_t name_length(const char *at)
{
    size_t n = 0;

    if (p3d_is_digit(at[0]))
        return 0;
    while (p3d_is_word(at[n]))
        n++;
    return n;
}

/* Of a variable, or of an argument of the script: "1". */
static size_t variable_length(const char *at, bool in_braces)
{
    const size_t n = strspn(at, "0123456789");

    return n == 0 ? name_length(at) : in_braces ? n : 1;
}

static int64_t read_digits(sum *s)
{
    int64_t value = 0;

    if (!p3d_is_digit(*s->at))
        s->wrong = true;
    for (; p3d_is_digit(*s->at); s->at++)
        value = p3d_add(p3d_mul(value, 10), *s->at - '0');
    return value;
}

/* A variable's value must be a plain number. */
static int64_t read_variable(sum *s, size_t n)
{
    const shell_variable *const variable = find(s->variables, s->at, n);
    sum inner = {.at = ""};
    int64_t number;

    if (variable != NULL && variable->value.length < MAX_DIGITS)
        inner.at = p3d_text_get(&variable->value);
    s->at += n;
    number = read_digits(&inner);
    s->wrong = s->wrong || inner.wrong || *inner.at != '\0';
    return number;
}

static int64_t read_factor(sum *s)
{
    int64_t value;
    bool braces;
    size_t n;

    skip(s);
    if (*s->at == '(' && s->depth < MAX_DEPTH) {
        s->depth++;
        s->at++;
        value = read_sum(s);
        s->depth--;
        skip(s);
        s->wrong = s->wrong || *s->at != ')';
        s->at += *s->at == ')';
        return value;
    }
    s->at += *s->at == '$';
    braces = *s->at == '{';
    s->at += braces;
    n = name_length(s->at);
    value = n > 0 ? read_variable(s, n) : read_digits(s);
    s->wrong = s->wrong || (braces && *s->at != '}');
    s->at += braces && *s->at == '}';
    return value;
}

static int64_t read_product(sum *s)
{
    int64_t value = read_factor(s);

    for (;;) {
        char sign;
        int64_t next;

        skip(s);
        sign = *s->at;
        if (s->wrong || sign == '\0' || strchr("*/%", sign) == NULL)
            return value;
        s->at++;
        next = read_factor(s);
        if (sign == '*')
            value = p3d_mul(value < 0 ? 0 : value, next < 0 ? 0 : next);
        else if (next <= 0)
            s->wrong = true;
        else
            value = sign == '/' ? value / next : value % next;
    }
}

static int64_t read_sum(sum *s)
{
    int64_t value = read_product(s);

    for (;;) {
        char sign;
        int64_t next;

        skip(s);
        sign = *s->at;
        if (s->wrong || (sign != '+' && sign != '-'))
            return value;
        s->at++;
        next = read_product(s);
        if (sign == '+')
            value = p3d_add(value < 0 ? 0 : value, next < 0 ? 0 : next);
        else
            value -= next;
        s->wrong = s->wrong || value < 0;
    }
}

/* Place behind the bracket that closes the one at a place; the end of the
 * text where there is none. */
static const char *closing(const char *at, char open, char close)
{
    int depth = 0;

    for (; *at != '\0'; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

static const char *as_written(const char *from, const char *to, p3d_text *out)
{
    p3d_text_append(out, from, (size_t)(to - from));
    return to;
}

static const char *expand_arithmetic(
        shell_variables *variables, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '(', ')');
    sum s = {.variables = variables, .at = at + 3};
    const int64_t value = read_sum(&s);

    skip(&s);
    if (s.wrong || strncmp(s.at, "))", 2) != 0 || s.at + 2 != end)
        return as_written(at, end, out);
    p3d_text_add(out, "%lld", (long long)value);
    return end;
}

/*
 * Append what stands for the "$" or "`" at a place: $NAME, ${NAME},
 * ${NAME:-word}, ${NAME[@]}, $((sum)). Anything else is appended as it is
 * written, and so is a variable that is not set.
 *
 * @return the place behind it
 */
static const char *shell_expand(
        shell_variables *variables, const char *at, p3d_text *out);

/* ${NAME}, ${NAME:-word}, ${NAME[@]} */
static const char *expand_braces(
        shell_variables *variables, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '{', '}');
    const size_t n = variable_length(at + 2, true);
    const char *const rest = at + 2 + n;
    const shell_variable *const variable = find(variables, at + 2, n);

    if (n == 0 || end[-1] != '}')
        return as_written(at, end, out);
    if (variable != NULL && (rest + 1 == end || strchr(":-[", *rest) != NULL)) {
        shell_put(variables, &variable->value, out);
    } else if (strncmp(rest, ":-", 2) == 0) {
        const char *word = rest + 2;

        while (word < end - 1) {
            if (*word == '$' && name_length(word + 1) > 0)
                word = shell_expand(variables, word, out);
            else if (*word == '"' || *word == '\'')
                word++;
            else
                p3d_text_append(out, word++, 1);
        }
    } else {
        return as_written(at, end, out);
    }
    return end;
}

static const char *shell_expand(
        shell_variables *variables, const char *at, p3d_text *out)
{
    const size_t n = variable_length(at + 1, false);
    const shell_variable *variable;

    if (*at == '`') {
        const char *const end = strchr(at + 1, '`');

        return as_written(at, end != NULL ? end + 1 : at + strlen(at), out);
    }
    if (strncmp(at, "$((", 3) == 0)
        return expand_arithmetic(variables, at, out);
    if (at[1] == '(')
        return as_written(at, closing(at + 1, '(', ')'), out);
    if (at[1] == '{')
        return expand_braces(variables, at, out);
    variable = find(variables, at + 1, n);
    if (n == 0 || variable == NULL)
        return as_written(at,
                at + 1 + n +
                        (n == 0 && at[1] != '\0' &&
                                strchr("@*#?!$", at[1]) != NULL),
                out);
    shell_put(variables, &variable->value, out);
    return at + 1 + n;
}

/* One word of a script. */
typedef struct word {
    p3d_text text;
    bool literal; /* it begins with what is written there */
    int line;
} word;

typedef struct reader {
    const char *at;
    int line;
    shell_variables variables;
    exchange_branches branches;
    exchange_settings *out;
    p3d_error *err;
    p3d_text name;  /* of the option that is open; empty = none */
    p3d_text value; /* of it so far */
    bool has_value;
    int option_line;
    int cut_line; /* of what is still open where the script ends; 0 = none */
    const char *cut;
    bool failed;
} reader;

/* The script must not end within something: what follows would be missed. */
static void close_with(reader *r, char mark, int line, const char *what)
{
    if (*r->at == mark) {
        r->at++;
    } else if (r->cut_line == 0) {
        r->cut_line = line;
        r->cut = what;
    }
}

static bool ends_word(char c)
{
    return c == '\0' || strchr(" \t\r\n;|&()<>", c) != NULL;
}

static void close_option(reader *r)
{
    if (r->name.length > 0 &&
            !exchange_settings_add(r->out, p3d_text_get(&r->name),
                    r->has_value ? p3d_text_get(&r->value) : NULL,
                    r->option_line, r->err))
        r->failed = true;
    p3d_text_free(&r->name);
    p3d_text_free(&r->value);
    r->has_value = false;
}

/* "--name", "--name=value", and "--name value" in one pair of quotes. */
static void open_option(reader *r, const char *text, int line)
{
    const size_t n = strcspn(text, "= \t");

    close_option(r);
    p3d_text_append(&r->name, text, n);
    r->option_line = line;
    if (text[n] != '\0') {
        p3d_text_add(&r->value, "%s", text + n + 1);
        r->has_value = true;
    }
}

static void add_value(reader *r, const char *text)
{
    if (r->name.length == 0)
        return;
    p3d_text_add(&r->value, "%s%s", r->has_value ? " " : "", text);
    r->has_value = true;
}

/* A word of a command or of an array. Options inside the value of a variable
 * were read where it was set. */
static void take_word(reader *r, const word *w)
{
    const char *const text = p3d_text_get(&w->text);

    if (exchange_branches_skip(&r->branches) ||
            (text[0] == '\0' && !w->literal)) /* of an empty variable */
        return;
    if (exchange_is_override(text)) {
        open_option(r, text, w->line);
        close_option(r);
        return;
    }

    if (strncmp(text, "--", 2) == 0 && p3d_is_letter(text[2])) {
        if (w->literal)
            open_option(r, text + 2, w->line);
        else
            close_option(r);
        return;
    }
    if (strcmp(text, "\\") != 0)
        add_value(r, text);
}

static void skip_comment(reader *r)
{
    static const char slurm[] = "#SBATCH";
    const bool is_slurm = strncmp(r->at, slurm, sizeof(slurm) - 1) == 0;

    if (is_slurm) {
        r->at += sizeof(slurm) - 1;
        return; /* its options follow as words */
    }
    while (*r->at != '\0' && *r->at != '\n')
        r->at++;
}

/* Blanks and continued lines. */
static void skip_blanks(reader *r)
{
    for (;;) {
        if (*r->at == '\\' &&
                (r->at[1] == '\n' || (r->at[1] == '\r' && r->at[2] == '\n'))) {
            r->at += r->at[1] == '\n' ? 2 : 3;
            r->line++;
        } else if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') {
            r->at++;
        } else {
            return;
        }
    }
}

static void read_double_quotes(reader *r, word *w)
{
    r->at++;
    while (*r->at != '\0' && *r->at != '"') {
        if (*r->at == '$' || *r->at == '`') {
            r->at = shell_expand(&r->variables, r->at, &w->text);
            continue;
        }
        if (*r->at == '\\' && r->at[1] != '\0') {
            r->at++;
            if (*r->at == '\n') {
                r->line++;
                r->at++;
                continue;
            }
        }
        r->line += *r->at == '\n';
        p3d_text_append(&w->text, *r->at == '\n' ? " " : r->at, 1);
        r->at++;
    }
    close_with(r, '"', w->line, "quote");
}

static void read_single_quotes(reader *r, word *w)
{
    for (r->at++; *r->at != '\0' && *r->at != '\''; r->at++) {
        r->line += *r->at == '\n';
        p3d_text_append(&w->text, *r->at == '\n' ? " " : r->at, 1);
    }
    close_with(r, '\'', w->line, "quote");
}

static void read_word(reader *r, word *w)
{
    *w = (word){.literal = *r->at != '$' && !(*r->at == '"' && r->at[1] == '$'),
            .line = r->line};
    while (!ends_word(*r->at)) {
        if (*r->at == '"') {
            read_double_quotes(r, w);
        } else if (*r->at == '\'') {
            read_single_quotes(r, w);
        } else if (*r->at == '$' || *r->at == '`') {
            r->at = shell_expand(&r->variables, r->at, &w->text);
        } else if (*r->at == '\\' && r->at[1] == '\n') {
            break;
        } else {
            r->at += *r->at == '\\' && r->at[1] != '\0';
            p3d_text_append(&w->text, r->at, 1);
            r->at++;
        }
    }
}

/* Length of "NAME=" or "NAME+=" at the start of a command; 0 = none. */
static size_t assignment_length(const char *at)
{
    size_t n = 0;

    if (!p3d_is_word(*at) || p3d_is_digit(*at))
        return 0;
    while (p3d_is_word(at[n]))
        n++;
    if (at[n] == '=')
        return n + 1;
    return at[n] == '+' && at[n + 1] == '=' ? n + 2 : 0;
}

/* Options in a value that is one quoted string: "--a 1 \ --b 2". */
static void take_string(reader *r, const char *text, int line)
{
    while (*text != '\0') {
        const size_t blank = strspn(text, " \t\n");
        const size_t n = strcspn(text + blank, " \t\n");
        word w = {.literal = true, .line = line};

        const bool quoted =
                n > 1 && text[blank] == '\'' && text[blank + n - 1] == '\'';

        p3d_text_append(&w.text, text + blank + quoted, n - 2 * quoted);
        if (n > 0)
            take_word(r, &w);
        p3d_text_free(&w.text);
        text += blank + n;
    }
    close_option(r);
}

static void skip_to_word(reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (*r->at == '\n') {
            r->line++;
            r->at++;
        } else if (*r->at == '#') {
            skip_comment(r);
        } else {
            return;
        }
    }
}

static void read_array(reader *r, p3d_text *value)
{
    const int line = r->line;

    r->at++;
    for (;;) {
        word w;

        skip_to_word(r);
        if (*r->at == '\0' || *r->at == ')')
            break;
        if (ends_word(*r->at)) { /* nothing that an array holds */
            r->at++;
            continue;
        }
        read_word(r, &w);
        take_word(r, &w);
        p3d_text_add(value, "%s%s", value->length > 0 ? " " : "",
                p3d_text_get(&w.text));
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    close_with(r, ')', line, "array");
    close_option(r);
}

static void read_assignment(reader *r, size_t length)
{
    const char *const name = r->at;
    const bool appends = r->at[length - 2] == '+';
    const size_t n = length - 1 - appends;
    p3d_text value = {0};
    const int line = r->line;

    r->at += length;
    if (*r->at == '(') {
        read_array(r, &value);
    } else {
        word w;

        read_word(r, &w);
        value = w.text;
        if (w.literal)
            take_string(r, p3d_text_get(&value), line);
    }
    if (!exchange_branches_skip(&r->branches) &&
            !shell_set(&r->variables, name, n, p3d_text_get(&value), appends))
        r->failed = true;
    r->failed = r->failed || value.failed;
    p3d_text_free(&value);
}

static bool is_before_assignment(const char *text)
{
    return strcmp(text, "export") == 0 || strcmp(text, "local") == 0 ||
           strcmp(text, "declare") == 0;
}

/* A command up to its end. */
static void read_command(reader *r)
{
    bool first = true;

    for (;;) {
        size_t length;
        word w;

        skip_blanks(r);
        if (*r->at == '#') {
            skip_comment(r);
            skip_blanks(r);
        }
        if (ends_word(*r->at))
            break;
        length = first ? assignment_length(r->at) : 0;
        if (length > 0) {
            read_assignment(r, length);
            continue;
        }
        read_word(r, &w);
        if (!exchange_branches_test(&r->branches, p3d_text_get(&w.text)) &&
                !(first && exchange_branches_take(
                                   &r->branches, p3d_text_get(&w.text)))) {
            first = first && is_before_assignment(p3d_text_get(&w.text));
            take_word(r, &w);
        }
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    close_option(r);
    exchange_branches_close(&r->branches, *r->at);
}

/* Variables that programs read by themselves, and that change how they run. */
static const char *const environment[] = {
        EXCHANGE_LAUNCH_BLOCKING, EXCHANGE_ALLOCATOR, EXCHANGE_ALLOCATOR_NEW};

static void put_environment(reader *r)
{
    for (int i = 0; i < P3D_COUNT_OF(environment); i++) {
        const char *const name = environment[i];
        const shell_variable *const variable =
                find(&r->variables, name, strlen(name));

        if (variable != NULL &&
                !exchange_settings_add(r->out, name,
                        p3d_text_get(&variable->value), 0, r->err))
            r->failed = true;
    }
}

/* What is wrong with the script as a whole. */
static bool check(const reader *r, p3d_error *err)
{
    if (r->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (shell_too_long(&r->variables))
        return exchange_fail_at(err, r->line, 1,
                "up to here the variables of the script stand for more than "
                "%d MiB of text; write what the launch needs without them",
                SHELL_EXPANDED >> 20);
    if (r->cut_line == 0)
        return true;
    return exchange_fail_at(err, r->cut_line, 1,
            "the script ends within the %s that begins in this line; is it "
            "whole?",
            r->cut);
}

/* Variables that the script has from outside. */
static void take_given(reader *r)
{
    for (int i = 0; i < r->out->n_given; i++) {
        exchange_variable *const given = &r->out->given[i];

        if (!shell_set(&r->variables, given->name, strlen(given->name),
                    given->value, false))
            r->failed = true;
        given->used = given->used || exchange_asks_for(r->at, given->name);
    }
}

/* @param all  of the branches of each "if" are read
 * @return whether every "if" was closed */
static bool read_script(const char *text, bool all, exchange_settings *out,
        bool *ok, p3d_error *err)
{
    reader r = {.at = text,
            .line = 1,
            .branches = {.is_off = all},
            .out = out,
            .err = err};
    bool closed;

    take_given(&r);
    while (*r.at != '\0' && !r.failed && !shell_too_long(&r.variables)) {
        skip_blanks(&r);
        read_command(&r);
        if (*r.at == '\n')
            r.line++;
        if (*r.at != '\0')
            r.at++;
    }
    put_environment(&r);
    closed = r.branches.n == 0 && !r.branches.broken;
    *ok = check(&r, err);
    shell_free(&r.variables);
    p3d_text_free(&r.name);
    p3d_text_free(&r.value);
    return closed;
}

bool exchange_read_shell(
        const char *text, exchange_settings *out, p3d_error *err)
{
    const int n_before = out->n;
    bool ok = false;

    if (read_script(text, false, out, &ok, err) || !ok)
        return ok;
    exchange_settings_cut(out, n_before);
    (void)read_script(text, true, out, &ok, err);
    return ok;
}
