/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_shell.c - the options that a shell script gives to a program, read
 * without running it: variables, arrays and simple arithmetic are followed,
 * everything else is left as it is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/util.h"
#include "exchange/read/follow.h"
#include "exchange/read/shell_reader.h"

enum { MOST_SOURCED = 8, MOST_BYTES = 1 << 20 };

static void close_option(shell_reader *r)
{
    const int first = r->out->n;

    if (r->name.length > 0 &&
            !exchange_settings_add(r->out, p3d_text_get(&r->name),
                    r->has_value ? p3d_text_get(&r->value) : NULL,
                    r->option_line, r->err))
        r->failed = true;
    shell_take_turns(r, first, r->out->n - first);
    p3d_text_free(&r->name);
    p3d_text_free(&r->value);
    r->has_value = false;
}

/* "--name", "--name=value", and "--name value" in one pair of quotes. */
static void open_option(shell_reader *r, const char *text, int line)
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

/* "train.py", "-m", "bash": what a launcher starts is no value of its last
 * option. */
static bool is_program(const char *text)
{
    static const char module[] = "openrlhf.cli."; /* of a variable, for -m */
    const size_t n = strlen(text);

    return (n > 3 && strcmp(text + n - 3, ".py") == 0) ||
           strcmp(text, "-m") == 0 ||
           strncmp(text, module, sizeof(module) - 1) == 0;
}

static bool ends_option(const char *text)
{
    return is_program(text) || strcmp(p3d_last_part(text), "bash") == 0 ||
           strcmp(text, "torchrun") == 0;
}

static void add_value(shell_reader *r, const char *text)
{
    if (r->name.length > 0 && ends_option(text))
        close_option(r);
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

/* Several of them: of a variable, which were read where it was set. */
static bool holds_overrides(const char *text)
{
    for (const char *at = text; *at != '\0'; at++)
        if (*at == ' ' && exchange_is_override(at + 1))
            return true;
    return false;
}

/* EasyR1 has the file of its configuration before all overrides. */
static bool names_config(const char *text)
{
    static const char name[] = "config=", ending[] = ".yaml";
    const size_t n = strlen(text), length = sizeof(ending) - 1;

    return strncmp(text, name, sizeof(name) - 1) == 0 && n > length &&
           strcmp(text + n - length, ending) == 0;
}

static void put_launcher(shell_reader *r, const char *name)
{
    if (exchange_settings_add(r->out, name, NULL, r->line, r->err))
        r->out->at[r->out->n - 1].used = true;
    else
        r->failed = true;
}

/* True where the last part of a path is a name. */
static bool is_named(const char *path, const char *name)
{
    return strcmp(p3d_last_part(path), name) == 0;
}

/* "accelerate launch", "swift sft", "torchrun", "python -m
 * torch.distributed.run". Source: ms-swift@3602360a swift/cli/main.py. */
static void note_launcher(shell_reader *r, const char *text)
{
    static const struct {
        const char *program, *word, *setting;
    } pairs[] = {{"accelerate", "launch", EXCHANGE_ACCELERATE},
            {"swift", "sft", EXCHANGE_BY_SWIFT},
            {"swift", "pt", EXCHANGE_BY_SWIFT},
            {"swift", "rlhf", EXCHANGE_BY_SWIFT},
            {"trl", "sft", EXCHANGE_ACCELERATE},
            {"trl", "dpo", EXCHANGE_ACCELERATE},
            {"trl", "kto", EXCHANGE_ACCELERATE},
            {"trl", "grpo", EXCHANGE_ACCELERATE},
            {"trl", "reward", EXCHANGE_ACCELERATE}};
    static const char *const plain[] = {
            "torchrun", "torch.distributed.run", "torch.distributed.launch"};

    for (int i = 0; i < P3D_COUNT_OF(pairs); i++)
        if (r->program != NULL && strcmp(r->program, pairs[i].program) == 0 &&
                strcmp(text, pairs[i].word) == 0)
            put_launcher(r, pairs[i].setting);
    for (int i = 0; i < P3D_COUNT_OF(plain); i++)
        if (strcmp(text, plain[i]) == 0)
            put_launcher(r, EXCHANGE_BY_TORCHRUN);
    shell_note_trl(r, text);
    r->program = NULL;
    for (int i = 0; i < P3D_COUNT_OF(pairs); i++)
        if (is_named(text, pairs[i].program))
            r->program = pairs[i].program;
}

/* "train_dpo.py": a program whose name says that it trains on pairs, or on
 * answers that it generates, or not at all. */
static void note_program(shell_reader *r, const char *text)
{
    static const struct {
        const char *word;
        const char *setting;
    } words[] = {{"ptq", "no_training"}, {"inference", "no_training"},
            {"text_generation", "no_training"}, {"generate", "no_training"},
            {"evaluate", "no_training"}, {"test", "no_training"},
            {"dpo", "preference_pairs"}, {"kto", "preference_pairs"},
            {"orpo", "preference_pairs"}, {"simpo", "preference_pairs"},
            {"grpo", "preference_pairs"}, {"ppo", "preference_pairs"},
            {"rm", "preference_pairs"}, {"reward", "preference_pairs"},
            {"bert", EXCHANGE_OTHER_MODEL}, {"t5", EXCHANGE_OTHER_MODEL},
            {"ict", EXCHANGE_OTHER_MODEL}, {"retro", EXCHANGE_OTHER_MODEL},
            {"vision", EXCHANGE_OTHER_MODEL}, {"vlm", EXCHANGE_OTHER_MODEL},
            {"retriever", EXCHANGE_OTHER_MODEL}};
    const char *const name = p3d_last_part(text);
    const bool is_module = r->is_module;

    r->is_module = strcmp(text, "-m") == 0;
    shell_note_kind(r, text, !r->is_module && (is_module || is_program(text)));
    if (r->is_module || !(is_module || is_program(text)) || text[0] == '$')
        return;
    for (int i = 0; i < P3D_COUNT_OF(words); i++)
        if (shell_has_word(name, words[i].word)) {
            r->failed = !exchange_settings_add(r->out, words[i].setting, name,
                                r->line, r->err) ||
                        !exchange_settings_add(r->out, EXCHANGE_PROGRAM_WORD,
                                words[i].word, r->line, r->err) ||
                        r->failed;
            if (!r->failed)
                r->out->at[r->out->n - 1].used = true;
            return;
        }
}

static bool begins_option(const char *text)
{
    return strncmp(text, "--", 2) == 0 && p3d_is_letter(text[2]);
}

/* A word of a command or of an array. Options inside the value of a variable
 * were read where it was set. */
static void take_word(shell_reader *r, const shell_word *w)
{
    const char *const text = p3d_text_get(&w->text);

    if (exchange_branches_skip(&r->branches) || r->says ||
            (text[0] == '\0' && !w->literal)) /* of an empty variable */
        return;
    shell_note_wrapper(r, w);
    note_launcher(r, text);
    note_program(r, text);
    r->overrides = r->overrides || exchange_is_override(text);
    /* MaxText has the file of its defaults before all options. */
    if (is_named(text, "base.yml")) {
        r->overrides = true;
        open_option(r, "base_config=base.yml", w->line);
        close_option(r);
        return;
    }
    if (exchange_is_override(text) || names_config(text) ||
            (r->overrides && is_plain(text))) {
        if (w->literal || !holds_overrides(text))
            open_option(r, text, w->line);
        close_option(r);
        return;
    }

    if (begins_option(text)) {
        if (w->literal)
            open_option(r, text + 2, w->line);
        else
            close_option(r);
        return;
    }
    if (!w->literal && begins_option(text + strspn(text, " \t"))) {
        close_option(r); /* options of a variable, which were read there */
        return;
    }
    if (strcmp(text, "\\") != 0)
        add_value(r, text);
}

static void skip_comment(shell_reader *r)
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
static void take_string(shell_reader *r, const char *text, int line)
{
    while (*text != '\0') {
        const size_t blank = strspn(text, " \t\n");
        const size_t n = strcspn(text + blank, " \t\n");
        shell_word w = {.literal = true, .line = line};

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

static void skip_to_word(shell_reader *r)
{
    for (;;) {
        shell_skip_blanks(r);
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

static void read_array(shell_reader *r, p3d_text *value)
{
    const int line = r->line;

    r->at++;
    for (;;) {
        shell_word w;

        skip_to_word(r);
        if (*r->at == '\0' || *r->at == ')')
            break;
        if (shell_ends_word(*r->at)) { /* nothing that an array holds */
            r->at++;
            continue;
        }
        shell_read_word(r, &w);
        take_word(r, &w);
        p3d_text_add(value, "%s%s", value->length > 0 ? " " : "",
                p3d_text_get(&w.text));
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    shell_close_with(r, ')', line, "array");
    close_option(r);
}

/* ms-swift starts torchrun where one of these is set (swift/cli/main.py). */
static bool starts_torchrun(const char *name, size_t n)
{
    static const char *const names[] = {"NPROC_PER_NODE", "NNODES"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strlen(names[i]) == n && strncmp(names[i], name, n) == 0)
            return true;
    return false;
}

/* Options in the value of a variable: "--a 1", "$OTHERS --b 2". */
static void take_assigned(shell_reader *r, const shell_word *w)
{
    p3d_text written = {0};

    if (w->literal) {
        take_string(r, p3d_text_get(&w->text), w->line);
        return;
    }
    p3d_text_add(&written, "%s", p3d_text_get(&r->written));
    take_string(r, p3d_text_get(&written), w->line);
    r->failed = r->failed || written.failed;
    p3d_text_free(&written);
}

static void read_assignment(shell_reader *r, size_t length)
{
    const char *const name = r->at;
    const bool appends = r->at[length - 2] == '+';
    const size_t n = length - 1 - appends;
    const int first = r->out->n;
    p3d_text value = {0};

    r->assigns = true;
    if (starts_torchrun(name, n) && !exchange_branches_skip(&r->branches))
        put_launcher(r, EXCHANGE_PROCESSES);
    r->at += length;
    if (*r->at == '(') {
        read_array(r, &value);
    } else {
        shell_word w;

        shell_read_word(r, &w);
        value = w.text;
        take_assigned(r, &w);
    }
    r->assigns = r->contains = false;
    shell_keep(r, name, n, p3d_text_get(&value), appends);
    if (!appends && !exchange_branches_skip(&r->branches))
        exchange_shell_keep_settings(
                &r->variables, name, n, first, r->out->n - first);
    r->failed = r->failed || value.failed;
    p3d_text_free(&value);
}

/* "case WORD in" */
static void read_case(shell_reader *r)
{
    shell_word w;

    shell_skip_blanks(r);
    shell_read_word(r, &w);
    exchange_branches_case(&r->branches, p3d_text_get(&w.text));
    r->failed = r->failed || w.text.failed;
    p3d_text_free(&w.text);
    shell_skip_blanks(r);
    if (strncmp(r->at, "in", 2) == 0 && shell_ends_word(r->at[2]))
        r->at += 2;
}

/* "(a|b)" before an arm of a case. */
static void read_pattern(shell_reader *r)
{
    size_t n;

    skip_to_word(r);
    if (strncmp(r->at, "esac", 4) == 0 && shell_ends_word(r->at[4])) {
        (void)exchange_branches_take(&r->branches, "esac");
        r->at += 4;
        return;
    }
    r->at += *r->at == '(';
    n = strcspn(r->at, ")\n");
    exchange_branches_pattern(&r->branches, r->at, n);
    r->at += n + (r->at[n] == ')');
}

/* "source FILE": read in its place. A folder that only a run would tell is left
 * out: the file is searched beside the script. */
static void read_sourced(shell_reader *r)
{
    p3d_text found = {0};
    char *text = NULL;
    size_t length = 0;
    p3d_error none = {0};
    shell_word w;

    shell_skip_blanks(r);
    shell_read_word(r, &w);
    if (!exchange_branches_skip(&r->branches) && w.text.length > 0 &&
            r->out->path != NULL && r->n_sourced < MOST_SOURCED)
        exchange_find_beside(r->out->path, p3d_text_get(&w.text), &found);
    if (found.length > 0 &&
            p3d_read_file(found.data, MOST_BYTES, &text, &length, &none)) {
        const char *const at = r->at;
        const int line = r->line;
        const int from = r->out->n;

        r->n_sourced++;
        r->at = text;
        if (strlen(text) == length)
            r->read_lines(r);
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
static bool read_special(shell_reader *r, const char *name)
{
    if (shell_read_call(r, name))
        return true;
    if (strcmp(name, "case") == 0)
        read_case(r);
    else if (strcmp(name, "for") == 0)
        shell_read_loop(r);
    else if (strcmp(name, "while") == 0)
        return shell_skip_arguments(r);
    else if (strcmp(name, "read") == 0)
        shell_read_names(r);
    else if (strcmp(name, "sed") == 0)
        shell_read_edits(r);
    else if (strcmp(name, "source") == 0 || strcmp(name, ".") == 0)
        read_sourced(r);
    else
        return false;
    return true;
}

/* What a script tells who runs it is no launch. */
static bool is_said(const char *text)
{
    return strcmp(text, "echo") == 0 || strcmp(text, "printf") == 0;
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
static bool skip_redirection(shell_reader *r)
{
    const char *at = r->at;
    shell_word w;

    while (p3d_is_digit(*at))
        at++;
    at += at == r->at && at[0] == '&' && at[1] == '>';
    if ((*at != '<' && *at != '>') || r->branches.testing ||
            (strncmp(at, "<<", 2) == 0 && at[2] != '<'))
        return false;
    r->at = at + strspn(at, "<>&|");
    shell_skip_blanks(r);
    if (*r->at == '(')
        return true;
    shell_read_word(r, &w);
    r->failed = r->failed || w.text.failed;
    p3d_text_free(&w.text);
    return true;
}

/* A command up to its end. */
static void read_command(shell_reader *r)
{
    const int n_before = r->out->n;
    const int outer = r->command;
    bool first = true;

    r->command = ++r->n_commands;
    r->overrides = r->says = r->is_shell = false;
    r->contains = r->quotes = r->keeps_lines = false;
    r->kind = SHELL_NO_KIND;
    r->before = NULL;
    shell_skip_function(r);
    for (;;) {
        size_t length;
        shell_word w;

        shell_skip_blanks(r);
        if (*r->at == '#') {
            skip_comment(r);
            shell_skip_blanks(r);
        }
        if (skip_redirection(r) || shell_read_number_test(r))
            continue;
        if (shell_ends_word(*r->at) || exchange_branches_awaits(&r->branches))
            break;
        length = first ? assignment_length(r->at) : 0;
        if (length > 0) {
            read_assignment(r, length);
            continue;
        }
        shell_read_word(r, &w);
        if (first && !r->branches.testing &&
                read_special(r, p3d_text_get(&w.text))) {
            first = false;
        } else if (!exchange_branches_test(
                           &r->branches, p3d_text_get(&w.text)) &&
                   !(first && exchange_branches_take(
                                      &r->branches, p3d_text_get(&w.text)))) {
            r->says = r->says || (first && is_said(p3d_text_get(&w.text)));
            first = first && is_before_assignment(p3d_text_get(&w.text));
            if (!r->says && shell_begins_inner(r, p3d_text_get(&w.text)))
                shell_read_inner(r);
            else if (r->says || !shell_read_quoted(r, &w))
                take_word(r, &w);
        }
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    close_option(r);
    shell_end_kind(r, n_before);
    r->command = outer;
    exchange_branches_close(&r->branches, r->at);
}

/* What is wrong with the script as a whole. */
static bool check(const shell_reader *r, p3d_error *err)
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

static void skip_document(shell_reader *r, const char *end)
{
    for (; r->at < end; r->at++)
        r->line += *r->at == '\n';
    r->at += strcspn(r->at, "\n");
}

/* True where the first line that is no comment imports a module. */
static bool is_python(const char *at, const char *end)
{
    static const char *const words[] = {"import ", "from "};

    while (at < end) {
        at += strspn(at, " \t\r\n");
        for (int i = 0; i < P3D_COUNT_OF(words); i++)
            if (strncmp(at, words[i], strlen(words[i])) == 0)
                return true;
        if (*at != '#')
            return false;
        at += strcspn(at, "\n");
    }
    return false;
}

/* The lines of a here-document: JSON is read, Python is a program that the
 * script runs aside, as are arguments of one, and any other is the script that
 * it usually is. */
static void read_document(shell_reader *r, const exchange_here *h)
{
    const char *const end = exchange_here_end(r->at, h);
    p3d_text text = {0};

    if (end != NULL &&
            (is_python(r->at, end) || shell_is_of_aside(r->at, end))) {
        skip_document(r, end);
        return;
    }
    if (end == NULL || r->at[strspn(r->at, " \t\r\n")] != '{')
        return;
    for (const char *at = r->at; at < end;) {
        if (*at == '$' && !h->is_plain)
            at = exchange_shell_expand(&r->variables, at, &text);
        else
            p3d_text_append(&text, at++, 1);
    }
    if (!exchange_branches_skip(&r->branches) && !text.failed)
        shell_take_json(r, &text);
    skip_document(r, end);
    p3d_text_free(&text);
}

static void read_lines(shell_reader *r)
{
    exchange_here document = {.n = 0};

    while (*r->at != '\0' && !r->failed &&
            !exchange_shell_too_long(&r->variables)) {
        shell_skip_blanks(r);
        if (exchange_branches_awaits(&r->branches))
            read_pattern(r);
        read_command(r);
        if (exchange_branches_awaits(&r->branches) && !shell_ends_word(*r->at))
            continue; /* "case x in y)" */
        if (strncmp(r->at, ";;", 2) == 0)
            exchange_branches_end_arm(&r->branches);
        (void)(document.n > 0 || exchange_here_read(r->at, &document));
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

/* Options in the value of a variable that only a branch has that does not run:
 * they are of another launch. */
static void drop_idle_values(shell_reader *r)
{
    exchange_shell_variables *const variables = &r->variables;

    for (;;) {
        exchange_shell_variable *last = NULL;

        for (int i = 0; i < variables->n; i++) {
            exchange_shell_variable *const one = &variables->at[i];

            if (one->n > 0 && one->is_put_idly && !one->is_put &&
                    (last == NULL || one->first > last->first))
                last = one;
        }
        if (last == NULL)
            return;
        exchange_settings_remove(r->out, last->first, last->n);
        last->n = 0;
    }
}

/* @param all  of the branches of each "if" are read
 * @return whether every "if" was closed */
static bool read_script(const char *text, bool all, exchange_settings *out,
        bool *ok, p3d_error *err)
{
    shell_reader r = {.at = text,
            .line = 1,
            .branches = {.is_off = all},
            .out = out,
            .err = err,
            .read_lines = read_lines};
    const int n_before = out->n;
    bool closed;

    r.failed = !exchange_outside_take(text, out, &r.variables);
    read_lines(&r);
    drop_idle_values(&r);
    shell_drop_aside(&r);
    shell_sort_turns(out, n_before);
    if (!exchange_outside_put(&r.variables, &r.branches, out, err))
        r.failed = true;
    closed = r.branches.n == 0 && !r.branches.broken;
    r.failed = r.failed || r.written.failed;
    *ok = check(&r, err);
    p3d_text_free(&r.written);
    exchange_shell_free(&r.variables);
    exchange_shell_functions_free(&r.functions);
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
    return ok && exchange_settings_add(out, EXCHANGE_BRANCH,
                         "an \"if\" is not closed", 1, err);
}
