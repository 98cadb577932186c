/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_cluster.c - reads the words of a sweep: of lists, and for
 * clusters. */
#include "cli/sweep_cluster.h"

#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"
#include "spec/sizes.h"

bool cli_next_part(const char **at, char part[CLI_PART], p3d_error *err)
{
    const size_t n = *at == NULL ? 0 : strcspn(*at, ",");

    if (*at == NULL)
        return false;
    if (n == 0 || n >= CLI_PART)
        return p3d_fail(err, P3D_USAGE,
                n == 0 ? "'%.60s' has an empty place; write words with one "
                         "comma between them"
                       : "'%.60s...' is too long",
                *at);
    memcpy(part, *at, n);
    part[n] = '\0';
    *at = (*at)[n] == ',' ? *at + n + 1 : NULL;
    return true;
}

/* "8..1024xH100": length of the range before the x; 0 = there is none. */
static size_t range_length(const char *word)
{
    const size_t n = strspn(word, "0123456789.:KMkm");

    if (n == 0 || (word[n] != 'x' && word[n] != 'X') || word[n + 1] == '\0')
        return 0;
    for (size_t i = 0; i < n; i++)
        if (word[i] == ':' || (word[i] == '.' && word[i + 1] == '.'))
            return n;
    return 0;
}

/* A whole node of a type of GPU, to be resized. */
static bool read_type(const char *type, p3d_sweep_cluster *out, p3d_error *err)
{
    char words[P3D_SWEEP_WORD + 2] = "1x";
    p3d_node node;

    (void)p3d_copy(words + 2, P3D_SWEEP_WORD, type);
    (void)p3d_copy(out->word, sizeof(out->word), type);
    out->unit = spec_type_unit(type);
    return p3d_cluster_find(words, &out->cluster, err) &&
           spec_node_load(out->cluster.node.name, &node, err) &&
           p3d_cluster_resize(&out->cluster, node.gpus_per_node, err);
}

/* A range of machines counts machines. */
static bool count_gpus(int unit, p3d_numbers *counts, p3d_error *err)
{
    for (int i = 0; i < counts->n; i++) {
        counts->at[i] = p3d_mul(counts->at[i], unit);
        if (counts->at[i] > P3D_MAX_GPUS)
            return p3d_fail(err, P3D_DATA,
                    "more than %d GPUs, the most that plan3d plans for",
                    P3D_MAX_GPUS);
    }
    return true;
}

static bool read_range(const char *word, size_t n, p3d_sweep_cluster *out,
        p3d_numbers *counts, p3d_error *err)
{
    const char *const type = word + n + 1;

    if (type[strspn(type, "0123456789")] == 'x')
        return p3d_fail(err, P3D_USAGE,
                "'%s': a range counts GPUs, not nodes; write it before the "
                "type alone, such as 8..1024xH100",
                word);
    return p3d_numbers_parse(word, n, (p3d_bounds){1, P3D_MAX_GPUS, false},
                   counts, err) &&
           read_type(type, out, err) && count_gpus(out->unit, counts, err);
}

/* "8,16xH100": what stands between commas is a cluster each. */
static bool is_bare_count(const char *word)
{
    return word[strspn(word, "0123456789")] == '\0';
}

static bool looks_like_type(const char *word)
{
    return strchr("0123456789+-.", word[0]) == NULL &&
           strchr(word, '/') == NULL && strstr(word, ".json") == NULL;
}

bool cli_sweep_cluster_read(const char *word, p3d_sweep_cluster *out,
        p3d_numbers *counts, p3d_error *err)
{
    const size_t n_range = range_length(word);

    if (n_range > 0)
        return read_range(word, n_range, out, counts, err);
    if (is_bare_count(word))
        return p3d_fail(err, P3D_USAGE,
                "'%s' names no GPU; write %sxH100, or a type alone and --gpus "
                "%s,...",
                word, word, word);
    if (looks_like_type(word))
        return read_type(word, out, err);
    out->sized = true;
    (void)p3d_copy(out->word, sizeof(out->word), word);
    return p3d_cluster_find(word, &out->cluster, err);
}
