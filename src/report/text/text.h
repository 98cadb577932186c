/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - the pieces that the answers in text are put together from. */
#ifndef PLAN3D_REPORT_TEXT_TEXT_H
#define PLAN3D_REPORT_TEXT_TEXT_H

#include "report/amounts.h"
#include "report/document.h"
#include "report/words/words.h"

/** A plan for people: "TP 8, PP 2, DP 4, ZeRO-1, micro-batch 1". */
report_sentence report_short_plan(const p3d_plan *plan, p3d_style style);

/** Append the terms that differ most, the largest first, but for those below a
 *  twentieth of it: "pipeline bubble +1.21, tensor-parallel -0.40".
 *  @param n_most  at most P3D_TIME_TERMS */
void report_top_terms(
        const p3d_time *more, int n_most, report_clock clock, p3d_text *out);

/** The plan for people and, in a line of its own, as --plan reads it. */
void report_text_plan(const report_answer *answer, p3d_text *out);

/** The step and its rate, with their ranges, in one line. */
void report_text_step(const report_answer *answer, p3d_text *out);

/** What half of the runs like it take, where that is another number. */
void report_text_median(const report_answer *answer, p3d_text *out);

/** Append what follows for an answer from the nearest run, where that took far
 *  more or less than was predicted for it; else nothing. */
void report_add_far(const report_document *d, p3d_text *out);

/** A plan as --plan reads it, in a line of its own. */
void report_text_words(const char *words, p3d_text *out);

/** The answer of a sweep in one sentence, where a question has one; in text it
 *  is the first line, behind a word that says what it is. */
struct report_sweep;
void report_add_sweep_answer(const struct report_sweep *sweep, p3d_text *out);
void report_text_answer(const struct report_sweep *sweep, p3d_text *out);

/** What of the weights a job trains, where that is not all: ", LoRA r=16". */
void report_add_trained(const p3d_job *job, p3d_text *words);

/** Model, cluster and job in one line. */
void report_text_job(const report_document *d, p3d_text *out);

/** "FITS, 97 % sure: 7.7 of 79.2 GiB stay free on the tight GPU". */
void report_text_verdict(
        const report_document *d, const report_answer *answer, p3d_text *out);

/** What a plan asks of the framework that it does not do by itself. */
report_sentence report_departures_words(
        const report_document *d, const report_answer *answer, p3d_style style);

/** "BEST: " and the best plan as --plan reads it. */
void report_text_best(const report_document *d, p3d_text *out);

/** The plans that were found, or else the one that comes closest. */
json_list report_found(const report_document *d);

/** Model, cluster and job: the question again, with what it stands for. */
void report_text_question(const report_document *d, p3d_text *out);

/** Memory of the first, the tight and the last pipeline rank, by terms. */
void report_text_memory(
        const report_document *d, const report_answer *answer, p3d_text *out);

/** The whole training, which was asked for: its days by parts, checkpoints,
 *  energy, money, and the range of these. */
void report_text_training(
        const report_document *d, const report_answer *answer, p3d_text *out);

/** Is the network between the nodes what a step waits for? In one line, of a
 *  plan that is legal. */
void report_text_bottleneck(const report_document *document,
        const report_answer *answer, p3d_text *out);

/** The step by terms, then its range, throughput, use, and the training. */
void report_text_time(
        const report_document *d, const report_answer *answer, p3d_text *out);

/** document->estimate: yes or no, the plan, its memory and time. */
void report_text_estimate(const report_document *d, p3d_text *out);

/** The nearest measured run, or that none is near. */
void report_text_nearest(const report_document *d, p3d_text *out);

/** What of a model with a tower is counted, in one line; nothing without. */
void report_text_counted(
        const p3d_model *model, const p3d_job *job, p3d_text *out);

/** The measured runs that are near, or that none is. */
void report_text_evidence(const report_document *d, p3d_text *out);

/** "assumed:" and a line for each entry. */
void report_text_assumed(const report_document *d, p3d_text *out);

/** A word of caution where Ctrl-C ended the command. */
void report_text_interrupted(const report_document *d, p3d_text *out);

/** What the search looked at. */
void report_text_search(const report_document *d, p3d_text *out);

/** "plan3d fit 70B 64xA800 --seq 4096": a command, with a blank at its end, of
 *  the model, cluster and options of the question. */
void report_text_command(
        const report_document *d, const char *command, p3d_text *out);

/** "next:" and the commands that follow; NULL ends them. A command that ends
 *  in a blank is followed by model, cluster and options of the question. */
void report_text_next(
        const report_document *d, const char *const *commands, p3d_text *out);

/** What a plan that does not fit lacks: "misses 1.2 GiB per GPU on stage 0". */
void report_text_lack(
        const report_document *d, const report_answer *answer, p3d_text *out);

/** "DOES NOT FIT ..." for the plan that comes closest or was asked for. */
void report_text_missing(const report_document *d, const report_answer *answer,
        const char *which, p3d_text *out);

/** What to change where nothing fits: settings first, then GPUs. */
void report_text_remedies(const report_document *d, p3d_text *out);

/** ", 16 nodes below a switch of tier 1, 2:1", and how the switches send. */
void report_add_tiers(const p3d_tiers *tiers, p3d_text *words);

#endif
