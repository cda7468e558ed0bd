/* Where a technique check's count comes from. */
#include <criterion/criterion.h>

#include "common/base/owned.h"
#include "grader/grade/evidence/counted.h"
#include "grader/grade/record.h"

static const char source[] = "__global__ void add(const int *in, size_t n, int *out) {\n" /* 1 */
                             "    size_t stride = gridDim.x;\n"                           /* 2 */
                             "    for (size_t i = 0; i < n; i += stride)\n"               /* 3 */
                             "        out[i] = in[i];\n"                                  /* 4 */
                             "    if (n == 7)\n"                                          /* 5 */
                             "        out[0] = in[n];\n"                                  /* 6 */
                             "}\n"                                                        /* 7 */
                             "int sum(const int *in, size_t n, int *out) {\n"             /* 8 */
                             "    unsigned blocks = n / 64;\n"                            /* 9 */
                             "    add<<<blocks, 64>>>(in, n, out);\n"                     /* 10 */
                             "    return 0;\n"                                            /* 11 */
                             "}\n";

/* One check of a test with two launches, in which line 4 loads 60 times, line 6 36 times, and line
 * 2 and another file 4. */
static json_t *checked(const char *what, int holds) {
    static const char lines[] =
        "[{\"file\": \"sum.cu\", \"line\": 4, \"counters\": {\"global_loads\": 30, "
        "\"global_stores\": 8}}, {\"file\": "
        "\"sum.cu\", \"line\": 6, \"counters\": {\"global_loads\": 18}}, {\"file\": \"sum.cu\", "
        "\"line\": 2, \"counters\": {\"global_loads\": 1, \"barriers\": 0}}, {\"file\": "
        "\"other.h\", "
        "\"line\": 5, \"counters\": {\"global_loads\": 1}}]";
    json_t *launch =
        json_pack("{s:s, s:{s:i, s:i}, s:o}", "kernel", "add", "counters", "global_loads", 50,
                  "global_stores", 8, "lines", json_loads(lines, 0, NULL));
    json_auto_t *lab = json_pack("{s:s}", "source", "sum.cu");
    json_auto_t *test = json_pack("{s:[O, o], s:[{s:s, s:b}]}", "launches", launch, launch,
                                  "technique", "what", what, "holds", holds);
    counted_add_lines(lab, test, source);
    return json_incref(json_array_get(json_object_get(test, "technique"), 0));
}

static void expect(json_t *check, const char *shares, const char *lines) {
    OWNED char *got_shares = json_dumps(json_object_get(check, "shares"), JSON_COMPACT);
    OWNED char *got_lines = json_dumps(json_object_get(check, "lines"), JSON_COMPACT);
    cr_expect_str_eq(got_shares, shares);
    cr_expect_str_eq(got_lines, lines);
    json_decref(check);
}

Test(counted, names_the_lines_with_most_their_conditions_and_what_makes_them) {
    expect(checked("load requests of warps", 0), "[[4,60],[6,36]]", "[2,3,4,5,6]");
}

Test(counted, names_the_launch_of_a_grid) {
    expect(checked("blocks of the first launch", 0), "[]", "[9,10]");
}

Test(counted, says_nothing_of_what_holds_was_never_done_or_is_not_known) {
    expect(checked("load requests of warps", 1), "[]", "[]");
    expect(checked("barriers of a warp", 0), "[]", "[]");
    expect(checked("percent of the copy", 0), "[]", "[]");
}

Test(counted, tells_stores_to_shared_memory_from_others) {
    expect(checked("stores (one a block)", 0), "[[4,100]]", "[2,3,4]");
    expect(checked("stores to shared memory", 0), "[]", "[]");
}
