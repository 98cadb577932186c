/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_amounts.c - tokens, time and money of a question, and its model. */
#include "cli/ask_match.h"

#include <string.h>

bool ask_want_length(ask_reader *r, ask_part m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_LENGTH;
    return true;
}

bool ask_want_tokens(ask_reader *r, ask_part m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_TOKENS;
    return true;
}

/* "how many H100 hours": the type is no cluster yet. */
bool ask_want_gpu_hours(ask_reader *r, ask_part m)
{
    r->facts->wants |= ASK_WANTS_LENGTH;
    return ask_set_lone(r, m);
}

bool ask_want_cost(ask_reader *r, ask_part m)
{
    (void)m;
    r->facts->wants |= ASK_WANTS_COST;
    return true;
}

/* Amounts may be said once, or the same again. */
static bool set_amount(ask_reader *r, ask_part m, double *to, double value)
{
    if (!(value > 0))
        return ask_fail_part(r, m, "; write more than 0");
    if (*to > 0 && *to != value)
        return ask_fail_part(r, m, "; another such amount is there already");
    *to = value;
    return true;
}

bool ask_set_tokens(ask_reader *r, ask_part m)
{
    return set_amount(r, m, &r->facts->n_tokens, ask_number_of(m).value);
}

bool ask_set_epochs(ask_reader *r, ask_part m)
{
    return set_amount(r, m, &r->facts->n_epochs, ask_number_of(m).value);
}

static double nth_amount(ask_part m, int k)
{
    for (int i = 0; i < m.n; i++)
        if (ask_is_number(m.token[i].kind) && k-- == 0)
            return m.token[i].number.value;
    return 0;
}

/* "20k examples of 1024 tokens" */
bool ask_set_samples(ask_reader *r, ask_part m)
{
    return set_amount(
            r, m, &r->facts->n_tokens, nth_amount(m, 0) * nth_amount(m, 1));
}

bool ask_fail_samples(ask_reader *r, ask_part m)
{
    return ask_fail_part(r, m,
            "; of how many tokens each? write for example '10000 samples of "
            "1000 tokens'");
}

bool ask_set_deadline(ask_reader *r, ask_part m)
{
    return set_amount(r, m, &r->facts->deadline_s,
            (ask_has_number(m) ? ask_number_of(m).value : 1) *
                    ask_first(m, ASK_TIME)->value);
}

enum { HOUR_S = 3600 };

/* "$2" or "2 dollars": the number beside, on the side that it began on. */
static double dollars(ask_part m)
{
    const int step = m.token[0].kind == ASK_DOLLAR ? 1 : -1;

    for (int i = 0; i < m.n; i++)
        if (m.token[i].kind == ASK_DOLLAR)
            return m.token[i + step].number.value;
    return 0;
}

/* A second price is that of the second cluster, behind which it stands. */
static bool set_usd(ask_reader *r, ask_part m, double usd)
{
    ask_facts *const facts = r->facts;
    const bool is_second = facts->usd_per_gpu_h > 0 &&
                           facts->usd_per_gpu_h != usd &&
                           facts->n_clusters == 2;

    return set_amount(r, m,
            is_second ? &facts->usd_of_second : &facts->usd_per_gpu_h, usd);
}

/* No GPU-hour costs so much: "with 500,000 dollars". */
static const double LEAST_BUDGET_USD = 1000;

/* USD for a GPU-hour, whatever the order. */
bool ask_set_price(ask_reader *r, ask_part m)
{
    const ask_token *const time = ask_first(m, ASK_TIME);
    const double usd = dollars(m);

    if (m.n == 2 && usd >= LEAST_BUDGET_USD)
        return ask_set_budget(r, m);
    if (ask_has(m, ASK_HOST))
        return ask_fail_token(
                r, ask_first(m, ASK_HOST), ": prices are per GPU-hour");
    if (ask_has(m, ASK_TIME) && time->value != HOUR_S)
        return ask_fail_token(r, time, ": prices are per GPU-hour");
    for (int i = 0; ask_nth(m, ASK_NUMBER, i) != NULL; i++)
        if (ask_value_of(m, i) != usd && ask_value_of(m, i) != 1)
            return ask_fail_part(r, m, ": prices are per GPU-hour");
    return set_usd(r, m, usd);
}

/* "2.5 per GPU hour", "2.2/h": dollars, as all money. */
bool ask_set_lone_price(ask_reader *r, ask_part m)
{
    const ask_token *const time = ask_first(m, ASK_TIME);

    if (ask_has(m, ASK_TIME) && time->value != HOUR_S)
        return ask_fail_token(r, time, ": prices are per GPU-hour");
    return set_usd(r, m, ask_number_of(m).value);
}

/* Of a node, or of all GPUs together. */
bool ask_fail_price(ask_reader *r, ask_part m)
{
    return ask_fail_part(r, m, ": prices are per GPU-hour");
}

/* A number of dollars that is no price. */
bool ask_fail_budget(ask_reader *r, ask_part m)
{
    return ask_has(m, ASK_BUDGET)
                   ? ask_fail_part(r, m, "; write it in dollars, such as '$1M'")
                   : ask_fail_price(r, m);
}

bool ask_set_budget(ask_reader *r, ask_part m)
{
    return set_amount(r, m, &r->facts->budget_usd, ask_number_of(m).value);
}

bool ask_set_size(ask_reader *r, ask_part m)
{
    const double value = ask_number_of(m).value;
    char text[ASK_NUMBER_BUFFER];

    ask_number_print(text, value);
    if (r->facts->model[0] != '\0' && strcmp(r->facts->model, text) != 0)
        return ask_fail_part(r, m, "; another model is there already");
    (void)p3d_copy(r->facts->model, sizeof(r->facts->model), text);
    return true;
}

bool ask_add_size(ask_reader *r, ask_part m)
{
    ask_facts *const facts = r->facts;
    const ask_token *const size = m.token;

    if (facts->n_sizes == P3D_COUNT_OF(facts->sizes))
        return ask_fail_part(r, m, "; of what?");
    facts->are_models |=
            size - r->token >= 2 && size[-2].kind == ASK_SIZE &&
            (size[-1].kind == ASK_OR || size[-1].kind == ASK_VERSUS);
    facts->sizes[facts->n_sizes++] = size->number.value;
    return true;
}

bool ask_set_model(ask_reader *r, ask_part m)
{
    ask_facts *const facts = r->facts;

    if (facts->model[0] != '\0' && strcmp(facts->model, m.token[0].text) != 0)
        return ask_fail_part(r, m, "; another model is there already");
    (void)p3d_copy(facts->model, sizeof(facts->model), m.token[0].text);
    return true;
}

/* The first path is the model's, the second the cluster's. */
bool ask_set_path(ask_reader *r, ask_part m)
{
    char *const to =
            r->facts->model[0] == '\0' ? r->facts->model : r->facts->path;

    if (to[0] != '\0' || m.token[0].length >= ASK_VALUE)
        return ask_fail_part(r, m, "");
    memcpy(to, r->text->text + m.token[0].at, m.token[0].length);
    return true;
}
