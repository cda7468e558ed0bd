/*
 * A worker that lies. It serves what comes before a call as the real one does, then answers the
 * call as the case says whose name it got in place of the CUDA runtime's path.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/call/tests/fakes/hostile.h"
#include "common/call/wire.h"
#include "common/call/worker/forkserver.h"

struct hostile {
    union wire_message request;
    uint8_t *report; /* in the shared memory */
    union {
        union wire_message message;
        struct wire_reply reply;
        struct wire_crash crash;
        struct wire_header header;
        char bytes[sizeof(union wire_message) + 64];
    } answer;
    size_t bytes; /* of the answer that are sent */
    int times;
    int n_descriptors; /* that go along */
};

/* -- Cases. Each changes a good answer, or sends one of its own and sets times to 0. -- */

static void use_report(struct hostile *h, const char *text, size_t bytes) {
    memcpy(h->report, text, bytes);
    h->answer.reply.report_bytes = bytes;
}

static void make_crash(struct hostile *h) {
    struct wire_header header = h->answer.header;

    memset(&h->answer, 0, sizeof h->answer);
    h->bytes = sizeof h->answer.crash;
    h->answer.header = header;
    h->answer.header.kind = WIRE_CRASH;
    h->answer.header.bytes = h->bytes;
    h->answer.crash.signal = 11;
    h->answer.crash.argument = -1;
}

static void send_answer(const struct hostile *h);

static void sleep_for_ever(void) {
    for (;;)
        pause();
}

#define CASE(name) static void name(struct hostile *h)
#define CHANGE(name, statement)                                                                    \
    CASE(name) {                                                                                   \
        statement;                                                                                 \
    }

CHANGE(nothing_wrong, (void)h)
CHANGE(never_opens, (void)h)
CHANGE(one_byte, h->bytes = 1)
CHANGE(half_a_header, h->bytes = sizeof h->answer.header / 2)
CHANGE(header_alone, h->bytes = sizeof h->answer.header)
CHANGE(one_byte_less, h->bytes--)
CHANGE(one_byte_more, h->bytes++)
CHANGE(longer_than_any, h->bytes = sizeof(union wire_message) + 1)
CHANGE(text, strcpy(h->answer.bytes, "{\"verdict\": \"pass\", \"points\": 1000}"))
CHANGE(zeros, memset(&h->answer, 0, sizeof h->answer))
CHANGE(other_magic, h->answer.header.magic ^= 1)
CHANGE(other_version, h->answer.header.version++)
CHANGE(sequence_before, h->answer.header.sequence--)
CHANGE(sequence_after, h->answer.header.sequence++)
CHANGE(claims_4_gib, h->answer.header.bytes = UINT64_C(1) << 32)
CHANGE(kind_zero, h->answer.header.kind = 0)
CHANGE(kind_out_of_range, h->answer.header.kind = 0xffff)
CHANGE(outcome_out_of_range, h->answer.reply.outcome = 1000)
CHANGE(outcome_negative, h->answer.reply.outcome = (uint32_t)-1)
CHANGE(claims_our_failure, h->answer.reply.outcome = CALL_INFRASTRUCTURE)
CHANGE(claims_crash, h->answer.reply.outcome = CALL_CRASH)
CHANGE(claims_load_failed, h->answer.reply.outcome = CALL_LOAD_FAILED)
CHANGE(claims_timeout_on_gpu, h->answer.reply.outcome = CALL_TIMEOUT)
CHANGE(ok_with_error, h->answer.reply.cuda_error = 700)
CHANGE(ok_with_return, h->answer.reply.returned = 1)
CHANGE(endless_message, memset(h->answer.reply.message, 'x', sizeof h->answer.reply.message))
CHANGE(endless_error_name,
       memset(h->answer.reply.cuda_error_name, 'x', sizeof h->answer.reply.cuda_error_name))
CHANGE(report_of_4_gib, h->answer.reply.report_bytes = UINT64_C(1) << 32)
CHANGE(report_one_byte_too_long, h->answer.reply.report_bytes = WIRE_REPORT_BYTES + 1)
CHANGE(report_on_gpu, h->answer.reply.report_bytes = 1)
CHANGE(report_not_json, use_report(h, "launches", 8))
CHANGE(report_cut_short, use_report(h, "{\"launches\":[],\"findings\":[]}", 25))
CHANGE(report_not_utf8, use_report(h, "{\"launches\":[],\"findings\":[],\"\xff\":1}", 35))
CHANGE(report_with_odd_edits,
       use_report(h, "{\"launches\":[],\"findings\":[],\"candidates\":[1]}", 46))
CHANGE(report_without_lists, use_report(h, "{\"launches\":1}", 14))
CHANGE(time_of_untimed, h->answer.reply.event_ms = 0.001)
CHANGE(time_infinite, h->answer.reply.event_ms = INFINITY)
CHANGE(answers_twice, h->times = 2)
CHANGE(answers_ten_times, h->times = 10)
CHANGE(brings_descriptor, h->n_descriptors = 1)
CHANGE(brings_many_descriptors, h->n_descriptors = 100)

CASE(negative_error) {
    h->answer.reply.outcome = CALL_CUDA_ERROR;
    h->answer.reply.cuda_error = -5;
}

CASE(escapes_in_message) {
    h->answer.reply.outcome = CALL_CUDA_ERROR;
    h->answer.reply.cuda_error = 700;
    strcpy(h->answer.reply.message, "\033[2Jred");
}

/* True for the call's answer, which says that there is a report. */
static bool keeps_report(struct hostile *h) {
    bool is_call = h->request.header.kind == WIRE_CALL;

    if (is_call)
        h->answer.reply.keeps_report = 1;
    return is_call;
}

CHANGE(keeps_two_reports, h->answer.reply.keeps_report = 2)
CHANGE(refuses_no_such_call, h->answer.reply.refusal.what = SIMT_WAIT + 1)
CHANGE(kept_report_not_json, keeps_report(h) ? (void)0 : use_report(h, "findings", 8))
CHANGE(kept_report_of_4_gib, h->answer.reply.report_bytes = keeps_report(h) ? 0 : UINT64_C(1) << 32)
CHANGE(keeps_report_again, h->answer.reply.keeps_report = keeps_report(h) ? 1 : 2)

/* A report whose findings are `part`, over and over, up to so many bytes. */
static void fill_report(struct hostile *h, const char *part, size_t bytes) {
    static const char head[] = "{\"launches\":[],\"findings\":[{}", tail[] = "]}";
    size_t used = sizeof head - 1, length = strlen(part);

    memcpy(h->report, head, used);
    for (; used + length + sizeof tail < bytes; used += length)
        memcpy(h->report + used, part, length);
    memcpy(h->report + used, tail, sizeof tail - 1);
    h->answer.reply.report_bytes = used + sizeof tail - 1;
}

CHANGE(report_of_many_objects, fill_report(h, ",{}", WIRE_REPORT_BYTES))
CHANGE(report_of_many_numbers, fill_report(h, ",0", WIRE_REPORT_BYTES))
CHANGE(report_of_many_findings, fill_report(h, ",{}", 60000))

/* Escapes, pairs of them and letters of several bytes, at each place where a text could be cut. */
CASE(report_of_long_texts) {
    static const char head[] = "{\"launches\":[],\"findings\":[";
    static const char part[] = "\\ud83d\\ude00\\n\\\\\\\"\xf0\x9f\x98\x80\xc3\xa9";
    char *to = (char *)h->report;

    to = stpcpy(to, head);
    for (int i = 0; i < 40; i++) {
        to = stpcpy(to, i > 0 ? ",{\"message\":\"" : "{\"message\":\"");
        memset(to, 'x', (size_t)i);
        to += i;
        for (size_t n = 0; n < (8 << 20) / 40; n += sizeof part)
            to = stpcpy(to, part);
        to = stpcpy(to, "\"}");
    }
    to = stpcpy(to, "]}");
    h->answer.reply.report_bytes = (uint64_t)(to - (char *)h->report);
}

CASE(report_all_zeros) {
    memset(h->report, 0, 4096);
    h->answer.reply.report_bytes = WIRE_REPORT_BYTES;
}

CASE(report_nested_deep) {
    memset(h->report, '[', WIRE_REPORT_BYTES);
    h->answer.reply.report_bytes = WIRE_REPORT_BYTES;
}

CASE(echo) {
    struct wire_header header = h->answer.header;

    h->answer.message = h->request;
    h->answer.header.sequence = header.sequence;
    h->bytes = sizeof h->request.call;
}

CASE(prepared_untimed) {
    h->answer.header.kind = WIRE_PREPARED;
    h->answer.header.bytes = h->bytes = sizeof(struct wire_signal);
}

CASE(closes_early) {
    (void)h;
    close(WIRE_SOCKET);
    sleep_for_ever();
}

CASE(shuts_down) {
    (void)h;
    shutdown(WIRE_SOCKET, SHUT_RDWR);
    sleep_for_ever();
}

CASE(empty_packet) {
    h->times = 0;
    send(WIRE_SOCKET, "", 0, 0);
}

CASE(silence) {
    h->times = 0;
}

CASE(answer_then_death) {
    send_answer(h);
    _exit(1);
}

CASE(floods_and_dies) {
    char line[4096];

    (void)h;
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 1000; i++) {
        if (write(1, line, sizeof line) < 0)
            break;
    }
    _exit(9);
}

CASE(crash_of_no_signal) {
    make_crash(h);
    h->answer.crash.signal = 0;
}

CASE(crash_of_signal_65) {
    make_crash(h);
    h->answer.crash.signal = 65;
}

CASE(crash_at_argument_99) {
    make_crash(h);
    h->answer.crash.argument = 99;
}

CASE(crash_with_odd_flag) {
    make_crash(h);
    h->answer.crash.in_stack = 2;
}

CASE(crash_endless_place) {
    make_crash(h);
    memset(h->answer.crash.where, 'x', sizeof h->answer.crash.where);
}

CASE(crash_that_lives) {
    make_crash(h);
}

CASE(crash_then_exit) {
    make_crash(h);
    send_answer(h);
    _exit(7);
}

/* -- Timed: `h->answer` is the first step's answer, WIRE_PREPARED. -- */

static void receive(struct hostile *h);
static void make_signal(struct hostile *h, uint32_t kind);
static void make_reply(struct hostile *h);

/* The steps before the reply, as they should be. */
static void step_through(struct hostile *h) {
    send_answer(h);
    receive(h);
    make_signal(h, WIRE_RAN);
    send_answer(h);
    receive(h);
    make_reply(h);
    h->answer.reply.event_ms = 0;
}

CHANGE(timed_well, step_through(h))
CHANGE(ran_before_prepared, h->answer.header.kind = WIRE_RAN)
CHANGE(reply_before_prepared, make_reply(h))

CASE(reply_before_ran) {
    send_answer(h);
    receive(h);
    make_reply(h);
    h->answer.reply.event_ms = 0;
}

CASE(time_missing) {
    step_through(h);
    h->answer.reply.event_ms = NAN;
}

CASE(time_negative) {
    step_through(h);
    h->answer.reply.event_ms = -0.001;
}

CASE(time_longer_than_call) {
    step_through(h);
    h->answer.reply.event_ms = 1e6;
}

/* -- The device. -- */

CHANGE(device_well, (void)h)
CHANGE(device_without_sm, h->answer.reply.device.n_sm = 0)
CHANGE(device_endless_name,
       memset(h->answer.reply.device.name, 'x', sizeof h->answer.reply.device.name))
CHANGE(device_more_free_than_there, h->answer.reply.device.free_bytes = UINT64_MAX)
CHANGE(device_peak_nan, h->answer.reply.device.peak_gbps = NAN)
CHANGE(device_clock_negative, h->answer.reply.device.sm_clock_mhz = -1)
CHANGE(device_garbage, memset(h->answer.bytes + sizeof h->answer.header, 0xa5, 1000))

static const struct {
    const char *name;
    void (*apply)(struct hostile *);
} cases[] = {
#define HOSTILE_ROW(name, outcome, words) {#name, name},
    HOSTILE_CASES(HOSTILE_ROW) HOSTILE_LONG_CASES(HOSTILE_ROW) HOSTILE_CLOSING_CASES(HOSTILE_ROW)
        HOSTILE_DOUBLE_CASES(HOSTILE_ROW) HOSTILE_TIMED_CASES(HOSTILE_ROW)
            HOSTILE_DEVICE_CASES(HOSTILE_ROW)
#undef HOSTILE_ROW
};

static void apply(struct hostile *h, const char *name) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            cases[i].apply(h);
            return;
        }
    }
    _exit(100);
}

static void make_signal(struct hostile *h, uint32_t kind) {
    memset(&h->answer, 0, sizeof h->answer);
    h->bytes = sizeof(struct wire_signal);
    h->times = 1;
    h->answer.header = wire_header_of(kind, h->request.header.sequence);
}

static void make_reply(struct hostile *h) {
    make_signal(h, WIRE_REPLY);
    h->answer.header.bytes = h->bytes = sizeof h->answer.reply;
    h->answer.reply.event_ms = NAN;
    h->answer.reply.device = (struct wire_device){.name = "H", .n_sm = 1, .global_bytes = 100};
}

static void send_answer(const struct hostile *h) {
    char control[CMSG_SPACE(100 * sizeof(int))] = "";
    struct iovec part = {.iov_base = (void *)h->answer.bytes, .iov_len = h->bytes};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};

    if (h->n_descriptors > 0) {
        size_t bytes = (size_t)h->n_descriptors * sizeof(int);
        packet.msg_control = control;
        packet.msg_controllen = CMSG_SPACE(bytes);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(bytes); /* the zeros in it: stdin, over and over */
    }
    if (sendmsg(WIRE_SOCKET, &packet, MSG_NOSIGNAL) < 0)
        _exit(101);
}

static void receive(struct hostile *h) {
    char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {.iov_base = &h->request, .iov_len = sizeof h->request};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control,
                            .msg_controllen = sizeof control};

    if (recvmsg(WIRE_SOCKET, &packet, 0) <= 0)
        _exit(0);
    struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
    if (rights) {
        int fd;
        memcpy(&fd, CMSG_DATA(rights), sizeof fd);
        h->report = mmap(NULL, WIRE_REPORT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
}

int main(int argc, char **argv) {
    struct hostile *h = calloc(1, sizeof *h);
    char name[64] = "";

    if (!forkserver_run(argc, argv, false, NULL))
        return 2;
    while (h) {
        receive(h);
        uint32_t kind = h->request.header.kind;
        bool is_timed = kind == WIRE_CALL && h->request.call.timed;
        if (kind == WIRE_OPEN)
            snprintf(name, sizeof name, "%.63s", h->request.open.cudart);
        h->n_descriptors = 0;
        make_reply(h);
        if (is_timed)
            make_signal(h, WIRE_PREPARED);
        if (kind == WIRE_OPEN && strcmp(name, "never_opens") == 0)
            h->answer.reply.outcome = CALL_INFRASTRUCTURE;
        if (kind == WIRE_CALL || kind == WIRE_DEVICE || kind == WIRE_REPORT)
            apply(h, name);
        for (int i = 0; i < h->times; i++)
            send_answer(h);
    }
    return 1;
}
