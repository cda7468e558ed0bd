/*
 * All ctas of a launch. One after the other runs to its end in the first slot, as long as none
 * waits for another. A cta whose warps all spin is parked in its slot; then others get slots and
 * turns, up to as many as the device holds. The wait is endless when all resident ctas spin and
 * come back to a state in which they were before, without a change of memory in between.
 *
 * In a drawn order one of the first ctas is a straggler: after a few turns it stands still until no
 * other gets on. So the others are seen as they wait for it, as many as the device holds.
 */
#include "common/simt/run/grid/launch.h"

#include <stdlib.h>
#include <string.h>

#include "common/simt/run/grid/cta.h"
#include "common/simt/run/limits.h"
#include "common/simt/run/stop.h"
#include "common/simt/run/warp/schedule.h"

/* Ctas that take turns in a drawn order as long as they get on; rounds without any progress before
 * turns become long ones again. */
enum { ENOUGH_SLOTS = 8, RESTLESS_ROUNDS = 64 };

/* Which ctas may be the straggler; the most turns that it gets at first, as a power of two; rounds
 * without any progress after which it goes on. */
enum { FIRST_CTAS = 4, LOG_TURNS = 5, HELD_ROUNDS = 8 };

struct straggler {
    uint64_t number;     /* in the order in which ctas start */
    struct simt_sm *sm;  /* its slot, once it has started; NULL before, and where it goes on */
    uint64_t n_turns;    /* left until it stands still */
    uint64_t n_restless; /* rounds without progress in which it stood still */
};

struct grid {
    struct simt_sm **slots;
    bool *is_parked; /* per slot: it holds a cta that waits */
    uint64_t n_slots, capacity, window;
    uint64_t next, n_ctas;
    uint64_t *order;              /* of the next `window` ctas; NULL: as they are */
    const struct simt_ctas *ctas; /* by their number in the order in which they start */
    /* Brent's search for a cycle: the state after an earlier round. */
    uint64_t state, rounds, next_state;
    uint64_t n_restless; /* rounds without progress in a drawn order */
    struct straggler straggler;
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t n_bytes) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i + 8 <= n_bytes; i += 8) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

/* What decides how a parked cta goes on, apart from memory: registers and the splits' places. */
static uint64_t hash_cta(const struct simt_sm *sm, uint64_t hash) {
    hash = mix(hash, &sm->cta_index, sizeof sm->cta_index);
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_warp *warp = &sm->warps[w];
        for (const struct simt_area *area = warp->areas; area; area = area->next) {
            hash = mix(hash, area->rows, area->program->row_file_bytes);
            for (uint32_t i = 0; i < area->program->n_preds; i++)
                hash = mix(hash, &(uint64_t){area->preds[i]}, sizeof(uint64_t));
        }
        for (uint32_t i = 0; i < warp->n_splits; i++) {
            uint64_t place = (uint64_t)warp->splits[i].pc << 32 | warp->splits[i].mask;
            hash = mix(hash, &place, sizeof place);
        }
    }
    return hash;
}

/* After a round in which all resident ctas only spun. */
static void look_for_cycle(struct grid *grid) {
    uint64_t hash = 1, n_parked = 0;
    struct simt_sm *first = NULL;
    for (uint64_t i = 0; i < grid->n_slots; i++) {
        if (!grid->is_parked[i])
            continue;
        hash = hash_cta(grid->slots[i], hash);
        first = first ? first : grid->slots[i];
        n_parked++;
    }
    if (grid->rounds && hash == grid->state) {
        simt_wait_without_end(first, n_parked, grid->next < grid->n_ctas ? grid->next : UINT64_MAX);
    } else if (grid->rounds++ >= grid->next_state) {
        grid->state = hash;
        grid->next_state = 2 * grid->rounds;
    }
}

/* Twice as many slots, as far as the device and the host have room. */
static bool open_slots(struct grid *grid) {
    uint64_t wanted = 2 * grid->n_slots < grid->capacity ? 2 * grid->n_slots : grid->capacity;
    uint64_t left = grid->n_slots + (grid->n_ctas - grid->next);
    uint64_t before = grid->n_slots;
    while (grid->n_slots < wanted && grid->n_slots < left) {
        struct simt_sm *sm = simt_slot_open(grid->slots[0]);
        if (!sm) { /* fewer than the device has */
            grid->capacity = grid->n_slots;
            break;
        }
        grid->slots[grid->n_slots++] = sm;
    }
    return grid->n_slots > before;
}

/* The cta that starts next. A drawn order is one of more ctas than are resident together: nobody
 * promises that a cta starts before the one with the next number, so none may wait for that. */
static uint64_t take_next(struct grid *grid) {
    uint64_t index = grid->next++;
    if (grid->ctas->list)
        return grid->ctas->list[index];
    if (!grid->order)
        return index;
    uint64_t at = index % grid->window, left = grid->n_ctas - index;
    if (at == 0) {
        uint64_t n = left < grid->window ? left : grid->window;
        for (uint64_t i = 0; i < n; i++)
            grid->order[i] = index + i;
        simt_schedule_shuffle(grid->slots[0]->schedule, grid->order, n);
    }
    return grid->order[at];
}

/* A sample ends where the budget does, between two pairs. */
static void end_sample(struct grid *grid) {
    const struct simt_ctas *ctas = grid->ctas;
    if (ctas->list && ctas->budget && grid->next % 2 == 0 &&
        simt_executed(grid->slots[0]) >= ctas->budget)
        grid->n_ctas = grid->next;
}

static struct straggler draw_straggler(const struct grid *grid) {
    struct simt_schedule *schedule = grid->slots[0]->schedule;
    const uint64_t n = grid->n_ctas < FIRST_CTAS ? grid->n_ctas : FIRST_CTAS;
    const uint64_t most = UINT64_C(1) << simt_schedule_draw(schedule, LOG_TURNS);
    return (struct straggler){.number = simt_schedule_draw(schedule, n),
                              .n_turns = 1 + simt_schedule_draw(schedule, most)};
}

static bool stands_still(const struct straggler *straggler, const struct simt_sm *sm) {
    return straggler->sm == sm && straggler->n_turns == 0;
}

/* After a round: true where the straggler stands still, or goes on from now on. */
static bool is_held_back(struct straggler *straggler, bool progress) {
    if (!straggler->sm || straggler->n_turns > 0)
        return false;
    straggler->n_restless = progress ? 0 : straggler->n_restless + 1;
    if (straggler->n_restless > HELD_ROUNDS)
        straggler->sm = NULL;
    return true;
}

/* One turn of a slot. False where its cta only spun. */
static bool take_turn(struct grid *grid, uint64_t i) {
    struct simt_sm *sm = grid->slots[i];
    struct straggler *straggler = &grid->straggler;
    bool is_new = !grid->is_parked[i];
    if (is_new && grid->order && grid->next == straggler->number)
        straggler->sm = sm;
    if (is_new)
        simt_cta_start(sm, take_next(grid));
    grid->is_parked[i] = !simt_cta_run(sm);
    if (straggler->sm == sm) {
        straggler->n_turns--;
        straggler->sm = grid->is_parked[i] ? sm : NULL;
    }
    return is_new || !grid->is_parked[i] || sm->progress;
}

/* Each slot gets a turn. False after a fault, and at the end. */
static bool run_round(struct grid *grid) {
    bool progress = false, all_parked = true, any = false;
    for (uint64_t i = 0; i < grid->n_slots; i++) {
        end_sample(grid);
        if (!grid->is_parked[i] && grid->next == grid->n_ctas)
            continue;
        any = true;
        if (stands_still(&grid->straggler, grid->slots[i]))
            continue;
        progress |= take_turn(grid, i);
        all_parked &= grid->is_parked[i];
        enum simt_status fault = grid->slots[i]->x.fault;
        if (fault != SIMT_OK) {
            grid->slots[0]->x.fault = fault;
            return false;
        }
    }
    /* Ctas that were only interrupted need no more company than this. */
    bool is_enough = progress && grid->n_slots >= ENOUGH_SLOTS;
    if (all_parked && any && grid->next < grid->n_ctas && !is_enough)
        progress |= open_slots(grid);
    if (is_held_back(&grid->straggler, progress))
        return any;
    if (progress)
        grid->rounds = grid->next_state = grid->n_restless = 0;
    else if (any && (!grid->order || grid->n_restless++ > RESTLESS_ROUNDS))
        look_for_cycle(grid);
    if (grid->order)
        grid->slots[0]->schedule->is_calm = grid->n_restless > RESTLESS_ROUNDS;
    return any;
}

uint64_t simt_grid_run(struct simt_sm *first, const struct simt_ctas *ctas, uint64_t n_ctas,
                       uint64_t capacity) {
    struct grid grid = {.ctas = ctas, .n_ctas = ctas->list ? ctas->n : n_ctas};
    grid.capacity = capacity < grid.n_ctas ? capacity : grid.n_ctas;
    grid.slots = calloc(grid.capacity, sizeof *grid.slots);
    grid.is_parked = calloc(grid.capacity, sizeof *grid.is_parked);
    grid.window = grid.capacity < grid.n_ctas / 2 ? 2 * grid.capacity : grid.n_ctas;
    if (first->schedule)
        grid.order = calloc(grid.window, sizeof *grid.order);
    if (!grid.slots || !grid.is_parked || (first->schedule && !grid.order)) {
        first->x.fault = SIMT_NO_MEMORY;
        goto out;
    }
    grid.slots[grid.n_slots++] = first;
    if (grid.order)
        grid.straggler = draw_straggler(&grid);
    while (first->x.fault == SIMT_OK && run_round(&grid))
        ;
    for (uint64_t i = 1; i < grid.n_slots; i++) {
        if (grid.slots[i]->x.fault != SIMT_OK)
            first->x.fault = grid.slots[i]->x.fault;
        simt_slot_close(grid.slots[i]);
    }
out:
    free(grid.slots);
    free(grid.is_parked);
    free(grid.order);
    return grid.next;
}
