#!/bin/sh
# errors_test.sh PROGRAM RECORD: what the simulator gives for wrong calls is what an H200 gave. The
# record is the program's output there: nvcc -std=c++17 -O2 -cudart shared PROGRAM.cu (driver_program.cu:
# -lcuda; its error 911 is left out).
set -u
SIMT_DEVICE=h200 "$1" 2>/dev/null | diff "$2" - || {
    echo 'errors_test: < is what an H200 gives, > what the simulator gives' >&2
    exit 1
}
