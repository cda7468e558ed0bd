/*
 * The server of messages, in a thread of this process: a crash of it is one of the test, and a hang
 * runs into the test's time limit. Hosts are honest, or send thousands of messages drawn at random,
 * many of them almost right.
 */
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/splitmix.h"
#include "common/simt/remote/server/server.h"
#include "common/simt/remote/wire.h"

TestSuite(serve, .timeout = 100);

static const char ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                          ".visible .global .align 4 .u32 number = 5;\n"
                          ".visible .entry store(.param .u64 p, .param .u32 v) {\n"
                          ".reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
                          "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\n"
                          "st.global.u32 [%rd1], %r1;\nret;\n}\n";

struct ends {
    int owner[2], host[2];
    pthread_t thread;
    enum remote_outcome end;
    const char *why;
    uint32_t sequence;
    struct remote_packet packet;
};

static void *serve(void *context) {
    struct ends *ends = context;
    struct simt_options options;

    simt_default_options(&options);
    options.global_bytes = options.host_bytes = 64 << 20;
    options.n_threads = 1;
    ends->end = remote_serve(ends->owner[1], ends->host[1], &options, &ends->why);
    close(ends->owner[1]);
    close(ends->host[1]);
    return NULL;
}

static void start(struct ends *ends) {
    *ends = (struct ends){.sequence = 0};
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends->owner), 0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends->host), 0);
    cr_assert_eq(pthread_create(&ends->thread, NULL, serve, ends), 0);
}

static enum remote_outcome finish(struct ends *ends) {
    close(ends->host[0]);
    close(ends->owner[0]);
    pthread_join(ends->thread, NULL);
    return ends->end;
}

static bool is_owners(uint32_t kind) {
    return kind > REMOTE_N_HOST;
}

static void send_message(struct ends *ends, uint32_t kind, const uint64_t n[REMOTE_NUMBERS],
                         const void *payload, size_t bytes) {
    struct remote_request request = {.kind = kind, .sequence = ++ends->sequence};

    memcpy(request.n, n, sizeof request.n);
    remote_send((is_owners(kind) ? ends->owner : ends->host)[0], &request, sizeof request, payload,
                bytes, -1);
}

/* The reply to the latest request; false where the server has ended. */
static bool await_reply(struct ends *ends, uint32_t kind) {
    int socket = (is_owners(kind) ? ends->owner : ends->host)[0];

    if (remote_receive(socket, sizeof ends->packet.head.reply, 0, &ends->packet) != REMOTE_GOT_IT)
        return false;
    cr_assert_eq(ends->packet.head.reply.sequence, ends->sequence);
    return true;
}

/* A request that must be answered: its status. */
static enum simt_status ask(struct ends *ends, uint32_t kind, uint64_t a, uint64_t b, uint64_t c,
                            const void *payload, size_t bytes) {
    send_message(ends, kind, (uint64_t[REMOTE_NUMBERS]){a, b, c}, payload, bytes);
    cr_assert(await_reply(ends, kind), "request %u", kind);
    return (enum simt_status)ends->packet.head.reply.status;
}

static uint64_t number(const struct ends *ends, size_t i) {
    return ends->packet.head.reply.n[i];
}

/* A buffer of four words, in a call that has begun: its address. */
static uint64_t begin(struct ends *ends) {
    const struct remote_begin begin = {
        .checks = 1,
        .starts = 1,
        .timeout_ms = 2000,
        .budget = 4000,
        .n_buffers = 1,
        .buffers = {{.bytes = 16,
                     .element_bytes = 4,
                     .source = REMOTE_FILLED,
                     .fill = 0xa5,
                     .name = "out"}},
    };
    uint64_t address;

    cr_assert_eq(ask(ends, REMOTE_BEGIN, 0, 0, 0, &begin, sizeof begin), SIMT_OK);
    memcpy(&address, ends->packet.payload, sizeof address);
    return address;
}

static struct remote_facts stop(struct ends *ends) {
    const struct remote_end end = {.wants_report = REMOTE_NEVER};
    struct remote_facts facts;

    cr_assert_eq(ask(ends, REMOTE_END, 0, 0, 0, &end, sizeof end), SIMT_OK);
    cr_assert_eq(ends->packet.bytes, sizeof facts);
    memcpy(&facts, ends->packet.payload, sizeof facts);
    return facts;
}

struct store {
    struct remote_launch launch;
    uint64_t p;
    uint32_t v, unused;
};
enum { STORE_BYTES = sizeof(struct remote_launch) + 12 };

static struct store store_of(uint64_t kernel, uint64_t p, uint32_t v) {
    return (struct store){.launch = {.kernel = kernel,
                                     .grid = {1, 1, 1},
                                     .block = {1, 1, 1},
                                     .shared_bytes = 48 << 10},
                          .p = p,
                          .v = v};
}

static void load(struct ends *ends) {
    cr_assert_eq(ask(ends, REMOTE_MODULE, sizeof ptx - 1, 0, 0, NULL, 0), SIMT_OK);
    cr_assert_eq(ask(ends, REMOTE_MODULE_TEXT, 0, 0, 0, ptx, sizeof ptx - 1), SIMT_OK);
    cr_assert_eq(number(ends, 0), 1);
    cr_assert_eq(ask(ends, REMOTE_KERNEL, 1, 0, 0, "store", 5), SIMT_OK);
}

Test(serve, runs_kernels_and_says_who_wrote) {
    struct ends ends;
    start(&ends);
    uint64_t out = begin(&ends);
    load(&ends);
    struct store store = store_of(1, out + 4, 77);
    cr_expect_eq(ask(&ends, REMOTE_LAUNCH, 0, 0, 0, &store, STORE_BYTES), SIMT_OK);
    cr_expect_eq(ask(&ends, REMOTE_WRITE, out + 8, 0, 0, "abcd", 4), SIMT_OK);
    cr_expect_eq(ask(&ends, REMOTE_READ, out + 4, 8, 0, NULL, 0), SIMT_OK);
    cr_expect_arr_eq(ends.packet.payload,
                     "\x4d\0\0\0"
                     "abcd",
                     8);
    struct remote_facts facts = stop(&ends);
    cr_expect_eq(facts.n_launches, 1);
    cr_expect(facts.is_sure && facts.buffers[0].is_there);
    cr_expect_eq(facts.buffers[0].by_kernels, 4);
    cr_expect_eq(facts.buffers[0].by_host, 4);
    cr_expect_eq(facts.to_host, 8);
    cr_expect_eq(facts.from_host, 4);
    cr_expect_eq(finish(&ends), REMOTE_GONE);
}

Test(serve, does_not_listen_to_the_host_between_calls) {
    struct ends ends;
    const uint64_t none[REMOTE_NUMBERS] = {0};
    start(&ends);
    uint64_t out = begin(&ends);
    stop(&ends);
    send_message(&ends, REMOTE_WRITE, (uint64_t[REMOTE_NUMBERS]){out}, "abcd", 4);
    const uint32_t sequence = ends.sequence;
    cr_expect_eq(ask(&ends, REMOTE_REPORT, 0, 0, 0, NULL, 0), SIMT_OK);
    struct pollfd answered = {.fd = ends.host[0], .events = POLLIN};
    cr_expect_eq(poll(&answered, 1, 50), 0);
    cr_expect_eq(stop(&ends).buffers[0].by_host, 0);
    send_message(&ends, REMOTE_RESUME, none, NULL, 0);
    cr_expect(await_reply(&ends, REMOTE_RESUME));
    ends.sequence = sequence;
    cr_expect(await_reply(&ends, REMOTE_WRITE));
    cr_expect_eq(finish(&ends), REMOTE_GONE);
}

/* Memory of the owner's, which it shares with the server. */
struct shared {
    int fd;
    size_t bytes;
    char *at;
};

static void begin_share(struct ends *ends, struct shared *shared, size_t bytes) {
    *shared = (struct shared){.fd = memfd_create("share", 0), .bytes = bytes};
    cr_assert_eq(ftruncate(shared->fd, (off_t)bytes), 0);
    shared->at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared->fd, 0);
    cr_assert_neq(shared->at, MAP_FAILED);
    struct remote_request request = {.kind = REMOTE_SHARE, .sequence = ++ends->sequence};
    remote_send(ends->owner[0], &request, sizeof request, NULL, 0, shared->fd);
    cr_assert(await_reply(ends, REMOTE_SHARE));
}

static void end_share(struct shared *shared) {
    munmap(shared->at, shared->bytes);
    close(shared->fd);
}

Test(serve, moves_bytes_and_the_report_through_the_owner_s_memory) {
    struct ends ends;
    struct shared shared;
    const size_t bytes = REMOTE_REPORT_BYTES + 4096;
    start(&ends);
    begin_share(&ends, &shared, bytes);
    begin(&ends);
    struct remote_move move = {.bytes = 16, .place = REMOTE_REPORT_BYTES, .to_owner = 1};
    cr_expect_eq(ask(&ends, REMOTE_MOVE, 0, 0, 0, &move, sizeof move), SIMT_OK);
    cr_expect_eq((unsigned char)shared.at[REMOTE_REPORT_BYTES + 15], 0xa5);
    move.bytes = 17;
    cr_expect_eq(ask(&ends, REMOTE_MOVE, 0, 0, 0, &move, sizeof move), SIMT_BAD_ADDRESS);
    move = (struct remote_move){.bytes = 16, .place = bytes - 15, .to_owner = 1};
    cr_expect_eq(ask(&ends, REMOTE_MOVE, 0, 0, 0, &move, sizeof move), SIMT_BAD_ADDRESS);
    stop(&ends);
    cr_expect_eq(ask(&ends, REMOTE_REPORT, 0, 0, 0, NULL, 0), SIMT_OK);
    cr_expect_eq(number(&ends, 0), strnlen(shared.at, bytes));
    cr_expect_eq(strncmp(shared.at, "{\"launches\":[]", 14), 0);
    finish(&ends);
    end_share(&shared);
}

/* A buffer that lies at `place` of the owner's memory, where a part of it repeats. */
static enum simt_status lend_as(struct ends *ends, enum remote_source source, uint64_t place,
                                uint64_t bytes, uint64_t repeat_at, uint64_t repeat_bytes) {
    const struct remote_begin begin = {
        .starts = 1,
        .timeout_ms = 2000,
        .budget = 4000,
        .n_buffers = 1,
        .buffers = {{.bytes = bytes,
                     .place = place,
                     .repeat_at = repeat_at,
                     .repeat_bytes = repeat_bytes,
                     .element_bytes = 4,
                     .source = (uint16_t)source,
                     .name = "in"}},
    };

    return ask(ends, REMOTE_BEGIN, 0, 0, 0, &begin, sizeof begin);
}

static enum simt_status lend(struct ends *ends, uint64_t place, uint64_t bytes, uint64_t repeat_at,
                             uint64_t repeat_bytes) {
    return lend_as(ends, REMOTE_IN_PLACE, place, bytes, repeat_at, repeat_bytes);
}

Test(serve, lends_a_buffer_in_the_owner_s_memory_where_a_piece_repeats) {
    const uint64_t piece = REMOTE_PIECE_BYTES, bytes = 4 * piece;
    struct ends ends;
    struct shared shared;
    uint64_t in;
    start(&ends);
    begin_share(&ends, &shared, bytes + 4096);
    shared.at[4096 + piece + 5] = 'x';
    cr_assert_eq(lend(&ends, 4096, bytes, piece, 2 * piece), SIMT_OK);
    memcpy(&in, ends.packet.payload, sizeof in);
    for (uint64_t i = 0; i < 4; i++) {
        cr_assert_eq(ask(&ends, REMOTE_READ, in + i * piece + 5, 1, 0, NULL, 0), SIMT_OK);
        cr_expect_eq(ends.packet.payload[0], i == 1 || i == 2 ? 'x' : 0, "piece %d", (int)i);
    }
    cr_expect_eq(ask(&ends, REMOTE_WRITE, in, 0, 0, "abcd", 4), SIMT_OK);
    cr_expect_eq(strncmp(shared.at + 4096, "abcd", 4), 0, "there are no other bytes");
    cr_expect_eq(ask(&ends, REMOTE_WRITE, in + bytes - 3, 0, 0, "abcd", 4), SIMT_BAD_ADDRESS);
    stop(&ends);
    cr_expect_eq(finish(&ends), REMOTE_GONE);
    end_share(&shared);
}

/* The first byte of what lies before the pieces is seen in each as long a stretch of it, and so is
 * that behind them. */
Test(serve, lends_zeros_that_are_only_read_again_and_again) {
    const uint64_t piece = REMOTE_PIECE_BYTES, zeros = REMOTE_ZEROS_BYTES;
    const uint64_t first = 2 * zeros + piece, end = first + 2 * piece, bytes = end + zeros + 12345;
    const struct {
        uint64_t at;
        char is;
    } read[] = {{0, 'a'},      {zeros, 'a'},         {2 * zeros, 'a'}, {2 * zeros + piece - 1, 0},
                {first, 'b'},  {first + piece, 'b'}, {end, 'c'},       {end + zeros, 'c'},
                {bytes - 1, 0}};
    struct ends ends;
    struct shared shared;
    uint64_t in;
    start(&ends);
    begin_share(&ends, &shared, bytes + 4096);
    shared.at[4096] = 'a';
    shared.at[4096 + first] = 'b';
    shared.at[4096 + end] = 'c';
    cr_assert_eq(lend_as(&ends, REMOTE_READ_IN_PLACE, 4096, bytes, first, 2 * piece), SIMT_OK);
    memcpy(&in, ends.packet.payload, sizeof in);
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        cr_assert_eq(ask(&ends, REMOTE_READ, in + read[i].at, 1, 0, NULL, 0), SIMT_OK);
        cr_expect_eq(ends.packet.payload[0], read[i].is, "byte %llu",
                     (unsigned long long)read[i].at);
    }
    stop(&ends);
    finish(&ends);
    end_share(&shared);
}

Test(serve, lends_nothing_beside_the_owner_s_memory) {
    const uint64_t piece = REMOTE_PIECE_BYTES, bytes = 2 * piece;
    struct ends ends;
    struct shared shared;
    start(&ends);
    cr_expect_eq(lend(&ends, 0, bytes, 0, 0), SIMT_BAD_ADDRESS, "nothing is shared yet");
    begin_share(&ends, &shared, bytes);
    cr_expect_eq(lend(&ends, 4096, bytes, 0, 0), SIMT_BAD_ADDRESS);
    cr_expect_eq(lend(&ends, UINT64_MAX - 4095, bytes, 0, 0), SIMT_BAD_ADDRESS);
    cr_expect_eq(lend(&ends, 0, bytes + 1, 0, 0), SIMT_BAD_ADDRESS);
    cr_expect_eq(lend(&ends, 0, bytes, piece + 4096, piece), SIMT_BAD_ADDRESS);
    cr_expect_eq(lend(&ends, 0, bytes, 0, bytes + piece), SIMT_BAD_ADDRESS);
    cr_expect_eq(lend(&ends, 0, bytes, 0, piece + 1), SIMT_BAD_ADDRESS);
    cr_expect_eq(lend(&ends, 0, bytes, 0, bytes), SIMT_OK);
    finish(&ends);
    end_share(&shared);
}

/* --- at random */

struct draw {
    uint64_t state, base, out;
};

static uint64_t draw(struct draw *draw) {
    return splitmix_stir(draw->state += SPLITMIX_STEP);
}

/* A number that somebody might think of. */
static uint64_t some_number(struct draw *d) {
    const uint64_t numbers[] = {
        0,          1,       2,           4,          d->out,     d->out + 8,
        d->out - 1, d->base, d->base + 5, UINT64_MAX, 1ull << 63, 1ull << 32,
        1ull << 40, 65536,   32768,       33,         4096,       draw(d) % 64,
        draw(d)};
    return numbers[draw(d) % (sizeof numbers / sizeof *numbers)];
}

/* A payload for this kind: right, cut short, or with some bytes changed. */
static size_t some_payload(struct draw *d, uint32_t kind, uint8_t *payload) {
    struct store store = store_of(draw(d) % 3, some_number(d), (uint32_t)draw(d));
    size_t least = 0, most = 0, bytes;

    remote_bounds(kind, &least, &most);
    bytes = least + (most > least ? draw(d) % (most - least + 1) % 300 : 0);
    memset(payload, (int)draw(d), bytes);
    if (kind == REMOTE_LAUNCH || kind == REMOTE_CHECK) {
        bytes = kind == REMOTE_LAUNCH ? STORE_BYTES : sizeof store.launch;
        memcpy(payload, &store, bytes);
    } else if (kind == REMOTE_KERNEL || kind == REMOTE_SYMBOL) {
        bytes = kind == REMOTE_KERNEL ? 5 : 6;
        memcpy(payload, kind == REMOTE_KERNEL ? "store" : "number", bytes);
    } else if (kind == REMOTE_MODULE_TEXT) {
        bytes = sizeof ptx - 1;
        memcpy(payload, ptx, bytes);
    }
    for (uint64_t i = draw(d) % 8; i < 3 && bytes; i++) /* mostly none */
        payload[draw(d) % bytes] = (uint8_t)draw(d);
    return draw(d) % 40 == 0 ? bytes / 2 : bytes;
}

/* Makes of a message one that is not refused, however odd. */
static void tame(uint32_t *kind, uint64_t n[REMOTE_NUMBERS], uint8_t *payload, size_t *bytes) {
    struct store store = store_of(1, n[0], (uint32_t)n[1]);
    size_t least = 0, most = 0;

    if (*kind == REMOTE_MODULE_TEXT)
        *kind = REMOTE_INFO;
    if (*kind == REMOTE_READ)
        n[1] %= 4096;
    if (*kind == REMOTE_WORK)
        n[0] %= SIMT_QUEUES;
    if (*kind == REMOTE_OUTPUT)
        n[0] %= 2;
    if (*kind == REMOTE_KERNEL || *kind == REMOTE_SYMBOL)
        n[0] = 1;
    remote_bounds(*kind, &least, &most);
    if (*bytes < least || *bytes > most)
        *bytes = least;
    if (*kind != REMOTE_LAUNCH && *kind != REMOTE_CHECK)
        return;
    store.launch.grid.x = (uint32_t)n[2] % 70000;
    store.launch.block.x = (uint32_t)n[3] % 1100;
    *bytes = *kind == REMOTE_LAUNCH ? STORE_BYTES : sizeof store.launch;
    memcpy(payload, &store, *bytes);
}

/* One message of the host's. False where the server has ended for it. */
static bool send_some(struct ends *ends, struct draw *d, bool is_tame) {
    static uint8_t payload[REMOTE_PAYLOAD_BYTES];
    uint32_t kind = (uint32_t)(draw(d) % REMOTE_N_HOST);
    uint64_t n[REMOTE_NUMBERS];

    for (size_t i = 0; i < REMOTE_NUMBERS; i++)
        n[i] = some_number(d);
    if (kind == REMOTE_MODULE && draw(d) % 4)
        n[0] = sizeof ptx - 1;
    size_t bytes = some_payload(d, kind, payload);
    if (is_tame)
        tame(&kind, n, payload, &bytes);
    send_message(ends, kind, n, payload, bytes);
    return await_reply(ends, kind);
}

/* What the owner learns is whole, whatever the host has sent; and no kernel has run that was not
 * launched. */
static void check_owner(struct ends *ends) {
    struct remote_facts facts = stop(ends);
    const struct remote_origin *out = &facts.buffers[0];

    cr_expect_leq(out->by_kernels + out->by_host, 16);
    cr_expect(facts.n_launches > 0 || out->by_kernels == 0);
    cr_expect_eq(ask(ends, REMOTE_REPORT, 0, 0, 0, NULL, 0), SIMT_OK);
}

Test(serve, survives_messages_at_random) {
    unsigned n_whole = 0, n_refused = 0, n_answered = 0;

    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct ends ends;
        struct draw d = {.state = seed};
        bool goes_on = true;
        start(&ends);
        d.out = begin(&ends);
        d.base = d.out & ~UINT64_C(0xffff);
        load(&ends);
        /* Every second one is wild, from its middle on. */
        for (unsigned i = 0; i < 60 && goes_on; i++, n_answered += goes_on)
            goes_on = send_some(&ends, &d, seed % 2 || i < 30);
        if (goes_on)
            check_owner(&ends);
        enum remote_outcome end = finish(&ends);
        cr_expect_eq(end, goes_on ? REMOTE_GONE : REMOTE_NONSENSE, "seed %lu: %d, %s", seed, end,
                     ends.why ? ends.why : "");
        n_whole += goes_on;
        n_refused += !goes_on;
    }
    cr_expect_gt(n_whole, 150);
    cr_expect_gt(n_refused, 100);
    cr_expect_gt(n_answered, 12000);
}

/* Bytes that are no messages. */
Test(serve, survives_noise) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct ends ends;
        struct draw d = {.state = seed};
        uint8_t noise[256];
        start(&ends);
        begin(&ends);
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)draw(&d);
        memcpy(noise, &(uint32_t){(uint32_t)(draw(&d) % 40)}, 4);
        size_t bytes = 1 + draw(&d) % sizeof noise;
        cr_assert_eq(send(ends.host[0], noise, bytes, 0), (ssize_t)bytes);
        struct pollfd over = {.fd = ends.host[0], .events = POLLIN};
        poll(&over, 1, -1);
        cr_expect_neq(finish(&ends), REMOTE_FAILED, "seed %lu: %s", seed, ends.why);
    }
}
