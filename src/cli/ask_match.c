/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_match.c - patterns of kinds of tokens, and the tokens that they take. */
#include "cli/ask_match.h"

const ask_token *ask_nth(ask_part m, ask_kind kind, int k)
{
    for (int i = 0; i < m.n; i++)
        if (m.token[i].kind == kind && k-- == 0)
            return m.token + i;
    return NULL;
}

bool ask_has(ask_part m, ask_kind kind)
{
    return ask_nth(m, kind, 0) != NULL;
}

/* The first of a kind; one that says nothing where there is none. */
const ask_token *ask_first(ask_part m, ask_kind kind)
{
    static const ask_token none = {.kind = ASK_NONE, .text = ""};
    const ask_token *const token = ask_nth(m, kind, 0);

    return token != NULL ? token : &none;
}

bool ask_is_number(ask_kind kind)
{
    return kind == ASK_NUMBER || kind == ASK_SIZE || kind == ASK_KILO;
}

bool ask_has_number(ask_part m)
{
    return ask_has(m, ASK_NUMBER) || ask_has(m, ASK_SIZE) ||
           ask_has(m, ASK_KILO);
}

ask_number ask_number_of(ask_part m)
{
    return ask_first(m, ask_has(m, ASK_NUMBER) ? ASK_NUMBER
                        : ask_has(m, ASK_SIZE) ? ASK_SIZE
                                               : ASK_KILO)
            ->number;
}

double ask_value_of(ask_part m, int k)
{
    const ask_token *const token = ask_nth(m, ASK_NUMBER, k);

    return token != NULL ? token->number.value : 0;
}

bool ask_fail_token(ask_reader *r, const ask_token *token, const char *hint)
{
    return ask_fail_at(r->text, token->at, token->length, hint, r->err);
}

bool ask_fail_part(ask_reader *r, ask_part m, const char *hint)
{
    const ask_token *const last = &m.token[m.n - 1];

    return ask_fail_at(r->text, m.token[0].at,
            last->at + last->length - m.token[0].at, hint, r->err);
}

static bool fits_letter(char letter, ask_kind kind)
{
    switch (letter) {
    case '#': return ask_is_number(kind);
    case ASK_OR: return kind == ASK_OR || kind == ASK_VERSUS;
    case ASK_PLAN: return kind == ASK_PLAN || kind == ASK_CONFIG;
    default: return letter == (char)kind;
    }
}

/* How many tokens a pattern takes; 0 = it does not match. As the patterns have
 * no part that may repeat, taking what may be missing is never wrong but where
 * the same is asked for next: none does. */
int ask_pattern_length(const ask_reader *r, const char *pattern)
{
    int at = r->at;
    int taken = 0;

    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c == '>') {
            taken = at - r->at;
            continue;
        }
        const bool optional = c[1] == '?';
        const bool here = at < r->n && fits_letter(*c, r->token[at].kind);

        if (!here && !optional)
            return 0;
        at += here;
        c += optional;
    }
    return taken > 0 ? taken : at - r->at;
}
