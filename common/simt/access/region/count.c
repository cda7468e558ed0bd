/*
 * What a memory request costs, by NVIDIA's definitions: shared memory has 32 banks of 4 bytes that
 * serve one word each a pass (a wavefront), any number of lanes may read the same word; accesses of
 * 8 and 16 bytes are served by half and quarter warps. Global memory moves sectors of 32 bytes.
 */
#include "common/simt/access/region/count.h"

enum { BANKS = 32, WORD_BYTES = 4, SECTOR_SHIFT = 5 };

/* Passes for `lanes`: the largest number of different words in one bank. */
static uint32_t count_wavefronts(struct simt_sm *sm, const struct simt_request *request,
                                 uint32_t lanes) {
    uint8_t words_of[BANKS] = {0};
    uint32_t most = 0, n_words = request->bytes > WORD_BYTES ? request->bytes / WORD_BYTES : 1;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t word = (uint32_t)(request->offset[__builtin_ctz(rest)] / WORD_BYTES);
        for (uint32_t end = word + n_words; word < end; word++) {
            uint32_t bank = word % BANKS, seen = UINT32_C(1) << bank;
            if (sm->bank_rows[word / BANKS] & seen)
                continue;
            sm->bank_rows[word / BANKS] |= seen;
            if (++words_of[bank] > most)
                most = words_of[bank];
        }
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t offset = request->offset[__builtin_ctz(rest)];
        for (uint32_t i = 0; i < n_words; i++)
            sm->bank_rows[(offset / WORD_BYTES + i) / BANKS] = 0;
    }
    return most;
}

/* The same for lanes at even steps, in words or the elements of a request: the lanes of a pass are
 * as many as there are multiples of the step modulo the banks. */
static uint32_t even_wavefronts(const struct simt_request *request, uint32_t group_lanes) {
    uint64_t bytes = request->bytes > WORD_BYTES ? request->bytes : WORD_BYTES;
    uint64_t power = (request->step & (0 - request->step)) / bytes;
    return power < group_lanes ? (uint32_t)power : group_lanes;
}

uint32_t simt_find_passes(struct simt_sm *sm, const struct simt_request *request,
                          uint32_t *groups) {
    uint32_t n = 0;
    uint32_t group_lanes = request->bytes <= 4 ? 32 : request->bytes == 8 ? 16 : 8;
    uint32_t group = group_lanes == 32 ? SIMT_FULL_MASK : (UINT32_C(1) << group_lanes) - 1;
    const bool is_even = request->is_even && request->step && request->step % WORD_BYTES == 0;
    *groups = 0;
    for (uint32_t from = 0; from < SIMT_LANES; from += group_lanes) {
        uint32_t lanes = request->mask & group << from;
        if (!lanes)
            continue;
        /* Words less than a row of banks apart are in banks of their own, or the same word. */
        bool is_easy = request->bytes <= WORD_BYTES
                           ? request->high / WORD_BYTES - request->low / WORD_BYTES < BANKS
                           : request->is_dense;
        n += is_easy   ? 1
             : is_even ? even_wavefronts(request, group_lanes)
                       : count_wavefronts(sm, request, lanes);
        *groups += 1;
    }
    return n;
}

uint32_t simt_find_sectors(const struct simt_request *request) {
    if (request->is_dense) {
        uint64_t last = request->address[SIMT_LANES - 1] + request->bytes - 1;
        return (uint32_t)((last >> SECTOR_SHIFT) - (request->address[0] >> SECTOR_SHIFT)) + 1;
    }
    if (request->low >> SECTOR_SHIFT == request->high >> SECTOR_SHIFT)
        return 1;
    const uint64_t sector_bytes = UINT64_C(1) << SECTOR_SHIFT;
    if (request->is_even && request->step - sector_bytes <= INT64_MAX) /* none has two lanes */
        return SIMT_LANES;
    uint64_t seen[SIMT_LANES];
    uint32_t n = 0;
    bool rises = true; /* so far each new sector lay behind the last one */
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t sector = request->address[__builtin_ctz(rest)] >> SECTOR_SHIFT;
        uint32_t i = n; /* from the end: neighbours share sectors */
        if (!rises || (n && sector < seen[n - 1])) {
            rises = false;
            while (i > 0 && seen[i - 1] != sector)
                i--;
        } else if (n == 0 || sector > seen[n - 1]) {
            i = 0;
        }
        if (i == 0)
            seen[n++] = sector;
    }
    return n;
}
