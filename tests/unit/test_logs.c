/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_logs.c - what logs of frameworks say of a run: medians by hand. */
#include "exchange/read/log.h"
#include "reading.h"

#include <stdio.h>

#include "base/util.h"

static const double GIB = 1073741824;

/* A job of 16 GPUs with 8 sequences of 1,024 tokens. */
static const exchange_log_job job = {8, 1024, 16, 1};

static void log_of(const char *text)
{
    exchange_settings_free(&settings);
    read_as("a.log", text);
    exchange_log_step(&measured, &job);
}

/* The first two are left out; of an even number the mean of the middle two. */
static void warm_up_is_left_out(void **state)
{
    (void)state;
    log_of(" iteration 1/ 9 | elapsed time per iteration (ms): 9000.0 |\n"
           " iteration 2/ 9 | elapsed time per iteration (ms): 8000.0 |\n"
           " iteration 3/ 9 | elapsed time per iteration (ms): 1004.0 |\n"
           " iteration 4/ 9 | elapsed time per iteration (ms): 1001.0 |\n"
           " iteration 5/ 9 | elapsed time per iteration (ms): 1003.0 |\n"
           " iteration 6/ 9 | elapsed time per iteration (ms): 1000.0 |\n");
    CHECK_REL(measured.step_s, 1.002, 1e-12);
    assert_int_equal(measured.n_steps, 4);
    assert_int_equal(measured.n_warm_up, 2);
    log_of(" elapsed time per iteration (ms): 9000.0 |\n"
           " elapsed time per iteration (ms): 7000.0 |\n");
    CHECK_REL(measured.step_s, 8, 1e-12);
    assert_int_equal(measured.n_warm_up, 0);
}

/* 8 x 1,024 tokens at 16 x 512 a second; tps of a validation is not one. */
static void torchtitan_says_tokens_of_one_gpu(void **state)
{
    (void)state;
    log_of("\x1b[31mstep:  1  \x1b[32mloss: 9.1  \x1b[36mmemory: 12.50GiB(1.0%)"
           "  \x1b[34mtps: 1,100  \x1b[36mtflops: 1,234.56  \x1b[35mmfu: 9%"
           "\x1b[0m\r\n"
           "step: 10  memory: 20.00GiB(1.00%)  tps: 64  mfu: 1.00%\r\n"
           "step: 20  memory: 20.50GiB(1.00%)  tps: 511  mfu: N/A\r\n"
           "validate step: 20  memory: 30.00GiB(1.00%)  tps: 9,000\r\n"
           "step: 30  memory: 20.25GiB(1.00%)  tps: 512  mfu: 1.00%\r\n"
           "step: 40  memory: 20.25GiB(1.00%)  tps: 1,512  mfu: 1.00%\r\n"
           "step: 50  memory: 20.25GiB(1.00%)  tps: 5");
    CHECK_REL(measured.step_s, 1, 1e-12);
    assert_int_equal(measured.n_steps, 3);
    CHECK_REL((double)measured.max_reserved_bytes, 20.5 * GIB, 1e-12);
    assert_int_equal(measured.max_allocated_bytes, 0);
    assert_string_equal(measured.rates[0].row->family->framework, "fsdp2");
}

static void nemo_says_seconds(void **state)
{
    (void)state;
    log_of("Training epoch 0, iteration 0/3 | global_batch_size: 8 | "
           "global_step: 0 | train_step_timing in s: 7.126\n"
           "Training epoch 0, iteration 1/3 | global_batch_size: 8 | "
           "global_step: 1 | max_memory_reserved: 4.3e+10 | "
           "train_step_timing in s: 2.505 | consumed_samples: 16\n"
           "Epoch 0: : 9%|# | 3/9 [1:48<0:00, 6.40s/it, global_step=2.000, "
           "train_step_timing in s=2.250]\r"
           "Epoch 0: : 9%|# | 3/9 [1:48<0:00, 6.40s/it, global_step=2.000, "
           "train_step_timing in s=2.250]\r");
    CHECK_REL(measured.step_s, 2.25, 1e-12);
    assert_int_equal(measured.n_repeated, 1);
    CHECK_REL((double)measured.max_reserved_bytes, 4.3e10, 1e-12);
    CHECK_REL(measured.batch, 8, 0);
}

/* Letters stand for thousands; both numbers of a step say the same. */
static void nanotron_says_thousands(void **state)
{
    p3d_error err = {0};

    (void)state;
    for (int i = 1; i <= 2; i++) {
        log_of("iteration: 1 / 9 | time_per_iteration_ms: 12.3K | "
               "tokens_per_sec: 666 | global_batch_size: 8.19K\n"
               "iteration: 2 / 9 | time_per_iteration_ms: 900 | "
               "tokens_per_sec: 9.1K | global_batch_size: 8.19K\n"
               "iteration: 3 / 9 | time_per_iteration_ms: 1.02K | "
               "tokens_per_sec: 8.03K | tokens_per_sec_per_gpu: 501 | "
               "global_batch_size: 8.19K\n"
               " Peak allocated 100.50MiB. Peak reserved: 200.25MiB\n");
        CHECK_REL(measured.step_s, 1.02, 1e-12);
        assert_int_equal(measured.n_rates, 2);
        CHECK_REL((double)measured.max_allocated_bytes, 100.5 * 1048576, 0);
        CHECK_REL((double)measured.max_reserved_bytes, 200.25 * 1048576, 0);
        assert_true(exchange_log_check(&measured, &job, &err));
    }
    assert_false(exchange_log_check(
            &measured, &(exchange_log_job){8, 2048, 16, 1}, &err));
    test_check_error(&err, P3D_DATA, "its steps are of 8190 tokens");
}

/* 8 sequences at 4 a second; the timers of the step, 1.2 + 0.7 + 0.1 s, agree
 * with them, those of the micro-batch are not of a step. */
static void deepspeed_says_samples_and_timers(void **state)
{
    static const char line[] =
            "w-0: [INFO] [timer.py:260:stop] epoch=0/micro_step=%d/"
            "global_step=%d, RunningAvgSamplesPerSec=1.0, "
            "CurrSamplesPerSec=%g, MemAllocated=1.0GB, MaxMemAllocated=2.5GB\n"
            "[Rank 0] time (ms) | fwd_microstep: 1.0 | bwd_microstep: 2.0\n"
            "[Rank 0] time (ms) | fwd: 1200.0 | bwd: 700.0 | bwd_inner: 600.0 "
            "| step: 100.0\n";
    p3d_text text = {0};
    p3d_error err = {0};

    (void)state;
    for (int i = 1; i <= 5; i++)
        p3d_text_add(&text, line, i, i, i < 3 ? 1.0 : 4.0 + (i - 4) * 0.5);
    log_of(p3d_text_get(&text));
    p3d_text_free(&text);
    CHECK_REL(measured.step_s, 2, 1e-12);
    assert_int_equal(measured.n_steps, 3);
    assert_int_equal(measured.n_repeated, 0);
    assert_int_equal(measured.n_rates, 2);
    CHECK_REL(measured.rates[1].median, 2, 1e-12);
    CHECK_REL((double)measured.max_allocated_bytes, 2.5 * GIB, 1e-12);
    assert_true(exchange_log_check(&measured, &job, &err));
    log_of("steps: 1 loss: 1.0 iter time (s): 2.000 samples/sec: 16.000\n");
    assert_false(exchange_log_check(&measured, &job, &err));
    test_check_error(&err, P3D_DATA, "it contradicts itself: a step takes 2 s");
}

/* The bar of the training, not of what loads or evaluates; else the summary. */
static void the_trainer_says_a_bar_or_a_summary(void **state)
{
    (void)state;
    log_of("Loading shards: 100%|##| 4/4 [00:02<00:00, 1.70it/s]\n"
           "  0%|          | 0/9 [00:00<?, ?it/s]\r"
           " 11%|#         | 1/9 [00:10<01:20, 10.00s/it]\r"
           " 22%|##        | 2/9 [00:12<00:42, 6.00s/it]\r"
           " 33%|###       | 3/9 [00:13<00:24, 2.01s/it]\r"
           " 40%|####      | 2/5 [00:01<00:01, 3.00it/s]\r"
           " 44%|####      | 4/9 [00:14<00:20, 1.99s/it]\r"
           " 55%|#####     | 5/9 [00:15<00:16, 2.00s/it]\n"
           "{'train_runtime': '19.0', 'train_samples_per_second': 2.105, "
           "'train_steps_per_second': 0.263}\n");
    CHECK_REL(measured.step_s, 2, 1e-12);
    assert_int_equal(measured.n_steps, 3);
    assert_null(measured.rates[0].row->family->framework);
    log_of("  \"train_samples_per_second\": 4.0,\n"
           "  \"train_steps_per_second\": 0.5\n");
    CHECK_REL(measured.step_s, 2, 1e-12);
    assert_int_equal(measured.rates[0].row->form, EXCHANGE_LOG_WHOLE);
    log_of("'train_steps_per_second': 0.002}\n");
    assert_int_equal(measured.n_rates, 0);
}

/* Ranks beside each other, a run that comes after, steps of another batch. */
static void one_run_of_one_rank_counts(void **state)
{
    static const char line[] = "[default%d]:iteration %d/ 9 | elapsed time per "
                               "iteration (ms): %d | global batch size: %d |\n";
    static const int steps[][4] = {{7, 1, 99000, 4}, {7, 2, 500, 4},
            {7, 3, 99000, 8}, {6, 3, 99000, 8}, {7, 4, 7000, 8},
            {7, 5, 2000, 8}, {6, 5, 9000, 8}, {7, 1, 50, 8}, {7, 2, 60, 8}};
    p3d_text text = {0};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(steps); i++)
        p3d_text_add(&text, line, steps[i][0], steps[i][1], steps[i][2],
                steps[i][3]);
    log_of(p3d_text_get(&text));
    p3d_text_free(&text);
    CHECK_REL(measured.step_s, 2, 1e-12);
    assert_int_equal(measured.n_steps, 1);
    assert_int_equal(measured.n_repeated, 2);
    assert_int_equal(measured.n_other_runs, 2);
    assert_int_equal(measured.n_other_batches, 2);
    CHECK_REL(measured.batch, 8, 0);
}

/* Ranks without marks say each step twice, some with marks have no numbers. */
static void each_step_counts_once(void **state)
{
    (void)state;
    log_of("iteration 1/ 9 | elapsed time per iteration (ms): 7000.0 |\n"
           "iteration 1/ 9 | elapsed time per iteration (ms): 9000.0 |\n"
           "iteration 2/ 9 | elapsed time per iteration (ms): 7000.0 |\n"
           "iteration 2/ 9 | elapsed time per iteration (ms): 9000.0 |\n"
           "iteration 3/ 9 | elapsed time per iteration (ms): 1000.0 |\n"
           "iteration 3/ 9 | elapsed time per iteration (ms): 9000.0 |\n");
    CHECK_REL(measured.step_s, 1, 1e-12);
    assert_int_equal(measured.n_steps, 1);
    assert_int_equal(measured.n_repeated, 3);
    log_of("3: elapsed time per iteration (ms): 1000.0 |\n"
           "[rank4]: elapsed time per iteration (ms): 9000.0 |\n"
           "[rank3]: elapsed time per iteration (ms): 3000.0 |\n");
    CHECK_REL(measured.step_s, 2, 1e-12);
    assert_int_equal(measured.n_repeated, 1);
}

/* A run that ends in its warm-up says nothing; the next one counts. */
static void a_run_that_ends_at_once_is_left_out(void **state)
{
    (void)state;
    log_of("iteration 8/ 9 | elapsed time per iteration (ms): 9000.0 |\n"
           "iteration 1/ 9 | elapsed time per iteration (ms): 9000.0 |\n"
           "iteration 2/ 9 | elapsed time per iteration (ms): 9000.0 |\n"
           "iteration 3/ 9 | elapsed time per iteration (ms): 1000.0 |\n");
    CHECK_REL(measured.step_s, 1, 1e-12);
    assert_int_equal(measured.n_other_runs, 1);
}

static void megatron_bridge_says_gigabytes(void **state)
{
    (void)state;
    log_of("[Rank 0] (after 1 iterations) memory (GB) | mem-reserved-gigabytes:"
           " 9.0 | mem-max-allocated-gigabytes: 52.3 | "
           "mem-max-reserved-gigabytes: 61.5 | mem-alloc-retires: 0\n"
           "mem-max-allocated-bytes: 1000 | mem-reserved-bytes: 2000\n");
    CHECK_REL((double)measured.max_allocated_bytes, 52.3e9, 1e-12);
    CHECK_REL((double)measured.max_reserved_bytes, 61.5e9, 1e-12);
}

/* In parts of any length, the same as at once. */
static void parts_are_read_as_the_whole(void **state)
{
    static const char text[] =
            "\x1b[1mstep: 1\x1b[0m tps: 1,024 mfu: 1%\r\n"
            "step: 2 tps: 512 mfu: 1%\nstep: 3 tps: 256 mfu: 1%\r\n";
    exchange_settings none = {0};

    (void)state;
    for (size_t size = 1; size < 40; size++) {
        exchange_measured found = {0};
        p3d_error err = {0};
        exchange_log *const log = exchange_log_open(&none, &err);

        for (size_t i = 0; i < strlen(text); i += size)
            assert_true(exchange_log_take(
                    log, text + i, strnlen(text + i, size), &err));
        assert_true(exchange_log_finish(log, &found, &err));
        exchange_log_free(log);
        exchange_log_step(&found, &job);
        CHECK_REL(found.step_s, 2, 1e-12);
    }
    exchange_settings_free(&none);
}

/* torchtitan prints what it runs with, each rank its own. */
static void a_configuration_is_read(void **state)
{
    const exchange_setting *found;

    (void)state;
    log_of("[rank0]:[titan] INFO - Running with configs: {\n"
           "[rank0]:  \"parallelism\": {\n"
           "[rank1]:[titan] INFO - Running with configs: {\n"
           "[rank0]:    \"tensor_parallel_degree\": 2, \"s\": \"}\"\n"
           "[rank0]:  }\n"
           "[rank0]:}\n"
           "[rank0]:[titan] INFO - }\n");
    found = exchange_settings_find(
            &settings, "parallelism.tensor_parallel_degree", false);
    assert_non_null(found);
    assert_string_equal(found->value, "2");
    log_of("Running with configs: {\n  \"tp\": 2,\n");
    assert_int_equal(settings.n, 0);
    log_of("Running with configs: {]}\n");
    assert_int_equal(settings.n, 0);
}

/* 4 micro-batches a step in the job. */
static double seconds_of(const char *text)
{
    log_of(text);
    exchange_log_step(&measured, &(exchange_log_job){8, 1024, 2, 4});
    return measured.step_s;
}

/* From the second report, at 31 s, to the last, at 121 s, 36 micro-batches of
 * 2.5 s; 4 of them make a step of 10 s. What follows a validation is another
 * stretch, here a shorter one; a count that stands still says nothing. */
static void lightning_counts_micro_batches(void **state)
{
    (void)state;
    CHECK_REL(
            seconds_of(
                    "Sanity Checking DataLoader 0:  50%|5 | 1/2 [00:00<00:00, "
                    "1.10it/s]\r"
                    "Epoch 0:   0%|  | 0/100 [00:00<?, ?it/s]\r"
                    "Epoch 0:   2%|  | 2/100 [00:25<20:25, 0.08it/s, v_num=0]\r"
                    "Epoch 0:   4%|  | 4/100 [00:31<12:24, 0.13it/s, v_num=0]\r"
                    "Epoch 0:  20%|2 | 20/100 [01:11<04:44, 0.28it/s, "
                    "v_num=0]\r"
                    "Epoch 0:  40%|4 | 40/100 [02:01<03:01, 0.33it/s, "
                    "v_num=0]\r"
                    "Validation DataLoader 0:  9%| | 1/9 [00:01<00:10, "
                    "1.00it/s]\r"
                    "Epoch 0:  40%|4 | 40/100 [02:41<03:01, 0.33it/s, "
                    "v_num=0]\r"
                    "Epoch 0:  42%|4 | 42/100 [02:46<03:01, 0.33it/s, "
                    "v_num=0]\r"
                    "Epoch 0:  60%|4 | 60/100 [03:30<03:01, 0.33it/s, v_num=0]"
                    "\n"),
            10, 1e-12);
    assert_int_equal(measured.n_counted, 36);
    assert_int_equal(measured.n_warm_up, 2);
    assert_false(measured.whole_bar);
    assert_int_equal(measured.rates[0].row->quantity, EXCHANGE_LOG_MICRO_BATCH);
}

/* Rich prints the end of an epoch: 270 micro-batches in 135 s; the first has
 * the warm-up in it. Hours count, and an epoch without a known end. */
static void lightning_in_rich_and_without_an_end(void **state)
{
    (void)state;
    CHECK_REL(seconds_of("Epoch 0/1 \xe2\x94\x81\xe2\x94\x81 270/270 0:02:51 "
                         "\xe2\x80\xa2 0:00:00 1.58it/s v_num: 0.000\n"
                         "Epoch 1/1 \xe2\x94\x81\xe2\x94\x81 270/270 0:02:15 "
                         "\xe2\x80\xa2 0:00:00 2.01it/s v_num: 0.000\n"),
            2, 1e-12);
    assert_false(measured.whole_bar);
    CHECK_REL(seconds_of("Epoch 0/-2 \xe2\x94\x81 5072/-- 2:40:43 \xe2\x80\xa2 "
                         "-:--:-- 0.57it/s v_num: xn3p train_loss: 10.416\n"),
            4 * 9643.0 / 5072, 1e-12);
    assert_true(measured.whole_bar);
    CHECK_REL(seconds_of("Epoch 0: 10it [00:30, 0.33it/s, v_num=0]\r"
                         "Epoch 0: 20it [00:40, 0.50it/s, v_num=0]\r"
                         "Epoch 0: 30it [00:50, 0.60it/s, v_num=0]\r"
                         "Epoch 0: 60it [01:20, 0.75it/s, v_num=0]\n"),
            4, 1e-12);
    assert_int_equal(measured.n_counted, 40);
}

/* 19 s of whole seconds say nothing, and NeMo's bar counts steps. */
static void lightning_asks_for_enough(void **state)
{
    (void)state;
    log_of("Epoch 0:  10%|1 | 1/10 [00:03<00:27, 0.33it/s, v_num=0]\r"
           "Epoch 0:  20%|2 | 2/10 [00:06<00:24, 0.33it/s, v_num=0]\r"
           "Epoch 0:  90%|9 | 9/10 [00:25<00:03, 0.36it/s, v_num=0]\n");
    assert_int_equal(measured.n_rates, 0);
    assert_true(measured.short_bar);
    log_of("Epoch 0: :  10%|1 | 1/10 [00:30<04:30, v_num=0, global_step=0.]\r"
           "Epoch 0: :  90%|9 | 9/10 [04:30<00:30, v_num=0, global_step=8.]\n");
    assert_int_equal(measured.n_rates, 0);
    assert_false(measured.short_bar);
}

/* Rows of 8 micro-batches, 4 to a step: 0.5, 0.25 and 0.75 s each, and the two
 * of the warm-up. A validation has rows of its own. */
static void lightning_writes_a_table(void **state)
{
    static const exchange_log_job four = {8, 1024, 2, 4};
    p3d_error err = {0};

    (void)state;
    CHECK_REL(seconds_of("epoch,step,train/batches,train/time,train_loss,"
                         "DeviceStatsMonitor.on_train_batch_end/"
                         "reserved_bytes.all.peak,validate/time\n"
                         "0,1,8,90.0,,,\n"
                         "0,1,,,7.25,50000000000,\n"
                         "0,3,16,99.0,,,\n"
                         "0,5,24,110.0,,,\n"
                         "0,5,,,,,7.5\n"
                         "0,7,32,114.0,,,\n"
                         "0,9,40,116.0,,,\n"
                         "0,11,48,122.0,,,\n"
                         "0,13,56,1"),
            2, 1e-12);
    assert_int_equal(measured.n_steps, 3);
    CHECK_REL((double)measured.max_reserved_bytes, 5e10, 1e-12);
    CHECK_REL(measured.micro_batches, 4, 0);
    assert_true(exchange_log_check(&measured, &four, &err));
    assert_false(exchange_log_check(
            &measured, &(exchange_log_job){8, 1024, 2, 8}, &err));
    test_check_error(&err, P3D_DATA, "it accumulates 4 micro-batches a step");
    log_of("step,train_loss\n0,7.5\n1,7.25\n");
    assert_true(measured.lacks_time);
    assert_int_equal(measured.n_rates, 0);
    /* Fabric's step may be of anything. */
    CHECK_REL(seconds_of("loss,step,time,batches,samples\n"
                         "9,0,10,1,8\n8,1,12,2,16\n7,2,13,3,24\n"),
            6, 1e-12);
    CHECK_REL(measured.micro_batches, 0, 0);
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(warm_up_is_left_out),
            TEST(torchtitan_says_tokens_of_one_gpu),
            TEST(nemo_says_seconds),
            TEST(nanotron_says_thousands),
            TEST(deepspeed_says_samples_and_timers),
            TEST(the_trainer_says_a_bar_or_a_summary),
            TEST(one_run_of_one_rank_counts),
            TEST(each_step_counts_once),
            TEST(a_run_that_ends_at_once_is_left_out),
            TEST(megatron_bridge_says_gigabytes),
            TEST(lightning_counts_micro_batches),
            TEST(lightning_in_rich_and_without_an_end),
            TEST(lightning_asks_for_enough),
            TEST(lightning_writes_a_table),
            TEST(parts_are_read_as_the_whole),
            TEST(a_configuration_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
