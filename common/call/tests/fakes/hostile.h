/*
 * The lies of hostile_worker.c, and what each must come to. A worker that is about to load, or has
 * loaded, student code can do all of this. `words` is part of the client's message.
 */
#pragma once

/* X(name, outcome of the call, words) */
#define HOSTILE_CASES(X)                                                                           \
    X(nothing_wrong, OK, "")                                                                       \
    X(never_opens, INFRASTRUCTURE, "")                                                             \
    X(one_byte, PROTOCOL, "shorter than a header")                                                 \
    X(half_a_header, PROTOCOL, "shorter than a header")                                            \
    X(header_alone, PROTOCOL, "length is not that of its kind")                                    \
    X(one_byte_less, PROTOCOL, "length is not that of its kind")                                   \
    X(one_byte_more, PROTOCOL, "length is not that of its kind")                                   \
    X(longer_than_any, PROTOCOL, "longer than any message")                                        \
    X(text, PROTOCOL, "does not start as a message does")                                          \
    X(zeros, PROTOCOL, "does not start as a message does")                                         \
    X(other_magic, PROTOCOL, "does not start as a message does")                                   \
    X(other_version, PROTOCOL, "another version")                                                  \
    X(sequence_before, PROTOCOL, "answers another request")                                        \
    X(sequence_after, PROTOCOL, "answers another request")                                         \
    X(claims_4_gib, PROTOCOL, "length is not that of its kind")                                    \
    X(echo, PROTOCOL, "not the answer that was due")                                               \
    X(prepared_untimed, PROTOCOL, "not the answer that was due")                                   \
    X(kind_zero, PROTOCOL, "not the answer that was due")                                          \
    X(kind_out_of_range, PROTOCOL, "not the answer that was due")                                  \
    X(outcome_out_of_range, PROTOCOL, "not one that can be claimed")                               \
    X(outcome_negative, PROTOCOL, "not one that can be claimed")                                   \
    X(claims_our_failure, PROTOCOL, "not one that can be claimed")                                 \
    X(claims_crash, PROTOCOL, "not one that can be claimed")                                       \
    X(claims_load_failed, PROTOCOL, "not one that can be claimed")                                 \
    X(ok_with_error, PROTOCOL, "an error and success at once")                                     \
    X(ok_with_return, PROTOCOL, "an error and success at once")                                    \
    X(negative_error, PROTOCOL, "CUDA error is negative")                                          \
    X(endless_message, PROTOCOL, "text has no end")                                                \
    X(endless_error_name, PROTOCOL, "text has no end")                                             \
    X(report_of_4_gib, PROTOCOL, "report is larger than its place")                                \
    X(report_one_byte_too_long, PROTOCOL, "report is larger than its place")                       \
    X(report_all_zeros, PROTOCOL, "no text")                                                       \
    X(report_not_json, PROTOCOL, "no JSON")                                                        \
    X(report_cut_short, PROTOCOL, "no JSON")                                                       \
    X(report_nested_deep, PROTOCOL, "more objects and lists than")                                 \
    X(report_not_utf8, PROTOCOL, "no JSON")                                                        \
    X(report_without_lists, PROTOCOL, "no list of launches")                                       \
    X(report_with_odd_edits, PROTOCOL, "list of edits is none")                                    \
    X(report_of_many_objects, PROTOCOL, "more objects and lists than")                             \
    X(report_of_many_numbers, PROTOCOL, "more values than")                                        \
    X(report_of_many_findings, PROTOCOL, "more launches or findings than")                         \
    X(keeps_two_reports, PROTOCOL, "keeps a report that there can't be")                           \
    X(refuses_no_such_call, PROTOCOL, "names a call that can't be refused")                        \
    X(keeps_report_again, PROTOCOL, "keeps a report that there can't be")                          \
    X(kept_report_not_json, PROTOCOL, "no JSON")                                                   \
    X(kept_report_of_4_gib, PROTOCOL, "report is larger than its place")                           \
    X(time_of_untimed, PROTOCOL, "a time that nobody asked for")                                   \
    X(time_infinite, PROTOCOL, "a time that nobody asked for")                                     \
    X(brings_descriptor, PROTOCOL, "brings a descriptor along")                                    \
    X(brings_many_descriptors, PROTOCOL, "brings a descriptor along")                              \
    X(crash_of_no_signal, PROTOCOL, "signal does not exist")                                       \
    X(crash_of_signal_65, PROTOCOL, "signal does not exist")                                       \
    X(crash_at_argument_99, PROTOCOL, "argument does not exist")                                   \
    X(crash_with_odd_flag, PROTOCOL, "flag is neither yes nor no")                                 \
    X(crash_endless_place, PROTOCOL, "text has no end")                                            \
    X(crash_then_exit, EXITED, "status 7")                                                         \
    X(escapes_in_message, CUDA_ERROR, "?[2Jred")                                                   \
    X(silence, TIMEOUT, "did not come back")                                                       \
    X(answer_then_death, OK, "")                                                                   \
    X(floods_and_dies, EXITED, "status 9")                                                         \
    X(claims_timeout_on_gpu, PROTOCOL, "not one that can be claimed")                              \
    X(report_on_gpu, PROTOCOL, "report is larger than its place")

/* Good reports, but for their length. */
#define HOSTILE_LONG_CASES(X) X(report_of_long_texts, OK, "")

/* Whether a second answer is noticed with the first or before the next call is a matter of time. */
#define HOSTILE_DOUBLE_CASES(X)                                                                    \
    X(answers_twice, PROTOCOL, "")                                                                 \
    X(answers_ten_times, PROTOCOL, "")

/* Lies that are sure only after a while. */
#define HOSTILE_CLOSING_CASES(X)                                                                   \
    X(closes_early, PROTOCOL, "closed its connection")                                             \
    X(shuts_down, PROTOCOL, "closed its connection")                                               \
    X(empty_packet, PROTOCOL, "closed its connection")                                             \
    X(crash_that_lives, PROTOCOL, "reports its own death and lives on")

/* Lies about timed calls. */
#define HOSTILE_TIMED_CASES(X)                                                                     \
    X(timed_well, OK, "")                                                                          \
    X(ran_before_prepared, PROTOCOL, "not the answer that was due")                                \
    X(reply_before_prepared, PROTOCOL, "ends a step that had to come first")                       \
    X(reply_before_ran, PROTOCOL, "ends a step that had to come first")                            \
    X(time_missing, PROTOCOL, "not a number of milliseconds")                                      \
    X(time_negative, PROTOCOL, "not a number of milliseconds")                                     \
    X(time_longer_than_call, PROTOCOL, "longer than the call took")

/* Lies about the device and before student code is loaded: our own failure. */
#define HOSTILE_DEVICE_CASES(X)                                                                    \
    X(device_well, OK, "")                                                                         \
    X(device_without_sm, INFRASTRUCTURE, "describes no device")                                    \
    X(device_endless_name, INFRASTRUCTURE, "describes no device")                                  \
    X(device_more_free_than_there, INFRASTRUCTURE, "more memory free than there is")               \
    X(device_peak_nan, INFRASTRUCTURE, "no number")                                                \
    X(device_clock_negative, INFRASTRUCTURE, "no number")                                          \
    X(device_garbage, INFRASTRUCTURE, "sent nonsense")
