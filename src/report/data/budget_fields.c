/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget_fields.c - where the error of a step comes from, as data. */
#include "report/data/fields.h"
#include "report/document.h"

GETTER(terms_of, p3d_error_budget, list, ((json_list){x->terms, P3D_N_ERRORS}))
GETTER(cures_of, p3d_error_budget, list, ((json_list){x->cures, P3D_N_CURES}))

/* clang-format off */
#define T p3d_term_error
static const json_field term_fields[] = {
    ROW(T, name, "of the term, or \"unexplained\""),
    ROW(T, step_frac, "share of this step; of the unexplained 1"),
    ROW(T, scale, "of the term's ln(measured / predicted): 5 of 8 are within"),
    ROW(T, least_scale, "the least, without one source"),
    ROW(T, most_scale, "the most, without one source"),
    ROW(T, variance_frac, "of the squared error of this step"),
    ROW(T, n_runs, "measured runs that spend 5 % of their step there"),
    ROW(T, n_sources, "of these runs"),
};

#define C p3d_cure
static const json_field cure_fields[] = {
    ROW(C, name, "of what is measured"),
    ROW(C, measure, "what to run"),
    ROW(C, variance_frac, "of the squared error, taken away at most"),
    ROW(C, left_scale, "of the step's error, what is left at least"),
    MAYBE_ROW(C, n_runs, "that say so; null: the terms and the constants do"),
    MAYBE_ROW(C, n_sources, "of these runs; null likewise"),
};
/* clang-format on */

const json_shape report_term_error_shape =
        REPORT_SHAPE(T, term_fields, "how wrong a term is");
static const json_shape cure_shape =
        REPORT_SHAPE(C, cure_fields, "a measurement and what it is worth");

/* clang-format off */
#define B p3d_error_budget
static const json_field budget_fields[] = {
    ROW(B, scale, "of the step's ln(measured / predicted): 5 of 8 are within"),
    ROW(B, flat_scale, "of any step, by all runs alike"),
    ROW(B, n_runs, "measured runs that it was found from"),
    ROW(B, n_sources, "of these runs"),
    ROW(B, n_better,
            "of these sources: foretold better by the terms than by "
            "flat_scale, both from the other sources"),
    LIST_GOT_ROW("terms", report_term_error_shape, terms_of,
            "the largest part of the error first"),
    LIST_GOT_ROW("cures", cure_shape, cures_of, "what takes away most first"),
};
/* clang-format on */

const json_shape report_budget_shape =
        REPORT_SHAPE(B, budget_fields, "the error of a step by its terms");
