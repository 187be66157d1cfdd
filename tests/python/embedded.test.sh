#!/bin/sh
# Interpreters in other programs, several in a process, and several versions in a tree of processes: each has its functions, and
# no thread has those of another one.
# live: programs that contain an interpreter
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# begun_program COMMAND ...: starts it, until it says "ready"
begun_program()
{
	: >"$tmp/said"
	"$@" >"$tmp/said" 2>"$tmp/err" &
	pid=$!
	until grep -q ready "$tmp/said" || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
}
end_program()
{
	kill -KILL $pid
	wait $pid 2>"$tmp/killed" || :
}

# has_functions WHAT PATTERN OPTION ...: most of what the program did in stacks with PATTERN, it did in its functions.  (The stack
# of a wait that was over when it was read has no user part.)
has_functions()
{
	what=$1 pattern=$2
	shift 2
	"$pyrograph" collapse -q --all --root tid "$@" "$rec" 2>"$tmp/err" | grep "^[^;]*-$pid/$pid;.*$pattern" >"$tmp/folded"
	some "$what: per cent in its functions" "$(awk '{ all += $NF; if (/__main__\.run_\[p\];__main__\.(work|nap)_\[p\]/) n += $NF }
		END { print all ? int(100 * n / all) : 0 }' "$tmp/folded")" 80
}

# contained PROGRAM: it runs embedded.py
contained()
{
	for how in "-p $pid" -a; do
		# shellcheck disable=SC2086 # words
		"$pyrograph" collect cpu,offcpu,wall $how -F 199 -d 2 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
		has_functions "$1, ${how% *}, CPU time" . --event "$sampled"
		has_functions "$1, ${how% *}, waits" "_start;.*nanosleep" --offcpu --waits all
		has_functions "$1, ${how% *}, wall" "_start;.*nanosleep" --wall
	done
}

# no_other WHAT NAMES LEAST OPTION ...: threads called NAMES-N have only functions with that number; LEAST are seen
no_other()
{
	what=$1 names=$2 least=$3
	shift 3
	"$pyrograph" collapse -q --root comm "$@" "$rec" 2>"$tmp/err" |
		sed -n "s/^$names-\([0-9]*\);.*__main__\.\(work\|nap\)_\([0-9]*\).*/\1 \3/p" | sort -u >"$tmp/pairs"
	awk '$1 != $2' "$tmp/pairs" >"$tmp/wrong"
	if [ "$(wc -l <"$tmp/pairs")" -ge "$least" ] && [ ! -s "$tmp/wrong" ]; then
		ok "$v: $what: each interpreter has its own functions ($(wc -l <"$tmp/pairs"))"
	else
		not_ok "$v: $what: each interpreter has its own functions" "$tmp/wrong" "$tmp/pairs" "$tmp/collect"
	fi
}

several()
{
	"$pyrograph" collect cpu,offcpu,wall -p $pid -F 499 -d 3 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	no_other "several interpreters, CPU time" interpreter 3 --event "$sampled"
	no_other "interpreters that come and go, CPU time" other 1 --event "$sampled"
	no_other "several interpreters, waits" interpreter 3 --offcpu --waits all
	no_other "several interpreters, wall" interpreter 3 --wall
}

each()
{
	begun_program "$python" tests/python/interpreters.py
	live several
	end_program
}

$collect -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"
sampled=$("$pyrograph" collapse -q "$tmp/try.data" | sed -n '1s/.* event=\([a-z-]*\).*/\1/p')
with_each_python "several interpreters" each 3.14
if ! "$pyrograph" collect usable offcpu >"$tmp/usable" 2>&1; then
	skip "embedded interpreters" "$(tail -1 "$tmp/usable")"
elif gdb -nx -batch -ex 'python print(1)' >"$tmp/out" 2>&1 && grep -q '^1$' "$tmp/out"; then
	begun_program gdb -nx -batch -ex 'source tests/python/embedded.py'
	live contained gdb
	end_program
else
	skip "embedded interpreters" "there is no gdb with Python"
fi
