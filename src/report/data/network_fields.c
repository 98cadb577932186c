/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network_fields.c - which links are tight for a plan as a JSON object, by
 * tables; and the tiers of a cluster. */
#include "plan3d/network.h"
#include "report/data/fields.h"
#include "report/document.h"
#include "spec/words.h"

/* clang-format off */
#define CUT p3d_network_cut
static const json_field cut_fields[] = {
    ROW(CUT, tier, "0: the network cards of a node (of an NVLink domain); 1: "
        "the links up of a switch of the first tier, and so on"),
    ROW(CUT, gpus_below, "GPUs whose traffic crosses; 0: all of the job, so "
        "nothing does"),
    ROW(CUT, bytes_per_s, "of its links, one way"),
    ROW(CUT, cost_s, "that a step takes less where these links are unlimited; "
        "of the cards, on a network with nothing tight above them"),
    ROW(CUT, cost_frac, "of the step"),
    ROW(CUT, term, "of the step that it adds most to; null: none"),
};
static const json_shape cut_shape = REPORT_SHAPE(CUT, cut_fields,
        "a cut of the network");

#define LOAD p3d_network_load
static const json_field load_fields[] = {
    ROW(LOAD, axis, "whose groups send, all at once"),
    ROW(LOAD, pattern, "ring, all-to-all, or neighbours of a pipeline"),
    ROW(LOAD, n_ranks, "of a group"),
    ROW(LOAD, tier, "of the cut"),
    ROW(LOAD, load_frac, "of the GPUs below, those that send up at once; of "
        "an all-to-all, of their bytes"),
    ROW(LOAD, spread_frac, "of the links that hashed flows reach; 1: all"),
    ROW(LOAD, of_cards_frac, "time over that of the network cards; above 1 "
        "the cut is tighter than these"),
};
static const json_shape load_shape = REPORT_SHAPE(LOAD, load_fields,
        "what the groups of an axis send through a cut");

#define CHANGE p3d_network_change
static const json_field change_fields[] = {
    {TYPED("what", CHANGE, what, JSON_GOT(TEXT, report_get_chars), char *,
            "option, or value of the plan")},
    ROW(CHANGE, step_s, "of the same plan with it"),
    SIGNED_ROW(CHANGE, slower_frac, "over the step as asked"),
};
/* clang-format on */

const json_shape report_network_change_shape = REPORT_SHAPE(
        CHANGE, change_fields, "the plan with another network, or order");

static void tight_of(const void *at, json_got *out)
{
    const p3d_network *const x = at;

    out->object = x->tight >= 0 ? &x->cuts[x->tight] : NULL;
}

GETTER(cuts_of, p3d_network, list, ((json_list){x->cuts, x->n_cuts}))
GETTER(loads_of, p3d_network, list, ((json_list){x->loads, x->n_loads}))
GETTER(changes_of, p3d_network, list, ((json_list){x->changes, x->n_changes}))

/* clang-format off */
static const json_field network_fields[] = {
    {FIELD("tight", JSON_TYPE(OBJECT_OR_NULL, .shape = &cut_shape,
            .get = tight_of), 0, "the cut that costs the most; null: none "
            "costs anything")},
    LIST_GOT_ROW("cuts", cut_shape, cuts_of, "from the nodes up"),
    LIST_GOT_ROW("loads", load_shape, loads_of, "of each cut, by axis"),
    LIST_GOT_ROW("changes", report_network_change_shape, changes_of,
            "what others would give"),
};
/* clang-format on */

const json_shape report_network_shape =
        REPORT_SHAPE(p3d_network, network_fields, "the network under a plan");
