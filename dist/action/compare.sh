#!/usr/bin/env bash
# The step of action.yml: its inputs come in through the environment.
set -euo pipefail
json="${RUNNER_TEMP:-/tmp}/truedisk-comparison.json"
table="${RUNNER_TEMP:-/tmp}/truedisk-comparison.md"
rm -f -- "$json" "$table"
read -ra options <<<"${OPTIONS:-}"
status=0
"${PROGRAM:-truedisk}" compare --interleave --fail-on worse --budget "$BUDGET" --size "$SIZE" \
    --json="$json" --markdown="$table" "${options[@]}" -- "$BASE" "$HEAD" || status=$?
if [ -f "$table" ]; then
    cat -- "$table" >>"$GITHUB_STEP_SUMMARY"
fi
printf 'status=%s\njson=%s\n' "$status" "$json" >>"$GITHUB_OUTPUT"
if [ "$status" = 3 ] && [ "$FAIL_ON_WORSE" != true ]; then
    echo "::warning::truedisk: $HEAD is worse than $BASE"
    exit 0
fi
exit "$status"
