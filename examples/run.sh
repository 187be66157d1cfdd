#!/bin/sh
# Records the examples and draws their pictures beside them: README.md.
set -e
cd "$(dirname "$0")/.."
pyrograph=${BUILD:-build}/pyrograph
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# record NAME TITLE COMMAND...
record()
{
	name=$1 title=$2
	shift 2
	"$pyrograph" collect cpu -F 499 -o "$work/$name.data" -- "$@" >/dev/null
	"$pyrograph" collapse --all "$work/$name.data" >"$work/$name.folded"
	"$pyrograph" render flame --colors java --title "$title" -o "examples/$name.svg" "$work/$name.folded"
}

${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -o "$work/threads" examples/threads.c
record threads 'Three threads' "$work/threads" 5
record pipeline 'A shell pipeline' examples/pipeline.sh
if command -v node >/dev/null; then
	record server 'JavaScript' node --perf-basic-prof --interpreted-frames-native-stack examples/server.js 5
fi
ls -l examples/*.svg
