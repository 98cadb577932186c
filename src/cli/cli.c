/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.c - finds the command of a command line, runs it, prints the answer: for
 * the program, and for callers in the same process. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/utf8.h"
#include "base/util.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "plan3d/cluster.h"
#include "plan3d/command.h"
#include "plan3d/error.h"
#include "plan3d/pools.h"
#include "plan3d/search.h"
#include "plan3d/threads.h"
#include "report/format.h"
#include "report/text/layout.h"

/* A command line cut into its command and the rest. */
typedef struct command_line {
    const cli_command *command;
    cli_line rest;
    FILE *to;           /* the answer goes there */
    bool is_chinese;    /* the question is */
    p3d_lang lang;      /* of the answer */
    bool is_usual_lang; /* without --lang */
    cli_asked *asked;   /* owned: of a question in words; NULL = it is none */
    const char **words; /* owned: rest, where a question was asked */
} command_line;

/* An option before the command, which may be of any. */
static const json_option *find_any_option(const char *argument)
{
    const json_option *option = NULL;

    for (int i = 0; cli_command_at(i) != NULL && option == NULL; i++)
        option = json_option_find(cli_command_at(i)->table, argument);
    return option;
}

static int find_first_word(int argc, const char *const *argv)
{
    int i = 0;

    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        const json_option *option = find_any_option(argv[i]);

        if (strcmp(argv[i], "--") == 0)
            return i + 1;
        if (option != NULL && json_option_takes_next(option, argv[i]))
            i++;
        i++;
    }
    return i;
}

/* Without a command: --version, --help, or nothing to do. */
static const cli_command *find_implied(
        int argc, const char *const *argv, p3d_error *err)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--version") == 0)
            return &cli_version;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return &cli_help;
    }
    if (argc == 0)
        return &cli_intro;
    p3d_fail(err, P3D_USAGE,
            "no command; ask for example 'plan3d fit 70B 64xA800'");
    return NULL;
}

/* Cut a question into its words and its options; behind an option that no
 * command has all are left to it, which says so. @return how many words */
static int split_options(int argc, const char *const *argv, const char **words,
        const char **options, int *n_options)
{
    bool only_words = false;
    bool known = true;
    int n_words = 0;

    *n_options = 0;
    for (int i = 0; i < argc; i++) {
        const bool looks =
                !only_words && argv[i][0] == '-' && argv[i][1] != '\0';
        const json_option *const option =
                looks ? find_any_option(argv[i]) : NULL;

        if (looks && strcmp(argv[i], "--") == 0) {
            only_words = true;
            continue;
        }
        known = known && (!looks || option != NULL);
        if (known && !looks) {
            words[n_words++] = argv[i];
            continue;
        }
        options[(*n_options)++] = argv[i];
        if (option != NULL && json_option_takes_next(option, argv[i]) &&
                i + 1 < argc)
            options[(*n_options)++] = argv[++i];
    }
    return n_words;
}

/* A word that is nearly a command was meant as one. */
static bool prefer_command_error(
        const char *word, const p3d_error *unknown, p3d_error *err)
{
    char first[P3D_ERROR_LINE];
    const size_t n = (size_t)snprintf(
            first, sizeof(first), "not understood: '%s'", word);

    if (strstr(unknown->text, "did you mean") == NULL ||
            strncmp(err->text, first, n) != 0)
        return false;
    *err = *unknown;
    return false;
}

static void free_line(command_line *line)
{
    free(line->asked);
    free(line->words);
}

static bool has_chinese(int n, const char *const *words)
{
    for (int i = 0; i < n; i++)
        if (p3d_utf8_has_wide(words[i]))
            return true;
    return false;
}

/* The command line that a question stands for, with its options behind. */
static bool understand(
        int argc, const char *const *argv, command_line *out, p3d_error *err)
{
    const char **const options = calloc((size_t)argc, sizeof(*options));
    int n_options = 0;
    int n;
    bool ok;

    out->asked = malloc(sizeof(*out->asked));
    out->words = calloc((size_t)argc + CLI_ASKED_WORDS, sizeof(*out->words));
    if (options == NULL || out->asked == NULL || out->words == NULL) {
        free(options);
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    n = split_options(argc, argv, out->words, options, &n_options);
    out->is_chinese = has_chinese(n, out->words);
    ok = cli_ask_read(n, out->words, out->asked, err);
    if (ok) {
        for (int i = 0; i < out->asked->n; i++)
            out->words[i] = out->asked->word[i];
        for (int i = 0; i < n_options; i++)
            out->words[out->asked->n + i] = options[i];
        out->rest = (cli_line){.argc = out->asked->n + n_options,
                .argv = out->words,
                .skip = 0};
        out->command = cli_command_find(out->words[0], err);
    }
    free(options);
    return ok && out->command != NULL;
}

static bool find_command(
        int argc, const char *const *argv, command_line *out, p3d_error *err)
{
    const int first = find_first_word(argc, argv);
    p3d_error unknown = {0};

    out->rest = (cli_line){.argc = argc, .argv = argv, .skip = -1};
    if (first >= argc) {
        out->command = find_implied(argc, argv, err);
        out->rest.argc = 0;
        return out->command != NULL;
    }
    out->rest.skip = first;
    out->command = cli_command_find(argv[first], &unknown);
    return out->command != NULL || understand(argc, argv, out, err) ||
           prefer_command_error(argv[first], &unknown, err);
}

static bool is_needed(const cli_positional *positional)
{
    return positional->number == CLI_ONCE || positional->number == CLI_SOME;
}

static bool is_one_of(const char *word, p3d_words *words)
{
    for (int i = 0; words(i) != NULL; i++)
        if (strcmp(word, words(i)) == 0)
            return true;
    return false;
}

/* "explain memory MODEL CLUSTER": what a command takes third may stand first,
 * and what is missing is then not that. */
static void put_last(const cli_command *command, cli_args *args)
{
    const int last = CLI_MAX_POSITIONALS - 1;
    const char *const first = args->words[0];

    if (first == NULL || args->n_words > last + 1 ||
            command->positionals[last].word == NULL ||
            command->last_words == NULL ||
            !is_one_of(first, command->last_words))
        return;
    memmove(args->words, args->words + 1, (size_t)last * sizeof(first));
    args->words[last] = first;
    if (args->n_words <= last)
        args->n_words--;
}

/* "64 H100", "8 x H100": the words of one cluster, each an argument.
 * @return false where they are a cluster as one word */
static bool check_cluster(
        const cli_command *command, const cli_args *args, p3d_error *err)
{
    char apart[96], joined[96];
    p3d_cluster cluster;
    int at = 0;

    while (at < CLI_MAX_POSITIONALS && command->positionals[at].word != NULL &&
            strcmp(command->positionals[at].word, "CLUSTER") != 0)
        at++;
    if (at + 1 >= args->n_words || at == CLI_MAX_POSITIONALS ||
            command->positionals[at].word == NULL ||
            strspn(args->words[at], "0123456789") != strlen(args->words[at]))
        return true;
    (void)p3d_copy(apart, sizeof(apart), args->words[at]);
    (void)p3d_copy(joined, sizeof(joined), args->words[at]);
    for (int i = at + 1; i < args->n_words; i++) {
        const char *const word = args->words[i];
        const size_t n_apart = strlen(apart), n_joined = strlen(joined);

        (void)snprintf(apart + n_apart, sizeof(apart) - n_apart, " %s", word);
        if (p3d_same_word(word, "x"))
            continue;
        (void)snprintf(
                joined + n_joined, sizeof(joined) - n_joined, "x%s", word);
        if (p3d_cluster_find(joined, &cluster, NULL))
            return p3d_fail(err, P3D_USAGE,
                    "'%s' is a cluster in several words; write %s", apart,
                    joined);
    }
    return true;
}

/* Every word and option that the command needs, and not a word more. */
static bool check_args(
        const cli_command *command, const cli_args *args, p3d_error *err)
{
    int n_words = 0;
    bool many = false;

    for (int i = 0; i < CLI_MAX_POSITIONALS; i++) {
        const cli_positional *positional = &command->positionals[i];

        n_words += positional->word != NULL;
        many = many || positional->number >= CLI_SOME;
        if (positional->word != NULL && is_needed(positional) &&
                i >= args->n_words)
            return p3d_fail(err, P3D_USAGE, "%s is missing", positional->word);
    }
    if (args->json && args->format > 0)
        return p3d_fail(err, P3D_USAGE,
                "--json is --format json; leave one of the two out");
    if (!check_cluster(command, args, err))
        return false;
    if (args->n_words > n_words && !many) {
        const char *const word = args->words[n_words];
        p3d_pins pins;

        return p3d_fail(err, P3D_USAGE,
                p3d_pins_parse(word, &pins, NULL)
                        ? "one argument too many: '%.60s'; words of a plan "
                          "stand behind --plan or --pin"
                        : "one argument too many: '%.60s'",
                word);
    }
    for (int i = 0; i < command->table.n_options; i++) {
        const json_option *option = &command->table.options[i];

        if ((option->field.flags & JSON_REQUIRED) != 0 &&
                !cli_is_given(args, option->field.key)) {
            if (command->lacks != NULL && !command->lacks(args, err))
                return false;
            return p3d_fail(err, P3D_USAGE, "--%s %s is missing",
                    option->field.key, option->value);
        }
    }
    return true;
}

/* What is read by programs has no colours, and is in English. */
static p3d_style style_of(const command_line *line, const cli_args *args)
{
    const report_format format = cli_format(args);
    const bool colors = format == REPORT_TEXT;
    p3d_style style =
            cli_style(colors && args->color > 0 ? (cli_color)(args->color - 1)
                      : colors                  ? CLI_COLOR_AUTO
                                                : CLI_COLOR_NEVER,
                    line->to);
    style.markdown = format == REPORT_MARKDOWN;
    if (!colors)
        style.columns = 0;
    if (colors || style.markdown) {
        style.lang = line->lang;
        style.lang_option =
                line->is_usual_lang ? NULL : cli_lang_option(line->lang);
    }
    return style;
}

static bool answer(const cli_command *command, const cli_args *args,
        p3d_text *out, p3d_code *code, p3d_error *err)
{
    cli_reply reply = {.out = out, .format = cli_format(args), .code = P3D_OK};
    const bool ok =
            command->of_pools != NULL && p3d_are_pools(args->words[1])
                    ? command->of_pools(command->name, args, &reply, err)
            : command->answer != NULL
                    ? cli_ask(command->name, args, command->answer, &reply, err)
                    : command->run(args, &reply, err);

    if (!ok)
        return false;
    *code = reply.code;
    if (out->style.markdown)
        report_markdown(out);
    /* A command whose answer may be a part of it says so. */
    return *code == P3D_INTERRUPTED ||
           cli_goes_on("before the whole answer was known", err);
}

/* Who calls the library has the threads again that it had. */
static bool answer_with_threads(const cli_command *command,
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    const int before = p3d_threads_allowed();
    bool ok;

    p3d_use_threads((int)args->n_jobs); /* 0 = as many as there are */
    ok = answer(command, args, out, code, err);
    p3d_use_threads(before);
    return ok;
}

/* What a question was understood as, so that the next one can be changed. */
static void echo(const command_line *line, p3d_text *to)
{
    p3d_text_add(to, "= plan3d");
    for (int i = 0; i < line->rest.argc; i++) {
        p3d_text_add(to, " ");
        report_shell_word(line->rest.argv[i], to);
    }
    p3d_text_add(to, "\n");
}

/* Run the command. @param aside  receives what is not part of a document */
static bool run(const command_line *line, p3d_text *aside, p3d_text *out,
        p3d_code *code, p3d_error *err)
{
    const cli_command *command = line->command;
    cli_args args;

    if (!cli_args_parse(command->table, line->rest, &args, err))
        return false;
    cli_progress_speak(line->lang);
    out->style = style_of(line, &args);
    if (args.help) {
        *code = P3D_OK;
        cli_print_help(command, out);
        return true;
    }
    if (line->asked != NULL)
        echo(line, cli_format(&args) == REPORT_TEXT ? out : aside);
    put_last(command, &args);
    return check_args(command, &args, err) &&
           answer_with_threads(command, &args, out, code, err);
}

/* Where the next code of plan3d's own colours is, or the end. */
static size_t find_color(const p3d_text *text, size_t from)
{
    while (from < text->length &&
            !(text->style.color && report_paint_length(text->data + from) > 0))
        from++;
    return from;
}

static bool prints(const p3d_text *text, const char *kept)
{
    size_t at = 0;

    while (at < text->length) {
        const char *const from = text->data + at;
        const int color = text->style.color ? report_paint_length(from) : 0;
        const int n = p3d_utf8_printable(from, text->length - at);

        if (color == 0 && n == 0 && (*from == '\0' || !strchr(kept, *from)))
            return false;
        at += (size_t)(color > 0 ? color : n > 0 ? n : 1);
    }
    return true;
}

/* A name in a file may hold anything, such as the codes of a terminal: none
 * pass but those of plan3d's own colours. No memory is asked for where all
 * prints: by now a command may have written its files. */
static void show_text(p3d_text *text, const char *kept)
{
    p3d_text shown = {.style = text->style, .failed = text->failed};
    size_t at = 0;

    if (prints(text, kept))
        return;
    while (at < text->length) {
        const size_t color = find_color(text, at);
        const int n = color < text->length
                              ? report_paint_length(text->data + color)
                              : 0;

        p3d_text_show(&shown, text->data + at, color - at, kept);
        p3d_text_append(&shown, text->data + color, (size_t)n);
        at = color + (size_t)n;
    }
    p3d_text_free(text);
    *text = shown;
}

enum { SEE = 80 };

/* What to read of a command that was misused; NULL = it was not.
 * @return out */
static const char *print_see(
        const p3d_error *error, const cli_command *command, char out[SEE])
{
    if (error->code != P3D_USAGE)
        return NULL;
    if (command != NULL)
        snprintf(out, SEE, "see 'plan3d %s --help'", command->name);
    else
        snprintf(out, SEE, "see 'plan3d help'");
    return out;
}

/* One line, whatever bytes a file name or an argument had in it. */
static void print_error(
        const p3d_error *error, const char *see, p3d_lang lang, FILE *err)
{
    const p3d_style style = {.lang = lang};
    p3d_error said = *error;
    char words[P3D_ERROR_LINE];
    p3d_text line = {.style = style};

    (void)p3d_copy(said.text, sizeof(said.text),
            report_say_made(style, error->text).text);
    p3d_text_add(
            &line, "plan3d: %s", p3d_print_error(words, sizeof(words), &said));
    if (see != NULL)
        report_add(&line, " (%s)", report_say_made(style, see).text);
    show_text(&line, "");
    fprintf(err, "%s\n",
            line.failed ? "plan3d: out of memory" : p3d_text_get(&line));
    p3d_text_free(&line);
}

/* At once and only at the end: who reads a pipe gets all or nothing. */
static bool write_answer(p3d_text *text, FILE *out, p3d_error *err)
{
    show_text(text, "\n");
    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    errno = 0;
    if (fwrite(p3d_text_get(text), 1, text->length, out) != text->length ||
            fflush(out) != 0) {
        return p3d_fail(err, P3D_SYSTEM, "cannot write the answer: %s",
                errno != 0 ? strerror(errno) : "unknown reason");
    }
    return true;
}

/* The value of an option in a command line, also in one that cannot be read;
 * "" where it has none. */
static const char *find_value(
        int argc, const char *const *argv, const char *option)
{
    const size_t n = strlen(option);

    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], option, n) != 0)
            continue;
        if (argv[i][n] == '=')
            return argv[i] + n + 1;
        if (argv[i][n] == '\0' && i + 1 < argc)
            return argv[i + 1];
    }
    return "";
}

static bool asks_json(int argc, const char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            return true;
    return strcmp(find_value(argc, argv, "--format"),
                   report_format_word(REPORT_JSON)) == 0;
}

/* That of --lang, else of the question, else the usual one: also for what is to
 * be said about a command line that cannot be read. */
static bool find_lang(
        int argc, const char *const *argv, command_line *line, p3d_error *err)
{
    const char *const word = find_value(argc, argv, "--lang");
    p3d_lang usual;

    if (!cli_usual_lang(&usual, err))
        return false;
    line->lang = usual;
    if (line->is_chinese)
        line->lang = P3D_CHINESE;
    for (int i = 0; cli_lang_word(i) != NULL; i++)
        if (strcmp(word, cli_lang_word(i)) == 0)
            line->lang = (p3d_lang)i;
    line->is_usual_lang = line->lang == usual;
    return true;
}

/* For who reads the answer and not the message. */
static void write_failure(const p3d_error *error, const cli_command *command,
        const char *see, FILE *out)
{
    p3d_error ignored = {0};
    p3d_text text = {0};

    report_failure_print(
            error, command != NULL ? command->name : NULL, see, &text);
    (void)!write_answer(&text, out, &ignored);
    p3d_text_free(&text);
}

/* A refusal or a failure; what could not be written is not tried again.
 * @return its code */
static p3d_code say_error(const p3d_error *error, const command_line *line,
        bool as_json, FILE *err)
{
    char words[SEE];
    const char *const see = print_see(error, line->command, words);

    if (as_json)
        write_failure(error, line->command, see, line->to);
    print_error(error, see, line->lang, err);
    return error->code;
}

int cli_main(int argc, const char *const *argv, FILE *out, FILE *err)
{
    command_line line = {.rest = {.skip = -1}};
    p3d_code code = P3D_OK;
    p3d_error error = {0};
    p3d_text text = {0};
    p3d_text aside = {0};
    bool ok = find_command(argc, argv, &line, &error);
    bool answered = false;

    line.to = out;
    ok = find_lang(argc, argv, &line, ok ? &error : NULL) && ok;
    ok = ok && run(&line, &aside, &text, &code, &error);

    cli_listen_end(); /* who reads the answer may let it wait */
    show_text(&aside, "\n");
    answered = ok;
    ok = ok && write_answer(&text, out, &error);
    if (ok)
        fputs(p3d_text_get(&aside), err);
    p3d_text_free(&aside);
    p3d_text_free(&text);
    free_line(&line);
    if (!ok) {
        code = say_error(
                &error, &line, !answered && asks_json(argc, argv), err);
    } else if (code == P3D_INTERRUPTED) {
        fprintf(err, "plan3d: %s\n",
                report_say((p3d_style){.lang = line.lang},
                        "interrupted; what was found so far is printed"));
    }
    return p3d_exit_status(code);
}

static bool are_given(int argc, const char *const *argv)
{
    if (argc < 0 || (argv == NULL && argc > 0))
        return false;
    for (int i = 0; i < argc; i++) {
        if (argv[i] == NULL)
            return false;
    }
    return true;
}

static int run_given(int argc, const char *const *argv, FILE *out, FILE *err)
{
    if (are_given(argc, argv))
        return cli_main(argc, argv, out, err);
    fprintf(err, "plan3d: p3d_command() was called with NULL for an argument; "
                 "give argc words\n");
    return p3d_exit_status(P3D_USAGE);
}

/* Hand a text over to who asked for it. */
static void hand(char **to, char *text)
{
    if (to != NULL)
        *to = text;
    else
        free(text);
}

int p3d_command_listen(int argc, const char *const *argv,
        const p3d_listener *listener, char **out, char **err)
{
    char *texts[2] = {NULL, NULL};
    size_t sizes[2];
    FILE *const out_file = open_memstream(&texts[0], &sizes[0]);
    FILE *const err_file = open_memstream(&texts[1], &sizes[1]);
    int status = p3d_exit_status(P3D_SYSTEM);

    cli_progress_tell(listener);
    if (out_file != NULL && err_file != NULL)
        status = run_given(argc, argv, out_file, err_file);
    cli_progress_tell(NULL);
    if (out_file != NULL)
        fclose(out_file);
    if (err_file != NULL)
        fclose(err_file);
    hand(out, texts[0]);
    hand(err, texts[1]);
    return status;
}

int p3d_command(int argc, const char *const *argv, char **out, char **err)
{
    return p3d_command_listen(argc, argv, NULL, out, err);
}

void p3d_command_free(char *text)
{
    free(text);
}
