/*
 * Mangled names of kernels and variables in the program's own words.
 * Source: Itanium C++ ABI, section 5.1.
 */
#ifndef SIMT_ENGINE_NAME_H
#define SIMT_ENGINE_NAME_H

struct simt_name {
    char text[128];
};

/* "_Z6kernelPi" gives "kernel", "_ZN2ns1fEv" "ns::f", "_ZZ1fvE4tile" "tile"; template arguments
 * become "<…>", an unmangled name stays. */
struct simt_name simt_plain_name(const char *mangled);

#endif
