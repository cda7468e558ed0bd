/*
 * The words that stand for the simulator's enumerations, in JSON and for people.
 */
#include "common/simt/report/report.h"

#define N_ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

static const char *const finding_words[] = {
#define FINDING_WORD(name, word) [SIMT_FINDING_##name] = word,
    SIMT_FINDINGS(FINDING_WORD)
#undef FINDING_WORD
};

static const struct {
    const char *word, *text;
} statuses[] = {
    [SIMT_OK] = {"ok", "Everything went well."},
    [SIMT_NO_MEMORY] = {"no_memory", "The memory is exhausted."},
    [SIMT_BAD_PTX] = {"bad_ptx", "The text is no PTX."},
    [SIMT_UNSUPPORTED] = {"unsupported", "The simulator does not support this instruction."},
    [SIMT_BAD_CONFIG] = {"bad_config", "The device refuses such a launch."},
    [SIMT_BAD_ADDRESS] = {"bad_address", "The address range lies in no allocation."},
    [SIMT_ILLEGAL_ADDRESS] = {"illegal_address",
                              "The kernel used an address outside every allocation."},
    [SIMT_MISALIGNED] = {"misaligned",
                         "The kernel used an address that is no multiple of the access size."},
    [SIMT_TIMEOUT] = {"timeout", "The kernel ran for too long and was stopped."},
    [SIMT_DEADLOCK] = {"deadlock", "Every thread waits for one that never comes."},
    [SIMT_TRAP] = {"trap", "The kernel stopped itself by a trap."},
    [SIMT_ASSERT] = {"assert", "An assertion failed in the kernel."},
    [SIMT_STACK_OVERFLOW] = {"stack_overflow", "The kernel's calls need more stack than there is."},
    [SIMT_INVALID_PC] = {"invalid_pc", "The kernel called an address where no function is."},
    [SIMT_ILLEGAL_INSTRUCTION] = {"illegal_instruction",
                                  "The kernel used an instruction as the device does not allow."},
};

const char *simt_finding_word(enum simt_finding_kind kind) {
    return (size_t)kind < N_ELEMENTS(finding_words) ? finding_words[kind] : "unknown";
}

const char *simt_status_word(enum simt_status status) {
    return (size_t)status < N_ELEMENTS(statuses) ? statuses[status].word : "unknown";
}

const char *simt_status_text(enum simt_status status) {
    return (size_t)status < N_ELEMENTS(statuses) ? statuses[status].text : "Unknown status.";
}
