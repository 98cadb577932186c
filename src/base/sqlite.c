/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite.c - reads tables of an SQLite database: its header, the pages of a
 * table's tree, the records in them.
 *
 * A damaged file ends a walk: each page of a table belongs to it once, so a
 * walk visits no more pages than the file has, and a tree is no deeper than
 * SQLite makes any. Source: https://www.sqlite.org/fileformat2.html */
#include "base/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/util.h"

static const char MAGIC[] = "SQLite format 3"; /* with its NUL */

enum {
    HEADER_BYTES = 100,
    LEAST_PAGE_BYTES = 512,
    MOST_PAGE_BYTES = 65536,
    LEAST_USABLE_BYTES = 480,
    MOST_DEPTH = 20,     /* of a tree; SQLite's limit */
    MOST_KEPT = 1 << 16, /* bytes of a row that are looked at */
    MOST_PATH = 4096,
    IS_INTERIOR = 5, /* pages of a table, by their first byte */
    IS_LEAF = 13
};

struct p3d_sqlite {
    int fd;
    int64_t n_pages;
    size_t page_bytes;
    size_t usable_bytes;               /* of a page */
    unsigned char *levels[MOST_DEPTH]; /* pages from the root to a leaf */
    unsigned char *overflow;           /* a page with the rest of a row */
    unsigned char row[MOST_KEPT];
};

bool p3d_is_sqlite(const char *head, size_t n)
{
    return n >= sizeof(MAGIC) && memcmp(head, MAGIC, sizeof(MAGIC)) == 0;
}

bool p3d_sqlite_is(const char *path)
{
    char head[sizeof(MAGIC)];
    p3d_error ignored = {0};
    struct stat found;
    int64_t got;
    int fd;

    /* A pipe is not opened: who writes into it would lose its reader. */
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return false;
    fd = p3d_open_places(path, &ignored);
    if (fd < 0)
        return false;
    got = p3d_read_at(fd, 0, head, sizeof(head), &ignored);
    close(fd);
    return got > 0 && p3d_is_sqlite(head, (size_t)got);
}

static uint64_t big_endian(const unsigned char *at, int n)
{
    uint64_t number = 0;

    for (int i = 0; i < n; i++)
        number = number << 8 | at[i];
    return number;
}

static bool fail_damaged(p3d_error *err)
{
    return p3d_fail(
            err, P3D_DATA, "this SQLite database is damaged; export it again");
}

static bool fail_short(p3d_error *err)
{
    return p3d_fail(err, P3D_DATA,
            "this SQLite database is cut short; copy it again, whole");
}

/* Header. */

static bool read_header(p3d_sqlite *db, p3d_error *err)
{
    unsigned char head[HEADER_BYTES];
    const int64_t got = p3d_read_at(db->fd, 0, head, sizeof(head), err);
    struct stat found;

    if (got < 0)
        return false;
    if (got < HEADER_BYTES || !p3d_is_sqlite((const char *)head, sizeof(head)))
        return p3d_fail(err, P3D_DATA, "this is no SQLite database");
    db->page_bytes = (size_t)big_endian(head + 16, 2);
    if (db->page_bytes == 1)
        db->page_bytes = MOST_PAGE_BYTES;
    if (db->page_bytes < LEAST_PAGE_BYTES ||
            (db->page_bytes & (db->page_bytes - 1)) != 0 ||
            db->page_bytes - head[20] < LEAST_USABLE_BYTES)
        return fail_damaged(err);
    db->usable_bytes = db->page_bytes - head[20];
    if (big_endian(head + 56, 4) > 1)
        return p3d_fail(err, P3D_DATA,
                "the text of this SQLite database is in UTF-16, and plan3d "
                "reads UTF-8; export it again");
    if (fstat(db->fd, &found) != 0)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    db->n_pages = (int64_t)found.st_size / (int64_t)db->page_bytes;
    /* The header's number of pages counts where it is of the last change. */
    return big_endian(head + 24, 4) != big_endian(head + 92, 4) ||
           big_endian(head + 28, 4) <= (uint64_t)db->n_pages || fail_short(err);
}

/* What a program wrote last may wait in a file beside the database. */
static bool check_log(const char *path, p3d_error *err)
{
    char log[MOST_PATH];
    struct stat found;

    if (snprintf(log, sizeof(log), "%s-wal", path) >= (int)sizeof(log) ||
            stat(log, &found) != 0 || found.st_size == 0)
        return true;
    return p3d_fail(err, P3D_DATA,
            "a part of this SQLite database is in its log, a file that ends "
            "in -wal; close the program that writes it, or export it again");
}

static unsigned char *new_page(const p3d_sqlite *db, p3d_error *err)
{
    unsigned char *const page = malloc(db->page_bytes);

    if (page == NULL)
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
    return page;
}

p3d_sqlite *p3d_sqlite_open(const char *path, p3d_error *err)
{
    p3d_sqlite *const db = calloc(1, sizeof(*db));

    if (db == NULL) {
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    db->fd = p3d_open_places(path, err);
    if (db->fd >= 0 && read_header(db, err) && check_log(path, err)) {
        db->overflow = new_page(db, err);
        if (db->overflow != NULL)
            return db;
    }
    p3d_sqlite_close(db);
    return NULL;
}

void p3d_sqlite_close(p3d_sqlite *db)
{
    if (db == NULL)
        return;
    if (db->fd >= 0)
        close(db->fd);
    for (int i = 0; i < MOST_DEPTH; i++)
        free(db->levels[i]);
    free(db->overflow);
    free(db);
}

/* A walk through a table. */

enum { IS_ROW_ID = -2, IS_MISSING = -1 };

typedef struct walk {
    p3d_sqlite *db;
    const p3d_sqlite_query *query;
    int places[P3D_SQLITE_COLUMNS]; /* of the columns in a record */
    int n_columns;
    int64_t n_left; /* pages that are still to be visited at most */
} walk;

static bool read_page(
        walk *w, uint64_t number, unsigned char *to, p3d_error *err)
{
    const p3d_sqlite *const db = w->db;
    int64_t got;

    if (number < 1 || w->n_left <= 0)
        return fail_damaged(err);
    w->n_left--;
    if (number > (uint64_t)db->n_pages)
        return fail_short(err);
    got = p3d_read_at(db->fd, (int64_t)(number - 1) * (int64_t)db->page_bytes,
            to, db->page_bytes, err);
    return got == (int64_t)db->page_bytes || (got >= 0 && fail_short(err));
}

/* Bytes that are read one after the other, up to an end. */
typedef struct span {
    const unsigned char *at, *end;
} span;

/* Seven bits a byte, the highest first; the ninth byte has eight.
 * @return false at the end of the bytes */
static bool read_varint(span *from, uint64_t *out)
{
    *out = 0;
    for (int i = 0; i < 9 && from->at < from->end; i++) {
        const unsigned char byte = *from->at++;

        if (i == 8) {
            *out = *out << 8 | byte;
            return true;
        }
        *out = *out << 7 | (byte & 0x7f);
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Records: a header with the type of each value, then the values. */

/* Bytes of a value by its type; 10 and 11 are in no file. */
static uint64_t value_bytes(uint64_t type)
{
    static const unsigned char sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};

    return type < sizeof(sizes) ? sizes[type] : (type - 12) / 2;
}

/* A number of one to eight bytes, in two's complement. */
static int64_t read_whole(const unsigned char *at, int n)
{
    uint64_t bits = big_endian(at, n);

    if (n < 8 && (at[0] & 0x80) != 0)
        bits |= ~(uint64_t)0 << (8 * n);
    return (int64_t)bits;
}

static p3d_sqlite_value read_value(span from, uint64_t type)
{
    const uint64_t n = value_bytes(type);
    const uint64_t there = (uint64_t)(from.end - from.at);
    p3d_sqlite_value v = {.type = P3D_SQLITE_NONE};

    if (type >= 12 && type % 2 == 1)
        v = (p3d_sqlite_value){.type = P3D_SQLITE_TEXT,
                .text = (const char *)from.at,
                .n = (size_t)(n < there ? n : there)};
    else if (type >= 1 && type <= 6 && n <= there)
        v = (p3d_sqlite_value){
                .type = P3D_SQLITE_WHOLE, .whole = read_whole(from.at, (int)n)};
    else if (type == 8 || type == 9)
        v = (p3d_sqlite_value){
                .type = P3D_SQLITE_WHOLE, .whole = (int64_t)type - 8};
    return v;
}

/* Hand on the values of the columns that are asked for. */
static bool take_record(
        const walk *w, size_t n, uint64_t row_id, p3d_error *err)
{
    p3d_sqlite_value values[P3D_SQLITE_COLUMNS] = {{P3D_SQLITE_NONE, 0, "", 0}};
    const unsigned char *const end = w->db->row + n;
    span types = {w->db->row, end}, body = {w->db->row, end};
    uint64_t header_bytes, type;

    if (!read_varint(&types, &header_bytes) || header_bytes > n)
        return fail_damaged(err);
    body.at += header_bytes;
    types.end = body.at;
    for (int i = 0; i < w->n_columns; i++)
        if (w->places[i] == IS_ROW_ID)
            values[i] = (p3d_sqlite_value){
                    .type = P3D_SQLITE_WHOLE, .whole = (int64_t)row_id};
    for (int place = 0; read_varint(&types, &type); place++) {
        const uint64_t bytes = value_bytes(type);
        const uint64_t there = (uint64_t)(end - body.at);

        for (int i = 0; i < w->n_columns; i++)
            if (w->places[i] == place)
                values[i] = read_value(body, type);
        body.at += bytes < there ? bytes : there;
    }
    return w->query->take(w->query->to, values, err);
}

/* Bytes of a row that stand on its own page. */
static uint64_t local_bytes(const p3d_sqlite *db, uint64_t n)
{
    const uint64_t usable = db->usable_bytes;
    const uint64_t most = usable - 35;
    const uint64_t least = (usable - 12) * 32 / 255 - 23;
    const uint64_t wanted = least + (n - least) % (usable - 4);

    if (n <= most)
        return n;
    return wanted <= most ? wanted : least;
}

/* Copy what is kept of a row: from its page, then from the pages that its rest
 * stands on. */
static bool copy_row(walk *w, span cell, uint64_t n, p3d_error *err)
{
    p3d_sqlite *const db = w->db;
    const uint64_t kept = n < MOST_KEPT ? n : MOST_KEPT;
    const uint64_t local = local_bytes(db, n);
    uint64_t got = local < kept ? local : kept;
    uint64_t next;

    if ((uint64_t)(cell.end - cell.at) < local + (local < n ? 4 : 0))
        return fail_damaged(err);
    memcpy(db->row, cell.at, (size_t)got);
    next = local < n ? big_endian(cell.at + local, 4) : 0;
    while (got < kept) {
        const uint64_t room = db->usable_bytes - 4;
        const uint64_t more = kept - got < room ? kept - got : room;

        if (!read_page(w, next, db->overflow, err))
            return false;
        memcpy(db->row + got, db->overflow + 4, (size_t)more);
        next = big_endian(db->overflow, 4);
        got += more;
    }
    return true;
}

static bool take_row(walk *w, span cell, p3d_error *err)
{
    uint64_t n, row_id;

    if (!read_varint(&cell, &n) || !read_varint(&cell, &row_id))
        return fail_damaged(err);
    return copy_row(w, cell, n, err) &&
           take_record(w, (size_t)(n < MOST_KEPT ? n : MOST_KEPT), row_id, err);
}

/* Pages. */

/* A page that is being gone through. */
typedef struct page {
    const unsigned char *bytes, *end;
    const unsigned char *cells; /* places of the cells, two bytes each */
    int n_cells;
    bool interior;
} page;

static bool read_head(
        const p3d_sqlite *db, const unsigned char *bytes, bool first, page *out)
{
    const unsigned char *const head = bytes + (first ? HEADER_BYTES : 0);

    *out = (page){.bytes = bytes,
            .end = bytes + db->usable_bytes,
            .interior = head[0] == IS_INTERIOR,
            .cells = head + (head[0] == IS_INTERIOR ? 12 : 8),
            .n_cells = (int)big_endian(head + 3, 2)};
    return (head[0] == IS_INTERIOR || head[0] == IS_LEAF) &&
           out->cells + 2 * out->n_cells <= out->end;
}

/* The i-th cell; behind the last one of an interior page its last child. */
static span cell_at(const page *p, int i)
{
    const uint64_t at = i < p->n_cells ? big_endian(p->cells + 2 * i, 2) : 0;

    if (i == p->n_cells)
        return (span){p->cells - 4, p->cells};
    return at < (uint64_t)(p->end - p->bytes) ? (span){p->bytes + at, p->end}
                                              : (span){p->end, p->end};
}

/* Go through the tree below a page. */
static bool visit(walk *w, uint64_t number, int depth, p3d_error *err)
{
    p3d_sqlite *const db = w->db;
    page p;

    if (depth == MOST_DEPTH)
        return fail_damaged(err);
    if (db->levels[depth] == NULL)
        db->levels[depth] = new_page(db, err);
    if (db->levels[depth] == NULL ||
            !read_page(w, number, db->levels[depth], err))
        return false;
    if (!read_head(db, db->levels[depth], number == 1, &p))
        return fail_damaged(err);
    for (int i = 0; i < p.n_cells + p.interior; i++) {
        const span cell = cell_at(&p, i);

        if (p.interior && cell.end - cell.at < 4)
            return fail_damaged(err);
        if (!(p.interior ? visit(w, big_endian(cell.at, 4), depth + 1, err)
                         : take_row(w, cell, err)))
            return false;
    }
    return true;
}

/* Words of CREATE TABLE. */

typedef struct word {
    const char *text;
    size_t n; /* 0 at the end */
    bool quoted;
} word;

typedef struct words {
    const char *at, *end;
} words;

static const char *line_end(const words *w)
{
    const char *const end = memchr(w->at, '\n', (size_t)(w->end - w->at));

    return end != NULL ? end : w->end;
}

static const char *comment_end(const words *w)
{
    for (const char *c = w->at + 2; c + 1 < w->end; c++)
        if (c[0] == '*' && c[1] == '/')
            return c + 2;
    return w->end;
}

static void skip_blanks(words *w)
{
    while (w->at < w->end) {
        const bool two = w->at + 1 < w->end;

        if (p3d_is_space(*w->at))
            w->at++;
        else if (two && w->at[0] == '-' && w->at[1] == '-')
            w->at = line_end(w);
        else if (two && w->at[0] == '/' && w->at[1] == '*')
            w->at = comment_end(w);
        else
            return;
    }
}

/* A name, with the quotes of any kind taken away, or a single character. */
static word next_word(words *w)
{
    static const char quotes[][2] = {
            {'"', '"'}, {'`', '`'}, {'\'', '\''}, {'[', ']'}};
    const char *begin;

    skip_blanks(w);
    begin = w->at;
    for (int i = 0; w->at < w->end && i < P3D_COUNT_OF(quotes); i++) {
        const char *end;

        if (*begin != quotes[i][0])
            continue;
        end = memchr(begin + 1, quotes[i][1], (size_t)(w->end - begin - 1));
        w->at = end != NULL ? end + 1 : w->end;
        return (word){begin + 1,
                (size_t)((end != NULL ? end : w->end) - begin - 1), true};
    }
    while (w->at < w->end && p3d_is_word(*w->at))
        w->at++;
    if (w->at == begin && w->at < w->end)
        w->at++;
    return (word){begin, (size_t)(w->at - begin), false};
}

static bool is_word(word w, const char *name)
{
    const size_t n = strlen(name);
    bool same = w.n == n;

    for (size_t i = 0; same && i < n; i++)
        same = p3d_lower(w.text[i]) == p3d_lower(name[i]);
    return same;
}

static bool is_sign(word w, char sign)
{
    return !w.quoted && w.n == 1 && w.text[0] == sign;
}

/* A column as it is declared. */
typedef struct column {
    word name;
    bool row_id; /* it is another name of the id of a row */
    bool last;
} column;

/* @return false where no column stands, but what holds of several */
static bool next_column(words *w, column *out)
{
    static const char *const constraints[] = {
            "constraint", "primary", "unique", "check", "foreign"};
    bool whole, key = false;
    int depth = 0;
    word now;

    out->name = next_word(w);
    for (int i = 0; i < P3D_COUNT_OF(constraints); i++)
        if (!out->name.quoted && is_word(out->name, constraints[i]))
            return false;
    now = next_word(w);
    whole = is_word(now, "integer");
    while (now.n > 0 || now.quoted) {
        out->last = depth == 0 && is_sign(now, ')');
        if (out->last || (depth == 0 && is_sign(now, ',')))
            break;
        depth += is_sign(now, '(') - is_sign(now, ')');
        key = key || (!now.quoted && is_word(now, "primary"));
        now = next_word(w);
    }
    out->last = out->last || (now.n == 0 && !now.quoted);
    out->row_id = whole && key;
    return true;
}

/* Where the columns that are asked for stand in a record. */
static void find_columns(walk *w, word sql)
{
    words from = {sql.text, sql.text + sql.n};
    column c = {.last = false};
    word now;

    do
        now = next_word(&from);
    while ((now.n > 0 || now.quoted) && !is_sign(now, '('));
    for (int place = 0; !c.last && next_column(&from, &c); place++)
        for (int i = 0; i < w->n_columns; i++)
            if (is_word(c.name, w->query->columns[i]))
                w->places[i] = c.row_id ? IS_ROW_ID : place;
}

/* Tables. */

/* Where a table stands that is looked for. */
typedef struct lookup {
    walk *of;
    uint64_t root; /* 0 = there is none */
} lookup;

/* A row of the schema: type, name, first page, words. */
static bool take_table(void *to, const p3d_sqlite_value *values, p3d_error *err)
{
    lookup *const l = to;
    const word type = {values[0].text, values[0].n, true};
    const word name = {values[1].text, values[1].n, true};

    (void)err;
    if (l->root != 0 || values[0].type != P3D_SQLITE_TEXT ||
            values[1].type != P3D_SQLITE_TEXT ||
            values[2].type != P3D_SQLITE_WHOLE ||
            values[3].type != P3D_SQLITE_TEXT || !is_word(type, "table") ||
            !is_word(name, l->of->query->table))
        return true;
    l->root = (uint64_t)values[2].whole;
    find_columns(l->of, (word){values[3].text, values[3].n, true});
    return true;
}

bool p3d_sqlite_rows(
        p3d_sqlite *db, const p3d_sqlite_query *query, p3d_error *err)
{
    walk w = {.db = db, .query = query, .n_left = db->n_pages};
    lookup found = {.of = &w};
    const p3d_sqlite_query schema = {.take = take_table, .to = &found};
    walk tables = {.db = db,
            .query = &schema,
            .places = {0, 1, 3, 4},
            .n_columns = 4,
            .n_left = db->n_pages};

    for (; w.n_columns < P3D_SQLITE_COLUMNS &&
            query->columns[w.n_columns] != NULL;)
        w.places[w.n_columns++] = IS_MISSING;
    return visit(&tables, 1, 0, err) &&
           (found.root == 0 || visit(&w, found.root, 0, err));
}
