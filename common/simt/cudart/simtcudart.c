/*
 * The functions of simtcudart.h: names, checks and the report.
 */
#include "common/simt/cudart/simtcudart.h"

#include "common/base/owned.h"
#include "common/simt/cudart/stream/operation.h"
#include "common/simt/program/edit/edit.h"

static void let_go(struct cudart **rt) {
    cudart_unlock(*rt);
}

/* The runtime with its lock, also where there is no device. */
static struct cudart *entered(void) {
    struct cudart *rt;
    cudart_enter(&rt);
    return rt;
}

/* The same once all work is done. */
static struct cudart *waited(void) {
    struct cudart *rt;
    if (cudart_enter(&rt) == cudaSuccess)
        cudart_wait(rt, NULL);
    return rt;
}

int simtName(const void *pointer, const char *name, size_t element_bytes) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    const uintptr_t address = (uintptr_t)pointer;
    return rt->simt && simt_name(rt->simt, address, name, element_bytes) == SIMT_OK ? 0 : -1;
}

int simtAdopt(const void *pointer, size_t bytes) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    const struct cudart_block block = {
        .address = (uintptr_t)pointer, .bytes = bytes, .type = cudaMemoryTypeDevice};
    return rt->simt && cudart_add_block(rt, &block) ? 0 : -1;
}

void simtDisown(const void *pointer) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    struct cudart_block *block = cudart_block(rt, pointer);
    if (block && block->address == (uintptr_t)pointer)
        cudart_drop_block(rt, block);
}

int simtUndefine(const void *pointer, size_t bytes) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    return rt->simt && simt_undefine(rt->simt, (uintptr_t)pointer, bytes) == SIMT_OK ? 0 : -1;
}

void simtConfigure(int checks, long timeout_ms, uint64_t budget) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    if (rt->simt) {
        simt_options(rt->simt)->checks = checks != 0;
        simt_options(rt->simt)->timeout_ms = timeout_ms;
        simt_options(rt->simt)->budget = budget;
    }
}

void simtKeepShared(int keeps) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    if (rt->simt)
        simt_options(rt->simt)->keeps_shared = simt_options(rt->simt)->keeps_readers = keeps != 0;
}

void simtSchedule(uint64_t seed) {
    OWNED_BY(let_go) struct cudart *rt = waited();
    rt->seed = rt->random = seed;
}

int simtSetEdits(const struct simt_edit *edits, size_t n) {
    OWNED_BY(let_go) struct cudart *rt = waited();
    return rt->simt && simt_set_edits(rt->simt, edits, n) ? 0 : -1;
}

char *simtReportEditsJson(void) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    return rt->simt ? simt_report_edits_json(rt->simt) : NULL;
}

void simtRunNewer(void) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    rt->runs_newer = true;
}

void simtSample(int is_on) {
    enum { SAMPLED_SM = 1 << 14 };
    OWNED_BY(let_go) struct cudart *rt = entered();
    if (rt->simt) {
        if (!rt->sampled.name)
            rt->sampled = *rt->device;
        rt->sampled.n_sm = is_on ? SAMPLED_SM : (int)simt_options(rt->simt)->n_sm;
        rt->device = &rt->sampled;
    }
}

void simtPretend(int is_other) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    if (!rt->own_device)
        rt->own_device = rt->device;
    rt->device = is_other ? cudart_device_find("h200") : rt->own_device;
}

void simtCallers(int is_on) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    rt->is_callers = is_on != 0;
}

void simtRefuse(unsigned number, int refuses) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    rt->refusal = (struct simt_refusal){.number = number};
    rt->refuses = (enum simt_refuses)refuses;
}

void simtRefused(struct simt_refusal *refusal) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    *refusal = rt->refusal;
}

size_t simtAllocations(uint64_t *bytes) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    size_t n = 0;
    *bytes = 0;
    for (const struct cudart_block *b = rt->blocks; b; b = b->next)
        if (b->type != cudaMemoryTypeHost) {
            n++;
            *bytes += b->bytes;
        }
    return n;
}

size_t simtObjects(void) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    size_t n = cudart_count_events(rt) + cudart_count_streams(rt);
    for (const struct cudart_block *b = rt->blocks; b; b = b->next)
        n += b->type == cudaMemoryTypeHost;
    return n;
}

uint64_t simtStores(void) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    struct simt_report report = {.n_kernels = 0};
    uint64_t n = 0;
    if (rt->simt)
        simt_report(rt->simt, &report);
    for (size_t i = 0; i < report.n_kernels; i++)
        n += report.kernels[i].total.global_stores + report.kernels[i].total.atomics;
    return n;
}

int simtIsActive(void) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    return rt->is_active;
}

int simtUnsupported(const char *name) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    cudart_say(rt, "%s is not supported by the simulator.", name);
    return cudaErrorNotSupported;
}

size_t simtFindings(void) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    struct simt_report report = {.n_findings = 0};
    if (rt->simt)
        simt_report(rt->simt, &report);
    return report.n_findings;
}

uint64_t simtWork(void) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    struct simt_report report = {.n_kernels = 0};
    uint64_t work = 0;
    if (rt->simt)
        simt_report(rt->simt, &report);
    for (size_t i = 0; i < report.n_kernels; i++)
        work += report.kernels[i].total.warp_instructions;
    return work;
}

char *simtReportJson(void) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    return !rt->simt ? NULL : simt_report_json(rt->simt);
}

void simtReportReset(void) {
    OWNED_BY(let_go) struct cudart *rt = entered();
    if (rt->simt)
        simt_report_reset(rt->simt);
    rt->message[0] = '\0';
}

const char *simtLastError(void) {
    OWNED_BY(let_go) struct cudart *rt = cudart_lock();
    const char *message = rt->message;
    return message;
}
