/*
 * Orders drawn from a seed.
 */
#include "common/simt/run/warp/schedule.h"

#include "common/base/splitmix.h"
#include "common/simt/run/warp/splits.h"
#include "common/simt/state/sm.h"

/* The longest turn of a warp, in straight runs of instructions. */
enum { MAX_STEPS = 24 };

/* Once in so many interruptions lanes that wait for diverged ones go on alone. */
enum { RELEASES = 8 };

/* Once in so many interruptions lanes that go together part: CUDA promises nothing else where no
 * sync of the warp says so. */
enum { PARTINGS = 4 };

void simt_schedule_begin(struct simt_schedule *schedule, uint64_t seed, uint64_t n_launches) {
    *schedule = (struct simt_schedule){.state = seed * UINT64_C(0x2545f4914f6cdd1d) + n_launches};
    schedule->fuel = 1;
}

uint64_t simt_schedule_draw(struct simt_schedule *schedule, uint64_t n) {
    return splitmix_next(&schedule->state) % n;
}

void simt_schedule_shuffle(struct simt_schedule *schedule, uint64_t *ctas, uint64_t n) {
    for (uint64_t i = n; i > 1; i--) {
        uint64_t k = simt_schedule_draw(schedule, i), last = ctas[i - 1];
        ctas[i - 1] = ctas[k];
        ctas[k] = last;
    }
}

/* Some lanes of a split go on later than the others. They meet again where all lanes meet that have
 * parted at the branch before. */
static void part_lanes(struct simt_schedule *schedule, struct simt_warp *warp,
                       struct simt_split *split) {
    const uint32_t behind = split->mask & (uint32_t)simt_schedule_draw(schedule, UINT32_MAX);
    if (behind && behind != split->mask)
        simt_split_off(warp, split, behind);
}

bool simt_schedule_step(struct simt_sm *sm, struct simt_split *split) {
    struct simt_schedule *schedule = sm->schedule;
    if (schedule->is_calm || --schedule->fuel > 0)
        return false;
    schedule->fuel = 1 + (uint32_t)simt_schedule_draw(schedule, MAX_STEPS);
    sm->gives_way = true;
    sm->is_interrupted = true;
    if (simt_schedule_draw(schedule, PARTINGS) == 0)
        part_lanes(schedule, sm->warp, split);
    simt_warp_rotate(sm->warp, split);
    if (simt_schedule_draw(schedule, RELEASES) == 0)
        simt_warp_release_joins(sm->warp);
    return true;
}
