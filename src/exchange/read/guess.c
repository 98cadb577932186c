/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guess.c - whose options the settings of files are, and which setting is an
 * option. */
#include <string.h>

#include "base/util.h"
#include "exchange/read/import.h"

/* Of what an error says that the files say. */
enum { MOST_TOLD = 3, MAX_TOLD = 60 };

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

/* NeMo's launcher takes its plan from a file of a folder of its own, and is
 * given what it changes (NeMo-Framework-Launcher@26e42fa9 launcher_scripts/
 * main.py). */
static bool fail_launcher(const exchange_settings *settings, p3d_error *err)
{
    static const char part[] = "training.trainer.";
    const exchange_setting *one = NULL;

    for (int i = 0; i < settings->n && one == NULL; i++)
        if (strncmp(settings->at[i].name, part, sizeof(part) - 1) == 0)
            one = &settings->at[i];
    if (one != NULL)
        p3d_fail(err, P3D_DATA,
                "'%.80s' changes a configuration of NeMo's launcher, which is "
                "not among the files; add its file of conf/training",
                one->name);
    return one != NULL;
}

/* What a reader knows his files by: the model, a batch, a length. */
static bool is_told(const exchange_setting *setting)
{
    static const char *const names[] = {"model_name_or_path", "model_name",
            "model_id", "base_model", "model_path", "model", "model_size",
            "batch_size", "train_batch_size", "micro_batch_size",
            "per_device_train_batch_size", "global_batch_size",
            "max_seq_length", "max_seq_len", "seq_len", "max_length",
            "max_tokens"};
    const char *const value = setting->value;
    const char *const dot = strrchr(setting->name, '.');
    const char *const last = dot != NULL ? dot + 1 : setting->name;

    if (value == NULL || setting->line <= 0 || value[0] == '\0' ||
            strlen(value) > MAX_TOLD || strpbrk(value, " $`(") != NULL)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (exchange_same_name(last, names[i], true))
            return true;
    return false;
}

static void fail_guess(const exchange_settings *settings, p3d_error *err)
{
    p3d_text told = {0};
    int n = 0;

    if (fail_launcher(settings, err))
        return;
    for (int i = 0; i < settings->n && n < MOST_TOLD; i++) {
        const exchange_setting *const one = &settings->at[i];

        if (is_told(one))
            p3d_text_add(&told, "%s%.60s = %s", n++ > 0 ? ", " : "", one->name,
                    one->value);
    }
    if (n > 0)
        p3d_fail(err, P3D_DATA,
                "no parallel plan of a framework is recognized in the files, "
                "though they say %s; write --from and the framework, or add "
                "the script that starts the training",
                p3d_text_get(&told));
    else
        p3d_fail(err, P3D_DATA,
                "no parallel plan of a framework is recognized in the files; "
                "write --from and the framework");
    p3d_text_free(&told);
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
        fail_guess(settings, err);
    return best;
}
