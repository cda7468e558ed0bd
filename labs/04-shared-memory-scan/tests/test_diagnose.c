/* The diagnoses that need no simulator: what comes out wrong is known by what it comes to. Each
 * answer here makes one mistake, in plain C, in place of a worker. */
#include <signal.h>
#include <string.h>

#include "common/harness/tests/fake_call.h"
#include "labs/common/scan/scan.h"

static size_t case_n;
static unsigned case_block;

static void one_scan(struct lab *lab) {
    lab_one(lab, case_n, case_block, scan_case);
}

static void expect_diagnosis(size_t n, unsigned block, fake_answer *answer, const char *id) {
    case_n = n;
    case_block = block;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_scan);
    fake_expect(document, "diagnosis", id);
}

/* Scans each `tile` ints by themselves, and those from `end` on not at all. */
static void scan_tiles(struct call_arg *args, const char *function, size_t tile, size_t end) {
    bool exclusive = strcmp(function, "scan_exclusive") == 0;
    const int32_t *in = args[0].data;
    int32_t *out = args[4].data;
    size_t n = args[0].count;

    for (size_t i = 0; i < n; i += tile)
        scan_reference(in + i, n - i < tile ? n - i : tile, exclusive, out + i);
    for (size_t i = end; i < n; i++)
        out[i] = 0x5a5a5a5a;
}

FAKE_ANSWER(tiles_of_64) {
    scan_tiles(args, function, 64, SIZE_MAX);
}

FAKE_ANSWER(first_256) {
    scan_tiles(args, function, SIZE_MAX, 256);
}

FAKE_ANSWER(always_inclusive) {
    scan_reference(args[0].data, args[0].count, false, args[4].data);
}

FAKE_ANSWER(always_exclusive) {
    scan_reference(args[0].data, args[0].count, true, args[4].data);
}

FAKE_ANSWER(no_zero_at_0) {
    scan_tiles(args, function, SIZE_MAX, SIZE_MAX);
    if (strcmp(function, "scan_exclusive") == 0)
        ((int32_t *)args[4].data)[0] = 0x5a5a5a5a;
}

FAKE_ANSWER(each_with_its_own_total) {
    const int32_t *in = args[0].data;
    int32_t *out = args[4].data;

    scan_tiles(args, function, SIZE_MAX, SIZE_MAX);
    for (size_t first = 0; first < args[0].count; first += 64) {
        int32_t total = 0;

        for (size_t i = first; i < first + 64; i++)
            total += in[i];
        for (size_t i = first; i < first + 64; i++)
            out[i] += total;
    }
}

FAKE_ANSWER(last_int_of_tiles_lost) {
    int32_t *out = args[4].data, lost = 0;

    scan_tiles(args, function, SIZE_MAX, SIZE_MAX);
    for (size_t i = 0; i < args[0].count; i++) {
        if (i > 0 && i % 64 == 0)
            lost += ((const int32_t *)args[0].data)[i - 1];
        out[i] -= lost;
    }
}

FAKE_ANSWER(one_off) {
    scan_tiles(args, function, SIZE_MAX, SIZE_MAX);
    ((int32_t *)args[4].data)[args[0].count / 2]++;
}

Test(diagnosis, tells_the_two_forms_apart) {
    expect_diagnosis(100, 32, always_inclusive, "inclusive_for_exclusive");
    expect_diagnosis(100, 32, always_exclusive, "exclusive_for_inclusive");
}

Test(diagnosis, knows_a_forgotten_zero) {
    expect_diagnosis(100, 32, no_zero_at_0, "no_identity");
}

Test(diagnosis, tells_tiles_alone_from_totals_in_one_level) {
    expect_diagnosis(512, 64, tiles_of_64, "totals_not_added");
    expect_diagnosis(512, 16, tiles_of_64, "totals_not_added"); /* four ints a thread */
    expect_diagnosis(512, 8, tiles_of_64, "single_level");
}

Test(diagnosis, knows_what_was_added_too_much_or_too_little) {
    expect_diagnosis(512, 64, each_with_its_own_total, "totals_inclusive");
    expect_diagnosis(512, 64, last_int_of_tiles_lost, "exclusive_totals");
}

Test(diagnosis, drops_no_tile_that_the_grid_has) {
    fake.report = "{\"launches\":[{\"grid\":[5,1,1],\"block\":[64,1,1]}]}";
    expect_diagnosis(300, 64, first_256, NULL);
}

/* A finding of a scan of 100 ints in blocks of 32: four steps and the load; five lines, of which
 * the third fills temp, the fifth reads, the sixth waits, and the seventh writes. */
#define FOUND(barriers, kind, place, what, line, block, thread, other)                             \
    "{\"launches\":[{\"grid\":[4,1,1],\"block\":[32,1,1],\"shared_bytes\":128,"                    \
    "\"dynamic_bytes\":128,\"counters\":{\"barriers\":" barriers "},\"lines\":["                   \
    "{\"line\":3,\"counters\":{\"shared_stores\":4}},"                                             \
    "{\"line\":5,\"counters\":{\"shared_loads\":20}},"                                             \
    "{\"line\":6,\"counters\":{\"barriers\":20}},"                                                 \
    "{\"line\":7,\"counters\":{\"shared_stores\":20,\"warp_instructions\":20,"                     \
    "\"thread_instructions\":640}}]}],"                                                            \
    "\"findings\":[{\"kind\":\"" kind "\",\"place\":\"" place "\",\"here\":{\"what\":\"" what      \
    "\",\"line\":" line ",\"block\":[" block ",0,0],\"thread\":[" thread ",0,0]},\"other\":" other \
    "}]}"
#define OTHER(what, line)                                                                          \
    "{\"what\":\"" what "\",\"line\":" line ",\"block\":[0,0,0],\"thread\":[1,0,0]}"

static void expect_found(const char *report, const char *id) {
    fake.report = report;
    expect_diagnosis(100, 32, first_256, id);
}

Test(diagnosis, tells_a_race_by_where_the_barrier_stands) {
    expect_found(FOUND("0", "shared_race", "temp[1]", "reads", "5", "0", "2", OTHER("writes", "7")),
                 "no_barrier");
    expect_found(
        FOUND("20", "shared_race", "temp[1]", "reads", "5", "0", "2", OTHER("writes", "3")),
        "barrier_missing_after_load");
    expect_found(
        FOUND("24", "shared_race", "temp[1]", "reads", "5", "0", "2", OTHER("writes", "7")),
        "barrier_missing_after_write");
    expect_found(
        FOUND("40", "shared_race", "temp[1]", "reads", "5", "0", "2", OTHER("writes", "7")),
        NULL); /* two in each step */
    expect_found(
        FOUND("24", "shared_race", "temp[1]", "reads", "7", "0", "2", OTHER("writes", "7")),
        "reads_and_writes_at_once");
    expect_found(
        FOUND("24", "shared_race", "temp[1]", "writes", "7", "0", "2", OTHER("writes", "7")), NULL);
}

Test(diagnosis, tells_levels_in_one_place_by_who_writes_there) {
    expect_found(
        FOUND("24", "global_race", "scratch[1]", "writes", "9", "1", "2", OTHER("reads", "5")),
        "totals_in_place");
    expect_found(
        FOUND("24", "global_race", "scratch[1]", "writes", "9", "0", "2", OTHER("writes", "8")),
        "totals_in_place");
    expect_found(
        FOUND("24", "global_race", "scratch[1]", "writes", "9", "0", "2", OTHER("writes", "9")),
        NULL);
    expect_found(FOUND("24", "global_race", "out[1]", "writes", "9", "1", "2", OTHER("reads", "5")),
                 NULL);
}

/* Thread 2 of block 1 has element 34; line 7 is run by all threads, line 9 by few. */
Test(diagnosis, takes_no_element_stored_one_place_on_for_a_total) {
    expect_found(
        FOUND("24", "global_race", "scratch[35]", "writes", "7", "1", "2", OTHER("reads", "5")),
        NULL);
    expect_found(
        FOUND("24", "global_race", "scratch[35]", "writes", "9", "1", "2", OTHER("reads", "5")),
        "totals_in_place");
}

/* One launch has scanned no totals. */
Test(diagnosis, raises_no_tile_by_a_total_that_was_not_scanned) {
    fake.report = "{\"launches\":[{\"grid\":[1,1,1],\"block\":[64,1,1]}]}";
    expect_diagnosis(64, 64, each_with_its_own_total, NULL);
    fake.report = "{\"launches\":[{\"grid\":[1,1,1],\"block\":[64,1,1]},"
                  "{\"grid\":[1,1,1],\"block\":[64,1,1]}]}";
    expect_diagnosis(64, 64, each_with_its_own_total, "totals_inclusive");
}

Test(diagnosis, tells_accesses_by_their_place) {
    expect_found(FOUND("24", "out_of_bounds", "in[100]", "reads", "5", "3", "4", "null"),
                 "reads_past_the_end");
    expect_found(FOUND("24", "out_of_bounds", "in[100]", "reads", "5", "0", "4", "null"), NULL);
    expect_found(FOUND("24", "out_of_bounds", "temp[-1]", "reads", "5", "0", "0", "null"),
                 "left_of_the_block");
    expect_found(FOUND("24", "out_of_bounds", "temp[32]", "reads", "5", "0", "31", "null"), NULL);
}

/* Of 100 ints, block 3 has four. */
/* The first tiles alone are right, by chance. */
Test(diagnosis, drops_no_tile_where_nothing_was_launched) {
    fake.report = "{\"launches\":[]}";
    expect_diagnosis(300, 64, first_256, "nothing_launched");
}

Test(diagnosis, tells_a_word_of_no_int_from_one_that_has) {
    expect_found(FOUND("24", "uninitialised", "temp[4]", "reads", "5", "3", "5", "null"),
                 "tail_not_zeroed");
    expect_found(FOUND("24", "uninitialised", "temp[3]", "reads", "5", "3", "5", "null"), NULL);
    expect_found(FOUND("24", "uninitialised", "temp[35]", "reads", "5", "3", "5", "null"), NULL);
    expect_found(FOUND("24", "uninitialised", "temp[4]", "reads", "5", "1", "5", "null"), NULL);
}

Test(diagnosis, knows_a_dropped_tail) {
    expect_diagnosis(300, 64, first_256, "dropped_partial_tile");
}

Test(diagnosis, claims_nothing_of_a_scan_that_it_does_not_know) {
    expect_diagnosis(300, 64, one_off, NULL);
}

Test(diagnosis, knows_empty_inputs) {
    expect_diagnosis(0, 256, fake_refuse, "empty_input_not_handled");
    expect_diagnosis(100, 256, fake_refuse, "dropped_partial_tile");
    fake.words = "it returned an error: Too many bytes of shared memory in a block …";
    expect_diagnosis(100, 256, fake_refuse, NULL);
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(8, 8, fake_crash, "device_pointer_on_host");
    fake.words = "it was killed by signal 11: a null pointer (address 0x0)";
    expect_diagnosis(8, 8, fake_crash, NULL);
}
