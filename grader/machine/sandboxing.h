/*
 * Whether what is graded runs in a sandbox. A file from elsewhere (`grade PATH`) must, unless
 * --no-sandbox says otherwise; the workbook's own files (labs/, solutions/) do where this machine
 * lets us, and with limits alone where it does not.
 */
#pragma once

#include "common/base/text.h"
#include "common/sandbox/sandbox.h"
#include "grader/workbook/workbook.h"

/* What the command line says of it. */
struct sandboxing_request {
    const char *stranger; /* a path from the command line that may be anybody's, or NULL */
    bool is_off;          /* --no-sandbox */
    bool is_container;    /* this machine is for one submission alone */
};

struct sandboxing {
    bool is_foreign;            /* what is graded may be anybody's */
    struct sandbox_tools tools; /* for call.h and sandbox.h; the strings are ours */
    char *problem;              /* why there is no sandbox, or NULL */
};

/* Chooses. GRADER_FAILED with the reason where a sandbox is needed and cannot be had.
 * sandboxing_finish in each case. */
enum grader_status sandboxing_choose(const struct sandboxing_request *request,
                                     const struct workbook *book, struct sandboxing *sandboxing,
                                     struct diag *diag);
void sandboxing_finish(struct sandboxing *sandboxing);

/* What to do where there is no sandbox: a few whole sentences. */
extern const char sandboxing_remedy_text[];
