/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document_fields.h - rows that the documents about a job share. */
#ifndef PLAN3D_REPORT_DATA_DOCUMENT_FIELDS_H
#define PLAN3D_REPORT_DATA_DOCUMENT_FIELDS_H

#include "plan3d/version.h"
#include "report/data/fields.h"
#include "report/document.h"

extern const json_shape report_search_shape;
extern const json_shape report_change_shape;

/* clang-format off */
#define D report_document
#define ANSWER_ROW(f, d)                                                       \
    OBJECT_OR_NULL_ROW(D, f, report_answer, report_answer_shape, d)
#define QUESTION_ROW(key, of, d)                                               \
    {INNER(key, D, question, JSON_OBJECT(of), report_question, d)}
#define QUESTION_ROWS                                                          \
    QUESTION_ROW("model", report_model_shape, "the model"),                    \
    QUESTION_ROW("cluster", report_cluster_shape, "the cluster"),              \
    QUESTION_ROW("job", report_job_shape, "the training job")
#define HEAD_ROWS(name)                                                        \
    CONST_ROW("schema", P3D_SCHEMA), CONST_ROW("command", name),               \
    BOOL_ROW(D, fits, "the answer is yes"),                                    \
    QUESTION_ROWS
#define SEARCH_ROW                                                             \
    OBJECT_ROW(D, search, p3d_search_result, report_search_shape,              \
            "how it was found")
#define ASSUMED_ROW                                                            \
    LINES_ROW(D, assumed, "defaults and constants that the answer rests on")
/* clang-format on */

#endif
