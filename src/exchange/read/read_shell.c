/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_shell.c - the options that a shell script gives to a program, read
 * without running it: variables, arrays and simple arithmetic are followed,
 * everything else is left as it is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/branches.h"
#include "exchange/read/expand.h"
#include "exchange/read/follow.h"
#include "exchange/read/read.h"

enum { MOST_SOURCED = 8, MOST_BYTES = 1 << 20 };

/* One word of a script. */
typedef struct word {
    p3d_text text;
    bool literal; /* it begins with what is written there */
    int line;
} word;

typedef struct reader {
    const char *at;
    int line;
    exchange_shell_variables variables;
    exchange_branches branches;
    exchange_settings *out;
    p3d_error *err;
    p3d_text name;  /* of the option that is open; empty = none */
    p3d_text value; /* of it so far */
    bool has_value;
    bool overrides; /* the command has words of Hydra */
    int option_line;
    int n_sourced;
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

/* "name=value" beside overrides whose names have parts. */
static bool is_plain(const char *text)
{
    size_t n = strspn(text, "+");

    if (!p3d_is_letter(text[n]))
        return false;
    while (p3d_is_word(text[n]))
        n++;
    return text[n] == '=';
}

/* A word of a command or of an array. Options inside the value of a variable
 * were read where it was set. */
static void take_word(reader *r, const word *w)
{
    const char *const text = p3d_text_get(&w->text);

    if (exchange_branches_skip(&r->branches) ||
            (text[0] == '\0' && !w->literal)) /* of an empty variable */
        return;
    r->overrides = r->overrides || exchange_is_override(text);
    if (exchange_is_override(text) || (r->overrides && is_plain(text))) {
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
            r->at = exchange_shell_expand(&r->variables, r->at, &w->text);
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
            r->at = exchange_shell_expand(&r->variables, r->at, &w->text);
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

/* A word of a quoted command line behind which its arguments end: "2>&1",
 * "|". */
static bool ends_arguments(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && p3d_is_digit(text[i]))
        i++;
    return i < n && (text[i] == '>' || strncmp(text + i, "<<", 2) == 0 ||
                            (i == 0 && strchr("|&;", text[0]) != NULL));
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
        if (ends_arguments(text + blank, n))
            close_option(r);
        else if (n > 0)
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

/* True for "$1" and "$#", which nothing stands for where the script is called
 * without arguments. */
static bool is_argument(const char *text)
{
    text += strspn(text, "${");
    return p3d_is_digit(text[0]) || text[0] == '#';
}

/* A variable of a branch that may not run has no value that is known, but for
 * one from before where the script is called without arguments. */
static void keep(
        reader *r, const char *name, size_t n, const char *value, bool appends)
{
    const char *const doubt = exchange_branches_doubt(&r->branches);

    if (exchange_branches_skip(&r->branches))
        return;
    if (doubt != NULL && is_argument(doubt) &&
            exchange_shell_find(&r->variables, name, n) != NULL)
        return;
    if (!exchange_shell_set(&r->variables, name, n,
                doubt != NULL ? doubt : value, appends && doubt == NULL))
        r->failed = true;
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
    keep(r, name, n, p3d_text_get(&value), appends);
    r->failed = r->failed || value.failed;
    p3d_text_free(&value);
}

/* The variable of a loop is no single value. */
static void read_loop(reader *r)
{
    p3d_text value = {0};
    size_t n = 0;

    skip_blanks(r);
    while (p3d_is_word(r->at[n]))
        n++;
    p3d_text_add(&value, "$%.*s ", n < 100 ? (int)n : 100, r->at);
    if (n > 0 && n < 100 && !p3d_is_digit(r->at[0]) &&
            exchange_shell_find(&r->variables, r->at, n) == NULL &&
            !exchange_shell_set(
                    &r->variables, r->at, n, p3d_text_get(&value), false))
        r->failed = true;
    p3d_text_free(&value);
    r->at += n;
}

/* "case WORD in" */
static void read_case(reader *r)
{
    word w;

    skip_blanks(r);
    read_word(r, &w);
    exchange_branches_case(&r->branches, p3d_text_get(&w.text));
    r->failed = r->failed || w.text.failed;
    p3d_text_free(&w.text);
    skip_blanks(r);
    if (strncmp(r->at, "in", 2) == 0 && ends_word(r->at[2]))
        r->at += 2;
}

/* "(a|b)" before an arm of a case. */
static void read_pattern(reader *r)
{
    size_t n;

    skip_to_word(r);
    if (strncmp(r->at, "esac", 4) == 0 && ends_word(r->at[4])) {
        (void)exchange_branches_take(&r->branches, "esac");
        r->at += 4;
        return;
    }
    r->at += *r->at == '(';
    n = strcspn(r->at, ")\n");
    exchange_branches_pattern(&r->branches, r->at, n);
    r->at += n + (r->at[n] == ')');
}

static void read_lines(reader *r);

/* "source FILE": read in its place. A folder that only a run would tell is left
 * out: the file is searched beside the script. */
static void read_sourced(reader *r)
{
    const char *path = NULL;
    p3d_text found = {0};
    char *text = NULL;
    size_t length = 0;
    p3d_error none = {0};
    word w;

    skip_blanks(r);
    read_word(r, &w);
    if (!exchange_branches_skip(&r->branches) && w.text.length > 0 &&
            r->out->path != NULL && r->n_sourced < MOST_SOURCED) {
        path = p3d_text_get(&w.text);
        for (const char *at = path; *at != '\0'; at++)
            if (strchr("})`", *at) != NULL)
                path = at + 1;
        if (path != p3d_text_get(&w.text))
            path += strspn(path, "/");
        exchange_find_beside(r->out->path, path, &found);
    }
    if (found.length > 0 &&
            p3d_read_file(found.data, MOST_BYTES, &text, &length, &none)) {
        const char *const at = r->at;
        const int line = r->line;
        const int from = r->out->n;

        r->n_sourced++;
        r->at = text;
        if (strlen(text) == length)
            read_lines(r);
        for (int i = from; i < r->out->n; i++)
            r->out->at[i].line = line;
        r->at = at;
        r->line = line;
        free(text);
    }
    r->failed = r->failed || w.text.failed || found.failed;
    p3d_text_free(&found);
    p3d_text_free(&w.text);
}

/* Commands with a form of their own. @return false for all others */
static bool read_special(reader *r, const char *name)
{
    if (strcmp(name, "case") == 0)
        read_case(r);
    else if (strcmp(name, "for") == 0)
        read_loop(r);
    else if (strcmp(name, "source") == 0 || strcmp(name, ".") == 0)
        read_sourced(r);
    else
        return false;
    return true;
}

static bool is_before_assignment(const char *text)
{
    static const char *const words[] = {
            "export", "local", "declare", "do", "{"};

    for (int i = 0; i < P3D_COUNT_OF(words); i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* "2>&1", "> log", "&>>log", "<<<word": not an argument. A here-document is
 * left, as is what a substitution stands for ("> >(tee log)").
 * @return false for all else */
static bool skip_redirection(reader *r)
{
    const char *at = r->at;
    word w;

    while (p3d_is_digit(*at))
        at++;
    at += at == r->at && at[0] == '&' && at[1] == '>';
    if ((*at != '<' && *at != '>') || r->branches.testing ||
            (strncmp(at, "<<", 2) == 0 && at[2] != '<'))
        return false;
    r->at = at + strspn(at, "<>&|");
    skip_blanks(r);
    if (*r->at == '(')
        return true;
    read_word(r, &w);
    r->failed = r->failed || w.text.failed;
    p3d_text_free(&w.text);
    return true;
}

/* A command up to its end. */
static void read_command(reader *r)
{
    bool first = true;

    r->overrides = false;
    for (;;) {
        size_t length;
        word w;

        skip_blanks(r);
        if (*r->at == '#') {
            skip_comment(r);
            skip_blanks(r);
        }
        if (skip_redirection(r))
            continue;
        if (ends_word(*r->at) || exchange_branches_awaits(&r->branches))
            break;
        length = first ? assignment_length(r->at) : 0;
        if (length > 0) {
            read_assignment(r, length);
            continue;
        }
        read_word(r, &w);
        if (first && !r->branches.testing &&
                read_special(r, p3d_text_get(&w.text))) {
            first = false;
        } else if (!exchange_branches_test(
                           &r->branches, p3d_text_get(&w.text)) &&
                   !(first && exchange_branches_take(
                                      &r->branches, p3d_text_get(&w.text)))) {
            first = first && is_before_assignment(p3d_text_get(&w.text));
            take_word(r, &w);
        }
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    close_option(r);
    exchange_branches_close(&r->branches, r->at);
}

/* Variables that programs read by themselves, and that change how they run. */
static const char *const environment[] = {
        EXCHANGE_LAUNCH_BLOCKING, EXCHANGE_ALLOCATOR, EXCHANGE_ALLOCATOR_NEW};

/* A launcher's number of machines, where no option says it. */
static void put_world(reader *r)
{
    static const char *const rows[][2] = {
            {"NPROC_PER_NODE", "nproc-per-node"}, {"NNODES", "nnodes"}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const exchange_shell_variable *const variable = exchange_shell_find(
                &r->variables, rows[i][0], strlen(rows[i][0]));

        if (variable != NULL &&
                p3d_is_digit(p3d_text_get(&variable->value)[0]) &&
                exchange_settings_find(r->out, rows[i][1], true) == NULL &&
                !exchange_settings_add(r->out, rows[i][1],
                        p3d_text_get(&variable->value), 0, r->err))
            r->failed = true;
    }
}

static void put_environment(reader *r)
{
    put_world(r);
    for (int i = 0; i < r->branches.n_unset; i++) {
        if (!exchange_settings_add(r->out, r->branches.unset[i], "not set",
                    EXCHANGE_PRESET, r->err))
            r->failed = true;
        else
            r->out->at[r->out->n - 1].used = true;
    }
    for (int i = 0; i < P3D_COUNT_OF(environment); i++) {
        const char *const name = environment[i];
        const exchange_shell_variable *const variable =
                exchange_shell_find(&r->variables, name, strlen(name));

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
    if (exchange_shell_too_long(&r->variables))
        return exchange_fail_at(err, r->line, 1,
                "up to here the variables of the script stand for more than "
                "%d MiB of text; write what the launch needs without them",
                EXCHANGE_SHELL_EXPANDED >> 20);
    if (r->cut_line == 0)
        return true;
    return exchange_fail_at(err, r->cut_line, 1,
            "the script ends within the %s that begins in this line; is it "
            "whole?",
            r->cut);
}

/* What launchers and schedulers tell of the machines. */
static void take_cluster(reader *r)
{
    static const struct {
        const char *name;
        int what; /* 0 nodes, 1 GPUs of a node, 2 all GPUs */
    } rows[] = {{"NNODES", 0}, {"NUM_NODES", 0}, {"SLURM_NNODES", 0},
            {"SLURM_JOB_NUM_NODES", 0}, {"GPUS_PER_NODE", 1},
            {"SLURM_GPUS_PER_NODE", 1}, {"SLURM_NTASKS_PER_NODE", 1},
            {"NUM_GPUS_PER_NODE", 1}, {"N_GPUS_PER_NODE", 1},
            {"NPROC_PER_NODE", 1}, {"SLURM_GPUS_ON_NODE", 1},
            {"SLURM_NTASKS", 2}, {"SLURM_NPROCS", 2}};
    const int nodes = r->out->n_nodes;
    const int gpus = r->out->gpus_per_node;
    const int have[] = {nodes, gpus, nodes * gpus};

    for (int i = 0; nodes > 0 && i < P3D_COUNT_OF(rows); i++) {
        char number[16];

        snprintf(number, sizeof(number), "%d", have[rows[i].what]);
        if (!exchange_shell_set(&r->variables, rows[i].name,
                    strlen(rows[i].name), number, false))
            r->failed = true;
    }
}

/* Variables that the script has from outside. */
static void take_given(reader *r)
{
    for (int i = 0; i < r->out->n_given; i++) {
        exchange_variable *const given = &r->out->given[i];

        if (!exchange_shell_set(&r->variables, given->name, strlen(given->name),
                    given->value, false))
            r->failed = true;
        given->used = given->used || exchange_asks_for(r->at, given->name);
    }
}

/* Where the lines of a here-document begin, and how it ends. */
typedef struct here {
    const char *end;
    size_t n;
    bool is_plain; /* its variables stay as they are written */
} here;

/* "<<EOF", "<<-EOF", "<<'EOF'" */
static bool read_here(const char *at, here *out)
{
    if (strncmp(at, "<<", 2) != 0 || at[2] == '<')
        return false;
    at += 2 + (at[2] == '-');
    at += strspn(at, " \t");
    out->is_plain = *at == '"' || *at == '\'';
    at += out->is_plain;
    out->end = at;
    for (out->n = 0; p3d_is_word(at[out->n]);)
        out->n++;
    return out->n > 0;
}

/* The line that ends a here-document. */
static const char *find_end(const char *at, const here *h)
{
    while (*at != '\0') {
        const char *const line = at + strspn(at, "\t ");

        if (strncmp(line, h->end, h->n) == 0 &&
                strchr("\r\n", line[h->n]) != NULL)
            return at;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

/* A configuration of DeepSpeed that a script writes. One with a variable that
 * is not known is left. */
static void take_json(reader *r, const p3d_text *text)
{
    static const char *const marks[] = {"\"zero_optimization\"",
            "\"train_micro_batch_size_per_gpu\"", "\"train_batch_size\""};
    const int from = r->out->n;
    const char *const data = p3d_text_get(text);
    p3d_error none = {0};
    bool is_one = false;

    for (int i = 0; i < P3D_COUNT_OF(marks); i++)
        is_one = is_one || strstr(data, marks[i]) != NULL;
    if (!is_one || strpbrk(data, "$`") != NULL)
        return;
    if (!exchange_read_json("", data, text->length, r->out, &none))
        exchange_settings_cut(r->out, from);
    for (int i = from; i < r->out->n; i++) {
        r->out->at[i].line = r->line;
        r->out->at[i].column = 0;
    }
}

/* The lines of a here-document that is JSON. Any other is read as the script
 * that it usually is. */
static void read_document(reader *r, const here *h)
{
    const char *const end = find_end(r->at, h);
    p3d_text text = {0};

    if (end == NULL || r->at[strspn(r->at, " \t\r\n")] != '{')
        return;
    for (const char *at = r->at; at < end;) {
        if (*at == '$' && !h->is_plain)
            at = exchange_shell_expand(&r->variables, at, &text);
        else
            p3d_text_append(&text, at++, 1);
    }
    if (!exchange_branches_skip(&r->branches) && !text.failed)
        take_json(r, &text);
    for (; r->at < end; r->at++)
        r->line += *r->at == '\n';
    r->at += strcspn(r->at, "\n");
    p3d_text_free(&text);
}

static void read_lines(reader *r)
{
    here document = {.n = 0};

    while (*r->at != '\0' && !r->failed &&
            !exchange_shell_too_long(&r->variables)) {
        skip_blanks(r);
        if (exchange_branches_awaits(&r->branches))
            read_pattern(r);
        read_command(r);
        if (exchange_branches_awaits(&r->branches) && !ends_word(*r->at))
            continue; /* "case x in y)" */
        if (strncmp(r->at, ";;", 2) == 0)
            exchange_branches_end_arm(&r->branches);
        (void)(document.n > 0 || read_here(r->at, &document));
        r->line += *r->at == '\n';
        if (*r->at == '\0')
            break;
        if (*r->at++ == '\n' && document.n > 0) {
            read_document(r, &document);
            document.n = 0;
        } else if (r->at[-1] == ';' && *r->at == ';') {
            r->at++;
        }
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

    take_cluster(&r);
    take_given(&r);
    read_lines(&r);
    put_environment(&r);
    closed = r.branches.n == 0 && !r.branches.broken;
    *ok = check(&r, err);
    exchange_shell_free(&r.variables);
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
