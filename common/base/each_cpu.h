/*
 * Loops for processors with wide vectors, too: which one it is, is known only at run time.
 */
#pragma once

/* Of a function: compiled once more for AVX2; which one is called is chosen when the program
 * starts. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&      \
    !defined(__clang__)
#define FOR_EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_CPU
#endif
