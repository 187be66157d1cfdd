#!/bin/sh
# Looks for defects in all sources; ends with the number of files and findings of each tool.
#
#   tests/lint/lint.sh            C (clang-tidy), shell (shellcheck), scripts (eslint), manuals (mandoc)
#   tests/lint/lint.sh WORD ...   only files whose name contains a WORD
#   tests/lint/lint.sh --format   mends how scripts are laid out (make format)
#
# What each tool looks for: .clang-tidy, .shellcheckrc, tests/lint/eslint.config.js.
# clang-tidy reads the build's flags in compile_commands.json (make compile_commands.json).
cd "$(dirname "$0")/../.." || exit 1
jobs=$(nproc)
found=$(mktemp) || exit 1
trap 'rm -f "$found"' EXIT
failed=0
eslint="tests/lint/node_modules/.bin/eslint -c tests/lint/eslint.config.js"

# files GLOB ...: the project's files with a word of $words in their names
words=$(printf '%s|' "$@")
files() { git ls-files -co --exclude-standard "$@" | grep -E "${words%|}"; }

scripts() { files 'render/browser/*.js' 'web/*.js' 'tests/*.js' 'tests/*.mjs'; }

# Findings that must be mended by hand are reported by make lint.
if [ "$*" = --format ]; then
	words=
	scripts | xargs $eslint --fix >/dev/null
	exit 0
fi

# lint NAME COMMAND ...: runs the command on the files on stdin
lint()
{
	name=$1
	shift
	list=$(cat)
	count=$(printf '%s' "$list" | grep -c .)
	[ "$count" != 0 ] || return
	if printf '%s\n' "$list" | xargs -P "$jobs" -n 20 "$@" >"$found" 2>/dev/null; then
		echo "$name: $count files, nothing found"
	else
		cat "$found"
		echo "$name: $count files, see above"
		failed=1
	fi
}

files 'core/*.c' 'collect/*.c' 'collapse/*.c' 'render/*.c' 'web/*.c' 'report/*.c' 'tests/unit/*.c' | lint clang-tidy clang-tidy --quiet -p .
files '*.sh' | lint shellcheck shellcheck -S warning
scripts | lint eslint $eslint
files '*.1' | lint mandoc mandoc -Tlint -W warning
exit $failed
