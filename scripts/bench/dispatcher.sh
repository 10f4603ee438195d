#!/usr/bin/env bash
# The script that people write before they have hookrun: find the matching hooks with jq, run them, put the answers together.
# It does the same job as the benchmark's scene and no more: no timeouts, no scopes, no merging of anything but a denial.
set -u
settings=$1
payload=$(cat)
event=$(jq -r .hook_event_name <<<"$payload")
tool=$(jq -r '.tool_name // ""' <<<"$payload")
decision=allow reason=
while IFS= read -r command; do
  out=$(bash -c "$command" <<<"$payload" 2>&1)
  code=$?
  if [ $code -eq 2 ]; then decision=deny reason=$out; fi
done < <(jq -r --arg event "$event" --arg tool "$tool" '.hooks[$event][]? | select((.matcher // "") as $m | $m == "" or ($tool | test($m))) | .hooks[].command' "$settings")
jq -cn --arg decision "$decision" --arg reason "$reason" '{decision: $decision, reason: $reason}'
[ "$decision" = allow ] || exit 2
