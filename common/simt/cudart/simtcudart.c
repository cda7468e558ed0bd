/*
 * The functions of simtcudart.h: names, checks and the report.
 */
#include "common/simt/cudart/simtcudart.h"

#include "common/simt/cudart/stream/operation.h"
#include "common/simt/edit/edit.h"

int simtName(const void *pointer, const char *name, size_t element_bytes) {
    struct cudart *rt;
    cudart_enter(&rt);
    enum simt_status status = SIMT_BAD_ADDRESS;
    if (rt->simt)
        status = simt_name(rt->simt, (uintptr_t)pointer, name, element_bytes);
    cudart_unlock(rt);
    return status == SIMT_OK ? 0 : -1;
}

int simtAdopt(const void *pointer, size_t bytes) {
    struct cudart *rt;
    const struct cudart_block block = {
        .address = (uintptr_t)pointer, .bytes = bytes, .type = cudaMemoryTypeDevice};
    cudart_enter(&rt);
    bool is_noted = rt->simt && cudart_add_block(rt, &block);
    cudart_unlock(rt);
    return is_noted ? 0 : -1;
}

void simtDisown(const void *pointer) {
    struct cudart *rt = cudart_lock();
    struct cudart_block *block = cudart_block(rt, pointer);
    if (block && block->address == (uintptr_t)pointer)
        cudart_drop_block(rt, block);
    cudart_unlock(rt);
}

int simtUndefine(const void *pointer, size_t bytes) {
    struct cudart *rt;
    cudart_enter(&rt);
    enum simt_status status = SIMT_BAD_ADDRESS;
    if (rt->simt)
        status = simt_undefine(rt->simt, (uintptr_t)pointer, bytes);
    cudart_unlock(rt);
    return status == SIMT_OK ? 0 : -1;
}

void simtConfigure(int checks, long timeout_ms, uint64_t budget) {
    struct cudart *rt;
    cudart_enter(&rt);
    if (rt->simt) {
        simt_options(rt->simt)->checks = checks != 0;
        simt_options(rt->simt)->timeout_ms = timeout_ms;
        simt_options(rt->simt)->budget = budget;
    }
    cudart_unlock(rt);
}

void simtKeepShared(int keeps) {
    struct cudart *rt;
    cudart_enter(&rt);
    if (rt->simt)
        simt_options(rt->simt)->keeps_shared = keeps != 0;
    cudart_unlock(rt);
}

void simtSchedule(uint64_t seed) {
    struct cudart *rt;
    if (cudart_enter(&rt) == cudaSuccess)
        cudart_wait(rt, NULL);
    rt->seed = rt->random = seed;
    cudart_unlock(rt);
}

int simtSetEdits(const struct simt_edit *edits, size_t n) {
    struct cudart *rt;
    if (cudart_enter(&rt) == cudaSuccess)
        cudart_wait(rt, NULL);
    const bool is_set = rt->simt && simt_set_edits(rt->simt, edits, n);
    cudart_unlock(rt);
    return is_set ? 0 : -1;
}

char *simtReportEditsJson(void) {
    struct cudart *rt;
    cudart_enter(&rt);
    char *json = rt->simt ? simt_report_edits_json(rt->simt) : NULL;
    cudart_unlock(rt);
    return json;
}

void simtSample(int is_on) {
    enum { SAMPLED_SM = 1 << 12 };
    struct cudart *rt;
    cudart_enter(&rt);
    if (rt->simt) {
        if (!rt->sampled.name)
            rt->sampled = *rt->device;
        rt->sampled.n_sm = is_on ? SAMPLED_SM : (int)simt_options(rt->simt)->n_sm;
        rt->device = &rt->sampled;
    }
    cudart_unlock(rt);
}

void simtRefuse(unsigned number) {
    struct cudart *rt = cudart_lock();
    rt->refusal = (struct simt_refusal){.number = number};
    cudart_unlock(rt);
}

void simtRefused(struct simt_refusal *refusal) {
    struct cudart *rt = cudart_lock();
    *refusal = rt->refusal;
    cudart_unlock(rt);
}

size_t simtAllocations(uint64_t *bytes) {
    struct cudart *rt = cudart_lock();
    size_t n = 0;
    *bytes = 0;
    for (const struct cudart_block *b = rt->blocks; b; b = b->next)
        if (b->type != cudaMemoryTypeHost) {
            n++;
            *bytes += b->bytes;
        }
    cudart_unlock(rt);
    return n;
}

uint64_t simtStores(void) {
    struct cudart *rt = cudart_lock();
    struct simt_report report = {.n_kernels = 0};
    uint64_t n = 0;
    if (rt->simt)
        simt_report(rt->simt, &report);
    for (size_t i = 0; i < report.n_kernels; i++)
        n += report.kernels[i].total.global_stores + report.kernels[i].total.atomics;
    cudart_unlock(rt);
    return n;
}

int simtIsActive(void) {
    struct cudart *rt = cudart_lock();
    const bool is_active = rt->is_active;
    cudart_unlock(rt);
    return is_active;
}

int simtUnsupported(const char *name) {
    struct cudart *rt = cudart_lock();
    cudart_say(rt, "%s is not supported by the simulator.", name);
    cudart_unlock(rt);
    return cudaErrorNotSupported;
}

size_t simtFindings(void) {
    struct cudart *rt;
    struct simt_report report = {.n_findings = 0};
    cudart_enter(&rt);
    if (rt->simt)
        simt_report(rt->simt, &report);
    cudart_unlock(rt);
    return report.n_findings;
}

uint64_t simtWork(void) {
    struct cudart *rt;
    struct simt_report report = {.n_kernels = 0};
    uint64_t work = 0;
    cudart_enter(&rt);
    if (rt->simt)
        simt_report(rt->simt, &report);
    for (size_t i = 0; i < report.n_kernels; i++)
        work += report.kernels[i].total.warp_instructions;
    cudart_unlock(rt);
    return work;
}

char *simtReportJson(void) {
    struct cudart *rt;
    cudart_enter(&rt);
    char *json = !rt->simt ? NULL : simt_report_json(rt->simt);
    cudart_unlock(rt);
    return json;
}

void simtReportReset(void) {
    struct cudart *rt;
    cudart_enter(&rt);
    if (rt->simt)
        simt_report_reset(rt->simt);
    rt->message[0] = '\0';
    cudart_unlock(rt);
}

const char *simtLastError(void) {
    struct cudart *rt = cudart_lock();
    const char *message = rt->message;
    cudart_unlock(rt);
    return message;
}
