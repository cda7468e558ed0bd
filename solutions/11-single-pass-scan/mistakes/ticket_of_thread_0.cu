/* Only one thread learns the ticket. */
#define OWN_TAKE_TICKET
#include "rest.cuh"

__device__ unsigned take_ticket(unsigned *ticket) {
    unsigned mine = 0;
    if (threadIdx.x == 0)
        mine = atomicAdd(ticket, 1);
    __syncthreads();
    return mine;
}
