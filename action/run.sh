#!/usr/bin/env bash
# The step of the GitHub Action: it installs the program as a wheel, runs it and says how it
# ended. The inputs of action.yml come as variables SHAPECHECK_…; nothing in them is
# evaluated. Its test is .ci/action.
set -euo pipefail

program=${SHAPECHECK_PROGRAM:-}
python=$(command -v python3 || command -v python)
if [ -z "$program" ]; then
	wanted=${SHAPECHECK_VERSION:-}
	# The action's own tag, where it is the tag of a version.
	if [ -z "$wanted" ] && [[ ${SHAPECHECK_ACTION_REF:-} =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
		wanted=${SHAPECHECK_ACTION_REF#v}
	fi
	if [ -n "$wanted" ] && ! [[ $wanted =~ ^[0-9A-Za-z][0-9A-Za-z.+!-]*$ ]]; then
		echo "::error::shapecheck: no version: $wanted"
		exit 2
	fi
	folder=$RUNNER_TEMP/shapecheck
	"$python" -m pip install --quiet --disable-pip-version-check --upgrade --target "$folder" "shapecheck${wanted:+==$wanted}"
	for bin in "$folder/bin" "$folder/Scripts"; do
		[ ! -d "$bin" ] || { echo "$bin" >>"$GITHUB_PATH"; program=$bin/shapecheck; }
	done
fi

# Words and quotes as a shell reads them, without expansion.
args=()
if [ -n "${SHAPECHECK_ARGS:-}" ]; then
	words=$(mktemp "$RUNNER_TEMP/words.XXXXXX")
	"$python" -c '
import shlex, sys
try:
    words = shlex.split(sys.argv[1])
except ValueError as e:
    sys.exit("::error::shapecheck: args: %s" % e)
sys.stdout.buffer.write("".join(w + "\0" for w in words).encode())' "$SHAPECHECK_ARGS" >"$words" || exit 2
	while IFS= read -r -d '' word; do args+=("$word"); done <"$words"
	rm -f "$words"
fi
report=$(mktemp -d "$RUNNER_TEMP/report.XXXXXX")
# They stand before the arguments, which may end with those of a script, after --.
formats=("--output-format=$([ "${SHAPECHECK_ANNOTATIONS:-true}" = true ] && echo github || echo text)" "--output-format=json-lines=$report/findings")
[ -z "${SHAPECHECK_SARIF:-}" ] || formats+=("--output-format=sarif=$SHAPECHECK_SARIF")
summary=
if [ "${SHAPECHECK_SUMMARY:-true}" != true ]; then
	formats+=(--no-step-summary)
elif [ "${SHAPECHECK_ANNOTATIONS:-true}" != true ]; then # the github format brings the summary with it
	summary=$(mktemp "$RUNNER_TEMP/summary.XXXXXX")
	formats+=("--output-format=markdown=$summary")
fi

code=0
"$program" "${formats[@]}" ${args[@]+"${args[@]}"} || code=$?
findings=
if [ -e "$report/findings" ]; then # else nothing could be run
	findings=$("$python" -c '
import json, sys
print(sum(json.loads(line)["severity"] != "info" for line in open(sys.argv[1], encoding="utf-8")))' "$report/findings")
fi
{
	echo "exit-code=$code"
	echo "findings=$findings"
} >>"$GITHUB_OUTPUT"
[ -z "$summary" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${SHAPECHECK_DIFF:-}" ]; then
	changes=$(mktemp "$RUNNER_TEMP/changes.XXXXXX")
	if "$program" diff --output-format markdown -- "$SHAPECHECK_DIFF" >"$changes"; then
		[ "${SHAPECHECK_SUMMARY:-true}" = true ] && cat "$changes" >>"$GITHUB_STEP_SUMMARY" || cat "$changes"
	elif [ "$code" -lt 2 ]; then
		code=2
	fi
	rm -f "$changes"
fi
rm -rf "$report" "$summary"
exit "$code"
