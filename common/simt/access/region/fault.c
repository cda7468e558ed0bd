/*
 * Accesses that stop a kernel, and addresses in the program's own words.
 */
#include "common/simt/access/region/region.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/simt/state/module.h"
#include "common/simt/state/findings.h"

/* The shared variable at or before an offset, of a negative one the first; NULL when there is none.
 */
static const struct simt_placed *find_placed(const struct simt_sm *sm, int64_t offset) {
    const struct simt_placed *best = NULL;
    for (uint32_t i = 0; i < sm->program->n_shared; i++) {
        const struct simt_placed *placed = &sm->program->shared[i];
        if (offset < 0 ? !best || placed->offset < best->offset
                       : placed->offset <= offset && (!best || placed->offset >= best->offset))
            best = placed;
    }
    return best;
}

/* Offsets in shared memory have 32 bits: the upper half of them are those before its beginning. */
static int64_t signed_offset(uint64_t offset) {
    const uint64_t above = offset >> 31;
    return above == 1 || above == UINT64_MAX >> 31 ? (int32_t)(uint32_t)offset : (int64_t)offset;
}

struct simt_text simt_place_text(const struct simt_sm *sm, const struct simt_region *region,
                                 uint64_t offset, uint32_t element_bytes) {
    struct simt_text place = {""};
    const struct simt_allocation *allocation = region->allocation;
    if (allocation && allocation->name) {
        snprintf(place.text, sizeof place.text, "%s[%" PRId64 "]", allocation->name,
                 (int64_t)offset / (int64_t)allocation->element_bytes);
    } else if (allocation) {
        snprintf(place.text, sizeof place.text, "byte %" PRId64 " of %" PRIu64 " allocated bytes",
                 (int64_t)offset, allocation->bytes);
    } else if (region->space == PTX_SHARED) {
        const int64_t at = signed_offset(offset);
        const struct simt_placed *placed = find_placed(sm, at);
        struct simt_name name = {"shared memory"};
        if (placed)
            name = simt_plain_name(placed->name);
        const int64_t inside = at - (placed ? placed->offset : 0);
        if (placed && placed->bytes != 0 && placed->bytes <= element_bytes && inside == 0)
            snprintf(place.text, sizeof place.text, "%.80s", name.text);
        else if (placed && inside % (int64_t)element_bytes == 0)
            snprintf(place.text, sizeof place.text, "%.60s[%" PRId64 "]", name.text,
                     inside / (int64_t)element_bytes);
        else
            snprintf(place.text, sizeof place.text, "%.60s %c %" PRId64, name.text,
                     inside < 0 ? '-' : '+', inside < 0 ? -inside : inside);
    }
    return place;
}

static const char *verb(enum simt_touch touch) {
    return touch == SIMT_READS ? "reads" : touch == SIMT_WRITES ? "writes" : "atomically updates";
}

static bool is_shared(const struct simt_request *request, uint64_t address) {
    return request->insn->space == PTX_SHARED || (request->insn->space == PTX_GENERIC &&
                                                  address - SIMT_SHARED_WINDOW < SIMT_WINDOW_BYTES);
}

/* An address that a kernel was not given by the device. */
enum stray { STRAY_ELSEWHERE, STRAY_NULL, STRAY_HOST, STRAY_GIVEN };

/* Where programs, heaps, libraries and stacks lie on Linux, of x86-64 as of 64-bit Arm. The host
 * may be another process, so that what is resident in this one says nothing. */
static bool is_hosts(uint64_t address) {
    return address >= UINT64_C(0x500000000000) && address < UINT64_C(0x1000000000000);
}

static enum stray classify(const struct simt_sm *sm, uint64_t address) {
    const uint64_t null_bytes = 1 << 16, page = (uint64_t)sysconf(_SC_PAGESIZE);
    unsigned char is_resident;
    if (address < null_bytes)
        return STRAY_NULL;
    if (address - sm->space->base < sm->space->reserved)
        return STRAY_ELSEWHERE;
    if (!is_hosts(address) &&
        mincore((void *)(uintptr_t)(address & ~(page - 1)), 1, &is_resident) != 0)
        return STRAY_ELSEWHERE;
    return STRAY_HOST;
}

/* The same of an access: the launch itself may have handed such a pointer over. */
static enum stray classify_access(const struct simt_sm *sm, const struct simt_request *request,
                                  uint64_t address) {
    const enum stray stray = classify(sm, address);
    return stray == STRAY_ELSEWHERE && !is_shared(request, address) &&
                   request->insn->space != PTX_LOCAL &&
                   simt_pointer_is_stray(sm, request->insn->index)
               ? STRAY_GIVEN
               : stray;
}

static const char *const stray_words[] = {
    [STRAY_ELSEWHERE] = "an address that belongs to no allocation",
    [STRAY_NULL] = "through a null pointer",
    [STRAY_HOST] = "memory of the host, which a kernel can't reach",
    [STRAY_GIVEN] = "through a pointer to no array, which the launch hands over",
};

static const char *const stray_advice[] = {
    [STRAY_ELSEWHERE] = "Compare the index with the number of elements before the access, and look "
                        "where the index comes from.",
    [STRAY_NULL] = "Did every cudaMalloc succeed, and did its pointer get to the kernel?",
    [STRAY_HOST] = "Pass the kernel a pointer of cudaMalloc, and copy the data there and back with "
                   "cudaMemcpy; or use cudaMallocManaged.",
    [STRAY_GIVEN] = "Look at the arguments of the launch: the host made a pointer that lies beside "
                    "its array.",
};

/* How far from an allocation an index that is out of bounds may go astray. What lies farther away
 * belongs to no array more than to another. */
enum { NEAR_BYTES = 1 << 20 };

static bool is_near(const struct simt_allocation *allocation, uint64_t address) {
    const uint64_t room = allocation->bytes + NEAR_BYTES;
    return address + room >= allocation->address && address < allocation->address + 2 * room;
}

/* An address of which nobody knows what it was meant for: where it lies, counted in bytes from the
 * nearest allocation. */
static struct simt_text beside(const struct simt_sm *sm, uint64_t address,
                               struct simt_text *place) {
    struct simt_text rest = {""};
    const struct simt_allocation *nearest = simt_space_nearest(sm->space, address);
    snprintf(rest.text, sizeof rest.text, "%s", stray_words[classify(sm, address)]);
    if (!nearest || !nearest->name || address - sm->space->base >= sm->space->reserved)
        return rest;
    if (!is_near(nearest, address))
        return (struct simt_text){"an address far from all arrays"};
    bool is_before = address < nearest->address;
    snprintf(place->text, sizeof place->text, "%.40s %c %" PRIu64, nearest->name,
             is_before ? '-' : '+',
             is_before ? nearest->address - address : address - nearest->address);
    snprintf(rest.text, sizeof rest.text, "in bytes, but %.32s has %" PRIu64 " of them",
             nearest->name, nearest->bytes);
    return rest;
}

/* What an address that nothing holds was meant for: place and rest of the sentence. */
static struct simt_text meant(const struct simt_sm *sm, const struct simt_request *request,
                              uint64_t address, enum stray stray, struct simt_text *place) {
    struct simt_text rest = {""};
    struct simt_region region = {.space = PTX_GLOBAL};
    snprintf(rest.text, sizeof rest.text, "%s", stray_words[stray]);
    if (is_shared(request, address)) {
        region.space = PTX_SHARED;
        uint64_t offset =
            request->insn->space == PTX_GENERIC ? address - SIMT_SHARED_WINDOW : address;
        *place = simt_place_text(sm, &region, offset, ptx_type_bytes(request->insn->type));
        snprintf(rest.text, sizeof rest.text,
                 sm->shared_bytes == sm->all_shared_bytes
                     ? "but the block has %" PRIu32 " bytes of shared memory"
                     : "but the kernel's arrays have %" PRIu32 " bytes of shared memory",
                 sm->shared_bytes);
        return rest;
    }
    if (request->insn->space == PTX_LOCAL)
        return (struct simt_text){"an address outside the thread's local memory"};
    if (stray == STRAY_GIVEN) {
        beside(sm, address, place);
        return rest;
    }
    const struct simt_allocation *allocation = simt_pointer_of(sm, request->insn->index);
    if (!allocation)
        return beside(sm, address, place);
    region.allocation = allocation;
    uint64_t offset = address - allocation->address, bytes = allocation->bytes;
    *place = simt_place_text(sm, &region, offset, 1);
    if (allocation->name)
        snprintf(rest.text, sizeof rest.text, "but %.32s has %" PRIu64 " element%s",
                 allocation->name, bytes / allocation->element_bytes,
                 bytes / allocation->element_bytes == 1 ? "" : "s");
    else if (offset < bytes)
        snprintf(rest.text, sizeof rest.text, "and %" PRIu32 " bytes from there go beyond the end",
                 request->bytes);
    else
        snprintf(rest.text, sizeof rest.text, "outside of it");
    return rest;
}

void simt_stop(struct simt_sm *sm, enum simt_status status, uint32_t index, const char *message) {
    const struct ptx_insn *source = simt_source(sm, index);
    const char *file = ptx_file_path(sm->program->module, source->file);
    sm->x.fault = status;
    sm->diag->status = status;
    sm->diag->line = source->line;
    snprintf(sm->diag->file, sizeof sm->diag->file, "%s", file ? file : "");
    snprintf(sm->diag->message, sizeof sm->diag->message, "%s", message);
}

/* `what` is where the address is, in words. */
static struct simt_sentence say_outside(const struct simt_sm *sm, const struct simt_side *here,
                                        const char *what) {
    return simt_say("%s %s %s (%s).", simt_who(sm, here).text, here->what, what,
                    simt_where(sm, here).text);
}

static const char *advice_of(const struct simt_sm *sm, const struct simt_request *request,
                             uint64_t address, enum stray stray) {
    if (is_shared(request, address))
        return "Compare the index with the number of elements, and the bytes that the launch asks "
               "for with what the block needs.";
    const struct simt_allocation *allocation = simt_pointer_of(sm, request->insn->index);
    if (stray == STRAY_ELSEWHERE && allocation && !allocation->name)
        return "Compare the index with the number of elements, and look at how many bytes are "
               "allocated: sizes are in bytes, not in elements.";
    return stray_advice[stray];
}

void simt_fault_bounds(struct simt_sm *sm, const struct simt_request *request, uint32_t lane) {
    uint64_t address = request->address[lane];
    struct simt_side here = simt_side_here(sm, request->insn->index, lane, verb(request->touch));
    const enum stray stray = classify_access(sm, request, address);
    struct simt_text place = {""}, rest = meant(sm, request, address, stray, &place);
    char what[160];
    if (place.text[0] && stray == STRAY_GIVEN)
        snprintf(what, sizeof what, "%s: %s, in bytes", rest.text, place.text);
    else if (place.text[0])
        snprintf(what, sizeof what, "%s, %s", place.text, rest.text);
    else if (stray == STRAY_HOST) /* at another address in each run */
        snprintf(what, sizeof what, "%s", rest.text);
    else
        snprintf(what, sizeof what, "%s (0x%" PRIx64 ")", rest.text, address);
    const struct simt_sentence sentence = say_outside(sm, &here, what);
    simt_findings_again(sm->findings, SIMT_FINDING_OUT_OF_BOUNDS, here.index, here.index);
    simt_findings_add(sm, SIMT_FINDING_OUT_OF_BOUNDS, &here, NULL, place.text, sentence.text,
                      advice_of(sm, request, address, stray));
    simt_stop(sm, SIMT_ILLEGAL_ADDRESS, request->insn->index, sentence.text);
}

static struct simt_sentence say_misaligned(const struct simt_sm *sm, const struct simt_side *here,
                                           uint32_t bytes, uint64_t address) {
    return simt_say("%s %s %" PRIu32 " bytes at address 0x%" PRIx64
                    ", which is no multiple of %" PRIu32 " (%s).",
                    simt_who(sm, here).text, here->what, bytes, address, bytes,
                    simt_where(sm, here).text);
}

void simt_fault_alignment(struct simt_sm *sm, const struct simt_request *request, uint32_t lane) {
    struct simt_side here = simt_side_here(sm, request->insn->index, lane, verb(request->touch));
    const struct simt_sentence sentence =
        say_misaligned(sm, &here, request->bytes, request->address[lane]);
    simt_findings_again(sm->findings, SIMT_FINDING_MISALIGNED, here.index, here.index);
    simt_findings_add(sm, SIMT_FINDING_MISALIGNED, &here, NULL, "", sentence.text,
                      "An access of n bytes needs an address that is a multiple of n: look at "
                      "casts to wider types.");
    simt_stop(sm, SIMT_MISALIGNED, request->insn->index, sentence.text);
}

uint32_t simt_hottest(const struct simt_sm *sm) {
    uint32_t hottest = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < sm->program->n_insns; i++) {
        uint64_t n = sm->steps[i].warps + sm->steps[i].entries;
        if (n > most) {
            most = n;
            hottest = i;
        }
    }
    return hottest;
}

void simt_used_up(struct simt_sm *sm) {
    char message[384];
    uint32_t hottest = simt_hottest(sm), index = hottest;
    while (index < sm->program->n_insns && sm->program->insns[index].space != PTX_GLOBAL)
        index++;
    snprintf(message, sizeof message,
             "The kernel touches more memory than this computer has to spare: it stopped in block "
             "%" PRIu64 " of %" PRIu64 ". Allocated are %" PRIu64 " MiB%s.",
             sm->cta_index, (uint64_t)sm->grid.x * sm->grid.y * sm->grid.z, sm->space->used >> 20,
             sm->hooks ? "; the checks take twice as much again of what is touched" : "");
    simt_stop(sm, SIMT_NO_MEMORY, index < sm->program->n_insns ? index : hottest, message);
}
