/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_commands.c - random command lines and what holds of their answers.
 *
 * Without arguments a fixed sample; `test_commands N SEED FIRST OPEN` tries N
 * command lines of a seed, see `make check-commands`. */
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "commands/lies.h"

/* LONGEST_S: a command that does not end, on however slow a machine. */
enum { SAMPLE = 100, SAMPLE_SEED = 1, MAX_INVARIANTS = 32, LONGEST_S = 3600 };

enum { MOST_VERIFIED = 1000000 }; /* plans of a search */

/* What many trials found. */
typedef struct campaign {
    bool quiet;
    int only;
    int n_drawn;
    int n_given;
    int n_commands;
    int n_checked[MAX_INVARIANTS];
    int n_broken[MAX_INVARIANTS];
    double cpu_s;
} campaign;

/* What is being tried, for a program that crashes. */
static char trying[16384];

static void say_what_was_tried(int signal_number)
{
    const ssize_t n = write(STDOUT_FILENO, trying, strlen(trying));

    (void)n;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A campaign that is cut short says what it has found. */
static volatile sig_atomic_t is_over;

static void end_after_this(int signal_number)
{
    (void)signal_number;
    is_over = 1;
}

static answer *ask(const line *l)
{
    p3d_text words = {0};
    const size_t used = strlen(trying);

    line_print(l, &words);
    snprintf(trying + used, sizeof(trying) - used, "    %s\n",
            p3d_text_get(&words));
    p3d_text_free(&words);
    alarm(LONGEST_S);
    return answer_ask(l);
}

static lie_teller *liar;
static int n_lies;

static answer *ask_a_liar(const line *l)
{
    answer *const a = answer_ask(l);

    liar(a, n_lies++);
    return a;
}

static void listen(void *context, const trial *t, int i, const char *why)
{
    campaign *const c = context;

    c->n_checked[i]++;
    if (why == NULL)
        return;
    c->n_broken[i]++;
    if (!c->quiet)
        printf("seed %llu, command %d: not so: %s\n%s",
                (unsigned long long)t->seed, t->number, invariant_at(i)->name,
                why);
}

/* Brute force takes 10 us for a plan: no more is asked than takes seconds. */
static void drop_long_verification(line *l)
{
    line without = *l;
    answer *a;

    if (!line_has(l, "verify"))
        return;
    line_drop(&without, "verify");
    line_drop(&without, "format");
    line_set(&without, "json", NULL);
    a = ask(&without);
    if (!(answer_number(a, "search.n_plans") <= MOST_VERIFIED))
        line_drop(l, "verify");
    answer_free(a);
}

static void try_one(campaign *c, uint64_t seed, int number)
{
    trial *const t = calloc(1, sizeof(*t));
    line l;

    assert_non_null(t);
    *t = (trial){.seed = seed,
            .number = number,
            .draw = draw_begin(seed, number),
            .only = c->only,
            .ask = liar != NULL ? ask_a_liar : ask,
            .listen = listen,
            .context = c};
    snprintf(trying, sizeof(trying), "seed %llu, command %d ended in\n",
            (unsigned long long)seed, number);
    grammar_draw(&t->draw, &l);
    drop_long_verification(&l);
    trial_run(t, &l);
    c->n_drawn++;
    c->n_given += answer_is_given(t->first);
    c->n_commands += t->n_commands;
    for (const answer *a = t->answers; a != NULL; a = a->next)
        c->cpu_s += a->cpu_s;
    t->broken = t->broken && !c->quiet;
    trial_end(t);
    free(t);
}

static void run(campaign *c, uint64_t seed, int first, int n)
{
    static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM};

    for (int i = 0; i < P3D_COUNT_OF(deadly); i++)
        signal(deadly[i], say_what_was_tried);
    for (int i = 0; i < n && !is_over; i++)
        try_one(c, seed, first + i);
    alarm(0);
}

static void print(const campaign *c)
{
    printf("%d command lines drawn, %.1f %% of them answered; %d asked, %.0f s "
           "of CPU\n"
           "  checked broken\n",
            c->n_drawn, 100.0 * c->n_given / c->n_drawn, c->n_commands,
            c->cpu_s);
    for (int i = 0; invariant_at(i) != NULL; i++) {
        const invariant *const one = invariant_at(i);

        printf("%9d %6d %s\n", c->n_checked[i], c->n_broken[i], one->name);
    }
}

static int count_broken(const campaign *c)
{
    int n = 0;

    for (int i = 0; invariant_at(i) != NULL; i++)
        n += c->n_broken[i];
    return n;
}

/* A grammar whose lines are refused, and an invariant that says nothing of
 * any, test nothing. */
static void a_sample_of_command_lines_holds(void **state)
{
    campaign c = {.only = -1};

    (void)state;
    run(&c, SAMPLE_SEED, 0, SAMPLE);
    print(&c);
    assert_int_equal(count_broken(&c), 0);
    assert_true(2 * c.n_given >= c.n_drawn);
    for (int i = 0; invariant_at(i) != NULL; i++)
        if (c.n_checked[i] == 0)
            fail_msg("said nothing of the sample: %s", invariant_at(i)->name);
}

static void each_invariant_finds_a_lie(void **state)
{
    enum { TRIES = 60 };

    (void)state;
    for (int i = 0; invariant_at(i) != NULL; i++) {
        campaign c = {.quiet = true, .only = i};

        liar = lie_about(invariant_at(i));
        if (liar == NULL)
            fail_msg("no lie about: %s", invariant_at(i)->name);
        n_lies = 0;
        for (int k = 0; k < TRIES && c.n_broken[i] == 0; k++)
            try_one(&c, SAMPLE_SEED, k);
        liar = NULL;
        if (c.n_broken[i] == 0)
            fail_msg("takes a lie: %s", invariant_at(i)->name);
    }
}

static int try_many(char **arguments)
{
    campaign c = {.only = -1};

    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGTERM, end_after_this);
    run(&c, strtoull(arguments[1], NULL, 10),
            (int)strtol(arguments[2], NULL, 10),
            (int)strtol(arguments[0], NULL, 10));
    print(&c);
    if (2 * c.n_given < c.n_drawn)
        printf("fewer than half of the command lines were answered\n");
    return count_broken(&c) > 0 || 2 * c.n_given < c.n_drawn;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_sample_of_command_lines_holds),
            cmocka_unit_test(each_invariant_finds_a_lie),
    };

    if (argc == 4)
        return try_many(argv + 1);
    return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
