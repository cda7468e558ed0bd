/*
 * What the checks keep of a slot (simt_sm.checker), and of the launch and the host thread that it
 * belongs to.
 */
#pragma once

#include "common/simt/checks/asynchronous/async_copies.h"
#include "common/simt/checks/race/global/rivals.h"
#include "common/simt/checks/race/shared/shared_slots.h"
#include "common/simt/checks/spare.h"
#include "common/simt/state/sm.h"

/* The turns of a launch: which cta ran from which stamp on. A cta that never waits for another has
 * one turn. order.c keeps them. */
struct simt_turns {
    struct simt_turn {
        uint64_t stamp, cta;
    } * list; /* stamps rise */
    size_t n, room;
    bool is_full; /* the list ends too early */
};

/* A cta's turn begins. After the first few million turns, or where the host has no memory left,
 * nothing is noted any more. */
void simt_turns_add(struct simt_turns *turns, uint64_t stamp, uint64_t cta);

/* The cta that ran at a stamp; `unknown` where that was not noted. */
uint64_t simt_turns_find(const struct simt_turns *turns, uint64_t stamp, uint64_t unknown);

/* What a thread has made visible to others, and has seen of them: fences with strong accesses. A
 * fence is *narrow* where it orders for threads of its own cta alone (.cta), and wide else. */
struct simt_handover {
    uint64_t fenced;       /* stamp of its last fence */
    uint64_t wide;         /* … and of the last one that is wide */
    uint64_t released;     /* stamp of the last fence that a strong write followed */
    uint64_t acquired;     /* stamp of its last strong read */
    uint32_t narrow_fence; /* the instruction of its last narrow fence */
};

/* What a cta released for its own threads alone: all before a stamp. */
struct simt_narrow {
    uint64_t released;
    uint32_t insn; /* the fence, or the strong write, that is narrow */
};

/* The strong request that was noted last (order.h): the same one once more, before time goes on,
 * changes nothing. */
struct simt_noted {
    uint64_t now;
    uint32_t warp, mask;
    enum simt_touch touch;
    bool is_narrow;
};

/* The strong writes of the launch that a thread's last strong load, and its last atomic with a
 * result, came upon. */
struct simt_sights {
    struct simt_sight {
        uint64_t writer; /* its stamp; 0: none yet */
        uint32_t reader; /* the instruction that read */
    } load, atomic;
};

enum { SIMT_VERDICTS = 1 << 10 }; /* all that there are */

/* What an access does to the shadow of a word that it finds. */
enum simt_action {
    SIMT_TAKE_PLACE,  /* it takes the place of the last writer, or reader */
    SIMT_MOVE_READER, /* … and the last reader becomes the second one */
    SIMT_LOOK_CLOSER, /* there may be a conflict, or a second reader in the table */
    SIMT_IT_DEPENDS,  /* on which threads they are */
};

/* The actions of one kind of access on words whose slots have the same contexts, for as long as
 * nothing is ordered anew. */
struct simt_verdict {
    uint32_t actions; /* 2 bits each, by the relations of threads */
    uint32_t keeps;   /* flags of the reader's slot that stay there */
    uint32_t common;  /* the action where all are the same */
    bool is_known;
};

/* The first slots of global memory since each of these points in time (race/ages.h). */
struct simt_ages {
    struct simt_order order; /* the points, and … */
    uint32_t generation;     /* … the contexts that it is for */
    bool are_known;          /* slots tell how old they are */
    uint32_t launch, start, cta, warp;
};

enum simt_check_number {
#define CHECK(file, name, sees) SIMT_CHECK_##name,
#include "common/simt/findings.def"
#undef CHECK
    SIMT_N_CHECKS
};

struct simt_checker {
    /* Of the launch: what each cta released; NULL where the kernel has neither fences nor strong
     * reads of global memory. The first slot owns it. */
    uint64_t *cta_released;
    struct simt_narrow *cta_narrow; /* likewise; NULL where nothing in the kernel is narrow */

    /* Of the host thread, whose first slot owns them. */
    struct simt_turns *turns;
    struct simt_rivals *rivals;
    uint64_t thread_now,
        last_stamp; /* its own time, where several threads run, and when that ends */

    /* Of the slot. */
    void *own[SIMT_N_CHECKS]; /* what a check keeps that no other one looks at; NULL at first */
    struct simt_verdict verdicts[SIMT_VERDICTS];
    struct simt_ages ages;
    struct simt_shared_slots shared_slots;
    struct simt_deliveries deliveries;
    struct simt_bulk_reads bulk_reads;
    enum simt_phase phase;
    uint32_t
        n_written; /* so many bytes of shared memory, from its beginning on, were all written */
    struct simt_noted noted;
    struct simt_handover *handovers; /* per thread of the cta; NULL as cta_released is */
    struct simt_sights *sights;      /* likewise */
    struct simt_sights seen;         /* the last ones of the cta … */
    struct simt_sights seen_before;  /* … and before its last barrier */
    uint64_t acquired;               /* the last strong read of the cta … */
    uint64_t acquired_before; /* … and the last one before its last barrier: all know of it */
    uint64_t
        published; /* the last barrier before which each thread had a wide fence of its own … */
    uint64_t published_narrowly; /* … or at least a narrow one */
};
