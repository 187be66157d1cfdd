# Files of every kind that perf writes: collapse and `perf script` read the same stacks and counts.
# live: files that perf records
. tests/tap.sh
deep=$BUILD/tests/workloads/deep
fields=comm,pid,tid,time,event,ip,sym,symoff,dso

if ! command -v perf >/dev/null || ! perf record -q -B -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf's files" "perf record does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi

# record FILE OPTIONS... -- COMMAND...: perf record; "-" in place of a *pipe* file
record()
{
	file=$1
	shift
	case $file in *pipe*) perf record -q $rate -o - "$@" >"$file" 2>"$tmp/err" ;;
	*) perf $sched record -q $rate -o "$file" "$@" >/dev/null 2>"$tmp/err" ;;
	esac
}

# script FILE: the file as text by perf, in $tmp/perf.txt
script()
{
	case $1 in *pipe*) from=- ;; *) from=$1 ;; esac
	perf script -i $from --no-inline -F $fields <"$1" >"$tmp/perf.txt" 2>"$tmp/err"
}

# compared WHAT FILE OPTIONS...: records with perf, and compares our stacks with those of perf script
compared()
{
	what=$1 recorded=$tmp/$2 read=
	shift 2
	rm -f "$recorded"
	if ! record "$recorded" "$@" || ! script "$recorded"; then
		skip "$what" "perf: $(tail -1 "$tmp/err")"
	elif "$pyrograph" collapse -q --files=never --event all --no-inline "$recorded" >"$tmp/ours.txt" 2>"$tmp/err"; then
		read=yes
		python3 tests/collapse/compare.py "$what" "$tmp/perf.txt" "$tmp/ours.txt" $only
	else
		not_ok "$what" "$tmp/err"
	fi
}
try() { live compared "$@"; }

rate="-F 499" only= sched=
run="$deep 200ms" # 100 samples
try "frame-pointer chains" fp.data -g -- $run
try "no call chains" plain.data -- $run
only=deep
try "the whole machine" all.data -a -g -- $run
only=
try "several events" events.data -e cpu-clock,page-faults,context-switches -g -- $run
rate="-c 1"
try "one event by period" period.data -e page-faults -g -- sh -c "ls -R /usr/include >/dev/null"
rate="-F 499"
try "children and programs they execute" fork.data -g -- sh -c "$run & $run; wait"
try "zstd-compressed" zstd.data -z -g -- $run
try "with -k CLOCK_MONOTONIC" mono.data -k CLOCK_MONOTONIC -g -- $run

try "pipe mode" pipe.data -g -- $run
try "pipe mode, compressed" zpipe.data -z -g -- $run
"$pyrograph" collapse -q --event all "$tmp/pipe.data" >"$tmp/a"
"$pyrograph" collapse -q --event all <"$tmp/pipe.data" >"$tmp/b"
cat "$tmp/pipe.data" | "$pyrograph" collapse -q --event all >"$tmp/c"
same "a file and stdin give the same" "$tmp/b" "$tmp/a"
same "a pipe gives the same" "$tmp/c" "$tmp/a"

perf_sched()
{
	compared "perf sched record" sched.data -- "$deep" 20ms
	[ -n "$read" ] || return # perf 6.1 cannot read such a file if BPF programs were loaded during the recording
	"$pyrograph" collapse -q --event sched:sched_switch --root comm,cpu "$tmp/sched.data" >"$tmp/out"
	is "sched_switch events counted" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/out")" \
		"$(grep -c 'sched:sched_switch' "$tmp/perf.txt")"
}
sched=sched rate= only=deep
live perf_sched
sched= rate="-F 499" only=

# Wall-clock time from CLOCK_DATA: the samples lie between before and after.
wall_clock()
{
	before=$(date +%s)
	record "$tmp/clock.data" -k CLOCK_MONOTONIC -g -- "$deep" 50ms
	after=$(($(date +%s) + 1))
	"$pyrograph" collapse -q --timed "$tmp/clock.data" >"$tmp/out"
	is "times are wall-clock times" "$(awk -v a="$before" -v b="$after" \
		'/^@/ { t = substr($1, 2) + 0; if (t < a || t > b) bad++; n++ } END { print (n > 0 && !bad) }' "$tmp/out")" 1
	is "timed lines are in order" "$(grep -a '^@' "$tmp/out" | cut -d' ' -f1 | sort -c -t@ -k2 2>&1)" ""
}
live wall_clock
"$pyrograph" collapse "$tmp/fp.data" --timed >"$tmp/out" 2>"$tmp/err"
has "no wall clock is said" "$tmp/err" "no wall-clock time"
status "--from with a date needs a wall clock" 1 "$pyrograph" collapse --from 2026-11-21T10:00:00Z "$tmp/fp.data"

# Without times, no option about time can work.
without_times()
{
	if perf record -q --per-thread -F 499 -o "$tmp/untimed.data" -- $run >/dev/null 2>&1 &&
		! perf evlist -v -i "$tmp/untimed.data" 2>/dev/null | grep -q 'sample_type: [^,]*TIME'; then
		status "samples without times" 0 "$pyrograph" collapse -q "$tmp/untimed.data"
		for option in --timed --heat --from=+1s; do
			status "... have none for $option" 1 "$pyrograph" collapse -q $option "$tmp/untimed.data"
			has "... which is said" "$tmp/err" "have no time (perf record -T adds it)"
		done
	else
		skip "samples without times" "this perf records them always"
	fi
}
live without_times

# A sleeping reader: losses are counted once, and lie in gaps.  Everything runs on one CPU, because a ring reports its
# losses with the next record that fits.
one_cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
lossy()
{
	before=$(date +%s)
	perf record -q -k CLOCK_MONOTONIC -m 1 -F 9999 -o "$tmp/lossy.data" -- taskset -c "$one_cpu" sh -c "
		$deep 20ms; kill -STOP \$PPID; $deep 50ms; kill -CONT \$PPID; $deep 20ms" >/dev/null 2>&1
	perf script -D --kallsyms=/dev/null -i "$tmp/lossy.data" 2>/dev/null |
		awk '/ PERF_RECORD_LOST: / { sub(/.*lost:/, ""); lost += $1 }
			/ PERF_RECORD_LOST_SAMPLES: / { sub(/.*lost samples :/, ""); sum += $1 }
			END { print lost + 0, (lost > sum ? lost : sum) + 0 }' >"$tmp/lost"
	read -r in_records lost <"$tmp/lost"
	[ "$in_records" -gt 0 ] || { not_ok "a reader that sleeps: something is lost" "$tmp/lost"; return; }
	"$pyrograph" collapse -q --timed "$tmp/lossy.data" >"$tmp/out"
	is "losses of perf record are counted once" "$(head -1 "$tmp/out" | grep -o ' lost=[0-9]*')" " lost=$lost"
	is "... and lie in gaps" "$(grep -o 'lost=[0-9]* why=lost' "$tmp/out" | tr -dc '0-9\n' |
		awk '{ n += $1 } END { print n }')" "$in_records"
	is "... of times that are wall-clock times" "$(awk -v a="$before" -v b="$(($(date +%s) + 1))" \
		'/^# gap: start=/ { t = substr($3, 7) + 0; if (t < a || t > b) bad++; n++ } END { print (n > 0 && !bad) }' "$tmp/out")" 1
}
live lossy
