/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memo.c - what searches have found out about memory, and where they have left
 * plans that the next ones may want. */
#include "search/exact/memo.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Parts that are locked by themselves, so that threads seldom meet. Answers
 * that are kept: 40 MB at most. Where that is too little, the rest is worked
 * out again. */
enum { N_PARTS = 64, FIRST_CAPACITY = 64, MOST_CAPACITY = 1 << 13 };

/** A question without what lies between its members. */
typedef struct memo_key {
    uint64_t word[(sizeof(search_question) + 7) / 8];
} memo_key;

typedef struct memo_entry {
    memo_key key;
    bool used;
    bool too_large;
} memo_entry;

/** A hash table; a zero one is empty. */
typedef struct memo_part {
    pthread_mutex_t lock;
    memo_entry *entries;
    int n_entries;
    int capacity; /* a power of two */
} memo_part;

struct search_memo {
    memo_part parts[N_PARTS];
};

static memo_key key_of(const search_question *of)
{
    search_question plain;
    memo_key key = {{0}};

    memset(&plain, 0, sizeof(plain));
#define AS_COPIED(type, pin, member, word, kind, least, most, free, doc) \
    plain.plan.member = of->plan.member;
    P3D_PLAN_FIELDS(AS_COPIED)
#undef AS_COPIED
    plain.kind = of->kind;
    plain.low = of->low;
    plain.high = of->high;
    memcpy(&key, &plain, sizeof(plain));
    return key;
}

static uint64_t hash_of(const memo_key *key)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);

    for (size_t i = 0; i < sizeof(key->word) / sizeof(key->word[0]); i++) {
        hash = (hash ^ key->word[i]) * UINT64_C(0xbf58476d1ce4e5b9);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_same(const memo_key *a, const memo_key *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/** Slot of a key: its own, or the free one where it belongs. */
static memo_entry *find(
        memo_entry *entries, int capacity, const memo_key *key, uint64_t hash)
{
    uint64_t i = hash / N_PARTS & (uint64_t)(capacity - 1);

    while (entries[i].used && !is_same(&entries[i].key, key))
        i = (i + 1) & (uint64_t)(capacity - 1);
    return &entries[i];
}

/** Room for one more. @return false when there is none, or memory ran out */
static bool make_room(memo_part *part)
{
    const int capacity =
            part->capacity == 0 ? FIRST_CAPACITY : 2 * part->capacity;
    memo_entry *entries;

    if (2 * part->n_entries < part->capacity)
        return true;
    if (capacity > MOST_CAPACITY)
        return false;
    entries = calloc((size_t)capacity, sizeof(*entries));
    if (entries == NULL)
        return false;
    for (int i = 0; i < part->capacity; i++) {
        const memo_entry *const e = &part->entries[i];

        if (e->used)
            *find(entries, capacity, &e->key, hash_of(&e->key)) = *e;
    }
    free(part->entries);
    part->entries = entries;
    part->capacity = capacity;
    return true;
}

search_memo *search_memo_create(void)
{
    search_memo *const memo = calloc(1, sizeof(*memo));

    for (int i = 0; memo != NULL && i < N_PARTS; i++)
        (void)pthread_mutex_init(&memo->parts[i].lock, NULL);
    return memo;
}

void search_memo_destroy(search_memo *memo)
{
    for (int i = 0; memo != NULL && i < N_PARTS; i++) {
        (void)pthread_mutex_destroy(&memo->parts[i].lock);
        free(memo->parts[i].entries);
    }
    free(memo);
}

bool search_memo_get(
        search_memo *memo, const search_question *question, bool *too_large)
{
    const memo_key key = key_of(question);
    const uint64_t hash = hash_of(&key);
    memo_part *const part = &memo->parts[hash % N_PARTS];
    bool is_known = false;

    (void)pthread_mutex_lock(&part->lock);
    if (part->capacity > 0) {
        const memo_entry *const e =
                find(part->entries, part->capacity, &key, hash);

        is_known = e->used;
        *too_large = e->too_large;
    }
    (void)pthread_mutex_unlock(&part->lock);
    return is_known;
}

void search_memo_put(
        search_memo *memo, const search_question *question, bool too_large)
{
    const memo_key key = key_of(question);
    const uint64_t hash = hash_of(&key);
    memo_part *const part = &memo->parts[hash % N_PARTS];

    (void)pthread_mutex_lock(&part->lock);
    if (make_room(part)) {
        memo_entry *const e = find(part->entries, part->capacity, &key, hash);

        part->n_entries += !e->used;
        *e = (memo_entry){.key = key, .used = true, .too_large = too_large};
    }
    (void)pthread_mutex_unlock(&part->lock);
}

/* What is kept: 40 MB at most. Where that is too little, the next search looks
 * at everything again. */
enum { MOST_PARTS = 1 << 17, MOST_SPOTS = 1 << 19 };

static void add_part(search_facts *facts, const search_part *part, int n_spots)
{
    search_part *more = NULL;

    if (!facts->incomplete && facts->n_parts < MOST_PARTS)
        more = p3d_grow(facts->parts, facts->n_parts, sizeof(*more));
    facts->incomplete = more == NULL;
    if (more == NULL)
        return;
    facts->parts = more;
    more += facts->n_parts++;
    *more = *part;
    more->first_spot = facts->n_spots;
    more->n_spots = n_spots;
}

void search_facts_add_all(search_facts *facts, const search_part *part)
{
    add_part(facts, part, SEARCH_ALL);
}

void search_facts_begin(search_facts *facts, const search_part *part)
{
    add_part(facts, part, 0);
}

void search_facts_add(search_facts *facts, const search_spot *spot)
{
    search_spot *more = NULL;

    if (!facts->incomplete && facts->n_spots < MOST_SPOTS)
        more = p3d_grow(facts->spots, facts->n_spots, sizeof(*more));
    facts->incomplete = more == NULL;
    if (more == NULL)
        return;
    facts->spots = more;
    more[facts->n_spots++] = *spot;
    facts->parts[facts->n_parts - 1].n_spots++;
}

void search_facts_end(search_facts *facts)
{
    if (!facts->incomplete && facts->parts[facts->n_parts - 1].n_spots == 0)
        facts->n_parts--;
}

void search_facts_free(search_facts *facts)
{
    free(facts->parts);
    free(facts->spots);
    *facts = (search_facts){.n_spots = 0};
}
