/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - everything that a command prints, as text or as JSON. */
#ifndef PLAN3D_REPORT_DOCUMENT_H
#define PLAN3D_REPORT_DOCUMENT_H

#include "plan3d/decisions.h"
#include "plan3d/evidence.h"
#include "report/amounts.h"
#include "report/answer.h"
#include "report/sensitivity.h"

/** The best plan that has one value, and what it is printed with. */
typedef struct report_choice {
    p3d_alternative found;
    char value[32];
    char words[REPORT_PLAN]; /* the plan as --plan reads it */
    char with[REPORT_PLAN];  /* its other values that are not the best's */
    p3d_time more;           /* its step less the best's */
    double slower_frac;      /* nan unless both plans fit */
} report_choice;

typedef struct report_decision {
    const char *word;
    const char *doc;
    json_list choices;
} report_decision;

/** One of two plans that are compared. */
typedef struct report_side {
    const char *asked;           /* the words that it was asked for in */
    bool is_search;              /* words of a search, not of a plan */
    const report_answer *answer; /* NULL when it is not legal */
    const char *rule;            /* NULL when it is legal */
    const char *reason;
} report_side;

/** Two plans; what is more is more in the second. */
typedef struct report_comparison {
    report_side first;
    report_side second;
    const char *faster; /* "first", "second"; NULL = neither, or not both fit */
    double slower_frac; /* the second's step over the first's, less 1; nan
                           unless both are legal */
    const p3d_time *more_time; /* NULL unless both are legal */
    const p3d_memory *more_memory;
} report_comparison;

/** Decisions as they are written, with their storage. Allocated. */
typedef struct report_prices {
    json_list list; /* of report_decision */
    report_decision decisions[P3D_MAX_DECISIONS];
    report_choice choices[P3D_MAX_DECISIONS][P3D_MAX_ALTERNATIVES];
} report_prices;

/** The term of memory that is the largest. */
int report_largest_term(const p3d_memory *memory);

extern const json_shape report_decision_shape;

/** @return release with free(); NULL when memory runs out */
report_prices *report_prices_create(const p3d_decisions *found);

enum { REPORT_MAX_ASSUMED = 24 };

/** A search that was checked plan by plan. */
typedef struct report_verified {
    p3d_verification found; /* of the fastest sure plan */
    bool interrupted;
    double seconds;
    bool agrees;
} report_verified;

/** A step of the walk and what it is printed with. */
typedef struct report_step {
    int number; /* from 1 */
    int n_gpus; /* of the cluster */
    p3d_advice_step taken;
} report_step;

/** A single change and what it is held against. */
typedef struct report_single {
    p3d_single_change made;
    double from_step_s; /* of the plan without it */
    double fit_probability_frac;
    char change[REPORT_PLAN]; /* "tp=4", "--tp-overlap" */
} report_single;

/** A launch that was read, as it is printed. */
typedef struct report_read {
    report_launch files;
    double error_frac; /* of the predicted step; not-a-number = not measured */
    const char *slower_by; /* the term that grew most against the best plan */
    json_list scope;
    json_list defaults;
    json_list unknown;
    json_list unmodelled;
    json_list unresolved;
    json_list doubtful;
    json_list contradicted;
    char slower_words[64];
    char (*lines)[JSON_LINE]; /* of the lists; owned */
} report_read;

struct report_document {
    report_question question; /* the words stay with the caller */
    const p3d_model *model;   /* this and below: of the question */
    const p3d_cluster *cluster;
    const p3d_job *job;
    bool fits;
    p3d_verdict verdict;         /* of the best plan, or the one asked for */
    double fit_probability_frac; /* likewise */
    const report_answer *best;   /* NULL when nothing fits */
    const report_answer *closest;
    const report_answer *recommended; /* NULL when nothing fits, or not asked */
    const report_answer *fastest;     /* by the estimate, likewise */
    const report_answer *roomiest;    /* likewise */
    const report_answer *usual; /* the fastest sure plan without departures;
                                   NULL where the recommended one has none */
    json_list plans;
    p3d_search_result search;
    json_list changes;
    int smallest_cluster_gpus;
    json_list assumed;
    const report_answer *estimate;
    json_list items; /* of p3d_memory_item: what the tight rank keeps */
    json_list steps;
    const report_answer *answer;
    const report_answer *exact_best;
    double gap_frac;
    p3d_error_budget budget; /* of the estimate's step, where it is asked for */
    json_list errors;        /* its terms: of p3d_term_error */
    p3d_network network;     /* of the estimate's plan, where it is asked for */
    const report_sensitivity *sensitivity; /* NULL = not asked, or no plan */
    const report_verified *verified;       /* NULL = not asked */
    json_list decisions;                   /* of report_decision */
    report_comparison comparison;
    report_read launch;
    json_list evidence;       /* of p3d_near_run: the nearest that are near */
    json_list nearest;        /* likewise: near or not */
    json_list single_changes; /* of report_single, the largest gain first */
    report_exported written;
    /* Storage of what is pointed to above. */
    int n_answers;
    report_answer answers[P3D_MAX_TOP + 6];
    p3d_remedy remedy_items[P3D_MAX_REMEDIES];
    report_step step_items[P3D_MAX_ADVICE_STEPS];
    report_single single_items[P3D_MAX_SINGLE_CHANGES];
    p3d_memory_item item_lines[P3D_MAX_MEMORY_ITEMS];
    p3d_evidence measured;      /* owned */
    report_sensitivity *judged; /* owned */
    report_prices *prices;      /* owned; NULL = not asked */
    report_verified check;
    p3d_time more_time;
    p3d_memory more_memory;
    char assumed_lines[REPORT_MAX_ASSUMED][JSON_LINE];
};

/** How much longer than the best the fastest plan of another kind takes. */
double report_runner_up_gap_frac(const p3d_search_result *search);

/** Tokens/s of one GPU, after a change and at a step. */
double report_remedy_rate(const p3d_remedy *remedy);
double report_step_rate(const report_step *step);

/** Predicted over measured step of a run, less 1. */
double report_near_error_frac(const p3d_near_run *near);

/** What is said where no run is near. */
extern const char report_no_evidence[];

/** What a step takes less with a single change; negative = more. */
double report_single_gain_s(const report_single *single);

/** "[4096, 8192] x 2 B", "[6738415616] x 2 B", or "5 x 32 MiB". */
report_words report_item_sizes(const p3d_memory_item *item);

/**
 * Where the constants of the speeds are from, as the kinds of their sources
 * say: "from microbenchmarks on H100-SXM5-80GB", "GEMMs, attention from
 * microbenchmarks on ..., the others assumed", "all assumed for ...". GEMMs
 * are those of the job's precision.
 *
 * @param on  GPU or device that they are of
 */
void report_speeds_origin(const report_document *document, p3d_style style,
        const char *on, char line[JSON_LINE]);

/** The defaults and constants that an answer rests on, a line each.
 *  @return how many */
int report_assume(const report_document *document, p3d_style style,
        char (*lines)[JSON_LINE]);

/** Documents as JSON objects. */
extern const json_shape report_fit_shape;
extern const json_shape report_plan_document_shape;
extern const json_shape report_estimate_shape;
extern const json_shape report_advise_shape;
extern const json_shape report_item_shape;
extern const json_shape report_step_shape;
extern const json_shape report_explain_shape;
extern const json_shape report_sensitivity_document_shape;
extern const json_shape report_why_shape;
extern const json_shape report_compare_shape;
extern const json_shape report_evidence_shape;
extern const json_shape report_near_run_shape;
extern const json_shape report_error_document_shape;
extern const json_shape report_budget_shape;
extern const json_shape report_network_document_shape;
extern const json_shape report_network_shape;
extern const json_shape report_network_change_shape;
extern const json_shape report_term_error_shape;
extern const json_shape report_import_shape;
extern const json_shape report_export_shape;

#endif
