/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_facts.c - the facts of a question, by patterns of kinds of tokens: a
 * number that GPUs follow is a cluster, one that days follow a deadline. */
#include "cli/ask_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* The tokens that say something, and where among them the reader is. */
typedef struct reader {
    const ask_text *text;
    ask_token token[ASK_TOKENS_MAX];
    int n;
    int at;
    ask_facts *facts;
    p3d_error *err;
} reader;

/* The tokens that a pattern took. */
typedef struct match {
    const ask_token *token;
    int n;
} match;

typedef bool action(reader *r, match m);

/* In patterns a letter is an ask_kind, '#' a number or size; '?' behind it:
 * it may be missing. */
typedef struct rule {
    const char *pattern;
    action *act;
} rule;

static const ask_token *nth(match m, ask_kind kind, int k)
{
    for (int i = 0; i < m.n; i++)
        if (m.token[i].kind == kind && k-- == 0)
            return &m.token[i];
    return NULL;
}

static bool has(match m, ask_kind kind)
{
    return nth(m, kind, 0) != NULL;
}

/* The first of a kind; one that says nothing where there is none. */
static const ask_token *first(match m, ask_kind kind)
{
    static const ask_token none = {.kind = ASK_NONE, .text = ""};
    const ask_token *const token = nth(m, kind, 0);

    return token != NULL ? token : &none;
}

static bool has_number(match m)
{
    return has(m, ASK_NUMBER) || has(m, ASK_SIZE);
}

static ask_number number_of(match m)
{
    return first(m, has(m, ASK_NUMBER) ? ASK_NUMBER : ASK_SIZE)->number;
}

static double value_of(match m, int k)
{
    const ask_token *const token = nth(m, ASK_NUMBER, k);

    return token != NULL ? token->number.value : 0;
}

static bool fail_at(reader *r, const ask_token *token, const char *hint)
{
    return ask_fail_at(r->text, token->at, token->length, hint, r->err);
}

static bool fail_all(reader *r, match m, const char *hint)
{
    const ask_token *const last = &m.token[m.n - 1];

    return ask_fail_at(r->text, m.token[0].at,
            last->at + last->length - m.token[0].at, hint, r->err);
}

/* A count of things that come in ones. */
static bool is_count(double value)
{
    return value >= 1 && value <= 1e9 && value == floor(value);
}

static bool add_cluster(reader *r, match m, ask_cluster cluster)
{
    ask_facts *const facts = r->facts;

    if (!is_count(cluster.n) ||
            (cluster.per_node > 0 && !is_count(cluster.per_node)))
        return fail_all(r, m, "; write a whole number of GPUs");
    if (facts->n_clusters == ASK_MAX_CLUSTERS)
        return fail_all(r, m, "; too many clusters for one question");
    facts->cluster[facts->n_clusters++] = cluster;
    return true;
}

static const char *gpu_of(match m)
{
    return has(m, ASK_GPU) ? first(m, ASK_GPU)->text : NULL;
}

/* "8 nodes of 8 H100" */
static bool add_nodes_of(reader *r, match m)
{
    return add_cluster(r, m,
            (ask_cluster){.n = value_of(m, 0),
                    .per_node = value_of(m, 1),
                    .may_be_all = has(m, ASK_CARD) && !has(m, ASK_EACH),
                    .gpu = gpu_of(m)});
}

/* "8 H100 nodes" */
static bool add_whole_nodes(reader *r, match m)
{
    return add_cluster(r, m,
            (ask_cluster){.n = value_of(m, 0),
                    .per_node = ASK_WHOLE_NODE,
                    .gpu = gpu_of(m)});
}

/* "64 H100s in 8 nodes" */
static bool add_cards_in_nodes(reader *r, match m)
{
    const double cards = value_of(m, 0);
    const double nodes = value_of(m, 1);

    if (nodes <= 0 || fmod(cards, nodes) != 0)
        return fail_all(r, m, "; write as many GPUs as fill the nodes");
    return add_cluster(r, m,
            (ask_cluster){
                    .n = nodes, .per_node = cards / nodes, .gpu = gpu_of(m)});
}

/* "64, 128 or 256 H100", "64 A800": a cluster a number */
static bool add_cards(reader *r, match m)
{
    bool ok = true;

    for (int i = 0; ok && nth(m, ASK_NUMBER, i) != NULL; i++)
        ok = add_cluster(
                r, m, (ask_cluster){.n = value_of(m, i), .gpu = gpu_of(m)});
    return ok;
}

static bool add_one(reader *r, match m)
{
    return add_cluster(r, m, (ask_cluster){.n = 1, .gpu = gpu_of(m)});
}

/* "8 to 512 A800" */
static bool add_range(reader *r, match m)
{
    return add_cluster(r, m,
            (ask_cluster){.n = value_of(m, 0),
                    .last = value_of(m, 1),
                    .gpu = gpu_of(m)});
}

/* "8 80GB A100": the memory is a part of the name */
static bool add_by_memory(reader *r, match m)
{
    const int last = nth(m, ASK_NUMBER, 1) != NULL;
    const ask_name *const name = ask_names_gpu(
            &r->text->names, first(m, ASK_GPU)->text, value_of(m, last));

    if (name == NULL)
        return fail_all(r, m, "; no such GPU, see 'plan3d list gpus'");
    return add_cluster(r, m,
            (ask_cluster){.n = last ? value_of(m, 0) : 1, .gpu = name->word});
}

static bool add_type(reader *r, match m)
{
    ask_facts *const facts = r->facts;

    for (int i = 0; i < facts->n_types; i++)
        if (strcmp(facts->type[i], gpu_of(m)) == 0)
            return true;
    if (facts->n_types == ASK_MAX_CLUSTERS)
        return fail_all(r, m, "; too many clusters for one question");
    facts->type[facts->n_types++] = gpu_of(m);
    return true;
}

/* A number or a type that waits for the other. */
static bool set_lone(reader *r, match m)
{
    if (has(m, ASK_GPU) && !add_type(r, m))
        return false;
    if (has(m, ASK_NUMBER)) {
        if (r->facts->n_lone > 0 || !is_count(value_of(m, 0)))
            return fail_all(r, m, "; of which GPU?");
        r->facts->n_lone = value_of(m, 0);
    }
    return true;
}

/* "A800 and H100, 64 each" */
static bool set_each(reader *r, match m)
{
    if (!is_count(value_of(m, 0)))
        return fail_all(r, m, "; write a whole number of GPUs");
    r->facts->n_each = value_of(m, 0);
    return true;
}

static bool set_count(reader *r, match m)
{
    r->facts->wants |= ASK_WANTS_COUNT;
    return set_lone(r, m);
}

static bool want_length(reader *r, match m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_LENGTH;
    return true;
}

static bool want_cost(reader *r, match m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_COST;
    return true;
}

/* Amounts may be said once, or the same again. */
static bool set_amount(reader *r, match m, double *to, double value)
{
    if (!(value > 0))
        return fail_all(r, m, "; write more than 0");
    if (*to > 0 && *to != value)
        return fail_all(r, m, "; another such amount is there already");
    *to = value;
    return true;
}

static bool set_tokens(reader *r, match m)
{
    return set_amount(r, m, &r->facts->n_tokens, number_of(m).value);
}

static bool set_deadline(reader *r, match m)
{
    return set_amount(r, m, &r->facts->deadline_s,
            (has_number(m) ? number_of(m).value : 1) *
                    first(m, ASK_TIME)->value);
}

enum { HOUR_S = 3600 };

/* "$2" or "2 dollars": the number beside, on the side that it began on. */
static double dollars(match m)
{
    const int step = m.token[0].kind == ASK_DOLLAR ? 1 : -1;

    for (int i = 0; i < m.n; i++)
        if (m.token[i].kind == ASK_DOLLAR)
            return m.token[i + step].number.value;
    return 0;
}

/* USD for a GPU and hour, whatever the order. */
static bool set_price(reader *r, match m)
{
    const ask_token *const time = first(m, ASK_TIME);
    const double usd = dollars(m);

    if (has(m, ASK_HOST))
        return fail_at(
                r, first(m, ASK_HOST), ": prices are of one GPU and hour");
    if (has(m, ASK_TIME) && time->value != HOUR_S)
        return fail_at(r, time, ": prices are of one GPU and hour");
    for (int i = 0; nth(m, ASK_NUMBER, i) != NULL; i++)
        if (value_of(m, i) != usd && value_of(m, i) != 1)
            return fail_all(r, m, ": prices are of one GPU and hour");
    return set_amount(r, m, &r->facts->usd_per_gpu_h, usd);
}

static bool fail_budget(reader *r, match m)
{
    return fail_all(r, m, ": prices are of one GPU and hour");
}

static bool set_size(reader *r, match m)
{
    const double value = number_of(m).value;
    char text[ASK_NUMBER_BUFFER];

    ask_number_print(text, value);
    if (r->facts->model[0] != '\0' && strcmp(r->facts->model, text) != 0)
        return fail_all(r, m, "; another model is there already");
    (void)p3d_copy(r->facts->model, sizeof(r->facts->model), text);
    return true;
}

static bool add_size(reader *r, match m)
{
    ask_facts *const facts = r->facts;

    if (facts->n_sizes == P3D_COUNT_OF(facts->sizes) ||
            m.token[0].number.is_kilo)
        return fail_all(r, m, "; of what?");
    facts->sizes[facts->n_sizes++] = m.token[0].number.value;
    return true;
}

static bool set_model(reader *r, match m)
{
    ask_facts *const facts = r->facts;

    if (facts->model[0] != '\0' && strcmp(facts->model, m.token[0].text) != 0)
        return fail_all(r, m, "; another model is there already");
    (void)p3d_copy(facts->model, sizeof(facts->model), m.token[0].text);
    return true;
}

/* The first path is the model's, the second the cluster's. */
static bool set_path(reader *r, match m)
{
    char *const to =
            r->facts->model[0] == '\0' ? r->facts->model : r->facts->path;

    if (to[0] != '\0' || m.token[0].length >= ASK_VALUE)
        return fail_all(r, m, "");
    memcpy(to, r->text->text + m.token[0].at, m.token[0].length);
    return true;
}

const char *ask_facts_option(const ask_facts *facts, const char *name)
{
    for (int i = 0; i < facts->n_options; i++)
        if (strcmp(facts->option[i].name, name) == 0)
            return facts->option[i].value;
    return NULL;
}

/* Words of plans go to one option, with commas. */
static bool add_pin(reader *r, match m, const char *word)
{
    ask_facts *const facts = r->facts;
    ask_option *pins = NULL;
    size_t used;

    for (int i = 0; i < facts->n_options; i++)
        if (strcmp(facts->option[i].name, "pin") == 0)
            pins = &facts->option[i];
    if (pins == NULL) {
        if (facts->n_options == ASK_MAX_OPTIONS)
            return fail_all(r, m, "; too many settings for one question");
        pins = &facts->option[facts->n_options++];
        *pins = (ask_option){.name = "pin"};
    }
    used = strlen(pins->value);
    if (used + strlen(word) + 2 > sizeof(pins->value))
        return fail_all(r, m, "; too many settings for one question");
    snprintf(pins->value + used, sizeof(pins->value) - used, "%s%s",
            used > 0 ? "," : "", word);
    return true;
}

static bool set_option(reader *r, match m, const char *name, const char *value)
{
    ask_facts *const facts = r->facts;
    const char *const before = ask_facts_option(facts, name);
    ask_option *option;

    if (before != NULL && strcmp(before, value) == 0)
        return true;
    if (before != NULL)
        return fail_all(r, m, "; another such setting is there already");
    if (facts->n_options == ASK_MAX_OPTIONS)
        return fail_all(r, m, "; too many settings for one question");
    option = &facts->option[facts->n_options++];
    *option = (ask_option){.name = ""};
    (void)p3d_copy(option->name, sizeof(option->name), name);
    (void)p3d_copy(option->value, sizeof(option->value), value);
    return true;
}

/* "--dtype fp8", or words of plans. */
static bool set_flag(reader *r, match m)
{
    const char *const text = m.token[0].text;
    const char *const value = strchr(text, ' ');
    char name[24];

    if (text[0] != '-')
        return add_pin(r, m, text);
    snprintf(name, sizeof(name), "%.*s", (int)(value - text - 2), text + 2);
    return set_option(r, m, name, value + 1);
}

static bool is_own_option(const char *text)
{
    static const char *const names[] = {"seq", "batch", "top"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strcmp(text, names[i]) == 0)
            return true;
    return false;
}

/* K of a sequence is 1024: nobody means 8000 by "8k context". */
static double setting_value(const char *name, ask_number number)
{
    return number.is_kilo && strcmp(name, "seq") == 0
                   ? number.value / 1000 * 1024
                   : number.value;
}

static bool set_setting(reader *r, match m)
{
    const char *const name =
            first(m, has(m, ASK_LENGTH) ? ASK_LENGTH : ASK_SETTING)->text;
    const double value = setting_value(name, number_of(m));
    char word[ASK_VALUE];

    if (value != floor(value) || !(value >= 0) || value > 1e9)
        return fail_all(r, m, "; write a whole number");
    snprintf(word, sizeof(word), "%s%s%.0f", is_own_option(name) ? "" : name,
            is_own_option(name) ? "" : "=", value);
    return is_own_option(name) ? set_option(r, m, name, word)
                               : add_pin(r, m, word);
}

static bool fail_batch_tokens(reader *r, match m)
{
    if (strcmp(first(m, ASK_LENGTH)->text, "seq") == 0)
        return set_setting(r, m);
    return fail_all(r, m, ": a batch counts sequences, such as batch 512");
}

/* "TP and PP": what to set them to is the question. */
static bool ask_setting(reader *r, match m)
{
    if (is_own_option(m.token[0].text))
        return fail_all(r, m, "; write its number behind it");
    r->facts->wants |= ASK_WANTS_PLAN;
    return true;
}

static bool set_top(reader *r, match m)
{
    char word[ASK_VALUE];

    r->facts->wants |= ASK_WANTS_PLAN;
    snprintf(word, sizeof(word), "%.0f", value_of(m, 0));
    return set_option(r, m, "top", word);
}

static bool set_sure(reader *r, match m)
{
    char word[ASK_VALUE];
    char shortest[P3D_NUMBER_BUFFER];

    snprintf(word, sizeof(word), "%s",
            p3d_print_shortest(
                    shortest, sizeof(shortest), value_of(m, 0) / 100));
    return set_option(r, m, "sure", word);
}

static bool set_framework(reader *r, match m)
{
    const ask_token *const token = first(m, ASK_FRAMEWORK);

    snprintf(r->facts->framework, ASK_NAME, "%.*s",
            token->length < ASK_NAME ? (int)token->length : ASK_NAME - 1,
            r->text->text + token->at);
    return set_option(r, m, "framework", token->text);
}

static bool set_fabric(reader *r, match m)
{
    return set_option(r, m, "fabric", first(m, ASK_FABRIC)->text);
}

/* InfiniBand has a name for each of its rates, of two with 200 Gbit/s the
 * usual one first. */
static bool set_network(reader *r, match m)
{
    static const char *const kinds[] = {"", "-hdr", "-ndr", "-edr", "-xdr"};
    const char *const kind = first(m, ASK_NETWORK)->text;

    for (int i = 0; i < P3D_COUNT_OF(kinds) && kind[0] != '\0'; i++) {
        char name[ASK_NAME];
        size_t length;
        const ask_name *found;

        snprintf(name, sizeof(name), "%s%s-%.0f", kind, kinds[i],
                value_of(m, 0));
        found = ask_names_at(&r->text->names, name, &length);
        if (found != NULL && found->kind == ASK_FABRIC && name[length] == '\0')
            return set_option(r, m, "fabric", found->meaning);
    }
    return fail_all(r, m, "; see 'plan3d list fabrics'");
}

static bool set_noun(reader *r, match m)
{
    r->facts->noun = m.token[0].kind;
    return true;
}

static bool want_plan(reader *r, match m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_PLAN;
    return true;
}

static bool fail_number(reader *r, match m)
{
    return fail_all(r, m, "; of what?");
}

static bool pass(reader *r, match m)
{
    (void)r;
    (void)m;
    return true;
}

/* clang-format off */
static const rule rules[] = {
    /* Money first: its hours are no deadline, its GPU no cluster. */
    {"$n/?a?h", set_price},
    {"$n/?a?o/?a?d?", set_price},
    {"$ne", fail_budget},
    {"n$e", fail_budget},
    {"$n/?a?c?/?a?d/?a?c?", set_price},
    {"$n/?a?c", set_price},
    {"$n", set_price},
    {"n$/?a?h", set_price},
    {"n$/?a?o/?a?d?", set_price},
    {"n$/?a?c?/?a?dn?c?", set_price},
    {"n$/?a?n?c", set_price},
    {"/?hn$", set_price},
    {"/o/?dn$", set_price},
    {"/?c/?dn$", set_price},
    {"/dn$n?c?", set_price},
    {"ndn$n?c?", set_price},
    {"n$", set_price},
    {"/hnc", fail_budget},
    {"/dnc", fail_budget},
    {"$s", fail_budget},
    {"s$", fail_budget},

    /* Clusters, those of nodes before those of GPUs. */
    {"nxnxgc?", add_nodes_of},
    {"nxngc?", add_nodes_of},
    {"nor?enx?c?gc?", add_nodes_of},
    {"nox?a?nx?c?gc?e?", add_nodes_of},
    {"nogr?enc?", add_nodes_of},
    {"nogr?nc?e", add_nodes_of},
    {"ngor?enc?", add_nodes_of},
    {"ngor?nc?e", add_nodes_of},
    {"nncgo", add_nodes_of},
    {"nncog", add_nodes_of},
    {"nx?c?gc?r?no", add_cards_in_nodes},
    {"ngo", add_whole_nodes},
    {"noc?g", add_whole_nodes},
    {"gno", add_whole_nodes},
    {"nx?nGc?gc?", add_by_memory},
    {"anGc?gc?", add_by_memory},
    {"nc?~nc?gc?", add_range},
    {"nc?rnc?rnc?rnc?gc?", add_cards},
    {"nc?rnc?rnc?gc?", add_cards},
    {"nc?rnc?gc?", add_cards},
    {"nx?c?gc?", add_cards},
    {"gxnc?", add_cards},
    {"gr?nc", add_cards},
    {"ac?gc?", add_one},
    {"Hogo?", set_count},
    {"Ho?c?gc?o?", set_count},
    {"Hoc?", set_count},
    {"Hc", set_count},
    {"Hd", want_length},
    {"Hh", want_length},
    {"H$", want_cost},
    {"enc?", set_each},
    {"nc?e", set_each},
    {"nc", set_lone},
    {"g", set_lone},

    /* Settings. */
    {"q#t", fail_batch_tokens},
    {"#tq", fail_batch_tokens},
    {"q#", set_setting},
    {"#q", set_setting},
    {"q", ask_setting},
    {"kn", set_setting},
    {"nwk", set_setting},
    {"k", ask_setting},
    {"nP", set_top},
    {"nUd?K", set_network},
    {"KnU?", set_network},
    {"NnU", set_fabric},
    {"nUN", set_fabric},
    {"N", set_fabric},
    {"n%r?S", set_sure},
    {"Sn%", set_sure},
    {"f", set_flag},
    {"F", set_framework},

    /* Amounts. */
    {"pst", set_tokens},
    {"#t", set_tokens},
    {"ts", set_tokens},
    {"sp", set_size},
    {"ps", set_size},
    {"s", add_size},
    {"/d", pass},
    {"#d", set_deadline},
    {"ad", set_deadline},
    {"M", set_model},
    {"j", set_path},
    {"h", want_length},
    {"P", want_plan},
    {"n", fail_number},
    {"c", set_noun},
    {"p", set_noun},
    {"K", set_noun},
    {"o", set_noun},
};
/* clang-format on */

static bool fits_letter(char letter, ask_kind kind)
{
    return letter == '#' ? kind == ASK_NUMBER || kind == ASK_SIZE
                         : letter == (char)kind;
}

/* How many tokens a pattern takes; 0 = it does not match. As the patterns have
 * no part that may repeat, taking what may be missing is never wrong but where
 * the same is asked for next: none does. */
static int match_rule(const reader *r, const char *pattern)
{
    int at = r->at;

    for (const char *c = pattern; *c != '\0'; c++) {
        const bool optional = c[1] == '?';
        const bool here = at < r->n && fits_letter(*c, r->token[at].kind);

        if (!here && !optional)
            return 0;
        at += here;
        c += optional;
    }
    return at - r->at;
}

static bool read_next(reader *r)
{
    for (int i = 0; i < P3D_COUNT_OF(rules); i++) {
        const int n = match_rule(r, rules[i].pattern);
        const match m = {r->token + r->at, n};

        if (n == 0)
            continue;
        r->at += n;
        return rules[i].act(r, m);
    }
    r->at++; /* between things of a kind, or said twice */
    return true;
}

/* Two in a row are one: "64 A800 GPUs cards", "128 H100, and". */
static bool repeats(const reader *r, ask_kind kind)
{
    static const ask_kind kinds[] = {ASK_CARD, ASK_HOST, ASK_OR, ASK_HOW_MANY,
            ASK_PARAMETERS, ASK_TOKENS, ASK_PER, ASK_PLAN};

    for (int i = 0; i < P3D_COUNT_OF(kinds); i++)
        if (kinds[i] == kind && r->n > 0 && r->token[r->n - 1].kind == kind)
            return true;
    return false;
}

/* What is wanted does not stand between a number and what it counts. */
static void gather(reader *r)
{
    for (int i = 0; i < r->text->n; i++) {
        const ask_token *const token = &r->text->token[i];

        if (token->kind == ASK_INTENT)
            r->facts->wants |= (unsigned)token->value;
        else if (token->kind != ASK_FILLER && !repeats(r, token->kind))
            r->token[r->n++] = *token;
    }
}

/* The first bare size is the model's, the next one the tokens'. */
static bool share_sizes(reader *r)
{
    ask_facts *const facts = r->facts;
    int i = 0;

    if (facts->model[0] == '\0' && i < facts->n_sizes)
        ask_number_print(facts->model, facts->sizes[i++]);
    if (i < facts->n_sizes && facts->n_tokens == 0)
        facts->n_tokens = facts->sizes[i++];
    if (i < facts->n_sizes)
        return p3d_fail(r->err, P3D_USAGE,
                "two models, or two numbers of tokens; ask about one");
    return true;
}

/* "64 GPUs, all of them H100"; "A800 or H100, 64 each". */
static bool join_lone(reader *r)
{
    ask_facts *const facts = r->facts;
    const double n = facts->n_each > 0     ? facts->n_each
                     : facts->n_types == 1 ? facts->n_lone
                                           : 0;

    if (n == 0)
        return true;
    for (int i = 0; i < facts->n_types; i++) {
        if (facts->n_clusters == ASK_MAX_CLUSTERS)
            return p3d_fail(r->err, P3D_USAGE,
                    "too many clusters for one question; ask about at most %d",
                    ASK_MAX_CLUSTERS);
        facts->cluster[facts->n_clusters++] =
                (ask_cluster){.n = n, .gpu = facts->type[i]};
    }
    facts->n_types = 0;
    facts->n_lone = 0;
    return true;
}

bool ask_facts_read(const ask_text *text, ask_facts *out, p3d_error *err)
{
    reader r = {.text = text, .facts = out, .err = err};

    *out = (ask_facts){.wants = 0};
    gather(&r);
    while (r.at < r.n)
        if (!read_next(&r))
            return false;
    return share_sizes(&r) && join_lone(&r);
}
