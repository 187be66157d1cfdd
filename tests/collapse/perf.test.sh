# perf's own files, of every kind, read by us and by `perf script`: the same
# stacks, the same counts.
. tests/tap.sh
deep=$BUILD/tests/workloads/deep
fields=comm,pid,tid,time,event,ip,sym,symoff,dso

if ! command -v perf >/dev/null || ! perf record -q -B -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf's files" "perf record does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi

# record ARGUMENTS...: perf record; output in $tmp/out.  perf 6.1 often crashes while
# it collects build-ids at the end; -B leaves them out.
record()
{
	for b in "" "" "" -B -B; do
		perf record -q $b "$@" >"$tmp/out" 2>"$tmp/err" && return 0
	done
	return 1
}

record_sched()
{
	for b in "" "" -B -B; do
		perf sched record -q $b -o "$tmp/sched.data" -- "$deep" 100 >/dev/null 2>"$tmp/err" && return 0
	done
	return 1
}

# compare WHAT FILE [COMM]
compare()
{
	case $2 in *pipe*) from=- ;; *) from=$2 ;; esac
	for attempt in 1 2 3 4 5 6 7 8 9 10; do # it crashes now and then, too
		perf script -i "$from" --no-inline -F $fields <"$2" >"$tmp/perf.txt" 2>"$tmp/perf.err" && break
		[ $attempt != 10 ] || { skip "$1" "perf script: $(tail -1 "$tmp/perf.err")"; return; }
	done
	if "$pyrograph" collapse -q --event all "$2" >"$tmp/ours.txt" 2>"$tmp/err"; then
		python3 tests/collapse/compare.py "$1" "$tmp/perf.txt" "$tmp/ours.txt" $3
	else
		not_ok "$1" "$tmp/err"
	fi
}

# try WHAT FILE OPTIONS...: perf record, then compare
try()
{
	what=$1 file=$tmp/$2
	shift 2
	if record $rate -o "$file" "$@"; then
		compare "$what" "$file" $only
	else
		skip "$what" "perf record: $(tail -1 "$tmp/err")"
	fi
}

rate="-F 499" only=
try "frame-pointer chains" fp.data -g -- "$deep"
try "no call chains" plain.data -- "$deep"
only=deep
try "the whole machine" all.data -a -g -- "$deep"
only=
try "several events" events.data -e cpu-clock,page-faults,context-switches -g -- "$deep"
rate="-c 1"
try "one event by period" period.data -e page-faults -g -- sh -c "ls -R /usr/include >/dev/null"
rate="-F 499"
try "children and programs they execute" fork.data -g -- sh -c "$deep 500 & $deep 500; wait"
try "zstd-compressed" zstd.data -z -g -- "$deep"
try "with -k CLOCK_MONOTONIC" mono.data -k CLOCK_MONOTONIC -g -- "$deep"

record -F 499 -g -o - -- "$deep"
mv "$tmp/out" "$tmp/pipe.data"
compare "pipe mode" "$tmp/pipe.data"
record -F 499 -z -g -o - -- "$deep"
mv "$tmp/out" "$tmp/zpipe.data"
compare "pipe mode, compressed" "$tmp/zpipe.data"
"$pyrograph" collapse -q --event all "$tmp/pipe.data" >"$tmp/a"
"$pyrograph" collapse -q --event all <"$tmp/pipe.data" >"$tmp/b"
cat "$tmp/pipe.data" | "$pyrograph" collapse -q --event all >"$tmp/c"
same "a file and stdin give the same" "$tmp/b" "$tmp/a"
same "a pipe gives the same" "$tmp/c" "$tmp/a"

if record_sched; then
	compare "perf sched record" "$tmp/sched.data" deep
	"$pyrograph" collapse -q --event sched:sched_switch --root comm,cpu "$tmp/sched.data" >"$tmp/out"
	perf script -i "$tmp/sched.data" 2>/dev/null | grep -c 'sched:sched_switch' >"$tmp/wanted"
	is "sched_switch events counted" \
		"$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/out")" "$(cat "$tmp/wanted")"
else
	skip "perf sched record" "$(tail -1 "$tmp/err")"
fi

# Wall-clock time from CLOCK_DATA: the samples lie between before and after.
before=$(date +%s)
record -F 499 -k CLOCK_MONOTONIC -g -o "$tmp/clock.data" -- "$deep" 500
after=$(($(date +%s) + 1))
"$pyrograph" collapse -q --timed "$tmp/clock.data" >"$tmp/out"
is "times are wall-clock times" "$(awk -v a="$before" -v b="$after" \
	'/^@/ { t = substr($1, 2) + 0; if (t < a || t > b) bad++; n++ } END { print (n > 0 && !bad) }' "$tmp/out")" 1
is "timed lines are in order" "$(grep -a '^@' "$tmp/out" | cut -d' ' -f1 | sort -c -t@ -k2 2>&1)" ""
"$pyrograph" collapse "$tmp/fp.data" --timed >"$tmp/out" 2>"$tmp/err"
has "no wall clock is said" "$tmp/err" "no wall-clock time"
status "--from with a date needs a wall clock" 1 "$pyrograph" collapse --from 2026-11-21T10:00:00Z "$tmp/fp.data"
