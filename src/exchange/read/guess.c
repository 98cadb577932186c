/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guess.c - whose options the settings of files are, and which setting is an
 * option. */
#include <string.h>

#include "exchange/read/import.h"

exchange_setting *exchange_import_find_name(const exchange_settings *settings,
        const exchange_table *table, const char *name)
{
    const bool loose = table->form == EXCHANGE_ARGUMENTS;
    const size_t n = strlen(name);
    exchange_setting *found = exchange_settings_find(settings, name, loose);

    if (found != NULL || loose)
        return found;
    for (int i = settings->n - 1; i >= 0 && found == NULL; i--) {
        const char *const full = settings->at[i].name;
        const size_t length = strlen(full);

        if (length > n && full[length - n - 1] == '.' &&
                strcmp(full + length - n, name) == 0)
            found = &settings->at[i];
    }
    return found;
}

exchange_setting *exchange_import_find(const exchange_settings *settings,
        const exchange_table *table, const exchange_option *option)
{
    exchange_setting *const found =
            exchange_import_find_name(settings, table, option->field.key);

    if (found != NULL || option->logged == NULL)
        return found;
    return exchange_import_find_name(settings, table, option->logged);
}

static int count_known(
        const exchange_settings *settings, const exchange_target *target)
{
    int n = 0;

    for (int t = 0; t < target->n_tables; t++) {
        const exchange_table *const table = &target->tables[t];

        for (int i = 0; i < table->n_options; i++) {
            n += table->options[i].kind != EXCHANGE_HEAD &&
                 exchange_import_find(settings, table, &table->options[i]) !=
                         NULL;
        }
    }
    return n;
}

static bool table_knows(const exchange_table *table, const char *name)
{
    for (int i = 0; i < table->n_options; i++)
        if (table->options[i].kind != EXCHANGE_HEAD &&
                exchange_same_name(table->options[i].field.key, name,
                        table->form == EXCHANGE_ARGUMENTS))
            return true;
    return false;
}

bool exchange_import_knows(const char *name)
{
    for (int i = 0; exchange_target_at(i) != NULL; i++) {
        const exchange_target *const target = exchange_target_at(i);

        for (int t = 0; t < target->n_tables; t++)
            if (table_knows(&target->tables[t], name))
                return true;
    }
    return false;
}

const exchange_target *exchange_import_guess(
        const exchange_settings *settings, p3d_error *err)
{
    const exchange_target *best = NULL;
    int most = 1;

    for (int i = 0; exchange_target_at(i) != NULL; i++) {
        const exchange_target *const target = exchange_target_at(i);
        const int n =
                target->reads_as == NULL ? count_known(settings, target) : 0;

        if (n > most) {
            most = n;
            best = target;
        }
    }
    if (best == NULL)
        p3d_fail(err, P3D_DATA,
                "no parallel plan of a framework is recognized in the files; "
                "write --from and the framework");
    return best;
}
