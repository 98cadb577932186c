/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_read.c - what the readers make of files. */
#include "reading.h"

#include <stdio.h>

#include "base/util.h"

static void says(const char *name, const char *value)
{
    const exchange_setting *const found =
            exchange_settings_find(&settings, name, false);

    if (found == NULL)
        fail_msg("'%s' is not said", name);
    if (value == NULL)
        assert_null(found->value);
    else
        assert_string_equal(found->value, value);
}

static void refuses(const char *path, const char *text, const char *words)
{
    p3d_error err = {0};

    assert_false(exchange_read_text((exchange_text){path, text, strlen(text)},
            &settings, &measured, &err));
    test_check_error(&err, P3D_DATA, words);
}

static void scripts_follow_variables_arrays_and_sums(void **state)
{
    (void)state;
    read_as("a.sh", "TP=4 # four\n"
                    "PP=${PP:-2}\n"
                    "DP=${DP:-$TP}\n"
                    "N=$(( (TP + 4) * PP / 2 % 5 ))\n"
                    "A=(--tp $TP '--pp' \"$PP\" # comment\n --flag)\n"
                    "A+=(--dp ${DP})\n"
                    "S=\"--n $N --list a b\"\n"
                    "torchrun prog ${A[@]} $S --quoted=\"x y\" \\\n"
                    "  --undefined $NOBODY --command $(date +%s) | tee log\n");
    says("tp", "4");
    says("pp", "2");
    says("flag", NULL);
    says("dp", "4");
    says("n", "3");
    says("list", "a b");
    says("quoted", "x y");
    says("undefined", "$NOBODY");
    says("command", "$(date +%s)");
}

static void words_in_braces_stand_for_what_is_missing(void **state)
{
    (void)state;
    read_as("a.sh", ": \"${MBS:=2}\"\n"
                    "if [ 1 = 2 ]; then : ${PP:=8}; fi\n"
                    "SET=1 EMPTY=\"\"\n"
                    "prog --mbs $MBS --pp ${PP-4} --a ${SET:+x} \\\n"
                    "  --b \"${NOT+y}\" --c ${EMPTY:-z} --d ${SET=w}\n");
    says("mbs", "2");
    says("pp", "4");
    says("a", "x");
    says("b", NULL);
    says("c", "z");
    says("d", "1");
}

static void options_behind_a_variable_are_read(void **state)
{
    (void)state;
    read_as("a.sh", "OPTIONS=\"--tp 4\"\n"
                    "OPTIONS=\"${OPTIONS} \\\n  --sp\"\n"
                    "OPTIONS=\"$OPTIONS --mbs ${MBS:-2}\"\n"
                    "if [ 1 = 2 ]; then OPTIONS=\"$OPTIONS --pp 2\"; fi\n"
                    "torchrun prog $OPTIONS\n");
    says("tp", "4");
    says("sp", NULL);
    says("mbs", "2");
    assert_null(exchange_settings_find(&settings, "pp", false));
    assert_int_equal(exchange_settings_find(&settings, "tp", false)->line, 1);
}

static void commands_beside_a_training_are_left_out(void **state)
{
    (void)state;
    read_as("a.sh", "swift rollout --model served --tp 8 &\n"
                    "NPROC_PER_NODE=2 swift sft --model M --tp 2\n"
                    "python tools/convert_checkpoint.py --model other\n"
                    "python src/eval.py --model out --batch_size 1\n");
    says("model", "M");
    says("tp", "2");
    assert_null(exchange_settings_find(&settings, "batch_size", false));
    read_as("a.sh", "torchrun prog --model M\n"
                    "python src/eval.py --batch_size 1\n");
    says("batch_size", "1");
    read_as("a.sh", "python train_eval.py --batch_size 1\n");
    says("batch_size", "1");
}

static void commands_that_count_are_answered_by_the_cluster(void **state)
{
    exchange_settings_free(&settings);
    settings.n_nodes = 4;
    settings.gpus_per_node = 8;
    (void)state;
    read_as("a.sh", "ALL=$(($(ds_ssh nvidia-smi --query-gpu=name | wc -l)-2))\n"
                    "prog --all $ALL --gpus $(nvidia-smi -L | wc -l) \\\n"
                    "  --nodes `scontrol show hostnames $X | wc -l` \\\n"
                    "  --links $(nvidia-smi topo -m | wc -l)\n");
    says("all", "32");
    says("gpus", "8");
    says("nodes", "4");
    says("links", "$(nvidia-smi topo -m | wc -l)");
}

static void words_behind_the_defaults_of_maxtext_are_options(void **state)
{
    (void)state;
    read_as("a.sh", "python3 train.py configs/base.yml model_name=M \\\n"
                    "  per_device_batch_size=2 attention='flash'\n"
                    "python3 other.py name=N\n");
    says("base_config", "base.yml");
    says("model_name", "M");
    says("per_device_batch_size", "2");
    says("attention", "flash");
    assert_null(exchange_settings_find(&settings, "name", false));
}

static void scripts_tell_the_environment_of_their_program(void **state)
{
    (void)state;
    read_as("a.sh", "export CUDA_LAUNCH_BLOCKING=0\n"
                    "CUDA_LAUNCH_BLOCKING=1 torchrun prog --tp 4\n");
    says("CUDA_LAUNCH_BLOCKING", "1");
}

static void scripts_in_quotes_are_read_where_a_shell_runs_them(void **state)
{
    (void)state;
    read_as("a.sh", "CMD=\"prog --from-a-variable 1\"\n"
                    "srun -l bash -c 'torchrun prog --tp 4 --pp '\"2\"' --sp'\n"
                    "srun /bin/bash -lc \"\n"
                    "  cd /workspace && torchrun prog \\\n"
                    "    --dp 8 \\\n"
                    "    --bf16\n\"\n"
                    "bash -c 'prog --mbs $M' x --behind 3\n"
                    "bash -c \"$CMD\" ; bash run.sh --own 5\n"
                    "echo bash -c 'prog --said 1'\n"
                    "bash -euxc\n");
    says("tp", "4");
    says("pp", "2");
    says("sp", NULL);
    says("dp", "8");
    says("bf16", NULL);
    says("mbs", "$M");
    says("behind", "3");
    says("own", "5");
    says("from-a-variable", "1");
    assert_null(exchange_settings_find(&settings, "said", false));
    assert_int_equal(exchange_settings_find(&settings, "dp", false)->line, 5);
}

static void scripts_count_their_lines(void **state)
{
    (void)state;
    read_as("a.sh", "x=1\n\nprog --one 1 \\\n  --two 2\n");
    assert_int_equal(exchange_settings_find(&settings, "one", false)->line, 3);
    assert_int_equal(exchange_settings_find(&settings, "two", false)->line, 4);
}

static void commented_options_are_not_said(void **state)
{
    (void)state;
    read_as("a.sh", "prog --one 1 # --two 2\n# --three 3\n#SBATCH --nodes=4\n");
    assert_null(exchange_settings_find(&settings, "two", false));
    assert_null(exchange_settings_find(&settings, "three", false));
    says("nodes", "4");
}

static void redirections_are_no_arguments(void **state)
{
    static const char *const ends[] = {"2>&1", "2>/dev/null", "|& tee a 3",
            "&>log", "&>> log", ">> log 2>&1 &", "> log 2>&1 < in | tee 4",
            "2> >(tee err) 1>out", "<<< word", ">&2", "2>&-", "; echo 5"};
    char text[200];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(ends); i++) {
        snprintf(text, sizeof(text),
                "run --tp 4 --flag %s\nrun --save $CKPT %s\n"
                "A=\"--in 6 %s\"\n",
                ends[i], ends[i], ends[i]);
        read_as("a.sh", text);
        says("flag", NULL);
        says("save", "$CKPT");
        says("in", "6");
        exchange_settings_free(&settings);
    }
    read_as("a.sh", "run --list 1 2 >log 3 2>&1 --pp 2\n"
                    "if [[ 2 > 1 ]]; then run --cp 2; fi\n"
                    "cat > x.json <<EOF\n{\"train_batch_size\": 8}\nEOF\n");
    says("list", "1 2 3");
    says("pp", "2");
    says("cp", "2");
    says("train_batch_size", "8");
}

static void python_literals_are_read_by_their_place(void **state)
{
    (void)state;
    read_as("a.py", "\"\"\"x = 1\"\"\"\n"
                    "cfg.model.tp = 8  # comment\n"
                    "plugin = Plugin(a=1, b='two', c=[1, 2],\n"
                    "    nested=Inner(d=True), e=dict(f=3))\n"
                    "sizes = dict(x=4)\n"
                    "if a == 5: pass\n");
    says("cfg.model.tp", "8");
    says("Plugin.a", "1");
    says("Plugin.b", "two");
    says("Plugin.c", "[1, 2]");
    says("Inner.d", "True");
    says("e.f", "3");
    says("sizes.x", "4");
    assert_null(exchange_settings_find(&settings, "x", false));
    assert_null(exchange_settings_find(&settings, "a", false));
}

static void json_may_have_comments_and_last_commas(void **state)
{
    (void)state;
    read_as("a.json",
            "// one\n{\"a\": {\"b\": 5e8, /* two */ \"c\": \"// no\",},"
            " # three\n \"d\": [true, {\"e\": null}],}\n");
    says("a.b", "500000000");
    says("a.c", "// no");
    says("d.0", "true");
    assert_null(exchange_settings_find(&settings, "d.1.e", false));
    refuses("a.json", "{\"a\": 1", "");
}

/* As typed a script has no arguments; what stands in a variable that only
 * another branch puts is of another launch. */
static void what_does_not_run_is_not_read(void **state)
{
    (void)state;
    read_as("a.sh", "while [[ $# -gt 0 ]]; do\n  case $1 in\n"
                    "  --model) for x in a; do M=$2; done; shift 2;;\n"
                    "  esac\ndone\n"
                    "while getopts \"m:\" o; do M=$OPTARG; done\n"
                    "if [ -z \"$M\" ]; then M=llama; fi\n"
                    "run --model $M --tp 2\n");
    says("model", "llama");
    read_as("a.sh", "A=\"--tp 2 --dp 3\"\nB=\"--tp 4\"\nC=\"--cp 5\"\n"
                    "D=\"--ep 6\"\n"
                    "k=a\nif [ $k = a ]; then X=$A; else X=\"$B $D\"; fi\n"
                    "run $X $D\n");
    says("tp", "2");
    says("dp", "3");
    says("cp", "5");
    says("ep", "6");
    read_as("a.sh", "run --model ${M:-${ROOT}/${N:-x}/${K:-y}}\n");
    says("model", "${ROOT}/x/y");
}

static void yaml_is_flattened(void **state)
{
    (void)state;
    read_as("a.yaml", "a:\n  b: 1\n  c: {d: x, e: 'y z'}\nf:\n- 7\n- g: 8\n");
    says("a.b", "1");
    says("a.c.d", "x");
    says("a.c.e", "y z");
    says("f.0", "7");
    says("f.1.g", "8");
}

/* A key of a mapping counts more than those that are merged into it, whole:
 * "d" of the first has no "e". */
static void yaml_anchors_stand_for_their_values(void **state)
{
    p3d_text many = {0};

    (void)state;
    read_as("a.yaml", "base: &b\n  n: &n 3\n  d: {e: 1, f: 2}\n"
                      "first:\n  <<: *b\n  d: {f: 5}\n"
                      "second: {k: *n, l: [0, *n]}\n"
                      "third: *b\n"
                      "fourth:\n  <<: [{g: 1}, *b]\n  n: 4\n");
    says("base.d.e", "1");
    says("first.n", "3");
    says("first.d.f", "5");
    assert_null(exchange_settings_find(&settings, "first.d.e", false));
    says("second.k", "3");
    says("second.l.1", "3");
    says("third.d.e", "1");
    says("fourth.n", "4");
    says("fourth.d.f", "2");
    refuses("a.yaml", "a: *x\n", "an alias without its anchor");
    refuses("a.yaml", "a: &x\n  b: *x\n", "an alias without its anchor");
    refuses("a.yaml", "a:\n\tb: 1\n", "");
    for (int i = 0; i < 65; i++)
        p3d_text_add(&many, "k%d: &a%d 1\n", i, i);
    refuses("a.yaml", p3d_text_get(&many), "more than 64 anchors");
    p3d_text_free(&many);
}

/* "l0: &l0 [*l, *l]" and so on would be too many values. */
static void yaml_anchors_do_not_grow_without_end(void **state)
{
    p3d_text many = {0};

    (void)state;
    p3d_text_add(&many, "k0: &k0 [1, 1]\n");
    for (int i = 1; i < 60; i++)
        p3d_text_add(&many, "k%d: &k%d [*k%d, *k%d]\n", i, i, i - 1, i - 1);
    refuses("a.yaml", p3d_text_get(&many), "more than 20000");
    p3d_text_free(&many);
}

static void toml_has_tables(void **state)
{
    (void)state;
    read_as("a.toml", "top = 1\n[a.b]\nc = \"x # y\" # z\nd = [\n 1,\n]\ne = "
                      "true\n");
    says("top", "1");
    says("a.b.c", "x # y");
    says("a.b.e", "true");
    refuses("a.toml", "[a\n", "a table is written");
    refuses("a.toml", "word\n", "neither");
    refuses("a.toml", "a =\n", "without a value");
}

static void logs_give_arguments_times_and_memory(void **state)
{
    (void)state;
    read_as("a.log",
            "0:   tensor_model_parallel_size ............. 8\n"
            "  layout ..... None\n no dots here\n"
            "  vocab_size ..... None\n"
            " > padded vocab (size: 50257) with 431 dummy tokens (new size: "
            "50688)\n"
            " elapsed time per iteration (ms): 9000.0 |\n"
            " elapsed time per iteration (ms): 5000.0 |\n"
            " elapsed time per iteration (ms): 1003.0 |\n"
            " elapsed time per iteration (ms): 1001.0 |\n"
            " elapsed time per iteration (ms): 1002.0 |\n"
            "[Rank 0] memory (MB) | allocated: 1.0 | max allocated: 100.0 | "
            "reserved: 1.0 | max reserved: 200.5\n"
            "[Rank 1] memory (MB) | allocated: 1.0 | max allocated: 90.0 |\n");
    says("tensor_model_parallel_size", "8");
    says("layout", "None");
    says("vocab_size", "50257");
    CHECK_REL(measured.step_s, 1.002, 1e-12);
    assert_int_equal(measured.n_steps, 3);
    assert_int_equal(measured.max_allocated_bytes, 100 * 1048576);
    assert_int_equal(measured.max_reserved_bytes, 401 * 1048576 / 2);
}

/* An "if" that never closes, as in a program within a script, is read whole. */
static void branches_that_do_not_close_are_all_read(void **state)
{
    (void)state;
    read_as("a.sh", "if [ 1 = 2 ]; then\nrun --tp 4\n");
    says("tp", "4");
}

static void branches_that_do_not_run_are_left_out(void **state)
{
    (void)state;
    read_as("a.sh", "N=3\nif [ $N -gt 4 ]; then\n run --tp 4\n"
                    "elif [[ $N == 3 ]]; then\n"
                    " if [ $1 = outside ]; then run --pp 2; fi\n"
                    "else\n run --cp 2\nfi\n");
    says("pp", "2");
    assert_null(exchange_settings_find(&settings, "tp", false));
    assert_null(exchange_settings_find(&settings, "cp", false));
}

static void functions_begin_from_few_others(void **state)
{
    char text[8192] = "def a():\n";
    size_t n = strlen(text);

    (void)state;
    for (int i = 0; i < 300; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "    c = b()\n");
    snprintf(text + n, sizeof(text) - n, "def b():\n    x.tp = 2\n");
    settings.function = "a";
    refuses("a.py", text, "begins from more than 256 others");
}

static void binary_files_are_refused(void **state)
{
    static const char bytes[] = "\177ELF\0\0--tp 4";
    p3d_error err = {0};

    (void)state;
    assert_false(
            exchange_read_text((exchange_text){"a.sh", bytes, sizeof(bytes)},
                    &settings, &measured, &err));
    test_check_error(&err, P3D_DATA, "a binary file");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    static const struct CMUnitTest tests[] = {
            TEST(scripts_follow_variables_arrays_and_sums),
            TEST(words_in_braces_stand_for_what_is_missing),
            TEST(options_behind_a_variable_are_read),
            TEST(commands_beside_a_training_are_left_out),
            TEST(commands_that_count_are_answered_by_the_cluster),
            TEST(words_behind_the_defaults_of_maxtext_are_options),
            TEST(scripts_tell_the_environment_of_their_program),
            TEST(scripts_in_quotes_are_read_where_a_shell_runs_them),
            TEST(scripts_count_their_lines),
            TEST(commented_options_are_not_said),
            TEST(redirections_are_no_arguments),
            TEST(python_literals_are_read_by_their_place),
            TEST(json_may_have_comments_and_last_commas),
            TEST(what_does_not_run_is_not_read),
            TEST(yaml_is_flattened),
            TEST(yaml_anchors_stand_for_their_values),
            TEST(yaml_anchors_do_not_grow_without_end),
            TEST(toml_has_tables),
            TEST(logs_give_arguments_times_and_memory),
            TEST(branches_that_do_not_close_are_all_read),
            TEST(branches_that_do_not_run_are_left_out),
            TEST(functions_begin_from_few_others),
            TEST(binary_files_are_refused),
    };
#undef TEST

    return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
