#!/bin/sh
# Checks the Python file that an agent has edited. The hook's input is a JSON document on standard input with "file_path"; the
# findings go to standard error with exit code 2, which agents read. A file without findings, or without a model, is no news.
file=$(sed -n 's/.*"file_path"[[:space:]]*:[[:space:]]*"\([^"\\]*\.py\)".*/\1/p' | head -n 1)
[ -n "$file" ] || exit 0
found=$(shapecheck --output-format agent -- "$file" 2>/dev/null)
[ $? -eq 1 ] || exit 0
printf '%s\n' "$found" >&2
exit 2
