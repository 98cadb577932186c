/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_read.c - plans in words, read: the words that there are, what a text has
 * said, and what follows from it. */
#include "spec/plan_words.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/given.h"

/* A word: what it says, and of a flag whether it is on. */
typedef struct word_row {
    const char *word;
    spec_plan_key key;
    bool on;
} word_row;

/* Each value's own word, if it has one, then others. */
static const word_row word_table[] = {
#define AS_WORD(type, pin, member, word, kind, least, most, free, doc) \
    {word, P3D_KEY_##member, true},
        P3D_PLAN_FIELDS(AS_WORD)
#undef AS_WORD
                {"vpp", P3D_KEY_vp, true},
        {"micro_batch", P3D_KEY_micro_batch, true},
#define AS_OFF(member, off, title, needs, usual) {off, P3D_KEY_##member, false},
        P3D_PLAN_FLAGS(AS_OFF)
#undef AS_OFF
};

static const spec_plan_field *field_of(const word_row *row)
{
    return &spec_plan_fields[row->key];
}

/* The i-th row with a word, or NULL past the last. */
static const word_row *row_at(int i)
{
    for (int k = 0; k < P3D_COUNT_OF(word_table); k++) {
        if (word_table[k].word != NULL && i-- == 0)
            return &word_table[k];
    }
    return NULL;
}

const char *spec_plan_word(int i)
{
    const word_row *const row = row_at(i);

    return row != NULL ? row->word : NULL;
}

bool spec_plan_word_has_value(int i)
{
    const word_row *const row = row_at(i);

    return row != NULL && field_of(row)->kind != SPEC_FIELD_FLAG;
}

const char *spec_plan_word_value(int i, int k)
{
    const word_row *const row = row_at(i);

    return row != NULL ? spec_plan_value_name(row->key, k) : NULL;
}

enum {
    WORD_LENGTH = 128,
    EXAMPLE = 2 /* of a number: every one may be it */
};

/* One word in pieces: "recompute=full:4" is key, value. */
typedef struct word_item {
    char text[WORD_LENGTH]; /* as written, for messages */
    char key[WORD_LENGTH];
    char value[WORD_LENGTH];
    bool has_value;
} word_item;

/* Append to a list of words: "tp, pp or dp". */
static void list(char *out, size_t n, const char *word, bool first, bool last)
{
    const size_t used = strlen(out);

    snprintf(out + used, n - used, "%s%s",
            first  ? ""
            : last ? " or "
                   : ", ",
            word);
}

static bool fail_key(const word_item *item, p3d_error *err)
{
    p3d_nearest nearest = {.word = item->key};
    char otherwise[192] = "; write ";

    for (int i = 0; i < P3D_COUNT_OF(word_table); i++) {
        const word_row *const row = &word_table[i];
        const bool again = i >= P3D_N_PLAN_KEYS && row->on;

        if (row->word == NULL)
            continue;
        p3d_nearest_offer(&nearest, row->word);
        if (!again)
            list(otherwise, sizeof(otherwise), row->word, i == 0,
                    i + 1 == P3D_COUNT_OF(word_table));
    }
    return p3d_fail(err, P3D_DATA, "unknown word '%s' in a plan%s", item->key,
            p3d_did_you_mean(&nearest, otherwise));
}

static const word_row *find_row(const char *key)
{
    for (int i = 0; i < P3D_COUNT_OF(word_table); i++) {
        if (word_table[i].word != NULL &&
                p3d_same_word(word_table[i].word, key))
            return &word_table[i];
    }
    return NULL;
}

/* The least that a word says: what a value left to the search is, is not said.
 */
static int least_said(const spec_plan_field *field)
{
    return field->free == field->least ? field->least + 1 : field->least;
}

static bool read_number(
        const word_item *item, const word_row *row, double *out, p3d_error *err)
{
    const spec_plan_field *const field = field_of(row);
    const char *const text = item->value;
    const int64_t value = spec_digits(text);

    if (value < 0)
        return p3d_fail(err, P3D_DATA,
                "'%s': '%s' is not a whole number; write %s=%d", item->text,
                text, row->word, EXAMPLE);
    if (value < least_said(field) || value > field->most)
        return p3d_fail(err, P3D_DATA,
                "'%s': %s is out of range; write a number from %d to %d",
                item->text, text, least_said(field), field->most);
    *out = (double)value;
    return true;
}

static bool fail_choice(
        const word_item *item, spec_plan_key key, p3d_error *err)
{
    p3d_nearest nearest = {.word = item->value};
    char otherwise[128] = "; write ";
    const char *next = spec_plan_value_name(key, 0);

    for (int i = 0; next != NULL; i++) {
        const char *const name = next;

        next = spec_plan_value_name(key, i + 1);
        p3d_nearest_offer(&nearest, name);
        list(otherwise, sizeof(otherwise), name, i == 0, next == NULL);
    }
    return p3d_fail(err, P3D_DATA, "'%s': unknown value '%s'%s", item->text,
            item->value, p3d_did_you_mean(&nearest, otherwise));
}

static bool read_choice(
        const word_item *item, spec_plan_key key, double *out, p3d_error *err)
{
    const char *name;

    for (int i = 0; (name = spec_plan_value_name(key, i)) != NULL; i++) {
        if (p3d_same_word(name, item->value)) {
            *out = i;
            return true;
        }
    }
    return fail_choice(item, key, err);
}

/* What to write in the place of a word without a value. */
static const char *example_of(const word_row *row, char out[WORD_LENGTH])
{
    const char *const first = spec_plan_value_name(row->key, 0);
    const bool none = first != NULL && strcmp(first, "none") == 0;

    if (first != NULL)
        snprintf(out, WORD_LENGTH, "%s=%s", row->word,
                spec_plan_value_name(row->key, none));
    else
        snprintf(out, WORD_LENGTH, "%s=%d", row->word, EXAMPLE);
    return out;
}

/* "sp", "nosp", and as changes are printed, "sp=off". */
static bool read_flag(
        const word_item *item, const word_row *row, double *out, p3d_error *err)
{
    const int flag = spec_flag_of(row->key);

    *out = row->on;
    if (!item->has_value)
        return true;
    for (int on = 0; row->on && on <= 1; on++) {
        if (p3d_same_word(item->value, spec_switch_words[on])) {
            *out = on;
            return true;
        }
    }
    if (row->on && flag >= 0)
        return p3d_fail(err, P3D_DATA,
                "'%s': %s takes on or off; write %s or %s", item->text,
                row->word, field_of(row)->word, spec_flags[flag].off);
    return p3d_fail(err, P3D_DATA, "'%s': %s takes %s; write %s", item->text,
            row->word, row->on ? "on or off" : "no value", row->word);
}

static bool read_value(
        word_item *item, const word_row *row, spec_said *said, p3d_error *err)
{
    double *const out = &said->value[row->key];
    char example[WORD_LENGTH];

    if (field_of(row)->kind == SPEC_FIELD_FLAG)
        return read_flag(item, row, out, err);
    if (!item->has_value || item->value[0] == '\0')
        return p3d_fail(err, P3D_DATA, "'%s' has no value; write %s",
                item->text, example_of(row, example));
    if (row->key == P3D_KEY_recompute)
        return spec_read_recompute(item->text, item->value, said, err);
    if (row->key == P3D_KEY_offload)
        return spec_read_offload(item->text, item->value, said, err);
    if (row->key == P3D_KEY_schedule && p3d_same_word(item->value, "dualpipe"))
        return p3d_fail(err, P3D_DATA,
                "'%s': with its two copies of the weights it is "
                "schedule=dualpipe-v on half the ranks of the pipeline and "
                "twice the replicas; write pp=4,vp=2,schedule=dualpipe-v for "
                "pp=8",
                item->text);
    if (field_of(row)->kind == SPEC_FIELD_NAMED)
        return read_choice(item, row->key, out, err);
    return read_number(item, row, out, err);
}

/* Copy n bytes without the spaces around them. */
static void copy_trimmed(char to[WORD_LENGTH], const char *from, size_t n)
{
    while (n > 0 && *from == ' ') {
        from++;
        n--;
    }
    while (n > 0 && from[n - 1] == ' ')
        n--;
    P3D_ASSERT(n < WORD_LENGTH);
    memcpy(to, from, n);
    to[n] = '\0';
}

/* The word for the value of a flag: one of sp, nosp and uneven=off. */
static const char *flag_words(
        const spec_said *said, spec_plan_key key, char out[WORD_LENGTH])
{
    const bool on = said->value[key] != 0;

    for (int i = 0; i < P3D_COUNT_OF(word_table); i++) {
        if (word_table[i].key == key && word_table[i].on == on)
            return word_table[i].word;
    }
    snprintf(out, WORD_LENGTH, "%s=%s", spec_plan_fields[key].word,
            spec_switch_words[on]);
    return out;
}

/* A second word for a key: the same once more, or the other of two flags. */
static bool fail_again(const word_item *item, const word_row *row,
        const spec_said *said, p3d_error *err)
{
    char words[WORD_LENGTH];
    double value = 0;

    if (field_of(row)->kind == SPEC_FIELD_FLAG) {
        if (!read_flag(item, row, &value, err))
            return false;
        if (said->value[row->key] != value)
            return p3d_fail(err, P3D_DATA,
                    "'%s' and '%s' contradict each other; leave one out",
                    flag_words(said, row->key, words), item->text);
    }
    return p3d_fail(err, P3D_DATA, "'%s': %s is given twice; write it once",
            item->text, row->word);
}

static bool read_item(
        const char *text, size_t n, spec_said *said, p3d_error *err)
{
    const word_row *row;
    const char *equals, *full;
    char in_full[WORD_LENGTH + 16];
    word_item item = {0};

    if (n >= sizeof(item.text))
        return p3d_fail(err, P3D_DATA,
                "'%.40s...' is too long for a word of a plan; write tp=8,pp=2",
                text);
    copy_trimmed(item.text, text, n);
    if (item.text[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "a comma with no word beside it; write tp=8,pp=2");
    full = spec_plan_lengthen(item.text, in_full, sizeof(in_full));
    equals = strchr(full, '=');
    item.has_value = equals != NULL;
    if (equals == NULL)
        equals = full + strlen(full);
    copy_trimmed(item.key, full, (size_t)(equals - full));
    if (item.has_value)
        copy_trimmed(item.value, equals + 1, strlen(equals + 1));
    row = find_row(item.key);
    if (row == NULL)
        return fail_key(&item, err);
    if (said->said[row->key])
        return fail_again(&item, row, said, err);
    said->said[row->key] = true;
    return read_value(&item, row, said, err);
}

/* Bytes up to the comma behind a word, or to the blanks before the next one:
 * those around "=" belong to it. */
static size_t item_length(const char *p)
{
    const size_t most = strcspn(p, ",");
    size_t n = strspn(p, " ");

    while (n < most) {
        const size_t end = n + strcspn(p + n, " ,");
        const size_t next = end + strspn(p + end, " ");

        if (next >= most || p[next] == '\0')
            return most;
        if (p[next] != '=' && p[end - 1] != '=')
            return end;
        n = next;
    }
    return most;
}

bool spec_said_read(const char *words, spec_said *out, p3d_error *err)
{
    spec_said said = {0};
    const char *p = words;

    if (p[strspn(p, " ")] != '\0') {
        for (;;) {
            const size_t n = item_length(p);

            if (!read_item(p, n, &said, err))
                return false;
            if (p[n] == '\0')
                break;
            p += n + 1;
        }
    }
    *out = said;
    return true;
}

/* dp from the GPUs, and the check that the plan uses each of them. */
static bool derive_dp(
        const spec_said *said, int n_gpus, p3d_plan *plan, p3d_error *err)
{
    const int64_t replica = p3d_mul(p3d_mul(plan->tp, plan->pp), plan->cp);
    int64_t total;

    if (!said->said[P3D_KEY_dp]) {
        if (replica > n_gpus || n_gpus % replica != 0)
            return p3d_fail(err, P3D_DATA,
                    "tp=%d x pp=%d x cp=%d does not divide %d GPUs; write "
                    "sizes whose product does",
                    plan->tp, plan->pp, plan->cp, n_gpus);
        plan->dp = (int)(n_gpus / replica);
    }
    total = p3d_mul(replica, plan->dp);
    if (total > n_gpus) /* fewer: a rule's business, nodes may be idle */
        return p3d_fail(err, P3D_DATA,
                "tp*pp*dp*cp = %lld, but the cluster has %d GPUs; leave dp out "
                "to have it derived",
                (long long)total, n_gpus);
    return true;
}

/* One replica of a framework that copies none is not sharded. */
static int usual_zero(const p3d_framework *framework, const p3d_plan *plan)
{
    if (framework == NULL)
        return 1;
    return plan->dp == 1 && (framework->lacks & P3D_LACKS_COPIES) != 0
                   ? 0
                   : framework->usual_zero[plan->pp > 1];
}

bool p3d_plan_parse(const char *words, int n_gpus,
        const p3d_framework *framework, p3d_plan *out, p3d_error *err)
{
    if (words == NULL || n_gpus < 1 || out == NULL)
        return p3d_misuse(err, __func__);

    spec_said said;
    p3d_plan plan = {0};

    if (!spec_said_read(words, &said, err))
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const spec_plan_key key = (spec_plan_key)i;

        spec_plan_set(&plan, key,
                said.said[i] ? said.value[i] : spec_plan_usual(&plan, key));
    }
    if (plan.offload_frac >= 1)
        plan.offload_frac = 0;
    if (plan.recompute_layers == SPEC_ALL_LAYERS)
        plan.recompute_layers = 0;
    if (!derive_dp(&said, n_gpus, &plan, err))
        return false;
    if (!said.said[P3D_KEY_zero])
        plan.zero = usual_zero(framework, &plan);
    *out = plan;
    return true;
}
