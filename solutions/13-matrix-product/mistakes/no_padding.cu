/* No word is added to a row of the tile. */
#define OWN_PAD

enum { PAD = 0 };

#include "rest.cuh"
