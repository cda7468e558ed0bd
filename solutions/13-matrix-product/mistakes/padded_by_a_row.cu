/* A row of the tile is longer by 32 words, which changes no bank. */
#define OWN_PAD

enum { PAD = 32 };

#include "rest.cuh"
