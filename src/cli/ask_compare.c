/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_compare.c - what a setting changes: "how much faster with fp8" is a sweep
 * of two rows, one as it is and one with the setting. */
#include "cli/ask_compare.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cli/ask_build.h"
#include "plan3d/job.h"
#include "plan3d/model.h"

/* What may be changed; a list of sweep has both values itself. */
static const struct {
    const char *name;
    bool is_list;
} changes[] = {{"dtype", false}, {"optimizer", false}, {"attention", false},
        {"fabric", false}, {"pin", false}, {"seq", true}, {"batch", true},
        {"framework", true}};

/* What a word of plans costs is seen against its opposite; so is what it gains,
 * where plans have it without being told. */
static const struct {
    const char *word, *opposite;
    bool is_usual;
} opposites[] = {{"recompute=full:all", "recompute=none", false},
        {"offload=optimizer", "offload=none", false}, {"sp", "nosp", true}};

/* What a job has without being told is seen against what it had before. */
static const struct {
    const char *name, *value, *opposite;
} usual[] = {{"attention", "flash", "eager"}, {"dtype", "bf16", "fp32"}};

static bool is_change(const ask_option *option, bool is_list)
{
    for (int i = 0; i < P3D_COUNT_OF(changes); i++)
        if (strcmp(changes[i].name, option->name) == 0)
            return changes[i].is_list == is_list;
    return false;
}

static bool has_change(const ask_facts *facts, bool is_list)
{
    for (int i = 0; i < facts->n_options; i++)
        if (is_change(&facts->option[i], is_list))
            return true;
    return false;
}

/* "how much does recomputation cost" is no question of money. */
static bool is_penalty(const ask_facts *facts)
{
    const char *const pins = ask_facts_option(facts, "pin");

    return pins != NULL && facts->usd_per_gpu_h == 0 && facts->n_tokens == 0 &&
           ask_wants(facts, ASK_WANTS_PENALTY | ASK_WANTS_COST);
}

bool ask_compares(const ask_facts *facts)
{
    const bool is_plan = ask_wants(facts, ASK_WANTS_PLAN | ASK_WANTS_FASTEST);
    const bool is_better =
            ask_wants(facts, ASK_WANTS_BETTER) && !is_plan &&
            (has_change(facts, false) || facts->framework[0] != '\0');

    return facts->n_other > 0 || facts->doubles_seq || is_penalty(facts) ||
           is_better ||
           ask_wants(facts,
                   ASK_WANTS_CHANGE | ASK_WANTS_PENALTY | ASK_WANTS_COMPARISON);
}

bool ask_add_answer(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    return ask_add_option(out, "answer",
            ask_wants(facts, ASK_WANTS_CHEAPEST) ? "cheapest" : "fastest", err);
}

/* What the second row has, and the lists of both. */
typedef struct comparison {
    ask_facts facts; /* less what is below */
    char beside[CLI_ASKED_BYTES];
    ask_option list; /* of sweep; "" = none */
} comparison;

static bool fail_long(p3d_error *err)
{
    return p3d_fail(err, P3D_USAGE, "the question is too long");
}

/* "dtype=fp8", with a blank between two. */
static bool add_beside(
        comparison *c, const char *name, const char *value, p3d_error *err)
{
    const size_t used = strlen(c->beside);
    const int n = snprintf(c->beside + used, sizeof(c->beside) - used,
            "%s%s=%s", used > 0 ? " " : "", name, value);

    return (size_t)n < sizeof(c->beside) - used || fail_long(err);
}

static ask_option *find_option(ask_facts *facts, const char *name)
{
    for (int i = 0; i < facts->n_options; i++)
        if (strcmp(facts->option[i].name, name) == 0)
            return &facts->option[i];
    return NULL;
}

static void drop_option(ask_facts *facts, const char *name)
{
    int n = 0;

    for (int i = 0; i < facts->n_options; i++)
        if (strcmp(facts->option[i].name, name) != 0)
            facts->option[n++] = facts->option[i];
    facts->n_options = n;
}

/* Both values as a list, in the order of the question. */
static bool set_list(comparison *c, const char *name, const char *first,
        const char *second, p3d_error *err)
{
    char both[2 * ASK_VALUE + 2];

    snprintf(both, sizeof(both), "%s,%s", first, second);
    if (c->list.name[0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "two things are compared at once; ask about one");
    (void)p3d_copy(c->list.name, sizeof(c->list.name), name);
    if (!p3d_copy(c->list.value, sizeof(c->list.value), both))
        return fail_long(err);
    drop_option(&c->facts, name);
    return true;
}

/* The pins with one word in place of that of its key. */
static void replace_pin(const char *pins, const char *word, char out[ASK_VALUE])
{
    const char *const before = ask_find_pin(pins, word);
    const size_t n = before != NULL ? strcspn(before, ",") : 0;

    if (before == NULL)
        (void)p3d_copy(out, ASK_VALUE, pins);
    else
        snprintf(out, ASK_VALUE, "%.*s%s%s", (int)(before - pins), pins, word,
                before + n);
}

/* Second values. */
static bool add_others(comparison *c, p3d_error *err)
{
    char pins[ASK_VALUE] = "";

    for (int i = 0; i < c->facts.n_other; i++) {
        const ask_option *const other = &c->facts.other[i];
        const char *const first = ask_facts_option(&c->facts, other->name);
        char replaced[ASK_VALUE];

        if (strcmp(other->name, "pin") == 0) {
            replace_pin(i > 0 && pins[0] != '\0' ? pins : first, other->value,
                    replaced);
            (void)p3d_copy(pins, sizeof(pins), replaced);
        } else if (is_change(other, true)) {
            if (!set_list(c, other->name, first, other->value, err))
                return false;
        } else if (!add_beside(c, other->name, other->value, err)) {
            return false;
        }
    }
    return pins[0] == '\0' || add_beside(c, "pin", pins, err);
}

/* Twice the sequence that is said, or that the model was trained with. */
static bool double_seq(comparison *c, p3d_error *err)
{
    const char *const said = ask_facts_option(&c->facts, "seq");
    char first[ASK_NUMBER_BUFFER], second[ASK_NUMBER_BUFFER];
    long seq = 0;

    if (said != NULL && sscanf(said, "%ld", &seq) != 1)
        return fail_long(err);
    if (said == NULL) {
        seq = ask_usual_seq(c->facts.model, err);
        if (seq == 0)
            return false;
    }
    snprintf(first, sizeof(first), "%ld", seq);
    snprintf(second, sizeof(second), "%ld", 2 * seq);
    return set_list(c, "seq", first, second, err);
}

/* The words of plans that a cost is asked of, against their opposites. */
static bool set_opposites(comparison *c, p3d_error *err)
{
    ask_option *const pins = find_option(&c->facts, "pin");
    char plain[ASK_VALUE];
    bool any = false;

    if (pins == NULL)
        return true;
    if (!add_beside(c, "pin", pins->value, err))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(opposites); i++) {
        const char *const at = ask_find_pin(pins->value, opposites[i].word);

        if (at == NULL ||
                strncmp(at, opposites[i].word, strlen(opposites[i].word)) != 0)
            continue;
        replace_pin(pins->value, opposites[i].opposite, plain);
        if (strcmp(plain, pins->value) == 0)
            continue;
        (void)p3d_copy(pins->value, sizeof(pins->value), plain);
        any = true;
    }
    if (!any)
        drop_option(&c->facts, "pin");
    return true;
}

/* The value of a setting that the first row has in its place; NULL = none. */
static const char *opposite_of(const ask_option *option)
{
    for (int i = 0; i < P3D_COUNT_OF(usual); i++)
        if (strcmp(usual[i].name, option->name) == 0 &&
                strcmp(usual[i].value, option->value) == 0)
            return usual[i].opposite;
    return NULL;
}

static bool has_usual_word(const ask_option *option)
{
    for (int i = 0; i < P3D_COUNT_OF(opposites); i++)
        if (opposites[i].is_usual && strcmp(option->name, "pin") == 0 &&
                ask_find_pin(option->value, opposites[i].word) != NULL)
            return true;
    return false;
}

static bool move_change(comparison *c, const ask_option *option, p3d_error *err)
{
    const char *const opposite = opposite_of(option);
    ask_option *first;

    if (has_usual_word(option))
        return set_opposites(c, err);
    if (!add_beside(c, option->name, option->value, err))
        return false;
    if (opposite == NULL) {
        drop_option(&c->facts, option->name);
        return true;
    }
    first = find_option(&c->facts, option->name);
    return first == NULL ||
           p3d_copy(first->value, sizeof(first->value), opposite) ||
           fail_long(err);
}

/* Every setting that may change is that of the second row. */
static bool move_changes(comparison *c, p3d_error *err)
{
    const ask_facts before = c->facts;
    const char *const framework = ask_facts_option(&before, "framework");
    static const char core[] = "megatron-core";

    for (int i = 0; i < before.n_options; i++) {
        const ask_option *const option = &before.option[i];

        if (is_change(option, false) && !move_change(c, option, err))
            return false;
    }
    if (has_change(&before, false))
        return true;
    if (framework != NULL && strcmp(framework, core) != 0)
        return set_list(c, "framework", core, framework, err);
    return ask_fail_missing("what to compare with is", "with fp8", err);
}

static bool choose(comparison *c, p3d_error *err)
{
    if (c->facts.n_other > 0)
        return add_others(c, err);
    if (c->facts.doubles_seq)
        return double_seq(c, err);
    return is_penalty(&c->facts) ? set_opposites(c, err) : move_changes(c, err);
}

static bool add_rows(comparison *c, cli_asked *out, p3d_error *err)
{
    const bool lists = c->list.name[0] != '\0';
    const bool beside = c->beside[0] != '\0';

    return ask_begin("sweep", &c->facts, out, err) &&
           ask_add_clusters(&c->facts, out, err) &&
           ask_add_rest(&c->facts, out, err) &&
           (!lists || ask_add_option(out, c->list.name, c->list.value, err)) &&
           (!beside || ask_add_option(out, "beside", c->beside, err)) &&
           ((beside && !ask_wants(&c->facts, ASK_WANTS_CHEAPEST)) ||
                   ask_add_answer(&c->facts, out, err));
}

bool ask_compare(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    comparison c = {.facts = *facts, .beside = ""};

    return ask_need_model(facts, err) && ask_need_clusters(facts, err) &&
           (is_penalty(facts) || ask_need_money(facts, err)) &&
           choose(&c, err) && add_rows(&c, out, err);
}
