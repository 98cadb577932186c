/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_chinese.c - answers in Chinese have no English in them, and are asked
 * for by an option, the environment or the question. */
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/utf8.h"
#include "base/util.h"
#include "plan3d/plan.h"

enum { LITERAL = 1024, COLUMNS = 98, MAX_OUTPUT = 256 * 1024, PATH = 4096 };

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

static bool is_word(const char *of, const char *word, size_t n)
{
    return of != NULL && strlen(of) == n && strncmp(of, word, n) == 0;
}

/* Words of values of a plan. */
static bool is_of_plan(const char *word, size_t n)
{
    static const char *const words[] = {
#define AS_WORD(type, pin, member, word, kind, least, most, free, doc) word,
            P3D_PLAN_FIELDS(AS_WORD)
#undef AS_WORD
#define AS_OFF(member, off, title, needs, usual) off,
                    P3D_PLAN_FLAGS(AS_OFF)
#undef AS_OFF
    };

    for (int i = 0; i < P3D_COUNT_OF(words); i++)
        if (is_word(words[i], word, n))
            return true;
    return false;
}

/* English that Chinese engineers write, and units. */
static bool is_usual(const char *word, size_t n)
{
    static const char *const usual[] = {"ms", "us", "s", "kW", "kWh", "MWh",
            "GPU", "CPU", "GPUs", "LoRA", "QLoRA", "lora", "r", "base", "nf4",
            "GiB", "GB", "MB", "MiB", "KiB", "B", "M", "T", "K", "Mi", "token",
            "Stage", "tokens", "stage", "rank", "kernel", "dropout", "profile",
            "MFU", "HFU", "FLOPs", "TFLOP", "TP", "PP", "VP", "DP", "CP", "EP",
            "ETP", "SP", "Z", "A", "B", "mb", "tok", "NVLink", "NVMe", "NCCL",
            "CUDA", "MLP", "MoE", "QKV", "KV", "PUE", "USD", "Young", "Daly",
            "Llama", "nccl-tests", "plan3d", "fit", "plan", "advise", "report",
            "estimate", "explain", "shapes", "sweep", "adam", "flash", "cudnn",
            "gemm", "memory", "attention", "nccl", "overlap", "none",
            "selective", "optimizer", "full", "uniform", "layernorm", "mlp",
            "sp", "nosp", "uneven", "parallel", "vocab-parallel", "torchtitan",
            "megatron-core", "deepspeed", "any", "on", "off", "interleaved",
            "FSDP", "ZeRO", "torchtune", "nanotron", "ddp", "internevo",
            "generic", "bf16", "cuBLAS", "Transformer", "Engine", "Adam",
            "AdamW", "query", "key", "value", "csv", "logits", "HBM",
            "NVSwitch", "NIC", "all-reduce", "all-gather", "wise", "efa",
            "activations", "parameters", "ethernet", "infiniband", "roce",
            "softmax", "autograd", "DeepEP", "HybridEP", "forward", "dgrad",
            "wgrad", "dbrx", "tp", "cp", "ep", "pp", "shard", "zh"};

    for (int i = 0; i < P3D_COUNT_OF(usual); i++)
        if (is_word(usual[i], word, n))
            return true;
    return is_of_plan(word, n);
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

/* A Chinese character begins with one of these bytes of UTF-8. */
static bool is_han(const char *at)
{
    const unsigned char byte = (unsigned char)*at;

    return byte >= 0xe4 && byte <= 0xe9;
}

/* The character before, and that behind, blanks aside, of three bytes. */
static bool is_behind_han(const char *line, const char *at)
{
    while (at > line && at[-1] == ' ')
        at--;
    return at >= line + 3 && is_han(at - 3);
}

/* Commas, colons, semicolons and brackets beside Chinese are as wide as it is;
 * large amounts are counted as Chinese does. */
static void check_marks(const char *line)
{
    for (const char *at = line; *at != '\0'; at++)
        if (strchr(",:;()", *at) != NULL &&
                (is_behind_han(line, at) ||
                        is_han(at + 1 + strspn(at + 1, " "))))
            fail_msg("'%c' in: %s", *at, line);
    for (const char *at = line; (at = strchr(at, ' ')) != NULL; at++)
        if (at >= line + 3 && is_han(at - 3) && is_han(at + 1) && at[-4] != ' ')
            fail_msg("a blank within Chinese: %s", line);
    for (const char *at = line; (at = strstr(at, "美元")) != NULL; at++)
        if (at >= line + 2 && strchr("MB", at[-2]) != NULL && at[-1] == ' ')
            fail_msg("millions of dollars in: %s", line);
}

/* Words are what stands between blanks, brackets and Chinese. */
static void check_line(const char *line)
{
    static const char between[] = " ,;()[]\"#";
    const char *at = line;

    check_marks(line);

    while (*at != '\0') {
        size_t n = 0;

        while (at[n] > 0 && strchr(between, at[n]) == NULL)
            n++;
        /* A line of explain why that begins with a word of a plan. */
        if (at != line || strncmp(at + n, "：", strlen("：")) != 0)
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
            ("sweep 70B H100 --tokens 1T --deadline 120d --max-gpus 128 "
             "--price 2 --lang zh"),
            "sweep 8B 8..64xA800 --lang zh", "advise 70B 64xA800 --lang zh",
            "advise 70B 8xA800 --lang zh", "explain 70B 64xA800 why --lang zh",
            "explain 70B 64xA800 memory --lang zh | sed /出处：$/q",
            "explain deepseek-v3 512xH100 memory --lang zh | sed /出处：$/q",
            "shapes mixtral-8x7b 64xA800 --lang zh",
            "explain 70B 64xA800 error --lang zh",
            "explain 70B 64xA800 sensitivity --draws 100 --lang zh",
            "explain 70B 64xA800 --compare tp=8 --lang zh",
            "explain 70B 64xA800 why --not tp=8 --lang zh",
            "explain 70B 8xA800 why --lang zh", "list models --lang zh",
            "list gpus --lang zh", "list nodes --lang zh",
            /* titles of frameworks and sources of constants are names */
            "list fabrics --lang zh", "70B模型2T token用512张H100要多久"};
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
            {"fit 70B 64xA800 --dtype fp9 --lang=zh",
                    "--dtype：没有“fp9”这个词；是不是“fp8”？"},
            {"estimate 70B 64xA800 --plan tp=16,ep=2 --lang zh",
                    "方案 tp=16,ep=2 不合法：ep=2：模型没有专家；试试 ep=1"},
            {"用64张昇腾训练70B", "看不懂“昇腾”：见“plan3d list gpus”"},
            {"70B用8张H100, 预算100万", "看不懂“预算”；请写成美元，例如“$1M”"},
            {"需要多少台4卡A100训练13B", "A100 的节点有 8 个 GPU，不是 4 个；"},
            {"不用fp8，64张H100训练70B", "问题否定了某个设置或集群；"},
            {"sweep 70B 64xH100 --budget 1M --tokens 1T --lang zh",
                    "--budget 需要每 GPU 时的价格；请加上 --price 2"},
            {"fit 70B --lang zh", "缺少 CLUSTER（见“plan3d fit --help”）"},
            {"fit 70B 64xA800 --pin tp=3 --lang zh",
                    "没有合法的方案：tp=3 x pp=1 x cp=1 x dp=1 不整除 64"},
            {"fit 70B 64xA800 --pin zero=3,pp=4 --lang zh",
                    "没有合法的方案：zero=3：megatron-core "
                    "与流水线同用时不支持；"
                    "试试 zero=0 或 1"},
            {"fit 7B 8xA100 --attention flash3 --lang zh",
                    "FlashAttention-3 需要 sm90；A100-SXM4-80GB 是 sm80；试试"},
            {"fit nosuch.json 64xA800 --lang zh", "nosuch.json: 没有这个文件"},
            {"plan 70B 64xA800 --top x --lang zh", "--top：“x”不是数；例如 64"},
            {"fit 70B 63xA800 --lang zh",
                    "63 个 GPU 填不满每节点 8 个的节点；"},
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
            cmocka_unit_test(answers_in_chinese_have_no_english),
            cmocka_unit_test(a_page_in_chinese_is_in_chinese),
            cmocka_unit_test(what_is_asked_decides_the_language),
            cmocka_unit_test(errors_are_in_the_language_too),
            cmocka_unit_test(the_environment_names_a_language),
    };

    assert_true(argc > 0);
    self = argv[0];
    return cmocka_run_group_tests_name("chinese", tests, NULL, NULL);
}
