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
cp threads.c contention.c patterns.c pipeline.sh server.js Orders.java "$work"
cd "$work"

# record NAME HZ TITLE COMMAND...
stacks=auto
record()
{
	name=$1 hz=$2 title=$3
	shift 3
	pyrograph collect cpu -F "$hz" --call-graph $stacks -o "$name.data" -- "$@" >/dev/null
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

stacks=fp
record pipeline 499 'A shell pipeline' ./pipeline.sh
stacks=auto
record whole 499 'A shell pipeline, whole stacks' ./pipeline.sh
if command -v node >/dev/null; then
	record server 99 'JavaScript' node --perf-basic-prof --interpreted-frames-native-stack server.js 5
fi
if command -v javac >/dev/null; then
	javac -d . Orders.java
	java -Xmx256m Orders 8 &
	sleep 2 # until it is compiled
	pyrograph collect alloc -p $! -d 5 -o alloc.data
	pyrograph collapse --root thread --pool alloc.data >alloc.folded
	pyrograph render flame --title 'What a service allocates' -o "$examples/alloc.svg" alloc.folded
	wait
fi

# Heat maps, of which heat-maps.md tells.  They share one script.
pyrograph render script heat >"$examples/heat.js"
${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -o patterns patterns.c

# patterns HZ PATTERN SECONDS
patterns()
{
	pyrograph collect cpu -a -F "$1" -o "$2-$1.data" -- ./patterns "$2" "$3" >/dev/null
	pyrograph collapse --heat -i patterns- "$2-$1.data" >"$2-$1.folded"
}

# heat NAME FOLDED TITLE OPTIONS...
heat()
{
	name=$1 folded=$2 title=$3
	shift 3
	pyrograph render heat --script heat.js --title "$title" "$@" -o "$examples/$name.svg" "$folded.folded"
}

patterns 99 once 40
heat once once-99 'Once a second'
patterns 99 diagonal 40
heat diagonal diagonal-99 'Work, then sleep for a second' --by thread --rainbow
heat diagonal-upright diagonal-99 'The same, with columns of 1.07 s' --by thread --rainbow --span 1070ms --rows 35
patterns 99 share 20
heat share share-99 'Two threads on one CPU' --by comm --rainbow
patterns 99 stall 40
heat stall stall-99 'Two workers, and what holds them up' --by comm --select compactor
patterns 100 lockstep 20
heat lockstep-100 lockstep-100 'Five threads take turns: what 100 Hz sees' --by comm --rainbow
patterns 99 lockstep 20
heat lockstep-99 lockstep-99 'Five threads take turns: what 99 Hz sees' --by comm --rainbow

# Latency: how long the threads of the stall waited for anything, each time.
pyrograph collect offcpu --events --min 1ms -o latency.data -- ./patterns stall 40 >/dev/null
pyrograph collapse --offcpu --heat latency.data >latency.folded
heat latency latency 'How long each wait took' --y value --log --span 500ms
cd "$examples"
rm -rf "$work"
ls -l ./*.svg
