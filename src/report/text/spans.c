/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.c - numbers of an answer with the ends of their ranges. */
#include "report/text/spans.h"

#include "plan3d/departures.h"
#include "report/words/words.h"

static const double many_kwh = 1e3;

report_words report_span_words(
        const report_span *s, const char *unit, p3d_style style)
{
    return s->is_open ? REPORT_WORDS(report_say(style, "%s%s (%s or more)"),
                                s->value.text, unit, s->low.text)
                      : REPORT_WORDS(report_say(style, "%s%s (%s to %s)"),
                                s->value.text, unit, s->low.text, s->high.text);
}

report_words report_usd_span_words(const report_span *s, p3d_style style)
{
    return s->is_open ? REPORT_WORDS(report_say(style, "USD %s (%s or more)"),
                                s->value.text, s->low.text)
                      : REPORT_WORDS(report_say(style, "USD %s (%s to %s)"),
                                s->value.text, s->low.text, s->high.text);
}

report_words report_usd_words(
        double value, double low, double high, p3d_style style)
{
    const report_span span = {report_large_words(value, style),
            report_large_words(low, style), {""},
            report_large_words(high, style), !(high > 0)};

    return report_usd_span_words(&span, style);
}

report_words report_ends_words(const report_span *s, p3d_style style)
{
    return s->is_open
                   ? REPORT_WORDS(report_say(style, "%s or more"), s->low.text)
                   : REPORT_WORDS(report_say(style, "%s to %s"), s->low.text,
                             s->high.text);
}

/* Each of these in three digits. */
typedef struct ends {
    double low, median, high;
} ends;

static report_span three_span(double value, double unit, ends of)
{
    return (report_span){report_three_words(value / unit),
            report_three_words(of.low / unit),
            report_three_words(of.median / unit),
            report_three_words(of.high / unit), false};
}

static report_span large_span(double value, ends of, p3d_style style)
{
    return (report_span){report_large_words(value, style),
            report_large_words(of.low, style),
            report_large_words(of.median, style),
            report_large_words(of.high, style), false};
}

/* A member of each end of a range. */
#define ENDS(of, member)                                         \
    (ends)                                                       \
    {                                                            \
        (of)->low.member, (of)->median.member, (of)->high.member \
    }

report_span report_step_span(const report_answer *a)
{
    return three_span(a->step_s, report_clock_for(a->step_s).unit_s,
            (ends){a->range.low_s, a->range.median_s, a->range.high_s});
}

report_span report_rate_span(const report_answer *a, p3d_style style)
{
    return large_span(a->found.tokens_per_s, ENDS(a, tokens_per_s), style);
}

/* The peak is not moved: its range has no other median. */
report_span report_peak_span(const report_answer *a)
{
    const p3d_bytes_range *const r = &a->ranges.device;

    return three_span(report_gib(a->peak_bytes), 1,
            (ends){report_gib(r->low_bytes), report_gib(a->peak_bytes),
                    report_gib(r->high_bytes)});
}

report_span report_billion_span(const report_answer *a, p3d_style style)
{
    return large_span(
            a->billion_tokens_usd, ENDS(a, billion_tokens_usd), style);
}

report_span report_time_span(const report_training *t)
{
    report_span s = three_span(t->found.real_s,
            report_long_clock_for(t->found.real_s).unit_s, ENDS(t, real_s));

    s.is_open = !t->high.progresses;
    return s;
}

double report_training_usd(const p3d_training *t)
{
    return t->rent_usd + t->energy_usd + t->purchase_usd;
}

report_span report_usd_span(const report_training *t, p3d_style style)
{
    report_span s = large_span(report_training_usd(&t->found),
            (ends){report_training_usd(&t->low),
                    report_training_usd(&t->median),
                    report_training_usd(&t->high)},
            style);

    s.is_open = !t->high.progresses;
    return s;
}

const char *report_energy_unit(const report_training *t)
{
    return t->found.energy_kwh >= many_kwh ? " MWh" : " kWh";
}

report_span report_energy_span(const report_training *t)
{
    report_span s = three_span(t->found.energy_kwh,
            t->found.energy_kwh >= many_kwh ? many_kwh : 1,
            ENDS(t, energy_kwh));

    s.is_open = !t->high.progresses;
    return s;
}

int report_n_departures(const report_document *d, const report_answer *answer)
{
    const unsigned departures =
            p3d_plan_departures(&d->question.problem, &answer->found.plan);
    int n = 0;

    for (int i = 0; i < P3D_N_DEPARTURES; i++)
        n += (departures & p3d_departure_bit(i)) != 0;
    return n;
}
