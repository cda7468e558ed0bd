/*
 * The simulator beside the worker, as the client's calls use it. The client makes the buffers in it
 * and reads from it what a call has left: the worker, in which student code runs, gets addresses
 * alone. Its answers are looked at as the worker's are, since it parses what students send it.
 */
#pragma once

#include "common/call/client/session.h"

/* Makes the buffers of worker->call, fills them, and has launches recorded from here on; sets their
 * addresses in worker->call. On false `result` says why, and the worker is ended where it has to
 * be. */
bool simulator_prepare(struct call_worker *worker, struct call_arg *args,
                       struct call_result *result);

/* The call is over: from here on the simulator listens to the client alone. Brings what
 * share_collect looks at, unless the worker's reply says that the call failed, and the report where
 * there is something in it. False as above. */
bool simulator_finish(struct call_worker *worker, bool is_ok, struct call_result *result);

/* Gives large outputs to their owners, part by part, after simulator_finish. False as above. */
bool simulator_fetch(struct call_worker *worker, const struct call_arg *args,
                     struct call_result *result);

/* Copies the report to the shared memory and sets its length. False as above. */
bool simulator_report(struct call_worker *worker, uint64_t *bytes, struct call_result *result);

/* Who stored a byte of an argument last: call_last_writer. Unknown where the simulator fails, too.
 */
struct call_writer simulator_last_writer(struct call_worker *worker, size_t arg, uint64_t at);

/* Lets the worker use the simulator again, between calls. False as above. */
bool simulator_resume(struct call_worker *worker, struct call_result *result);
