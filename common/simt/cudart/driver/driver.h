/*
 * What the files of libcuda.so.1 share.
 */
#ifndef SIMT_CUDART_DRIVER_DRIVER_H
#define SIMT_CUDART_DRIVER_DRIVER_H

/* The function of a name that says, when it is called, that the simulator does not have it; NULL
 * where the driver has none of that name either. */
void *driver_unsupported(const char *name);

#endif
