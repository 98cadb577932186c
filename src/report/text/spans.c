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

report_words report_ends_words(const report_span *s, p3d_style style)
{
    return s->is_open
                   ? REPORT_WORDS(report_say(style, "%s or more"), s->low.text)
                   : REPORT_WORDS(report_say(style, "%s to %s"), s->low.text,
                             s->high.text);
}

static report_span three_span(double value, double low, double high)
{
    return (report_span){report_three_words(value), report_three_words(low),
            report_three_words(high), false};
}

static report_span large_span(double value, double low, double high)
{
    return (report_span){report_large_words(value), report_large_words(low),
            report_large_words(high), false};
}

report_span report_step_span(const report_answer *a)
{
    const double unit_s = report_clock_for(a->step_s).unit_s;

    return three_span(a->step_s / unit_s, a->range.low_s / unit_s,
            a->range.high_s / unit_s);
}

report_span report_rate_span(const report_answer *a)
{
    return large_span(
            a->found.tokens_per_s, a->low.tokens_per_s, a->high.tokens_per_s);
}

report_span report_peak_span(const report_answer *a)
{
    const p3d_bytes_range *const r = &a->ranges.device;

    return three_span(report_gib(a->peak_bytes), report_gib(r->low_bytes),
            report_gib(r->high_bytes));
}

report_span report_billion_span(const report_answer *a)
{
    return large_span(a->billion_tokens_usd, a->low.billion_tokens_usd,
            a->high.billion_tokens_usd);
}

report_span report_time_span(const report_training *t)
{
    const double unit_s = report_long_clock_for(t->found.real_s).unit_s;
    report_span s = three_span(t->found.real_s / unit_s, t->low.real_s / unit_s,
            t->high.real_s / unit_s);

    s.is_open = !t->high.progresses;
    return s;
}

double report_training_usd(const p3d_training *t)
{
    return t->rent_usd + t->energy_usd + t->purchase_usd;
}

report_span report_usd_span(const report_training *t)
{
    report_span s = large_span(report_training_usd(&t->found),
            report_training_usd(&t->low), report_training_usd(&t->high));

    s.is_open = !t->high.progresses;
    return s;
}

const char *report_energy_unit(const report_training *t)
{
    return t->found.energy_kwh >= many_kwh ? " MWh" : " kWh";
}

report_span report_energy_span(const report_training *t)
{
    const double unit_kwh = t->found.energy_kwh >= many_kwh ? many_kwh : 1;
    report_span s = three_span(t->found.energy_kwh / unit_kwh,
            t->low.energy_kwh / unit_kwh, t->high.energy_kwh / unit_kwh);

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
