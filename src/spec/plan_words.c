/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_words.c - plans in words: one table for reading and writing them. */
#include "spec/plan_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/given.h"

static const char *const recompute_names[P3D_N_RECOMPUTES] = {
        [P3D_RECOMPUTE_NONE] = "none",
        [P3D_RECOMPUTE_SELECTIVE] = "selective",
        [P3D_RECOMPUTE_FULL] = "full",
};

static const char *const schedule_names[] = {
#define AS_WORD(name, word, chunks, a, b, splits, late) word,
        P3D_SCHEDULES(AS_WORD)
#undef AS_WORD
};

static const char *const offload_names[P3D_N_OFFLOADS] = {
        [P3D_OFFLOAD_NONE] = "none",
        [P3D_OFFLOAD_OPTIMIZER] = "optimizer",
        [P3D_OFFLOAD_OPTIMIZER_PARAMETERS] = "optimizer+parameters",
};

static const char *const order_names[P3D_N_ORDERS] = {
        [P3D_ORDER_DP_PP] = "tp-cp-ep-dp-pp",
        [P3D_ORDER_PP_DP] = "tp-cp-ep-pp-dp",
};

typedef enum word_kind {
    COUNT, /* tp=8: a number, min..max */
    FLAG,  /* sp: no value of its own; says min */
    CHOICE /* offload=none: one of the names, n = max */
} word_kind;

typedef struct word_row {
    const char *word;
    p3d_plan_key key;
    word_kind kind;
    int min;
    int max;
    const char *const *names;
    const char *example;
} word_row;

/* clang-format off */
#define MOST P3D_MAX_GPUS
static const word_row word_table[] = {
    {"tp",          P3D_KEY_TP,          COUNT, 1, MOST, NULL, "tp=8"},
    {"pp",          P3D_KEY_PP,          COUNT, 1, MOST, NULL, "pp=2"},
    {"dp",          P3D_KEY_DP,          COUNT, 1, MOST, NULL, "dp=4"},
    {"cp",          P3D_KEY_CP,          COUNT, 1, MOST, NULL, "cp=2"},
    {"ep",          P3D_KEY_EP,          COUNT, 1, MOST, NULL, "ep=8"},
    {"etp",         P3D_KEY_ETP,         COUNT, 1, MOST, NULL, "etp=1"},
    {"vp",          P3D_KEY_VP,          COUNT, 1, MOST, NULL, "vp=2"},
    {"vpp",         P3D_KEY_VP,          COUNT, 1, MOST, NULL, "vp=2"},
    {"mbs",         P3D_KEY_MICRO_BATCH, COUNT, 1, MOST, NULL, "mbs=1"},
    {"micro_batch", P3D_KEY_MICRO_BATCH, COUNT, 1, MOST, NULL, "mbs=1"},
    {"zero",        P3D_KEY_ZERO,        COUNT, 0, 3,    NULL, "zero=1"},
    {"sp",          P3D_KEY_SEQUENCE_PARALLEL, FLAG, 1, 0, NULL, "sp or nosp"},
    {"nosp",        P3D_KEY_SEQUENCE_PARALLEL, FLAG, 0, 0, NULL, "sp or nosp"},
    {"recompute",   P3D_KEY_RECOMPUTE,   CHOICE, 0, P3D_N_RECOMPUTES,
        recompute_names, "recompute=full"},
    {"offload",     P3D_KEY_OFFLOAD,     CHOICE, 0, P3D_N_OFFLOADS,
        offload_names, "offload=optimizer"},
    {"schedule",    P3D_KEY_SCHEDULE,    CHOICE, 0, P3D_N_SCHEDULES,
        schedule_names, "schedule=1f1b"},
    {"shard",       P3D_KEY_SHARD,       COUNT, 1, MOST, NULL, "shard=8"},
    {"group",       P3D_KEY_GROUP,       COUNT, 1, P3D_MAX_GROUP, NULL,
        "group=8"},
    {"first",       P3D_KEY_FIRST_LAYERS, COUNT, 1, P3D_MAX_LAYERS, NULL,
        "first=2"},
    {"last",        P3D_KEY_LAST_LAYERS, COUNT, 1, P3D_MAX_LAYERS, NULL,
        "last=2"},
    {"uneven",      P3D_KEY_UNEVEN,      FLAG, 1, 0, NULL, "uneven"},
    {"order",       P3D_KEY_ORDER,       CHOICE, 0, P3D_N_ORDERS,
        order_names, "order=tp-cp-ep-pp-dp"},
};
#undef MOST
/* clang-format on */

const char *p3d_plan_word(int i)
{
    return P3D_HAS(word_table, i) ? word_table[i].word : NULL;
}

bool p3d_plan_word_has_value(int i)
{
    return word_table[i].kind != FLAG;
}

const char *p3d_plan_word_value(int i, int k)
{
    const word_row *row = &word_table[i];

    return row->kind == CHOICE && k < row->max ? row->names[k] : NULL;
}

const char *p3d_recompute_name(p3d_recompute recompute)
{
    if ((unsigned)recompute >= P3D_N_RECOMPUTES)
        return "";
    return recompute_names[recompute];
}

const char *p3d_schedule_name(p3d_schedule schedule)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES)
        return "";
    return schedule_names[schedule];
}

const char *p3d_offload_name(p3d_offload offload)
{
    if ((unsigned)offload >= P3D_N_OFFLOADS)
        return "";
    return offload_names[offload];
}

const char *p3d_order_name(p3d_order order)
{
    if ((unsigned)order >= P3D_N_ORDERS)
        return "";
    return order_names[order];
}

enum { WORD_LENGTH = 128 };

/* One word in pieces: "recompute=full:4" is key, value. */
typedef struct word_item {
    char text[WORD_LENGTH]; /* as written, for messages */
    char key[WORD_LENGTH];
    char value[WORD_LENGTH];
    bool has_value;
} word_item;

static bool fail_key(const word_item *item, p3d_error *err)
{
    p3d_nearest nearest = {.word = item->key};

    for (int i = 0; i < P3D_COUNT_OF(word_table); i++)
        p3d_nearest_offer(&nearest, word_table[i].word);
    if (nearest.best[0] != '\0')
        return p3d_fail(err, P3D_DATA,
                "unknown word '%s' in a plan; did you mean '%s'?", item->key,
                nearest.best);
    return p3d_fail(err, P3D_DATA,
            "unknown word '%s' in a plan; write tp, pp, dp, cp, ep, etp, vp, "
            "mbs, zero, sp, nosp, shard, recompute, offload, schedule, group, "
            "first, last, uneven or order",
            item->key);
}

static const word_row *find_row(const char *key)
{
    for (int i = 0; i < P3D_COUNT_OF(word_table); i++) {
        if (p3d_same_word(word_table[i].word, key))
            return &word_table[i];
    }
    return NULL;
}

static bool read_number(const word_item *item, const char *text,
        const word_row *row, int *out, p3d_error *err)
{
    int64_t value = 0;

    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return p3d_fail(err, P3D_DATA,
                "'%s': '%s' is not a whole number; write %s", item->text, text,
                row->example);
    for (const char *p = text; *p != '\0'; p++)
        value = p3d_add(p3d_mul(value, 10), *p - '0');
    if (value < row->min || value > row->max)
        return p3d_fail(err, P3D_DATA,
                "'%s': %s is out of range; write a number from %d to %d",
                item->text, text, row->min, row->max);
    *out = (int)value;
    return true;
}

static bool fail_choice(
        const word_item *item, const word_row *row, p3d_error *err)
{
    p3d_nearest nearest = {.word = item->value};
    char names[128] = "";

    for (int i = 0; i < row->max; i++) {
        const size_t used = strlen(names);

        p3d_nearest_offer(&nearest, row->names[i]);
        snprintf(names + used, sizeof(names) - used, "%s%s",
                i == 0             ? ""
                : i + 1 < row->max ? ", "
                                   : " or ",
                row->names[i]);
    }
    if (nearest.best[0] != '\0')
        return p3d_fail(err, P3D_DATA,
                "'%s': unknown value '%s'; did you mean '%s'?", item->text,
                item->value, nearest.best);
    return p3d_fail(err, P3D_DATA, "'%s': unknown value '%s'; write %s",
            item->text, item->value, names);
}

static bool read_choice(const word_item *item, const word_row *row,
        p3d_said *said, p3d_error *err)
{
    for (int i = 0; i < row->max; i++) {
        if (p3d_same_word(row->names[i], item->value)) {
            said->value[row->key] = i;
            return true;
        }
    }
    return fail_choice(item, row, err);
}

static bool read_value(
        word_item *item, const word_row *row, p3d_said *said, p3d_error *err)
{
    if (row->kind == FLAG) {
        if (item->has_value)
            return p3d_fail(err, P3D_DATA, "'%s': %s takes no value; write %s",
                    item->text, row->word, row->example);
        said->value[row->key] = row->min;
        return true;
    }
    if (!item->has_value || item->value[0] == '\0')
        return p3d_fail(err, P3D_DATA, "'%s' has no value; write %s",
                item->text, row->example);
    if (row->key == P3D_KEY_RECOMPUTE)
        return p3d_read_recompute(item->text, item->value, said, err);
    if (row->key == P3D_KEY_OFFLOAD)
        return p3d_read_offload(item->text, item->value, said, err);
    if (row->key == P3D_KEY_SCHEDULE && p3d_same_word(item->value, "dualpipe"))
        return p3d_fail(err, P3D_DATA,
                "'%s': with its two copies of the weights it is "
                "schedule=dualpipe-v on half the ranks of the pipeline and "
                "twice the replicas; write pp=4,vp=2,schedule=dualpipe-v for "
                "pp=8",
                item->text);
    if (row->kind == CHOICE)
        return read_choice(item, row, said, err);
    return read_number(item, item->value, row, &said->value[row->key], err);
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

/* The word that said the value of a key: one of sp and nosp. */
static const char *flag_said(const p3d_said *said, p3d_plan_key key)
{
    for (int i = 0; i < P3D_COUNT_OF(word_table); i++) {
        if (word_table[i].key == key && word_table[i].min == said->value[key])
            return word_table[i].word;
    }
    return "";
}

/* A second word for a key: the same once more, or the other of two flags. */
static bool fail_again(const word_item *item, const word_row *row,
        const p3d_said *said, p3d_error *err)
{
    if (row->kind == FLAG && said->value[row->key] != row->min)
        return p3d_fail(err, P3D_DATA,
                "'%s' and '%s' contradict each other; leave one out",
                flag_said(said, row->key), item->text);
    return p3d_fail(err, P3D_DATA, "'%s': %s is given twice; write it once",
            item->text, row->word);
}

static bool read_item(
        const char *text, size_t n, p3d_said *said, p3d_error *err)
{
    const word_row *row;
    const char *equals;
    word_item item = {0};

    if (n >= sizeof(item.text))
        return p3d_fail(err, P3D_DATA,
                "'%.40s...' is too long for a word of a plan; write tp=8,pp=2",
                text);
    copy_trimmed(item.text, text, n);
    if (item.text[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "a comma with no word beside it; write tp=8,pp=2");
    equals = strchr(item.text, '=');
    item.has_value = equals != NULL;
    if (equals == NULL)
        equals = item.text + strlen(item.text);
    copy_trimmed(item.key, item.text, (size_t)(equals - item.text));
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

bool p3d_said_read(const char *words, p3d_said *out, p3d_error *err)
{
    p3d_said said = {0};
    const char *p = words;

    if (p[strspn(p, " ")] != '\0') {
        for (;;) {
            const size_t n = strcspn(p, ",");

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

static int value_or(const p3d_said *said, p3d_plan_key key, int otherwise)
{
    return said->said[key] ? said->value[key] : otherwise;
}

/* dp from the GPUs, and the check that the plan uses each of them. */
static bool derive_dp(
        const p3d_said *said, int n_gpus, p3d_plan *plan, p3d_error *err)
{
    const int64_t replica = p3d_mul(p3d_mul(plan->tp, plan->pp), plan->cp);
    int64_t total;

    if (said->said[P3D_KEY_DP]) {
        plan->dp = said->value[P3D_KEY_DP];
    } else {
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

bool p3d_plan_parse(const char *words, int n_gpus,
        const p3d_framework *framework, p3d_plan *out, p3d_error *err)
{
    if (words == NULL || n_gpus < 1 || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_said said;
    p3d_plan plan = {0};

    if (!p3d_said_read(words, &said, err))
        return false;
    plan.tp = value_or(&said, P3D_KEY_TP, 1);
    plan.pp = value_or(&said, P3D_KEY_PP, 1);
    plan.cp = value_or(&said, P3D_KEY_CP, 1);
    plan.ep = value_or(&said, P3D_KEY_EP, 1);
    plan.etp = value_or(&said, P3D_KEY_ETP, plan.ep > 1 ? 1 : plan.tp);
    plan.vp = value_or(&said, P3D_KEY_VP, 1);
    plan.micro_batch = value_or(&said, P3D_KEY_MICRO_BATCH, 1);
    plan.zero = value_or(&said, P3D_KEY_ZERO,
            framework == NULL ? 1 : framework->usual_zero[plan.pp > 1]);
    plan.sequence_parallel =
            value_or(&said, P3D_KEY_SEQUENCE_PARALLEL, plan.tp > 1) != 0;
    plan.recompute = (p3d_recompute)value_or(
            &said, P3D_KEY_RECOMPUTE, P3D_RECOMPUTE_NONE);
    plan.recompute_layers = said.recompute_layers;
    plan.recompute_group = said.recompute_group;
    plan.recompute_modules = said.recompute_modules;
    plan.offload_frac = said.offload_frac < 1 ? said.offload_frac : 0;
    plan.offload_nvme = said.offload_nvme;
    plan.activation_offload_frac = said.activation_offload_frac;
    plan.shard = value_or(&said, P3D_KEY_SHARD, 0);
    plan.group = value_or(&said, P3D_KEY_GROUP, 0);
    plan.first_layers = value_or(&said, P3D_KEY_FIRST_LAYERS, 0);
    plan.last_layers = value_or(&said, P3D_KEY_LAST_LAYERS, 0);
    plan.uneven = value_or(&said, P3D_KEY_UNEVEN, 0) != 0;
    plan.order = (p3d_order)value_or(&said, P3D_KEY_ORDER, P3D_ORDER_DP_PP);
    plan.offload =
            (p3d_offload)value_or(&said, P3D_KEY_OFFLOAD, P3D_OFFLOAD_NONE);
    plan.schedule = (p3d_schedule)value_or(
            &said, P3D_KEY_SCHEDULE, plan.vp > 1 ? P3D_INTERLEAVED : P3D_1F1B);
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

static void put_unless(cursor *to, const char *key, int value, int usual)
{
    if (value != usual)
        put(to, ",%s=%d", key, value);
}

const char *p3d_plan_print(const p3d_plan *plan, char *buffer, size_t n)
{
    if (!p3d_plan_words_given(plan) || buffer == NULL || n == 0)
        return "";

    const p3d_schedule usual = plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B;
    cursor to = {.buffer = buffer, .n = n};
    char part[P3D_PLAN_PART];

    put(&to, "tp=%d,pp=%d,dp=%d", plan->tp, plan->pp, plan->dp);
    put_unless(&to, "cp", plan->cp, 1);
    put_unless(&to, "ep", plan->ep, 1);
    put_unless(&to, "etp", plan->etp, plan->ep > 1 ? 1 : plan->tp);
    put_unless(&to, "vp", plan->vp, 1);
    put(&to, ",mbs=%d,zero=%d", plan->micro_batch, plan->zero);
    if (plan->sequence_parallel)
        put(&to, ",sp");
    else if (plan->tp > 1)
        put(&to, ",nosp");
    put_unless(&to, "shard", plan->shard, 0);
    put_unless(&to, "first", plan->first_layers, 0);
    put_unless(&to, "last", plan->last_layers, 0);
    if (plan->uneven)
        put(&to, ",uneven");
    put_unless(&to, "group", plan->group, 0);
    if (plan->recompute != P3D_RECOMPUTE_NONE)
        put(&to, ",recompute=%s", p3d_print_recompute(plan, part));
    if (plan->offload != P3D_OFFLOAD_NONE || plan->activation_offload_frac > 0)
        put(&to, ",offload=%s", p3d_print_offload(plan, part));
    if (plan->schedule != usual)
        put(&to, ",schedule=%s", p3d_schedule_name(plan->schedule));
    if (plan->order != P3D_ORDER_DP_PP)
        put(&to, ",order=%s", p3d_order_name(plan->order));
    return buffer;
}
