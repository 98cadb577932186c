/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_lightning.c - reads the bars and the metrics.csv of Lightning.
 *
 *     Epoch 0:  5%|5     | 5/100 [00:30<09:30, 0.18it/s, v_num=0]    (tqdm)
 *     Epoch 0/9 ------------ 5/100 0:00:30 * 0:09:30 0.18it/s v_num: 0  (Rich)
 *
 * Both count micro-batches from the beginning of an epoch. Their rates have two
 * decimals, tqdm's with the warm-up in it; so counts and times are compared.
 * The time goes on while another bar validates, and before 2.0 the count, too.
 *
 * ThroughputMonitor writes train/time, train/batches (micro-batches of a GPU)
 * beside the CSVLogger's step (of the optimizer); its time stands still in a
 * validation. Fabric's has no prefix, and its step may be of anything.
 *
 * Source: Lightning-AI/pytorch-lightning@d4a30c98: src/lightning/pytorch/
 * callbacks/progress/tqdm_progress.py, rich_progress.py; @31f3d053: src/
 * lightning/pytorch/callbacks/throughput_monitor.py; @0810121f: src/lightning/
 * fabric/utilities/throughput.py; @00024d71: src/lightning/fabric/loggers/
 * csv_logs.py; @038b98cd: src/lightning/pytorch/callbacks/
 * device_stats_monitor.py (peaks in bytes). tqdm/tqdm: tqdm/std.py
 * (format_interval). */
#include "exchange/read/log_lightning.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"

/* Reports of a bar that are left out: as of other logs. */
enum { N_WARM_UP = 2 };

/* Whole seconds at both ends are up to 1 s, 5 % of it. */
static const double SHORTEST_S = 20;
static const double MOST_VALUE = 1e15;

/* "00:30", "1:00:30". @return bytes of it; 0 = none */
static size_t clock_at(const char *text, double *out)
{
    size_t n = 0;
    int n_parts = 0;
    int64_t part;

    *out = 0;
    while (n_parts < 3) {
        const size_t used = p3d_scan_whole(text + n, &part);

        if (used == 0 || (n_parts > 0 && used != 2))
            return 0;
        *out = *out * 60 + (double)part;
        n += used;
        n_parts++;
        if (text[n] != ':')
            break;
        n++;
    }
    return n_parts > 1 && text[n - 1] != ':' ? n : 0;
}

/* tqdm's clock stands behind a bracket, Rich's before a bullet. */
static bool is_clock(const char *line, size_t at, double *out)
{
    static const char bullet[] = " \xe2\x80\xa2";
    const size_t n = clock_at(line + at, out);
    const char *const end = line + at + n;

    if (n == 0 || at == 0)
        return false;
    return line[at - 1] == '['
                   ? *end == '<' || *end == ','
                   : line[at - 1] == ' ' && strncmp(end, bullet, 4) == 0;
}

/* The count before a clock: "5/100 ", "5/? ", "5it ". */
static bool count_before(const char *line, size_t at, double *out)
{
    size_t from = at;
    size_t used;
    int64_t count;

    while (from > 0 && (line[from - 1] == ' ' || line[from - 1] == '['))
        from--;
    while (from > 0 && line[from - 1] != ' ' && line[from - 1] != '|')
        from--;
    used = p3d_scan_whole(line + from, &count);
    *out = (double)count;
    return used > 0 && (line[from + used] == '/' ||
                               strncmp(line + from + used, "it ", 3) == 0);
}

/* The report of a bar; of one without an epoch that is -1.
 * @return false where the line has none */
static bool bar_of(const char *line, exchange_lightning_at *out)
{
    static const char word[] = "Epoch ";
    const char *const at = strstr(line, word);
    int64_t epoch;

    out->epoch = -1;
    if (at != NULL && p3d_scan_whole(at + strlen(word), &epoch) > 0)
        out->epoch = (double)epoch;
    for (size_t i = 1; line[i] != '\0'; i++)
        if (p3d_is_digit(line[i]) && !p3d_is_digit(line[i - 1]) &&
                is_clock(line, i, &out->time_s))
            return count_before(line, i, &out->count);
    return false;
}

static double seconds(const exchange_lightning_stretch *s)
{
    return s->last.time_s - s->first.time_s;
}

/* The longest one without a warm-up, or else the longest. */
static void end_stretch(exchange_lightning *l)
{
    const exchange_lightning_stretch *const now = &l->now;

    if (now->n_reports > 0 && now->last.count > now->first.count &&
            (seconds(&l->best) <= 0 || (l->best.whole && !now->whole) ||
                    (l->best.whole == now->whole &&
                            seconds(now) > seconds(&l->best))))
        l->best = *now;
}

/* From the beginning of an epoch on: the first has a warm-up. */
static void begin_epoch(exchange_lightning *l, double epoch)
{
    end_stretch(l);
    l->now = (exchange_lightning_stretch){.whole = !l->begun};
    l->seen = (exchange_lightning_at){epoch, 0, 0};
    l->begun = true;
    l->paused = false;
}

static void take_bar(exchange_lightning *l, exchange_lightning_at at)
{
    if (!l->begun || at.epoch != l->seen.epoch || at.count < l->seen.count)
        begin_epoch(l, at.epoch);
    if (at.count <= l->seen.count || at.time_s < l->seen.time_s)
        return;
    if (l->paused) {
        end_stretch(l);
        l->now = (exchange_lightning_stretch){.first = at, .last = at};
        l->paused = false;
    } else if (l->now.whole && l->now.n_reports == N_WARM_UP) {
        l->now = (exchange_lightning_stretch){
                .first = l->seen, .last = at, 1, N_WARM_UP, false};
    } else {
        l->now.last = at;
        l->now.n_reports++;
    }
    l->seen = at;
}

/* The next of the values between commas; a name may have quotes.
 * @return false after the last one */
static bool next_value(const char **at, const char **value, size_t *n)
{
    if (*at == NULL)
        return false;
    *value = *at;
    *n = strcspn(*at, ",");
    *at = (*at)[*n] == ',' ? *at + *n + 1 : NULL;
    return true;
}

static bool ends_in(const char *text, size_t n, const char *end)
{
    const size_t length = strlen(end);

    return n >= length && strncmp(text + n - length, end, length) == 0 &&
           (n == length || strchr("-/", text[n - length - 1]) != NULL);
}

/* The first of the columns whose name ends so. */
static int column_of(const char *line, const char *end)
{
    const char *value = line;
    size_t n = 0;

    for (int i = 0; next_value(&line, &value, &n); i++)
        if (ends_in(value, n, end))
            return i;
    return -1;
}

static int n_columns(const char *line)
{
    int n = 1;

    for (; *line != '\0'; line++)
        n += *line == ',';
    return n;
}

/* The line of names: CSVLogger always writes the step. A bare time is
 * Fabric's. */
static bool take_names(
        exchange_lightning *l, const char *line, exchange_measured *m)
{
    exchange_lightning_columns *const c = &l->columns;
    const bool trainer = column_of(line, "train/time") >= 0;

    if (column_of(line, "step") < 0 || strchr(line, ' ') != NULL ||
            strchr(line, ',') == NULL)
        return false;
    *c = (exchange_lightning_columns){
            .time = column_of(line, trainer ? "train/time" : "time"),
            .batches = column_of(line, trainer ? "train/batches" : "batches"),
            .step = trainer ? column_of(line, "step") : -1,
            .allocated = column_of(line, "allocated_bytes.all.peak"),
            .reserved = column_of(line, "reserved_bytes.all.peak"),
            .n = n_columns(line)};
    m->lacks_time = c->time < 0 || c->batches < 0;
    return true;
}

/* A number of a row. @return false where the row has none there */
static bool value_in(const char *line, int column, double *out)
{
    const char *value = line;
    size_t n = 0;
    size_t used;
    p3d_decimal number;

    for (int i = 0; column >= 0 && next_value(&line, &value, &n); i++) {
        if (i != column)
            continue;
        used = n > 0 ? p3d_scan_decimal(value, &number) : 0;
        if (used == 0 || used != n || number.negative)
            return false;
        *out = p3d_decimal_double(&number, 0);
        return *out < MOST_VALUE;
    }
    return false;
}

static void keep_largest(const char *line, int column, int64_t *out)
{
    double bytes;

    if (value_in(line, column, &bytes) && (int64_t)bytes > *out)
        *out = (int64_t)bytes;
}

/* Micro-batches of a step, where these are steps of the optimizer. */
static double accumulated(const double now[3], const double before[3])
{
    const double steps = now[2] - before[2];
    const double each = steps > 0 ? (now[1] - before[1]) / steps : 0;

    return each == floor(each) ? each : 0;
}

static double take_row(exchange_lightning *l, const exchange_log_line *line,
        exchange_measured *m)
{
    const exchange_lightning_columns *const c = &l->columns;
    double now[3] = {0, 0, 0};
    double before[3];
    double each;

    if (n_columns(line->text) != c->n || line->open)
        return 0;
    keep_largest(line->text, c->allocated, &m->max_allocated_bytes);
    keep_largest(line->text, c->reserved, &m->max_reserved_bytes);
    if (!value_in(line->text, c->time, &now[0]) ||
            !value_in(line->text, c->batches, &now[1]))
        return 0;
    (void)value_in(line->text, c->step, &now[2]);
    memcpy(before, l->row, sizeof(before));
    memcpy(l->row, now, sizeof(l->row));
    if (before[1] <= 0 || now[1] <= before[1] || now[0] <= before[0])
        return 0;
    each = accumulated(now, before);
    if (each > 0)
        m->micro_batches = each;
    return (now[0] - before[0]) / (now[1] - before[1]);
}

double exchange_lightning_take(exchange_lightning *l,
        const exchange_log_line *line, exchange_measured *measured)
{
    exchange_lightning_at at;

    if (l->columns.n > 0)
        return take_row(l, line, measured);
    if (line->number == 1 && take_names(l, line->text, measured))
        return 0;
    if (!bar_of(line->text, &at))
        return 0;
    /* NeMo's bar counts steps, and says which. */
    if (at.epoch < 0)
        l->paused = true;
    else if (strstr(line->text, "global_step") == NULL)
        take_bar(l, at);
    return 0;
}

double exchange_lightning_finish(
        exchange_lightning *l, exchange_measured *measured)
{
    const exchange_lightning_stretch *const best = &l->best;
    double count;

    end_stretch(l);
    count = best->last.count - best->first.count;
    measured->short_bar = count > 0 && seconds(best) < SHORTEST_S;
    if (count <= 0 || measured->short_bar)
        return 0;
    measured->n_counted = (int)fmin(count, INT32_MAX);
    measured->whole_bar = best->whole;
    return seconds(best) / count;
}
