/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_numbers.c - finds the words of the table of logs in a line, in one pass
 * over it, and reads the numbers beside them; the time of a step from speeds,
 * and whether what a log says can be true of one job. */
#include "exchange/read/log_numbers.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/read/log.h"

enum { MOST_DIGITS = 40 };

static const double MOST_VALUE = 1e18;

void exchange_log_index_rows(exchange_log_index *out)
{
    for (int i = 0; i < P3D_COUNT_OF(out->first); i++)
        out->first[i] = -1;
    for (int i = exchange_n_log_rows - 1; i >= 0; i--) {
        short *const first =
                &out->first[(unsigned char)exchange_log_rows[i].word[0]];

        out->next[i] = *first;
        *first = (short)i;
    }
}

/* True where commas part thousands: "1,234" and "12,345,678". */
static bool is_thousands(const char *comma)
{
    return p3d_is_digit(comma[1]) && p3d_is_digit(comma[2]) &&
           p3d_is_digit(comma[3]) && !p3d_is_digit(comma[4]);
}

/* The number that a text begins with. @return bytes of it; 0 = none */
static size_t number_at(const char *text, double *out)
{
    char digits[MOST_DIGITS + 1];
    size_t n = 0;
    size_t commas = 0;
    size_t used;
    p3d_decimal number;

    while (n < MOST_DIGITS && (p3d_is_word(text[n + commas]) ||
                                      strchr(".+-", text[n + commas]) != NULL ||
                                      text[n + commas] == ',')) {
        const char c = text[n + commas];

        if (c == '\0' ||
                (c == ',' && (n == 0 || !is_thousands(text + n + commas))))
            break;
        if (c == ',')
            commas++;
        else
            digits[n++] = c;
    }
    digits[n] = '\0';
    used = p3d_scan_decimal(digits, &number);
    if (used == 0 || number.negative)
        return 0;
    *out = p3d_decimal_double(&number, 0);
    return used + commas;
}

/* "K" of 1.03K. */
static double human(char letter)
{
    static const struct {
        char letter;
        double times;
    } sizes[] = {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'T', 1e12}, {'P', 1e15}};

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++)
        if (letter == sizes[i].letter)
            return sizes[i].times;
    return 1;
}

/* True where a word stands alone: after "max_mem" comes no "mem". */
static bool is_word_at(const char *line, size_t at, const char *word)
{
    const size_t n = strlen(word);

    return strncmp(line + at, word, n) == 0 &&
           (at == 0 || !p3d_is_word(line[at - 1])) &&
           !p3d_is_word(line[at + n]);
}

/* The number behind a word. A log may be cut within its last number. */
static bool number_behind(const exchange_log_line *line, size_t at,
        exchange_log_form form, double *out)
{
    const char *text = line->text + at;
    size_t used;

    text += strspn(text, " \"':=");
    used = number_at(text, out);
    if (used == 0 || (line->open && text[used] == '\0'))
        return false;
    if (form == EXCHANGE_LOG_HUMAN)
        *out *= human(text[used]);
    return true;
}

/* The number before a word, without a blank between them. */
static bool number_before(const exchange_log_line *line, size_t at, double *out)
{
    size_t from = at;

    while (from > 0 && at - from < MOST_DIGITS &&
            (p3d_is_digit(line->text[from - 1]) || line->text[from - 1] == '.'))
        from--;
    return number_at(line->text + from, out) == at - from && at > from;
}

/* The words of a sum, after the first. */
static bool add_more(
        const exchange_log_line *line, const char *words, double *sum)
{
    char word[32];

    for (; *words != '\0';
            words += strcspn(words, "+"), words += *words == '+') {
        const size_t n = strcspn(words, "+");
        bool found = false;
        double number;

        P3D_ASSERT(n < sizeof(word));
        memcpy(word, words, n);
        word[n] = '\0';
        for (size_t i = 0; i < line->n && !found; i++)
            found = is_word_at(line->text, i, word) &&
                    number_behind(line, i + n, EXCHANGE_LOG_SUM, &number);
        if (!found)
            return false;
        *sum += number;
    }
    return true;
}

exchange_log_bar exchange_log_bar_of(const char *line)
{
    const char *at = strstr(line, "%|");
    exchange_log_bar bar = {0};
    size_t used;

    for (const char *c = at; c != NULL && c > line; c--)
        if (!p3d_is_digit(c[-1]) && c[-1] != ' ')
            at = c[-1] == ':' && exchange_log_rank(line) >= 0 ? at : NULL;
    if (at == NULL)
        return bar;
    at = strstr(at + 2, "| ");
    if (at == NULL)
        return bar;
    at += 1 + strspn(at + 1, " ");
    used = number_at(at, &bar.at);
    if (used == 0 || at[used] != '/' ||
            number_at(at + used + 1, &bar.total) == 0)
        return (exchange_log_bar){0};
    return bar;
}

static bool read_row(const exchange_log_line *line, size_t at,
        const exchange_log_row *row, double *out)
{
    const size_t n = strlen(row->word);
    bool ok;

    if (row->form >= EXCHANGE_LOG_COUNTED ||
            strncmp(line->text + at, row->word, n) != 0)
        return false;
    if (row->form == EXCHANGE_LOG_BAR)
        ok = number_before(line, at, out);
    else
        ok = is_word_at(line->text, at, row->word) &&
             number_behind(line, at + n, row->form, out);
    ok = ok && strstr(line->text, row->mark) != NULL &&
         (row->more == NULL || add_more(line, row->more, out));
    *out *= row->unit;
    return ok && *out < MOST_VALUE && *out >= row->least &&
           (*out > 0 || row->quantity == EXCHANGE_LOG_NUMBER);
}

static bool has(const exchange_log_number *numbers, int n, int row)
{
    for (int i = 0; i < n; i++)
        if (numbers[i].row == row)
            return true;
    return false;
}

int exchange_log_find(const exchange_log_index *index,
        const exchange_log_line *line,
        exchange_log_number out[EXCHANGE_MOST_LOG_ROWS])
{
    int n = 0;

    for (size_t i = 0; i < line->n; i++) {
        int row = index->first[(unsigned char)line->text[i]];

        for (; row >= 0; row = index->next[row]) {
            double value = 0;

            if (read_row(line, i, &exchange_log_rows[row], &value) &&
                    !has(out, n, row))
                out[n++] = (exchange_log_number){row, value};
        }
    }
    return n;
}

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

    if (quantity == EXCHANGE_LOG_STEP)
        return rate->median;
    if (quantity == EXCHANGE_LOG_MICRO_BATCH)
        return rate->median * job->n_micro_batches;
    return of_a_step(quantity, job) / rate->median;
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
    if (m->micro_batches > 0 && m->micro_batches != job->n_micro_batches)
        return p3d_fail(err, P3D_DATA,
                "it accumulates %.0f micro-batches a step, and the plan has "
                "%.0f; correct --batch, or mbs and dp of --plan",
                m->micro_batches, job->n_micro_batches);
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
                (other->row->form == EXCHANGE_LOG_WHOLE) ==
                        (first->row->form == EXCHANGE_LOG_WHOLE) &&
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
