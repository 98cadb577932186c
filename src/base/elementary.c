/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elementary.c - elementary functions from sums of two doubles. */
#include "base/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** hi + lo, where lo is below half a unit of hi's last place. */
typedef struct pair {
    double hi, lo;
} pair;

/** a + b for |a| >= |b|, exactly. */
static pair quick_sum(double a, double b)
{
    const double s = a + b;

    return (pair){s, b - (s - a)};
}

/** a + b, exactly. */
static pair sum(double a, double b)
{
    const double s = a + b;
    const double t = s - a;

    return (pair){s, (a - (s - t)) + (b - t)};
}

/** a b, exactly, without the fused product that not every machine has.
 *  Source: Dekker 1971. */
static pair product(double a, double b)
{
    const double p = a * b;
    const double big_a = 134217729.0 * a, big_b = 134217729.0 * b;
    const double ah = big_a - (big_a - a), al = a - ah;
    const double bh = big_b - (big_b - b), bl = b - bh;

    return (pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static pair add(pair a, pair b)
{
    const pair s = sum(a.hi, b.hi);

    return quick_sum(s.hi, s.lo + a.lo + b.lo);
}

static pair multiply(pair a, pair b)
{
    const pair p = product(a.hi, b.hi);

    return quick_sum(p.hi, p.lo + a.hi * b.lo + a.lo * b.hi);
}

/** Sum of c[i] x^i. */
static double polynomial(const double *c, int n, double x)
{
    double y = c[n - 1];

    for (int i = n - 2; i >= 0; i--)
        y = c[i] + x * y;
    return y;
}

/** The nearest integer, for |x| < 2^50. */
static double nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

/** 2^k, a normal number. */
static double power_of_2(int k)
{
    return from_bits((uint64_t)(k + 1023) << 52);
}

/* Exponential. */

/** 2^(i/32). */
static const pair powers[] = {
        {0x1.0p+0, 0x0.0p+0},
        {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
        {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
        {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
        {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
        {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
        {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
        {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
        {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
        {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
        {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
        {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
        {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
        {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
        {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
        {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
        {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
        {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
        {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
        {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
        {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
        {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
        {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
        {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
        {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
        {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
        {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
        {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
        {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
        {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
        {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
        {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
};

/* ln 2 / 32 to 120 bits; the first part has so few that its multiples are
 * exact. */
static const double step = 0x1.62e42feep-6;
static const pair step_rest = {0x1.a39ef35793c76p-38, 0x1.cc01f97b57a08p-92};
static const double per_step = 0x1.71547652b82fep+5;

/** exp(r) - 1 for |r| < 0.011, by its series. */
static pair small_expm1(pair r)
{
    const double x = r.hi;
    const pair square = product(x, x);
    const pair head = quick_sum(x, square.hi / 2);
    static const double c[] = {1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
            1.0 / 5040, 1.0 / 40320, 1.0 / 362880};
    const double rest = x * square.hi * polynomial(c, 7, x);

    return quick_sum(
            head.hi, head.lo + (square.lo / 2 + x * r.lo + r.lo) + rest);
}

/** hi + lo times a power of 2. */
typedef struct scaled {
    pair pair;
    int exponent;
} scaled;

/** exp(x). */
static scaled exp_of(pair x)
{
    const double k = nearest(x.hi * per_step);
    const int steps = (int)k;
    const int row = steps & 31;
    const pair far = product(k, step_rest.hi);
    const pair near = sum(x.hi - k * step, -far.hi);
    const pair r =
            quick_sum(near.hi, near.lo - far.lo - k * step_rest.lo + x.lo);
    const pair power = powers[row];

    return (scaled){
            add(power, multiply(power, small_expm1(r))), (steps - row) / 32};
}

static double rounded(pair x)
{
    return x.hi + x.lo;
}

static double rounded_exp(pair x)
{
    const scaled y = exp_of(x);

    return rounded(y.pair) * power_of_2(y.exponent);
}

/** Where exp(x) and all that leads to it is a normal number. */
static bool has_exp(double x)
{
    return fabs(x) < 700;
}

double p3d_exp(double x)
{
    return has_exp(x) ? rounded_exp((pair){x, 0}) : exp(x);
}

double p3d_expm1(double x)
{
    scaled y;
    double scale;

    if (!has_exp(x) || fabs(x) < 1e-100)
        return expm1(x);
    if (fabs(x) < 0.01)
        return rounded(small_expm1((pair){x, 0}));
    y = exp_of((pair){x, 0});
    scale = power_of_2(y.exponent);
    return rounded(
            add((pair){y.pair.hi * scale, y.pair.lo * scale}, (pair){-1, 0}));
}

/* Logarithm. */

/** By i, from 45 to 91: about 64 / i, in so few bits that its products with
 *  half of a double are exact, and minus its logarithm. */
static const struct {
    double inverse;
    pair log;
} logs[] = {
        {1.421875, {-0x1.686c81e9b14afp-2, 0x1.ddea0f7f58e3dp-57}},
        {1.3916015625, {-0x1.5262deeb98879p-2, -0x1.823ddad7fcfa1p-58}},
        {1.361328125, {-0x1.3bdd24eb14b6ap-2, -0x1.2da3c6449a7d0p-58}},
        {1.3330078125, {-0x1.26561f133862dp-2, -0x1.10cdf548bd15cp-57}},
        {1.3056640625, {-0x1.111ce4003ee4dp-2, 0x1.1b84b5a5b5b2ap-57}},
        {1.2802734375, {-0x1.fa01c3bb57cbcp-3, -0x1.1c0a3c50f47adp-59}},
        {1.2548828125, {-0x1.d0fb7f2255e51p-3, 0x1.4ac818ceca4c4p-57}},
        {1.23046875, {-0x1.a8becfc882f19p-3, 0x1.e8c37918c39ebp-58}},
        {1.2080078125, {-0x1.83040c91bcf2ep-3, 0x1.1c7233219bcc5p-57}},
        {1.185546875, {-0x1.5c940075972b9p-3, -0x1.adccb73379cc5p-58}},
        {1.1640625, {-0x1.371fc201e8f74p-3, -0x1.de6cb62af18a0p-58}},
        {1.142578125, {-0x1.10f8e422539b1p-3, -0x1.8f798d39f1b7dp-58}},
        {1.123046875, {-0x1.db5270187d927p-4, -0x1.e15ab8607d2acp-58}},
        {1.103515625, {-0x1.9375e55595edep-4, 0x1.e463f9e4dd920p-59}},
        {1.0849609375, {-0x1.4e01108a35ae6p-4, 0x1.81069d28db75bp-59}},
        {1.06640625, {-0x1.075983598e471p-4, -0x1.80da5333c45b8p-59}},
        {1.048828125, {-0x1.868a83083f6cfp-5, 0x1.d09a5634943dbp-61}},
        {1.0322265625, {-0x1.03d5d85e73eefp-5, -0x1.2c1da539d60edp-61}},
        {1.015625, {-0x1.fc0a8b0fc03e4p-7, 0x1.83092c59642a1p-62}},
        {1, {0, 0}},
        {0.984375, {0x1.0205658935847p-6, 0x1.27c8e8416e71fp-60}},
        {0.9697265625, {0x1.f7a9b16782856p-6, -0x1.36c720c147756p-60}},
        {0.955078125, {0x1.788595a3577bap-5, 0x1.e5ef898b67923p-59}},
        {0.94140625, {0x1.eea31c006b87cp-5, -0x1.3e4fc93b7b66cp-59}},
        {0.927734375, {0x1.333d7f8183f4bp-4, 0x1.a92afc8ef70b1p-58}},
        {0.9140625, {0x1.700d30aeac0e1p-4, -0x1.72566212cdd05p-61}},
        {0.9013671875, {0x1.a956d3ecade63p-4, 0x1.e5300b12bd55ep-58}},
        {0.888671875, {0x1.e3707ee30487bp-4, 0x1.09ccecd579d99p-58}},
        {0.876953125, {0x1.0ce7ecdccc28dp-3, -0x1.692a0055dc959p-57}},
        {0.865234375, {0x1.28753bc11aba5p-3, -0x1.6394d9fa33311p-57}},
        {0.853515625, {0x1.4462b9dc9b3dcp-3, -0x1.629c46c186385p-58}},
        {0.841796875, {0x1.60b3100b09476p-3, -0x1.5b2623e05016bp-58}},
        {0.8310546875, {0x1.7b0091651528cp-3, 0x1.4069f303518c8p-57}},
        {0.8203125, {0x1.95a5adcf7017fp-3, 0x1.142c507fb7a3dp-58}},
        {0.810546875, {0x1.ae2ca6f672bd4p-3, 0x1.ab5ca9eaa088ap-57}},
        {0.7998046875, {0x1.c97f8079d44ecp-3, 0x1.61a8c6e6c4ee7p-57}},
        {0.7900390625, {0x1.e2a877a6b2c12p-3, -0x1.fa21e3df99430p-58}},
        {0.7802734375, {0x1.fc218be620a5ep-3, -0x1.6e438c258187fp-58}},
        {0.771484375, {0x1.09aa572e6c6d4p-2, 0x1.43c2e68684d53p-57}},
        {0.76171875, {0x1.16b5ccbacfb73p-2, 0x1.66fbd28b40935p-56}},
        {0.7529296875, {0x1.22981fbef797bp-2, -0x1.0b04ac06cebe0p-59}},
        {0.744140625, {0x1.2e9e2bce12286p-2, 0x1.8251a3b83d97ap-62}},
        {0.7353515625, {0x1.3ac8ca38e5c5fp-2, -0x1.f7de015f253eep-56}},
        {0.7275390625, {0x1.45b8c0a17df13p-2, 0x1.dbe305eaf5a20p-56}},
        {0.71875, {0x1.522ae0738a3d8p-2, -0x1.8f7e9b38a6979p-57}},
        {0.7109375, {0x1.5d5bddf595f30p-2, -0x1.6541148cbb8a2p-56}},
        {0.703125, {0x1.68ac83e9c6a14p-2, 0x1.a64eadd740178p-58}},
};
enum { FIRST_ROW = 45 };

/** log(1 + r) for |r| < 0.013, by its series. */
static pair small_log1p(pair r)
{
    const double x = r.hi;
    const pair square = product(x, x);
    const pair head = quick_sum(x, -square.hi / 2);
    static const double c[] = {1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7,
            -1.0 / 8, 1.0 / 9, -1.0 / 10, 1.0 / 11};
    const double rest = x * square.hi * polynomial(c, 9, x);

    return quick_sum(
            head.hi, head.lo + (r.lo - square.lo / 2 - x * r.lo) + rest);
}

/** log(x) of a normal x > 0. */
static pair log_of(double x)
{
    /* Its exponent, so that what is left is from root 1/2 to root 2. */
    const uint64_t bits = bits_of(x) - bits_of(0x1.6a09e667f3bcdp-1);
    const int k = (int)((int64_t)bits >> 52);
    const double m = from_bits(bits_of(x) - ((uint64_t)(int64_t)k << 52));
    double half, c;
    int row;
    pair y;

    row = (int)nearest(64 * m) - FIRST_ROW;
    c = logs[row].inverse;
    half = from_bits(bits_of(m) & ~0x1fffffffULL);
    y = small_log1p(sum(half * c - 1, (m - half) * c));
    if (row != 64 - FIRST_ROW)
        y = add(logs[row].log, y);
    if (k == 0)
        return y;
    return add(sum(32.0 * k * step, 32.0 * k * step_rest.hi), y);
}

static bool has_log(double x)
{
    return x >= DBL_MIN && x <= DBL_MAX;
}

double p3d_log(double x)
{
    return has_log(x) ? rounded(log_of(x)) : log(x);
}

double p3d_log1p(double x)
{
    const pair y = sum(1, x);

    if (!has_log(y.hi) || fabs(x) < 1e-100)
        return log1p(x);
    if (fabs(x) < 0.01)
        return rounded(small_log1p((pair){x, 0}));
    return rounded(add(log_of(y.hi), (pair){y.lo / y.hi, 0}));
}

double p3d_log2(double x)
{
    static const pair per_log = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
    const int k = (int)(bits_of(x) >> 52) - 1023;

    if (!has_log(x))
        return log2(x);
    if (x == power_of_2(k))
        return k;
    return rounded(multiply(log_of(x), per_log));
}

double p3d_log10(double x)
{
    static const pair per_log = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

    return has_log(x) ? rounded(multiply(log_of(x), per_log)) : log10(x);
}

double p3d_pow(double x, double y)
{
    pair log, power;

    if (!has_log(x) || x == 1 || !(fabs(y) < 1e6) || fabs(y) < 1e-100)
        return pow(x, y);
    log = log_of(x);
    if (!has_exp(log.hi * y))
        return pow(x, y);
    power = product(log.hi, y);
    power = quick_sum(power.hi, power.lo + log.lo * y);
    return rounded_exp(power);
}

/* Cosine. */

/** sin(r) or cos(r) by its series, from the term of this order on. */
static pair series(pair r, int order)
{
    const pair square = multiply(r, r);
    pair term = order == 0 ? (pair){1, 0} : r;
    pair all = term;

    for (int n = order + 2; n < 28; n += 2) {
        const double by = -(double)n * (n - 1);
        pair rest;

        term = multiply(term, square);
        rest = product(term.hi / by, by);
        term = quick_sum(
                term.hi / by, (((term.hi - rest.hi) - rest.lo) + term.lo) / by);
        all = add(all, term);
    }
    return all;
}

double p3d_cos(double x)
{
    static const pair quarter = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    const double k = nearest(x / quarter.hi);
    const pair turned = product(-k, quarter.hi);
    const pair r =
            add(sum(x, turned.hi), (pair){turned.lo - k * quarter.lo, 0});
    double y;

    if (!(fabs(x) < 1e6))
        return cos(x);
    y = rounded(series(r, (int)k & 1));
    return ((int)k + 1) & 2 ? -y : y;
}

/* Root. */

double p3d_hypot(double x, double y)
{
    const pair all = add(product(x, x), product(y, y));
    const double root = sqrt(all.hi);
    const pair square = product(root, root);

    if (!(root > 0) || !(root <= DBL_MAX))
        return hypot(x, y);
    return root + ((all.hi - square.hi) - square.lo + all.lo) / (2 * root);
}
