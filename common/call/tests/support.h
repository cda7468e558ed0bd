/*
 * What the tests of the call share: a worker around submission.c and short arguments.
 */
#pragma once

#include "common/call/call.h"

/* Settings for submission.c on the stand-in runtime; paths come from the environment that Meson
 * sets. Ends the test where that is missing. */
struct call_settings support_settings(enum call_backend backend);

/* A worker with these settings. */
struct call_worker *support_open(enum call_backend backend);

struct call_arg support_buffer(enum call_kind kind, const char *name, void *data, size_t count,
                               size_t element_bytes);
struct call_arg support_size(size_t value);
struct call_arg support_i32(int32_t value);

/* The result of a test's last call. */
extern struct call_result last;
/* The same, emptied for the next call. */
struct call_result *support_anew(void);
/* Expects the outcome of the last call; where it is another, its message is told. */
void support_expect(enum call_outcome outcome);

/* Calls `function(int *out)` in a worker of its own and closes it. The caller clears `result`. */
enum call_outcome support_call(enum call_backend backend, const char *function, int timeout_ms,
                               struct call_result *result);

/* Calls `function(int *host)` and returns what it put there. */
int support_host(struct call_worker *worker, const char *function);

/* Skips the test where the machine has no sandbox. */
void support_need_sandbox(void);
