/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_legality_hints.c - what a refusal says to try instead leads to a plan
 * that the same rule does not refuse. */
#include "problem.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"

enum { WORDS = 256, MOST_HINTS = 4 };

static bool ask(
        const p3d_problem *problem, const char *words, p3d_refusal *refusal)
{
    const p3d_plan plan = problem_plan(problem, words);

    return p3d_plan_legal(
            &problem->model, &problem->cluster, &problem->job, &plan, refusal);
}

/* Words of a plan: "pp=2,sp". */
static bool is_words(const char *hint)
{
    return strchr(hint, ' ') == NULL &&
           (strchr(hint, '=') != NULL || strstr(hint, "sp") == hint ||
                   strcmp(hint, "nosp") == 0 || strcmp(hint, "uneven") == 0);
}

/* "zero=0, 1 or 3; ..." and "vp=1, or group=6": each of them, in full. */
static int read_hints(const char *reason, char hints[MOST_HINTS][64])
{
    static const char mark[] = "; try ";
    const char *at = strstr(reason, mark);
    char key[32] = "";
    int n = 0;

    at = at != NULL ? at + strlen(mark) : "";
    while (*at != '\0' && n < MOST_HINTS) {
        const char *comma = strstr(at, ", ");
        const char * or = strstr(at, " or ");
        const char *end = at + strlen(at);

        end = comma != NULL && comma < end ? comma : end;
        end = or != NULL && or < end ? or : end;
        snprintf(hints[n], 64, "%s%.*s", isdigit((unsigned char)*at) ? key : "",
                (int)(end - at), at);
        snprintf(key, sizeof(key), "%.*s", (int)strcspn(hints[n], "=") + 1,
                hints[n]);
        n += is_words(hints[n]);
        at = end == comma ? end + 2 : end == or ? end + 4 : end;
        at += strncmp(at, "or ", 3) == 0 ? 3 : 0;
    }
    return n;
}

/* The plan with the hint's words in the place of its own. */
static void put_in(const char *words, const char *hint, char out[WORDS])
{
    char said[WORDS], hinted[WORDS + 2];
    char *at = NULL;

    snprintf(out, WORDS, "%s", hint);
    snprintf(said, sizeof(said), "%s", words);
    for (char *word = strtok_r(said, ",", &at); word != NULL;
            word = strtok_r(NULL, ",", &at)) {
        char key[WORDS + 2];

        snprintf(key, sizeof(key), ",%.*s=", (int)strcspn(word, "="), word);
        snprintf(hinted, sizeof(hinted), ",%s", hint);
        if (strstr(hinted, key) == NULL)
            snprintf(out + strlen(out), WORDS - strlen(out), ",%s", word);
    }
}

/* Follow the first hint of each refusal until another rule refuses, or none.
 * @return whether it ends */
static bool leads_away(const p3d_problem *problem, const char *words,
        const char *rule, int n_steps)
{
    char hints[MOST_HINTS][64];
    char other[WORDS];
    p3d_refusal refusal = {.rule = NULL};

    if (ask(problem, words, &refusal) || strcmp(refusal.rule, rule) != 0)
        return true;
    if (n_steps == 0 || read_hints(refusal.reason, hints) == 0)
        return false;
    put_in(words, hints[0], other);
    return leads_away(problem, other, rule, n_steps - 1);
}

/* One refusal of a framework: its hints, each alone. @return how many */
static int check_hints(const p3d_problem *problem, const char *words)
{
    char hints[MOST_HINTS][64];
    char other[WORDS];
    p3d_refusal refusal = {.rule = NULL};
    int n;

    if (ask(problem, words, &refusal))
        return 0;
    n = read_hints(refusal.reason, hints);
    for (int i = 0; i < n; i++) {
        put_in(words, hints[i], other);
        if (!leads_away(problem, other, refusal.rule, 3))
            fail_msg("%s, %s: %s: %s", problem->job.framework->name, words,
                    refusal.rule, refusal.reason);
    }
    return n;
}

static const char *const sizes[] = {"", "pp=2", "pp=2,vp=2", "pp=2,vp=4"};
static const char *const stages[] = {
        "", ",zero=0", ",zero=1", ",zero=2", ",zero=3"};
static const char *const offloads[] = {"", ",offload=optimizer",
        ",offload=optimizer:0.5", ",offload=optimizer+parameters",
        ",offload=optimizer+parameters+activations:0.5", ",offload=activations",
        ",offload=optimizer@nvme"};
static const char *const others[] = {"", ",shard=8", ",recompute=full",
        ",recompute=selective:mlp", ",recompute=full:2"};

static int check_framework(const p3d_problem *problem, const char *schedule)
{
    char words[WORDS];
    int n = 0;

    for (int a = 0; a < P3D_COUNT_OF(sizes); a++)
        for (int b = 0; b < P3D_COUNT_OF(stages); b++)
            for (int c = 0; c < P3D_COUNT_OF(offloads); c++)
                for (int d = 0; d < P3D_COUNT_OF(others); d++) {
                    snprintf(words, sizeof(words), "%s%s%s%s%s", sizes[a],
                            schedule, stages[b], offloads[c], others[d]);
                    n += check_hints(problem, words + (words[0] == ','));
                }
    return n;
}

static void hints_lead_to_what_the_rule_takes(void **state)
{
    int n_frameworks;
    const p3d_framework *frameworks = p3d_frameworks(&n_frameworks);
    int n = 0;

    (void)state;
    for (int i = 0; i < n_frameworks; i++) {
        p3d_problem problem =
                problem_of("llama-2-7b", "64xH100", "generic", 4096, 512);

        problem.job.framework = &frameworks[i];
        n += check_framework(&problem, "");
        for (int k = 0; k < P3D_N_SCHEDULES; k++) {
            char schedule[64];

            snprintf(schedule, sizeof(schedule), ",schedule=%s",
                    p3d_schedule_name((p3d_schedule)k));
            n += check_framework(&problem, schedule);
        }
    }
    assert_true(n > 10000);
}

static void refusal_is(
        const char *framework, const char *words, const char *reason)
{
    const p3d_problem problem =
            problem_of("llama-3-8b", "8xH100", framework, 8192, 512);
    p3d_refusal refusal = {.rule = NULL};

    assert_false(ask(&problem, words, &refusal));
    assert_string_equal(refusal.reason, reason);
}

static void hints_name_what_the_framework_has(void **state)
{
    (void)state;
    refusal_is("megatron-core", "pp=2,vp=4,schedule=zb-v",
            "schedule=zb-v: megatron-core does not support it; try "
            "schedule=interleaved");
    refusal_is("nanotron", "pp=2,vp=2,schedule=zb-v",
            "schedule=zb-v: nanotron does not support it; try "
            "schedule=1f1b,vp=1");
    refusal_is("deepspeed", "recompute=full,offload=activations",
            "offload=activations: deepspeed has no offload of "
            "activations; try offload=none");
    refusal_is("deepspeed", "zero=1,offload=optimizer+activations",
            "offload=optimizer+activations: deepspeed has no offload of "
            "activations; try offload=optimizer");
    refusal_is("nanotron", "pp=2,zero=3",
            "zero=3: nanotron does not support it; try zero=0 or 1");
    refusal_is("megatron-core", "pp=2,zero=3",
            "zero=3: megatron-core does not support it with a pipeline; try "
            "zero=0 or "
            "1");
    refusal_is("fsdp2", "zero=3,offload=optimizer",
            "offload=optimizer: fsdp2 offloads the optimizer with the weights "
            "alone; try offload=optimizer+parameters");
    refusal_is("fsdp2", "zero=2,offload=optimizer+parameters",
            "offload=optimizer+parameters needs zero=3, not zero=2; try zero=3 "
            "or offload=none");
    refusal_is("ddp", "zero=0,shard=2",
            "shard=2: zero=0 shares no states, and ddp has no stage that "
            "groups of replicas share; leave it out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(hints_lead_to_what_the_rule_takes),
            cmocka_unit_test(hints_name_what_the_framework_has),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
