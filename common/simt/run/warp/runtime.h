/*
 * Functions of the device's runtime that PTX calls but does not define, and what they print: kept
 * until the host asks for it.
 */
#pragma once

#include "common/simt/state/module.h"

struct simt_sm;
struct simt_split;

void simt_output_close(struct simt_output *output);

/* All lanes of the split call a function of the runtime. */
void simt_built_in(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn,
                   enum simt_builtin builtin);
