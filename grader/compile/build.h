/*
 * From a student's source file to a shared object, by nvcc, once: what was compiled stays in the
 * build folder under a name made of everything that it depends on.
 */
#pragma once

#include "common/base/digest.h"
#include "common/base/text.h"
#include "grader/machine/nvcc.h"
#include "grader/workbook/manifest.h"

#include "common/sandbox/sandbox.h"

struct build_request {
    const char *source;     /* the path as the student knows it: nvcc's messages show it */
    const char *lab_folder; /* has the lab's header */
    const char *root;       /* of the workbook */
    const char *build;      /* its build folder */
    const char *scratch;    /* for temporary files */
    const struct manifest *manifest;
    const struct nvcc *nvcc;
    const struct sandbox_tools *sandbox;
    bool is_foreign;  /* nvcc sees the one file alone, not what lies beside it */
    int major, minor; /* compute capability of the GPU, or 0: PTX alone */
    int interrupt_fd;
};

struct build_result {
    bool compiled;            /* false: there is nothing to run, see `reason` and `messages` */
    char reason[256];         /* why not: a sentence for the student */
    bool was_stopped;         /* nvcc came to its time limit */
    bool from_cache;          /* nothing had to be compiled */
    char *object;             /* path of the shared object, or NULL */
    char *bytes;              /* the source text */
    size_t n_bytes;           /* its length */
    char sha256[DIGEST_TEXT]; /* of the source text */
    char *messages;           /* nvcc's own, unchanged; "" where it said nothing */
    double ms;                /* that it took */
};

/* Compiles. GRADER_OK also where nothing that can run came of the source (compiled false then);
 * GRADER_BAD_INPUT where the source is no usable file, GRADER_FAILED where the compiler cannot run,
 * GRADER_INTERRUPTED. build_finish in each case. */
enum grader_status build_run(const struct build_request *request, struct build_result *result,
                             struct diag *diag);
void build_finish(struct build_result *result);
