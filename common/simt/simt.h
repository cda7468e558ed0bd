/*
 * A simulator of one CUDA device: PTX in; results, counters and findings out.
 *
 * The library knows nothing of labs or grading. It runs kernels as 32-lane warps with the semantics
 * of Volta and later (diverged lanes make progress independently and meet again at the immediate
 * post-dominator), counts what the warps did by NVIDIA's definitions, and reports what a correct
 * kernel never does. Nothing here prints or exits; failures return a status and fill a diagnostic.
 *
 * Vocabulary is PTX's: a cta is a thread block, a predicate is a one-bit register, an active mask
 * names the lanes of a warp that take part.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMT_LANES = 32 };

enum simt_status {
    SIMT_OK = 0,
    SIMT_NO_MEMORY,       /* the device's (or the host's) memory is exhausted */
    SIMT_BAD_PTX,         /* the text is no PTX */
    SIMT_UNSUPPORTED,     /* valid PTX that the simulator does not run: the diagnostic names it */
    SIMT_BAD_CONFIG,      /* a launch that the device refuses: 1,025 threads, an empty grid ... */
    SIMT_BAD_ADDRESS,     /* host call: the address lies in no allocation, or the range leaves it */
    SIMT_ILLEGAL_ADDRESS, /* kernel: load, store or atomic outside every allocation */
    SIMT_MISALIGNED,      /* kernel: address not a multiple of the access size */
    SIMT_TIMEOUT,         /* kernel: stopped by options.budget or options.timeout_ms */
    SIMT_DEADLOCK,        /* kernel: every thread waits for one that will never come */
    SIMT_TRAP,            /* kernel: trap instruction */
    SIMT_ASSERT,          /* kernel: failed assert */
    SIMT_STACK_OVERFLOW,  /* kernel: calls too deep */
    SIMT_INVALID_PC,      /* kernel: call of what is no function */
    SIMT_ILLEGAL_INSTRUCTION, /* kernel: an instruction that the device refuses to run so */
};

/* What went wrong, and where. `file` is empty and `line` 0 where no source position is known. */
struct simt_diag {
    enum simt_status status;
    char file[256];
    unsigned line;
    char message[512];
};

struct simt_dim3 {
    uint32_t x, y, z;
};

/*
 * Some ctas of a launch, in place of all where those would take hours: pairs that lie as far from
 * the grid's beginning as from its end. First the two outermost; then three pairs side by side at
 * each place, so that what neighbours leave for the next launch is together there again; of a grid
 * of up to SIMT_SAMPLE_WHOLE ctas, then the others from the outside in. Those that don't run leave
 * memory as it is.
 */
enum { SIMT_SAMPLE_PLACES = 16, SIMT_SAMPLE_WHOLE = 1024 };
struct simt_sample {
    uint32_t n;                      /* places; 0: all ctas run */
    uint32_t at[SIMT_SAMPLE_PLACES]; /* in 2^-32 of the way from the first cta to the middle */
    uint64_t budget; /* once a launch has executed so many warp instructions, no pair starts */
    size_t bytes;    /* that a launch may take of the host's memory; 0: as much as there is */
};

/* Limits of the virtual device and what a launch records. */
struct simt_options {
    bool checks; /* races, uninitialised reads, divergent barriers (bounds are always on) */
    /* Warp instructions that one launch may execute, all ctas together; 0, the default, is no
     * limit. What takes the host longer counts for more: an atomic as 32 more, a thread's printf,
     * malloc or free as 64, 4 wavefronts or sectors as one, a finding as one each time it is seen.
     * A launch that goes on beyond them is stopped: in loops, at calls and between ctas, where the
     * count is looked at once in a few thousand times. That is the same place each time, whatever
     * the host's speed and n_threads. */
    uint64_t budget;
    int64_t timeout_ms;    /* wall time that one launch may take, as a last resort; 0 is no limit */
    size_t global_bytes;   /* device memory */
    size_t host_bytes;     /* what all of it may take of the host's; 0: as much as there is */
    size_t heap_bytes;     /* part of it that malloc() in kernels may take: 8 MiB by default */
    uint32_t shared_bytes; /* shared memory of one cta, static plus dynamic: 48 KiB by default */
    uint32_t max_cta_threads; /* 1,024 */
    uint32_t n_sm;            /* multiprocessors of the device */
    /* What one multiprocessor holds at a time: threads, bytes of shared memory, ctas. */
    uint32_t sm_threads, sm_shared_bytes, sm_ctas;
    /* Host threads that run ctas; 0: as many as this process may use cores. What a launch does and
     * reports does not depend on it. */
    uint32_t n_threads;
    /* 0: ctas and warps run in the order of their indices, each as long as it can. Any other value
     * draws another legal order from it, with turns that end early: resident ctas and warps
     * overtake each other. The launches after a simt_report_reset run the same way again. Sums of
     * counters stay as they are where the kernel's result does not depend on the order. */
    uint64_t seed;
    /* The ctas of each launch whose steps are kept, from trace_first on; 0 keeps none. */
    uint64_t trace_first, trace_ctas;
    /* Keeps what the shared memory of each launch's first ctas holds whenever a barrier opens, and
     * at their end: simt_launch_report.pictures. */
    bool keeps_shared;
    /* Records each thread that reads device memory, so that simt_origins knows what nobody has
     * read. Without it only what races need is recorded. */
    bool keeps_readers;
    /* Device memory that a cooperative launch uses to synchronise its grid, 8 bytes of zeros; 0:
     * the launch is not cooperative. Kernels find it in %envreg1 and %envreg2, as cooperative
     * groups expect it (cooperative_groups/details/driver_abi.h). */
    uint64_t grid_workspace;
    /* Keeps digests of allocations that are freed, for simt_digests. */
    bool keeps_digests;
    /* The ctas that run. Checks should be off: what the others would have written is missing. */
    struct simt_sample sample;
};

/* What a kernel's warps did. One X(name, unit, definition) a counter; all are uint64_t. Sums,
 * counts of a line, JSON, the reports and the labs' lab_counter() follow from it. The definition is
 * NVIDIA's. A counter with a unit is listed by the reports where it is not 0; one whose unit
 * is "" is shown only by code that was written for it (grader/report/text/counters.c,
 * tool/summary.c). */
#define SIMT_COUNTERS(X)                                                                           \
    X(warp_instructions, "", "PTX instructions issued, one a warp (inst_executed)")                \
    X(machine_instructions, "", "an estimate: with as many for each as sm_90 needs")               \
    X(thread_instructions, "",                                                                     \
      "PTX instructions executed, summed over active, predicated-on lanes")                        \
    X(branches, "", "branch instructions issued, one a warp")                                      \
    X(divergent_branches, "",                                                                      \
      "branches of which some active lanes went one way and some the other")                       \
    X(barriers, "", "cta barriers issued, one a warp")                                             \
    X(shared_loads, "", "shared-memory load requests, one a warp instruction")                     \
    X(shared_stores, "", "shared-memory store requests, one a warp instruction")                   \
    X(shared_load_wavefronts, "", "passes that the 32 banks of 4 bytes need to serve the loads")   \
    X(shared_store_wavefronts, "", "passes that the 32 banks of 4 bytes need to serve the stores") \
    X(bank_conflicts, "",                                                                          \
      "wavefronts beyond those that the same bytes would need without a conflict")                 \
    X(global_loads, "", "global-memory load requests, one a warp instruction")                     \
    X(global_stores, "", "global-memory store requests, one a warp instruction")                   \
    X(global_load_sectors, "", "32-byte sectors that the loads touch, summed over requests")       \
    X(global_store_sectors, "", "32-byte sectors that the stores touch, summed over requests")     \
    X(atomics, "requests",                                                                         \
      "atomics and reductions on global or shared memory, one a warp instruction")                 \
    X(shuffles, "requests", "shfl.sync instructions, one a warp")                                  \
    X(votes, "requests", "vote.sync, match.sync and redux.sync instructions, one a warp")

struct simt_counters {
#define SIMT_COUNTER_FIELD(name, unit, definition) uint64_t name;
    SIMT_COUNTERS(SIMT_COUNTER_FIELD)
#undef SIMT_COUNTER_FIELD
};

/* What a kernel did at one source line. `file` belongs to the device. */
struct simt_line {
    const char *file;
    unsigned line;
    struct simt_counters counters;
};

/* A step of a traced warp: `n` instructions of one source line in a row, for the same lanes. */
struct simt_event {
    uint64_t cta;  /* its index in the grid */
    uint32_t warp; /* in the cta */
    uint32_t mask; /* active lanes; predicates may switch some of them off */
    uint32_t n;
    unsigned line;
    const char *file;
};

/* What the shared memory of a cta held when a barrier opened, or, where line is 0, at its end. */
enum { SIMT_PICTURE_WORDS = 64, SIMT_PICTURED_CTAS = 8, SIMT_MAX_PICTURES = 128 };
struct simt_picture {
    uint64_t cta;     /* its index in the grid, below SIMT_PICTURED_CTAS */
    const char *file; /* of the barrier; NULL where none is known */
    unsigned line;
    char name[32];    /* of the variable, where there is but one; else "shared" */
    uint32_t n_words; /* of 4 bytes, from offset 0 on */
    uint64_t written; /* bit i: word i has been written; all are where the launch is not checked */
    uint32_t words[SIMT_PICTURE_WORDS];
};

/* One launch. Lines are sorted by file, then line; lines without any count are left out. */
struct simt_launch_report {
    const char *kernel; /* demangled, without its parameter list */
    struct simt_dim3 grid, block;
    uint32_t shared_bytes;  /* static plus dynamic, of one cta */
    uint32_t dynamic_bytes; /* what the launch asked for */
    bool is_sampled;        /* not all of its ctas ran: simt_sample */
    enum simt_status status;
    struct simt_counters total;
    struct simt_line *lines;
    size_t n_lines;
    struct simt_event *events;         /* in the order in which they happened; NULL unless traced */
    size_t n_events, n_events_dropped; /* dropped: beyond SIMT_MAX_EVENTS */
    struct simt_picture *pictures;     /* in their order; NULL unless asked for */
    size_t n_pictures;                 /* at most SIMT_MAX_PICTURES */
};
enum { SIMT_MAX_EVENTS = 1 << 20 };

/* The kinds of finding. */
enum simt_finding_kind {
#define FINDING(name, word, by, failure, what) SIMT_FINDING_##name,
#include "common/simt/findings.def"
#undef FINDING
    SIMT_N_FINDINGS
};

enum { SIMT_MOST_BEHIND = 16 }; /* lines behind an instruction that are told */

/* One side of a finding: who did what, where. */
struct simt_access {
    const char *file;
    unsigned line;
    struct simt_dim3 cta, thread;
    const char *what; /* "reads", "writes", "adds to (atomic)", "waits" ... */
};

/* A finding, reported once per kernel, kind and pair of lines, with the first witness and a count.
 */
struct simt_finding {
    enum simt_finding_kind kind;
    const char *kernel;
    struct simt_access here, other; /* other.what is NULL where there is only one side */
    char place[96];    /* "tile + 4", "in[513]", "" : the address in the program's own words */
    char message[384]; /* one or two whole sentences that name both sides, for a student */
    char advice[192];  /* what usually mends it */
    /* Lines of the file of `here` that may have gone into its address, mask or condition, the
     * nearest first. */
    unsigned behind[SIMT_MOST_BEHIND], n_behind;
    uint64_t count; /* times seen */
};

/* Where the addresses of device memory begin if the host lets us choose: far from heap, stack and
 * libraries, and the same in each run. */
#define SIMT_MEMORY_BASE UINT64_C(0x200000000000)

struct simt;        /* one virtual device */
struct simt_module; /* one loaded PTX text */
struct simt_kernel; /* one .entry of a module */

/* Fills `options` with the defaults: checks on, no budget, no time limit, 16 GiB, 48 KiB, 1,024
 * threads, 8 multiprocessors of 1,024 threads, 64 KiB and 16 ctas each. */
void simt_default_options(struct simt_options *options);

/* A new device, or NULL when the host has no memory for it. The caller destroys it. */
struct simt *simt_create(const struct simt_options *options);
void simt_destroy(struct simt *simt);

/* The options in force; all but global_bytes and host_bytes may be changed between launches. */
struct simt_options *simt_options(struct simt *simt);

/*
 * Device memory. Addresses are 256-byte aligned, never 0, and lie in a range that the host can't
 * touch: host code that dereferences one gets SIGSEGV, as with a real device. Allocations are exact
 * to the byte with a gap of at least 512 bytes between them, so that the first byte past the end is
 * found.
 */
enum simt_status simt_malloc(struct simt *simt, size_t bytes, uint64_t *address);
enum simt_status simt_free(struct simt *simt, uint64_t address);

/* An allocation whose bytes lie at `host`, memory of the caller's that has to stay until it is
 * freed. They count as written. It may be larger than the device and what the host has left: pages
 * that nobody touches cost nothing. More than 256 MiB of it at a time is not copied or filled. */
enum simt_status simt_malloc_at(struct simt *simt, void *host, size_t bytes, uint64_t *address);
enum simt_status simt_write(struct simt *simt, uint64_t to, const void *from, size_t bytes);
enum simt_status simt_read(struct simt *simt, void *to, uint64_t from, size_t bytes);
enum simt_status simt_copy(struct simt *simt, uint64_t to, uint64_t from, size_t bytes);
enum simt_status simt_set(struct simt *simt, uint64_t to, uint8_t value, size_t bytes);

/*
 * Memory that host and device share at one address. A managed allocation lies in the device's range
 * and is freed with simt_free; simt_manage makes one of an allocation that is there already, such
 * as a variable's. simt_map lends kernels `bytes` of the host's memory until simt_unmap; a range
 * must not overlap another one (SIMT_BAD_ADDRESS). What the host writes there is not seen, so that
 * all of it counts as written. SIMT_UNSUPPORTED where the host refused the range of addresses.
 */
enum simt_status simt_malloc_managed(struct simt *simt, size_t bytes, uint64_t *address);
enum simt_status simt_manage(struct simt *simt, uint64_t address);
enum simt_status simt_map(struct simt *simt, void *host, size_t bytes);
enum simt_status simt_unmap(struct simt *simt, const void *host);

/* The same where the memory is another process's: kernels find it at `address`, its bytes lie at
 * `host`, which has the same remainder by 16 and as many readable bytes before it. */
enum simt_status simt_map_at(struct simt *simt, uint64_t address, void *host, size_t bytes);

/* Where bytes lie that host and device share (managed or lent); NULL for all others. */
uint8_t *simt_shared(struct simt *simt, uint64_t address, size_t bytes);

/* True when the address lies in the device's range (allocated or not). */
bool simt_is_device_address(const struct simt *simt, uint64_t address);
/* The range's first address, and its size. */
uint64_t simt_address_range(const struct simt *simt, uint64_t *bytes);

/* True when all `bytes` from `address` on lie in one allocation. */
bool simt_is_range(struct simt *simt, uint64_t address, size_t bytes);

/*
 * Work of several queues (streams). A host that has more than one says before each launch, copy or
 * fill in which queue it is and what it comes after, and afterwards that it is over. Work that has
 * no order with it and touches the same bytes, one of both writing, is then a finding, whichever
 * ran first; the last thousand pieces of work are remembered. Copies and fills that are no work of
 * a queue (nothing was begun) don't count.
 *
 * A clock says how much of each queue's work, counted from 1, comes before: the work's own has its
 * own number in its own queue. `what` names the host's work in messages ("the copy
 * (cudaMemcpyAsync)") and has to live as long as the device; launches need none.
 */
enum { SIMT_QUEUES = 64 };
struct simt_clock {
    uint64_t n[SIMT_QUEUES];
    uint64_t n_waits; /* how often the host had waited for work when it asked for this one */
};
enum simt_status simt_begin_work(struct simt *simt, unsigned queue, const struct simt_clock *clock,
                                 const char *what);
void simt_end_work(struct simt *simt);

/* The work that was begun reads or writes bytes that the host moves itself: in memory that it
 * shares with the device. */
enum simt_status simt_note(struct simt *simt, uint64_t address, size_t bytes, bool writes);

/* Device memory in bytes: all of it, and what is free, which is no more than the host had left when
 * the device was made. Memory is the host's once it is touched; a kernel, a copy or a fill that
 * finds the host's at an end is SIMT_NO_MEMORY. */
void simt_memory_info(const struct simt *simt, size_t *free_bytes, size_t *total_bytes);

/* Which limit the latest allocation hit that was SIMT_NO_MEMORY, in a sentence; "" before there is
 * one. Belongs to the device; valid until its next allocation. */
const char *simt_memory_refusal(const struct simt *simt);

/* True once a kernel has called malloc(): from then on its heap keeps its size. */
bool simt_heap_is_in_use(const struct simt *simt);

/* Names an allocation in messages: "in[513]" where element_bytes is 4. The name is copied. */
enum simt_status simt_name(struct simt *simt, uint64_t address, const char *name,
                           size_t element_bytes);

/* What an allocation held when it was freed, or holds now. Two runs of a program, each in an order
 * of its own, differ in their digests where their results depend on the order. */
struct simt_digest {
    uint64_t number; /* 1 is the device's first allocation, of simt_malloc or a module's variable */
    uint64_t bytes, value;
    char name[48]; /* of simt_name, cut short; "" if none */
};

/* The digests of all allocations, by number, of those freed only where options.keeps_digests was
 * set (and SIMT_MAX_DIGESTS of them). Returns how many; the caller frees the list, which is NULL
 * where the host has no memory. What kernels allocate and memory of the host are left out. */
enum { SIMT_MAX_DIGESTS = 1 << 16 };
size_t simt_digests(const struct simt *simt, struct simt_digest **digests);

/*
 * What the host did to memory since the last simt_report_reset: bytes that it read and wrote
 * (simt_read, simt_write), in all and of each allocation that has a name, and by whom the bytes of
 * those were written last since then. The host's copies and fills are its own (simt_write,
 * simt_set); bytes that simt_copy moves are whose they were. What nobody has written since is what
 * the reset found. What the host moves while options.checks is off is not counted. Memory that host
 * and device share is left out.
 */
enum { SIMT_UNREAD_BYTES = 1 << 16, SIMT_MOST_SPANS = 4 };
struct simt_origins {
    bool is_sure; /* false: a kernel ran without checks, so that nobody knows what kernels wrote */
    uint64_t to_host, from_host;
    struct simt_buffer_origin {
        uint64_t address, bytes;
        const char *name; /* belongs to the allocation */
        uint64_t by_kernels, by_host, to_host;
        /* options.keeps_readers was set, the buffer is no larger than SIMT_UNREAD_BYTES, and no
         * copy has read it. */
        bool knows_readers;
        uint64_t unread_bytes; /* of whole words of 4 bytes that no thread has read since then */
        struct simt_span {
            uint64_t first, bytes;
        } unread[SIMT_MOST_SPANS]; /* the first of them, as spans */
        unsigned n_unread;
    } * buffers; /* by address; NULL where there are none or no memory */
    size_t n_buffers;
};

/* Fills `origins`; the caller frees `buffers`. */
void simt_origins(const struct simt *simt, struct simt_origins *origins);

/* Which thread stored a word of device memory last, by which line. `who` is "thread 5 of block 2",
 * or "a thread" of a launch of very many blocks. `behind` are the lines of the same file whose
 * results may have gone into what it stored, the nearest first. The names belong to the device. */
struct simt_writer {
    const char *kernel, *file;
    unsigned line;
    char who[96];
    unsigned behind[SIMT_MOST_BEHIND], n_behind;
};

/* NOBODY: the word at this address was never written since it was marked so. UNKNOWN: the host has
 * written it, or it was written before the last simt_report_reset, or nobody knows, since a launch
 * was not checked, two threads of a later one have read the word, or it is too long ago. `writer`
 * is set where it is a KERNEL. */
enum simt_writer_kind { SIMT_WRITER_UNKNOWN, SIMT_WRITER_NOBODY, SIMT_WRITER_KERNEL };
enum simt_writer_kind simt_last_writer(struct simt *simt, uint64_t address,
                                       struct simt_writer *writer);

/* Marks bytes as never written (their values stay): a kernel that reads them is reported. */
enum simt_status simt_undefine(struct simt *simt, uint64_t address, size_t bytes);

/* Loads PTX (`bytes` long, no terminator needed). NULL, with `diag` filled, when it can't be
 * parsed. An instruction that is not supported is an error only when a kernel that holds it is
 * launched. The module belongs to the device. */
struct simt_module *simt_module_load(struct simt *simt, const char *ptx, size_t bytes,
                                     struct simt_diag *diag);

/* A kernel by its mangled name; NULL when the module has none. Belongs to the module. */
struct simt_kernel *simt_kernel_find(struct simt_module *module, const char *name);

/* Kernel parameters: how many, and each one's offset and size in the packed parameter block. */
size_t simt_kernel_n_params(const struct simt_kernel *kernel);
void simt_kernel_param(const struct simt_kernel *kernel, size_t index, size_t *offset,
                       size_t *bytes);
size_t simt_kernel_param_bytes(const struct simt_kernel *kernel);
uint32_t simt_kernel_static_shared_bytes(const struct simt_kernel *kernel);
/* The most threads that a cta may have by the kernel's own account (.maxntid); 0: it says none. */
uint32_t simt_kernel_max_threads(const struct simt_kernel *kernel);
/* The architecture that the kernel's PTX is for: 75 where it says .target sm_75. */
unsigned simt_kernel_target(const struct simt_kernel *kernel);
/* The same of a whole module. */
unsigned simt_module_target(const struct simt_module *module);

/* A __device__ or __constant__ variable by its mangled name: its device address and size. */
enum simt_status simt_symbol(struct simt_module *module, const char *name, uint64_t *address,
                             size_t *bytes);

/* What simt_launch would refuse before anything runs: limits, unsupported instructions. */
enum simt_status simt_launch_check(struct simt *simt, struct simt_kernel *kernel,
                                   struct simt_dim3 grid, struct simt_dim3 block,
                                   uint32_t dynamic_shared_bytes, struct simt_diag *diag);

/* Runs a kernel to its end. `params` is the packed parameter block. On anything but SIMT_OK, `diag`
 * says why; what the kernel wrote until then stays written. Adds to the report.
 *
 * Ctas start in the order of their indices, or in a drawn one (simt_options.seed). As many as fit
 * on the device at a time are resident: a cta that waits for another resident one, earlier or
 * later, gets what it waits for. Where all resident ones wait for something that nobody changes,
 * the launch ends as SIMT_DEADLOCK. */
enum simt_status simt_launch(struct simt *simt, struct simt_kernel *kernel, struct simt_dim3 grid,
                             struct simt_dim3 block, uint32_t dynamic_shared_bytes,
                             const void *params, struct simt_diag *diag);

/* Stops the running launch, from any thread, at its next loop, call or cta, and every later one:
 * its status is SIMT_TIMEOUT. For a program that ends. */
void simt_interrupt(struct simt *simt);

/* All launches of one kernel together, also those that are not kept one by one. */
struct simt_kernel_report {
    const char *kernel;
    uint64_t n_launches, n_failed; /* failed: ended with another status than SIMT_OK */
    struct simt_counters total;
    struct simt_line *lines; /* sorted as those of a launch */
    size_t n_lines;
};

/*
 * What kernels wrote since the last call: printf to SIMT_STDOUT, in the order in which the threads
 * ran; failed assertions to SIMT_STDERR, in CUDA's words. `*bytes` of text, which the caller frees;
 * NULL when there is none. A host shows it where hardware would: at the next synchronisation.
 */
enum simt_stream { SIMT_STDOUT, SIMT_STDERR };
char *simt_take_output(struct simt *simt, enum simt_stream stream, size_t *bytes);

/* A piece of work of a host with several queues (simt_begin_work), once it is over. */
struct simt_work_report {
    uint32_t queue;
    uint64_t number;                 /* in its queue, from 1 on; those before a reset count, too */
    uint64_t to_device, from_device; /* bytes that the host's copies moved */
    int64_t launch;                  /* its place among the launches kept; -1: it is none of them */
    uint64_t n_waits;                /* struct simt_clock */
    uint32_t n_after;
    uint32_t after[SIMT_QUEUES]; /* of each queue the last piece that comes before, by its place */
};

/* What happened since the last reset. Pointers stay valid until the next launch or reset. At most
 * SIMT_MAX_LAUNCHES launches are kept; the rest are counted in n_launches_dropped. The same of
 * SIMT_MAX_WORKS pieces of work. */
enum { SIMT_MAX_LAUNCHES = 256, SIMT_MAX_WORKS = 1024 };
struct simt_report {
    const struct simt_launch_report *launches;
    size_t n_launches, n_launches_dropped;
    const struct simt_kernel_report *kernels; /* in the order of their first launches */
    size_t n_kernels;
    struct simt_counters latest; /* of the last launch, kept or not */
    const struct simt_finding *findings;
    size_t n_findings;
    const struct simt_work_report *works; /* in the order in which they ran; the first ones */
    size_t n_works, n_works_dropped;
    const struct simt_earlier *earlier; /* the lines that ran before the last reset; NULL: nobody
                                           knows */
};
void simt_report(const struct simt *simt, struct simt_report *report);
void simt_report_reset(struct simt *simt);

/* The word of a finding's kind ("shared_race"), and a sentence for a status. */
const char *simt_finding_word(enum simt_finding_kind kind);
const char *simt_status_text(enum simt_status status);

/* The report as JSON text (common/simt/report/README gives the layout); the caller frees it. */
char *simt_report_json(const struct simt *simt);
/* Likewise an array of the kernels, each with all its launches together. */
char *simt_report_kernels_json(const struct simt *simt);
