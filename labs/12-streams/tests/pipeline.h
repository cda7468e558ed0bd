/* What the tests of lab 12 have in common: arguments, call and comparison of each function. The
 * block of a case is the chunk, in words. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "common/harness/lab.h"
#include "labs/12-streams/shapes.h"

enum flow_name { WHOLE, CHUNKS, COMBINE, STAGED, N_FLOWS };

/* A function of the lab. */
struct flow {
    const char *function;
    bool has_chunks, is_staged, is_combined;
    lab_case_body *run; /* a case of it, with streams drawn from n and the chunk */
};
extern const struct flow flows[N_FLOWS];

enum { FLOW_MAX_ARGS = 9, FLOW_ROUNDS = 3 };

/* A call: what it is given, and what it left. */
struct flow_call {
    const struct flow *flow;
    size_t n, chunk;
    unsigned n_streams, rounds;
    unsigned *a, *b, *out, *right;
    struct call_arg args[FLOW_MAX_ARGS];
    size_t n_args;
};

/* x after so many rounds. */
unsigned flow_mixed(unsigned x, unsigned rounds);

/* Works out what is right for the words of a and b. */
void flow_mix(struct flow_call *call);

/* Draws inputs of the running case, and fills in the arguments. */
void flow_prepare(struct lab *lab, struct flow_call *call, enum flow_name which,
                  const struct lab_case *c, unsigned n_streams, unsigned rounds);

/* Another chunk than the case has, which the buffers must have room for. */
void flow_set_chunk(struct lab *lab, struct flow_call *call, size_t chunk);

/* Calls and compares; true when the call went well and its result is right. */
bool flow_call(struct lab *lab, struct flow_call *call);

lab_diagnoser flow_diagnose;

#endif
