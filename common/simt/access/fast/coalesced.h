/*
 * The commonest loads and stores, without a step a lane: one element of 4 or 8 bytes a lane, where
 * the lanes' elements lie side by side, or all lanes load the same one.
 */
#pragma once

#include "common/simt/access/region/region.h"

/* False, and nothing has happened, where the lanes' elements lie in another way, and no shape
 * (shape.h) is found either. */
bool simt_load_stripe32(struct simt_sm *sm, const struct simt_insn *insn);
bool simt_load_stripe64(struct simt_sm *sm, const struct simt_insn *insn);
bool simt_store_stripe32(struct simt_sm *sm, const struct simt_insn *insn);
bool simt_store_stripe64(struct simt_sm *sm, const struct simt_insn *insn);
