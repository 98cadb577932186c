/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_args.c - the command line of plan3d-bench. */
#include "test.h"

#include <string.h>

#include "base/util.h"
#include "bench/host/args.h"
#include "bench/host/ranks.h"
#include "plan3d/measurements.h"

enum { MAX_WORDS = 12 };

static bool parse(const char *line, bench_args *out, p3d_error *err)
{
    static char words[256];
    const char *argv[MAX_WORDS];
    int n = 0;

    assert_true(p3d_copy(words, sizeof(words), line));
    for (char *at = words; *at != '\0';) {
        argv[n++] = at;
        at += strcspn(at, " ");
        if (*at == ' ')
            *at++ = '\0';
    }
    return bench_args_parse(n, argv, out, err);
}

static void what_is_not_given_has_its_default(void **state)
{
    bench_args args = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(parse("gemm", &args, &err));
    assert_int_equal(args.command, BENCH_GEMM);
    assert_int_equal(args.device, -1);
    assert_int_equal(args.n_samples, 30);
    assert_int_equal(args.n_points, 48);
    assert_int_equal(args.numbers, 1u << P3D_NUMBER_BF16);
    assert_null(args.output);
    assert_true(parse("gemm --request x.json", &args, &err));
    assert_int_equal(args.n_points, 0);
}

static void options_are_read_in_both_forms(void **state)
{
    bench_args args = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(parse("gemm -o a.json --force --dtype=bf16,fp8 --sustain 30s "
                      "--points 5",
            &args, &err));
    assert_string_equal(args.output, "a.json");
    assert_true(args.force);
    assert_int_equal(
            args.numbers, 1u << P3D_NUMBER_BF16 | 1u << P3D_NUMBER_FP8);
    assert_true(args.sustain_s == 30);
    assert_int_equal(args.n_points, 5);
    assert_true(parse(
            "nccl --gpus=8 --min 1KiB --max=2MiB --timeout 5s", &args, &err));
    assert_int_equal(args.n_gpus, 8);
    assert_int_equal(args.min_bytes, 1024);
    assert_int_equal(args.max_bytes, 2097152);
    assert_true(args.timeout_s == 5);
    assert_int_equal(args.rendezvous, BENCH_MEET_AUTO);
    assert_true(parse("gemm --rendezvous nccl", &args, &err));
    assert_int_equal(args.rendezvous, BENCH_MEET_NCCL);
    assert_true(parse("help memory", &args, &err));
    assert_true(args.help && args.command == BENCH_MEMORY);
}

static void wrong_lines_are_refused(void **state)
{
    static const struct {
        const char *line;
        const char *words;
    } cases[] = {
            {"", "no command"},
            {"gem", "did you mean 'gemm'"},
            {"x", "unknown command 'x'; write quick"},
            {"gemm --sample 3", "did you mean '--samples'"},
            {"memory --gpus 3", "memory has no option '--gpus'"},
            {"gemm more", "one argument too many: 'more'"},
            {"gemm --samples", "--samples N is missing"},
            {"gemm --samples 2", "--samples: "},
            {"gemm --samples x", "--samples: "},
            {"gemm --force=1", "--force takes no value"},
            {"gemm --dtype int8", "'int8' is unknown"},
            {"gemm --dtype bf16,", NULL},
            {"gemm --dtype ,", "'' is unknown"},
            {"gemm --dtype "
             "0123456789012345678901234567890123456789012345678901234567890",
                    "'0123456789012345678901234567890123456789' is unknown"},
            {"gemm --dtype=", "--dtype: no type; write bf16"},
            {"gemm --sustain 30", "--sustain: "},
            {"nccl --max 80G", "--max: "},
            {"nccl --min 2MiB --max 1MiB", "--min is above --max"},
            {"nccl --max 2TiB", "from 4B to 1TiB"},
            {"nccl --min 0B", "from 4B to 1TiB"},
            {"nccl --gpus 0", "--gpus: "},
            {"nccl --rendezvous ncl", "did you mean 'nccl'"},
            {"memory --rendezvous nccl", "no option '--rendezvous'"},
            {"attention --dtype bf16,fp8", "not measured in fp8"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        bench_args args = {.n_samples = 7};
        p3d_error err = {0};
        const bool ok = parse(cases[i].line, &args, &err);

        assert_int_equal(ok, cases[i].words == NULL);
        if (ok)
            continue;
        test_check_error(&err, P3D_USAGE, cases[i].words);
        assert_int_equal(args.n_samples, 7);
    }
}

/* Each command's help names its options and no other, within 80 columns. */
static void the_help_is_that_of_the_command(void **state)
{
    (void)state;
    for (int i = 0; i <= BENCH_N_COMMANDS; i++) {
        const bench_args args = {.command = (bench_command)i};
        p3d_text text = {0};

        bench_print_help(&args, &text);
        assert_int_equal(strstr(p3d_text_get(&text), "--gpus") != NULL,
                i != BENCH_ATTENTION && i != BENCH_MEMORY);
        assert_non_null(strstr(p3d_text_get(&text), "  5  no usable"));
        for (const char *line = p3d_text_get(&text); *line != '\0';) {
            const size_t n = strcspn(line, "\n");

            assert_true(n < 80);
            line += n + (line[n] == '\n');
        }
        p3d_text_free(&text);
    }
}

static void the_command_line_is_kept_and_cut(void **state)
{
    const char *const argv[] = {"/usr/bin/plan3d-bench", "gemm", "-o", "x"};
    char buffer[64];

    (void)state;
    bench_print_command(4, argv, buffer, sizeof(buffer));
    assert_string_equal(buffer, "plan3d-bench gemm -o x");
    bench_print_command(4, argv, buffer, 16);
    assert_string_equal(buffer, "plan3d-bench...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_is_not_given_has_its_default),
            cmocka_unit_test(options_are_read_in_both_forms),
            cmocka_unit_test(wrong_lines_are_refused),
            cmocka_unit_test(the_help_is_that_of_the_command),
            cmocka_unit_test(the_command_line_is_kept_and_cut),
    };

    return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
