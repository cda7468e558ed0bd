#!/bin/sh
# Gradescope runs this once, as root, while it makes the image: packages, compiler, programs.
set -eu
umask 022
unset WARPBOOK_ROOT WARPBOOK_BUILD
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

# shellcheck source=/dev/null
. /etc/os-release
if [ "$ID" = ubuntu ] && [ "${VERSION_ID%%.*}" -lt 24 ]; then
    echo "setup.sh: Ubuntu $VERSION_ID is too old; choose Ubuntu 24.04 as the base image" >&2
    exit 3
fi

"$source/warpbook/warpbook" list
# The build wants the model answers, and no submission is to be near them.
rm -rf "$source/warpbook/solutions"
# A submission runs as a user that owns nothing where there is no sandbox: it reads what it needs.
chmod -R go=rX "$source/warpbook"
