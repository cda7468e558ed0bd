/* Every thread takes a ticket. */
#define OWN_TAKE_TICKET
#include "rest.cuh"

__device__ unsigned take_ticket(unsigned *ticket) {
    return atomicAdd(ticket, 1);
}
