/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interconnect.c - the rate of a network from the words of a publication. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/corpus_parts.h"

enum { MAX_NICS = 64, MAX_GBIT = 100000 };

/* Words for a kind of network; the first that is found counts. */
static const struct {
    const char *word;
    const char *kind;
} kinds[] = {
        {"Omni-Path", "opa"},
        {"OmniPath", "opa"},
        {"RoCE", "roce"},
        {"InfiniBand", "ib"},
        {"HDR", "ib"},
        {" IB ", "ib"},
};

/* What a rate is of, by the words after it. */
typedef enum scope { OF_NIC, OF_NODE, OF_GPU, UNKNOWN } scope;

static const struct {
    const char *word;
    scope scope;
} scopes[] = {
        {"per GPU", OF_GPU},
        {"count unstated", OF_NIC},
        {"per node", OF_NODE},
        {"node-node", OF_NODE},
        {"inter-node", OF_NODE},
        {"inter ", OF_NODE},
};

/* A number of at most max; 0 when it is larger. */
static int number_at(const char *digits, int max)
{
    const long value = strtol(digits, NULL, 10);

    return 0 < value && value <= max ? (int)value : 0;
}

/* Digits that end before `end`; where they begin, or end when there is none. */
static const char *digits_before(const char *text, const char *end)
{
    while (end > text && p3d_is_digit(end[-1]))
        end--;
    return end;
}

static scope find_scope(const char *text)
{
    for (int i = 0; i < P3D_COUNT_OF(scopes); i++) {
        if (strstr(text, scopes[i].word) != NULL)
            return scopes[i].scope;
    }
    return UNKNOWN;
}

/* Gigabits: "8x100 Gb/s NIC per node", "1600 Gbps", "4x100 Gb RoCE". Gigabytes
 * ("400 GB/s") are of NVLink. */
static void read_rate(const char *text, p3d_interconnect *out)
{
    const char *const unit = strstr(text, "Gb");
    const char *end = unit;
    const char *begin;
    double bit_per_s;

    if (unit == NULL)
        return;
    while (end > text && end[-1] == ' ')
        end--;
    begin = digits_before(text, end);
    if (begin == end)
        return;
    bit_per_s = 1e9 * number_at(begin, MAX_GBIT);
    if (begin - text >= 2 && begin[-1] == 'x' && p3d_is_digit(begin[-2])) {
        out->n_nics = number_at(digits_before(text, begin - 1), MAX_NICS);
        out->nic_bit_per_s = bit_per_s;
        return;
    }
    switch (find_scope(text)) {
    case OF_NIC: out->nic_bit_per_s = bit_per_s; break;
    case OF_GPU: out->gpu_bit_per_s = bit_per_s; break;
    case OF_NODE: out->node_bit_per_s = bit_per_s; break;
    case UNKNOWN: break;
    }
}

/* "4x Omni-Path 100 per node", "4 OmniPath links per node". */
static void read_omni_path(const char *text, p3d_interconnect *out)
{
    const char *const name = strstr(text, "Omni");
    const char *end = name;

    if (name == NULL || out->nic_bit_per_s > 0 || out->node_bit_per_s > 0)
        return;
    while (end > text && (end[-1] == ' ' || end[-1] == 'x'))
        end--;
    if (digits_before(text, end) != end)
        out->n_nics = number_at(digits_before(text, end), MAX_NICS);
    /* 400 Gb/s a node (bigscience-workshop/bigscience@9e64ede
     * jz/frameworks/megatron-lm.md). */
    else if (strstr(text, "Jean Zay") != NULL)
        out->n_nics = 4;
}

p3d_interconnect p3d_interconnect_read(const char *text)
{
    p3d_interconnect out = {0};

    for (int i = 0; i < P3D_COUNT_OF(kinds) && out.kind == NULL; i++) {
        if (strstr(text, kinds[i].word) != NULL)
            out.kind = kinds[i].kind;
    }
    read_rate(text, &out);
    read_omni_path(text, &out);
    return out;
}
