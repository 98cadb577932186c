/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_xml.c - NCCL's topology of a node: its GPUs, what links them, and its
 * network cards. */
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

enum { MAX_DEPTH = 64, MAX_CARDS = 1024, MAX_GPUS = 1024 };

/* A tag, its attributes not read yet. */
typedef struct xml_tag {
    topology_word name;
    topology_word attributes;
    bool closes; /* </name> */
    bool alone;  /* <name/> */
} xml_tag;

typedef struct xml_reader {
    p3d_error *err;
    const char *at;
    int line;
    int depth;
    topology_word open[MAX_DEPTH];
    exchange_topology *out;
    int nvlinks; /* of the GPU at hand */
} xml_reader;

static topology_word line_at(const char *at)
{
    return (topology_word){at, strcspn(at, "\r\n")};
}

/* Blanks, comments and declarations. @return false where one does not end */
static bool skip(xml_reader *r)
{
    for (;;) {
        const char *end;

        while (p3d_is_space(*r->at))
            r->line += *r->at++ == '\n';
        if (strncmp(r->at, "<!--", 4) == 0)
            end = strstr(r->at + 4, "-->");
        else if (strncmp(r->at, "<?", 2) == 0)
            end = strstr(r->at + 2, "?>");
        else
            return true;
        if (end == NULL)
            return topology_fail(r->err, r->line, "does not end: '%.*s'",
                    TOPOLOGY_SHOWN(line_at(r->at)));
        for (; r->at < end; r->at++)
            r->line += *r->at == '\n';
        r->at += *end == '-' ? 3 : 2;
    }
}

/* The next tag; its `>` is none of a value in quotes. */
static bool next_tag(xml_reader *r, xml_tag *out)
{
    const char *const from = r->at;
    const char *at = from + 1;
    bool in_value = false;

    if (*from != '<')
        return topology_fail(r->err, r->line, "not a tag of XML: '%.*s'",
                TOPOLOGY_SHOWN(line_at(from)));
    *out = (xml_tag){.closes = *at == '/'};
    at += out->closes;
    out->name = (topology_word){at, strcspn(at, " \t\r\n/>\"<=")};
    at += out->name.n;
    out->attributes.at = at;
    for (; *at != '\0' && (in_value || *at != '>'); at++) {
        in_value ^= *at == '"';
        r->line += *at == '\n';
    }
    if (out->name.n == 0 || *at == '\0')
        return topology_fail(r->err, r->line, "a tag that does not end: '%.*s'",
                TOPOLOGY_SHOWN(line_at(from)));
    out->alone = !out->closes && at[-1] == '/';
    out->attributes.n = (size_t)(at - out->attributes.at) - out->alone;
    r->at = at + 1;
    return true;
}

/* name="value" of a tag. @return false with an error where attributes are not
 * of this form; a value that is not there is NULL */
static bool attribute(
        xml_reader *r, const xml_tag *tag, const char *name, topology_word *out)
{
    const char *at = tag->attributes.at;
    const char *const end = at + tag->attributes.n;

    *out = (topology_word){NULL, 0};
    for (;;) {
        topology_word key, value;

        while (at < end && p3d_is_space(*at))
            at++;
        if (at == end)
            return true;
        key = (topology_word){at, strcspn(at, "= \t\r\n\"<>")};
        at += key.n;
        if (key.n == 0 || at + 1 >= end || at[0] != '=' || at[1] != '"')
            return topology_fail(r->err, r->line,
                    "no NAME=\"VALUE\" in the tag '%.*s'",
                    TOPOLOGY_SHOWN(tag->name));
        value.at = at + 2;
        at = memchr(value.at, '"', (size_t)(end - value.at));
        if (at == NULL)
            return topology_fail(r->err, r->line,
                    "no NAME=\"VALUE\" in the tag '%.*s'",
                    TOPOLOGY_SHOWN(tag->name));
        value.n = (size_t)(at++ - value.at);
        if (topology_word_is(key, name))
            *out = value;
    }
}

/* A number of a tag; as it is where there is none. */
static bool number(
        xml_reader *r, const xml_tag *tag, const char *name, double *out)
{
    topology_word word;
    p3d_decimal decimal;

    if (!attribute(r, tag, name, &word))
        return false;
    if (word.at == NULL)
        return true;
    if (word.n == 0 || p3d_scan_decimal(word.at, &decimal) != word.n ||
            fabs(p3d_decimal_double(&decimal, 0)) > 1e9)
        return topology_fail(
                r->err, r->line, "no number: '%.*s'", TOPOLOGY_SHOWN(word));
    *out = p3d_decimal_double(&decimal, 0);
    return true;
}

static bool take_gpu(xml_reader *r, const xml_tag *tag)
{
    double sm = r->out->sm;

    if (r->out->n_gpus == MAX_GPUS)
        return topology_fail(r->err, r->line, "more GPUs than 1024, at '%.*s'",
                TOPOLOGY_SHOWN(tag->name));
    if (!number(r, tag, "sm", &sm))
        return false;
    if (r->out->n_gpus > 0 && (int)sm != r->out->sm)
        return topology_fail(r->err, r->line,
                "GPUs of several kinds, by their sm, at '%.*s'",
                TOPOLOGY_SHOWN(tag->name));
    r->out->sm = (int)sm;
    r->out->n_gpus++;
    r->nvlinks = 0;
    return true;
}

static bool take_nvlink(xml_reader *r, const xml_tag *tag)
{
    double count = 1;

    if (!number(r, tag, "count", &count))
        return false;
    if (count < 0 || count > 1000)
        return topology_fail(r->err, r->line,
                "no count of NVLinks in the tag '%.*s'",
                TOPOLOGY_SHOWN(tag->name));
    r->nvlinks += (int)count;
    if (r->nvlinks > r->out->n_nvlinks)
        r->out->n_nvlinks = r->nvlinks;
    return true;
}

/* Cards of the fastest kind are those for training; in Mbit/s. */
static bool take_net(xml_reader *r, const xml_tag *tag)
{
    exchange_topology *const out = r->out;
    double speed = 0;

    if (!number(r, tag, "speed", &speed))
        return false;
    speed *= 1e6 / 8;
    if (speed <= 0 || speed < out->nic_bytes_per_s)
        return true;
    if (out->n_nics == MAX_CARDS)
        return topology_fail(r->err, r->line,
                "more network cards than 1024, at '%.*s'",
                TOPOLOGY_SHOWN(tag->name));
    out->n_nics = speed > out->nic_bytes_per_s ? 1 : out->n_nics + 1;
    out->nic_bytes_per_s = speed;
    return true;
}

static const struct {
    const char *name;
    bool (*take)(xml_reader *r, const xml_tag *tag);
} tags[] = {{"gpu", take_gpu}, {"nvlink", take_nvlink}, {"c2c", take_nvlink},
        {"net", take_net}};

static bool take(xml_reader *r, const xml_tag *tag)
{
    topology_word ignored;

    if (!attribute(r, tag, "", &ignored))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(tags); i++)
        if (topology_word_is(tag->name, tags[i].name))
            return tags[i].take(r, tag);
    return true;
}

static bool is_same(topology_word a, topology_word b)
{
    return topology_word_compare(&a, &b) == 0;
}

/* Open, close, or both. */
static bool step(xml_reader *r, const xml_tag *tag)
{
    if (tag->closes) {
        if (r->depth == 0 || !is_same(r->open[r->depth - 1], tag->name))
            return topology_fail(r->err, r->line,
                    "closes what is not open: '%.*s'",
                    TOPOLOGY_SHOWN(tag->name));
        r->depth--;
        return true;
    }
    if (!take(r, tag))
        return false;
    if (tag->alone)
        return true;
    if (r->depth == MAX_DEPTH)
        return topology_fail(r->err, r->line, "nested too deep: '%.*s'",
                TOPOLOGY_SHOWN(tag->name));
    r->open[r->depth++] = tag->name;
    return true;
}

bool topology_read_nccl(const char *text, topology_hosts *hosts,
        exchange_topology *out, p3d_error *err)
{
    xml_reader r = {.err = err, .at = text, .line = 1, .out = out};
    xml_tag tag;

    (void)hosts; /* a node has none */

    for (;;) {
        if (!skip(&r))
            return false;
        if (*r.at == '\0')
            break;
        if (!next_tag(&r, &tag) || !step(&r, &tag))
            return false;
    }
    if (r.depth > 0)
        return topology_fail(r.err, r.line, "not closed at the end: '%.*s'",
                TOPOLOGY_SHOWN(r.open[r.depth - 1]));
    if (out->n_gpus == 0)
        return p3d_fail(err, P3D_DATA, "no <gpu> in it");
    out->format = "NCCL topology";
    return true;
}
