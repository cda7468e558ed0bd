/*
 * The race check beside a reference that keeps every access to each word in a list: drawn accesses
 * of all shapes (one place for all lanes, side by side, in pieces, apart, anywhere) and masks, with
 * barriers here and there. The check keeps no more of a word than its last writer and two readers,
 * and takes quick ways; it has to find a race where the reference finds one, and nowhere else. And
 * what such accesses cost, which quick ways find out as well, beside a plain count.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(random, .timeout = 120);

enum { GLOBAL_BYTES = 4096, SHARED_BYTES = 1024, MAX_STEPS = 24, MAX_CTAS = 3, MAX_THREADS = 160 };
enum { MAX_ALL = MAX_CTAS * MAX_THREADS, N_SEEDS = 3000, LEAST_OF_A_KIND = 60 };

/* The kinds of random.cu. */
enum { BARRIER, GLOBAL_READ, GLOBAL_WRITE = 4, SHARED_READ = 7, SHARED_WRITE = 10 };
enum { GLOBAL_UPDATE = 13, SHARED_UPDATE };

struct script {
    int kinds[MAX_STEPS], places[MAX_STEPS * MAX_ALL];
    int n, n_ctas, n_threads; /* of a cta */
};

static bool is_shared(int kind) {
    return kind >= SHARED_READ && kind != GLOBAL_UPDATE;
}

static bool is_update(int kind) {
    return kind >= GLOBAL_UPDATE;
}

static bool writes(int kind) {
    return kind >= SHARED_WRITE || (kind >= GLOBAL_WRITE && kind < SHARED_READ);
}

static int bytes_of(int kind) {
    return is_update(kind) ? 4 : 4 << (kind - 1) % 3;
}

static uint64_t drawn;

static int draw(int n) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return (int)((drawn >> 20) % (uint64_t)n);
}

/* The lanes of a warp that are on. */
static uint32_t draw_mask(void) {
    uint32_t some = UINT32_C(1) << draw(32);
    switch (draw(8)) {
    case 0:
        return (uint32_t)draw(INT32_MAX) << 1 ^ (uint32_t)draw(INT32_MAX);
    case 1:
        return some - 1;
    case 2:
        return 0 - some;
    case 3:
        return ~some;
    default:
        return UINT32_MAX;
    }
}

/* The places of a warp's lanes, in elements: `first` is what a warp writes that writes its own. */
static void draw_warp(int *places, int n_lanes, int kind, int first) {
    const int bytes = bytes_of(kind), n = (is_shared(kind) ? SHARED_BYTES : GLOBAL_BYTES) / bytes;
    const int bases[] = {draw(n), draw(n), draw(n), draw(n)}, step = draw(5), width = 8 << draw(2);
    const int shape = writes(kind) && draw(4) ? 0 : 1 + draw(6);
    const uint32_t mask = draw_mask();
    for (int i = 0; i < n_lanes; i++) {
        int at = shape == 0   ? first + i
                 : shape == 1 ? bases[0]
                 : shape == 2 ? bases[0] + i
                 : shape == 3 ? bases[i / width] + i % width
                 : shape == 4 ? bases[i / width]
                 : shape == 5 ? bases[0] + i * step
                              : draw(n);
        places[i] = mask >> i & 1 ? at % n * bytes : -1;
    }
}

static void draw_access(struct script *script, int k, int kind) {
    const int all = script->n_ctas * script->n_threads;
    script->kinds[k] = kind;
    for (int at = 0; kind != BARRIER && at < all; at++) {
        int thread = at % script->n_threads, left = script->n_threads - thread;
        if (thread % SIMT_LANES == 0)
            draw_warp(&script->places[k * all + at], left < SIMT_LANES ? left : SIMT_LANES, kind,
                      is_shared(kind) ? thread : at);
    }
}

static int draw_kind(void) {
    return draw(4) == 0 ? BARRIER : (draw(2) ? GLOBAL_READ : SHARED_READ) + draw(3);
}

/* Some reads, and then one thread writes what it has read before all or some others did: whether it
 * races may be up to a single reader. */
static void draw_last_write(struct script *script) {
    const int all = script->n_ctas * script->n_threads, last = script->n - 1;
    const int read = draw(last), at = draw(all);
    script->kinds[last] = BARRIER;
    if (script->kinds[read] == BARRIER || script->places[read * all + at] < 0)
        return;
    script->kinds[last] = script->kinds[read] + GLOBAL_WRITE - GLOBAL_READ;
    for (int i = 0; i < all; i++)
        script->places[last * all + i] = i == at ? script->places[read * all + i] : -1;
}

/* Plain stores, then atomics of the same words by threads of the same ctas, and at the end one more
 * atomic, of any thread: whether it races may be up to a plain store that an atomic has followed.
 */
static void draw_last_update(struct script *script) {
    const int all = script->n_ctas * script->n_threads, last = script->n - 1;
    const bool shared = draw(2);
    const int write = (shared ? SHARED_WRITE : GLOBAL_WRITE), n_stores = 1 + draw(4);
    const int n = (shared ? SHARED_BYTES : GLOBAL_BYTES) / 4;
    for (int k = 0; k <= last; k++) {
        script->kinds[k] = k == 0 ? write : shared ? SHARED_UPDATE : GLOBAL_UPDATE;
        if (k > 0 && k < last && draw(2))
            script->kinds[k] = draw(2) ? BARRIER : write + SHARED_READ - SHARED_WRITE;
        for (int i = 0; i < all; i++)
            script->places[k * all + i] = -1;
    }
    for (int i = 0; i < n_stores; i++) {
        const int at = draw(all), first = at / script->n_threads * script->n_threads;
        const int place = draw(n) * 4;
        script->places[at] = place;
        for (int k = 1; k < last; k++)
            script->places[k * all + (draw(2) ? at : first + draw(script->n_threads))] = place;
        script->places[last * all + draw(all)] = place;
    }
}

static void draw_script(struct script *script, uint64_t seed) {
    drawn = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = 0; i < 8; i++)
        (void)draw(2);
    const bool is_calm = draw(3) != 0;
    script->n_ctas = 1 + draw(MAX_CTAS);
    script->n_threads = draw(2) ? 32 * (1 + draw(MAX_THREADS / 32)) : 1 + draw(MAX_THREADS);
    script->n = is_calm ? 2 + draw(3) : 4 + draw(MAX_STEPS - 4);
    const int few_writes = 2 + draw(12);
    for (int k = 0; k < script->n; k++) {
        int kind = draw_kind();
        if (kind && !is_calm && draw(few_writes) == 0)
            kind += GLOBAL_WRITE - GLOBAL_READ;
        draw_access(script, k, kind);
    }
    if (is_calm && draw(3) == 0)
        draw_last_update(script);
    else if (is_calm)
        draw_last_write(script);
}

/* Every access to a word so far. */
struct history {
    struct past {
        int cta, thread, phase; /* phase: barriers before it */
        bool writes, is_atomic;
    } * list;
    size_t n, room;
};

/* Adds an access; true when it races with an earlier one: of another thread, one of both writes,
 * not both are atomic, and no barrier of a cta that they share lies between. */
static bool add(struct history *history, struct past fresh) {
    bool races = false;
    for (size_t i = 0; i < history->n; i++) {
        const struct past *past = &history->list[i];
        bool is_other = past->thread != fresh.thread || past->cta != fresh.cta;
        bool is_ordered = past->cta == fresh.cta && past->phase != fresh.phase;
        races |= is_other && !is_ordered && (past->writes || fresh.writes) &&
                 !(past->is_atomic && fresh.is_atomic);
    }
    if (history->n == history->room) {
        history->room = history->room ? 2 * history->room : 16;
        history->list = realloc(history->list, history->room * sizeof *history->list);
        cr_assert_not_null(history->list);
    }
    history->list[history->n++] = fresh;
    return races;
}

/* Whether the script has a race in global memory, or in that which each cta shares. */
static bool has_race(const struct script *script, bool shared) {
    static struct history words[MAX_CTAS][GLOBAL_BYTES / 4];
    const int all = script->n_ctas * script->n_threads;
    bool races = false;
    for (int k = 0, phase = 0; k < script->n; k++) {
        const int kind = script->kinds[k];
        phase += kind == BARRIER;
        for (int at = 0; kind && is_shared(kind) == shared && at < all; at++) {
            struct past fresh = {.cta = at / script->n_threads,
                                 .thread = at % script->n_threads,
                                 .phase = phase,
                                 .writes = writes(kind),
                                 .is_atomic = is_update(kind)};
            int place = script->places[k * all + at];
            for (int i = 0; place >= 0 && i < bytes_of(kind); i += 4)
                races |= add(&words[shared ? fresh.cta : 0][(place + i) / 4], fresh);
        }
    }
    for (int cta = 0; cta < MAX_CTAS; cta++)
        for (int i = 0; i < GLOBAL_BYTES / 4; i++) {
            free(words[cta][i].list);
            words[cta][i] = (struct history){0};
        }
    return races;
}

static void run(struct fixture *fixture, const struct script *script) {
    const size_t all = (size_t)script->n_ctas * (size_t)script->n_threads;
    fixture_open(fixture);
    struct {
        uint64_t kinds, places;
        int64_t n;
        uint64_t global, out;
    } params = {
        .kinds = fixture_buffer(fixture, "kinds", script->kinds, sizeof script->kinds, 4),
        .places = fixture_buffer(fixture, "places", script->places, sizeof script->places, 4),
        .n = script->n,
        .global = fixture_zeros(fixture, "global", GLOBAL_BYTES / 4),
        .out = fixture_zeros(fixture, "out", all),
    };
    fixture_run(fixture, "accesses", (unsigned)script->n_ctas, (unsigned)script->n_threads,
                SHARED_BYTES, &params);
    cr_assert_eq(fixture->diag.status, SIMT_OK, "%s", fixture->diag.message);
}

Test(random, races_are_found_where_there_are_some_and_nowhere_else) {
    static struct script script;
    int n_seen[2][2] = {{0}};
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        struct fixture fixture;
        draw_script(&script, seed);
        run(&fixture, &script);
        for (int shared = 0; shared < 2; shared++) {
            const struct simt_finding *finding = fixture_finding(
                &fixture, shared ? SIMT_FINDING_SHARED_RACE : SIMT_FINDING_GLOBAL_RACE);
            bool races = has_race(&script, shared);
            n_seen[shared][races]++;
            cr_expect_eq(finding != NULL, races, "seed %d, %s memory: %s", (int)seed,
                         shared ? "shared" : "global", finding ? finding->message : "not found");
        }
        fixture_close(&fixture);
    }
    for (int i = 0; i < 4; i++)
        cr_expect_geq(n_seen[i / 2][i % 2], LEAST_OF_A_KIND, "%d of kind %d", n_seen[i / 2][i % 2],
                      i);
}

/* Different values of `n`. */
static uint64_t count_different(const int *values, int n) {
    uint64_t different = 0;
    for (int i = 0; i < n; i++) {
        bool is_new = true;
        for (int k = 0; k < i; k++)
            is_new &= values[k] != values[i];
        different += is_new;
    }
    return different;
}

/* Sectors of 32 bytes that the lanes of a warp touch. */
static uint64_t count_sectors(const int *places, int n_lanes) {
    int sectors[SIMT_LANES], n = 0;
    for (int i = 0; i < n_lanes; i++)
        if (places[i] >= 0)
            sectors[n++] = places[i] / 32;
    return count_different(sectors, n);
}

/* Passes over the 32 banks: as many as the words that lanes want of one bank, for a warp, or for as
 * many of its lanes as have 128 bytes together. */
static uint64_t count_passes(const int *places, int n_lanes, int bytes) {
    const int group = 128 / bytes;
    uint64_t passes = 0;
    for (int first = 0; first < n_lanes; first += group) {
        uint64_t most = 0;
        for (int bank = 0; bank < 32; bank++) {
            int words[SIMT_LANES], n = 0;
            for (int i = first; i < n_lanes && i < first + group; i++)
                for (int at = places[i]; places[i] >= 0 && at < places[i] + bytes; at += 4)
                    if (at / 4 % 32 == bank)
                        words[n++] = at / 4;
            const uint64_t own = count_different(words, n);
            most = own > most ? own : most;
        }
        passes += most;
    }
    return passes;
}

/* What the script's accesses of a kind cost: sectors of global memory, passes of shared memory. */
static uint64_t expected_cost(const struct script *script, int kind) {
    const int all = script->n_ctas * script->n_threads, bytes = bytes_of(kind);
    uint64_t cost = 0;
    for (int k = 0; k < script->n; k++)
        for (int at = 0, n; script->kinds[k] == kind && at < all; at += n) {
            const int left = script->n_threads - at % script->n_threads;
            const int *places = &script->places[k * all + at];
            n = left < SIMT_LANES ? left : SIMT_LANES;
            cost += is_shared(kind) ? count_passes(places, n, bytes) : count_sectors(places, n);
        }
    return cost;
}

Test(random, accesses_cost_what_a_plain_count_says) {
    static struct script script;
    for (uint64_t seed = 0; seed < N_SEEDS / 4; seed++) {
        struct fixture fixture;
        draw_script(&script, seed);
        run(&fixture, &script);
        for (int kind = GLOBAL_READ; kind < GLOBAL_UPDATE; kind++) {
            char mark[16];
            snprintf(mark, sizeof mark, "case %d:", kind);
            const struct simt_counters counters = fixture_at(&fixture, mark);
            const uint64_t cost =
                is_shared(kind) ? counters.shared_load_wavefronts + counters.shared_store_wavefronts
                                : counters.global_load_sectors + counters.global_store_sectors;
            cr_expect_eq(cost, expected_cost(&script, kind), "seed %d, %s %d", (int)seed, mark,
                         (int)cost);
        }
        fixture_close(&fixture);
    }
}
