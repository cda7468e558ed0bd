/*
 * The list of pieces of work of several queues, what the host's (copies, fills, frees) leave in the
 * shadow of global memory, as global_race.c does for kernels, and the findings of those that clash.
 */
#include "common/simt/checks/asynchronous/host_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/checks/check.h"
#include "common/simt/checks/race/race.h"
#include "common/simt/report/report.h"
#include "common/simt/state/module.h"
#include "common/simt/state/findings.h"

/* Launches with more turns than this forget who ran when: 64 MiB at most for all. */
enum { MAX_KEPT_TURNS = 1 << 12 };

static const char *const advice =
    "Let the stream that comes second wait for the first (cudaStreamWaitEvent, "
    "cudaStreamSynchronize), or use one stream for both.";

static void forget_oldest(struct simt_works *works, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(works->list[i].turns.list);
    works->n -= n;
    if (works->n != 0)
        memmove(works->list, works->list + n, works->n * sizeof *works->list);
}

static void device_close(struct simt *simt) {
    struct simt_works *works = simt->space.works;
    if (!works)
        return;
    forget_oldest(works, works->n);
    free(works->list);
    free(works);
}

void simt_works_forget(struct simt_works *works) {
    if (!works)
        return;
    forget_oldest(works, works->n);
    works->foreign = UINT64_MAX;
}

static struct simt_works *open_works(struct simt *simt) {
    struct simt_works *works = calloc(1, sizeof *works);
    if (!works || !(works->list = calloc(SIMT_WORKS, sizeof *works->list))) {
        free(works);
        return NULL;
    }
    return simt->space.works = works;
}

static size_t count_launches(const struct simt *simt) {
    struct simt_report report;
    simt_record_view(simt->record, &report);
    return report.n_launches;
}

enum simt_status simt_begin_work(struct simt *simt, unsigned queue, const struct simt_clock *clock,
                                 const char *what) {
    struct simt_works *works = simt->space.works;
    if (works)
        works->foreign = UINT64_MAX;
    if (!simt->options.checks)
        return SIMT_OK;
    if (!works && !(works = open_works(simt)))
        return SIMT_NO_MEMORY;
    works->foreign = UINT64_MAX;
    if (works->n == SIMT_WORKS)
        forget_oldest(works, SIMT_WORKS / 4);
    for (size_t i = works->n; i-- > 0;) {
        struct simt_work *work = &works->list[i];
        work->is_unordered = work->number > clock->n[work->queue];
        if (work->is_unordered)
            works->foreign = work->first;
    }
    simt->now += SIMT_STAMP_TICK;
    works->list[works->n++] = (struct simt_work){
        .first = simt->now, .number = clock->n[queue], .queue = queue, .what = what};
    works->is_active = true;
    works->clock = *clock;
    works->to_host = simt->space.to_host;
    works->from_host = simt->space.from_host;
    works->n_launches = count_launches(simt);
    return SIMT_OK;
}

static uint64_t rise(uint64_t before, uint64_t now) {
    return now > before ? now - before : 0; /* a reset comes between */
}

/* Puts the piece of work that is over into the record. */
static void keep_work(struct simt *simt, const struct simt_works *works) {
    const struct simt_work *work = &works->list[works->n - 1];
    const size_t n_launches = count_launches(simt);
    struct simt_work_report report = {
        .queue = work->queue,
        .number = work->number,
        .to_device = rise(works->from_host, simt->space.from_host),
        .from_device = rise(works->to_host, simt->space.to_host),
        .launch = n_launches > works->n_launches ? (int64_t)works->n_launches : -1,
        .n_waits = works->clock.n_waits,
    };
    simt_record_work(simt->record, report, &works->clock);
}

void simt_end_work(struct simt *simt) {
    struct simt_works *works = simt->space.works;
    if (!works)
        return;
    if (works->is_active && works->n != 0)
        keep_work(simt, works);
    works->is_active = false;
    works->foreign = UINT64_MAX;
}

/* The work of a stamp; NULL when it is forgotten. */
static const struct simt_work *work_of(const struct simt_works *works, uint64_t stamp) {
    size_t n = count_below(stamp + 1, works->list, works->n, sizeof *works->list);
    return n == 0 ? NULL : &works->list[n - 1];
}

bool simt_is_unordered_work(const struct simt_works *works, uint64_t stamp) {
    const struct simt_work *work = work_of(works, stamp);
    return work && work->is_unordered;
}

/* The work that runs is a launch of this kernel. */
static void launch_begins(struct simt *simt, struct simt_sm *first) {
    struct simt_works *works = simt->space.works;
    if (!works || !works->is_active)
        return;
    struct simt_work *work = &works->list[works->n - 1];
    work->kernel = first->kernel;
    work->grid = first->grid;
    work->block = first->block;
}

/* Who ran when: takes the list of turns over. */
static void launch_ends(struct simt *simt, struct simt_sm *first) {
    struct simt_works *works = simt->space.works;
    struct simt_turns *turns = first->checker->turns;
    if (!works || !works->is_active || turns->is_full || turns->n > MAX_KEPT_TURNS)
        return;
    works->list[works->n - 1].turns = *turns;
    *turns = (struct simt_turns){0};
}

/* A number for the kernel, or the sort of the host's work: findings are told apart by it. */
static uint32_t alike(const struct simt_works *works, const struct simt_work *work) {
    uint32_t i = 0;
    while (works->list[i].kernel != work->kernel || works->list[i].what != work->what)
        i++;
    return i + 1;
}

/* One side in words, such as "thread 5 of block 0 of put", "writes", " (line 12)". */
struct words {
    struct simt_access access;
    char who[96], line[80];
};

static struct words words_of(const struct simt_work *work, uint64_t stamp, const char *what) {
    struct words words = {.access = {.file = "", .what = what}};
    const struct simt_program *program = work->kernel ? work->kernel->program : NULL;
    struct simt_side side = {
        .index = stamp & SIMT_STAMP_INDEX, .thread = simt_stamp_thread(stamp), .what = what};
    if (!program || side.index >= program->n_insns) {
        snprintf(words.who, sizeof words.who, "%s", program ? "a thread" : work->what);
        return words;
    }
    uint64_t cta = simt_turns_find(&work->turns, stamp, UINT64_MAX);
    bool is_known = cta != UINT64_MAX;
    if (is_known)
        side.cta = simt_cta_of(work->grid, cta);
    words.access = simt_access_of(work->kernel, work->block, &side);
    snprintf(words.line, sizeof words.line, " (%.70s)",
             simt_line_of(words.access.file, words.access.line).text);
    struct simt_text thread = simt_thread_text(work->grid, work->block, &side);
    thread.text[0] = 't';
    snprintf(words.who, sizeof words.who, "%.50s of %.40s", is_known ? thread.text : "a thread",
             work->kernel->told_name.text);
    return words;
}

static struct simt_sentence say_streams(const struct words *here, const struct words *other,
                                        const char *place) {
    struct simt_sentence sentence =
        simt_say("%.90s %.18s %.40s%.80s and %.90s %.18s it%.80s, in no fixed order: no event or "
                 "synchronisation orders their streams.",
                 here->who, here->access.what, place, here->line, other->who, other->access.what,
                 other->line);
    char *head = sentence.text;
    *head = (char)(*head == 't' ? 'T' : *head == 'a' ? 'A' : *head);
    return sentence;
}

static struct simt_finding describe(const char *kernel, const struct words *here,
                                    const struct words *other, const char *place) {
    struct simt_finding finding = {.kind = SIMT_FINDING_GLOBAL_RACE,
                                   .kernel = kernel,
                                   .here = here->access,
                                   .other = other->access,
                                   .count = 1};
    snprintf(finding.place, sizeof finding.place, "%s", place);
    snprintf(finding.message, sizeof finding.message, "%s", say_streams(here, other, place).text);
    snprintf(finding.advice, sizeof finding.advice, "%s", advice);
    return finding;
}

static const char *verb_of(const struct simt_work *work, uint64_t stamp, bool writes) {
    uint32_t index = stamp & SIMT_STAMP_INDEX;
    if (!work->kernel || index >= work->kernel->program->n_insns)
        return writes ? "writes" : "reads";
    return simt_verb(work->kernel->program, index, writes);
}

void simt_suspect_work(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_region *region, uint32_t lane, uint64_t offset,
                       uint64_t mine, uint64_t other, bool other_wrote) {
    const struct simt_works *works = sm->space->works;
    const struct simt_work *work = work_of(works, other);
    struct simt_work own = works->list[works->n - 1];
    uint32_t index = request->insn->index;
    uint32_t key = alike(works, work) << 16 | (other & SIMT_STAMP_INDEX);
    if (simt_findings_again(sm->findings, SIMT_FINDING_GLOBAL_RACE, index, key))
        return;
    (void)lane;
    struct simt_turn turn = {sm->order.start, sm->cta_index};
    own.turns = (struct simt_turns){.list = &turn, .n = 1};
    struct words here =
        words_of(&own, mine, simt_verb(sm->program, index, request->touch != SIMT_READS));
    struct words there = words_of(work, other, verb_of(work, other, other_wrote));
    struct simt_text place =
        simt_place_text(sm, region, offset, ptx_type_bytes(request->insn->type));
    struct simt_finding finding = describe(sm->kernel->told_name.text, &here, &there, place.text);
    simt_findings_put(sm->findings, index, key, &finding);
}

static void report_touch(struct simt *simt, const struct simt_allocation *allocation,
                         uint64_t offset, uint64_t other, bool writes, bool other_wrote) {
    const struct simt_works *works = simt->space.works;
    const struct simt_work *own = &works->list[works->n - 1], *work = work_of(works, other);
    const struct simt_region region = {.space = PTX_GLOBAL, .allocation = allocation};
    struct words here = words_of(own, 0, writes ? "writes" : "reads");
    struct words there = words_of(work, other, verb_of(work, other, other_wrote));
    struct simt_text place = simt_place_text(NULL, &region, offset, 1);
    struct simt_finding finding = describe(work->kernel ? work->kernel->told_name.text : own->what,
                                           &here, &there, place.text);
    simt_record_finding(simt->record, &finding);
}

struct touch {
    struct simt *simt;
    struct simt_allocation *allocation;
    bool writes;
    uint32_t bytes, context; /* the context that was made last, and its bytes of a word */
    const struct simt_work *reported;
};

/* A slot for the bytes of a word; 0 where the table is full. */
static uint32_t slot_for(struct touch *touch, uint32_t bytes) {
    struct simt_contexts *contexts = &touch->simt->space.contexts;
    if (touch->bytes != bytes && contexts->n < SIMT_CONTEXTS) {
        contexts->stamps[contexts->n] =
            touch->simt->now | (uint64_t)bytes << SIMT_STAMP_BYTE | SIMT_STAMP_INDEX;
        touch->context = contexts->n++ << SIMT_SLOT_CONTEXT;
        touch->bytes = bytes;
    }
    return touch->context;
}

static bool clashes(const struct touch *touch, uint32_t slot, uint32_t bytes) {
    const struct simt_space *space = &touch->simt->space;
    uint64_t stamp = space->contexts.stamps[slot >> SIMT_SLOT_CONTEXT];
    return stamp >= space->works->foreign && simt_is_unordered_work(space->works, stamp) &&
           (stamp & (uint64_t)bytes << SIMT_STAMP_BYTE);
}

/* Once for each piece of work that is met. */
static void report(struct touch *touch, uint64_t offset, uint32_t slot, bool wrote) {
    const struct simt_space *space = &touch->simt->space;
    uint64_t stamp = simt_slot_stamp(space->contexts.stamps, slot);
    const struct simt_work *work = work_of(space->works, stamp);
    if (work == touch->reported)
        return;
    touch->reported = work;
    report_touch(touch->simt, touch->allocation, offset, stamp, touch->writes, wrote);
}

static void touch_word(struct touch *touch, struct simt_word *word, uint64_t offset,
                       uint32_t bytes) {
    bool has_rival = word->writer & SIMT_SLOT_RIVAL;
    bool meets_writer = clashes(touch, word->writer, bytes);
    bool meets_reader = clashes(touch, word->reader, bytes);
    uint32_t slot = slot_for(touch, bytes);
    if (meets_writer && (touch->writes || !has_rival))
        report(touch, offset, word->writer, !has_rival);
    if (meets_reader && touch->writes)
        report(touch, offset, word->reader, false);
    if (touch->writes) {
        word->writer = slot | (word->writer & SIMT_SLOT_WRITTEN);
        return;
    }
    if (meets_reader && (has_rival || !meets_writer)) /* two readers, as in global_race.c */
        word->writer = (word->reader & ~(uint32_t)SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL |
                       (word->writer & SIMT_SLOT_WRITTEN);
    word->reader = slot | (word->reader & SIMT_SLOT_WRITTEN);
}

void simt_work_touches(struct simt *simt, struct simt_allocation *allocation, uint64_t offset,
                       uint64_t bytes, bool writes) {
    const struct simt_works *works = simt->space.works;
    if (!works || !works->is_active || !simt->options.checks || !simt_contexts_open(&simt->space))
        return;
    struct simt_block *words = simt_space_words(allocation);
    if (!words)
        return;
    struct touch touch = {.simt = simt, .allocation = allocation, .writes = writes};
    const uint64_t end = offset + bytes;
    while (offset < end) {
        uint64_t first = offset & 3, n = 4 - first < end - offset ? 4 - first : end - offset;
        struct simt_word word = simt_get_word(words, offset >> 2);
        touch_word(&touch, &word, offset, ((UINT32_C(1) << n) - 1) << first);
        simt_put_word(words, offset >> 2, word);
        offset += n;
    }
}

enum simt_status simt_note(struct simt *simt, uint64_t address, size_t bytes, bool writes) {
    struct simt_allocation *allocation = simt_space_range(&simt->space, address, bytes);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    simt_work_touches(simt, allocation, address - allocation->address, bytes, writes);
    return SIMT_OK;
}

const struct simt_check simt_check_host_work = {
    .launch_begins = launch_begins,
    .launch_ends = launch_ends,
    .device_close = device_close,
};
