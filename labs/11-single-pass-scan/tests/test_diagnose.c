/* The diagnoses that need no simulator: what comes out wrong is known by what it comes to. Each
 * answer here makes one mistake, in plain C, in place of a worker. */
#include "common/harness/tests/fake_call.h"
#include "labs/11-single-pass-scan/tests/single.h"

enum { BLOCK = 32, TILE = BLOCK * ITEMS };

static size_t case_n;
static lab_case_body *case_body;

static void one_scan(struct lab *lab) {
    lab_one(lab, case_n, BLOCK, case_body);
}

static void expect_diagnosis(lab_case_body *body, size_t n, fake_answer *answer, const char *id) {
    case_n = n;
    case_body = body;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_scan);
    fake_expect(document, "diagnosis", id);
}

/* Scans tiles, and adds to each what lies in so many tiles before it, and `own` times its own. */
static void scan_tiles(struct call_arg *args, size_t tile, size_t more, uint32_t own) {
    const int32_t *in = args[0].data;
    int32_t *out = args[4].data;
    size_t n = args[0].count;

    for (size_t first = 0; first < n; first += tile) {
        size_t from = first > more * tile ? first - more * tile : 0;
        size_t end = first + tile < n ? first + tile : n;
        uint32_t sum = 0;

        for (size_t i = from; i < first; i++)
            sum += (uint32_t)in[i];
        for (size_t i = first; i < end; i++)
            sum += own * (uint32_t)in[i];
        for (size_t i = first; i < end; i++)
            out[i] = (int32_t)(sum += (uint32_t)in[i]);
    }
}

FAKE_ANSWER(tiles_by_themselves) {
    (void)function;
    scan_tiles(args, TILE, 0, 0);
}

FAKE_ANSWER(with_the_last_total) {
    (void)function;
    scan_tiles(args, TILE, 1, 0);
}

FAKE_ANSWER(with_their_own_total) {
    (void)function;
    scan_tiles(args, TILE, 9, 1);
}

FAKE_ANSWER(ints_with_the_last_one) {
    (void)function;
    scan_tiles(args, 1, 1, 0);
}

FAKE_ANSWER(one_off) {
    (void)function;
    scan_tiles(args, TILE, 9, 0);
    ((int32_t *)args[4].data)[args[0].count / 2]++;
}

Test(diagnosis, tells_what_is_missing_from_a_tile) {
    expect_diagnosis(chain_case, 4 * TILE + 5, tiles_by_themselves, "tiles_alone");
    expect_diagnosis(chain_case, 4 * TILE + 5, with_the_last_total, "last_total_only");
    expect_diagnosis(look_back_case, 4 * TILE + 5, with_their_own_total, "own_total_added");
}

Test(diagnosis, knows_that_a_block_of_pass_along_has_one_int) {
    expect_diagnosis(ints_case, 9, ints_with_the_last_one, "last_total_only");
}

Test(diagnosis, claims_nothing_of_a_scan_that_it_does_not_know) {
    expect_diagnosis(chain_case, 4 * TILE + 5, one_off, NULL);
}

/* A finding of a scan of two tiles. */
#define FOUND(kind, place, here_does, here_block, other_does, other_block)                         \
    "{\"launches\":[{\"grid\":[2,1,1],\"block\":[32,1,1],\"shared_bytes\":128,\"counters\":{},"    \
    "\"lines\":[]}],\"findings\":[{\"kind\":\"" kind "\",\"place\":\"" place                       \
    "\",\"here\":{\"what\":\"" here_does "\",\"line\":9,\"block\":[" here_block                    \
    ",0,0],\"thread\":[0,0,0]},\"other\":{\"what\":\"" other_does                                  \
    "\",\"line\":5,\"block\":[" other_block ",0,0],\"thread\":[1,0,0]}}]}"

static void expect_found(const char *report, const char *id) {
    fake.report = report;
    expect_diagnosis(chain_case, 2 * TILE, one_off, id);
}

Test(diagnosis, tells_the_ticket_from_a_word) {
    expect_found(FOUND("global_race", "state[1]", "reads", "1", "writes", "0"), "no_fence");
    expect_found(FOUND("global_race", "state[0]", "reads", "1", "writes", "0"),
                 "ticket_not_atomic");
    expect_found(FOUND("global_race", "state[1]", "reads", "1", "writes", "1"), NULL);
    expect_found(FOUND("global_race", "out[1]", "reads", "1", "writes", "0"), NULL);
}

Test(diagnosis, tells_words_that_nobody_stored_from_other_memory) {
    expect_found(FOUND("uninitialised", "state[1]", "reads", "1", "", "0"), "state_not_cleared");
    expect_found(FOUND("uninitialised", "totals[1]", "reads", "1", "", "0"), NULL);
    expect_found(FOUND("deadlock", "state[1]", "waits", "1", "", "0"), "nobody_tells");
    expect_found(FOUND("shared_race", "mine", "reads", "0", "writes", "0"), "no_barrier");
}
