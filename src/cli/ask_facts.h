/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_facts.h - what a question says: model, clusters, amounts, settings, and
 * what it wants to know. */
#ifndef PLAN3D_CLI_ASK_FACTS_H
#define PLAN3D_CLI_ASK_FACTS_H

#include "cli/ask_tokens.h"

enum { ASK_MAX_CLUSTERS = 8, ASK_MAX_OPTIONS = 24, ASK_VALUE = 256 };

/** GPUs as a question counts them; 0 and NULL = not said. */
typedef struct ask_cluster {
    double n;        /* GPUs, or nodes where per_node is there */
    double last;     /* of a range */
    double per_node; /* ASK_WHOLE_NODE = as many as the node has */
    bool may_be_all; /* per_node may be the GPUs of all nodes */
    bool are_cards;  /* GPUs are said, and not machines */
    const char *gpu;
} ask_cluster;

static const double ASK_WHOLE_NODE = -1;

/** "--dtype", "bf16"; a word of plans has no name. */
typedef struct ask_option {
    char name[24];
    char value[ASK_VALUE];
} ask_option;

typedef struct ask_facts {
    unsigned wants; /* ask_intent */
    unsigned says;  /* ask_turn */
    char model[ASK_VALUE];
    char path[ASK_VALUE]; /* a cluster's file */
    ask_cluster cluster[ASK_MAX_CLUSTERS];
    int n_clusters;
    double n_lone;                      /* GPUs without a type */
    double n_each;                      /* GPUs of each type */
    double n_in_node;                   /* GPUs, where nodes are asked for */
    const char *type[ASK_MAX_CLUSTERS]; /* without a number */
    int n_types;
    double sizes[2]; /* 70B and 2T without a noun */
    int n_sizes;
    bool are_models;             /* "7B or 13B" */
    size_t lone_at, lone_length; /* a dimension without its number, the first */
    double n_tokens;
    double n_epochs; /* passes over them; 0 = not said */
    double deadline_s;
    double budget_usd;
    double usd_per_gpu_h;
    double usd_of_second; /* where two clusters have a price each */
    ask_option option[ASK_MAX_OPTIONS];
    int n_options;
    ask_option other[ASK_MAX_OPTIONS]; /* second values, to compare with */
    int n_other;
    size_t other_at, other_length; /* the first of them, in the question */
    double batch_tokens;           /* of a step; 0 = not said */
    double lora_rank;              /* 0 = not said */
    bool doubles_seq;              /* against a sequence twice as long, */
    bool doubles_gpus;             /* or so many GPUs */
    char framework[ASK_NAME];      /* as it was written */
    ask_kind noun;                 /* the last that stood without a number */
} ask_facts;

/** Read the tokens. @return false with P3D_USAGE */
P3D_CHECK bool ask_facts_read(
        const ask_text *text, ask_facts *out, p3d_error *err);

/** Where words of plans set what a word sets; NULL = they do not. */
const char *ask_find_pin(const char *pins, const char *word);

/** The value of an option; NULL = the question does not set it. */
const char *ask_facts_option(const ask_facts *facts, const char *name);

#endif
