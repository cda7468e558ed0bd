/* A thread has one result, in blocks of 32 × 32 threads. */
#define OWN_SHAPE

enum { THREADS = 32, RESULTS = 1, SIDE = THREADS * RESULTS, STEP = 32 };

#include "rest.cuh"
