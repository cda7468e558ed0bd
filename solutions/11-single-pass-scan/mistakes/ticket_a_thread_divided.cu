/* Every thread takes a ticket, and divides it by the threads of a block. */
#define OWN_TAKE_TICKET
#include "rest.cuh"

__device__ unsigned take_ticket(unsigned *ticket) {
    return atomicAdd(ticket, 1) / blockDim.x;
}
