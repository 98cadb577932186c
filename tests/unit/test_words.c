/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_words.c - the tables of words are complete: each word of the sources has
 * its translation, each translation is used and takes the same arguments. */
#include "test.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/commands.h"
#include "exchange/runs/corpus.h"
#include "plan3d/departures.h"
#include "report/answer.h"
#include "report/words/tables.h"
#include "report/words/words.h"
#include "spec/legality.h"
#include "spec/plan_words.h"

enum {
    MAX_FILES = 1024,
    MAX_LITERALS = 49152,
    MAX_ARGUMENTS = 16,
    LITERAL = 1024,
    MAX_OUTPUT = 256 * 1024,
    PATH = 4096
};

static const p3d_style chinese = {.lang = P3D_CHINESE};

/* Literals of C sources, neighbours joined, escapes as they are written. */
typedef struct literals {
    int n;
    char *at[MAX_LITERALS];
    const char *file[MAX_LITERALS];
    bool is_said[MAX_LITERALS]; /* in a call of a function that fails */
} literals;

static literals all;

/* Where the tests find the sources: the folder is named when they are built. */
static const char *const texts[] = {"src/report/text/text_fit.c",
        "src/report/text/text_plan.c", "src/report/text/text_question.c",
        "src/report/text/text_memory.c", "src/report/text/text_time.c",
        "src/report/text/text_evidence.c", "src/report/text/text_sweep.c",
        "src/report/text/text_answer.c", "src/report/text/text_compare.c",
        "src/report/text/text_advise.c", "src/report/text/text_sensitivity.c",
        "src/report/text/text_budget.c", "src/report/text/text_import.c",
        "src/report/text/text_network.c", "src/report/text/text_operations.c",
        "src/report/text/text_assign.c", "src/report/text/text_pools.c",
        "src/report/text/text_pools_network.c",
        "src/report/text/text_pools_sweep.c", "src/report/text/text_backtest.c",
        "src/report/text/text_validate.c", "src/report/assumed.c",
        "src/report/html/html.c", "src/report/html/html_basis.c",
        "src/report/html/html_front.c", "src/report/html/html_grid.c",
        "src/report/html/html_memory.c", "src/report/html/html_page.c",
        "src/report/html/html_pipeline.c", "src/report/html/html_plans.c",
        "src/report/html/html_ranks.c", "src/report/html/html_scaling.c",
        "src/report/html/html_step.c", "src/report/html/html_verdict.c"};

/* A byte that an escape stands for. */
static char unescape(char letter)
{
    return letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
}

/* Copy the literal that begins behind a quote. @return its end, behind it */
static const char *take_literal(const char *at, char *to, size_t n)
{
    size_t used = strlen(to);

    for (; *at != '"'; at++) {
        assert_true(*at != '\0' && used + 1 < n);
        if (*at == '\\') {
            at++;
            to[used++] = unescape(*at);
        } else {
            to[used++] = *at;
        }
    }
    to[used] = '\0';
    return at + 1;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \n\\");
}

/* Behind a comment, a character or an include that begins here, or NULL. */
static const char *skip_other(const char *at)
{
    if (strncmp(at, "/*", 2) == 0)
        return strstr(at, "*/") + 2;
    if (strncmp(at, "#include", 8) == 0)
        return at + strcspn(at, "\n");
    if (*at == '\'')
        return strchr(at + 1 + (at[1] == '\\') + 1, '\'') + 1;
    return NULL;
}

/* Behind the type that <inttypes.h> names, as "lld" in the literal. */
static const char *take_type(const char *at, char *to)
{
    const size_t n = strlen(to);

    to[n] = 'l';
    to[n + 1] = 'l';
    to[n + 2] = at[3];
    to[n + 3] = '\0';
    return at + strspn(at, "PRIXdiux0123456789");
}

/* Copy neighbours, too. @return the end of the last */
static const char *take_neighbours(const char *at, char *to, size_t n)
{
    while (*at == '"' || strncmp(at, "PRI", 3) == 0) {
        assert_true(strlen(to) + 4 < n);
        at = skip_blanks(
                *at == '"' ? take_literal(at + 1, to, n) : take_type(at, to));
    }
    return at;
}

/* Whether a function records what it is given: by its name, so that a new one
 * is among them. */
static bool is_failing(const char *name, size_t n)
{
    static const char *const others[] = {"p3d_record", "p3d_did_you_mean",
            "json_find_word", "note", "say", "spec_say_reason", "cli_goes_on",
            "READ"};
    char word[64];

    if (n >= sizeof(word))
        return false;
    (void)snprintf(word, sizeof(word), "%.*s", (int)n, name);
    for (int i = 0; i < P3D_COUNT_OF(others); i++)
        if (strcmp(word, others[i]) == 0)
            return true;
    return strstr(word, "fail") != NULL || strstr(word, "refuse") != NULL;
}

/* How deep the parentheses are, and from where on they are of such a call; 0 =
 * of none. */
typedef struct nesting {
    int depth, said;
} nesting;

/* Behind a word or another character. */
static const char *take_other(const char *at, nesting *in)
{
    const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

    if (n > 0) {
        if (at[n] == '(' && in->said == 0 && is_failing(at, n))
            in->said = in->depth + 1;
        return at + n;
    }
    if (*at == '(')
        in->depth++;
    if (*at == ')' && in->depth-- == in->said)
        in->said = 0;
    return at + 1;
}

static void take_literals(const char *file, const char *at)
{
    nesting in = {0, 0};

    while (*at != '\0') {
        char literal[4 * LITERAL] = "";
        const char *const other = skip_other(at);

        if (other != NULL) {
            at = other;
        } else if (*at == '"') {
            at = take_neighbours(at, literal, sizeof(literal));
            assert_true(all.n < MAX_LITERALS);
            all.file[all.n] = file;
            all.is_said[all.n] = in.said > 0;
            all.at[all.n++] = strdup(literal);
        } else {
            at = take_other(at, &in);
        }
    }
}

/* Names of the files, which the literals point to. */
static struct {
    char *at[MAX_FILES];
    int n;
} file_names;

static void read_file(const char *path)
{
    FILE *const file = fopen(path, "r");
    char *const text = calloc(1, MAX_OUTPUT);

    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, MAX_OUTPUT - 1, file) < MAX_OUTPUT - 1);
    fclose(file);
    assert_true(file_names.n < MAX_FILES);
    file_names.at[file_names.n++] = strdup(path + strlen(P3D_SOURCE_DIR) + 1);
    take_literals(file_names.at[file_names.n - 1], text);
    free(text);
}

static int read_sources(void **state)
{
    static const char *const patterns[] = {"/src/*/*.c", "/src/*/*.h",
            "/src/*/*/*.c", "/src/*/*/*.h", "/include/plan3d/*.h"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(patterns); i++) {
        char pattern[PATH];
        glob_t found;

        snprintf(pattern, sizeof(pattern), "%s%s", P3D_SOURCE_DIR, patterns[i]);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++)
            if (strstr(found.gl_pathv[k], "/report/words/") == NULL)
                read_file(found.gl_pathv[k]);
        globfree(&found);
    }
    return 0;
}

static int free_sources(void **state)
{
    (void)state;
    for (int i = 0; i < all.n; i++)
        free(all.at[i]);
    for (int i = 0; i < file_names.n; i++)
        free(file_names.at[i]);
    return 0;
}

/* Conversions. */

/* What one may end with, or "l" before that. */
#define CONVERSIONS "lcdfgsux"

/* The conversion that begins with a percent sign: what it takes, such as "lld"
 * or "*f". @return its end */
static const char *take_conversion(const char *at, int *number, char what[8])
{
    size_t n = 0;
    char *end;
    const long i = strtol(at + 1, &end, 10);

    *number = 0;
    what[0] = '\0';
    if (strpbrk(at, CONVERSIONS) == NULL)
        return at + 1; /* a unit, as in "error %" */
    if (*end == '$') {
        /* POSIX promises nine places, and musl has no more. */
        assert_in_range(i, 1, 9);
        *number = (int)i;
        at = end;
    }
    for (at++; strchr(CONVERSIONS, *at) == NULL; at++)
        if (*at == '*')
            what[n++] = '*';
    while (*at == 'l')
        what[n++] = *at++;
    what[n++] = *at;
    what[n] = '\0';
    return at + 1;
}

/* C promises nothing where some arguments have a number and others have none,
 * or where one is left out: glibc prints what was meant, musl does not. */
static void check_numbering(
        const char *template, int n, int n_numbered, int n_bare)
{
    if (n_numbered > 0 && (n_bare > 0 || n_numbered < n))
        fail_msg("number all arguments, or none: %s", template);
}

/* The arguments that a template takes, by place. @return how many */
static int arguments_of(const char *whole, char what[MAX_ARGUMENTS][8])
{
    const char *template = whole;
    int n_numbered = 0;
    int n_bare = 0;
    int n = 0;

    while ((template = strchr(template, '%')) != NULL) {
        char taken[8] = "";
        int number;

        if (template[1] == '%') {
            template += 2;
            continue;
        }
        template = take_conversion(template, &number, taken);
        if (taken[0] == '\0')
            continue;
        n_numbered += number > 0;
        n_bare += number == 0;
        number = number > 0 ? number : n + 1;
        assert_in_range(number, 1, MAX_ARGUMENTS);
        memcpy(what[number - 1], taken, sizeof(taken));
        n = number > n ? number : n;
    }
    check_numbering(whole, n, n_numbered, n_bare);
    return n;
}

static void check_arguments(const report_translation *row)
{
    char of_english[MAX_ARGUMENTS][8] = {""};
    char of_words[MAX_ARGUMENTS][8] = {""};
    const int n = arguments_of(row->english, of_english);

    if (row->words == NULL)
        return;
    if (arguments_of(row->words, of_words) != n)
        fail_msg("other arguments: %s", row->english);
    for (int i = 0; i < n; i++)
        if (strcmp(of_english[i], of_words[i]) != 0)
            fail_msg("argument %d is other: %s", i + 1, row->english);
}

static void a_translation_takes_the_same_arguments(void **state)
{
    const report_translation *row;

    (void)state;
    for (int i = 0; (row = report_translation_at(P3D_CHINESE, i)) != NULL; i++)
        check_arguments(row);
}

/* Sentences are filled from text: only the number of their parts counts. */
static void a_sentence_has_as_many_parts(void **state)
{
    char what[MAX_ARGUMENTS][8];
    const report_translation *row;

    (void)state;
    for (int i = 0; (row = report_sentence_at(P3D_CHINESE, i)) != NULL; i++)
        if (arguments_of(row->english, what) != arguments_of(row->words, what))
            fail_msg("other parts: %s", row->english);
}

/* Words. */

static bool is_row(const char *english)
{
    const report_translation *row;

    for (int i = 0; (row = report_translation_at(P3D_CHINESE, i)) != NULL; i++)
        if (strcmp(row->english, english) == 0)
            return true;
    return false;
}

static bool is_sentence(const char *english)
{
    const report_translation *row;

    for (int i = 0; (row = report_sentence_at(P3D_CHINESE, i)) != NULL; i++)
        if (strcmp(row->english, english) == 0)
            return true;
    return false;
}

/* Behind a tag that begins here: its label is read, the rest is not. */
static const char *skip_tag(const char *tag)
{
    static const char label[] = "aria-label=\"";
    const char *const end = strchr(tag, '>');
    const char *const words = strstr(tag, label);

    if (end == NULL)
        return tag + strlen(tag) - 1;
    return words != NULL && words < end && words[sizeof(label) - 1] != '%'
                   ? words + sizeof(label) - 2
                   : end;
}

/* Two letters that are no conversion, and in no tag of HTML. */
static bool has_word(const char *text)
{
    int letters = 0;

    for (; *text != '\0'; text++) {
        if (*text == '<' && strchr("abcdefghilmnoprstuvx/!", text[1]) != NULL &&
                strchr(text, '>') != NULL) {
            text = skip_tag(text);
            letters = 0;
        } else if (*text == '%') {
            char what[8] = "";
            int number;

            text = text[1] == '%' ? text + 1
                                  : take_conversion(text, &number, what) - 1;
            letters = 0;
        } else {
            letters = isalpha((unsigned char)*text) != 0 ? letters + 1 : 0;
            if (letters == 2)
                return true;
        }
    }
    return false;
}

/* What no language changes: commands and options, names, units, the columns of
 * a table, what report_about() writes into files. */
static bool is_for_all(const char *text)
{
    static const char *const names[] = {"TP", "PP", "VP", "DP", "CP", "EP",
            "ETP", "ETP %d, ", "/GPU", "MFU %", "mbs", "mb", "tok/s", "GPUs",
            "moe", "MWh", "kWh", " MWh", " kWh", "USD ", "ms", "GiB", " GiB",
            " tokens/s", "stage %d%s", "selective:", "BbMmTt", ".json",
            " communication", "%s\t%.*f\t%.*f\t%+.*f\tGiB", "%s %s GiB",
            "MFU\t%.1f\t%.1f\t%+.1f\t%%", "model: %s, cluster: %s\n",
            "job: sequence %d, batch %lld sequences = %s tokens per step, %s\n",
            "predicted: %s per step, %s tokens/s, peak %s of %s GiB, %s to "
            "fit%s\n",
            ": IT DOES NOT FIT", "es", "0123456789",
            /* names of sections, classes and plans of the page */
            "verdict", "others", "fit", "changes", "plans", "ranks", "scaling",
            "swings", "grid", "basis", "launches", "front", "dot", "own",
            " own", " unsure", "end", "on", "barely", "yes", "en", "zh-CN",
            "PCIe", "plan-own", "plan-recommended", "plan-fastest",
            "plan-usual", "plan-roomiest", "--reserve", "pin=", "tokens/s",
            "MFU", "%sdg", "%.1f GiB", "%s GiB", "%s tokens/s", "rank %d",
            "stage %d", "Stage %d", "|stage %d", "TP %d, PP %d", "%lld x %s",
            "'sha256-%s'", "; script-src ",
            "; base-uri 'none'; form-action 'none'\">\n",
            "<meta http-equiv=\"Content-Security-Policy\" "
            "content=\"default-src 'none'; style-src ",
            "<th scope=\"col\">PP %d</th>", "<tr><th scope=\"row\">TP %d</th>",
            "<li>rank %d</li>\n", "xefxbfxbd",
            "<li><span class=\"swatch %s\"></span>%s <b>%s GiB</b></li>\n",
            "<line class=\"grid\" x2=\"100%%\" y1=\"%g\" y2=\"%g\"/><text "
            "class=\"quiet end\" x=\"100%%\" y=\"%g\">%s GiB</text>\n",
            "<text class=\"quiet\" y=\"12\">tokens/s</text>\n<line "
            "class=\"grid\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n",
            "out of memory", "abcdefghijklmnopqrstuvwxyz"};

    if (text[0] == '&' || strncmp(text, "plan3d ", 7) == 0 ||
            text[strspn(text, "lr")] == '\0' || strncmp(text, " --", 3) == 0 ||
            strncmp(text, " -o ", 4) == 0 || strncmp(text, " %s --", 6) == 0)
        return true;
    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strcmp(text, names[i]) == 0)
            return true;
    return false;
}

static void each_word_has_a_translation(void **state)
{
    int n_missing = 0;

    (void)state;
    for (int i = 0; i < all.n; i++)
        for (int k = 0; k < P3D_COUNT_OF(texts); k++)
            if (strcmp(all.file[i], texts[k]) == 0 && has_word(all.at[i]) &&
                    !is_for_all(all.at[i]) && !is_row(all.at[i])) {
                print_error("%s: %s\n", texts[k], all.at[i]);
                n_missing++;
            }
    assert_int_equal(n_missing, 0);
}

/* Errors. */

/* What a function that fails is given and no person reads, or is the same in
 * each language. */
static bool is_no_message(const char *text)
{
    static const struct {
        const char *text;
        const char *why;
    } exempt[] = {
            {"%s() was called with NULL, with a struct that nothing was read "
             "into, or with a number out of range; plan3d's headers say what "
             "it takes",
                    "for who calls the library, in the words of its headers"},
            {"p3d_sweep_find_limit() was called without a cluster, without "
             "room for its answer or for no limit that there is",
                    "the same"},
            {"a message that cannot be printed", "a bug of plan3d"},
            {"deadline", "an option"},
            {"find", "an option"},
            {"pareto", "an option"},
            {"amortize 4y", "an option with its value"},
            {"purchase-price USD", "an option with its value"},
            {"--set ", "an option"},
            {"cp", "a word of a plan"},
            {"ulysses", "a word of a plan"},
            {"dtype", "a column"},
            {"ids", "a column"},
            {"id", "a column"},
            {"plan", "a column"},
            {"profile", "a column"},
            {"set", "a column"},
            {"here", "a place, to which only its line is asked"},
            {"a line with a speed", "tells a log from other files"},
            {"; remove it, or add it to src/spec/family_keys.c",
                    "for who adds a model to plan3d"},
    };

    for (int i = 0; i < P3D_COUNT_OF(exempt); i++)
        if (strcmp(text, exempt[i].text) == 0)
            return exempt[i].why != NULL;
    /* Keys, pointers, plans and their values: no blank, and no word alone. */
    return strchr(text, ' ') == NULL && strpbrk(text, "_/=:0123456789") != NULL;
}

/* What is matched as a template, or is there as it stands. */
static bool has_chinese(const char *english)
{
    char what[MAX_ARGUMENTS][8];

    return is_sentence(english) ||
           (arguments_of(english, what) == 0 && is_row(english));
}

static void each_error_has_a_translation(void **state)
{
    int n = 0;
    int n_missing = 0;

    (void)state;
    for (int i = 0; i < all.n; i++) {
        if (!all.is_said[i] || !has_word(all.at[i]) || is_no_message(all.at[i]))
            continue;
        n++;
        if (has_chinese(all.at[i]))
            continue;
        print_error("%s: no Chinese in src/report/words/chinese_errors_*.c: "
                    "%s\n",
                all.file[i], all.at[i]);
        n_missing++;
    }
    assert_true(n > 700);
    assert_int_equal(n_missing, 0);
}

/* What a run that cannot be predicted breaks, and what is taken where one does
 * not say it. */
static void rules_and_assumptions_have_a_translation(void **state)
{
    (void)state;
    for (int i = 0; spec_rule_words(i) != NULL; i++)
        if (!has_chinese(spec_rule_words(i)))
            fail_msg("no Chinese: %s", spec_rule_words(i));
    for (int i = 0; exchange_assumed_words(i) != NULL; i++)
        if (!has_chinese(exchange_assumed_words(i)))
            fail_msg("no Chinese: %s", exchange_assumed_words(i));
}

/* @return 1 where it has none */
static int check_translated(const char *english)
{
    const report_translation *row;

    for (int i = 0; (row = report_translation_at(P3D_CHINESE, i)) != NULL; i++)
        if (strcmp(row->english, english) == 0)
            return 0;
    print_error("no Chinese: %s\n", english);
    return 1;
}

static void each_word_of_a_table_has_a_translation(void **state)
{
    int n_missing = 0;

    (void)state;
    for (int i = 0; i < P3D_N_DEPARTURES; i++)
        n_missing += check_translated(p3d_departure_words(i));
    for (int i = 0; i < REPORT_N_MEMORY_TERMS; i++)
        n_missing += check_translated(report_memory_terms[i].words);
    for (int i = 0; i < REPORT_N_TIME_TERMS; i++)
        n_missing += check_translated(report_time_terms[i].words);
    for (int i = 0; i < P3D_N_FLAGS; i++)
        n_missing += check_translated(spec_flags[i].title);
    assert_int_equal(n_missing, 0);
}

/* What a question in words may be answered with where it is not understood:
 * the hints of src/cli/ask_*.c, and the lines about work under way. */
static void hints_and_progress_have_a_translation(void **state)
{
    int n = 0;

    (void)state;
    for (int i = 0; i < all.n; i++) {
        const bool is_hint = strncmp(all.file[i], "src/cli/ask_", 12) == 0 &&
                             strncmp(all.at[i], "; ", 2) == 0;
        const bool is_progress =
                strcmp(all.file[i], "src/cli/progress.c") == 0 &&
                strstr(all.at[i], "interrupted") == NULL;

        if (!has_word(all.at[i]) || (!is_hint && !is_progress) ||
                strstr(all.at[i], "before anything") != NULL)
            continue;
        n++;
        if (!is_row(all.at[i]) && !is_sentence(all.at[i]))
            fail_msg("%s: %s", all.file[i], all.at[i]);
    }
    assert_true(n > 10);
}

/* A default that is no value to type. */
static bool has_words(const char *fallback)
{
    return fallback != NULL && strchr(fallback, ' ') != NULL;
}

/* @return how many words of the help of a command have no translation */
static int check_command(const cli_command *command)
{
    int n_missing = check_translated(command->summary);

    for (int i = 0; i < CLI_MAX_POSITIONALS; i++)
        if (command->positionals[i].word != NULL)
            n_missing += check_translated(command->positionals[i].doc);
    for (int i = 0; i < command->table.n_options; i++) {
        n_missing += check_translated(command->table.options[i].field.doc);
        if (has_words(command->table.options[i].fallback))
            n_missing += check_translated(command->table.options[i].fallback);
    }
    return n_missing;
}

/* What plan3d help says: commands, options and exit statuses. */
static void help_has_a_translation(void **state)
{
    static const char *const meanings[] = {
#define AS_MEANING(name, status, meaning) meaning,
            P3D_CODES(AS_MEANING)
#undef AS_MEANING
    };
    int n_missing = 0;

    (void)state;
    for (int i = 0; cli_command_at(i) != NULL; i++)
        n_missing += check_command(cli_command_at(i));
    for (int i = 0; i < P3D_COUNT_OF(meanings); i++)
        n_missing += check_translated(meanings[i]);
    assert_int_equal(n_missing, 0);
}

static bool is_doc(const char *english)
{
    const cli_command *command;

    for (int i = 0; (command = cli_command_at(i)) != NULL; i++)
        for (int k = 0; k < command->table.n_options; k++)
            if (strcmp(command->table.options[k].field.doc, english) == 0)
                return true;
    return false;
}

static bool is_literal(const char *english)
{
    for (int i = 0; i < all.n; i++)
        if (strcmp(all.at[i], english) == 0)
            return true;
    return false;
}

/* @return 1 where it is not */
static int check_used(const report_translation *row)
{
    if (is_literal(row->english) || is_doc(row->english))
        return 0;
    print_error("not in the sources: %s\n", row->english);
    return 1;
}

/* Rows of report_chinese_errors_made are of no literal. */
static void each_translation_is_used(void **state)
{
    static const report_translation *const templates[] = {
            report_chinese_sentences, report_chinese_errors_base,
            report_chinese_errors_cli, report_chinese_errors_exchange,
            report_chinese_errors_spec, report_chinese_errors_study,
            report_chinese_errors_general};
    const report_translation *row;
    int n_unused = 0;

    (void)state;
    for (int i = 0; (row = report_translation_at(P3D_CHINESE, i)) != NULL; i++)
        n_unused += check_used(row);
    for (int i = 0; i < P3D_COUNT_OF(templates); i++)
        for (row = templates[i]; row->english != NULL; row++)
            n_unused += check_used(row);
    assert_int_equal(n_unused, 0);
}

static void no_word_is_translated_twice(void **state)
{
    const report_translation *row, *other;

    (void)state;
    for (int i = 0; (row = report_translation_at(P3D_CHINESE, i)) != NULL; i++)
        for (int k = i + 1;
                (other = report_translation_at(P3D_CHINESE, k)) != NULL; k++)
            if (strcmp(row->english, other->english) == 0)
                fail_msg("twice: %s", row->english);
    for (int i = 0; (row = report_sentence_at(P3D_CHINESE, i)) != NULL; i++)
        for (int k = i + 1;
                (other = report_sentence_at(P3D_CHINESE, k)) != NULL; k++)
            if (strcmp(row->english, other->english) == 0)
                fail_msg("twice: %s", row->english);
}

static void sentences_of_other_rooms_are_recognised(void **state)
{
    static const char *const rows[][2] = {
            {"128 GPUs instead of 64", "用 128 个 GPU 代替 64 个"},
            {"16 GPUs instead of 8, in nodes of 4",
                    "用 16 个 GPU 代替 8 个，每节点 4 个"},
            {"to save recomputation, 25.8 % of the step: 244 s -> 211 s, kept",
                    "为节省重计算（占单步的 25.8%）：244 s -> 211 s，保留"},
            {"more replicas: DP 8 -> 16, TP 8 -> 4",
                    "增加副本：DP 8 -> 16，TP 8 -> 4"},
            {"not understood: 'H999'; no such GPU, see 'plan3d list gpus'",
                    "看不懂“H999”；没有这样的 GPU，见“plan3d list gpus”"},
            {"shard the gradients: stage 0 needs 9.00 GiB of 8.00 GiB: out of "
             "memory",
                    "切分梯度：stage 0 需要 9.00 GiB / 8.00 GiB，显存不足"},
            {"none of the templates 1 %", "none of the templates 1 %"},
            {"", ""}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        assert_string_equal(
                report_say_made(chinese, rows[i][0]).text, rows[i][1]);
        assert_string_equal(
                report_say_made((p3d_style){.lang = P3D_ENGLISH}, rows[i][0])
                        .text,
                rows[i][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_translation_takes_the_same_arguments),
            cmocka_unit_test(a_sentence_has_as_many_parts),
            cmocka_unit_test(each_word_has_a_translation),
            cmocka_unit_test(each_word_of_a_table_has_a_translation),
            cmocka_unit_test(hints_and_progress_have_a_translation),
            cmocka_unit_test(each_error_has_a_translation),
            cmocka_unit_test(rules_and_assumptions_have_a_translation),
            cmocka_unit_test(help_has_a_translation),
            cmocka_unit_test(each_translation_is_used),
            cmocka_unit_test(no_word_is_translated_twice),
            cmocka_unit_test(sentences_of_other_rooms_are_recognised),
    };

    return cmocka_run_group_tests_name(
            "words", tests, read_sources, free_sources);
}
