/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gunzip.c - unpacks gzip in parts: the formats of RFC 1952 (files) and RFC
 * 1951 (blocks).
 *
 * The input comes when it comes. A step that needs more bits than have come
 * changes nothing, and is done again with the next part: a few hundred bytes
 * at most are looked at twice. */
#include "base/gunzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

enum {
    WINDOW = 1 << 15, /* how far back a copy reaches */
    MOST_BITS = 15,   /* of a code */
    N_LITERALS = 288,
    N_DISTANCES = 32,
    N_LENGTHS = 19, /* codes of the lengths of codes */
    END_OF_BLOCK = 256,
    MOST_HEADER = 1 << 16 /* bytes: name and comment of a file are in it */
};

/* What comes next. */
typedef enum phase {
    AT_MARK,
    AT_HEADER,
    AT_BLOCK,
    IN_STORED,
    IN_CODES,
    AT_TRAILER,
    IN_PLAIN /* no gzip */
} phase;

/* What became of a step. */
typedef enum outcome { DONE, SHORT, BAD, REFUSED } outcome;

/* Symbols by the next bits: the length of the code in the low four bits, and
 * the symbol; 0 = no such code. */
typedef struct codes {
    uint16_t at[1 << MOST_BITS];
} codes;

struct p3d_gunzip {
    p3d_taker to;
    phase phase;
    char *input; /* what came and is not used up */
    size_t n_input, capacity;
    size_t bit; /* of the input, where the next step begins */
    bool last;  /* the block is the last one */
    size_t n_stored;
    codes literals, distances;
    unsigned char window[2 * WINDOW]; /* the second half is handed on */
    size_t n_out;                     /* bytes in the second half */
    size_t n_history;                 /* bytes that a copy may reach */
    uint32_t crc;
    uint32_t crc_table[256];
    uint32_t n_bytes; /* of the file, modulo 2^32 */
    p3d_error *err;   /* of the taker */
};

p3d_gunzip *p3d_gunzip_new(const p3d_taker *to)
{
    p3d_gunzip *const g = calloc(1, sizeof(*g));

    if (g == NULL)
        return NULL;
    g->to = *to;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;

        for (int k = 0; k < 8; k++)
            c = (c & 1) != 0 ? 0xedb88320U ^ c >> 1 : c >> 1;
        g->crc_table[i] = c;
    }
    return g;
}

void p3d_gunzip_free(p3d_gunzip *gunzip)
{
    if (gunzip != NULL)
        free(gunzip->input);
    free(gunzip);
}

/* Bits of the input from a place on; a step moves `at` and commits it. */
static size_t n_bits(const p3d_gunzip *g, size_t at)
{
    return 8 * g->n_input - at;
}

/* The next bits, the first one lowest; zeros after the end. n <= 24. */
static unsigned peek(const p3d_gunzip *g, size_t at, unsigned n)
{
    const unsigned char *const from = (const unsigned char *)g->input;
    const size_t first = at >> 3;
    uint32_t word = 0;

    for (size_t i = 0; i < 4 && first + i < g->n_input; i++)
        word |= (uint32_t)from[first + i] << 8 * i;
    return word >> (at & 7) & ((1U << n) - 1);
}

/* Hand on what is unpacked, and keep of it what copies may reach. */
static bool flush(p3d_gunzip *g)
{
    const unsigned char *const out = g->window + WINDOW;

    if (g->n_out == 0)
        return true;
    for (size_t i = 0; i < g->n_out; i++)
        g->crc = g->crc_table[(g->crc ^ out[i]) & 0xff] ^ g->crc >> 8;
    g->n_bytes += (uint32_t)g->n_out;
    if (!g->to.take(g->to.to, (const char *)out, g->n_out, g->err))
        return false;
    memmove(g->window, g->window + g->n_out, WINDOW);
    g->n_out = 0;
    return true;
}

static bool put(p3d_gunzip *g, unsigned char byte)
{
    g->window[WINDOW + g->n_out++] = byte;
    if (g->n_history < WINDOW)
        g->n_history++;
    return g->n_out < WINDOW || flush(g);
}

/* Lengths of codes into a table by bits. @return false where they are no code
 */
static bool build(const unsigned char *lengths, int n, codes *out)
{
    unsigned count[MOST_BITS + 1] = {0};
    unsigned next[MOST_BITS + 2] = {0};
    unsigned left = 1;

    memset(out, 0, sizeof(*out));
    for (int i = 0; i < n; i++)
        count[lengths[i]]++;
    count[0] = 0;
    for (int i = 1; i <= MOST_BITS; i++) {
        if (2 * left < count[i])
            return false;
        left = 2 * left - count[i];
        next[i + 1] = (next[i] + count[i]) << 1;
    }
    for (int i = 0; i < n; i++) {
        const unsigned length = lengths[i];
        unsigned code, flipped = 0;

        if (length == 0)
            continue;
        code = next[length]++;
        for (unsigned k = 0; k < length; k++)
            flipped |= (code >> k & 1) << (length - 1 - k);
        for (unsigned k = flipped; k < 1U << MOST_BITS; k += 1U << length)
            out->at[k] = (uint16_t)((unsigned)i << 4 | length);
    }
    return true;
}

/* The next symbol of a code. */
static outcome decode(
        const p3d_gunzip *g, const codes *table, size_t *at, unsigned *symbol)
{
    const unsigned entry = table->at[peek(g, *at, MOST_BITS)];
    const unsigned length = entry & 15;

    if (length == 0)
        return n_bits(g, *at) < MOST_BITS ? SHORT : BAD;
    if (length > n_bits(g, *at))
        return SHORT;
    *at += length;
    *symbol = entry >> 4;
    return DONE;
}

static outcome read_bits(
        const p3d_gunzip *g, size_t *at, unsigned n, unsigned *out)
{
    if (n_bits(g, *at) < n)
        return SHORT;
    *out = peek(g, *at, n);
    *at += n;
    return DONE;
}

/* gzip or not. */
static outcome step_mark(p3d_gunzip *g)
{
    static const unsigned char mark[] = {0x1f, 0x8b};
    const size_t n = g->n_input < sizeof(mark) ? g->n_input : sizeof(mark);

    if (memcmp(g->input, mark, n) != 0) {
        g->phase = IN_PLAIN;
        return DONE;
    }
    if (n < sizeof(mark))
        return SHORT;
    g->phase = AT_HEADER;
    return DONE;
}

/* A text that ends in NUL. @return false where it goes on */
static bool skip_text(const p3d_gunzip *g, size_t *at)
{
    const char *const end =
            *at < g->n_input ? memchr(g->input + *at, '\0', g->n_input - *at)
                             : NULL;

    if (end == NULL)
        return false;
    *at = (size_t)(end - g->input) + 1;
    return true;
}

/* RFC 1952, 2.3: mark, method, flags, time, what made it; then what the flags
 * say there is. */
static outcome step_header(p3d_gunzip *g)
{
    enum {
        N_FIXED = 10,
        DEFLATE = 8,
        CHECK = 2,
        EXTRA = 4,
        NAME = 8,
        COMMENT = 16,
        RESERVED = 0xe0
    };
    const unsigned char *const in = (const unsigned char *)g->input;
    size_t at = N_FIXED;
    unsigned flags;

    if (g->n_input < N_FIXED)
        return SHORT;
    flags = in[3];
    if (in[0] != 0x1f || in[1] != 0x8b || in[2] != DEFLATE ||
            (flags & RESERVED) != 0)
        return BAD;
    if ((flags & EXTRA) != 0) {
        if (g->n_input < at + 2)
            return SHORT;
        at += 2 + (size_t)(in[at] | in[at + 1] << 8);
    }
    if ((flags & NAME) != 0 && !skip_text(g, &at))
        return g->n_input > MOST_HEADER ? BAD : SHORT;
    if ((flags & COMMENT) != 0 && !skip_text(g, &at))
        return g->n_input > 2 * MOST_HEADER ? BAD : SHORT;
    if ((flags & CHECK) != 0)
        at += 2;
    if (at > g->n_input)
        return SHORT;
    g->bit = 8 * at;
    g->crc = 0xffffffffU;
    g->n_bytes = 0;
    g->n_history = 0;
    g->phase = AT_BLOCK;
    return DONE;
}

static void fix_codes(p3d_gunzip *g)
{
    unsigned char lengths[N_LITERALS];

    for (int i = 0; i < N_LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    (void)build(lengths, N_LITERALS, &g->literals);
    memset(lengths, 5, N_DISTANCES);
    (void)build(lengths, N_DISTANCES, &g->distances);
}

/* Lengths of both codes, packed by a third (RFC 1951, 3.2.7). `n` of them. */
static outcome read_lengths(
        p3d_gunzip *g, size_t *at, unsigned char *lengths, unsigned n)
{
    static const struct {
        unsigned n_bits, least;
    } repeats[] = {{2, 3}, {3, 3}, {7, 11}}; /* symbols 16, 17, 18 */
    unsigned i = 0;

    while (i < n) {
        unsigned symbol = 0, more = 0;
        unsigned char value = 0;
        outcome got = decode(g, &g->distances, at, &symbol);

        if (got != DONE)
            return got;
        if (symbol < 16) {
            lengths[i++] = (unsigned char)symbol;
            continue;
        }
        got = read_bits(g, at, repeats[symbol - 16].n_bits, &more);
        if (got != DONE)
            return got;
        more += repeats[symbol - 16].least;
        if (more > n - i || (symbol == 16 && i == 0))
            return BAD;
        if (symbol == 16)
            value = lengths[i - 1];
        memset(lengths + i, value, more);
        i += more;
    }
    return DONE;
}

static outcome read_codes(p3d_gunzip *g, size_t *at)
{
    static const unsigned char order[N_LENGTHS] = {
            16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[N_LITERALS + N_DISTANCES] = {0};
    unsigned head, n_literals, n_distances, n_lengths, bits = 0;
    outcome got = read_bits(g, at, 14, &head);

    if (got != DONE)
        return got;
    n_literals = 257 + (head & 31);
    n_distances = 1 + (head >> 5 & 31);
    n_lengths = 4 + (head >> 10);
    for (unsigned i = 0; i < n_lengths && got == DONE; i++) {
        got = read_bits(g, at, 3, &bits);
        lengths[order[i]] = (unsigned char)bits;
    }
    if (got != DONE)
        return got;
    if (n_literals > N_LITERALS - 2 || n_distances > N_DISTANCES - 2 ||
            !build(lengths, N_LENGTHS, &g->distances))
        return BAD;
    memset(lengths, 0, sizeof(lengths));
    got = read_lengths(g, at, lengths, n_literals + n_distances);
    if (got != DONE)
        return got;
    return lengths[END_OF_BLOCK] > 0 &&
                           build(lengths, (int)n_literals, &g->literals) &&
                           build(lengths + n_literals, (int)n_distances,
                                   &g->distances)
                   ? DONE
                   : BAD;
}

/* Bytes as they are: their number, and its complement, from a whole byte on. */
static outcome begin_stored(p3d_gunzip *g, size_t *at)
{
    unsigned n, complement;

    *at = (*at + 7) & ~(size_t)7;
    if (n_bits(g, *at) < 32)
        return SHORT;
    n = peek(g, *at, 16);
    complement = peek(g, *at + 16, 16);
    *at += 32;
    g->n_stored = n;
    return (n ^ complement) == 0xffff ? DONE : BAD;
}

static outcome step_block(p3d_gunzip *g)
{
    enum { STORED, FIXED, DYNAMIC };
    size_t at = g->bit;
    unsigned head;
    outcome got = read_bits(g, &at, 3, &head);

    if (got != DONE)
        return got;
    switch (head >> 1) {
    case STORED: got = begin_stored(g, &at); break;
    case FIXED: fix_codes(g); break;
    case DYNAMIC: got = read_codes(g, &at); break;
    default: got = BAD; break;
    }
    if (got != DONE)
        return got;
    g->last = (head & 1) != 0;
    g->phase = head >> 1 == STORED ? IN_STORED : IN_CODES;
    g->bit = at;
    return DONE;
}

static void end_block(p3d_gunzip *g)
{
    g->phase = g->last ? AT_TRAILER : AT_BLOCK;
}

static outcome step_stored(p3d_gunzip *g)
{
    for (; g->n_stored > 0; g->n_stored--, g->bit += 8) {
        if (n_bits(g, g->bit) < 8)
            return SHORT;
        if (!put(g, (unsigned char)peek(g, g->bit, 8)))
            return REFUSED;
    }
    end_block(g);
    return DONE;
}

/* Length and distance of a copy (RFC 1951, 3.2.5). */
static outcome read_copy(const p3d_gunzip *g, size_t *at, unsigned symbol,
        unsigned *length, unsigned *distance)
{
    static const uint16_t lengths[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17,
            19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
            258};
    static const uint16_t distances[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33,
            49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
            4097, 6145, 8193, 12289, 16385, 24577};
    const unsigned i = symbol - END_OF_BLOCK - 1;
    unsigned code = 0, more = 0;
    outcome got;

    if (i >= (unsigned)P3D_COUNT_OF(lengths))
        return BAD;
    got = read_bits(g, at, i < 8 || i == 28 ? 0 : (i - 4) / 4, &more);
    *length = lengths[i] + more;
    if (got == DONE)
        got = decode(g, &g->distances, at, &code);
    if (got != DONE)
        return got;
    if (code >= (unsigned)P3D_COUNT_OF(distances))
        return BAD;
    got = read_bits(g, at, code < 4 ? 0 : (code - 2) / 2, &more);
    *distance = distances[code] + more;
    return got != DONE || *distance <= g->n_history ? got : BAD;
}

/* One symbol: a byte, a copy of earlier ones, or the end of the block. */
static outcome step_codes(p3d_gunzip *g)
{
    size_t at = g->bit;
    unsigned symbol, length = 0, distance = 0;
    outcome got = decode(g, &g->literals, &at, &symbol);

    if (got == DONE && symbol > END_OF_BLOCK)
        got = read_copy(g, &at, symbol, &length, &distance);
    if (got != DONE)
        return got;
    g->bit = at;
    if (symbol == END_OF_BLOCK)
        end_block(g);
    else if (symbol < END_OF_BLOCK)
        return put(g, (unsigned char)symbol) ? DONE : REFUSED;
    for (; length > 0; length--)
        if (!put(g, g->window[WINDOW + g->n_out - distance]))
            return REFUSED;
    return DONE;
}

/* The checksum, and the number of bytes. Another file may follow. */
static outcome step_trailer(p3d_gunzip *g)
{
    const size_t at = (g->bit + 7) & ~(size_t)7;

    if (n_bits(g, at) < 64)
        return SHORT;
    if (!flush(g))
        return REFUSED;
    if ((peek(g, at, 16) | peek(g, at + 16, 16) << 16) !=
                    (g->crc ^ 0xffffffffU) ||
            (peek(g, at + 32, 16) | peek(g, at + 48, 16) << 16) != g->n_bytes)
        return BAD;
    g->bit = at + 64;
    g->phase = AT_HEADER;
    return DONE;
}

static outcome step_plain(p3d_gunzip *g)
{
    const size_t at = g->bit / 8;

    g->bit = 8 * g->n_input;
    return at == g->n_input || g->to.take(g->to.to, g->input + at,
                                       g->n_input - at, g->err)
                   ? SHORT
                   : REFUSED;
}

static outcome step(p3d_gunzip *g)
{
    switch (g->phase) {
    case AT_MARK: return step_mark(g);
    case AT_HEADER: return step_header(g);
    case AT_BLOCK: return step_block(g);
    case IN_STORED: return step_stored(g);
    case IN_CODES: return step_codes(g);
    case AT_TRAILER: return step_trailer(g);
    case IN_PLAIN: break;
    }
    return step_plain(g);
}

/* Drop whole bytes that were used. */
static void drop_used(p3d_gunzip *g)
{
    const size_t used = g->bit / 8;

    memmove(g->input, g->input + used, g->n_input - used);
    g->n_input -= used;
    g->bit %= 8;
}

static bool append(p3d_gunzip *g, const char *part, size_t n)
{
    if (g->n_input + n > g->capacity) {
        const size_t wanted = 2 * (g->n_input + n);
        char *const more = realloc(g->input, wanted);

        if (more == NULL)
            return false;
        g->input = more;
        g->capacity = wanted;
    }
    memcpy(g->input + g->n_input, part, n);
    g->n_input += n;
    return true;
}

bool p3d_gunzip_take(void *gunzip, const char *part, size_t n, p3d_error *err)
{
    p3d_gunzip *const g = gunzip;
    outcome got = DONE;

    if (n == 0)
        return true;
    if (!append(g, part, n))
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    g->err = err;
    while (got == DONE && (g->phase == IN_PLAIN || 8 * g->n_input > g->bit)) {
        got = step(g);
        /* A header begins at a byte that is the first of the input. */
        if (g->phase == AT_HEADER && g->bit > 0)
            drop_used(g);
    }
    drop_used(g);
    if (got == BAD)
        return p3d_fail(err, P3D_DATA,
                "this begins as gzip does and is damaged; pack it again, or "
                "write the file that was packed");
    return got != REFUSED;
}

bool p3d_gunzip_end(p3d_gunzip *gunzip, p3d_error *err)
{
    const phase at = gunzip->phase;

    if (at == IN_PLAIN || (at == AT_HEADER && gunzip->n_input == 0) ||
            (at == AT_MARK && gunzip->n_input == 0))
        return true;
    return p3d_fail(
            err, P3D_DATA, "this gzip file is cut short; copy it again, whole");
}
