/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_words.c - plans in words: one table for reading and writing them. */
#include "spec/plan_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/given.h"

/* clang-format off */
const spec_plan_field spec_plan_fields[P3D_N_PLAN_KEYS] = {
#define AS_ROW(type, pin, member, word, kind, least, most, free, doc) \
    {word, SPEC_FIELD_##kind, least, most, free},
    P3D_PLAN_FIELDS(AS_ROW)
#undef AS_ROW
};
/* clang-format on */

static const char *const recompute_names[] = {
        [P3D_RECOMPUTE_NONE] = "none",
        [P3D_RECOMPUTE_SELECTIVE] = "selective",
        [P3D_RECOMPUTE_FULL] = "full",
};

static const char *const schedule_names[] = {
#define AS_WORD(name, word, chunks, a, b, splits, late, searched) word,
        P3D_SCHEDULES(AS_WORD)
#undef AS_WORD
};

static const char *const offload_names[] = {
        [P3D_OFFLOAD_NONE] = "none",
        [P3D_OFFLOAD_OPTIMIZER] = "optimizer",
        [P3D_OFFLOAD_OPTIMIZER_PARAMETERS] = "optimizer+parameters",
};

static const char *const order_names[] = {
        [P3D_ORDER_DP_PP] = "tp-cp-ep-dp-pp",
        [P3D_ORDER_PP_DP] = "tp-cp-ep-pp-dp",
};

const char *spec_plan_value_name(spec_plan_key key, int i)
{
#define NAMES(member)      \
    case P3D_KEY_##member: \
        return P3D_HAS(member##_names, i) ? member##_names[i] : NULL;
    switch ((int)key) {
        NAMES(recompute)
        NAMES(schedule)
        NAMES(offload)
        NAMES(order)
    }
#undef NAMES
    return NULL;
}

static const char *name_of(spec_plan_key key, int i)
{
    const char *const name = spec_plan_value_name(key, i);

    return name != NULL ? name : "";
}

const char *p3d_recompute_name(p3d_recompute recompute)
{
    return name_of(P3D_KEY_recompute, (int)recompute);
}

const char *p3d_schedule_name(p3d_schedule schedule)
{
    return name_of(P3D_KEY_schedule, (int)schedule);
}

const char *p3d_offload_name(p3d_offload offload)
{
    return name_of(P3D_KEY_offload, (int)offload);
}

const char *p3d_order_name(p3d_order order)
{
    return name_of(P3D_KEY_order, (int)order);
}

double spec_plan_get(const p3d_plan *plan, spec_plan_key key)
{
    switch ((int)key) {
#define AS_GET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: return (double)plan->member;
        P3D_PLAN_FIELDS(AS_GET)
#undef AS_GET
    }
    return 0;
}

void spec_plan_set(p3d_plan *plan, spec_plan_key key, double value)
{
    switch ((int)key) {
#define AS_SET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: plan->member = (type)value; break;
        P3D_PLAN_FIELDS(AS_SET)
#undef AS_SET
    }
}

int spec_plan_compare(const p3d_plan *a, const p3d_plan *b)
{
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const double va = spec_plan_get(a, (spec_plan_key)i);
        const double vb = spec_plan_get(b, (spec_plan_key)i);

        if (va != vb)
            return va < vb ? -1 : 1;
    }
    return 0;
}

double spec_pins_get(const p3d_pins *pins, spec_plan_key key)
{
    switch ((int)key) {
#define AS_PIN_GET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: return (double)pins->member;
        P3D_PLAN_FIELDS(AS_PIN_GET)
#undef AS_PIN_GET
    }
    return 0;
}

void spec_pins_set(p3d_pins *pins, spec_plan_key key, double value)
{
    switch ((int)key) {
#define AS_PIN_SET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: pins->member = (pin)value; break;
        P3D_PLAN_FIELDS(AS_PIN_SET)
#undef AS_PIN_SET
    }
}

/* clang-format off */
const spec_flag spec_flags[P3D_N_FLAGS] = {
#define AS_FLAG(member, off, title, needs, usual) \
    {P3D_KEY_##member, off, title, #needs},
    P3D_PLAN_FLAGS(AS_FLAG)
#undef AS_FLAG
};
/* clang-format on */

bool spec_flag_may(const p3d_plan *plan, int i)
{
    switch (i) {
#define AS_NEEDS(member, off, title, needs, usual) \
    case P3D_FLAG_##member: return plan->needs;
        P3D_PLAN_FLAGS(AS_NEEDS)
#undef AS_NEEDS
    }
    return false;
}

bool spec_flag_usual(const p3d_plan *plan, int i)
{
    static const bool is_usual[] = {
#define AS_USUAL(member, off, title, needs, usual) usual,
            P3D_PLAN_FLAGS(AS_USUAL)
#undef AS_USUAL
    };

    return is_usual[i] && spec_flag_may(plan, i);
}

void spec_flag_follow(p3d_plan *plan, int i)
{
    spec_plan_set(plan, spec_flags[i].key, spec_flag_usual(plan, i));
}

/* The flag of a key; -1 = it is none. */
static int flag_of(spec_plan_key key)
{
    int i = P3D_N_FLAGS - 1;

    while (i >= 0 && spec_flags[i].key != key)
        i--;
    return i;
}

/* A word: what it says, and of a flag whether it is on. */
typedef struct word_row {
    const char *word;
    spec_plan_key key;
    bool on;
} word_row;

static const char *const switch_words[] = {"off", "on"};

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
    const int flag = flag_of(row->key);

    *out = row->on;
    if (!item->has_value)
        return true;
    for (int on = 0; row->on && on <= 1; on++) {
        if (p3d_same_word(item->value, switch_words[on])) {
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
            switch_words[on]);
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

/* What is meant by a value that is not said, after those before it. */
static double usual_value(const p3d_plan *plan, spec_plan_key key)
{
    const int flag = flag_of(key);

    if (key == P3D_KEY_etp)
        return plan->ep > 1 ? 1 : plan->tp;
    if (flag >= 0)
        return spec_flag_usual(plan, flag);
    if (key == P3D_KEY_schedule)
        return plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B;
    return spec_plan_fields[key].least;
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
                said.said[i] ? said.value[i] : usual_value(&plan, key));
    }
    if (!said.said[P3D_KEY_zero])
        plan.zero = framework == NULL ? 1 : framework->usual_zero[plan.pp > 1];
    if (plan.offload_frac >= 1)
        plan.offload_frac = 0;
    if (!derive_dp(&said, n_gpus, &plan, err))
        return false;
    *out = plan;
    return true;
}

/* Writing. */

typedef struct cursor {
    char *buffer;
    size_t n;
    size_t used; /* without the NUL; may exceed n */
} cursor;

P3D_PRINTF(2, 3) static void put(cursor *to, const char *fmt, ...)
{
    const size_t room = to->used < to->n ? to->n - to->used : 0;
    va_list args;
    int length;

    va_start(args, fmt);
    length =
            vsnprintf(room > 0 ? to->buffer + to->used : NULL, room, fmt, args);
    va_end(args);
    P3D_ASSERT(length >= 0);
    to->used += (size_t)length;
}

/* True for values that a plan's text leaves out. */
static bool goes_without_saying(const p3d_plan *plan, spec_plan_key key)
{
    switch ((int)key) {
    case P3D_KEY_tp:
    case P3D_KEY_pp:
    case P3D_KEY_dp:
    case P3D_KEY_micro_batch:
    case P3D_KEY_zero: return false;
    case P3D_KEY_sequence_parallel:
        return plan->tp == 1 && !plan->sequence_parallel;
    case P3D_KEY_offload:
        return plan->offload == P3D_OFFLOAD_NONE &&
               plan->activation_offload_frac <= 0;
    }
    return spec_plan_get(plan, key) == usual_value(plan, key);
}

const char *spec_plan_number_words(
        spec_plan_key key, int value, char out[P3D_PLAN_PART])
{
    const char *const name = spec_plan_value_name(key, value);

    if (name != NULL)
        return name;
    if (spec_plan_fields[key].kind == SPEC_FIELD_FLAG)
        return switch_words[value != 0];
    snprintf(out, P3D_PLAN_PART, "%d", value);
    return out;
}

const char *spec_plan_value_words(
        const p3d_plan *plan, spec_plan_key key, char out[P3D_PLAN_PART])
{
    if (key == P3D_KEY_recompute)
        return p3d_print_recompute(plan, out);
    if (key == P3D_KEY_offload)
        return p3d_print_offload(plan, out);
    return spec_plan_number_words(key, (int)spec_plan_get(plan, key), out);
}

static void put_value(cursor *to, const p3d_plan *plan, spec_plan_key key)
{
    const spec_plan_field *const field = &spec_plan_fields[key];
    const int flag = flag_of(key);
    const char *const comma = to->used > 0 ? "," : "";
    char part[P3D_PLAN_PART];

    if (field->kind == SPEC_FIELD_FLAG)
        put(to, "%s%s", comma,
                flag < 0 || spec_plan_get(plan, key) != 0
                        ? field->word
                        : spec_flags[flag].off);
    else
        put(to, "%s%s=%s", comma, field->word,
                spec_plan_value_words(plan, key, part));
}

const char *p3d_plan_print(const p3d_plan *plan, char *buffer, size_t n)
{
    if (!spec_plan_words_given(plan) || buffer == NULL || n == 0)
        return "";

    cursor to = {.buffer = buffer, .n = n};

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const spec_plan_key key = (spec_plan_key)i;

        if (spec_plan_fields[i].word != NULL && !goes_without_saying(plan, key))
            put_value(&to, plan, key);
    }
    return buffer;
}
