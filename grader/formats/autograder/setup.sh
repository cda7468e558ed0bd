#!/bin/sh
# Gradescope runs this once, as root, while it makes the image: packages, compiler, programs.
set -eu
unset WARPBOOK_ROOT WARPBOOK_BUILD
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
"$source/warpbook/warpbook" list
# The build wants the model answers, and no submission is to be near them.
rm -rf "$source/warpbook/solutions"
