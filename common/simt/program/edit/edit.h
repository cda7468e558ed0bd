/*
 * Edits of kernels and launches, by which a failing case is tried again: "with <= for < in line 42
 * it passes" is a proof that the comparison is the cause.
 *
 * An edit is plain data and names its place in the source. It changes all instructions of that line
 * that it fits, also where the compiler has inlined or unrolled the line. edits.def lists the kinds
 * and says of each what `from` and `to` mean. This header and sentence.c know no simulator, so that
 * who searches (common/harness) can use them without one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum simt_edit_kind {
    SIMT_EDIT_NONE,
#define EDIT(name, word, scope, is, change, hope, specificity, does, proves) SIMT_EDIT_##name,
#include "common/simt/program/edit/edits.def"
#undef EDIT
    SIMT_N_EDITS
};

enum simt_edit_scope { SIMT_SCOPE_LINE, SIMT_SCOPE_KERNEL, SIMT_SCOPE_RUN };

enum { SIMT_EDIT_PLACE = 256, SIMT_MAX_EDITS = 8, SIMT_MAX_CANDIDATES = 4096 };

struct simt_edit {
    uint32_t kind; /* enum simt_edit_kind */
    uint32_t line; /* of the source; 0 where the scope is no line */
    int64_t from, to;
    char place[SIMT_EDIT_PLACE]; /* the file as findings name it, or the kernel's name as reports
                                    have it (either may be cut), or "" */
};

/* What `from` and `to` stand for. */
enum simt_edit_comparison {
    SIMT_EDIT_EQ,
    SIMT_EDIT_NE,
    SIMT_EDIT_LT,
    SIMT_EDIT_LE,
    SIMT_EDIT_GT,
    SIMT_EDIT_GE,
    SIMT_EDIT_N_COMPARISONS
};

/* Which comparisons of a line an edit is for: a loop's test is often compiled twice, before the
 * loop and at its end. */
enum simt_edit_tests {
    SIMT_EDIT_ALL_TESTS,
    SIMT_EDIT_LOOPS,  /* whether a loop goes round once more */
    SIMT_EDIT_OTHERS, /* all others */
};

#define SIMT_EDIT_SPECIALS(X)                                                                      \
    X(TID_X, "%tid.x", "threadIdx.x")                                                              \
    X(TID_Y, "%tid.y", "threadIdx.y")                                                              \
    X(CTAID_X, "%ctaid.x", "blockIdx.x")                                                           \
    X(CTAID_Y, "%ctaid.y", "blockIdx.y")                                                           \
    X(NTID_X, "%ntid.x", "blockDim.x")                                                             \
    X(NTID_Y, "%ntid.y", "blockDim.y")                                                             \
    X(NCTAID_X, "%nctaid.x", "gridDim.x")                                                          \
    X(NCTAID_Y, "%nctaid.y", "gridDim.y")                                                          \
    X(LANEID, "%laneid", "the lane (threadIdx.x % 32)")                                            \
    X(WARPID, "%warpid", "%warpid, which is where the hardware has put the warp just now")         \
    X(GLOBAL_X, "", "blockIdx.x * blockDim.x + threadIdx.x")                                       \
    X(THREADS_X, "", "gridDim.x * blockDim.x")                                                     \
    X(WARP_X, "", "threadIdx.x / 32")

/* Those without a word are computed from others; they are what another one becomes. */
enum simt_edit_special {
#define SIMT_EDIT_SPECIAL_ENUM(name, word, text) SIMT_EDIT_##name,
    SIMT_EDIT_SPECIALS(SIMT_EDIT_SPECIAL_ENUM)
#undef SIMT_EDIT_SPECIAL_ENUM
        SIMT_EDIT_N_SPECIALS
};

enum simt_edit_operation {
    SIMT_EDIT_ADD,
    SIMT_EDIT_SUB,
    SIMT_EDIT_MUL,
    SIMT_EDIT_DIV,
    SIMT_EDIT_REM,
    SIMT_EDIT_SHL,
    SIMT_EDIT_SHR,
    SIMT_EDIT_MIN,
    SIMT_EDIT_MAX,
    SIMT_EDIT_AND,
    SIMT_EDIT_OR,
    SIMT_EDIT_N_OPERATIONS
};

enum simt_edit_shuffle {
    SIMT_EDIT_UP,
    SIMT_EDIT_DOWN,
    SIMT_EDIT_BFLY,
    SIMT_EDIT_IDX,
    SIMT_EDIT_N_SHUFFLES
};

/* A floating-point number as `from` and `to` hold it. */
static inline int64_t simt_edit_bits(double real) {
    int64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* The word of a kind, and the kind of a word (SIMT_EDIT_NONE where it is none). */
const char *simt_edit_kind_word(uint32_t kind);
uint32_t simt_edit_kind_of(const char *word);
enum simt_edit_scope simt_edit_scope_of(uint32_t kind);

/* What kind of thing is wrong: "this comparison". */
const char *simt_edit_is(uint32_t kind);

/* Writes the sentence that the edit proves, its placeholders filled; returns `text`. */
char *simt_edit_sentence(const struct simt_edit *edit, char *text, size_t bytes);
/* The same for a sentence in other words, which may have the placeholders of edits.def. */
char *simt_edit_fill(const struct simt_edit *edit, const char *words, char *text, size_t bytes);
/* The first `{` in such words that no placeholder of this kind begins with; NULL where all are
 * good. Edits of lines have {line}, those of kernels {kernel}; all have {from} and {to}. */
const char *simt_edit_misfit(uint32_t kind, const char *words);

struct simt;

/*
 * Launches from now on, and calls of the runtime, happen with these edits (at most SIMT_MAX_EDITS;
 * they are copied); n = 0 takes them back. Work of a queue that was begun before has to be over.
 * False, and nothing is changed, where there are too many.
 */
int simt_set_edits(struct simt *simt, const struct simt_edit *edits, size_t n);

/* The edit of this kind that is set, of this kernel (its plain name; NULL: any); NULL if none. */
const struct simt_edit *simt_find_edit(const struct simt *simt, uint32_t kind, const char *kernel);

/*
 * All edits that make sense for the kernels that were launched since the report's last reset, in
 * the order of the kernels, then of their instructions, each once; at most SIMT_MAX_CANDIDATES. The
 * caller frees the list, which is NULL where there are none or the host has no memory. Asked while
 * no edits are set.
 */
size_t simt_edit_candidates(const struct simt *simt, struct simt_edit **candidates);

/* The same as JSON: [{kind, line, place, from, to}]; the caller frees the text. */
char *simt_edit_candidates_json(const struct simt *simt);

/* simt_report_json's object with these candidates as one more member, "candidates"; without it
 * where the host has no memory for them. The caller frees the text. */
char *simt_report_edits_json(const struct simt *simt);
