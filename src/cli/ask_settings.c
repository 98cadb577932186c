/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_settings.c - what a question sets: options, and words of plans. */
#include "cli/ask_match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

const char *ask_facts_option(const ask_facts *facts, const char *name)
{
    for (int i = 0; i < facts->n_options; i++)
        if (strcmp(facts->option[i].name, name) == 0)
            return facts->option[i].value;
    return NULL;
}

/* A second value, which may be what the first is compared with. */
static bool add_other(
        ask_reader *r, ask_part m, const char *name, const char *value)
{
    ask_facts *const facts = r->facts;
    const ask_token *const last = &m.token[m.n - 1];
    ask_option *const other = &facts->other[facts->n_other];

    for (int i = 0; i < facts->n_other; i++)
        if (strcmp(facts->other[i].name, name) == 0 && strcmp(name, "pin") != 0)
            return ask_fail_part(r, m, "; two such settings are there already");
    if (facts->n_other == ASK_MAX_OPTIONS)
        return ask_fail_part(r, m, "; too many settings for one question");
    if (facts->n_other++ == 0) {
        facts->other_at = m.token[0].at;
        facts->other_length = last->at + last->length - m.token[0].at;
    }
    *other = (ask_option){.name = ""};
    (void)p3d_copy(other->name, sizeof(other->name), name);
    (void)p3d_copy(other->value, sizeof(other->value), value);
    return true;
}

/* "tp=8" has the key "tp", "nosp" that of "sp". */
static bool same_key(const char *a, const char *b)
{
    static const char no[] = "nosp";
    const char *const first = a + 2 * (strncmp(a, no, strlen(no)) == 0);
    const char *const second = b + 2 * (strncmp(b, no, strlen(no)) == 0);
    const size_t n = strcspn(first, "=,");

    return n == strcspn(second, "=,") && strncmp(first, second, n) == 0;
}

const char *ask_find_pin(const char *pins, const char *word)
{
    for (const char *at = pins; at != NULL && *at != '\0';) {
        if (same_key(at, word))
            return at;
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    return NULL;
}

/* Words of plans go to one option, with commas. */
static bool add_pin(ask_reader *r, ask_part m, const char *word)
{
    ask_facts *const facts = r->facts;
    ask_option *pins = NULL;
    const char *before;
    size_t used;

    for (int i = 0; i < facts->n_options; i++)
        if (strcmp(facts->option[i].name, "pin") == 0)
            pins = &facts->option[i];
    if (pins == NULL) {
        P3D_ASSERT(facts->n_options < ASK_MAX_OPTIONS);
        pins = &facts->option[facts->n_options++];
        *pins = (ask_option){.name = "pin"};
    }
    before = ask_find_pin(pins->value, word);
    if (before != NULL && strcspn(before, ",") == strlen(word) &&
            strncmp(before, word, strlen(word)) == 0)
        return true;
    if (before != NULL)
        return add_other(r, m, "pin", word);
    used = strlen(pins->value);
    if (used + strlen(word) + 2 > sizeof(pins->value))
        return ask_fail_part(r, m, "; too many settings for one question");
    snprintf(pins->value + used, sizeof(pins->value) - used, "%s%s",
            used > 0 ? "," : "", word);
    return true;
}

static bool set_option(
        ask_reader *r, ask_part m, const char *name, const char *value)
{
    ask_facts *const facts = r->facts;
    const char *const before = ask_facts_option(facts, name);
    ask_option *option;

    if (before != NULL && strcmp(before, value) == 0)
        return true;
    if (before != NULL)
        return add_other(r, m, name, value);
    P3D_ASSERT(facts->n_options < ASK_MAX_OPTIONS); /* one a name */
    option = &facts->option[facts->n_options++];
    *option = (ask_option){.name = ""};
    (void)p3d_copy(option->name, sizeof(option->name), name);
    (void)p3d_copy(option->value, sizeof(option->value), value);
    return true;
}

/* "--dtype fp8", or words of plans. */
bool ask_set_flag(ask_reader *r, ask_part m)
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

/* K and M of a sequence are 1024 and its square: nobody means 8000 by "8k
 * context". */
static double setting_value(const char *name, ask_number number)
{
    if (strcmp(name, "seq") != 0)
        return number.value;
    if (number.is_kilo)
        return number.value / 1000 * 1024;
    return number.is_size && fmod(number.value, 1e6) == 0
                   ? number.value / 1e6 * 1048576
                   : number.value;
}

static bool set_value(ask_reader *r, ask_part m, ask_number number)
{
    const char *const name =
            ask_first(m, ask_has(m, ASK_LENGTH) ? ASK_LENGTH : ASK_SETTING)
                    ->text;
    const double value = setting_value(name, number);
    char word[ASK_VALUE];

    if (value != floor(value) || !(value >= 0) || value > 1e9)
        return ask_fail_part(r, m, "; write a whole number");
    if (strcmp(name, "lora") == 0) {
        r->facts->lora_rank = value;
        return true;
    }
    if (strcmp(name, "batch") == 0 && number.is_size && !number.is_kilo) {
        r->facts->batch_tokens = value; /* nobody has millions of sequences */
        return true;
    }
    snprintf(word, sizeof(word), "%s%s%.0f", is_own_option(name) ? "" : name,
            is_own_option(name) ? "" : "=", value);
    return is_own_option(name) ? set_option(r, m, name, word)
                               : add_pin(r, m, word);
}

bool ask_set_setting(ask_reader *r, ask_part m)
{
    return set_value(r, m, ask_number_of(m));
}

/* "8k" of nothing: a length of sequences, which alone are said so. */
bool ask_set_context(ask_reader *r, ask_part m)
{
    static const double least = 1000, most = 1024000;
    const ask_number number = ask_number_of(m);
    char word[ASK_VALUE];

    if (number.value < least || number.value > most ||
            ask_facts_option(r->facts, "seq") != NULL)
        return ask_fail_number(r, m);
    snprintf(word, sizeof(word), "%.0f", setting_value("seq", number));
    return set_option(r, m, "seq", word);
}

/* "16k instead of 8k" */
bool ask_set_two(ask_reader *r, ask_part m)
{
    const ask_kind kind = ask_has(m, ASK_KILO) ? ASK_KILO : ASK_NUMBER;

    r->facts->wants |= ASK_WANTS_PAIR;
    return set_value(r, m, ask_nth(m, kind, 0)->number) &&
           set_value(r, m, ask_nth(m, kind, 1)->number);
}

/* "raising the context from 4k to 32k" is at 32k, unless both are compared. */
bool ask_set_last(ask_reader *r, ask_part m)
{
    const ask_kind kind = ask_has(m, ASK_KILO) ? ASK_KILO : ASK_NUMBER;
    const unsigned compares =
            ASK_WANTS_PAIR | ASK_WANTS_CHANGE | ASK_WANTS_PENALTY;

    return (r->facts->wants & compares) != 0
                   ? ask_set_two(r, m)
                   : set_value(r, m, ask_nth(m, kind, 1)->number);
}

/* "at 0.1 dollars per kWh" */
bool ask_set_energy_price(ask_reader *r, ask_part m)
{
    char shortest[P3D_NUMBER_BUFFER];

    return set_option(r, m, "energy-price",
            p3d_print_shortest(shortest, sizeof(shortest), ask_value_of(m, 0)));
}

bool ask_double(ask_reader *r, ask_part m)
{
    if (strcmp(ask_first(m, ASK_LENGTH)->text, "seq") != 0)
        return ask_fail_part(r, m, "; write both numbers");
    r->facts->doubles_seq = true;
    return true;
}

bool ask_double_gpus(ask_reader *r, ask_part m)
{
    (void)m;
    r->facts->doubles_gpus = true;
    return true;
}

/* "longest sequence", "biggest batch" */
bool ask_find_end(ask_reader *r, ask_part m)
{
    const ask_kind kind = ask_has(m, ASK_LENGTH) ? ASK_LENGTH : ASK_SETTING;
    const char *const name = ask_first(m, kind)->text;
    static const struct {
        const char *name;
        ask_intent wants;
    } ends[] = {{"seq", ASK_WANTS_LONGEST}, {"batch", ASK_WANTS_MOST},
            {"mbs", ASK_WANTS_MOST}};

    for (int i = 0; i < P3D_COUNT_OF(ends); i++)
        if (strcmp(ends[i].name, name) == 0) {
            r->facts->wants |= (unsigned)ends[i].wants;
            return true;
        }
    return ask_fail_part(r, m, "; write its number behind it");
}

bool ask_find_model(ask_reader *r, ask_part m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_LARGEST;
    return true;
}

bool ask_set_batch_tokens(ask_reader *r, ask_part m)
{
    if (ask_has(m, ASK_LENGTH) &&
            strcmp(ask_first(m, ASK_LENGTH)->text, "seq") == 0)
        return ask_set_setting(r, m);
    r->facts->batch_tokens = ask_number_of(m).value;
    return true;
}

/* "with context parallelism", "using TP": it is wanted, and not asked for. */
static bool is_wanted(const ask_reader *r, const ask_token *token)
{
    static const char *const words[] = {"with", "using"};
    const char *const text = r->text->text;
    size_t end = token->at;

    while (end > 0 && text[end - 1] == ' ')
        end--;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const size_t n = strlen(words[i]);

        if (end > n && text[end - n - 1] == ' ' &&
                strncmp(text + end - n, words[i], n) == 0)
            return true;
    }
    return false;
}

/* "TP and PP": what to set them to is the question. */
bool ask_for_setting(ask_reader *r, ask_part m)
{
    if (strcmp(m.token[0].text, "batch") == 0)
        return ask_fail_part(r, m,
                "; write its number behind it, or ask for the biggest batch");
    if (is_own_option(m.token[0].text))
        return ask_fail_part(r, m,
                "; write its number behind it, or ask for the longest "
                "sequence");
    if (is_wanted(r, &m.token[0]))
        return ask_fail_part(r, m, "; write its number behind it, 1 for none");
    if (r->facts->lone_length == 0) {
        r->facts->lone_at = m.token[0].at;
        r->facts->lone_length = m.token[0].length;
    }
    r->facts->wants |= ASK_WANTS_PLAN;
    return true;
}

bool ask_set_top(ask_reader *r, ask_part m)
{
    char word[ASK_VALUE];

    r->facts->wants |= ASK_WANTS_PLAN;
    snprintf(word, sizeof(word), "%.0f", ask_value_of(m, 0));
    return set_option(r, m, "top", word);
}

bool ask_set_sure(ask_reader *r, ask_part m)
{
    char word[ASK_VALUE];
    char shortest[P3D_NUMBER_BUFFER];

    snprintf(word, sizeof(word), "%s",
            p3d_print_shortest(
                    shortest, sizeof(shortest), ask_value_of(m, 0) / 100));
    return set_option(r, m, "sure", word);
}

/* "4:1": rate of the links down over that of the links up. */
bool ask_set_oversubscription(ask_reader *r, ask_part m)
{
    char word[ASK_VALUE];
    char shortest[P3D_NUMBER_BUFFER];

    if (ask_value_of(m, 1) <= 0)
        return ask_fail_part(r, m, "; write it as 4:1");
    snprintf(word, sizeof(word), "%s",
            p3d_print_shortest(shortest, sizeof(shortest),
                    ask_value_of(m, 0) / ask_value_of(m, 1)));
    return set_option(r, m, "oversubscription", word);
}

static bool replace_framework(
        ask_reader *r, const char *word, const char *framework)
{
    for (int i = 0; i < r->facts->n_options; i++)
        if (strcmp(r->facts->option[i].name, "framework") == 0)
            (void)p3d_copy(r->facts->option[i].value, ASK_VALUE, framework);
    (void)p3d_copy(r->facts->framework, ASK_NAME, word);
    return true;
}

bool ask_set_framework(ask_reader *r, ask_part m)
{
    const ask_token *const token = ask_first(m, ASK_FRAMEWORK);

    const char *const before = ask_facts_option(r->facts, "framework");
    char word[ASK_NAME];

    snprintf(word, sizeof(word), "%.*s",
            token->length < ASK_NAME ? (int)token->length : ASK_NAME - 1,
            r->text->text + token->at);
    /* "FSDP accelerate config": FSDP is what it runs. */
    if (before != NULL && strncmp(token->text, "fsdp", 4) == 0 &&
            p3d_same_word(r->facts->framework, "fsdp"))
        return replace_framework(r, word, token->text);
    if (before != NULL && p3d_same_word(word, "fsdp") &&
            strncmp(before, "fsdp", 4) == 0)
        return true;
    (void)p3d_copy(r->facts->framework, ASK_NAME, word);
    return set_option(r, m, "framework", token->text);
}

bool ask_set_fabric(ask_reader *r, ask_part m)
{
    return set_option(r, m, "fabric", ask_first(m, ASK_FABRIC)->text);
}

/* InfiniBand has a name for each of its rates, of two with 200 Gbit/s the
 * usual one first; a network of no kind is one. Ethernet without more is a port
 * of the node. */
static bool set_rate(
        ask_reader *r, ask_part m, double rate, const ask_token *network)
{
    static const char *const kinds[] = {"", "-hdr", "-ndr", "-edr", "-xdr"};
    const char *const kind = network->text[0] != '\0' ? network->text : "ib";
    char port[ASK_NAME];

    if (strcmp(kind, "ethernet") == 0) {
        snprintf(port, sizeof(port), "%.0fGbE", rate);
        return set_option(r, m, "fabric", port);
    }

    for (int i = 0; i < P3D_COUNT_OF(kinds); i++) {
        char name[ASK_NAME];
        size_t length;
        const ask_name *found;

        snprintf(name, sizeof(name), "%s%s-%.0f", kind, kinds[i], rate);
        found = ask_names_at(&r->text->names, name, &length);
        if (found != NULL && found->kind == ASK_FABRIC && name[length] == '\0')
            return set_option(r, m, "fabric", found->meaning);
    }
    return ask_fail_part(r, m, "; see 'plan3d list fabrics'");
}

bool ask_set_network(ask_reader *r, ask_part m)
{
    r->facts->says |= ASK_NAMES_NETWORK;
    return set_rate(r, m, ask_value_of(m, 0), ask_first(m, ASK_NETWORK));
}

/* "over 400G": of which kind? */
bool ask_fail_rate(ask_reader *r, ask_part m)
{
    return ask_fail_part(r, m,
            "; write the kind of network behind it, such as '400 Gb/s "
            "InfiniBand'");
}

/* "400G instead of 200G InfiniBand", "400G InfiniBand or 200G RoCE" */
bool ask_set_two_networks(ask_reader *r, ask_part m)
{
    const ask_token *const first = ask_first(m, ASK_NETWORK);
    const ask_token *const second = ask_nth(m, ASK_NETWORK, 1);

    r->facts->wants |= ASK_WANTS_PAIR;
    return set_rate(r, m, ask_value_of(m, 0), first) &&
           set_rate(r, m, ask_value_of(m, 1), second != NULL ? second : first);
}

bool ask_set_noun(ask_reader *r, ask_part m)
{
    static const char *const of_rates[] = {"roce", "ethernet"};

    for (int i = 0; i < P3D_COUNT_OF(of_rates); i++)
        if (m.token[0].kind == ASK_NETWORK &&
                strcmp(m.token[0].text, of_rates[i]) == 0)
            return ask_fail_part(r, m,
                    "; write its rate before it, such as '400 Gb/s RoCE'");
    r->facts->noun = m.token[0].kind;
    if (m.token[0].kind == ASK_NETWORK)
        r->facts->says |= ASK_NAMES_NETWORK;
    return true;
}

/* "64 A800 40GB": its name would have been one with its memory. "An 80 GB
 * GPU" has none. */
bool ask_fail_memory(ask_reader *r, ask_part m)
{
    bool has_gpu = false;

    for (int i = 0; i < r->n; i++)
        has_gpu |= r->token[i].kind == ASK_GPU;
    if (!has_gpu)
        return ask_fail_part(r, m,
                ": a size of memory is no GPU; write a type and how many, such "
                "as 'on 1 A100-80GB'");
    return ask_fail_part(r, m,
            "; no GPU of that type and memory is known, see 'plan3d list "
            "gpus'");
}

bool ask_want_plan(ask_reader *r, ask_part m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_PLAN;
    return true;
}

bool ask_fail_number(ask_reader *r, ask_part m)
{
    return ask_fail_part(r, m, "; of what?");
}

bool ask_pass(ask_reader *r, ask_part m)
{
    (void)r;
    (void)m;
    return true;
}
