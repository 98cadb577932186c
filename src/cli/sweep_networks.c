/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_networks.c - reads the lists of options of the network. */
#include "cli/sweep_networks.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cli/sweep_cluster.h"
#include "plan3d/units.h"

/* A value of a list: what it says of the tiers. */
typedef bool value_reader(
        const char *word, spec_tiers_said *to, p3d_error *err);

static bool read_ratio(const char *word, spec_tiers_said *to, p3d_error *err)
{
    return p3d_parse_number(
            word, 1, SPEC_MAX_OVERSUBSCRIPTION, &to->oversubscription, err);
}

static bool read_rails(const char *word, spec_tiers_said *to, p3d_error *err)
{
    for (int i = 0; to->rails == 0 && spec_rails_word(i) != NULL; i++)
        if (p3d_same_word(word, spec_rails_word(i)))
            to->rails = 1 + i;
    return to->rails > 0 ||
           p3d_fail(err, P3D_USAGE, "'%.60s' is neither no nor yes", word);
}

/* An option that is a list, and how a value of it is read. */
typedef struct network_list {
    const char *option;
    value_reader *read;
    const char *values; /* "1,2,4"; NULL = not said */
    int n;              /* at least 1 */
    spec_tiers_said at[CLI_MAX_RATIOS];
    char words[CLI_MAX_RATIOS][32];
} network_list;

static bool read_list(network_list *list, p3d_error *err)
{
    const char *at = list->values;
    char part[CLI_PART];
    p3d_error cause = {0};
    int n = 0;

    while (cli_next_part(&at, part, &cause)) {
        if (n == CLI_MAX_RATIOS)
            return p3d_fail(err, P3D_USAGE, "--%s: more than %d values",
                    list->option, CLI_MAX_RATIOS);
        if (!list->read(part, &list->at[n], &cause))
            break;
        (void)snprintf(list->words[n], sizeof(list->words[n]), "%s=%.12s",
                list->option, part);
        n++;
    }
    list->n = n > 0 ? n : 1;
    return cause.code == P3D_OK ||
           p3d_fail(err, P3D_USAGE, "--%s: %.400s", list->option, cause.text);
}

/* A value that all rows have is not named. */
static const char *word_of(const network_list *list, int i)
{
    return list->n > 1 ? list->words[i] : "";
}

bool cli_networks_read(const cli_args *args, cli_networks *out, p3d_error *err)
{
    network_list ratios = {.option = "oversubscription",
            .read = read_ratio,
            .values = args->oversubscription_list};
    network_list rails = {
            .option = "rails", .read = read_rails, .values = args->rails_list};

    *out = (cli_networks){.n = 0};
    if (!read_list(&ratios, err) || !read_list(&rails, err))
        return false;
    if (ratios.n * rails.n > CLI_MAX_NETWORKS)
        return p3d_fail(err, P3D_USAGE, "--rails: a value stands in it twice");
    out->varies = ratios.n > 1  ? ratios.option
                  : rails.n > 1 ? rails.option
                                : NULL;
    for (int i = 0; i < ratios.n; i++)
        for (int k = 0; k < rails.n; k++, out->n++) {
            out->at[out->n] = ratios.at[i];
            out->at[out->n].rails = rails.at[k].rails;
            (void)snprintf(out->words[out->n], sizeof(out->words[0]), "%s%s%s",
                    word_of(&ratios, i), ratios.n > 1 && rails.n > 1 ? " " : "",
                    word_of(&rails, k));
        }
    return true;
}

void cli_networks_say(
        const cli_networks *networks, const char *words, cli_args *args)
{
    const spec_tiers_said *said = &networks->at[0];

    for (int i = 1; i < networks->n && words != NULL; i++)
        if (strcmp(words, networks->words[i]) == 0)
            said = &networks->at[i];
    args->oversubscription = said->oversubscription;
    args->rails = said->rails;
}

void cli_networks_repeat(const cli_args *args, p3d_text *out)
{
    const char *const ratio = args->oversubscription_list;
    const char *const rails = args->rails_list;

    if (ratio != NULL && strchr(ratio, ',') == NULL)
        p3d_text_add(out, " --oversubscription %s", ratio);
    if (rails != NULL && strchr(rails, ',') == NULL)
        p3d_text_add(out, " --rails %s", rails);
}
