/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_misuse_numbers.c - every function of the library comes back from numbers
 * that are out of range. */
#include "misuse.h"

#include <limits.h>
#include <stdio.h>

#include "base/util.h"
#include "plan3d/plan3d.h"
#include "spec/given.h"
#include "json/field.h"

/* Numbers and enumerations of the structs that a caller fills. */

static p3d_problem wrong_problem;
static p3d_pins wrong_pins;
static p3d_plan wrong_plan;

/* A struct, where it is declared (NULL: its members are a list), its table. */
typedef struct filled {
    const char *name;
    const char *header;
    const json_shape *members;
    void *at;
    const char *prefix; /* of its members in the table of another struct */
} filled;

/* clang-format off */
static const filled structs[] = {
    {"p3d_job", "job.h", &spec_job_members, &wrong_problem.job, ""},
    {"p3d_operations", "job.h", &spec_job_members, &wrong_problem.job,
        "operations."},
    {"p3d_adapters", "adapters.h", &spec_job_members, &wrong_problem.job,
        "adapters."},
    {"p3d_lengths", "lengths.h", &spec_job_members, &wrong_problem.job,
        "lengths."},
    {"p3d_anchor", "own_runs.h", &spec_job_members, &wrong_problem.job,
        "anchor."},
    {"p3d_model", "model.h", &spec_model_members, &wrong_problem.model, ""},
    {"p3d_pretraining", "model.h", &spec_model_members, &wrong_problem.model,
        "pretraining."},
    {"p3d_mixer", "model.h", &spec_model_members, &wrong_problem.model,
        "mixer."},
    {"p3d_cluster", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        ""},
    {"p3d_node", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "node."},
    {"p3d_fabric", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "fabric."},
    {"p3d_terms", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "terms."},
    {"p3d_tiers", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "tiers."},
    {"p3d_tier", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "tiers.at[0]."},
    {"p3d_gpu", "cluster.h", &spec_gpu_members, &wrong_problem.cluster.gpu, ""},
    {"p3d_pins", NULL, &spec_pins_members, &wrong_pins, ""},
    {"p3d_plan", NULL, &spec_plan_members, &wrong_plan, ""},
    {"p3d_plan", NULL, &spec_plan_sizes, &wrong_plan, ""},
};
/* clang-format on */

static void make_right(void)
{
    wrong_problem = *problem;
    wrong_pins = p3d_pins_free();
    wrong_plan = plan;
}

static bool may_be(const json_field *member, double value)
{
    return (member->min <= value && value <= member->max) ||
           (member->flags == JSON_ZERO_IS_NULL && value == 0);
}

/* False for what the member's type cannot hold. */
static bool set(const json_field *member, void *of, double value)
{
    char *const to = (char *)of + member->offset;
    int whole;
    int64_t wide;

    if (member->type == JSON_DOUBLE) {
        memcpy(to, &value, sizeof(value));
        return true;
    }
    if (!(fabs(value) < 0x1p63) || value != trunc(value))
        return false;
    wide = (int64_t)value;
    if (member->type == JSON_INT64) {
        memcpy(to, &wide, sizeof(wide));
        return true;
    }
    whole = (int)wide;
    memcpy(to, &whole, sizeof(whole));
    return whole == wide;
}

/* Functions that say nothing of mistakes only have to come back. */
static void come_back(const p3d_problem *p)
{
    int layers[P3D_MAX_LAYERS];
    p3d_job other = p->job;
    p3d_cluster cluster = p->cluster;
    p3d_blocks made = blocks;
    p3d_estimate ignored;
    p3d_stage stage;
    p3d_remedy changes[P3D_MAX_REMEDIES];
    p3d_training training;
    char words_of[P3D_PLAN_WORDS];

    (void)p3d_job_runs(&p->model, &p->cluster, &p->job, NULL);
    (void)p3d_job_check_states(&p->job, NULL);
    (void)p3d_job_is_usually_16(&p->job);
    (void)p3d_loss_passes(p3d_job_loss(&p->job), p->job.dtype);
    p3d_job_default(&other, &p->model, &p->cluster);
    p3d_job_default_attention(&other, &p->model, &p->cluster.gpu);
    (void)p3d_cluster_resize(&cluster, 8, NULL);
    (void)p3d_model_count_layers(&p->model, 0);
    (void)p3d_total_params(&p->model);
    (void)p3d_active_params(&p->model);
    (void)p3d_padded_vocab(&p->model, p->job.framework, 1);
    (void)p3d_model_flop_per_token(&p->model, &p->job);
    (void)p3d_plan_split_layers(&p->model, &p->job, &plan, layers);
    (void)p3d_plan_print(&wrong_plan, words_of, sizeof(words_of));
    (void)p3d_plan_legal(&p->model, &p->cluster, &p->job, &wrong_plan, NULL);
    (void)p3d_plan_n_micro_batches(&wrong_plan, &p->job);
    (void)p3d_plan_head_ranks(&p->job, &wrong_plan);
    p3d_blocks_build(p, p3d_plan_shard(&wrong_plan), &made);
    p3d_estimate_blocks(p, &wrong_plan, &made, &ignored);
    p3d_estimate_stage(p, &wrong_plan, &made, 0, &stage);
    (void)p3d_constant_sigma(p, P3D_CONSTANT_ATTENTION);
    (void)p3d_operations_of(p);
    (void)p3d_step_range(p, &estimate);
    (void)p3d_training_find(p, &estimate, &training, NULL);
    (void)p3d_training_at(p, &estimate, 1, &training, NULL);
    (void)p3d_remedies_find(p, &wrong_pins, changes);
    (void)p3d_smallest_cluster(p, 2);
}

static void check_wrong(const filled *s, const char *member, double value)
{
    const p3d_search_options options = {.n_top = 1};
    const bool is_plan = s->at == &wrong_plan;
    p3d_refusal refusal;
    p3d_estimate other;

    come_back(&wrong_problem);
    err = (p3d_error){.code = P3D_OK};
    if (s->at != &wrong_pins &&
            p3d_estimate_plan(&wrong_problem, &wrong_plan, &other, &refusal))
        fail_msg("%s.%s = %g: it was estimated", s->name, member, value);
    if (is_plan)
        return;
    if (p3d_search(&wrong_problem, &wrong_pins, 1, found, &err))
        fail_msg("%s.%s = %g: it was searched", s->name, member, value);
    test_check_error(&err, P3D_USAGE, "p3d_search() was called");
    err = (p3d_error){.code = P3D_OK};
    if (p3d_search_with(&wrong_problem, &wrong_pins, &options, found, &err))
        fail_msg("%s.%s = %g: it was searched", s->name, member, value);
    test_check_error(&err, P3D_USAGE, "p3d_search_with() was called");
}

/* What crashed once, and what lies just outside. */
static int try_wrong_values(const filled *s, const json_field *member)
{
    const double values[] = {member->min - 1, member->max + 1, member->min / 2,
            member->max * 2, -1, 99, INT_MIN, INT_MAX, 4294967808.0,
            8589935104.0, 9e18, -9e18, (double)NAN, HUGE_VAL, -HUGE_VAL};
    int n_tried = 0;

    for (int i = 0; i < P3D_COUNT_OF(values); i++) {
        make_right();
        if (may_be(member, values[i]) || !set(member, s->at, values[i]))
            continue;
        check_wrong(s, member->key, values[i]);
        n_tried++;
    }
    return n_tried;
}

static void no_wild_number_is_believed(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(structs); i++) {
        for (int k = 0; k < structs[i].members->n_fields; k++)
            assert_true(try_wrong_values(&structs[i],
                                &structs[i].members->fields[k]) > 0);
    }
}

/* The ends of a range belong to it, and nothing overflows there. */
static void the_ends_of_a_range_are_taken(void **state)
{
    const json_shape *const members = &spec_job_members;

    (void)state;
    for (int i = 0; i < members->n_fields; i++) {
        const json_field *const member = &members->fields[i];
        const double ends[] = {member->min, member->max};

        for (int k = 0; k < P3D_COUNT_OF(ends); k++) {
            make_right();
            if (!set(member, &wrong_problem.job, ends[k]))
                continue;
            err = (p3d_error){.code = P3D_OK};
            if (!p3d_search(&wrong_problem, &wrong_pins, 1, found, &err))
                fail_msg("%s = %g: %s", member->key, ends[k], err.text);
        }
    }
}

static bool is_in_a_table(const filled *s, const char *member)
{
    char name[64];

    snprintf(name, sizeof(name), "%s%s", s->prefix, member);
    for (int i = 0; i < P3D_COUNT_OF(structs); i++) {
        const json_shape *const members = structs[i].members;

        for (int k = 0; structs[i].at == s->at && k < members->n_fields; k++) {
            if (strcmp(members->fields[k].key, name) == 0)
                return true;
        }
    }
    return false;
}

/* The text of a header without its comments. */
static void read_header(const char *header, char *text_of, size_t n)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "include/plan3d/%s", header);
    file = fopen(path, "r");
    assert_non_null(file);
    text_of[fread(text_of, 1, n - 1, file)] = '\0';
    fclose(file);
    for (char *from = strstr(text_of, "/*"); from != NULL;
            from = strstr(text_of, "/*")) {
        const char *const to = strstr(from, "*/");

        assert_non_null(to);
        memset(from, ' ', (size_t)(to + 2 - from));
    }
}

/* A number or an enumeration, by the words of its type. */
static bool is_number(const char *type)
{
    static const char *const others[] = {"bool", "char", "uint8_t", "const",
            "p3d_operations", "p3d_gpu", "p3d_node", "p3d_fabric", "p3d_tier",
            "p3d_tiers", "p3d_stretch", "p3d_torus", "p3d_calibration",
            "p3d_pretraining", "p3d_anchor", "p3d_router", "p3d_rotary",
            "p3d_compression", "p3d_mixer", "p3d_adapters", "p3d_tower",
            "p3d_companion", "p3d_lengths", "p3d_terms", "p3d_block_sparse"};

    for (int i = 0; i < P3D_COUNT_OF(others); i++) {
        if (strcmp(type, others[i]) == 0)
            return false;
    }
    return true;
}

/* "int tp, pp, dp" */
static int check_declaration(const filled *s, char *declaration)
{
    static const char *const blanks = " \t\n,";
    char *at = NULL;
    const char *const type = strtok_r(declaration, blanks, &at);
    int n = 0;

    if (type == NULL || !is_number(type))
        return 0;
    for (const char *member = strtok_r(NULL, blanks, &at); member != NULL;
            member = strtok_r(NULL, blanks, &at)) {
        if (!is_in_a_table(s, member))
            fail_msg("%s.%s: no table says what it may be", s->name, member);
        n++;
    }
    return n;
}

static void check_members(const filled *s)
{
    char header[32768], words_of[64];
    char *from, *to, *at = NULL;
    int n = 0;

    read_header(s->header, header, sizeof(header));
    snprintf(words_of, sizeof(words_of), "typedef struct %s {", s->name);
    from = strstr(header, words_of);
    assert_non_null(from);
    from += strlen(words_of);
    to = strchr(from, '}');
    assert_non_null(to);
    *to = '\0';
    for (char *one = strtok_r(from, ";", &at); one != NULL;
            one = strtok_r(NULL, ";", &at))
        n += check_declaration(s, one);
    assert_true(n >= 2);
}

static void no_number_is_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(structs) && structs[i].header; i++)
        check_members(&structs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(no_wild_number_is_believed),
            cmocka_unit_test(the_ends_of_a_range_are_taken),
            cmocka_unit_test(no_number_is_left_out),
    };

    return cmocka_run_group_tests(tests, fill, empty);
}
