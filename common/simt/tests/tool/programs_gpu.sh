#!/bin/sh
# programs_gpu.sh DROPIN PROGRAM…: runs each program on the GPU, with the toolkit's runtime, and on
# the simulator, whose runtime is DROPIN. Both end with 0 and print the same. Speaks TAP.
set -u
dropin=$(dirname "$1")
shift
nvcc=$(command -v nvcc) && nvcc=$(readlink -f "$nvcc")
toolkit=
for folder in "${CUDA_HOME:-none}" "${nvcc%/bin/nvcc}"; do
    for lib in lib64 lib; do
        [ -n "$toolkit" ] || [ ! -e "$folder/$lib/libcudart.so" ] || toolkit=$folder/$lib
    done
done
if [ -z "$toolkit" ]; then
    echo "Bail out! There is no libcudart.so of a CUDA toolkit (CUDA_HOME, or nvcc on PATH)."
    exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

echo "1..$#"
number=0
for program; do
    number=$((number + 1))
    name=${program##*/program_}
    LD_LIBRARY_PATH=$toolkit timeout 60 "$program" >"$scratch/gpu" 2>"$scratch/gpu-errors"
    on_gpu=$?
    LD_LIBRARY_PATH=$dropin SIMT_DEVICE=hopper timeout 60 "$program" \
        >"$scratch/simulator" 2>"$scratch/simulator-errors"
    on_simulator=$?
    if [ $on_gpu -eq 0 ] && [ $on_simulator -eq 0 ] &&
        cmp -s "$scratch/gpu" "$scratch/simulator"; then
        echo "ok $number - $name"
        continue
    fi
    echo "not ok $number - $name"
    echo "# exit codes: GPU $on_gpu, simulator $on_simulator; what is printed there, and here:"
    diff "$scratch/gpu" "$scratch/simulator" | sed 's/^/# /'
    sed 's/^/# GPU: /' "$scratch/gpu-errors"
    sed 's/^/# simulator: /' "$scratch/simulator-errors"
done
