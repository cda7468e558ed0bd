#include "grader/grade/evidence/host.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/owned.h"
#include "grader/grade/record.h"
#include "grader/grade/source/assignments.h"
#include "grader/grade/source/guards.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"

/* How many addresses the host's code of a test comes with, which stand before those of `asked`, or
 * one of these. */
static size_t count_sites(const json_t *host) {
    return json_array_size(json_object_get(host, "sites"));
}

static size_t count_all(const json_t *host) {
    const json_t *asked = json_object_get(host, "asked");
    size_t n = count_sites(host);
    for (size_t i = 0; i < json_array_size(asked); i++)
        n += count_sites(json_array_get(asked, i));
    return n;
}

static void add_line(json_t *lines, unsigned line) {
    json_array_append_new(lines, json_integer(line));
}

/* The lines of a chain of calls, the innermost first. */
static json_t *lines_of(const struct site *sites, size_t n) {
    json_t *lines = json_array();
    for (size_t k = 0; k < n; k++)
        for (unsigned i = 0; i < sites[k].n_lines; i++)
            add_line(lines, sites[k].lines[i]);
    return lines;
}

/* The innermost lines of what the code asked of the device, and to `callers` those that led there;
 * `sites` has each one's addresses. Empty where one of them is not known. */
static json_t *asked_lines(const json_t *host, const struct site *sites, json_t *callers) {
    json_t *asked = json_array();
    const json_t *list = json_object_get(host, "asked");
    bool is_known = true;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const size_t n = count_sites(json_array_get(list, i));
        json_auto_t *lines = lines_of(sites, n);
        sites += n;
        is_known &= json_array_size(lines) > 0;
        for (size_t k = 0; k < json_array_size(lines); k++) {
            const unsigned line = (unsigned)json_integer_value(json_array_get(lines, k));
            if (k == 0 || !lines_have(callers, line, line))
                add_line(k == 0 ? asked : callers, line);
        }
    }
    if (!is_known) {
        json_array_clear(asked);
        json_array_clear(callers);
    }
    return asked;
}

/* Where the simulator had no address to tell, only what the code did is left: setters.c looks for
 * lines. */
json_t *host_lines(const json_t *host, const struct site *sites) {
    const size_t n = count_sites(host);
    json_auto_t *lines = lines_of(sites, n), *callers = json_array();
    json_auto_t *asked = asked_lines(host, sites + n, callers);
    const char *did = record_text(host, "did");
    if (json_array_size(lines) > 0) {
        json_auto_t *line = json_incref(json_array_get(lines, 0));
        json_array_remove(lines, 0);
        return json_pack("{s:s, s:O, s:O, s:O}", "did", did, "line", line, "callers", lines,
                         "asked", asked);
    }
    if (json_array_size(asked) > 0)
        return json_pack("{s:s, s:O, s:O, s:O}", "did", "asked", "line", json_array_get(asked, 0),
                         "callers", callers, "asked", asked);
    return n == 0 ? json_pack("{s:s}", "did", did) : json_null();
}

/* Addresses that lines are wanted for. */
struct addresses {
    uint64_t *list;
    size_t n;
};

static void add_sites(const json_t *sites, struct addresses *addresses) {
    for (size_t i = 0; i < json_array_size(sites); i++) {
        const json_t *site = json_array_get(sites, i);
        addresses->list = grow_list(addresses->list, addresses->n, sizeof *addresses->list);
        addresses->list[addresses->n++] = (uint64_t)json_integer_value(site);
    }
}

static void add_host(const json_t *host, struct addresses *addresses) {
    const json_t *asked = json_object_get(host, "asked");
    add_sites(json_object_get(host, "sites"), addresses);
    for (size_t i = 0; i < json_array_size(asked); i++)
        add_sites(json_object_get(json_array_get(asked, i), "sites"), addresses);
}

void host_find_lines(json_t *tests, const struct sites_request *request) {
    struct addresses addresses = {.n = 0};
    size_t index;
    json_t *test;
    json_array_foreach(tests, index, test) {
        add_host(json_object_get(test, "host"), &addresses);
    }
    OWNED struct site *sites = make_zeroed(addresses.n + 1, sizeof *sites);
    sites_find(request, addresses.list, addresses.n, sites);
    const struct site *next = sites;
    json_array_foreach(tests, index, test) {
        const json_t *host = json_object_get(test, "host");
        const size_t n = count_all(host);
        if (json_is_object(host))
            json_object_set_new(test, "host", host_lines(host, next));
        next += n;
    }
    free(addresses.list);
}

/* Of a call whose error was lost: the lines where it should have been looked at, behind the call
 * and behind the calls that led there. */
static void add_questions(json_t *test, const char *source) {
    json_t *host = json_object_get(test, "host"), *diagnosis = json_object_get(test, "diagnosis");
    if (strcmp(record_text(host, "did"), "failed") != 0 ||
        !strstr(record_text(diagnosis, "id"), "_error_swallowed"))
        return;
    json_t *lines = lines_after(source, (unsigned)record_count(host, "line")), *caller;
    size_t index;
    json_array_foreach(json_object_get(host, "callers"), index, caller) {
        json_auto_t *behind = lines_after(source, (unsigned)json_integer_value(caller));
        json_array_extend(lines, behind);
    }
    json_object_set_new(diagnosis, "lines", lines_in_order(lines));
}

/* Gives a test some lines as the host's code that it is about, where there are any. Takes `lines`.
 */
static void point_to_host(json_t *test, const char *did, json_t *lines) {
    json_t *line = json_array_get(lines, 0);
    if (line) {
        json_t *host = json_pack("{s:s, s:O}", "did", did, "line", line);
        json_array_remove(lines, 0);
        json_object_set(host, "callers", lines);
        json_object_set_new(test, "host", host);
    }
    json_decref(lines);
}

/* The lines that refuse a call, with their conditions. */
static json_t *lines_of_refusals(const char *source, const char *function) {
    json_auto_t *none = json_array();
    json_t *lines = lines_of_words(source, "cudaErrorInvalidValue", function, none);
    return lines_with_guards(source, lines_in_order(lines));
}

/* Around the lines that ask the device for something, or the call that failed, and the calls that
 * led there: the conditions that decide whether they run, and the lines that set what they hand
 * over. Where the latter are many, those of the calls alone. */
static void add_conditions(json_t *host, const char *source) {
    enum { MOST = 4, MOST_MADE = 6 };
    const json_t *callers = json_object_get(host, "callers");
    json_t *asked = json_object_get(host, "asked");
    const bool is_of_error = strcmp(record_text(host, "did"), "failed") == 0;
    if (json_array_size(asked) == 0 && !is_of_error)
        return;
    json_t *both = json_copy(asked);
    if (is_of_error)
        json_array_append(both, json_object_get(host, "line"));
    json_array_extend(both, (json_t *)callers);
    json_auto_t *lines = lines_in_order(both); /* in a loop the same line asks many times */
    json_t *guards = lines_in_order(lines_of_guards(source, lines));
    json_object_set_new(host, "conditions", lines_at_most(guards, MOST));
    json_t *made = lines_made_of(source, lines);
    if (json_array_size(made) > MOST_MADE) {
        json_decref(made);
        made = lines_made_of(source, callers);
    }
    json_object_set_new(host, "made", lines_at_most(made, MOST_MADE));
}

/* Of a call that should have been refused: the lines that do so; what the device said later of such
 * a call is beside the point. Of one that the simulator saw the function alone refuse: the same. Of
 * one that never came back there: where loops begin, and what leaves them. */
static void add_lines_of_end(json_t *test, const char *source) {
    const char *reason = record_text(test, "reason");
    const char *did = record_text(json_object_get(test, "host"), "did");
    OWNED char *function = record_function(test);
    if (strstr(reason, " must return cudaErrorInvalidValue for "))
        point_to_host(test, "accepted", lines_of_refusals(source, function));
    else if (strcmp(did, "returned") == 0 && strstr(reason, " returned cudaErrorInvalidValue "))
        point_to_host(test, "returned", lines_of_refusals(source, function));
    else if (strcmp(did, "looped") == 0 && strstr(reason, " did not come back "))
        point_to_host(test, "looped", lines_of_loops(source, function));
    if (record_count(json_object_get(test, "host"), "line") == 0)
        json_object_set_new(test, "host", json_null());
    add_conditions(json_object_get(test, "host"), source);
}

void host_add_lines(json_t *test, const char *source) {
    add_questions(test, source);
    add_lines_of_end(test, source);
}
