#!/bin/sh
# Records the examples and draws their pictures beside them: README.md.
set -e
cd "$(dirname "$0")"
PATH=$(cd .. && pwd)/${BUILD:-build}:$PATH
case ${BUILD:-} in /*) PATH=$BUILD:$PATH ;; esac
examples=$(pwd)
work=/tmp/pyrograph-examples # a fixed one: its name shows in pictures
rm -rf "$work"
mkdir "$work"
cp threads.c contention.c pipeline.sh server.js "$work"
cd "$work"

# record NAME HZ TITLE COMMAND...
record()
{
	name=$1 hz=$2 title=$3
	shift 3
	pyrograph collect cpu -F "$hz" -o "$name.data" -- "$@" >/dev/null
	pyrograph collapse --all "$name.data" >"$name.folded"
	pyrograph render flame --colors java --title "$title" -o "$examples/$name.svg" "$name.folded"
}

${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -o threads threads.c
record threads 499 'Three threads' ./threads 5

# The next version of it, and what that changed.
${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -DCHANGED -o threads threads.c
pyrograph collect cpu -F 499 -o changed.data -- ./threads 5 >/dev/null
pyrograph collapse --all changed.data >changed.folded
pyrograph render flame --diff threads.folded --title 'What the change did' -o "$examples/changed.svg" changed.folded

# Who waits for a CPU, and for whom; who waits for something else, and who ends it.
${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -o contention contention.c
pyrograph collect sched,offcpu --wakers -o contention.data -- ./contention 5 >/dev/null
pyrograph collapse --states contention.data >states.folded
pyrograph render states --title 'Who gets the CPU' -o "$examples/states.svg" states.folded
pyrograph collapse --offcpu --root thread --all contention.data >offcpu.folded
pyrograph render flame --colors chain --title 'What threads wait for, and who ends it' \
	-o "$examples/offcpu.svg" offcpu.folded

record pipeline 499 'A shell pipeline' ./pipeline.sh
if command -v node >/dev/null; then
	record server 99 'JavaScript' node --perf-basic-prof --interpreted-frames-native-stack server.js 5
fi
cd "$examples"
rm -rf "$work"
ls -l ./*.svg
