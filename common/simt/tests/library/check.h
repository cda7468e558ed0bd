// What the programs share: an input, errors that end the program, and whether the simulator found
// anything to say.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline void must(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(2);
}

// Numbers of both signs that look like chance.
inline std::vector<int> numbers(int n) {
    std::vector<int> in(n);
    unsigned state = 1;
    for (int &value : in) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<int>(state >> 8) - (1 << 23);
    }
    return in;
}

inline bool holds(bool condition, const char *what, int n) {
    if (!condition)
        std::printf("wrong: %s of %d\n", what, n);
    return condition;
}

// True when no kernel made a finding.
inline bool nothing_found() {
    const auto report = reinterpret_cast<char *(*)()>(dlsym(RTLD_DEFAULT, "simtReportJson"));
    char *const json = report ? report() : nullptr;
    const char *const findings = json ? std::strstr(json, "\"findings\"") : nullptr;
    const bool none = findings && std::strncmp(findings, "\"findings\":[]", 13) == 0;
    if (!none)
        std::puts(findings ? findings : "no report: this is not the simulator");
    std::free(json);
    return none;
}
