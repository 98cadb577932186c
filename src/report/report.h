/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - answers as text and as JSON: what the commands call. */
#ifndef PLAN3D_REPORT_REPORT_H
#define PLAN3D_REPORT_REPORT_H

#include "base/text.h"
#include "plan3d/best_framework.h"
#include "plan3d/budget.h"
#include "plan3d/catalog.h"
#include "plan3d/decisions.h"
#include "plan3d/network.h"
#include "plan3d/recommend.h"
#include "plan3d/request.h"
#include "plan3d/search.h"
#include "plan3d/sensitivity.h"
#include "plan3d/single_changes.h"
#include "report/format.h"

/** What the person said; the rest is a default and is listed as assumed. */
typedef struct report_given {
    bool seq_len;
    bool global_batch;
    bool dtype;
    bool optimizer;
    bool attention;
    bool framework;
    bool reserve; /* or none is wanted */
    bool sure;
    bool fabric;
    bool cluster_file;
} report_given;

/** A question: the words it was asked in, and the problem they stand for. */
typedef struct report_question {
    const char *command;
    const char *model_word;
    const char *cluster_word;
    const char *options; /* of the job, to repeat: " --seq 4096", or "" */
    const char *choice;  /* of the plan, likewise: " --pin tp=8", or "" */
    report_given given;
    const p3d_framework_ranking *frameworks; /* NULL = one was said */
    p3d_problem problem;
} report_question;

/** Append a word as a shell reads it back. */
void report_shell_word(const char *word, p3d_text *out);

/** A plan to be held against another: as it was asked for, and what it is. */
typedef struct report_asked {
    const char *words;     /* NULL = the best plan */
    bool is_search;        /* the words are pins of a search, not a plan */
    p3d_alternative found; /* value and chosen are not used */
} report_asked;

/** A file of a launch with another plan in it. */
typedef struct report_change {
    int number;          /* of the single change, from 1; 0 = the recommended
                            plan, -1 = neither */
    const char *file;    /* that is changed, or several with commas; NULL = the
                            files cannot say it */
    int n_files;         /* of these */
    const char *diff;    /* of it, as diff -u writes it; NULL = none */
    const char *written; /* file that it was written to; NULL = none */
    const char *refused; /* why they cannot say the recommended plan; NULL =
                            they can, or it is theirs */
} report_change;

/** What was read from the files of a launch; lists are a text with a line for
 *  each entry. */
typedef struct report_launch {
    const char *title;    /* of the framework */
    const char *profile;  /* whose costs it is estimated with */
    const char *versions; /* that the names of its options were read from */
    const char *scope;    /* what the answer is of */
    const char *defaults;
    const char *unknown;
    const char *unmodelled;
    const char *unresolved;
    const char *doubtful;
    const char *contradicted;
    double measured_step_s; /* 0 = no log says it */
    int n_measured_steps;
    int64_t measured_allocated_bytes; /* 0 = no log says it */
    int64_t measured_reserved_bytes;
    const char *command;         /* to repeat, for "next"; NULL = a page */
    const report_change *change; /* likewise */
} report_launch;

/** A file of a launch that is written. */
typedef struct report_file {
    const char *name;
    const char *text;
    bool executable;
} report_file;

/** A launch that is written; its words and files stay with the caller. */
typedef struct report_exported {
    const char *target;
    const char *versions; /* that the names of its options were read from */
    const char *profile;  /* framework whose costs were taken */
    const char *launcher;
    const char *directory; /* NULL = nothing was written */
    const report_file *files;
    int n_files;
} report_exported;

/** A search checked plan by plan. */
typedef struct report_check {
    p3d_verification fastest;
    p3d_verification recommended;
} report_check;

/** What was found for it; each command fills the part that it has. */
typedef struct report_findings {
    const p3d_search_result *search;
    const p3d_recommendation *recommendation; /* of the search, or NULL */
    const report_check *verified;             /* of both, plan by plan */
    const p3d_remedy *changes;
    int n_changes;
    int smallest_cluster_gpus; /* 0 = not known */
    const p3d_estimate *estimate;
    bool explain; /* the memory of the estimate, tensor by tensor */
    const p3d_error_budget *budget; /* of the estimate's step */
    const p3d_network *network;     /* of the estimate's plan */
    const p3d_advice *walk;
    const p3d_sensitivity *sensitivity; /* of the estimate's plan */
    const p3d_decisions *decisions;     /* and their prices */
    const report_asked *pair;           /* two plans side by side */
    const report_launch *launch; /* of import; the words stay with the caller */
    const p3d_single_change *single; /* of the estimate's plan */
    int n_single;
} report_findings;

/** Everything that is printed, in the order of the JSON document. */
typedef struct report_document report_document;
typedef struct report_answer report_answer;

/** @return NULL with P3D_SYSTEM when memory runs out */
report_document *report_document_create(const report_question *question,
        const report_findings *findings, p3d_error *err);

/** Accepts NULL. */
void report_document_destroy(report_document *document);

/** True when the answer to the question is yes. */
bool report_document_fits(const report_document *document);

/** Append the question and the estimate in lines for the head of a file. */
void report_about(const report_document *document, p3d_text *out);

/** Append an export as one JSON document. */
void report_export(report_document *document, const report_exported *exported,
        p3d_text *out);

/** Parts of the long answers, for --show: bits of out->style.parts. */
typedef enum report_part {
    REPORT_NETWORK, /* is it the bottleneck? */
    REPORT_VERDICT,
    REPORT_OTHERS,
    REPORT_JOB,
    REPORT_PLANS,
    REPORT_MEMORY,
    REPORT_TIME,
    REPORT_CHANGES,
    REPORT_PROOF,
    REPORT_EVIDENCE,
    REPORT_ASSUMED,
    REPORT_NEXT,
    REPORT_N_PARTS
} report_part;

/** Word of a part ("memory"); NULL past the last. */
const char *report_part_word(int i);

/** Set of those that the long answer of fit, plan or estimate has. */
unsigned report_parts_of(const char *command);

/** Append the answer to `out`. */
void report_fit(
        const report_document *document, report_format format, p3d_text *out);
void report_fit_long(
        const report_document *document, report_format format, p3d_text *out);
void report_plan(
        const report_document *document, report_format format, p3d_text *out);
void report_estimate(
        const report_document *document, report_format format, p3d_text *out);
void report_explain(
        const report_document *document, report_format format, p3d_text *out);
void report_evidence(
        const report_document *document, report_format format, p3d_text *out);
void report_error(
        const report_document *document, report_format format, p3d_text *out);
void report_network(
        const report_document *document, report_format format, p3d_text *out);
void report_why(
        const report_document *document, report_format format, p3d_text *out);
void report_comparison_print(
        const report_document *document, report_format format, p3d_text *out);
void report_import(
        const report_document *document, report_format format, p3d_text *out);
void report_import_long(
        const report_document *document, report_format format, p3d_text *out);
void report_advise(
        const report_document *document, report_format format, p3d_text *out);
void report_sensitivity_print(
        const report_document *document, report_format format, p3d_text *out);

/** Append the line about the frameworks that were compared, if any were. */
void report_frameworks(const report_question *question, p3d_text *out);

/** Append the operations of a plan, as text. */
void report_shapes(const p3d_request *request, p3d_text *out);

/** Things that can be listed: the i-th name ("models"), or NULL past the
 *  last. */
const char *report_list_name(int i);

/** List them; every data file of their folder is read. */
P3D_CHECK bool report_list_print(
        int i, report_format format, p3d_text *out, p3d_error *err);

/** The document of each list. */
enum { REPORT_N_LISTS = 6 };
extern const json_shape *const report_list_shapes[REPORT_N_LISTS];

/** Documents with a schema: the i-th name, or NULL past the last. */
const char *report_schema_name(int i);

/** Print the JSON Schema of a document. @return false for an unknown name */
P3D_CHECK bool report_schema(const char *name, p3d_text *out);

#endif
