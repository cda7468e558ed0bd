/*
 * Attempts to forge evidence: what a call has done, by the simulator's account. Each is a function
 * of forger.c, X(name, what must come of it):
 *
 *   RACE      a kernel with a race has run, and the report says so, whatever was tried
 *   NOTHING   the call is fine, no kernel has run, and no kernel has written the output
 *   PROTOCOL  the call is one that sent nonsense
 *   CRASH, TIMEOUT  it ended so
 */
#pragma once

#define FORGERIES(X)                                                                               \
    X(does_nothing_but_race, RACE)                                                                 \
    X(resets_the_report, RACE)                                                                     \
    X(switches_checks_off, RACE)                                                                   \
    X(takes_the_budget_away, RACE)                                                                 \
    X(patches_the_report, RACE)                                                                    \
    X(patches_the_count_of_findings, RACE)                                                         \
    X(replaces_the_first_bytes_of_all_its_runtime, CRASH)                                          \
    X(names_other_memory, RACE)                                                                    \
    X(frees_what_is_not_its_own, RACE)                                                             \
    X(launches_again_by_message, RACE)                                                             \
    X(sets_edits, RACE)                                                                            \
    X(races_in_another_thread, RACE)                                                               \
    X(writes_by_copy, NOTHING)                                                                     \
    X(writes_by_fill, NOTHING)                                                                     \
    X(writes_by_copies_on_the_device, NOTHING)                                                     \
    X(writes_by_message, NOTHING)                                                                  \
    X(writes_in_another_thread, NOTHING)                                                           \
    X(writes_through_managed_memory, NOTHING)                                                      \
    X(makes_the_output_managed, NOTHING)                                                           \
    X(lends_memory_at_the_output, NOTHING)                                                         \
    X(writes_to_its_shared_memory, NOTHING)                                                        \
    X(kills_all_that_it_sees, NOTHING)                                                             \
    X(looks_for_other_memory, NOTHING)                                                             \
    X(closes_its_link, TIMEOUT)                                                                    \
    X(asks_for_2_to_63_bytes, NOTHING)                                                             \
    X(follows_the_output, CRASH)                                                                   \
    X(starts_a_call, PROTOCOL)                                                                     \
    X(stops_a_call, PROTOCOL)                                                                      \
    X(resumes_the_simulator, PROTOCOL)                                                             \
    X(takes_the_report, PROTOCOL)                                                                  \
    X(moves_as_the_owner, PROTOCOL)                                                                \
    X(begins_a_call, PROTOCOL)                                                                     \
    X(shares_as_the_owner, PROTOCOL)                                                               \
    X(sends_no_request, PROTOCOL)                                                                  \
    X(sends_a_word, PROTOCOL)                                                                      \
    X(sends_nothing, PROTOCOL)                                                                     \
    X(sends_a_descriptor, PROTOCOL)                                                                \
    X(sends_too_much_for_its_kind, PROTOCOL)                                                       \
    X(reads_2_to_40_bytes, PROTOCOL)                                                               \
    X(launches_what_there_is_not, PROTOCOL)                                                        \
    X(launches_with_fewer_parameters, PROTOCOL)                                                    \
    X(launches_with_too_much_memory, PROTOCOL)                                                     \
    X(sends_more_ptx_than_it_said, PROTOCOL)                                                       \
    X(works_in_queue_99, PROTOCOL)                                                                 \
    X(answers_with_a_report, PROTOCOL)                                                             \
    X(answers_twice, PROTOCOL)
