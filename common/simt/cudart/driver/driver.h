/*
 * What the files of libcuda.so.1 share.
 */
#pragma once

/* The function of a name that says, when it is called, that the simulator does not have it; NULL
 * where the driver has none of that name either. */
void *driver_unsupported(const char *name);
