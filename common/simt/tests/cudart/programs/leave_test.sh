#!/bin/sh
# leave_test.sh PROGRAM: what the report says at the end of each of the programs in it, of errors
# that were never asked for and of memory that was never freed, is what the program says of itself.
set -u
report=$(mktemp) || exit 1
trap 'rm -f "$report" "$report".*' EXIT
failed=0
"$1" >"$report.list" || exit 1
[ "$(wc -l <"$report.list")" -ge 32 ] || exit 1
while read -r name error leaks; do
    SIMT_REPORT=$report "$1" "$name" </dev/null
    [ "$error" = null ] || error="{\"name\":\"$error\""
    grep -qF "\"error\":$error" "$report" &&
        grep -qF "\"leaks\":{\"allocations\":$leaks," "$report" && continue
    echo "leave_test: $name: $(grep -oE '"error":[^}]*|"leaks":[^}]*' "$report")" >&2
    failed=1
done <"$report.list"
exit $failed
