#!/usr/bin/env bash
# The step of action.yml: its inputs come in through the environment.
set -euo pipefail
case "$FAIL_ON_WORSE" in
true | false) ;;
*)
    echo "::error::fail-on-worse is '$FAIL_ON_WORSE'; it must be true or false"
    exit 2
    ;;
esac
# Each use in a job has its own.
folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/truedisk.XXXXXX")
json="$folder/comparison.json"
table="$folder/comparison.md"
# Words of all lines.
read -r -d '' -a options <<<"${OPTIONS:-}" || true
status=0
"${PROGRAM:-truedisk}" compare --interleave --fail-on worse --budget "$BUDGET" --size "$SIZE" \
    --json="$json" --markdown="$table" "${options[@]}" -- "$BASE" "$HEAD" || status=$?
if [ -f "$table" ]; then
    cat -- "$table" >>"$GITHUB_STEP_SUMMARY"
fi
printf 'status=%s\njson=%s\n' "$status" "$json" >>"$GITHUB_OUTPUT"
if [ "$status" = 3 ] && [ "$FAIL_ON_WORSE" = false ]; then
    echo "::warning::truedisk: $HEAD is worse than $BASE"
    exit 0
fi
exit "$status"
