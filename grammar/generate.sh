#!/bin/sh
# generate.sh [DIR]: generates DIR/python_parser.go (default: pygen) from
# pygen/Python.g4. Needs npx and Java.
#
# antlr4ng-cli carries the ANTLR 4.13 tool. Its Go target ends each rule with a
# statement that cannot be reached, for rules that would not use their label
# otherwise; ours all use it, and without it "go vet" has nothing to object to.
# Contexts of rules are used again (reuse in pygen/base.go; \l is GNU sed's).
set -eu
cd "$(dirname "$0")"
out=$(cd "${1:-pygen}" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp pygen/Python.g4 pygen/Tokens.tokens "$tmp"
cd "$tmp"
npx --yes antlr4ng-cli@2.0.0 -Dlanguage=Go -package pygen -no-listener -no-visitor -Werror \
	-Xexact-output-dir -o . Python.g4
grep -v 'goto errorExit // Trick to prevent compiler error' python_parser.go |
	sed '/^func New[A-Z][A-Za-z_]*Context(parser /,/^}/s/new(\(.*\)Context)$/reuse[\1Context](parser, PythonRULE_\l\1)/' >"$out/python_parser.go"
