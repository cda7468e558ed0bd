/*
 * What is said of an access that comes before a copy is over: both sides, the place and two lines.
 */
#include "common/simt/checks/early.h"

#include <stdio.h>

#include "common/simt/access/region.h"

void simt_report_early(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_region *region, uint32_t lane, uint64_t offset,
                       const struct simt_side *other, const struct simt_early *early) {
    struct simt_side here = simt_side_here(sm, request->insn->index, lane, early->verb);
    if (simt_findings_again(sm->findings, SIMT_FINDING_SHARED_RACE, here.index, other->index))
        return;
    struct simt_text place =
        simt_place_text(sm, region, offset, ptx_type_bytes(request->insn->type));
    struct simt_text its = simt_thread_text(sm->grid, sm->block, other);
    its.text[0] = 't';
    char message[384];
    snprintf(message, sizeof message,
             "%.60s %s %.60s (%.30s) while the copy by %.60s%s (%s, %.30s) may still be %s: %s.",
             simt_thread_text(sm->grid, sm->block, &here).text, early->verb, place.text,
             simt_line_text(sm, here.index).text, its.text, early->where, early->opcode,
             simt_line_text(sm, other->index).text, early->state, early->reason);
    simt_findings_add(sm, SIMT_FINDING_SHARED_RACE, &here, other, place.text, message,
                      early->advice);
}
