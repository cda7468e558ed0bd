/*
 * The entry points of submission.c; nobody calls them but the worker, by name.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

extern const int answer;
extern const char words[8];

int add_one(const int *in, size_t n, int *out);
int every_kind(uint64_t u64, int64_t i64, uint32_t u32, int32_t i32, float f32, double f64,
               const int16_t *in, double *inout, void *scratch, int *host);
int sixteen(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f, uint32_t g,
            uint32_t h, double i, double j, double k, double l, double m, double n, double o,
            int *host);
int do_nothing(int *out);
int count_calls(int *host);
int write_after(int *out, size_t n);
int write_before(int *out, size_t n);
int write_host_after(int *host, size_t n);
int change_input(int *in, size_t n);
int sum_large(int *in, size_t n, size_t changed, uint64_t *sum);
int fill_large(int *out, size_t n, size_t skipped);
int change_host(int *host, size_t n);
int sum_host(const int *host, size_t n, int *sum);
int sum_pinned(const int *in, size_t n, int *sum, int *registered);
int not_written(int *out);
int return_error(int *out);
int leave_pending(int *out);
int fail_on_device(int *out, int error);
int touch_device_memory(int *out);
int touch_simulated_memory(int *out);
int use_null(int *out);
int fail_assert(int *out);
int divide_by_zero(int *out);
int overflow_stack(int *out);
int kill_self(int *out);
int stop_self(int *out);
int exit_zero(int *out);
int quick_exit_three(int *out);
int spin(int *out);
int ignore_and_spin(int *out);
int eat_memory(int *out);
int hide_memory(int *out);
int flood(size_t bytes);
int flood_and_spin(int *out);
int print_escapes(int *out);
int print_and_crash(int *out);
int close_streams(int *out);
int close_all(int *out);
int send_own_answer(int *out);
int fork_and_return(int *host);
int fork_many(int *out);
int leave_in_group(const char *path, size_t n);
int leave_daemon(const char *path, size_t n);
int is_isolated(int *host);
int kill_all(int *out);
int attack_server(int *host);
int leave_traces(int *host);
int count_processes(int *host);
int show_environment(char *host, size_t n);
int count_descriptors(int *host);
int report(int *out, int which);

/* What report() makes the simulator say: one that is right, then ones that are not. */
#define SUBMISSION_REPORTS                                                                         \
    {                                                                                              \
        "{\"launches\":[{\"kernel\":\"k\"}],\"launches_dropped\":0,\"findings\":[]}",              \
            "launches: none", "[]", "{\"launches\":[1],\"findings\":[]}",                          \
            "{\"launches\":[],\"findings\":{}}",                                                   \
            "{\"launches\":[],\"launches\":[],\"findings\":[]}",                                   \
            "{\"launches\":[],\"findings\":[]} tail", "{\"launches\":[],\"findings\":[]"           \
    }
enum { SUBMISSION_N_REPORTS = 8, SUBMISSION_LARGE_REPORT = (16 << 20) + 1 };
