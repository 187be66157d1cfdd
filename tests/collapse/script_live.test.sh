# A recording, and several forms of its text by perf script, have the same lines, sample by sample.
# live: files that perf records
. tests/tap.sh
deep=$BUILD/tests/workloads/deep
all=comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso

if ! command -v perf >/dev/null || ! perf record -q -B --no-bpf-event -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf's files" "perf record does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi

# text WHAT OPTIONS [FIELDS]: the text of the recording has the same samples.  Without FIELDS, the text of the previous
# call is used.
text()
{
	if [ $# = 3 ]; then
		perf script -i "$tmp/rec.data" --no-inline --ns -F "$3" >"$tmp/script.txt" 2>"$tmp/err"
		printed=$?
	fi
	if [ $printed != 0 ]; then
		skip "$1" "perf: $(tail -1 "$tmp/err")"
		return
	fi
	# shellcheck disable=SC2086 # words
	"$pyrograph" collapse -q --files=never --timed --no-inline --merge-unnamed $2 "$tmp/rec.data" >"$tmp/a" 2>"$tmp/err" &&
		"$pyrograph" collapse -q --timed --no-inline $2 "$tmp/script.txt" >"$tmp/b" 2>"$tmp/err" || not_ok "$1" "$tmp/err"
	python3 tests/collapse/same_samples.py "$1 ($2)" "$tmp/script.txt" "$tmp/a" "$tmp/b"
}

# recorded WHAT OPTIONS...: records with perf, and checks several forms of the text
recorded()
{
	what=$1
	shift
	rm -f "$tmp/rec.data"
	if ! perf record -q --no-bpf-event -o "$tmp/rec.data" "$@" >/dev/null 2>"$tmp/err"; then
		skip "$what" "perf: $(tail -1 "$tmp/err")"
		return
	fi
	text "$what" "--event all --all --root thread,event" $all
	text "$what" "--event all --tid --weight period"
	text "$what" "$one --pid"
	text "$what, with a CPU" "$one --all --root cpu,comm"
	text "$what, usual fields" "$one --kernel" comm,tid,time,period,event,ip,sym,symoff,dso
}
try() { live recorded "$@"; }

run="$deep 200ms" # 100 samples
one=
try "frame-pointer chains" -F 499 -g --sample-cpu -- $run
try "no call chains" -F 499 --sample-cpu -- $run
try "children and programs they execute" -F 499 -g --sample-cpu -- sh -c "$run & $run; wait"
one="--event page-faults"
try "several events" -F 499 -e cpu-clock,page-faults,context-switches -g --sample-cpu -- $run
try "one event by period" -c 1 -e page-faults -g --sample-cpu -- sh -c "ls -R /usr/include >/dev/null"
