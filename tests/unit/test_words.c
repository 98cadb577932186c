/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_words.c - the tables of words are complete: each word of the sources has
 * its translation, each translation is used and takes the same arguments, and
 * an answer in Chinese has no English in it. */
#include "test.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/utf8.h"
#include "base/util.h"
#include "report/words/tables.h"
#include "report/words/words.h"

enum {
    MAX_FILES = 1024,
    MAX_LITERALS = 16384,
    MAX_ARGUMENTS = 16,
    LITERAL = 1024,
    COLUMNS = 98,
    MAX_OUTPUT = 256 * 1024,
    PATH = 4096
};

static const p3d_style chinese = {.lang = P3D_CHINESE};

/* Literals of C sources, neighbours joined, escapes as they are written. */
typedef struct literals {
    int n;
    char *at[MAX_LITERALS];
    const char *file[MAX_LITERALS];
} literals;

static literals all;

/* Where the tests find the sources: the folder is named when they are built. */
static const char *const texts[] = {"src/report/text/text_fit.c",
        "src/report/text/text_plan.c", "src/report/text/text_question.c",
        "src/report/text/text_memory.c", "src/report/text/text_time.c",
        "src/report/text/text_evidence.c", "src/report/text/text_sweep.c",
        "src/report/text/text_compare.c", "src/report/text/text_advise.c",
        "src/report/text/text_sensitivity.c", "src/report/text/text_budget.c",
        "src/report/text/text_import.c", "src/report/text/text_operations.c",
        "src/report/text/text_backtest.c", "src/report/text/text_validate.c",
        "src/report/assumed.c", "src/report/html/html.c",
        "src/report/html/html_basis.c", "src/report/html/html_front.c",
        "src/report/html/html_grid.c", "src/report/html/html_memory.c",
        "src/report/html/html_page.c", "src/report/html/html_pipeline.c",
        "src/report/html/html_plans.c", "src/report/html/html_ranks.c",
        "src/report/html/html_scaling.c", "src/report/html/html_step.c",
        "src/report/html/html_verdict.c"};

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

static void take_literals(const char *file, const char *at)
{
    while (*at != '\0') {
        char literal[4 * LITERAL] = "";
        const char *const other = skip_other(at);

        if (other != NULL) {
            at = other;
        } else if (*at == '"') {
            do
                at = skip_blanks(
                        take_literal(at + 1, literal, sizeof(literal)));
            while (*at == '"');
            assert_true(all.n < MAX_LITERALS);
            all.file[all.n] = file;
            all.at[all.n++] = strdup(literal);
        } else {
            at++;
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

/* The arguments that a template takes, by place. @return how many */
static int arguments_of(const char *template, char what[MAX_ARGUMENTS][8])
{
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
        number = number > 0 ? number : n + 1;
        assert_in_range(number, 1, MAX_ARGUMENTS);
        memcpy(what[number - 1], taken, sizeof(taken));
        n = number > n ? number : n;
    }
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

    (void)state;
    for (const report_translation *row = report_chinese_sentences;
            row->english != NULL; row++)
        assert_int_equal(arguments_of(row->english, what),
                arguments_of(row->words, what));
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
            " communication", "\t%.2f\tGiB", "%s\t%.2f\t%.2f\t%+.2f\tGiB",
            "%s %.2f GiB", "MFU\t%.1f\t%.1f\t%+.1f\t%%",
            "model: %s, cluster: %s\n",
            "job: sequence %d, batch %lld sequences = %s tokens per step, %s\n",
            "predicted: %s per step, %s tokens/s, peak %.2f of %.2f GiB%s\n",
            " usable: IT DOES NOT FIT", "es", "0123456789",
            /* names of sections, classes and plans of the page */
            "verdict", "others", "fit", "changes", "plans", "ranks", "scaling",
            "swings", "grid", "basis", "launches", "front", "dot", "own",
            " own", " unsure", "end", "on", "barely", "yes", "en", "zh-CN",
            "plan-own", "plan-recommended", "plan-fastest", "plan-roomiest",
            "--reserve", "tokens/s", "MFU", "%sdg", "%.1f GiB", "%s GiB",
            "%s tokens/s", "rank %d", "stage %d", "Stage %d", "|stage %d",
            "TP %d, PP %d", "%lld x %s", "'sha256-%s'", "; script-src ",
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
            "out of memory"};

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
    if (is_literal(row->english))
        return 0;
    print_error("not in the sources: %s\n", row->english);
    return 1;
}

static void each_translation_is_used(void **state)
{
    const report_translation *row;
    int n_unused = 0;

    (void)state;
    for (int i = 0; (row = report_translation_at(P3D_CHINESE, i)) != NULL; i++)
        n_unused += check_used(row);
    for (row = report_chinese_sentences; row->english != NULL; row++)
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
}

static void sentences_of_other_rooms_are_recognised(void **state)
{
    static const char *const rows[][2] = {
            {"128 GPUs instead of 64", "用 128 个 GPU 代替 64 个"},
            {"16 GPUs instead of 8, in nodes of 4",
                    "用 16 个 GPU 代替 8 个，每节点 4 个"},
            {"recomputation is 25.8 % of the step: 243.662 s -> 211.398 s, "
             "kept",
                    "重计算占单步的 25.8%：243.662 s -> 211.398 s，保留"},
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

/* Answers. */

/* How this test was called. */
static const char *self;

static void run(const char *arguments, char *text, size_t most)
{
    char program[PATH];
    char command[2 * PATH];
    FILE *pipe;
    size_t n;

    assert_true(strlen(self) + sizeof("/../../plan3d") <= sizeof(program));
    snprintf(program, sizeof(program), "%s", self);
    assert_non_null(strrchr(program, '/'));
    snprintf(strrchr(program, '/'), sizeof("/../../plan3d"), "/../../plan3d");
    snprintf(command, sizeof(command), "'%s' %s", program, arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    n = fread(text, 1, most - 1, pipe);
    text[n] = '\0';
    assert_true(WIFEXITED(pclose(pipe)));
    assert_true(n > 0 && n < most - 1);
}

/* English that Chinese engineers write, and words of plans and units. */
static bool is_usual(const char *word, size_t n)
{
    static const char *const usual[] = {"ms", "us", "s", "kW", "kWh", "MWh",
            "GPU", "CPU", "GPUs", "GiB", "GB", "MB", "MiB", "KiB", "B", "M",
            "T", "K", "Mi", "token", "Stage", "tokens", "stage", "rank",
            "kernel", "dropout", "profile", "MFU", "HFU", "FLOPs", "TFLOP",
            "TP", "PP", "VP", "DP", "CP", "EP", "ETP", "SP", "Z", "A", "B",
            "mb", "mbs", "tok", "NVLink", "NVMe", "NCCL", "CUDA", "MLP", "MoE",
            "QKV", "KV", "PUE", "USD", "Young", "Daly", "Llama", "nccl-tests",
            "plan3d", "fit", "plan", "advise", "report", "estimate", "explain",
            "shapes", "sweep", "adam", "flash", "cudnn", "gemm", "memory",
            "attention", "nccl", "overlap", "none", "selective", "optimizer",
            "full", "uniform", "layernorm", "mlp", "sp", "nosp", "uneven",
            "parallel", "vocab-parallel", "torchtitan", "megatron-core",
            "deepspeed", "any", "on", "off", "interleaved", "FSDP", "ZeRO",
            "torchtune", "nanotron", "ddp", "internevo", "generic", "bf16",
            "cuBLAS", "Transformer", "Engine", "Adam", "AdamW", "query", "key",
            "value", "logits", "softmax", "autograd", "DeepEP", "HybridEP",
            "forward", "dgrad", "wgrad", "tp", "cp", "ep", "pp", "shard", "zh"};

    for (int i = 0; i < P3D_COUNT_OF(usual); i++)
        if (strlen(usual[i]) == n && strncmp(usual[i], word, n) == 0)
            return true;
    return false;
}

/* A word with anything but letters in it is a name or words of a plan. */
static void check_word(const char *word, size_t n, const char *line)
{
    for (size_t i = 0; i < n; i++)
        if (isalpha((unsigned char)word[i]) == 0)
            return;
    if (n >= 2 && !is_usual(word, n))
        fail_msg("English '%.*s' in: %s", (int)n, word, line);
}

/* Words are what stands between blanks, brackets and Chinese. */
static void check_line(const char *line)
{
    static const char between[] = " ,;()[]\"#";
    const char *at = line;

    while (*at != '\0') {
        size_t n = 0;

        while (at[n] > 0 && strchr(between, at[n]) == NULL)
            n++;
        check_word(at, n, line);
        at += n + (at[n] != '\0');
    }
    if (p3d_utf8_columns(line, strlen(line)) > COLUMNS &&
            strchr(line + strspn(line, " "), ' ') != NULL)
        fail_msg("over %d columns: %s", COLUMNS, line);
}

static void check_utf8(const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        const int n = p3d_utf8_length(text, left);

        assert_true(n > 0);
        text += n;
        left -= (size_t)n;
    }
}

/* The measured runs are what their publishers call them. */
static bool is_quoted(const char *line)
{
    static const char *const labels[] = {"实测 ", "依据 "};

    for (int i = 0; i < P3D_COUNT_OF(labels); i++)
        if (strncmp(line, labels[i], strlen(labels[i])) == 0)
            return true;
    return false;
}

static void answers_in_chinese_have_no_english(void **state)
{
    static const char *const commands[] = {"fit 70B 64xA800 --lang zh",
            "fit 70B 64xA800 --tokens 2T --price 1.2 --lang zh",
            "fit 70B 8xA800 --lang zh", "fit 70B 64xA800 --long --lang zh",
            "fit 8B 8xA800 --framework any --lang zh",
            "fit 70B 8xA800 --long --lang zh",
            "fit 70B 64xA800 --long --tokens 2T --repair 3d --lang zh",
            "plan 70B 64xA800 --lang zh",
            "estimate 70B 64xA800 --plan tp=8,pp=2,sp --lang zh",
            "sweep 70B 64..256xA800 --tokens 2T --price 1.20 --lang zh",
            "advise 70B 64xA800 --lang zh", "advise 70B 8xA800 --lang zh",
            "explain 70B 64xA800 why --lang zh",
            "explain 70B 64xA800 memory --lang zh | sed /出处：$/q",
            "explain deepseek-v3 512xH100 memory --lang zh | sed /出处：$/q",
            "shapes mixtral-8x7b 64xA800 --lang zh",
            "explain 70B 64xA800 error --lang zh",
            "explain 70B 64xA800 sensitivity --draws 100 --lang zh",
            "explain 70B 64xA800 --compare tp=8 --lang zh",
            "70B模型2T token用512张H100要多久"};
    static char text[MAX_OUTPUT];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(commands); i++) {
        char *line = text;

        run(commands[i], text, sizeof(text));
        check_utf8(text);
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            if (!is_quoted(line) && strncmp(line, "= plan3d", 8) != 0)
                check_line(line);
        }
    }
}

/* The text of a heading between its tags, in a line of a page; launch files are
 * headed by the names of frameworks. */
static void check_heading(const char *line)
{
    static const char *const tags[] = {"<h1", "<h2", "<dt>", "<summary>"};
    char text[LITERAL];

    for (int i = 0; i < P3D_COUNT_OF(tags); i++) {
        const char *at = strstr(line, tags[i]);

        if (at == NULL || strstr(line, "class=\"target\"") != NULL)
            continue;
        at = strchr(at, '>') + 1;
        snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, "<"), at);
        check_line(text);
    }
}

static void a_page_in_chinese_is_in_chinese(void **state)
{
    static const char *const commands[] = {
            "report 70B 64xA800 --tokens 2T --price 1.2 --lang zh",
            "report 70B 8xA800 --lang zh", "report 8B 8xH100 --lang zh"};
    static char text[4 * MAX_OUTPUT];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(commands); i++) {
        char *line = text;

        run(commands[i], text, sizeof(text));
        check_utf8(text);
        assert_non_null(strstr(text, "<html lang=\"zh-CN\">"));
        assert_null(strstr(text, "\xef\xbf\xbd"));
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            check_heading(line);
        }
    }
}

static void what_is_asked_decides_the_language(void **state)
{
    static const struct {
        const char *arguments;
        const char *first;
    } rows[] = {{"70B模型用64张A800放得下吗 | sed 1d", "放得下"},
            {"70B模型用64张A800放得下吗 --lang en | sed 1d", "FITS"},
            {"does 70B fit on 64 A800 | sed 1d", "FITS"},
            {"fit 70B 64xA800 --lang zh", "放得下"},
            {"fit 70B 64xA800", "FITS"},
            {"fit 70B 64xA800 --lang zh --json", "{"}};
    static char text[MAX_OUTPUT];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        run(rows[i].arguments, text, sizeof(text));
        if (strncmp(text, rows[i].first, strlen(rows[i].first)) != 0)
            fail_msg("%s: %.80s", rows[i].arguments, text);
    }
}

static void errors_are_in_the_language_too(void **state)
{
    static const char *const rows[][2] = {
            {"fit llama-3-70 64xA800 --lang zh",
                    "没有名为“llama-3-70”的模型；是不是“llama-3-70b”？（"},
            {"fit 70B 64xA800 --lnag zh --lang zh",
                    "没有选项“--lnag”；是不是“"},
            {"fit 70B 64xA800 --dtype fp9 --lang=zh", "--dtype：没有这个词："},
            {"estimate 70B 64xA800 --plan tp=16,ep=2 --lang zh",
                    "方案 tp=16,ep=2：G4：ep=2：模型没有专家；试试 ep=1"},
            {"fit 70B --lang zh", "缺少 CLUSTER（见“plan3d fit --help”）"},
            {"用64张A800训练", "缺少模型；例如加上“70B”"},
            {"用64张A800训练 --lang en", "the model is missing; add"}};
    static char text[MAX_OUTPUT];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        char command[PATH];

        snprintf(command, sizeof(command), "%s 2>&1", rows[i][0]);
        run(command, text, sizeof(text));
        if (strncmp(text + strlen("plan3d: "), rows[i][1],
                    strlen(rows[i][1])) != 0)
            fail_msg("%s: %s", rows[i][0], text);
    }
}

static void the_environment_names_a_language(void **state)
{
    static char text[MAX_OUTPUT];

    (void)state;
    assert_int_equal(setenv("PLAN3D_LANG", "zh", 1), 0);
    run("fit 70B 64xA800", text, sizeof(text));
    assert_true(strncmp(text, "放得下", strlen("放得下")) == 0);
    run("fit 70B 64xA800 --lang en", text, sizeof(text));
    assert_true(strncmp(text, "FITS", 4) == 0);
    assert_int_equal(setenv("PLAN3D_LANG", "fr", 1), 0);
    run("fit 70B 64xA800 2>&1", text, sizeof(text));
    assert_non_null(strstr(text, "PLAN3D_LANG: unknown language 'fr'"));
    assert_int_equal(unsetenv("PLAN3D_LANG"), 0);
    assert_int_equal(setenv("LANG", "zh_CN.UTF-8", 1), 0);
    run("fit 70B 64xA800", text, sizeof(text));
    assert_true(strncmp(text, "FITS", 4) == 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_translation_takes_the_same_arguments),
            cmocka_unit_test(a_sentence_has_as_many_parts),
            cmocka_unit_test(each_word_has_a_translation),
            cmocka_unit_test(each_translation_is_used),
            cmocka_unit_test(no_word_is_translated_twice),
            cmocka_unit_test(sentences_of_other_rooms_are_recognised),
            cmocka_unit_test(answers_in_chinese_have_no_english),
            cmocka_unit_test(a_page_in_chinese_is_in_chinese),
            cmocka_unit_test(what_is_asked_decides_the_language),
            cmocka_unit_test(errors_are_in_the_language_too),
            cmocka_unit_test(the_environment_names_a_language),
    };

    assert_true(argc > 0);
    self = argv[0];
    return cmocka_run_group_tests_name(
            "words", tests, read_sources, free_sources);
}
