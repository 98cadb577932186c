/* SPDX-License-Identifier: GPL-3.0-or-later */
/* same_rules.c - the invariants of one question that is asked in several
 * ways: the answers are the same. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "commands/invariants.h"
#include "report/amounts.h"

enum { ROW = 256 };

/* Where two values first differ, to the last bit; what is only told of ranked
 * plans is left out. */
static bool is_same(const json_value *a, const json_value *b, char *where)
{
    const size_t used = strlen(where);
    double x = 0;
    double y = 0;

    if (a == NULL || b == NULL || (a->type & 0xff) != (b->type & 0xff))
        return false;
    if (json_number(a, &x) && json_number(b, &y))
        return x == y;
    if (json_is_string(a))
        return strcmp(json_string(a), json_string(b)) == 0;
    a = json_first(a);
    b = json_first(b);
    for (; a != NULL && b != NULL; a = json_next(a), b = json_next(b)) {
        if (strcmp(json_key(a), "why_not_first") == 0)
            continue;
        snprintf(where + used, ROW - used, ".%s", json_key(a));
        if (strcmp(json_key(a), json_key(b)) != 0 || !is_same(a, b, where))
            return false;
        where[used] = '\0';
    }
    return a == NULL && b == NULL;
}

static verdict compare(trial *t, const answer *a, const json_value *of_a,
        const answer *b, const json_value *of_b)
{
    char where[ROW] = "";

    if (is_same(of_a, of_b, where))
        return INVARIANT_HOLDS;
    return trial_broken(
            t, a, b, "they differ%s%s", where[0] ? " in " : "", where);
}

/* The plan that an answer is about. */
static const char *subject(const answer *a)
{
    static const char *const keys[] = {"best", "closest", "estimate"};

    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        if (answer_at(a, keys[i]) != NULL)
            return keys[i];
    return "";
}

static double subject_number(const answer *a, const char *path)
{
    char whole[128];

    snprintf(whole, sizeof(whole), "%s.%s", subject(a), path);
    return answer_number(a, whole);
}

/* A line of a table by how it begins, with single blanks; "" = none. */
static void find_row(const char *text, const char *head, char row[ROW])
{
    const char *p = strstr(text, head);
    size_t n = 0;

    if (p != NULL && *p == '\n')
        p++;
    for (; p != NULL && *p != '\n' && *p != '\0' && n + 1 < ROW; p++)
        if (*p != ' ' || (n > 0 && row[n - 1] != ' '))
            row[n++] = *p;
    row[n] = '\0';
}

static bool row_has(const char *text, const char *head, const char *number)
{
    char row[ROW];
    char part[ROW / 2];

    find_row(text, head, row);
    snprintf(part, sizeof(part), " %s ", number);
    return strstr(row, part) != NULL;
}

/* "used on the GPU", or what its maker calls it. */
static bool says_used(const answer *text, const char *type, const char *number)
{
    char label[48];
    p3d_gpu gpu;

    if (!p3d_gpu_find(type, &gpu, NULL))
        return false;
    snprintf(label, sizeof(label), "used on the %s", p3d_gpu_noun(&gpu));
    return row_has(text->out, label, number);
}

static bool says_verdict(const answer *text, const answer *json)
{
    static const struct {
        const char *name;
        const char *words;
    } verdicts[] = {{"fits", "FITS, "}, {"fits_barely", "FITS, BARELY, "},
            {"does_not_fit", "DOES NOT FIT"}};
    char path[LINE_WORD];
    const char *name;
    int i = 0;

    snprintf(path, sizeof(path), "%s%sverdict", subject(json),
            subject(json)[0] != '\0' ? "." : "");
    name = answer_string(json, path);
    while (strcmp(verdicts[i].name, name) != 0 &&
            i + 1 < P3D_COUNT_OF(verdicts))
        i++;
    return strncmp(text->out, verdicts[i].words, strlen(verdicts[i].words)) ==
                   0 &&
           (i > 0 || strncmp(text->out, "FITS, BARELY", 12) != 0);
}

verdict trial_text_is_json(trial *t)
{
    static const char *const commands[] = {"fit", "plan", "estimate"};
    const char *const command = line_positional(&t->first->line, 0);
    line l = line_of_command(&t->first->line, "fit");
    const answer *text, *json;
    char number[64], words[LINE_WORD];
    report_clock clock;
    double step_s;
    int i = 0;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    while (i < P3D_COUNT_OF(commands) && strcmp(commands[i], command) != 0)
        i++;
    if (i == P3D_COUNT_OF(commands))
        return INVARIANT_SILENT;
    l = line_of_command(&t->first->line, command);
    line_set(&l, "json", NULL);
    json = trial_ask(t, &l);
    line_drop(&l, "json");
    if (strcmp(command, "fit") == 0)
        line_set(&l, "long", NULL);
    text = trial_ask(t, &l);
    if (text->status != json->status)
        return trial_broken(t, text, json, "the status is %d and %d",
                text->status, json->status);
    if (!says_verdict(text, json))
        return trial_broken(t, text, json, "the verdict is another");
    if (subject(json)[0] == '\0')
        return INVARIANT_HOLDS;
    snprintf(words, sizeof(words), "%s.words", subject(json));
    if (strstr(text->out, answer_string(json, words)) == NULL)
        return trial_broken(t, text, json, "the plan is another");
    snprintf(number, sizeof(number), "%.*f",
            report_gib_digits(
                    (int64_t)subject_number(json, "memory.usable_bytes")),
            report_gib((int64_t)subject_number(json, "memory.peak_bytes")));
    if (!says_used(text, answer_string(json, "cluster.gpu"), number))
        return trial_broken(t, text, json, "the peak is not %s", number);
    step_s = subject_number(json, "time.step_s");
    clock = report_clock_for(step_s);
    snprintf(number, sizeof(number), "%.*f", clock.digits,
            step_s / clock.unit_s);
    if (strcmp(subject(json), "closest") != 0 &&
            !row_has(text->out, "one step", number))
        return trial_broken(t, text, json, "the step is not %s", number);
    return INVARIANT_HOLDS;
}

/* A number of the document, in three digits, behind the label of the text. */
static bool says_three(const answer *text, const char *label, double value)
{
    return row_has(text->out, label, report_three_words(value).text);
}

verdict trial_first_screen_is_json(trial *t)
{
    line l = line_of_command(&t->first->line, "fit");
    const answer *text, *json;
    double step_s;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    line_drop(&l, "long");
    text = trial_ask(t, &l);
    line_set(&l, "json", NULL);
    json = trial_ask(t, &l);
    if (text->status == json->status && text->status > 1)
        return INVARIANT_HOLDS; /* refused, where the command was not */
    if (text->status != json->status || !says_verdict(text, json))
        return trial_broken(t, text, json, "the verdict is another");
    if (answer_at(json, "best") == NULL)
        return INVARIANT_HOLDS;
    if (strstr(text->out, answer_string(json, "best.words")) == NULL)
        return trial_broken(t, text, json, "the plan is another");
    if (!says_three(text, "\nmemory ",
                report_gib((int64_t)answer_number(
                        json, "best.memory.peak_bytes"))))
        return trial_broken(t, text, json, "the peak is another");
    step_s = answer_number(json, "best.time.step_s");
    if (!says_three(text, "\nstep ", step_s / report_clock_for(step_s).unit_s))
        return trial_broken(t, text, json, "the step is another");
    return INVARIANT_HOLDS;
}

static const json_option *format_option(const char *command)
{
    const cli_command *const found = cli_command_find(command, NULL);

    return found == NULL ? NULL : json_option_find(found->table, "--format");
}

verdict trial_forms_have_one_status(trial *t)
{
    const json_option *const option =
            format_option(line_positional(&t->first->line, 0));
    line l = t->first->line;
    const answer *other;
    int n = 0;

    if (option == NULL || !answer_is_given(t->first) || line_has(&l, "help"))
        return INVARIANT_SILENT;
    while (option->field.type->word(n) != NULL)
        n++;
    line_drop(&l, "json");
    line_set(&l, "format", option->field.type->word(draw_below(&t->draw, n)));
    other = trial_ask(t, &l);
    if (answer_is_given(other) && other->status != t->first->status)
        return trial_broken(t, t->first, other, "the status is %d and %d",
                t->first->status, other->status);
    return INVARIANT_HOLDS;
}

verdict trial_fit_is_first_of_plan(trial *t)
{
    static const char *const keys[] = {"fits", "best", "closest", "changes"};
    line l = trial_question(t, "fit");
    const answer *fit, *plan;
    char top[16];

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    fit = trial_ask(t, &l);
    l = trial_question(t, "plan");
    snprintf(top, sizeof(top), "%d", 1 + draw_below(&t->draw, 30));
    line_set(&l, "top", top);
    plan = trial_ask(t, &l);
    if (fit->status != plan->status)
        return trial_broken(t, fit, plan, "the status is %d and %d",
                fit->status, plan->status);
    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        if (answer_at(fit, keys[i]) == NULL && answer_at(plan, keys[i]) == NULL)
            continue;
        if (compare(t, fit, answer_at(fit, keys[i]), plan,
                    answer_at(plan, keys[i])) == INVARIANT_BROKEN)
            return INVARIANT_BROKEN;
    }
    return INVARIANT_HOLDS;
}

/* Where any framework was asked for, the one that the answer is of: another may
 * be faster with one of its plans. */
static void name_framework(line *l, const answer *of)
{
    if (line_has(l, "framework"))
        line_set(l, "framework", answer_string(of, "job.framework"));
}

/* The estimate of one of an answer's plans is the answer's own. */
static verdict compare_estimate(
        trial *t, const answer *of, const json_value *plan)
{
    line l = trial_question(t, "estimate");
    const answer *estimate;

    line_set(&l, "plan", json_string(json_get(plan, "words")));
    name_framework(&l, of);
    estimate = trial_ask(t, &l);
    if (!answer_is_given(estimate))
        return trial_broken(
                t, of, estimate, "it is refused: %s", estimate->err);
    return compare(t, of, plan, estimate, answer_at(estimate, "estimate"));
}

verdict trial_best_is_its_estimate(trial *t)
{
    line l = trial_question(t, "plan");
    const answer *plan;
    const json_value *p;
    verdict found;
    int n = 0;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    line_set(&l, "top", "12");
    plan = trial_ask(t, &l);
    if (!answer_is_given(plan) || subject(plan)[0] == '\0')
        return INVARIANT_SILENT;
    found = compare_estimate(t, plan, answer_at(plan, subject(plan)));
    for (p = json_first(answer_at(plan, "plans")); p != NULL; p = json_next(p))
        n++;
    if (found != INVARIANT_HOLDS || n == 0)
        return found;
    p = json_first(answer_at(plan, "plans"));
    for (int i = draw_below(&t->draw, n); i > 0; i--)
        p = json_next(p);
    return compare_estimate(t, plan, p);
}

/* The words of the plan that an estimate is of, with nothing left to the
 * search that --pin can say. @return false where --pin cannot say it */
static bool pin_words(const answer *a, char *words, size_t n)
{
    static const char *const sizes[][2] = {{"tp", "tp"}, {"pp", "pp"},
            {"dp", "dp"}, {"cp", "cp"}, {"ep", "ep"}, {"etp", "etp"},
            {"vp", "vp"}, {"micro_batch", "mbs"}, {"zero", "zero"}};
    static const char *const free_when_0[][2] = {{"shard", "shard"},
            {"first_layers", "first"}, {"last_layers", "last"}};
    size_t used = 0;

    if (subject_number(a, "plan.group") > 0 ||
            subject_number(a, "plan.recompute_group") > 0)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        char path[64];

        snprintf(path, sizeof(path), "plan.%s", sizes[i][0]);
        used += (size_t)snprintf(words + used, n - used, "%s=%.0f,",
                sizes[i][1], subject_number(a, path));
    }
    for (int i = 0; i < P3D_COUNT_OF(free_when_0); i++) {
        char path[64];

        snprintf(path, sizeof(path), "plan.%s", free_when_0[i][0]);
        if (subject_number(a, path) > 0)
            used += (size_t)snprintf(words + used, n - used, "%s=%.0f,",
                    free_when_0[i][1], subject_number(a, path));
    }
    snprintf(words + used, n - used,
            "%s,%srecompute=%s,offload=%s,schedule=%s,order=%s",
            subject_number(a, "plan.sequence_parallel") > 0 ? "sp" : "nosp",
            subject_number(a, "plan.uneven") > 0 ? "uneven," : "",
            answer_string(a, "estimate.recompute_words"),
            answer_string(a, "estimate.offload_words"),
            answer_string(a, "estimate.plan.schedule"),
            answer_string(a, "estimate.plan.order"));
    return true;
}

verdict trial_pinned_is_its_estimate(trial *t)
{
    line l = trial_question(t, "estimate");
    const answer *estimate, *pinned;
    char words[LINE_WORD - 16];

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    if (!line_has(&l, "plan")) {
        const grammar_size size =
                grammar_size_of(line_positional(&l, 1), line_positional(&l, 2));

        grammar_draw_plan(&t->draw, &size, words, sizeof(words));
        line_set(&l, "plan", words);
    }
    estimate = trial_ask(t, &l);
    if (!answer_is_given(estimate) ||
            !pin_words(estimate, words, sizeof(words)))
        return INVARIANT_SILENT;
    l = trial_question(t, "fit");
    line_set(&l, "pin", words);
    /* A pin leaves the modules of selective recomputation to the search. */
    line_set(&l, "within", "0");
    name_framework(&l, estimate);
    pinned = trial_ask(t, &l);
    if (!answer_is_given(pinned))
        return trial_broken(t, estimate, pinned,
                "the estimate is of a legal plan, the search says: %s",
                pinned->err);
    if (answer_true(estimate, "fits") && !answer_true(pinned, "fits"))
        return trial_broken(t, estimate, pinned, "the estimate alone fits");
    if (answer_true(estimate, "fits") &&
            subject_number(pinned, "time.step_s") >
                    subject_number(estimate, "time.step_s"))
        return trial_broken(t, estimate, pinned,
                "the search's best, %.17g s, is slower than the estimate, "
                "%.17g s",
                subject_number(pinned, "time.step_s"),
                subject_number(estimate, "time.step_s"));
    return INVARIANT_HOLDS;
}
