# perf sched record as a source gives the same as perf sched timehist, and, when both record at once, the same as
# pyrograph collect sched.
# live: states that perf sched records
. tests/tap.sh

if ! command -v perf >/dev/null || ! perf sched record -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf sched record" "it does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi

# Two spinners on one CPU, a sleeper, and two that wake each other.
cat >"$tmp/load.sh" <<'END'
taskset -c 0 sh -c 'echo $$ >'"$1"'/a; while [ -d '"$1"' -a ! -e '"$1"'/end ]; do :; done' &
taskset -c 0 sh -c 'echo $$ >'"$1"'/b; while [ -d '"$1"' -a ! -e '"$1"'/end ]; do :; done' &
taskset -c 0 sh -c 'echo $$ >'"$1"'/c; i=0; while [ $i -lt 10 ]; do sleep 0.05; i=$((i + 1)); done'
taskset -c 0 perf bench sched pipe -l 2000 >/dev/null
sleep 0.5
touch "$1/end"
wait
END

threads() { cat "$tmp/a" "$tmp/b" "$tmp/c"; }
# If a recorder could not write all switches, the comparison proves nothing.
lost() { grep -q '^# pyrograph:.* lost=[1-9]' "$1"; }

# perf 6.1 cannot read its own files if some program loads BPF programs during the recording (records of type 17, "Bad
# address").
as_timehist()
{
	rm -f "$tmp/end"
	perf sched record -m 2048 -o "$tmp/rec.data" -- sh "$tmp/load.sh" "$tmp" >/dev/null 2>&1
	if ! perf sched -i "$tmp/rec.data" timehist >"$tmp/timehist" 2>"$tmp/timehist.err" ||
		grep -q 'ailed to process' "$tmp/timehist.err"; then
		inconclusive "as perf sched timehist" "perf: $(tail -1 "$tmp/timehist.err")"
		return
	fi
	"$pyrograph" collapse --root tid,state --no-stack --event sched --weight time "$tmp/rec.data" \
		>"$tmp/states" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	if lost "$tmp/states"; then
		inconclusive "as perf sched timehist" "perf lost events: the machine is too busy"
	else
		python3 tests/collapse/timehist.py "$tmp/timehist" "$tmp/states" $(threads)
		timeline_as_timehist
	fi
}
# Everything that each thread did, over time: nothing is there twice, and nothing is missing.
timeline_as_timehist()
{
	"$pyrograph" collapse -q --timeline --root tid,doing --no-stack "$tmp/rec.data" >"$tmp/lines" 2>"$tmp/err" ||
		not_ok "collapse --timeline" "$tmp/err"
	sed '/^#/d; s/^@[^ ]* //; s/ [0-9]* [0-9]*$//' "$tmp/lines" >"$tmp/timeline"
	python3 tests/collapse/timehist.py "$tmp/timehist" "$tmp/timeline" $(threads) | sed 's/ - / - over time: /'
	"$pyrograph" collapse -q --timeline "$tmp/rec.data" 2>/dev/null | "$pyrograph" render timeline -q -o "$tmp/timeline.svg"
	is "... and it can be drawn" "$?" 0
}
live as_timehist

# Other forms of the same recording: in a pipe, compressed, with stacks, without sched_waking.  (All of them have the
# whole machine, so other programs' names may come and go between two readings.)
record() { perf record -q -m 2048 "$@" -- taskset -c 0 perf bench sched pipe -l 500 2>"$tmp/err"; }
pipes()
{
	record -a -e sched:sched_switch,sched:sched_waking -g -o - >"$tmp/pipe.data"
	"$pyrograph" collapse -q --offcpu --root thread "$tmp/pipe.data" | grep '^sched-pipe' >"$tmp/a.folded"
	"$pyrograph" collapse -q --offcpu --root thread <"$tmp/pipe.data" | grep '^sched-pipe' >"$tmp/b.folded"
	same "stdin and a file give the same" "$tmp/b.folded" "$tmp/a.folded"
	is "a reader of pipes is blocked in pipe_read" \
		"$(grep -c '^sched-pipe.*pipe_read' "$tmp/a.folded" | sed 's/[1-9][0-9]*/some/')" some
}
live pipes
without_waking()
{
	# shellcheck disable=SC2086 # options are words
	record -a -e sched:sched_switch $1 >"$tmp/piped"
	case $1 in *file*) from=$tmp/file.data ;; *) from=$tmp/piped ;; esac
	"$pyrograph" collapse --states "$from" >"$tmp/out" 2>"$tmp/err"
	has "perf record -a -e sched:sched_switch $1" "$tmp/out" "/sched-pipe;running"
	has "without sched_waking nothing is known of waking, and that is said" "$tmp/err" "has no sched:sched_waking"
}
for options in "-o -" "-z -o -" "-o $tmp/file.data" "-z -o $tmp/file.data"; do
	live without_waking "$options"
done
perf record -q -e sched:sched_switch -o "$tmp/one.data" -- sh -c 'for i in 1 2 3; do sleep 0.01; done' 2>"$tmp/err"
status "the switches of one process alone are not enough" 1 "$pyrograph" collapse --states "$tmp/one.data"
has "why" "$tmp/err" "perf record -a"

# Both at once.
if ! "$pyrograph" collect sched -q -a -d 10ms -o "$tmp/try" 2>"$tmp/err"; then
	skip "as collect sched" "it does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi
both_at_once()
{
	rm -f "$tmp/end"
	perf sched record -m 2048 -o "$tmp/rec.data" -- "$pyrograph" collect sched -q -a -o "$tmp/own.data" \
		-- sh "$tmp/load.sh" "$tmp" >/dev/null 2>&1
	for f in rec own; do
		"$pyrograph" collapse -q --root tid,state,by --no-stack --event sched --weight time "$tmp/$f.data" >"$tmp/$f.folded"
	done
	if grep -q '^#.*\(spans lost\|switches not tracked\)' "$tmp/own.folded"; then
		inconclusive "as collect sched" "it lost spans: the machine is too busy"
	elif lost "$tmp/rec.folded"; then
		inconclusive "as collect sched" "perf lost events: the machine is too busy"
	else
		python3 tests/collapse/same_states.py "$tmp/rec.folded" "$tmp/own.folded" $(threads)
	fi
}
live both_at_once
