#!/usr/bin/env bash
# The step of the GitHub Action: it takes the program that it is given, installs it from a wheel
# file or builds it from the action's own sources, runs it and says how it ended. The inputs of
# action.yml come as variables SHAPECHECK_…; nothing in them is evaluated. Python runs isolated
# (-I), as it would import modules of the project's folder. Its test is .ci/action.
set -euo pipefail

# outputs writes the outputs of the step.
outputs() { # outputs EXIT-CODE FINDINGS
	printf 'exit-code=%s\nfindings=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# fault ends the step before the program has run. A line end in an input must not begin a
# command to the runner.
fault() { # fault WORD…
	local text="$*"
	text=${text//'%'/%25}
	text=${text//$'\r'/%0D}
	text=${text//$'\n'/%0A}
	printf '::error::shapecheck: %s\n' "$text"
	outputs 2 ""
	exit 2
}

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
folder=$RUNNER_TEMP/shapecheck

# install puts the program of a wheel file into the folder.
install() { # install WHEEL
	[ -f "$1" ] || fault "wheel: there is no file $1 in $PWD"
	[[ $1 == *.whl ]] || fault "wheel: $1 is no wheel: its name does not end with .whl"
	"$python" -I -m pip --version >/dev/null 2>&1 || fault "wheel: $python has no pip to install $1 with"
	(cd -- "$(dirname -- "$1")" && "$python" -I -m pip --isolated --quiet --disable-pip-version-check install --no-input --no-index --no-deps --target "$folder" "./$(basename -- "$1")") ||
		fault "wheel: $1 cannot be installed here"
	for bin in "$folder/bin" "$folder/Scripts"; do
		for name in shapecheck shapecheck.exe; do
			[ ! -f "$bin/$name" ] || program=$bin/$name
		done
	done
	[ -n "$program" ] || fault "wheel: $1 has no program shapecheck"
}

# build compiles the program from the sources beside this file; what the job sets for its own
# code in Go does not count. The tag of a release is the program's version.
build() {
	command -v go >/dev/null || fault "there is no Go to build the program with: set it up (actions/setup-go), or give a wheel or a path"
	local stamp=
	if [[ ${SHAPECHECK_ACTION_REF:-} =~ ^v([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?)$ ]]; then
		stamp=${BASH_REMATCH[1]}
	fi
	own() { (cd -- "$root" && env -u GOOS -u GOARCH -u GO111MODULE GOWORK=off GOFLAGS= CGO_ENABLED=0 go "$@"); }
	local module exe
	if ! { module=$(own list -m) && exe=$(own env GOEXE) &&
		own build -buildvcs=false -ldflags "-s -w${stamp:+ -X $module/internal/version.stamped=$stamp}" -o "$folder/bin/shapecheck$exe" ./cmd/shapecheck; }; then
		fault "the program cannot be built from $root; it needs the version of Go that go.mod names"
	fi
	program=$folder/bin/shapecheck$exe
}

# spelt is a version as wheels have it: 1.0.0-rc.1 is 1.0.0rc1.
spelt() { sed -E 's/^v//; s/-(a|b|rc)[a-z]*\.?([0-9]+)$/\1\2/' <<<"$1"; }

python=
for name in python3 python; do
	if [ -z "$python" ] && "$name" -I -c '' >/dev/null 2>&1; then python=$name; fi
done
[ -n "$python" ] || fault "there is no Python 3 that the action could run: set it up (actions/setup-python)"

version=${SHAPECHECK_VERSION:-}
if [ -n "$version" ] && ! [[ $version =~ ^v?[0-9]+\.[0-9]+\.[0-9]+(-?(a|alpha|b|beta|rc)\.?[0-9]+)?$ ]]; then
	fault "version: $version is no version such as 0.1.0"
fi
torch=${SHAPECHECK_TORCH_VERSION:-}
if [ -n "$torch" ] && ! [[ $torch =~ ^[0-9]+\.[0-9]+(\.[0-9]+)?((a|b|rc)[0-9]+)?(\.(dev|post)[0-9]+)?(\+[0-9A-Za-z.]+)?$ ]]; then
	fault "torch-version: $torch is no version such as 2.4.0"
fi

program=${SHAPECHECK_PROGRAM:-}
wheel=${SHAPECHECK_WHEEL:-}
if [ -n "$program" ]; then
	[ -z "$wheel" ] || fault "path and wheel are both given, and one program can be run"
	if ! command -v -- "$program" >/dev/null || [ -d "$program" ]; then
		[ ! -e "$program" ] || fault "path: $program is no program that can be run"
		fault "path: there is no program $program"
	fi
else
	rm -rf "$folder"
	if [ -n "$wheel" ]; then install "$wheel"; else build; fi
	echo "$(dirname -- "$program")" >>"$GITHUB_PATH"
fi
code=0
said=$("$program" --version 2>&1) || code=$?
if [ "$code" = 126 ] || [ "$code" = 127 ]; then # for another system, or without its interpreter
	fault "$program cannot be run here: $said"
fi
if [ -n "$version" ]; then
	[[ $said == "shapecheck "* ]] || fault "version: $version is wanted, and $program says: $said"
	has=${said#shapecheck }
	has=${has%% *}
	[ "$(spelt "$version")" = "$(spelt "$has")" ] || fault "version: $version is wanted, and $program has version $has"
fi

# Words and quotes as a shell reads them, without expansion.
args=()
if [ -n "${SHAPECHECK_ARGS:-}" ]; then
	words=$(mktemp "$RUNNER_TEMP/words.XXXXXX")
	said=$("$python" -I -c '
import os, shlex, sys
try:
    words = shlex.split(sys.argv[1])
except ValueError as e:
    sys.exit(str(e))
sys.stdout.buffer.write(b"".join(os.fsencode(w) + b"\0" for w in words))' "$SHAPECHECK_ARGS" 2>&1 >"$words") || fault "args: $said"
	while IFS= read -r -d '' word; do args+=("$word"); done <"$words"
	rm -f "$words"
fi
report=$(mktemp -d "$RUNNER_TEMP/report.XXXXXX")
# They stand before the arguments, which may end with those of a script, after --.
flags=("--output-format=$([ "${SHAPECHECK_ANNOTATIONS:-true}" = true ] && echo github || echo text)" "--output-format=json-lines=$report/findings")
[ -z "${SHAPECHECK_SARIF:-}" ] || flags+=("--output-format=sarif=$SHAPECHECK_SARIF")
[ -z "$torch" ] || flags+=("--torch-version=$torch")
summary=
if [ "${SHAPECHECK_SUMMARY:-true}" != true ]; then
	flags+=(--no-step-summary)
elif [ "${SHAPECHECK_ANNOTATIONS:-true}" != true ]; then # the github format brings the summary with it
	summary=$(mktemp "$RUNNER_TEMP/summary.XXXXXX")
	flags+=("--output-format=markdown=$summary")
fi

code=0
"$program" "${flags[@]}" ${args[@]+"${args[@]}"} || code=$?
findings=
if [ -e "$report/findings" ]; then # else nothing could be run
	findings=$("$python" -I -c '
import json, sys
print(sum(json.loads(line)["severity"] != "info" for line in open(sys.argv[1], encoding="utf-8")))' "$report/findings") || findings=
fi
outputs "$code" "$findings"
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
