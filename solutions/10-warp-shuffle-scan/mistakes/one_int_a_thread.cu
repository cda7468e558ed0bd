/* One int a thread, so that each goes through all shuffles. */
#define OWN_ITEMS
enum { ITEMS = 1 };
#include "rest.cuh"
