/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_step.c - the time of a step from the speeds of a log, and whether what it
 * says can be true of one job. */
#include <math.h>

#include "base/util.h"
#include "exchange/read/log.h"

/* Two medians of the same steps differ by less: timers that leave out the
 * loading of data, means over several steps. */
static const double MOST_APART = 1.5;
/* Three digits, as nanotron writes them, and a batch that is no multiple. */
static const double MOST_TOKENS_APART_FRAC = 0.02;

/* What a speed divides to give seconds: steps, sequences or tokens of one. */
static double of_a_step(
        exchange_log_quantity quantity, const exchange_log_job *job)
{
    const double of[EXCHANGE_LOG_N_SPEEDS] = {[EXCHANGE_LOG_STEPS_PER_S] = 1,
            [EXCHANGE_LOG_SAMPLES_PER_S] = job->batch,
            [EXCHANGE_LOG_TOKENS_PER_S] = job->batch * job->seq_len,
            [EXCHANGE_LOG_TOKENS_PER_S_GPU] =
                    job->batch * job->seq_len / fmax(job->n_gpus, 1)};

    return of[quantity];
}

static double step_of(const exchange_rate *rate, const exchange_log_job *job)
{
    const exchange_log_quantity quantity = rate->row->quantity;

    return quantity == EXCHANGE_LOG_STEP
                   ? rate->median
                   : of_a_step(quantity, job) / rate->median;
}

void exchange_log_step(exchange_measured *m, const exchange_log_job *job)
{
    if (m->n_rates > 0)
        m->step_s = step_of(&m->rates[0], job);
}

static bool check_batch(
        const exchange_measured *m, const exchange_log_job *job, p3d_error *err)
{
    const double tokens = job->batch * job->seq_len;

    if (m->batch > 0 && m->batch != job->batch)
        return p3d_fail(err, P3D_DATA,
                "its steps are of %.0f sequences, not of %.0f; correct "
                "--batch, "
                "or leave it out",
                m->batch, job->batch);
    return m->batch_tokens <= 0 ||
           fabs(tokens / m->batch_tokens - 1) <= MOST_TOKENS_APART_FRAC ||
           p3d_fail(err, P3D_DATA,
                   "its steps are of %.0f tokens, not of batch %.0f x sequence "
                   "%.0f; correct --batch and --seq",
                   m->batch_tokens, job->batch, job->seq_len);
}

bool exchange_log_check(
        const exchange_measured *m, const exchange_log_job *job, p3d_error *err)
{
    const exchange_rate *const first = m->rates;

    if (!check_batch(m, job, err))
        return false;
    for (int i = 1; i < m->n_rates; i++) {
        const exchange_rate *const other = &m->rates[i];
        const double a = step_of(first, job);
        const double b = step_of(other, job);

        if (other->row->family == first->row->family &&
                (other->row->shape == EXCHANGE_LOG_WHOLE) ==
                        (first->row->shape == EXCHANGE_LOG_WHOLE) &&
                fmax(a, b) > MOST_APART * fmin(a, b))
            return p3d_fail(err, P3D_DATA,
                    "it contradicts itself: a step takes %.3g s by '%s' and "
                    "%.3g s by '%s' with batch %.0f and sequence %.0f; correct "
                    "--batch and --seq, or leave the log out",
                    a, first->row->word, b, other->row->word, job->batch,
                    job->seq_len);
    }
    return true;
}
