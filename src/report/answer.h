/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - what a report says about a question and about one plan: the same
 * structs are printed as text and as JSON. */
#ifndef PLAN3D_REPORT_ANSWER_H
#define PLAN3D_REPORT_ANSWER_H

#include "plan3d/estimate.h"
#include "plan3d/range.h"
#include "plan3d/recommend.h"
#include "plan3d/training.h"
#include "report/report.h"
#include "json/field.h"

/** One term of p3d_memory or p3d_time. */
typedef struct report_term {
    const char *key;   /* in JSON, with its unit */
    const char *words; /* in text */
    size_t offset;     /* in the struct */
} report_term;

enum {
#define P3D_AS_ONE(field, words) +1
    REPORT_N_MEMORY_TERMS = 0 P3D_MEMORY_TERMS(P3D_AS_ONE)
#undef P3D_AS_ONE
};

/** Places in the list of terms of time: REPORT_TIME_pp_bubble. */
enum {
#define P3D_AS_PLACE(field, words) REPORT_TIME_##field,
    P3D_TIME_TERMS(P3D_AS_PLACE)
#undef P3D_AS_PLACE
            REPORT_N_TIME_TERMS
};

extern const report_term report_memory_terms[REPORT_N_MEMORY_TERMS];
extern const report_term report_time_terms[REPORT_N_TIME_TERMS];

/** Bytes of the i-th term of memory, seconds of the i-th term of time. */
int64_t report_memory_term_bytes(const p3d_memory *memory, int i);
double report_time_term_s(const p3d_time *time, int i);

enum { REPORT_PLAN = P3D_PLAN_WORDS };

/** A pipeline rank and its memory. */
typedef struct report_stage {
    int number; /* from 0 */
    int64_t peak_bytes;
    p3d_stage held;
} report_stage;

/** How much a term of time grew. */
typedef struct report_growth {
    int term;        /* place in report_time_terms */
    double growth_s; /* 0 = none grew */
} report_growth;

/** What follows from a step time. */
typedef struct report_rates {
    double tokens_per_s;
    double tokens_per_s_per_gpu;
    double billion_tokens_usd;
} report_rates;

/** A whole training, and with steps at the ends and the median of their range.
 */
typedef struct report_training {
    p3d_training found, low, median, high;
} report_training;

/** One plan with everything that is said about it. */
struct report_answer {
    p3d_estimate found;
    char words[REPORT_PLAN]; /* the plan as --plan reads it */
    int64_t peak_bytes;
    int64_t margin_bytes;
    int64_t missing_bytes; /* 0 when it fits */
    int64_t free_bytes; /* of what a program sees of the GPU; < 0 = missing */
    p3d_verdict verdict;
    double fit_probability_frac;
    char departures[512]; /* in words, see p3d_plan_departures(); "" = none */
    p3d_memory_ranges ranges;
    double step_s;
    p3d_range range; /* of the step */
    double tokens_per_s_per_gpu;
    double billion_tokens_usd;      /* with failures where a training was asked,
                                  else if nothing fails; 0 = not asked */
    report_rates low, median, high; /* of their ranges */
    const report_training
            *training; /* NULL = not asked, else = whole_training */
    report_training whole_training;
    const char *why_not_first; /* NULL for the first, else = why */
    report_growth growth;      /* the same, against the first */
    char why[64];
    report_stage *stages; /* owned; one per pipeline rank */
};

/** Of a report_question. */
extern const json_shape report_model_shape;
extern const json_shape report_cluster_shape;
extern const json_shape report_job_shape;

extern const json_shape report_answer_shape;
extern const json_shape report_plan_shape;
extern const json_shape report_training_shape;

/** Getters of a p3d_model. */
json_getter report_get_parameters;
json_getter report_get_active_parameters;

/** Getters of a p3d_estimate. */
json_getter report_get_words;
json_getter report_get_peak;
json_getter report_get_margin;
json_getter report_get_step;

/* clang-format off */
/* Rows for what these getters make of the estimate at `at`. HOW is GOT, or
 * MAYBE_GOT for numbers that are null where they are 0. */
#define WORDS_ROW(name, T, at, d)                                              \
    {GOT(name, T, at, p3d_estimate, STRING, report_get_words, d)}
#define PEAK(HOW, T, at, d)                                                    \
    HOW("peak_bytes", T, at, p3d_estimate, INT64, report_get_peak, d)
#define STEP(HOW, T, at, d)                                                    \
    HOW("step_s", T, at, p3d_estimate, DOUBLE, report_get_step, d)
/* clang-format on */

/** Tokens of one step. */
int64_t report_tokens_per_step(const p3d_job *job);

/** Peak FLOP/s of a GPU: dense, of the job's data type. */
double report_peak_flop_per_s(const p3d_problem *problem);

/** Work out everything that is said about one estimate.
 *  @param out  release with report_answer_free(); untouched on failure */
P3D_CHECK bool report_answer_build(const p3d_problem *problem,
        const p3d_estimate *estimate, report_answer *out, p3d_error *err);

void report_answer_free(report_answer *answer);

/** Probability that a plan fits. */
double report_fit_probability_frac(
        const p3d_problem *problem, const p3d_estimate *estimate);

/** Bytes that a GPU lacks for a plan; 0 when it has them. */
int64_t report_missing_bytes(const p3d_estimate *estimate);

/** The term of time that grew most from the first plan to a slower one. */
report_growth report_growth_of(const p3d_time *slower, const p3d_time *first);

/** "pipeline bubble +1.20 s". @param words  of the term */
const char *report_growth_words(
        const report_growth *growth, const char *words, char *buffer, size_t n);

#endif
