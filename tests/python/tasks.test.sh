#!/bin/sh
# Tasks of asyncio as a root, and the functions that await them: what a task calls is under its name, and under no other one.
# live: tasks that come and go
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# task_pairs FUNCTION OPTION ...: who is above FUNCTION_N: "N|TASK", "N|AWAITING"
task_pairs()
{
	function=$1
	shift
	"$pyrograph" collapse -q --root task "$@" "$rec" >"$tmp/folded" 2>"$tmp/err"
	sed -n "s/^\([^;]*\);.*;made\.${function}_\([0-9]*\)[; ].*/\2|\1/p" "$tmp/folded" | sort -u >"$tmp/tasks"
	"$pyrograph" collapse -q --root awaiting "$@" "$rec" 2>>"$tmp/err" |
		sed -n "s/^\([^;]*\);.*;made\.${function}_\([0-9]*\)[; ].*/\2|\1/p" | sort -u >"$tmp/awaiting"
}

# tasks_in WHAT FUNCTION OPTION ...
tasks_in()
{
	what=$1
	shift
	task_pairs "$@"
	awk -F'|' 'NR == FNR { said[$1] = $2; next } $2 != ($1 in said ? said[$1] : "brief-" $1)' "$tmp/said" "$tmp/tasks" >"$tmp/wrong"
	grep '^[0-4]|' "$tmp/tasks" >"$tmp/steady"
	if [ -s "$tmp/wrong" ]; then
		not_ok "$v: $what: no task has another one's name" "$tmp/wrong" "$tmp/said"
	else
		ok "$v: $what: no task has another one's name ($(wc -l <"$tmp/tasks") tasks)"
	fi
	is "$v: $what: tasks that live have their names" "$(cat "$tmp/steady")" "$(grep "|." "$tmp/said")"
	if grep -q '|brief-' "$tmp/tasks"; then
		ok "$v: $what: tasks that live for a moment have their names"
	else
		not_ok "$v: $what: tasks that live for a moment have their names" "$tmp/tasks" "$tmp/collect"
	fi
	is "$v: $what: what awaits them" "$(sed 's/^[0-4]|/steady|/; s/^[0-9]*|/brief|/' "$tmp/awaiting" | sort -u)" \
		"brief|__main__.main > __main__.wait_for_all > __main__.brief_ones
steady|__main__.main > __main__.wait_for_all"
}

tasks()
{
	"$pyrograph" collect cpu,offcpu -p $pid -F 499 -d 3 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	tasks_in "CPU time" work --event "$sampled"
	tasks_in waits nap --offcpu --waits all
	"$pyrograph" collect wall -p $pid -F 499 -d 3 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	tasks_in "wall" nap
}

each()
{
	: >"$tmp/said"
	"$python" tests/python/tasks.py >"$tmp/said" 2>"$tmp/err" &
	pid=$!
	until grep -q ready "$tmp/said" || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
	live tasks
	kill $pid
	wait $pid 2>"$tmp/killed"
}
$collect -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"
sampled=$("$pyrograph" collapse -q "$tmp/try.data" | sed -n '1s/.* event=\([a-z-]*\).*/\1/p')
with_each_python "tasks of asyncio" each 3.14
