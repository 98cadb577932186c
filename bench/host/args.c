/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.c - reads the command line of plan3d-bench, and prints its help. */
#include "bench/host/args.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "base/util.h"
#include "plan3d/measurements.h"
#include "plan3d/units.h"

typedef enum kind { FLAG, TEXT, COUNT, BYTES, SECONDS, NUMBERS } kind;

/* Sets of commands that have an option. */
#define OF(c) (1u << BENCH_##c)
enum {
    ALL = (1 << BENCH_N_COMMANDS) - 1,
    PRODUCTS = OF(GEMM) | OF(ATTENTION) | OF(OVERLAP),
    PLANS = OF(GEMM) | OF(ATTENTION) | OF(MEMORY) | OF(NCCL) | OF(OVERLAP) |
            OF(CAPACITY),
    RANKS = OF(NCCL) | OF(OVERLAP),
    SIZES = OF(MEMORY) | OF(NCCL) | OF(OVERLAP)
};

typedef struct option {
    const char *name;
    char letter;
    kind kind;
    unsigned commands;
    size_t offset;
    const char *value; /* its word in the help */
    const char *doc;
    double min, max;
} option;

/* clang-format off */
#define AT(f) offsetof(bench_args, f)
static const option options[] = {
    {"output", 'o', TEXT, ALL, AT(output), "FILE",
     "write there and not to standard output", 0, 0},
    {"force", 0, FLAG, ALL, AT(force), NULL,
     "replace the output file if it exists", 0, 0},
    {"request", 0, TEXT, PLANS, AT(request), "FILE",
     "measure what 'plan3d shapes ... --json' listed", 0, 0},
    {"device", 0, COUNT, ALL, AT(device), "N",
     "CUDA device; default: the local rank's", 0, 1023},
    {"samples", 0, COUNT, ALL & ~OF(CAPACITY), AT(n_samples), "N",
     "timed samples of each row; default 30", 3, 10000},
    {"warmup", 0, COUNT, ALL & ~OF(CAPACITY), AT(n_warmup), "N",
     "runs before the samples; default 10", 1, 10000},
    {"dtype", 0, NUMBERS, PRODUCTS, AT(numbers), "LIST",
     "of bf16,fp16,fp8,tf32,fp32; default bf16; fp8 from sm_89 on", 0, 0},
    {"points", 0, COUNT, OF(GEMM), AT(n_points), "N",
     "shapes of the space-filling set; default 48, with --request 0",
     0, 100000},
    {"sustain", 0, SECONDS, OF(GEMM), AT(sustain_s), "TIME",
     "also run the largest products for so long each (30s): the rate under "
     "the power limit", 0, 0},
    {"min", 0, BYTES, SIZES, AT(min_bytes), "SIZE",
     "smallest buffer; default 64KiB", 1, 0},
    {"max", 0, BYTES, SIZES, AT(max_bytes), "SIZE",
     "largest buffer; default 1GiB", 1, 0},
    {"threads", 0, COUNT, OF(MEMORY), AT(n_threads), "N",
     "of the host's passes; default: one a processor", 1, 4096},
    {"gpus", 0, COUNT, RANKS, AT(n_gpus), "N",
     "start one process for each of N GPUs of this node, without a launcher",
     1, 1024},
    {"timeout", 0, SECONDS, RANKS, AT(timeout_s), "TIME",
     "to wait for the other ranks; default 120s", 0, 0},
    {"help", 'h', FLAG, ALL, AT(help), NULL, "print this help", 0, 0},
};

static const struct {
    const char *word;
    const char *doc;
} commands[BENCH_N_COMMANDS] = {
    [BENCH_GEMM] = {"gemm", "matrix products by cuBLASLt: a space-filling set "
        "of shapes, or those of a plan"},
    [BENCH_ATTENTION] = {"attention", "attention forward and backward, by "
        "cuDNN's fused kernel or from products and a softmax"},
    [BENCH_MEMORY] = {"memory", "memory-bound kernels, copies from and to the "
        "host, passes over host memory"},
    [BENCH_NCCL] = {"nccl", "collectives over sizes, and over the groups of a "
        "plan; one process a GPU, by --gpus, srun, mpirun or torchrun"},
    [BENCH_OVERLAP] = {"overlap", "a product beside a collective or a copy"},
    [BENCH_CAPACITY] = {"capacity", "what the device holds; whether the "
        "tensors of a plan at its peak fit"},
};
/* clang-format on */

static const bench_args defaults = {.device = -1,
        .n_samples = 30,
        .n_warmup = 10,
        .n_points = -1,
        .min_bytes = 65536,
        .max_bytes = 1073741824,
        .timeout_s = 120,
        .numbers = 1u << P3D_NUMBER_BF16};

static bool find_command(const char *word, bench_command *out, p3d_error *err)
{
    p3d_nearest nearest = {.word = word};

    for (int i = 0; i < BENCH_N_COMMANDS; i++) {
        if (strcmp(commands[i].word, word) == 0) {
            *out = (bench_command)i;
            return true;
        }
        p3d_nearest_offer(&nearest, commands[i].word);
    }
    if (nearest.best[0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "unknown command '%.60s'; did you mean '%s'?", word,
                nearest.best);
    return p3d_fail(err, P3D_USAGE,
            "unknown command '%.60s'; write gemm, attention, memory, nccl, "
            "overlap or capacity",
            word);
}

/* Of "--seq=4" and "--seq" the option; NULL when there is none. */
static const option *find_option(const char *argument)
{
    for (int i = 0; i < P3D_COUNT_OF(options); i++) {
        const option *const o = &options[i];
        const size_t n = strlen(o->name);

        if (argument[1] == o->letter && o->letter != 0 && argument[2] == '\0')
            return o;
        if (strncmp(argument, "--", 2) == 0 &&
                strncmp(argument + 2, o->name, n) == 0 &&
                (argument[2 + n] == '\0' || argument[2 + n] == '='))
            return o;
    }
    return NULL;
}

static bool fail_option(
        const char *argument, bench_command command, p3d_error *err)
{
    p3d_nearest nearest = {.word = argument + strspn(argument, "-")};

    for (int i = 0; i < P3D_COUNT_OF(options); i++)
        if ((options[i].commands >> command & 1) != 0)
            p3d_nearest_offer(&nearest, options[i].name);
    if (nearest.best[0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "%s has no option '%.60s'; did you mean '--%s'?",
                commands[command].word, argument, nearest.best);
    return p3d_fail(err, P3D_USAGE, "%s has no option '%.60s'",
            commands[command].word, argument);
}

/* "bf16,fp8" as a bit set. */
static bool read_numbers(const char *text, unsigned *out, p3d_error *err)
{
    unsigned set = 0;

    for (const char *word = text; *word != '\0';) {
        const size_t n = strcspn(word, ",");
        int i = 0;

        while (i < P3D_N_NUMBERS &&
                (strlen(p3d_number_words[i]) != n ||
                        strncmp(p3d_number_words[i], word, n) != 0))
            i++;
        if (i == P3D_N_NUMBERS)
            return p3d_fail(err, P3D_USAGE,
                    "--dtype: '%.*s' is unknown; write some of "
                    "bf16,fp16,fp8,tf32,fp32",
                    n < 40 ? (int)n : 40, word);
        set |= 1u << i;
        word += n + (word[n] == ',');
    }
    if (set == 0)
        return p3d_fail(err, P3D_USAGE, "--dtype: no type; write bf16");
    *out = set;
    return true;
}

static bool read_value(
        const option *o, const char *text, bench_args *out, p3d_error *err)
{
    char *const to = (char *)out + o->offset;
    p3d_error cause = {0};
    bool ok = false;

    switch (o->kind) {
    case FLAG: *(bool *)to = true; return true;
    case TEXT: memcpy(to, &text, sizeof(text)); return true;
    case NUMBERS: return read_numbers(text, &out->numbers, err);
    case COUNT:
        ok = p3d_parse_count(text, (int64_t)o->min, (int64_t)o->max,
                (int64_t *)(void *)to, &cause);
        break;
    case BYTES:
        ok = p3d_parse_bytes(text, (int64_t *)(void *)to, &cause);
        break;
    case SECONDS:
        ok = p3d_parse_seconds(text, (double *)(void *)to, &cause);
        break;
    }
    return ok || p3d_fail(err, P3D_USAGE, "--%s: %s", o->name, cause.text);
}

/* One option with its value; *i moves past what was used. */
static bool read_option(int argc, const char *const *argv, int *i,
        bench_args *out, p3d_error *err)
{
    const char *const argument = argv[(*i)++];
    const option *const o = find_option(argument);
    const char *value = strchr(argument, '=');

    if (o == NULL || (o->commands >> out->command & 1) == 0)
        return fail_option(argument, out->command, err);
    if (o->kind == FLAG && value != NULL)
        return p3d_fail(err, P3D_USAGE, "--%s takes no value", o->name);
    if (o->kind != FLAG && value == NULL) {
        if (*i == argc)
            return p3d_fail(
                    err, P3D_USAGE, "--%s %s is missing", o->name, o->value);
        value = argv[(*i)++];
    } else if (value != NULL) {
        value++;
    }
    return read_value(o, value, out, err);
}

static bool check(const bench_args *args, p3d_error *err)
{
    const int64_t most = (int64_t)1 << 40;

    if (args->min_bytes < 4 || args->max_bytes > most)
        return p3d_fail(err, P3D_USAGE, "--min and --max: from 4B to 1TiB");
    if (args->command == BENCH_ATTENTION &&
            (args->numbers >> P3D_NUMBER_FP8 & 1) != 0)
        return p3d_fail(
                err, P3D_USAGE, "--dtype: attention is not measured in fp8");
    if (args->min_bytes > args->max_bytes)
        return p3d_fail(err, P3D_USAGE, "--min is above --max");
    return true;
}

bool bench_args_parse(
        int argc, const char *const *argv, bench_args *out, p3d_error *err)
{
    bench_args got = defaults;

    if (argc == 0)
        return p3d_fail(err, P3D_USAGE,
                "no command; write for example 'plan3d-bench gemm -o "
                "gemm.json'");
    got.help = strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0 ||
               strcmp(argv[0], "-h") == 0;
    got.version = strcmp(argv[0], "version") == 0 ||
                  strcmp(argv[0], "--version") == 0;
    if (got.help || got.version) {
        got.command = BENCH_N_COMMANDS;
        if (argc > 1 && !find_command(argv[1], &got.command, err))
            return false;
        *out = got;
        return true;
    }
    if (!find_command(argv[0], &got.command, err))
        return false;
    for (int i = 1; i < argc;) {
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return p3d_fail(
                    err, P3D_USAGE, "one argument too many: '%.60s'", argv[i]);
        if (!read_option(argc, argv, &i, &got, err))
            return false;
    }
    if (got.n_points < 0)
        got.n_points = got.request != NULL ? 0 : 48;
    if (!check(&got, err))
        return false;
    *out = got;
    return true;
}

static void print_row(const char *left, const char *doc, p3d_text *out)
{
    enum { LEFT = 22, WIDTH = 79 };
    int column = LEFT;

    p3d_text_add(out, "  %-*s", LEFT - 2, left);
    for (const char *word = doc; *word != '\0';) {
        const int n = (int)strcspn(word, " ");

        if (column + 1 + n > WIDTH) {
            p3d_text_add(out, "\n%*s", LEFT, "");
            column = LEFT;
        }
        p3d_text_add(out, "%s%.*s", column > LEFT ? " " : "", n, word);
        column += n + (column > LEFT);
        word += n + (word[n] == ' ');
    }
    p3d_text_add(out, "\n");
}

static void print_options(bench_command command, p3d_text *out)
{
    p3d_text_add(out, "\noptions:\n");
    for (int i = 0; i < P3D_COUNT_OF(options); i++) {
        const option *const o = &options[i];
        char letter[8] = "";
        char left[64];

        if ((o->commands >> command & 1) == 0)
            continue;
        if (o->letter != 0)
            snprintf(letter, sizeof(letter), "-%c, ", o->letter);
        snprintf(left, sizeof(left), "%s--%s%s%s", letter, o->name,
                o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
        print_row(left, o->doc, out);
    }
}

void bench_print_help(const bench_args *args, p3d_text *out)
{
    if (args->command != BENCH_N_COMMANDS) {
        p3d_text_add(out, "usage: plan3d-bench %s [options]\n\n",
                commands[args->command].word);
        print_row(
                commands[args->command].word, commands[args->command].doc, out);
        print_options(args->command, out);
    } else {
        p3d_text_add(out,
                "usage: plan3d-bench COMMAND [options]\n\n"
                "Measures this machine and writes a file of measurements "
                "(JSON).\n\ncommands:\n");
        for (int i = 0; i < BENCH_N_COMMANDS; i++)
            print_row(commands[i].word, commands[i].doc, out);
        p3d_text_add(out, "\n'plan3d-bench help COMMAND' has its options.\n");
    }
    p3d_text_add(out, "\nexit status:\n");
#define P3D_AS_LINE(name, status, meaning) \
    if (status != 1)                       \
        p3d_text_add(out, "  %d  %s\n", status, meaning);
    P3D_CODES(P3D_AS_LINE)
#undef P3D_AS_LINE
}

void bench_print_command(
        int argc, const char *const *argv, char *buffer, size_t n)
{
    p3d_text line = {0};

    p3d_text_add(&line, "plan3d-bench");
    for (int i = 1; i < argc; i++)
        p3d_text_add(&line, " %s", argv[i]);
    p3d_show(buffer, n, p3d_text_get(&line));
    p3d_text_free(&line);
}
