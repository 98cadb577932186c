/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_turns.c - in which order a command has its options: a script sets
 * arrays in one order and hands them on in another. */
#include "base/ascii.h"
#include "exchange/read/shell_reader.h"

void shell_take_turns(shell_reader *r, int first, int n)
{
    if (r->assigns || exchange_branches_skip(&r->branches))
        return;
    for (int i = first; i < first + n && i < r->out->n; i++) {
        r->out->at[i].command = r->command;
        r->out->at[i].turn = ++r->turn;
    }
}

void shell_take_variable(shell_reader *r, const char *at)
{
    const char *const name = at + 1 + (at[1] == '{');
    const exchange_shell_variable *found;
    size_t n = 0;

    if (at[0] != '$')
        return;
    while (p3d_is_word(name[n]))
        n++;
    found = exchange_shell_find(&r->variables, name, n);
    if (found != NULL)
        shell_take_turns(r, found->first, found->n);
}

void shell_sort_turns(exchange_settings *settings, int first)
{
    for (int i = first; i < settings->n; i++)
        for (int k = i + 1; k < settings->n; k++) {
            exchange_setting *const a = &settings->at[i];
            exchange_setting *const b = &settings->at[k];
            const exchange_setting later = *a;

            if (a->command == 0 || a->command != b->command ||
                    a->turn < b->turn ||
                    !exchange_same_name(a->name, b->name, true))
                continue;
            *a = *b;
            *b = later;
        }
}
