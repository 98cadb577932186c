/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_command.c - a command within a program that has a life of its own. */
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "plan3d/command.h"

static volatile sig_atomic_t n_interrupts;

static void count_interrupt(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
    (void)info;
    (void)context;
    n_interrupts = n_interrupts + 1;
}

static void ask(int argc, const char *const *argv, const char *words)
{
    char *out, *err;

    assert_int_equal(p3d_command(argc, argv, &out, &err), 0);
    assert_string_equal(err, "");
    assert_non_null(strstr(out, words));
    p3d_command_free(out);
    p3d_command_free(err);
}

/* All that sigaction() says of it, not the function alone. */
static void the_callers_interrupt_comes_back(void **state)
{
    static const char *const fit[] = {"fit", "gpt2", "2xA100"};
    static const char *const why[] = {"explain", "gpt2", "2xA100", "why"};
    static const char *const sweep[] = {
            "sweep", "gpt2", "A100", "--gpus", "1,2", "--batch", "64"};
    struct sigaction mine = {
            .sa_sigaction = count_interrupt, .sa_flags = (int)SA_SIGINFO};
    struct sigaction now;

    (void)state;
    sigemptyset(&mine.sa_mask);
    sigaddset(&mine.sa_mask, SIGTERM);
    assert_int_equal(sigaction(SIGINT, &mine, NULL), 0);
    ask(3, fit, "FITS");
    ask(3, fit, "FITS");
    ask(4, why, "tp=1");
    ask(7, sweep, "A100");
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_sigaction == count_interrupt);
    assert_true((now.sa_flags & SA_SIGINFO) != 0);
    assert_int_equal(sigismember(&now.sa_mask, SIGTERM), 1);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(n_interrupts, 1);
}

static void an_ignored_interrupt_stays_ignored(void **state)
{
    static const char *const fit[] = {"fit", "gpt2", "2xA100"};
    struct sigaction now;

    (void)state;
    assert_true(signal(SIGINT, SIG_IGN) != SIG_ERR);
    ask(3, fit, "FITS");
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_IGN);
    assert_int_equal(raise(SIGINT), 0);
}

/* Those that run while a command of another thread ends. */
static void *ask_again(void *context)
{
    static const char *const fit[] = {"fit", "gpt2", "2xA100"};

    for (int i = 0; i < 20; i++) {
        char *out;
        const int status = p3d_command(3, fit, &out, NULL);

        if (status != 0 || strstr(out, "FITS") == NULL)
            *(bool *)context = true;
        p3d_command_free(out);
    }
    return NULL;
}

static void the_last_thread_gives_the_interrupt_back(void **state)
{
    struct sigaction mine = {
            .sa_sigaction = count_interrupt, .sa_flags = (int)SA_SIGINFO};
    struct sigaction now;
    pthread_t threads[4];
    bool failed[4] = {false};

    (void)state;
    n_interrupts = 0;
    assert_int_equal(sigaction(SIGINT, &mine, NULL), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(
                pthread_create(&threads[i], NULL, ask_again, &failed[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_false(failed[i]);
    }
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_sigaction == count_interrupt);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(n_interrupts, 1);
}

/* What a listener heard. */
typedef struct heard {
    int n;
    int most; /* it refuses to hear more */
    double done_frac;
    bool falls; /* the share was smaller than one before */
    char words[80];
    pthread_t thread;
} heard;

static bool hear(void *context, const char *words, double done_frac)
{
    heard *const h = context;

    h->falls = h->falls || done_frac < h->done_frac;
    h->done_frac = done_frac;
    h->thread = pthread_self();
    (void)strncpy(h->words, words, sizeof(h->words) - 1);
    return ++h->n < h->most;
}

/* A search of a second or more, with threads or without. */
static int ask_long(const char *jobs, heard *h)
{
    const char *const argv[] = {"explain", "30B", "32xA800", "sensitivity",
            "--draws", "200", "-j", jobs};
    const p3d_listener listener = {hear, h};
    char *err;
    const int status = p3d_command_listen(8, argv, &listener, NULL, &err);

    assert_string_equal(
            err, status != 0 ? "plan3d: interrupted while plans were compared\n"
                             : "");
    p3d_command_free(err);
    return status;
}

static void a_listener_hears_how_far_a_command_is(void **state)
{
    static const char *const jobs[] = {"1", "2"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        heard h = {.most = 10000};

        assert_int_equal(ask_long(jobs[i], &h), 0);
        assert_true(h.n > 0);
        assert_non_null(strstr(h.words, "comparing plans: "));
        assert_true(h.done_frac > 0 && h.done_frac <= 1);
        assert_true(pthread_equal(h.thread, pthread_self()));
    }
}

/* Only his: the command after it is answered whole. */
static void a_listener_ends_a_command(void **state)
{
    static const char *const fit[] = {"fit", "gpt2", "2xA100"};
    heard h = {.most = 1};

    (void)state;
    assert_int_equal(ask_long("2", &h), 130);
    assert_int_equal(h.n, 1);
    ask(3, fit, "FITS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_callers_interrupt_comes_back),
            cmocka_unit_test(an_ignored_interrupt_stays_ignored),
            cmocka_unit_test(the_last_thread_gives_the_interrupt_back),
            cmocka_unit_test(a_listener_hears_how_far_a_command_is),
            cmocka_unit_test(a_listener_ends_a_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
