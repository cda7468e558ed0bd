/*
 * Random programs: nested branches and loops around straight-line statements, shuffles and votes
 * among the lanes that are known to be there, shared memory between barriers.
 *
 * Each region of a program knows a register that holds its member mask, or none: a branch in a
 * region with a mask first takes a ballot, so that both sides have masks of their own. Where there
 * is none, lanes must not talk to each other.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "common/base/splitmix.h"
#include "common/simt/tests/proof/generate.h"
#include "common/simt/tests/proof/generate_ops.h"
#include "common/simt/tests/proof/random.h"

enum { N_W = 8, N_L = 4, N_F = 4, N_D = 2, N_P = 4, MAX_DEPTH = 4, MAX_LOOPS = 2, NO_MASK = -1 };

struct generator {
    FILE *to;
    uint64_t state;
    unsigned n_labels, n_counters;
    int n_masks;
    int budget; /* statements left */
    bool is_wide;
    unsigned weights[PROOF_N_CLASSES], total_weight;
};

/* Where a statement stands. */
struct region {
    int mask;        /* number of the register %m<mask>, or NO_MASK */
    bool is_uniform; /* all threads of the cta come here together: barriers are allowed */
    bool is_full;    /* the mask names all 32 lanes */
    int depth, n_loops;
};

static void block(struct generator *g, struct region region, unsigned n);

static unsigned below(struct generator *g, unsigned n) {
    return (unsigned)(splitmix_next(&g->state) >> 32) % n;
}

/* Small and large numbers alike. */
static unsigned literal(struct generator *g) {
    const unsigned bits = (unsigned)splitmix_next(&g->state);
    return bits >> below(g, 32);
}

/* Writes what a capital letter of a template stands for; false when it is no such letter. */
static bool write_operand(struct generator *g, char letter) {
    switch (letter) {
    case 'W':
        return fprintf(g->to, "%%w%u", below(g, N_W));
    case 'L':
        return fprintf(g->to, "%%l%u", below(g, N_L));
    case 'F':
        return fprintf(g->to, "%%f%u", below(g, N_F));
    case 'D':
        return fprintf(g->to, "%%d%u", below(g, N_D));
    case 'P':
        return fprintf(g->to, "%%p%u", below(g, N_P));
    case 'N':
        return fprintf(g->to, below(g, 2) ? "!" : "") >= 0;
    case 'I':
        return fprintf(g->to, "0x%x", literal(g));
    case 'S':
        return fprintf(g->to, "%u", below(g, 32));
    case 'T':
        return fprintf(g->to, "0x%02x", below(g, 256));
    default:
        return false;
    }
}

/* Writes instructions, a line each. A literal such as 0f3F800000 stands as it is. */
static void write_lines(struct generator *g, const char *template) {
    fputs("    ", g->to);
    for (const char *at = template; *at; at++) {
        if (strncmp(at, "0f", 2) == 0) {
            fprintf(g->to, "%.10s", at);
            at += 9;
        } else if (*at == ';' && at[1]) {
            fputs(";\n   ", g->to);
        } else if (!write_operand(g, *at)) {
            fputc(*at, g->to);
        }
    }
    fputc('\n', g->to);
}

/* The same for a template that printf makes. Random numbers are drawn by the template's letters
 * alone: C leaves the order of a call's arguments open, and programs must not depend on it. */
__attribute__((format(printf, 2, 3))) static void emit(struct generator *g, const char *format,
                                                       ...) {
    char template[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(template, sizeof(template), format, arguments);
    va_end(arguments);
    write_lines(g, template);
}

static void statement(struct generator *g) {
    unsigned at = below(g, g->total_weight), kind = 0;
    for (; at >= g->weights[kind]; kind++)
        at -= g->weights[kind];
    const struct proof_templates *const table = &proof_classes[kind];
    const char *const template = table->templates[below(g, (unsigned)table->n_templates)];
    /* A guard on several instructions would leave scratch registers unset; that of a testp is lost
     * in ptxas 13.0, at every level. */
    const bool may_be_guarded =
        !strchr(strchr(template, ';') + 1, ';') && strncmp(template, "testp", 5) != 0;
    if (may_be_guarded && below(g, 8) == 0)
        emit(g, "@NP %s", template);
    else
        write_lines(g, template);
}

/* All lanes of the warp take part: any source lane, any segment. */
static void shuffle(struct generator *g) {
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const unsigned segments[] = {0, 0x1000, 0x1800, 0x1c00, 0x1e00};
    const unsigned mode = below(g, 4), segment = segments[below(g, 5)];
    emit(g, "shfl.sync.%s.b32 W|P, W, %s, 0x%x, -1;", modes[mode], below(g, 2) ? "S" : "W",
         segment | (mode ? 31u : 0));
}

/* Some lanes only: the source is the first of them or the last. */
static void masked_shuffle(struct generator *g, int mask) {
    if (below(g, 2))
        emit(g, "brev.b32 %%t0, %%m%d; clz.b32 %%t0, %%t0;", mask);
    else
        emit(g, "bfind.u32 %%t0, %%m%d;", mask);
    emit(g, "shfl.sync.idx.b32 W, W, %%t0, 31, %%m%d;", mask);
}

static void talk(struct generator *g, const struct region *region) {
    static const char *const templates[] = {
        "vote.sync.ballot.b32 W, P,",
        "vote.sync.any.pred P, NP,",
        "vote.sync.all.pred P, NP,",
        "vote.sync.uni.pred P, P,",
        "and.b32 %t0, W, T; match.any.sync.b32 W, %t0,",
        "match.any.sync.b64 W, L,",
        "match.all.sync.b32 W|P, W,",
        "bar.warp.sync",
    };
    static const char *const redux[] = {"add.u32", "min.s32", "max.u32", "and.b32", "xor.b32"};
    const unsigned what = below(g, 14);
    if (g->is_wide && below(g, 4) == 0)
        emit(g, "redux.sync.%s W, W, %%m%d;", redux[below(g, 5)], region->mask);
    else if (what < sizeof(templates) / sizeof(templates[0]))
        emit(g, "%s %%m%d;", templates[what], region->mask);
    else if (region->is_full)
        shuffle(g);
    else
        masked_shuffle(g, region->mask);
}

/* Every thread stores, all wait, every thread loads from another one's place, all wait. */
static void exchange(struct generator *g) {
    static const char *const templates[] = {
        "st.shared.u32 [%own], W; bar.sync 0; ld.shared.u32 W, [%t0];",
        "st.shared.u64 [%own+8], L; barrier.sync 0; ld.shared.u64 L, [%t0+8];",
        "st.shared.v4.u32 [%own], {W, W, W, W}; bar.sync 0; ld.shared.v2.u32 {%t2, %t3}, [%t0+8];"
        " xor.b32 W, %t2, %t3; ld.shared.s16 W, [%t0+2];",
        "st.shared.u8 [%own+5], W; bar.sync 0; ld.shared.f32 F, [%t0+4]; ld.shared.f64 D, [%t0];",
    };
    emit(g, "rem.u32 %%t0, W, %d; shl.b32 %%t0, %%t0, 4;", PROOF_RANDOM_THREADS);
    write_lines(g, "mov.u32 %t1, tile; add.u32 %t0, %t0, %t1;");
    write_lines(g, templates[below(g, sizeof(templates) / sizeof(templates[0]))]);
    write_lines(g, "bar.sync 0;");
}

static void vote_of_cta(struct generator *g) {
    static const char *const templates[] = {
        "bar.red.popc.u32 W, 0, P;",
        "bar.red.and.pred P, 0, NP;",
        "bar.red.or.pred P, 0, NP;",
    };
    write_lines(g, templates[below(g, 3)]);
}

/* Branches where a predicate register is unset, or set. ptxas 13.0 takes a predicate that a branch
 * has tested to keep its value in loops behind the branch that set it anew; it does not where the
 * test is of a number. */
static void branch_on(struct generator *g, unsigned p, bool is_set, unsigned label) {
    emit(g, "selp.b32 %%t0, 1, 0, %%p%u; setp.%s.u32 %%q0, %%t0, %%zero; @%%q0 bra b%u;", p,
         is_set ? "ne" : "eq", label);
}

static void branch(struct generator *g, struct region region) {
    const unsigned label = g->n_labels++, p = below(g, N_P);
    const bool has_else = below(g, 3) != 0;
    struct region then = region, other;
    then.depth++;
    then.is_uniform = then.is_full = false;
    then.mask = NO_MASK;
    other = then;
    if (region.mask != NO_MASK && below(g, 4)) {
        then.mask = g->n_masks++;
        other.mask = g->n_masks++;
        emit(g, "vote.sync.ballot.b32 %%m%d, %%p%u, %%m%d; xor.b32 %%m%d, %%m%d, %%m%d;", then.mask,
             p, region.mask, other.mask, then.mask, region.mask);
    }
    branch_on(g, p, false, label);
    block(g, then, 1 + below(g, 6));
    if (has_else) {
        const unsigned end = g->n_labels++;
        emit(g, "bra b%u;", end);
        emit(g, "b%u:", label);
        block(g, other, 1 + below(g, 6));
        emit(g, "b%u:", end);
    } else {
        emit(g, "b%u:", label);
    }
}

/* Four ways by a table of labels. */
static void switch_by_table(struct generator *g, struct region region) {
    const unsigned first = g->n_labels;
    struct region way = region;
    g->n_labels += 5;
    way.depth++;
    way.is_uniform = way.is_full = false;
    way.mask = NO_MASK;
    write_lines(g, "and.b32 %t0, W, 3;");
    emit(g, "ts%u: .branchtargets b%u, b%u, b%u, b%u;", first, first, first + 1, first + 2,
         first + 3);
    emit(g, "brx.idx %%t0, ts%u;", first);
    for (unsigned i = 0; i < 4; i++) {
        emit(g, "b%u:", first + i);
        block(g, way, 1 + below(g, 4));
        emit(g, "bra b%u;", first + 4);
    }
    emit(g, "b%u:", first + 4);
}

/* A loop whose lanes leave it one after the other; with a mask, those that stay take a ballot. */
static void varying_loop(struct generator *g, struct region region) {
    const unsigned top = g->n_labels++, end = g->n_labels++, counter = g->n_counters++;
    struct region body = region;
    const bool has_mask = region.mask != NO_MASK && below(g, 4);
    body.depth++;
    body.n_loops++;
    body.is_uniform = body.is_full = false;
    body.mask = has_mask ? g->n_masks++ : NO_MASK;
    emit(g, "and.b32 %%c%u, W, 7;", counter);
    if (has_mask)
        emit(g, "mov.b32 %%m%d, %%m%d;", body.mask, region.mask);
    emit(g, "b%u:", top);
    emit(g, "setp.ne.u32 %%q1, %%c%u, 0;", counter);
    if (has_mask)
        emit(g, "vote.sync.ballot.b32 %%m%d, %%q1, %%m%d;", body.mask, body.mask);
    emit(g, "@!%%q1 bra b%u; sub.u32 %%c%u, %%c%u, 1;", end, counter, counter);
    block(g, body, 1 + below(g, 6));
    if (!has_mask && below(g, 3) == 0)
        branch_on(g, below(g, N_P), true, end);
    emit(g, "bra b%u;", top);
    emit(g, "b%u:", end);
}

/* A loop that all lanes run equally often. */
static void uniform_loop(struct generator *g, struct region region) {
    const unsigned top = g->n_labels++, counter = g->n_counters++;
    struct region body = region;
    body.depth++;
    body.n_loops++;
    emit(g, "mov.u32 %%c%u, %u;", counter, 1 + below(g, 5));
    emit(g, "b%u:", top);
    block(g, body, 1 + below(g, 6));
    emit(g, "sub.u32 %%c%u, %%c%u, 1; setp.ne.u32 %%q1, %%c%u, 0; @%%q1 bra b%u;", counter, counter,
         counter, top);
}

static void block(struct generator *g, struct region region, unsigned n) {
    for (unsigned i = 0; i < n && g->budget > 0; i++) {
        const unsigned what = below(g, 24);
        g->budget--;
        if (g->is_wide && region.depth < MAX_DEPTH && below(g, 30) == 0)
            switch_by_table(g, region);
        else if (what < 3 && region.depth < MAX_DEPTH)
            branch(g, region);
        else if (what == 3 && region.depth < MAX_DEPTH && region.n_loops < MAX_LOOPS)
            varying_loop(g, region);
        else if (what == 4 && region.depth < MAX_DEPTH && region.n_loops < MAX_LOOPS)
            uniform_loop(g, region);
        else if (what < 8 && region.mask != NO_MASK)
            talk(g, &region);
        else if (what == 8 && region.is_uniform)
            exchange(g);
        else if (what == 9 && region.is_uniform)
            vote_of_cta(g);
        else
            statement(g);
    }
}

/* Registers, addresses, initial values: column 0 is integers, 1 floats, 2 doubles. %zero is 0,
 * which ptxas can't know: it must neither see through branches, nor that all lanes update one
 * address. */
static const char prologue[] =
    "    .reg .b32 %w<8>, %t<4>, %m<256>, %c<256>, %acc, %own, %me, %gid,"
    " %zero;\n"
    "    .reg .b64 %l<4>, %u<4>, %in, %out, %sum, %lo;\n"
    "    .reg .f32 %f<4>, %g<2>;\n    .reg .f64 %d<2>, %e<2>;\n    .reg .b16 %h<3>;\n"
    "    .reg .pred %p<4>, %q<2>;\n"
    "    .shared .align 16 .b8 tile[1536];\n    .shared .align 16 .b8 sums[64];\n"
    "    .local .align 16 .b8 array[64];\n"
    "    ld.param.u64 %in, [from];\n    cvta.to.global.u64 %in, %in;\n"
    "    ld.param.u64 %out, [to];\n    cvta.to.global.u64 %out, %out;\n"
    "    mov.u32 %me, %tid.x;\n    mov.u32 %t0, %ctaid.x;\n    mov.u32 %t1, %ntid.x;\n"
    "    mad.lo.u32 %gid, %t0, %t1, %me;\n"
    "    mov.u32 %acc, sums;\n    mov.u32 %own, tile;\n    mad.lo.u32 %own, %me, 16, %own;\n"
    "    mov.u64 %lo, array;\n    mov.b32 %m0, -1;\n"
    "    mul.wide.u32 %u0, %gid, 8;\n    add.u64 %u0, %in, %u0;\n"
    "    ld.global.u64 %l0, [%u0];\n    ld.global.f32 %f0, [%u0+1536];\n"
    "    ld.global.f64 %d0, [%u0+3072];\n    mov.b64 {%w0, %w1}, %l0;\n"
    "    mov.u32 %w2, %laneid;\n    mov.u32 %w3, %gid;\n    mul.lo.u32 %w4, %gid, 0x9e3779b9;\n"
    "    shr.u32 %w5, %w4, 11;\n    xor.b32 %w6, %w0, %w4;\n    sub.u32 %w7, %w1, %w5;\n"
    "    mov.b64 %l1, {%w4, %w5};\n    not.b64 %l2, %l1;\n    cvt.s64.s32 %l3, %w6;\n"
    "    mov.f32 %f1, 0f3FC00000;\n    cvt.rn.f32.s32 %f2, %w5;\n    cvt.rn.f32.u32 %f3, %w2;\n"
    "    cvt.rn.f64.s32 %d1, %w6;\n    setp.lt.u32 %p0, %w2, 13;\n    setp.lt.s32 %p1, %w0, 0;\n"
    "    setp.gt.f32 %p2, %f0, %f1;\n    setp.lt.s32 %p3, %w6, %w7;\n"
    "    st.local.v2.u64 [array], {%l1, %l2};\n    st.local.v2.u64 [array+16], {%l2, %l3};\n"
    "    st.local.v2.u64 [array+32], {%l3, %l1};\n    st.local.v2.u64 [array+48], {%l0, %l1};\n"
    "    st.shared.v4.u32 [%own], {%w3, %w4, %w5, %w6};\n"
    "    setp.lt.u32 %q0, %me, 16;\n    shl.b32 %t0, %me, 2;\n    add.u32 %t0, %acc, %t0;\n"
    "    @%q0 st.shared.u32 [%t0], %me;\n"
    "    mul.wide.u32 %u0, %gid, 96;\n    add.u64 %u0, %out, %u0;\n"
    "    ld.global.u32 %zero, [%u0];\n    cvt.u64.u32 %u0, %zero;\n"
    "    add.u32 %acc, %acc, %zero;\n";

/* All registers to the thread's 24 words. */
static void epilogue(FILE *to) {
    fputs("    bar.sync 0;\n    and.b32 %t0, %me, 15;\n    shl.b32 %t0, %t0, 2;\n"
          "    add.u32 %t0, %acc, %t0;\n    ld.shared.u32 %t1, [%t0];\n"
          "    xor.b32 %w0, %w0, %t1;\n",
          to);
    for (int i = 0; i < N_P; i++)
        fprintf(to, "    selp.b32 %%t0, %d, 0, %%p%d;\n    add.u32 %%w%d, %%w%d, %%t0;\n", 17 + i,
                i, i, i);
    fputs("    mul.wide.u32 %u0, %gid, 96;\n    add.u64 %u0, %out, %u0;\n", to);
    for (int i = 0; i < N_W; i++)
        fprintf(to, "    st.global.u32 [%%u0+%d], %%w%d;\n", 4 * i, i);
    for (int i = 0; i < N_L; i++)
        fprintf(to, "    st.global.u64 [%%u0+%d], %%l%d;\n", 32 + 8 * i, i);
    for (int i = 0; i < N_F; i++)
        fprintf(to,
                "    testp.notanumber.f32 %%q0, %%f%d;\n    mov.b32 %%t0, %%f%d;\n"
                "    selp.b32 %%t0, 0x7fc00000, %%t0, %%q0;\n    st.global.u32 [%%u0+%d], %%t0;\n",
                i, i, 64 + 4 * i);
    for (int i = 0; i < N_D; i++)
        fprintf(to,
                "    testp.notanumber.f64 %%q0, %%d%d;\n    mov.b64 %%u1, %%d%d;\n"
                "    selp.b64 %%u1, 0x7ff8000000000000, %%u1, %%q0;\n"
                "    st.global.u64 [%%u0+%d], %%u1;\n",
                i, i, 80 + 8 * i);
    fputs("    ret;\n}\n", to);
}

void proof_generate_header(FILE *to, bool is_wide) {
    uint64_t state = 1;
    fprintf(to, ".version 9.0\n.target sm_%d\n.address_size 64\n", is_wide ? 90 : 75);
    fputs(".const .align 4 .u32 table[32] = {", to);
    for (int i = 0; i < 32; i++)
        fprintf(to, "%s0x%x", i ? ", " : "", (unsigned)splitmix_next(&state));
    fputs("};\n", to);
}

void proof_generate(FILE *to, unsigned number, bool is_wide) {
    struct generator g = {.to = to, .state = number, .n_masks = 1, .is_wide = is_wide};
    const struct region all = {.mask = 0, .is_uniform = true, .is_full = true};
    for (int kind = 0; kind < PROOF_N_CLASSES; kind++) {
        g.weights[kind] = kind < PROOF_HALF || is_wide ? 1 + below(&g, 6) : 0;
        g.total_weight += g.weights[kind];
    }
    g.budget = 12 + (int)below(&g, 60);
    fprintf(to, ".visible .entry r%u(.param .u64 from, .param .u64 to)\n{\n%s", number, prologue);
    fprintf(to, "    add.u64 %%sum, %%out, %d;\n    add.u64 %%sum, %%sum, %%u0;\n    bar.sync 0;\n",
            PROOF_RANDOM_THREADS * PROOF_RANDOM_CTAS * PROOF_THREAD_WORDS * 4);
    block(&g, all, (unsigned)g.budget);
    epilogue(to);
}
