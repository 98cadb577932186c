/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.c - reads the command line of plan3d-bench, and prints its help. */
#include "bench/host/args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "bench/host/ranks.h"
#include "plan3d/measurements.h"
#include "json/options.h"

/* Sets of commands that have an option. */
#define OF(c) (1u << BENCH_##c)
enum {
    ALL = (1 << BENCH_N_COMMANDS) - 1,
    PRODUCTS = OF(GEMM) | OF(ATTENTION) | OF(OVERLAP) | OF(QUICK),
    PLANS = ALL,
    RANKS = OF(GEMM) | OF(NCCL) | OF(OVERLAP) | OF(CAPACITY) | OF(QUICK),
    SIZES = OF(MEMORY) | OF(NCCL) | OF(OVERLAP) | OF(QUICK)
};

/* "bf16,fp8" as a bit set. */
static bool read_numbers(const char *text, void *to, p3d_error *err)
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
                    "'%.*s' is unknown; write some of "
                    "bf16,fp16,fp8,tf32,fp32",
                    n < 40 ? (int)n : 40, word);
        set |= 1u << i;
        word += n + (word[n] == ',');
    }
    if (set == 0)
        return p3d_fail(err, P3D_USAGE, "no type; write bf16");
    memcpy(to, &set, sizeof(set));
    return true;
}

/* clang-format off */
#define AT(f, T)                                                               \
    (offsetof(bench_args, f) +                                                 \
     0 * sizeof(char[_Generic(((bench_args *)0)->f, T : 1, default : -1)]))
#define ROW(f, T, what, word)                                                  \
    .field.type = (what), .field.offset = AT(f, T), .value = (word)
#define COUNT_ROW(f, low, high)                                                \
    ROW(f, int64_t, JSON_INT64, "N"), .field.min = (low), .field.max = (high)
#define BYTES_ROW(f)                                                           \
    ROW(f, int64_t, JSON_IN(INT64, BYTES), "SIZE"), .field.max = HUGE_VAL
#define SECONDS_ROW(f)                                                         \
    ROW(f, double, JSON_IN(DOUBLE, SECONDS), "TIME"), .field.max = HUGE_VAL
#define FILE_ROW(f)  ROW(f, const char *, JSON_TEXT, "FILE")
#define FLAG_ROW(f)  ROW(f, _Bool, JSON_BOOL, NULL)

static const json_option rows[] = {
    {JSON_OPTION("output", "write there and not to standard output"),
     .letter = 'o', .commands = ALL, FILE_ROW(output)},
    {JSON_OPTION("force", "replace the output file if it exists"),
     .commands = ALL, FLAG_ROW(force)},
    {JSON_OPTION("request", "measure what 'plan3d shapes ... --json' listed"),
     .commands = PLANS, FILE_ROW(request)},
    {JSON_OPTION("device", "CUDA device; default: the local rank's"),
     .commands = ALL, COUNT_ROW(device, 0, 1023)},
    {JSON_OPTION("samples", "timed samples of each row; default 30"),
     .commands = ALL & ~OF(CAPACITY), COUNT_ROW(n_samples, 3, 10000)},
    {JSON_OPTION("warmup", "runs before the samples; default 10"),
     .commands = ALL & ~OF(CAPACITY), COUNT_ROW(n_warmup, 1, 10000)},
    {JSON_OPTION("dtype",
         "of bf16,fp16,fp8,tf32,fp32; default bf16; fp8 from sm_89 on"),
     .commands = PRODUCTS,
     ROW(numbers, unsigned, JSON_READ_BY(read_numbers), "LIST")},
    {JSON_OPTION("points",
         "shapes of the space-filling set; default 48, with --request 0"),
     .commands = OF(GEMM) | OF(QUICK), COUNT_ROW(n_points, 0, 100000)},
    {JSON_OPTION("budget",
         "begin no further part after this time; default 10min"),
     .commands = OF(QUICK), SECONDS_ROW(budget_s)},
    {JSON_OPTION("resume",
         "go on with an output file that is not whole: its last part is "
         "measured anew, then what is missing"), .commands = OF(QUICK),
     FLAG_ROW(resume)},
    {JSON_OPTION("sustain",
         "also run the largest products for so long each (30s): the rate "
         "under the power limit"), .commands = OF(GEMM) | OF(QUICK),
     SECONDS_ROW(sustain_s)},
    {JSON_OPTION("min", "smallest buffer; default 64KiB"), .commands = SIZES,
     BYTES_ROW(min_bytes)},
    {JSON_OPTION("max", "largest buffer; default 1GiB"), .commands = SIZES,
     BYTES_ROW(max_bytes)},
    {JSON_OPTION("threads", "of the host's passes; default: one a processor"),
     .commands = OF(MEMORY) | OF(QUICK), COUNT_ROW(n_threads, 1, 4096)},
    {JSON_OPTION("gpus",
         "start one process for each of N GPUs of this node, without a "
         "launcher"), .commands = RANKS, COUNT_ROW(n_gpus, 1, 1024)},
    {JSON_OPTION("rendezvous",
         "of auto,mpi,nccl,sockets: how ranks meet; default auto, the first "
         "that is there"), .commands = RANKS,
     ROW(rendezvous, int, JSON_WORD_BY(bench_rendezvous_word), "WAY")},
    {JSON_OPTION("timeout", "to wait for the other ranks; default 120s"),
     .commands = RANKS, SECONDS_ROW(timeout_s)},
    {JSON_OPTION("help", "print this help"), .letter = 'h', .commands = ALL,
     FLAG_ROW(help)},
};

static const json_option_table table = {rows, P3D_COUNT_OF(rows)};

static const struct {
    const char *word;
    const char *doc;
} commands[BENCH_N_COMMANDS] = {
    [BENCH_GEMM] = {"gemm", "GEMMs by cuBLASLt: a space-filling set "
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
    [BENCH_QUICK] = {"quick", "all of these into one file, what says most "
        "first: what 'plan3d calibrate' needs, within --budget"},
};
/* clang-format on */

static const bench_args defaults = {.device = -1,
        .n_samples = 30,
        .n_warmup = 10,
        .n_points = -1,
        .min_bytes = 65536,
        .max_bytes = 1073741824,
        .timeout_s = 120,
        .budget_s = 600,
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
    return p3d_fail(err, P3D_USAGE, "unknown command '%.60s'%s", word,
            p3d_did_you_mean(&nearest,
                    "; write quick, gemm, attention, memory, nccl, overlap or "
                    "capacity"));
}

static bool fail_unknown(const json_option_line *line, const char *argument,
        const char *command, p3d_error *err)
{
    p3d_nearest nearest = {.word = argument + strspn(argument, "-")};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (json_option_has(line, &rows[i]))
            p3d_nearest_offer(&nearest, rows[i].field.key);
    if (nearest.best[0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "%s has no option '%.60s'; did you mean '--%s'?", command,
                argument, nearest.best);
    return p3d_fail(
            err, P3D_USAGE, "%s has no option '%.60s'", command, argument);
}

static bool fail_option(const json_option_line *line, json_option_fault fault,
        const json_option *option, const char *argument, p3d_error *err)
{
    const bench_args *const args = line->args;

    if (fault == JSON_OPTION_UNKNOWN)
        return fail_unknown(line, argument, commands[args->command].word, err);
    if (fault == JSON_OPTION_NO_VALUE)
        return p3d_fail(
                err, P3D_USAGE, "--%s takes no value", option->field.key);
    return p3d_fail(err, P3D_USAGE, "--%s %s is missing", option->field.key,
            option->value);
}

static bool refuse_word(void *args, const char *argument, p3d_error *err)
{
    (void)args;
    return p3d_fail(err, P3D_USAGE, "one argument too many: '%.60s'", argument);
}

/* Behind the command's name. */
static bool read_options(
        int argc, const char *const *argv, bench_args *out, p3d_error *err)
{
    json_option_line line = {.table = table,
            .commands = 1u << out->command,
            .argc = argc,
            .argv = argv,
            .skip = 0,
            .args = out,
            .fail = fail_option,
            .take = refuse_word};

    return json_option_line_read(&line, err);
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
    if (args->resume && args->output == NULL)
        return p3d_fail(
                err, P3D_USAGE, "--resume: which file? write it with -o FILE");
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
    if (!read_options(argc, argv, &got, err))
        return false;
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
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const json_option *const o = &rows[i];
        char letter[8] = "";
        char left[64];

        if ((o->commands >> command & 1) == 0)
            continue;
        if (o->letter != 0)
            snprintf(letter, sizeof(letter), "-%c, ", o->letter);
        snprintf(left, sizeof(left), "%s--%s%s%s", letter, o->field.key,
                o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
        print_row(left, o->field.doc, out);
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
