/* The diagnoses that need no simulator: what comes out wrong is known by what it comes to. Each
 * answer here makes one mistake, in plain C, in place of a worker. */
#include <signal.h>
#include <string.h>

#include "common/harness/tests/fake_call.h"
#include "labs/04-shared-memory-scan/tests/scan_case.h"

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

FAKE_ANSWER(refuse) {
    result->outcome = CALL_CUDA_ERROR;
    result->returned = 9;
}

FAKE_ANSWER(crash) {
    result->outcome = CALL_CRASH;
    result->signal = SIGSEGV;
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

Test(diagnosis, knows_a_dropped_tail) {
    expect_diagnosis(300, 64, first_256, "dropped_partial_tile");
}

Test(diagnosis, claims_nothing_of_a_scan_that_it_does_not_know) {
    expect_diagnosis(300, 64, one_off, NULL);
}

Test(diagnosis, knows_empty_inputs) {
    expect_diagnosis(0, 256, refuse, "empty_input_not_handled");
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(8, 8, crash, "device_pointer_on_host");
}
