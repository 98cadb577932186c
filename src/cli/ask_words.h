/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_words.h - the words of questions, English and Chinese, and what each is
 * in a sentence. */
#ifndef PLAN3D_CLI_ASK_WORDS_H
#define PLAN3D_CLI_ASK_WORDS_H

#include <stddef.h>

#include "base/util.h"

/** What a token is in a sentence: the letters of the patterns in
 *  ask_facts.c. */
typedef enum ask_kind {
    ASK_NUMBER = 'n',    /* 64 */
    ASK_SIZE = 's',      /* 70B, 2T: a number with a magnitude */
    ASK_KILO = 'y',      /* 8K */
    ASK_MODEL = 'M',     /* llama-3-70b */
    ASK_PATH = 'j',      /* config.json */
    ASK_GPU = 'g',       /* A800 */
    ASK_FRAMEWORK = 'F', /* megatron */
    ASK_FABRIC = 'N',    /* ib-ndr-400 */
    ASK_NETWORK = 'K',   /* InfiniBand: with a rate, a fabric */
    ASK_RATE = 'U',      /* Gbit */
    ASK_OVERSUBSCRIBED = 'O',
    ASK_MEMORY = 'G', /* GB */
    ASK_CARD = 'c',   /* GPUs, cards */
    ASK_HOST = 'o',   /* nodes, servers */
    ASK_EACH = 'e',   /* of each node */
    ASK_TIMES = 'x',
    ASK_TOKENS = 't',
    ASK_EPOCH = 'E',  /* passes over the tokens */
    ASK_SAMPLE = 'I', /* of so many tokens */
    ASK_KWH = 'Z',
    ASK_PARAMETERS = 'p', /* parameters, model */
    ASK_TIME = 'd',       /* days: value is seconds */
    ASK_GPU_HOUR = 'h',
    ASK_DOLLAR = '$',
    ASK_BUDGET = 'B',
    ASK_PER = '/',
    ASK_WHOLE = 'W', /* of the whole cluster, beside a price */
    ASK_PERCENT = '%',
    ASK_SURE = 'S',
    ASK_LENGTH = 'q',      /* sequence, batch: text is the option */
    ASK_STEP_TOKENS = 'Q', /* tokens per step */
    ASK_SETTING = 'k',     /* tp: text is the option or word of plans */
    ASK_WAY = 'w',         /* 8-way */
    ASK_FLAG = 'f',        /* fp8: text is an option, or words of plans */
    ASK_OR = 'r',          /* between things of one kind */
    ASK_VERSUS = 'v',      /* likewise, and between two values of one setting */
    ASK_TO = '~',          /* between the ends of a range */
    ASK_ARTICLE = 'a',
    ASK_HOW_MANY = 'H',
    ASK_MOST = 'X',   /* longest, largest */
    ASK_TWICE = '2',  /* double */
    ASK_PLAN = 'P',   /* plan, strategy */
    ASK_CONFIG = 'C', /* config: a plan, or the file of a framework */
    ASK_INTENT = 'i', /* what is wanted: value is an ask_intent */
    ASK_TURN = 'T',   /* turns the others: value is an ask_turn */
    ASK_FILLER = 'z', /* says nothing */
    ASK_BEYOND = '!', /* nothing that plan3d plans; text says why */
    ASK_NONE = '\0'
} ask_kind;

/** What a question wants, as bits. */
typedef enum ask_intent {
    ASK_WANTS_LENGTH = 1 << 0, /* days of the whole training */
    ASK_WANTS_STEP = 1 << 1,   /* not of the whole training, of one step */
    ASK_WANTS_COST = 1 << 2,
    ASK_WANTS_CHEAPEST = 1 << 3,
    ASK_WANTS_COUNT = 1 << 4, /* how many GPUs */
    ASK_WANTS_PLAN = 1 << 5,
    ASK_WANTS_FASTEST = 1 << 6,
    ASK_WANTS_MEMORY = 1 << 7, /* tensor by tensor */
    ASK_WANTS_WHY = 1 << 8,
    ASK_WANTS_EXPLAIN = 1 << 9,
    ASK_WANTS_LIST = 1 << 10,
    ASK_WANTS_FILES = 1 << 11, /* a launch */
    ASK_WANTS_FRAMEWORK = 1 << 12,
    ASK_WANTS_RANGE = 1 << 13,   /* as the cluster grows */
    ASK_WANTS_WHY_NOT = 1 << 14, /* other values */
    ASK_WANTS_PAIR = 1 << 15,    /* which of two is better */
    ASK_WANTS_CHANGE = 1 << 16,  /* what a setting changes: how much faster */
    ASK_WANTS_PENALTY =
            1 << 17,          /* what a setting costs, against its opposite */
    ASK_WANTS_SLOW = 1 << 18, /* it is slow: with why, where the time goes */
    ASK_WANTS_TIME = 1 << 19, /* where the time goes */
    ASK_WANTS_SENSITIVITY = 1 << 20,
    ASK_WANTS_EVIDENCE = 1 << 21,
    ASK_WANTS_ERROR = 1 << 22,
    ASK_WANTS_LONGEST = 1 << 23,    /* sequence */
    ASK_WANTS_LARGEST = 1 << 24,    /* model */
    ASK_WANTS_MOST = 1 << 25,       /* sequences of a micro-batch */
    ASK_WANTS_CONFIG = 1 << 26,     /* a plan, or the file of a framework */
    ASK_WANTS_BETTER = 1 << 27,     /* is it faster? */
    ASK_WANTS_COMPARISON = 1 << 28, /* of two things, which must be there */
    ASK_WANTS_TOKENS = 1 << 30, /* the most that time or money is enough for */
    ASK_WANTS_UNFIT = 1 << 29   /* it does not fit: with why, by how much */
} ask_intent;

/** The value of an ASK_CARD that says nothing but that they were named. */
enum { ASK_OF_THEM = 1 };

/** What turns the words around it, as bits. */
typedef enum ask_turn {
    ASK_SAYS_NOT = 1 << 0,
    ASK_SAYS_OR = 1 << 1,
    ASK_SAYS_FIT = 1 << 2,
    ASK_SAYS_MODEL = 1 << 3, /* "what can I train": a model, if none is there */
    ASK_SAYS_ONLY = 1 << 4,
    ASK_SAYS_NETWORK = 1 << 6,      /* "which network": none is named */
    ASK_SAYS_TOGETHER = 1 << 7,     /* clusters are pools of one job */
    ASK_SAYS_AND = 1 << 8,          /* "and" stands between two clusters */
    ASK_SAYS_SAVING = 1 << 5,       /* energy or memory is what is compared */
    ASK_SAYS_TUNING = 1 << 9,       /* a model that is there is trained on */
    ASK_SAYS_ELECTRICITY = 1 << 10, /* its price alone is asked for */
    ASK_NAMES_NETWORK = 1 << 11,    /* by its kind, or as "network" */
    ASK_SAYS_INSTEAD = 1 << 12      /* GPUs that are as fast as a cluster */
} ask_turn;

/** A word of the tables, found in a text. */
typedef struct ask_word {
    size_t length; /* bytes of the text; 0 = no word begins there */
    ask_kind kind;
    double value;
    const char *text;
} ask_word;

/** The longest word that a text begins with. */
ask_word ask_word_at(const char *text);

/** Offer all words for "did you mean". */
void ask_words_offer(p3d_nearest *nearest);

/**
 * Compare a text with a name, whatever the case and with or without "-", "_"
 * and " " between parts, at the end with or without a plural's s.
 *
 * @return bytes of the text that are the name; 0 = it does not begin with it,
 *         or goes on with a letter or digit of the same word
 */
size_t ask_match(const char *text, const char *name);

#endif
