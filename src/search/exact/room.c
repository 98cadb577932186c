/* SPDX-License-Identifier: GPL-3.0-or-later */
/* room.c - how many layers a stage of a pipeline holds, whatever is recomputed,
 * before each split of the layers is looked at. */
#include "cost/memory/memory.h"
#include "search/exact/engine.h"

/** Where a stage lies. */
typedef enum place { FIRST, MIDDLE, LAST } place;

/** n layers of a stage: those at the model's begin or end; between them as many
 *  without experts as the model has. */
static void lay_stage(const p3d_model *m, place where, int n, short *count)
{
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++)
        count[k] = 0;
    for (int i = 0; i < n && where != MIDDLE; i++)
        count[m->layer_kind[where == FIRST ? i : m->n_layers - 1 - i]]++;
    for (int i = 0; i < m->n_layers && where == MIDDLE; i++) {
        if ((m->layer_kind[i] & P3D_LAYER_MOE) == 0 && count[0] < n)
            count[0]++;
    }
    if (where == MIDDLE)
        count[P3D_LAYER_MOE] = (short)(n - count[0]);
}

/** The layer that n layers of a stage begin with; of those between the ends the
 *  last has no experts, where the model has such a layer. */
static int first_layer(const p3d_model *m, place where, int n)
{
    int last = n - 1;

    if (where == LAST)
        return m->n_layers - n;
    for (int i = 0; i < m->n_layers && where == MIDDLE; i++) {
        if ((m->layer_kind[i] & P3D_LAYER_MOE) == 0)
            last = i;
    }
    return last - n + 1;
}

/** Lay n layers on a stage. @return its rank */
static int lay(search *s, const p3d_plan *plan, place where, int n)
{
    const p3d_model *m = &s->problem->model;
    const int rank = where == FIRST ? 0 : where == LAST ? plan->pp - 1 : 1;

    s->stage.n_chunks = plan->pp;
    s->stage.first[rank] = (short)first_layer(m, where, n);
    lay_stage(m, where, n, s->stage.count[rank]);
    return rank;
}

/** All choices of recomputation of a leaf. */
static search_class any_class(const search *s, const search_leaf *leaf)
{
    const search_classes classes = search_classes_of(s, leaf);

    return classes.n == 1 ? classes.at[0] : search_any_class(leaf);
}

/** A stage's layers, hollow. */
static const p3d_blocks *hollow(
        search *s, const search_leaf *leaf, place where, search_class class)
{
    return where == MIDDLE ? search_hollow_alike(s, leaf->costs, class.high)
                           : search_hollow(s, leaf->costs, class);
}

/** True when n layers fit on a stage, whatever is recomputed. */
static bool holds(
        search *s, const cost_case *of, place where, search_class class, int n)
{
    const search_class none = {1, 1};
    const int rank = lay(s, of->plan, where, n);

    return !search_hollow_exceeds(
            of, where == MIDDLE ? none : class, rank, search_usable_bytes(s));
}

/** Most layers that fit on a stage. Neighbours differ little: the room of the
 *  leaf before is asked first. */
static int room_of(search *s, const search_leaf *leaf, place where)
{
    const p3d_plan plan = search_most_offload(s, leaf);
    const search_class class = any_class(s, leaf);
    const cost_case of = {
            s->problem, &plan, hollow(s, leaf, where, class), &s->stage};
    int *const last = &s->room[where];
    int low = 0;
    int high = s->problem->model.n_layers;
    int next = *last < high ? *last : high;
    int step = 1;

    while (low < high) {
        if (next <= low || next > high)
            next = (low + high + 1) / 2;
        if (holds(s, &of, where, class, next)) {
            low = next;
            next += step;
        } else {
            high = next - 1;
            next = high - step + 1;
        }
        step *= 2;
    }
    return *last = low;
}

/** Every stage has to fit, so also the one behind the first, which speaks for
 *  those between the ends. */
static search_room device_room(search *s, const search_leaf *leaf)
{
    return (search_room){.first = room_of(s, leaf, FIRST),
            .middle = leaf->plan.pp > 2 ? room_of(s, leaf, MIDDLE) : 0,
            .last = room_of(s, leaf, LAST)};
}

/** The least way to offload with which the devices have room for all layers;
 *  with the last one they have. */
static int least_way(search *s, const search_leaf *leaf)
{
    int low = 0;
    int end = leaf->offloads->n - 1;

    while (low < end) {
        const int middle = (low + end) / 2;
        search_offloads few;
        const search_leaf some = search_leaf_upto(leaf, middle, &few);
        const search_room room = device_room(s, &some);

        if (search_is_full(s, leaf, &room))
            low = middle + 1;
        else
            end = middle;
    }
    return end;
}

/** True when a node holds what n layers on a stage put there with a way to
 *  offload. */
static bool node_holds(
        search *s, const search_leaf *leaf, int way, place where, int n)
{
    const int rank = lay(s, &leaf->plan, where, n);
    const search_ranks one = {
            .of = {s->problem, &leaf->plan,
                    hollow(s, leaf, where, any_class(s, leaf)), &s->stage},
            .first = rank,
            .end = rank + 1};

    return search_node_holds(&one, &leaf->offloads->at[way]);
}

/** Most layers, of so many, that a node holds too. */
static int held(
        search *s, const search_leaf *leaf, int way, place where, int room)
{
    int low = 0;

    if (node_holds(s, leaf, way, where, room))
        return room;
    while (low < room) {
        const int middle = (low + room + 1) / 2;

        if (node_holds(s, leaf, way, where, middle))
            low = middle;
        else
            room = middle - 1;
    }
    return low;
}

/** All of a room with so much offload. */
static search_room held_room(
        search *s, const search_leaf *leaf, int way, search_room room)
{
    return (search_room){.first = held(s, leaf, way, FIRST, room.first),
            .middle = leaf->plan.pp > 2
                              ? held(s, leaf, way, MIDDLE, room.middle)
                              : 0,
            .last = held(s, leaf, way, LAST, room.last)};
}

/** True when the ways from one on may put states in the same places. */
static bool same_places(const search_offloads *ways, int from)
{
    for (int i = from + 1; i < ways->n; i++) {
        if (ways->at[i].n_places != ways->at[from].n_places ||
                ways->at[i].nvme != ways->at[from].nvme)
            return false;
    }
    return true;
}

/** No plan puts less on the host than the least way to offload with which the
 *  devices hold the model; each further way puts more there. It is only looked
 *  for where the most offload is too much for a node. */
search_room search_find_room(search *s, const search_leaf *leaf)
{
    const int last = leaf->offloads->n - 1;
    search_leaf any = *leaf;
    search_room room, most;
    int way;

    any.most = s->problem->model.n_layers;
    room = device_room(s, &any);
    if (leaf->offloads->at[last].kind == P3D_OFFLOAD_NONE ||
            search_is_full(s, leaf, &room))
        return room;
    most = held_room(s, &any, last, room);
    if (!search_is_full(s, leaf, &most))
        return room;
    way = least_way(s, &any);
    return same_places(leaf->offloads, way) ? held_room(s, &any, way, room)
                                            : room;
}

bool search_is_full(
        const search *s, const search_leaf *leaf, const search_room *room)
{
    return (int64_t)room->first + room->last +
                   (int64_t)room->middle * (leaf->plan.pp - 2) <
           s->problem->model.n_layers;
}

bool search_has_room(const search_split *split, const search_room *room)
{
    return split->ends[0] <= room->first && split->ends[1] <= room->last &&
           split->share <= room->middle;
}
