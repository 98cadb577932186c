/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - from a command line to the problem that it asks about, and from
 * there to what is printed. */
#include "cli/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "cli/progress.h"
#include "exchange/launch/target.h"
#include "exchange/topology/topology.h"
#include "plan3d/units.h"
#include "report/amounts.h"
#include "report/text/layout.h"
#include "spec/adapters.h"
#include "spec/block_sparse.h"
#include "spec/compression.h"
#include "spec/hardware.h"
#include "spec/lengths.h"
#include "spec/network.h"
#include "spec/tiers.h"
#include "spec/words.h"
#include "study/predict.h"

bool cli_read_adapters(const char *text, void *to, p3d_error *err)
{
    return spec_adapters_read(text, to, err);
}

bool cli_read_compression(const char *text, void *to, p3d_error *err)
{
    return spec_compression_read(text, to, err);
}

bool cli_read_sparse(const char *text, void *to, p3d_error *err)
{
    return spec_sparse_read(text, to, err);
}

bool cli_read_teacher(const char *text, void *to, p3d_error *err)
{
    return p3d_model_find(text, to, err);
}

bool cli_read_parts(const char *text, void *to, p3d_error *err)
{
    return spec_parts_read(text, to, err);
}

/* The fewest parameters of a unit, or a word. */
bool cli_read_unit(const char *text, void *to, p3d_error *err)
{
    const bool whole = strcmp(text, "whole") == 0;

    if (whole || strcmp(text, "layer") == 0) {
        *(int64_t *)to = whole ? P3D_UNIT_WHOLE : 0;
        return true;
    }
    return p3d_parse_count(text, 1, P3D_UNIT_WHOLE, to, err);
}

/** Nodes that may be idle: one at least has work. */
static int idle_nodes(const cli_args *args, const p3d_cluster *cluster)
{
    const int64_t most = cluster->n_nodes - 1;

    return (int)(args->max_idle_nodes < most ? args->max_idle_nodes : most);
}

/* Options of the training's run alone say nothing without its length. */
static bool check_training(const cli_args *args, p3d_error *err)
{
    static const char *const needs_tokens[] = {"gpu-mtbf", "restart", "storage",
            "async-save", "repair", "spares", "preempted", "away", "notice",
            "pue", "purchase-price", "amortize", "energy-price"};
    const bool bought = args->job.operations.usd_per_gpu > 0;

    for (int i = 0; i < P3D_COUNT_OF(needs_tokens); i++)
        if (args->n_tokens == 0 && cli_is_given(args, needs_tokens[i]))
            return p3d_fail(err, P3D_USAGE,
                    "--%s is about a whole training; write its --tokens too",
                    needs_tokens[i]);
    if (args->job.operations.preempted_every_s == 0 &&
            (cli_is_given(args, "away") || cli_is_given(args, "notice")))
        return p3d_fail(err, P3D_USAGE,
                "--away and --notice are about a cluster that is taken away; "
                "write --preempted too");
    if (bought != (args->job.operations.amortize_s > 0))
        return p3d_fail(err, P3D_USAGE,
                "--purchase-price and --amortize go together; write --%s too",
                bought ? "amortize 4y" : "purchase-price USD");
    return true;
}

/* What launches are written for may be no framework, but run one. */
static bool fail_framework(const char *word, p3d_error *err)
{
    const exchange_target *target;

    for (int i = 0; (target = exchange_target_at(i)) != NULL; i++) {
        if (!p3d_same_word(target->name, word))
            continue;
        return p3d_fail(err, P3D_USAGE,
                "--framework: %s is a target of 'plan3d export', estimated "
                "with the costs of a framework; write %s%s%s",
                target->name, target->framework,
                target->also != NULL ? " or " : "",
                target->also != NULL ? target->also : "");
    }
    return json_fail_word(
            "--framework: unknown framework", word, spec_framework_word, err);
}

bool cli_framework_find(
        const char *word, const p3d_framework **out, p3d_error *err)
{
    *out = NULL;
    if (word == NULL || cli_is_any_framework(word))
        return true;
    *out = p3d_framework_find(word);
    return *out != NULL || fail_framework(word, err);
}

/* The word of an option, or what is usual where none was written. */
static int said(int word, int usual)
{
    return word > 0 ? word - 1 : usual;
}

static void set_room(const cli_args *args, p3d_job *job)
{
    const bool sure = cli_is_given(args, "sure");

    job->reserve_bytes = args->reserve_bytes;
    job->sure_frac = sure && args->sure_frac > 0 ? args->sure_frac : 0;
    job->fixed_reserve =
            cli_is_given(args, "reserve") || (sure && args->sure_frac == 0);
}

static bool check_room(const cli_args *args, p3d_error *err)
{
    if (!cli_is_given(args, "sure") || !cli_is_given(args, "reserve"))
        return true;
    return p3d_fail(err, P3D_USAGE,
            "--sure and --reserve both say what is left free; write one of "
            "them");
}

bool cli_read_room(const cli_args *args, p3d_job *job, p3d_error *err)
{
    set_room(args, job);
    return check_room(args, err);
}

/* Texts are cut at the length of a sequence, which is known by now. */
static bool read_lengths(const cli_args *args, p3d_job *job, p3d_error *err)
{
    if (args->lengths == NULL)
        return job->lengths.filling == P3D_FILLING_WHOLE ||
               p3d_fail(err, P3D_USAGE,
                       "--filling is about texts of different lengths; write "
                       "their --lengths too");
    if (job->lengths.filling == P3D_FILLING_WHOLE)
        job->lengths.filling = P3D_FILLING_PACKED;
    return spec_lengths_read(args->lengths, job->seq_len, &job->lengths, err);
}

/* What says how tokens go to experts, of a model that has none. */
static bool check_dispatcher(
        const cli_args *args, const p3d_model *model, p3d_error *err)
{
    return args->dispatcher == 0 || model->n_experts > 0 ||
           p3d_fail(err, P3D_USAGE,
                   "--dispatcher: %s has no experts; leave it out",
                   model->name);
}

static bool read_job(const cli_args *args, p3d_problem *problem, p3d_error *err)
{
    p3d_job job = args->job;

    job.seq_len = (int)args->seq_len;
    job.n_tokens = (double)args->n_tokens;
    job.n_mtp_layers = (int)args->n_mtp_layers;
    job.n_images = (int)args->n_images;
    job.no_images = cli_is_given(args, "images") && args->n_images == 0;
    job.image_tokens = (int)args->image_tokens;
    job.max_idle_nodes = idle_nodes(args, &problem->cluster);
    job.fixed_dispatcher = args->dispatcher > 0;
    job.fixed_cp_comm = args->cp_comm > 0;
    job.fixed_added_host = cli_is_given(args, "host-share");
    job.operations.fixed_spares = cli_is_given(args, "spares");
    job.operations.n_spare_nodes = (int)args->n_spare_nodes;
    if (!cli_framework_find(args->framework, &job.framework, err) ||
            !check_dispatcher(args, &problem->model, err))
        return false;
    set_room(args, &job);
    if (job.fixed_dispatcher)
        job.dispatcher = (p3d_dispatcher)(args->dispatcher - 1);
    p3d_job_default(&job, &problem->model, &problem->cluster);
    /* Words that may stand for 0 are set after the defaults. */
    job.dtype = (p3d_dtype)said(args->dtype, (int)job.dtype);
    job.optimizer = (p3d_optimizer)said(args->optimizer, (int)job.optimizer);
    job.attention = (p3d_attention)said(args->attention, P3D_FLASH);
    job.fixed_attention = job.attention != P3D_FLASH;
    p3d_job_default_attention(&job, &problem->model, &problem->cluster.gpu);
    if (args->fp8_blocks && job.fp8_recipe == P3D_FP8_USUAL)
        job.fp8_recipe = p3d_gpu_sm(&problem->cluster.gpu) == 90
                                 ? P3D_FP8_BLOCKWISE
                                 : P3D_FP8_MXFP8;
    job.loss = (p3d_loss)said(args->loss, (int)job.loss);
    job.cp_comm = (p3d_cp_comm)said(args->cp_comm, (int)job.cp_comm);
    job.graphs = (p3d_graphs)said(args->graphs, (int)job.graphs);
    if (!read_lengths(args, &job, err))
        return false;
    problem->job = job;
    return cli_is_any_framework(args->framework) ||
           p3d_job_check_states(&job, err);
}

/** @param any  no framework is chosen yet: each is asked for itself */
static bool check_gpu(const p3d_problem *problem, bool any, p3d_error *err)
{
    const p3d_gpu *gpu = &problem->cluster.gpu;
    const p3d_job *job = &problem->job;
    p3d_refusal refusal = {0};

    if (!any &&
            !p3d_job_runs(&problem->model, &problem->cluster, job, &refusal))
        return p3d_fail(err, P3D_DATA, "%s", refusal.reason);
    if (job->reserve_bytes >= gpu->visible_memory_bytes) {
        return p3d_fail(err, P3D_DATA,
                "--reserve leaves nothing of the %.2f GiB of %s",
                (double)gpu->visible_memory_bytes / P3D_GIB, gpu->name);
    }
    return true;
}

bool cli_is_calibration_file(const char *word)
{
    const size_t n = strlen(word);

    return strchr(word, '/') != NULL ||
           (n > 5 && p3d_same_word(word + n - 5, ".json"));
}

bool cli_calibration_open(
        const char *word, p3d_calibration *out, p3d_error *err)
{
    p3d_gpu basis;

    return (cli_is_calibration_file(word)
                           ? spec_calibration_open(word, out, err)
                           : spec_calibration_load(word, out, err)) &&
           p3d_gpu_find(out->basis, &basis, err);
}

bool cli_calibration_use(const char *word, const p3d_calibration *calibration,
        p3d_cluster *cluster, p3d_error *err)
{
    p3d_gpu basis;

    if (!p3d_gpu_find(calibration->basis, &basis, err))
        return false;
    if (!study_constants_hold(calibration, &basis, &cluster->gpu))
        return p3d_fail(err, P3D_DATA,
                "--calibration %.120s is of %s, the cluster has %s; leave it "
                "out, or measure the GPU",
                word, basis.name, cluster->gpu.name);
    spec_cluster_calibrate(cluster, calibration);
    return true;
}

static bool read_calibration(
        const char *word, p3d_cluster *cluster, p3d_error *err)
{
    p3d_calibration calibration = {.name = ""};

    return word == NULL ||
           (cli_calibration_open(word, &calibration, err) &&
                   cli_calibration_use(word, &calibration, cluster, err));
}

static bool open_topology(
        const cli_args *args, exchange_topology *out, p3d_error *err)
{
    topology_hosts *hosts = NULL;
    bool ok;

    if (args->hosts != NULL)
        hosts = topology_hosts_open(args->hosts, err);
    ok = (args->hosts == NULL || hosts != NULL) &&
         exchange_topology_open(args->topology, hosts, out, err);
    topology_hosts_free(hosts);
    return ok;
}

/* The switches, or the cards of a node, that another program found. */
static bool read_topology(
        const cli_args *args, p3d_cluster *cluster, p3d_error *err)
{
    const char *const wired = args->leaf_nodes > 0 ? "leaf-nodes"
                              : args->rails > 0    ? "rails"
                                                   : NULL;
    exchange_topology found;

    if (args->hosts != NULL && args->topology == NULL)
        return p3d_fail(err, P3D_USAGE,
                "--hosts needs --topology FILE, which says below which switch "
                "each host is");
    if (args->hosts != NULL && args->placement > 0)
        return p3d_fail(err, P3D_USAGE,
                "--hosts and --placement contradict each other; leave one out");
    if (args->topology == NULL)
        return true;
    if (!open_topology(args, &found, err))
        return false;
    if (found.n_gpus == 0 && wired != NULL)
        return p3d_fail(err, P3D_USAGE,
                "--topology has the wiring of the switches: leave --%s out",
                wired);
    if (found.lacks_rates && args->oversubscription == 0)
        return p3d_fail(err, P3D_DATA,
                "--topology %.120s does not say the rates of links; add "
                "--oversubscription 2 (1: as much up as down)",
                args->topology);
    return exchange_topology_use(args->topology, &found, cluster, err);
}

bool cli_network_begin(
        const cli_args *args, p3d_cluster *cluster, p3d_error *err)
{
    const spec_tiers_said said = {.oversubscription = args->oversubscription,
            .leaf_nodes = (int)args->leaf_nodes,
            .routing = args->routing,
            .placement = args->placement,
            .rails = args->rails};

    return read_topology(args, cluster, err) &&
           (args->fabric == NULL ||
                   spec_network_set(args->fabric, cluster, err)) &&
           spec_tiers_set(&said, cluster, err);
}

/* A training has a step at least; who writes 2 mostly means 2T. */
static bool check_steps(const p3d_job *job, p3d_error *err)
{
    const double step = p3d_job_tokens(job);

    return job->n_tokens == 0 || job->n_tokens >= step ||
           p3d_fail(err, P3D_USAGE,
                   "--tokens: %.0f is less than a step of %.0f tokens; write "
                   "2T for 2 trillion, or a smaller --batch",
                   job->n_tokens, step);
}

bool cli_job_begin(const cli_args *args, p3d_problem *problem, p3d_error *err)
{
    if (!cli_network_begin(args, &problem->cluster, err))
        return false;
    if (args->host_time_factor > 0)
        problem->cluster.node.host_time_factor = args->host_time_factor;
    return read_calibration(args->calibration, &problem->cluster, err) &&
           check_training(args, err) && check_room(args, err) &&
           read_job(args, problem, err) && check_steps(&problem->job, err) &&
           check_gpu(problem, cli_is_any_framework(args->framework), err);
}

bool cli_is_any_framework(const char *word)
{
    return word != NULL && p3d_same_word(word, P3D_ANY_FRAMEWORK);
}

/* No plan is printed, of which another framework may have a faster one; what
 * was found is named. */
static bool fail_interrupted(
        const p3d_framework_ranking *ranking, p3d_error *err)
{
    static const char what[] =
            "interrupted before all frameworks were compared";
    const p3d_framework_rank *const first = &ranking->at[0];

    if (ranking->n == 0 || first->verdict != P3D_FRAMEWORK_FITS)
        return p3d_fail(err, P3D_INTERRUPTED, "%s", what);
    return p3d_fail(err, P3D_INTERRUPTED,
            "%s; the fastest so far is %s, %s per step; its plans: --framework "
            "%s",
            what, first->name, report_step_words(first->step_s).text,
            first->name);
}

/* Each framework's own best plan or, where a plan was said, that one. */
static bool rank_frameworks(
        const cli_args *args, cli_question *out, p3d_error *err)
{
    const p3d_problem *problem = &out->question.problem;
    const p3d_framework_list among =
            p3d_frameworks_current(&problem->cluster.gpu);
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    const p3d_ranking_options options = {.among = &among, .watch = &watch};
    p3d_pins pins;
    bool ok;

    if (!cli_read_pins(args, &pins, err))
        return false;
    if (args->plan != NULL) {
        p3d_rank_frameworks_by_plan(
                problem, args->plan, &among, &out->frameworks);
        return true;
    }
    cli_progress_begin(&progress, "comparing frameworks", 0);
    ok = p3d_rank_frameworks(problem, &pins, &options, &out->frameworks, err);
    cli_progress_end(&progress);
    return ok && (!out->frameworks.interrupted ||
                         fail_interrupted(&out->frameworks, err));
}

bool cli_job_read(const cli_args *args, cli_question *out, p3d_error *err)
{
    p3d_problem *problem = &out->question.problem;

    if (!cli_job_begin(args, problem, err))
        return false;
    if (!cli_is_any_framework(args->framework))
        return true;
    return rank_frameworks(args, out, err) &&
           p3d_take_first_framework(&out->frameworks, problem, err);
}

static bool read_problem(
        const cli_args *args, cli_question *out, p3d_error *err)
{
    p3d_problem *problem = &out->question.problem;

    return p3d_model_find(args->words[0], &problem->model, err) &&
           p3d_cluster_find(args->words[1], &problem->cluster, err) &&
           cli_job_read(args, out, err);
}

const char *cli_given_value(
        const json_option_given *given, const p3d_framework *framework)
{
    return strcmp(given->option->field.key, "framework") == 0 &&
                           cli_is_any_framework(given->value)
                   ? framework->name
                   : given->value;
}

static void repeat_option(const json_option_given *given,
        const p3d_framework *framework, p3d_text *out)
{
    p3d_text_add(out, " --%s", given->option->field.key);
    if (given->value != NULL) {
        p3d_text_add(out, " ");
        report_shell_word(cli_given_value(given, framework), out);
    }
}

void cli_repeat_options(
        const cli_args *args, const p3d_framework *framework, p3d_text *out)
{
    for (int i = 0; i < args->n_given; i++)
        if (args->given[i].option->is_job)
            repeat_option(&args->given[i], framework, out);
}

/* The job's options, and beside them those that choose a plan: commands that
 * choose none refuse these. */
static void split_options(
        const cli_args *args, const p3d_framework *framework, cli_question *out)
{
    for (int i = 0; i < args->n_given; i++) {
        const json_option *const option = args->given[i].option;

        if (option->is_choice)
            repeat_option(&args->given[i], framework, &out->choice);
        else if (option->is_job)
            repeat_option(&args->given[i], framework, &out->options);
    }
}

void cli_question_say(
        const char *command, const cli_args *args, cli_question *out)
{
    report_question *q = &out->question;

    out->args = args;
    split_options(args, q->problem.job.framework, out);
    q->command = command;
    q->model_word = args->words[0];
    q->cluster_word = args->words[1];
    q->options = p3d_text_get(&out->options);
    q->choice = p3d_text_get(&out->choice);
    q->frameworks = out->frameworks.n > 0 ? &out->frameworks : NULL;
    q->given = (report_given){
            .seq_len = args->seq_len > 0,
            .global_batch = args->job.global_batch > 0,
            .dtype = args->dtype > 0,
            .optimizer = args->optimizer > 0,
            .attention = args->attention > 0,
            .framework = args->framework != NULL,
            .reserve = out->question.problem.job.fixed_reserve,
            .sure = cli_is_given(args, "sure"),
            .fabric = args->fabric != NULL,
            .cluster_file = spec_cluster_is_file(args->words[1]),
    };
}

bool cli_question_read(const char *command, const cli_args *args,
        cli_question *out, p3d_error *err)
{
    if (!read_problem(args, out, err))
        return false;
    cli_question_say(command, args, out);
    return true;
}

void cli_question_free(cli_question *question)
{
    p3d_text_free(&question->options);
    p3d_text_free(&question->choice);
}

static bool fail_empty(const p3d_refusal *empty, p3d_error *err)
{
    if (empty->rule == NULL)
        return p3d_fail(
                err, P3D_DATA, "%s; leave out a value of --pin", empty->reason);
    return p3d_fail(err, P3D_DATA, "no plan is legal: %s", empty->reason);
}

p3d_recommend_options cli_recommend_options(const cli_args *args)
{
    p3d_recommend_options choice = {.within_frac = P3D_WITHIN_FRAC};

    if (args == NULL)
        return choice;
    if (cli_is_given(args, "within"))
        choice.within_frac = args->within_frac;
    choice.objective =
            (p3d_objective)said(args->objective, P3D_OBJECTIVE_RECOMMENDED);
    return choice;
}

/* Whatever a search found, or why it found nothing. */
static bool check_found(const p3d_search_result *found, p3d_error *err)
{
    if (found->interrupted && found->n_top == 0)
        return p3d_fail(
                err, P3D_INTERRUPTED, "interrupted before any plan was found");
    return found->n_plans > 0 || fail_empty(&found->empty, err);
}

cli_found *cli_question_choose(const cli_question *question,
        p3d_recommend_options options, p3d_error *err)
{
    cli_found *const found = calloc(1, sizeof(*found));
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    bool ok;

    if (found == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    options.search.watch = &watch;
    cli_progress_begin(&progress, "searching", 0);
    ok = p3d_recommend(&question->question.problem, &options, &found->search,
            &found->recommendation, err);
    cli_progress_end(&progress);
    if (ok && check_found(&found->search, err))
        return found;
    free(found);
    return NULL;
}

bool cli_question_search(const cli_question *question, const p3d_pins *pins,
        int n_top, p3d_search_result **out, p3d_error *err)
{
    p3d_recommend_options options = cli_recommend_options(question->args);
    cli_found *found;

    options.pins = pins;
    options.search.n_top = n_top;
    options.alone = true;
    found = cli_question_choose(question, options, err);
    *out = found != NULL ? &found->search : NULL;
    return found != NULL;
}

void cli_mark_interrupted(p3d_search_result *search)
{
    search->interrupted = search->interrupted || p3d_stopped();
}

const p3d_estimate *cli_best_or_closest(const p3d_search_result *search)
{
    return search->n_top > 0 ? &search->top[0] : &search->closest;
}

bool cli_read_pins(const cli_args *args, p3d_pins *out, p3d_error *err)
{
    *out = p3d_pins_free();
    return args->pins == NULL || p3d_pins_parse(args->pins, out, err);
}

/* Larger clusters than this are not offered as a way out. */
enum { MAX_GPUS = 131072 };

/* Say what the devices of the question are called, in the answer and in what
 * is wrong with it. */
static void name_devices(const cli_question *question, bool ok,
        const cli_reply *reply, p3d_error *err)
{
    const char *const noun =
            p3d_gpu_noun(&question->question.problem.cluster.gpu);

    if (!ok)
        report_name_devices(noun, err->text);
    else if (reply->format == REPORT_TEXT && reply->out->length > 0)
        report_name_devices(noun, reply->out->data);
}

bool cli_ask(const char *command, const cli_args *args, cli_answer *answer,
        cli_reply *reply, p3d_error *err)
{
    cli_question question = {0};
    const bool ok = cli_question_read(command, args, &question, err) &&
                    answer(&question, reply, err);

    name_devices(&question, ok, reply, err);
    cli_question_free(&question);
    return ok;
}

bool cli_print_findings(const cli_question *question,
        const report_findings *findings, cli_printer *print, cli_reply *reply,
        p3d_error *err)
{
    report_document *document =
            report_document_create(&question->question, findings, err);

    if (document == NULL)
        return false;
    print(document, reply->format, reply->out);
    name_devices(question, true, reply, err);
    reply->code = findings->search != NULL && findings->search->interrupted
                          ? P3D_INTERRUPTED
                  : report_document_fits(document) ? P3D_OK
                                                   : P3D_NO;
    report_document_destroy(document);
    return true;
}

/* GPUs of the smallest cluster on which a job fits, with what is pinned: mostly
 * a change says it. 0 = not known. */
static int smallest_cluster(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_remedy *changes, int n)
{
    for (int i = 0; i < n; i++) {
        if (changes[i].n_gpus > problem->cluster.n_gpus)
            return changes[i].n_gpus;
    }
    return p3d_pins_are_free(pins) ? p3d_smallest_cluster(problem, MAX_GPUS)
                                   : 0;
}

void cli_find_changes(const p3d_problem *problem, const p3d_pins *pins,
        p3d_remedy *changes, report_findings *findings)
{
    cli_progress progress;

    cli_progress_begin(&progress, "looking for what makes it fit", 0);
    cli_progress_say(&progress);
    findings->changes = changes;
    findings->n_changes = p3d_remedies_find(problem, pins, changes);
    findings->smallest_cluster_gpus =
            smallest_cluster(problem, pins, changes, findings->n_changes);
    cli_progress_end(&progress);
}

/* Look at every plan of the space, one by one: for the fastest, then for the
 * one to recommend. */
static bool verify(const cli_question *question, const p3d_pins *pins,
        const cli_found *found, report_check *out, p3d_error *err)
{
    const p3d_problem *const problem = &question->question.problem;
    const p3d_recommendation *const r = &found->recommendation;
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    const p3d_recommend_options options = {
            .pins = pins, .search = {.n_top = 1, .watch = &watch}};
    bool ok;

    cli_progress_begin(&progress, "verifying", 0);
    ok = p3d_verify(problem, pins, &watch, &out->fastest, err);
    if (ok && r->verdict == P3D_VERDICT_FITS && !out->fastest.interrupted)
        ok = p3d_verify_recommended(
                problem, &options, r, &out->recommended, err);
    cli_progress_end(&progress);
    return ok;
}

/* What to change where no plan is sure to fit. */
static void find_ways_out(const cli_question *question, const p3d_pins *pins,
        cli_found *found, p3d_remedy *changes, report_findings *findings)
{
    if (found->recommendation.verdict == P3D_VERDICT_FITS)
        return;
    cli_find_changes(&question->question.problem, pins, changes, findings);
    cli_mark_interrupted(&found->search);
}

bool cli_search_and_print(const cli_question *question, int n_top,
        cli_printer *print, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    p3d_recommend_options options = cli_recommend_options(args);
    p3d_remedy changes[P3D_MAX_REMEDIES];
    cli_found *found = NULL;
    report_check check = {.fastest = {.n_plans = 0}};
    report_findings findings = {0};
    p3d_pins pins;
    bool ok;

    options.search.n_top = n_top;
    options.pins = &pins;
    options.usual = true;
    if (!cli_read_pins(args, &pins, err))
        return false;
    found = cli_question_choose(question, options, err);
    if (found == NULL)
        return false;
    findings.search = &found->search;
    findings.recommendation = &found->recommendation;
    find_ways_out(question, &pins, found, changes, &findings);
    ok = !args->verify || verify(question, &pins, found, &check, err);
    findings.verified = args->verify ? &check : NULL;
    ok = ok && cli_print_findings(question, &findings, print, reply, err);
    if (check.fastest.interrupted || check.recommended.interrupted)
        reply->code = P3D_INTERRUPTED;
    free(found);
    return ok;
}

bool cli_estimate_plan(const cli_question *question, const char *words,
        p3d_estimate *out, p3d_error *err)
{
    const p3d_problem *problem = &question->question.problem;
    p3d_refusal refusal = {0};
    p3d_plan plan;

    if (!p3d_plan_parse(words, problem->cluster.n_gpus, problem->job.framework,
                &plan, err))
        return false;
    if (!p3d_estimate_plan(problem, &plan, out, &refusal))
        return p3d_fail(err, P3D_DATA, "plan %.100s is not legal: %s", words,
                refusal.reason);
    return true;
}

bool cli_estimate_plan_or_found(const cli_question *question, const char *words,
        const p3d_search_result *search, p3d_estimate *out, p3d_error *err)
{
    if (words != NULL)
        return cli_estimate_plan(question, words, out, err);
    *out = *cli_best_or_closest(search);
    return true;
}

bool cli_estimate_plan_or_best(const cli_question *question, const char *words,
        p3d_estimate *out, p3d_error *err)
{
    p3d_search_result *search = NULL;

    if (words != NULL)
        return cli_estimate_plan(question, words, out, err);
    if (!cli_question_search(question, NULL, 1, &search, err))
        return false;
    *out = *cli_best_or_closest(search);
    free(search);
    return cli_goes_on("before the best plan was known", err);
}
