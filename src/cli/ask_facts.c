/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_facts.c - the facts of a question, by patterns of kinds of tokens: a
 * number that GPUs follow is a cluster, one that days follow a deadline. */
#include "cli/ask_facts.h"

#include <stdio.h>
#include <string.h>

#include "cli/ask_match.h"
#include "spec/hardware.h"

/* clang-format off */
static const ask_rule rules[] = {
    /* Money first: its hours are no deadline, its GPU no cluster. */
    {"$n/?a?Z", ask_set_energy_price},
    {"n$/?a?Z", ask_set_energy_price},
    {"n/a?Z", ask_set_energy_price},
    {"/Zn$?", ask_set_energy_price},
    {"HZ", ask_want_length},
    {"Z", ask_want_length},
    {"Ba?$#", ask_set_budget},
    {"Ba?#$", ask_set_budget},
    {"$#B", ask_set_budget},
    {"#$B", ask_set_budget},
    {"$n/?a?dW", ask_fail_price},
    {"n$/?a?dW", ask_fail_price},
    {"W/?dn?$n?", ask_fail_price},
    {"$nW", ask_fail_price},
    {"$n/?a?d/?e", ask_fail_price},
    {"n$/?a?d/?e", ask_fail_price},
    {"eo?/?a?d?$n", ask_fail_price},
    {"eo?/?a?dn$", ask_fail_price},
    {"$n/?a?h", ask_set_price},
    {"$n/?a?o/?a?d?", ask_set_price},
    {"$ne", ask_fail_budget},
    {"n$e", ask_fail_budget},
    {"$n/?a?c?/?a?d/?a?c?", ask_set_price},
    {"$n/?a?c", ask_set_price},
    {"$n", ask_set_price},
    {"n$/?a?h", ask_set_price},
    {"n$/?a?o/?a?d?", ask_set_price},
    {"n$>ncg", ask_set_price},
    {"n$/?a?c?/?a?dnc", ask_set_price},
    {"n$/?a?c?/?a?d", ask_set_price},
    {"n$/?a?n?c", ask_set_price},
    {"/?hn$", ask_set_price},
    {"/o/?dn$", ask_set_price},
    {"/?c/?dn$", ask_set_price},
    {"/dn$n?c?", ask_set_price},
    {"ndn$n?c?", ask_set_price},
    {"n$", ask_set_price},
    {"n/a?h", ask_set_lone_price},
    {"n/a?d", ask_set_lone_price},
    {"nad", ask_set_lone_price},
    {"/hnc", ask_fail_budget},
    {"/dnc", ask_fail_budget},
    {"/hn", ask_set_lone_price},
    {"$s", ask_set_budget},
    {"s$", ask_set_budget},
    {"$y", ask_set_budget},
    {"y$", ask_set_budget},
    {"B#d", ask_set_deadline},
    {"Bad", ask_set_deadline},
    {"B", ask_fail_budget},

    /* Clusters, those of nodes before those of GPUs; of these, those whose
     * number is asked for before those that have one. */
    {"Honx?c?gc?e?o?", ask_set_count_of_nodes},
    {"Hnx?c?w?gc?o", ask_set_count_of_nodes},
    {"Hnc?og", ask_set_count_of_nodes},
    {"nxnxgc?", ask_add_nodes_of},
    {"nxngc?", ask_add_nodes_of},
    {"nor?enx?c?gc?", ask_add_nodes_of},
    {"nox?a?nx?c?gc?e?", ask_add_nodes_of},
    {"nogr?enc?", ask_add_nodes_of},
    {"nogr?nc?e", ask_add_nodes_of},
    {"ngor?enc?", ask_add_nodes_of},
    {"ngor?nc?e", ask_add_nodes_of},
    {"nncgo", ask_add_nodes_of},
    {"nnxgo", ask_add_nodes_of},
    {"nnxgc?", ask_add_nodes_of},
    {"nncog", ask_add_nodes_of},
    {"nx?c?gc?r?no", ask_add_cards_in_nodes},
    {"ngo", ask_add_whole_nodes},
    {"aoc?g", ask_add_whole_nodes},
    {"ago", ask_add_whole_nodes},
    {"noc?g", ask_add_whole_nodes},
    {"gno", ask_add_whole_nodes},
    {"nx?nGc?gc?", ask_add_by_memory},
    {"anGc?gc?", ask_add_by_memory},
    {"nc?~nc?gc?", ask_add_range},
    {"nc?rnc?rnc?rnc?gc?", ask_add_cards},
    {"nc?rnc?rnc?gc?", ask_add_cards},
    {"nc?rnc?gc?", ask_add_cards},
    {"nx?c?gc?", ask_add_cards},
    {"gxnc?", ask_add_cards},
    {"gr?nc", ask_add_cards},
    {"ac?gc?", ask_add_one},
    {"Hgd", ask_want_gpu_hours},
    {"Hogo?", ask_set_count},
    {"Ho?c?gc?o?", ask_set_count},
    {"Hoc?", ask_set_count},
    {"Hc", ask_set_count},
    {"Ht", ask_want_tokens},
    {"Xt", ask_want_tokens},
    {"Hd", ask_want_length},
    {"Hh", ask_want_length},
    {"H$", ask_want_cost},
    {"enc?", ask_set_each},
    {"nc?e", ask_set_each},
    {"nc", ask_set_lone},
    {"g", ask_set_lone},

    /* Settings. */
    {"q?nQ", ask_set_batch_tokens},
    {"q?yQ", ask_set_batch_tokens},
    {"q?sQ", ask_set_batch_tokens},
    {"qnt", ask_set_batch_tokens},
    {"qyt", ask_set_batch_tokens},
    {"qst", ask_set_batch_tokens},
    {"nt/?q", ask_set_batch_tokens},
    {"yt/?q", ask_set_batch_tokens},
    {"st/?q", ask_set_batch_tokens},
    {"qn~n", ask_set_last},
    {"qy~y", ask_set_last},
    {"X?qyry", ask_set_two},
    {"X?qnvn", ask_set_two},
    {"yryq", ask_set_two},
    {"nvnq", ask_set_two},
    {"Xqn", ask_set_setting},
    {"Xqy", ask_set_setting},
    {"qXn", ask_set_setting},
    {"qXy", ask_set_setting},
    {"2a?q", ask_double},
    {"q2", ask_double},
    {"2o?c", ask_double_gpus},
    {"c2", ask_double_gpus},
    {"Xq", ask_find_end},
    {"qX", ask_find_end},
    {"kX", ask_find_end},
    {"Xk", ask_find_end},
    {"Xp", ask_find_model},
    {"qn", ask_set_setting},
    {"qy", ask_set_setting},
    {"nq", ask_set_setting},
    {"yq", ask_set_setting},
    {"q", ask_for_setting},
    {"knvn", ask_set_two},
    {"kn", ask_set_setting},
    {"nwk", ask_set_setting},
    {"k", ask_for_setting},
    {"nP", ask_set_top},
    {"nUvnUd?K", ask_set_two_networks},
    {"nUd?KvnUd?K", ask_set_two_networks},
    {"nUd?K", ask_set_network},
    {"nGd?K", ask_set_network},
    {"KnU", ask_set_network},
    {"nK", ask_set_network},
    {"NnU", ask_set_fabric},
    {"nUN", ask_set_fabric},
    {"nU", ask_fail_rate},
    {"N", ask_set_fabric},
    {"n%r?S", ask_set_sure},
    {"Sn%", ask_set_sure},
    {"nnO", ask_set_oversubscription},
    {"Onn", ask_set_oversubscription},
    {"O", ask_set_oversubscription},
    {"f", ask_set_flag},
    {"F", ask_set_framework},

    /* Amounts. */
    {"#I#t", ask_set_samples},
    {"#I", ask_fail_samples},
    {"nE", ask_set_epochs},
    {"aE", ask_pass},
    {"pst", ask_set_tokens},
    {"#t", ask_set_tokens},
    {"ts", ask_set_tokens},
    {"sp", ask_set_size},
    {"ps", ask_set_size},
    {"s", ask_add_size},
    {"nG", ask_fail_memory},
    {"y>g", ask_fail_number},
    {"y>cg", ask_fail_number},
    {"y>c", ask_fail_number},
    {"y", ask_set_context},
    {"/d", ask_pass},
    {"#d", ask_set_deadline},
    {"ad", ask_set_deadline},
    {"M", ask_set_model},
    {"j", ask_set_path},
    {"h", ask_want_length},
    {"C", ask_pass},
    {"P", ask_want_plan},
    {"n", ask_add_count},
    {"c", ask_set_noun},
    {"p", ask_set_noun},
    {"K", ask_set_noun},
    {"o", ask_set_noun},
};
/* clang-format on */

static bool read_next(ask_reader *r)
{
    for (int i = 0; i < P3D_COUNT_OF(rules); i++) {
        const int n = ask_pattern_length(r, rules[i].pattern);
        const ask_part m = {r->token + r->at, n};

        if (n == 0)
            continue;
        r->at += n;
        return rules[i].act(r, m);
    }
    /* Most of what is left stands between things of a kind, or was said twice;
     * of what is doubled nobody knows what it is. */
    if (r->token[r->at].kind == ASK_TWICE)
        return ask_fail_token(r, &r->token[r->at], "; of what?");
    r->at++;
    return true;
}

/* Two in a row are one: "64 A800 GPUs cards", "128 H100, and"; of "4096, or"
 * the second says more. */
static bool repeats(ask_reader *r, const ask_token *token)
{
    static const ask_kind kinds[] = {ASK_CARD, ASK_HOST, ASK_OR, ASK_HOW_MANY,
            ASK_PARAMETERS, ASK_TOKENS, ASK_PER, ASK_PLAN, ASK_MOST};
    ask_token *const last = r->n > 0 ? &r->token[r->n - 1] : NULL;

    for (int i = 0; i < P3D_COUNT_OF(kinds) && last != NULL; i++)
        if (kinds[i] == token->kind && last->kind == token->kind)
            return true;
    if (last == NULL || last->kind != ASK_OR || token->kind != ASK_VERSUS)
        return false;
    *last = *token;
    return true;
}

/* "总共" says something beside a price alone: "$128 an hour in total". */
static bool is_of_price(const ask_reader *r, int i)
{
    const ask_token *const last = r->n > 0 ? &r->token[r->n - 1] : NULL;
    bool has_dollar = false;

    for (int k = 0; k < r->text->n; k++)
        has_dollar |= r->text->token[k].kind == ASK_DOLLAR;
    return has_dollar &&
           ((last != NULL && last->kind == ASK_TIME) ||
                   (i + 1 < r->text->n &&
                           r->text->token[i + 1].kind == ASK_PER));
}

static bool is_kind(const ask_reader *r, int i, ask_kind a, ask_kind b)
{
    return i >= 0 && i < r->text->n &&
           (r->text->token[i].kind == a || r->text->token[i].kind == b);
}

/* "32 A800 and 16 H100", where a comma would only list them. */
static bool joins_clusters(const ask_reader *r, int i)
{
    const ask_token *const token = &r->text->token[i];

    return token->kind == ASK_OR && r->text->text[token->at] != ',' &&
           is_kind(r, i - 1, ASK_GPU, ASK_CARD) &&
           is_kind(r, i + 1, ASK_NUMBER, ASK_NUMBER) &&
           (is_kind(r, i + 2, ASK_GPU, ASK_CARD) ||
                   is_kind(r, i + 2, ASK_TIMES, ASK_TIMES));
}

/* A length of a sequence or a batch beside it: "1M context", "batch of 4M". No
 * model is so small. */
static bool is_length(const ask_reader *r, int i)
{
    static const double most = 1e8;
    const ask_token *const token = &r->text->token[i];
    int before = i - 1;

    while (is_kind(r, before, ASK_FILLER, ASK_ARTICLE))
        before--;
    return token->kind == ASK_SIZE && token->number.value <= most &&
           (is_kind(r, before, ASK_LENGTH, ASK_LENGTH) ||
                   is_kind(r, i + 1, ASK_LENGTH, ASK_LENGTH));
}

/* "每步 4M token", which English has behind the tokens. */
static bool is_of_step(const ask_reader *r, int i)
{
    return is_kind(r, i, ASK_TOKENS, ASK_TOKENS) &&
           is_kind(r, i - 2, ASK_INTENT, ASK_INTENT) &&
           r->text->token[i - 2].value == ASK_WANTS_STEP &&
           ask_is_number(r->text->token[i - 1].kind);
}

static bool is_text(const ask_reader *r, int i, const char *text)
{
    return i >= 0 && r->text->token[i].text != NULL &&
           strcmp(r->text->token[i].text, text) == 0;
}

/* "a batch of 512 sequences": what the batch is counted in. */
static bool is_unit_of_batch(const ask_reader *r, int i)
{
    int before = i - 2;

    while (is_kind(r, before, ASK_FILLER, ASK_ARTICLE))
        before--;
    return is_kind(r, i, ASK_LENGTH, ASK_LENGTH) && is_text(r, i, "seq") &&
           is_kind(r, i - 1, ASK_NUMBER, ASK_KILO) &&
           is_kind(r, before, ASK_LENGTH, ASK_LENGTH) &&
           is_text(r, before, "batch") &&
           !is_kind(r, i + 1, ASK_NUMBER, ASK_KILO);
}

/* The token, as what stands beside it says what it is. */
static ask_token beside_others(const ask_reader *r, int i)
{
    ask_token token = r->text->token[i];

    if (is_unit_of_batch(r, i))
        token.kind = ASK_FILLER;
    else if (is_length(r, i))
        token.kind = ASK_KILO;
    else if (is_of_step(r, i))
        token.kind = ASK_STEP_TOKENS;
    return token;
}

/* What is wanted does not stand between a number and what it counts. */
static void gather(ask_reader *r)
{
    for (int i = 0; i < r->text->n; i++) {
        const ask_token own = beside_others(r, i);
        const ask_token *const token = &own;

        r->facts->says |= token->kind == ASK_TURN     ? (unsigned)token->value
                          : token->kind == ASK_VERSUS ? (unsigned)ASK_SAYS_OR
                          : joins_clusters(r, i)      ? (unsigned)ASK_SAYS_AND
                                                      : 0;
        r->facts->wants |= token->kind == ASK_INTENT ||
                                           token->kind == ASK_VERSUS ||
                                           token->kind == ASK_FLAG ||
                                           token->kind == ASK_CONFIG
                                   ? (unsigned)token->value
                                   : 0;
        if (token->kind == ASK_INTENT || token->kind == ASK_TURN ||
                (token->kind == ASK_WHOLE && !is_of_price(r, i)))
            continue;
        if (token->kind != ASK_FILLER && !repeats(r, token))
            r->token[r->n++] = *token;
    }
}

/* "175B GPT-3": the size is in the model's name. */
static bool has_size(const char *model, double size)
{
    const char *const dash = strrchr(model, '-');
    char text[ASK_NUMBER_BUFFER];

    ask_number_print(text, size);
    return dash != NULL && p3d_same_word(dash + 1, text);
}

/* "7B or 13B", and tokens so few as nobody trains a model on. */
static bool is_second_model(const ask_facts *facts)
{
    const double first = facts->sizes[0], second = facts->sizes[1];

    return facts->n_sizes == 2 && facts->model[0] == '\0' &&
           second < (facts->are_models ? 20 : 2) * first;
}

/* The first bare size is the model's, the next one the tokens'. */
static bool share_sizes(ask_reader *r)
{
    ask_facts *const facts = r->facts;
    int i = 0;

    if (is_second_model(facts))
        return p3d_fail(r->err, P3D_USAGE,
                "two models, or two numbers of tokens; ask about one");
    if (facts->model[0] == '\0' && i < facts->n_sizes)
        ask_number_print(facts->model, facts->sizes[i++]);
    else if (i < facts->n_sizes && has_size(facts->model, facts->sizes[i]))
        i++;
    if (i < facts->n_sizes && facts->n_tokens == 0)
        facts->n_tokens = facts->sizes[i++];
    if (i < facts->n_sizes)
        return p3d_fail(r->err, P3D_USAGE,
                "two models, or two numbers of tokens; ask about one");
    return true;
}

/* "64 GPUs, all of them H100"; "A800 or H100, 64 each", "64 GPUs, A800 or
 * H100". */
static bool join_lone(ask_reader *r)
{
    ask_facts *const facts = r->facts;
    const double n = facts->n_each > 0 ? facts->n_each : facts->n_lone;

    if (n == 0 || facts->n_types == 0)
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

/* "2 p4d boxes (A100 40GB)": what the machines have, once more. */
static void forget_repeated_type(ask_facts *facts)
{
    for (int i = 0; i < facts->n_clusters && facts->n_types == 1; i++) {
        spec_machine machine;
        p3d_gpu gpu;

        if (facts->cluster[i].gpu != NULL &&
                p3d_gpu_find(facts->type[0], &gpu, NULL) &&
                spec_machine_find(
                        facts->cluster[i].gpu, &machine, NULL, NULL) &&
                strcmp(machine.node.gpu, gpu.name) == 0)
            facts->n_types = 0;
    }
}

/* Clusters with "and" between are pools of one job, where nothing is compared:
 * "can I train 70B on 32 A800 and 16 H100". */
static void join_pools(ask_facts *facts)
{
    const unsigned compares = ASK_WANTS_PAIR | ASK_WANTS_CHANGE |
                              ASK_WANTS_PENALTY | ASK_WANTS_BETTER |
                              ASK_WANTS_COMPARISON;

    if ((facts->says & ASK_SAYS_AND) != 0 && (facts->wants & compares) == 0 &&
            (facts->says & (ASK_SAYS_OR | ASK_SAYS_SAVING)) == 0)
        facts->says |= ASK_SAYS_TOGETHER;
}

/* Two values of a setting are two jobs only where they are compared. */
static bool check_other(ask_reader *r)
{
    const ask_facts *const facts = r->facts;
    const unsigned pairs =
            ASK_WANTS_PAIR | ASK_WANTS_CHANGE | ASK_WANTS_PENALTY;

    return facts->n_other == 0 || (facts->wants & pairs) != 0 ||
           (facts->says & ASK_SAYS_OR) != 0 ||
           ask_fail_at(r->text, facts->other_at, facts->other_length,
                   "; another such setting is there already", r->err);
}

/* "no TP", "only TP", "ZeRO-2 with PP": a dimension without its number that is
 * more than what is to be found. A why has all dimensions in its answer. */
static bool check_lone_setting(ask_reader *r)
{
    const ask_facts *const facts = r->facts;

    return facts->lone_length == 0 ||
           (facts->wants & (unsigned)ASK_WANTS_WHY) != 0 ||
           ((facts->says & (ASK_SAYS_NOT | ASK_SAYS_ONLY)) == 0 &&
                   ask_facts_option(facts, "pin") == NULL) ||
           ask_fail_at(r->text, facts->lone_at, facts->lone_length,
                   "; write its number behind it, 1 for none", r->err);
}

/* "3 epochs of 100B tokens" */
static bool count_epochs(ask_reader *r)
{
    ask_facts *const facts = r->facts;

    if (!(facts->n_epochs > 1))
        return true;
    if (facts->n_tokens == 0)
        return p3d_fail(r->err, P3D_USAGE,
                "epochs of how many tokens? write it, such as '3 epochs of "
                "100B tokens'");
    facts->n_tokens *= facts->n_epochs;
    return true;
}

/* "LoRA with rank 64" */
static bool set_lora_rank(ask_reader *r)
{
    ask_facts *const facts = r->facts;
    bool any = false;

    for (int i = 0; i < facts->n_options && facts->lora_rank > 0; i++) {
        ask_option *const option = &facts->option[i];
        char value[ASK_VALUE];

        if (strcmp(option->name, "lora") != 0)
            continue;
        snprintf(value, sizeof(value), "r=%.0f%.64s", facts->lora_rank,
                option->value + strcspn(option->value, ","));
        (void)p3d_copy(option->value, sizeof(option->value), value);
        any = true;
    }
    return facts->lora_rank == 0 || any ||
           p3d_fail(r->err, P3D_USAGE,
                   "a rank of what? write LoRA, too: 'LoRA with rank 64'");
}

bool ask_facts_read(const ask_text *text, ask_facts *out, p3d_error *err)
{
    ask_reader r = {.text = text, .facts = out, .err = err};

    *out = (ask_facts){.wants = 0};
    gather(&r);
    while (r.at < r.n)
        if (!read_next(&r))
            return false;
    join_pools(out);
    forget_repeated_type(out);
    return share_sizes(&r) && count_epochs(&r) && join_lone(&r) &&
           check_other(&r) && check_lone_setting(&r) && set_lora_rank(&r);
}
