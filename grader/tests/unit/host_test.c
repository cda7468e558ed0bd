/* Lines in the place of addresses; each test gives the lines of the addresses in their order. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "grader/grade/evidence/host.h"

static void expect(const char *host, const struct site *sites, const char *wanted) {
    json_auto_t *given = json_loads(host, 0, NULL);
    json_auto_t *right = json_loads(wanted, JSON_DECODE_ANY, NULL);
    json_auto_t *found = host_lines(given, sites);
    cr_assert(given && right);
    char *text = json_dumps(found, JSON_ENCODE_ANY);
    cr_expect(json_equal(found, right), "%s, not %s", text, wanted);
    free(text);
}

Test(host, has_the_lines_of_what_it_did) {
    const struct site sites[] = {{{38}, 1}, {{0}, 0}, {{148, 150}, 2}};
    expect("{\"did\": \"crashed\", \"sites\": [1, 2, 3], \"asked\": []}", sites,
           "{\"did\": \"crashed\", \"line\": 38, \"callers\": [148, 150], \"asked\": []}");
}

Test(host, has_the_lines_of_what_it_asked_and_of_who_called_them_once) {
    const struct site sites[] = {{{101}, 1},     {{86}, 1}, {{0}, 0},
                                 {{89, 117}, 2}, {{86}, 1}, {{117}, 1}};
    expect("{\"did\": \"copied\", \"sites\": [1], \"asked\": [{\"sites\": [2]}, "
           "{\"sites\": [3, 4]}, {\"sites\": [5, 6]}]}",
           sites, "{\"did\": \"copied\", \"line\": 101, \"callers\": [], \"asked\": [86, 89, 86]}");
    expect("{\"did\": \"asked\", \"sites\": [], \"asked\": [{\"sites\": [2]}, "
           "{\"sites\": [3, 4]}, {\"sites\": [5, 6]}]}",
           sites + 1,
           "{\"did\": \"asked\", \"line\": 86, \"callers\": [117], \"asked\": [86, 89, 86]}");
}

/* Part of them would look like all. */
Test(host, has_no_lines_of_what_it_asked_where_one_is_not_known) {
    const struct site sites[] = {{{0}, 0}, {{86}, 1}, {{0}, 0}};
    expect("{\"did\": \"copied\", \"sites\": [1], \"asked\": [{\"sites\": [2]}, {\"sites\": [3]}]}",
           sites, "null");
}

Test(host, keeps_what_it_did_where_nobody_knows_where) {
    expect("{\"did\": \"looped\", \"sites\": [], \"asked\": []}", NULL, "{\"did\": \"looped\"}");
}
