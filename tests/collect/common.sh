# common: what the tests of collect share; use after ". tests/tap.sh".
collect="$pyrograph collect cpu"
spin=${BUILD:-build}/tests/workloads/spin_shares

# No right to sample, or nothing to look at the result with: the whole test is skipped.
need_sampling()
{
	if ! command -v perf >/dev/null; then
		skip "$1" "no perf to check with"
		exit 0
	fi
	$collect -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err" && return
	if perf record -q -B -a -o "$tmp/perf.data" true >/dev/null 2>&1; then
		not_ok "$1: perf can sample here, and we cannot" "$tmp/err"
		exit 1
	fi
	skip "$1" "no right to sample: $(tail -1 "$tmp/err")"
	exit 0
}

# before SECONDS COMMAND...: poll until the command succeeds; fails at the deadline.  A machine may be
# busy, and a sanitized program slow: 30 s are not too many.
before()
{
	read -r up _ </proc/uptime # costs no process, as date(1) would at each turn
	deadline=$((${up%.*} + 1 + $1))
	shift
	pause=0.02 looks=0
	until "$@" >/dev/null 2>&1; do
		read -r up _ </proc/uptime
		[ "${up%.*}" -lt "$deadline" ] || return 1
		case $((looks += 1)) in 20) pause=0.06 ;; 60) pause=0.15 ;; esac # looking costs processes, on a CPU that is measured
		LC_ALL=C sleep $pause # a locale takes it a third of its CPU time
	done
}

# finished PID: its exit status, as a background job of this shell; killed when it
# does not end by itself.
finished()
{
	before 60 gone "$1" || kill -KILL "$1"
	wait "$1" 2>/dev/null
}

# gone PID: it has ended, and at most its parent has not looked.  Often asked: the shell itself reads.
gone()
{
	kill -0 "$1" 2>/dev/null || return 0
	while read -r status_word status_value _; do
		case $status_word$status_value in
		State:Z) return 0 ;;
		State:*) return 1 ;;
		esac
	done <"/proc/$1/status"
	return 1
}
ready()   { grep -q '^SigBlk:.*[1-9a-f]' "/proc/$1/status"; } # its signal handling is set up
lines()   { [ "$(grep -c "$2" "$1")" -ge "$3" ]; }    # FILE PATTERN COUNT
larger()  { [ "$(stat -c %s "$1")" -gt "$2" ]; }      # FILE BYTES
# A recording that is under way: its file is made before that, its header tells of data after.
begun()   { set -- $(od -An -t u8 -j 48 -N 8 "$1") && [ "${1:-0}" -gt 0 ]; }
# /proc/PID or /proc/PID/task/TID: its CPU time in 1/100 s; and has it had so much?
ticks()   { read -r stat_line <"$1/stat" && set -- ${stat_line##*) } && echo $((${12} + ${13})); }
ran()     { [ "$(ticks "$1")" -ge "$2" ]; }
# FILE BYTES: waits until so much was added to what it began with.  (perf, asked again and again, would take
# the time of what is recorded.)
grows()   { before 30 begun "$1" && before 30 larger "$1" $(($(stat -c %s "$1") + $2)); }

# One line for each sample: field FIELD of perf script, of those that need no names of functions, which perf looks up all
# the same, of each program that ran: where there are no files to be found, it takes a twentieth of the time.
field()   { perf script --symfs "$tmp" -i "$1" -F "$2" 2>/dev/null | sed 's/^ *//; s/ *$//' | grep .; }
samples() { field "$1" tid | wc -l; }
# The number in a summary, "FILE: 63.62 KiB, 0.1 s, 36 spans of locks"; other lines tell of losses, in spans as well.
said()    { sed -n 's/.*: [0-9.,]* [KMG]iB, [0-9.]* s.*, \([0-9]*\) \(samples*\|spans*\|values*\) of .*/\1/p' "$1"; }

# no_loss FILE: perf's warnings without those of losses
no_loss() { sed -i '/^Warning:$/d; /^Processed .* lost .*!$/d; /^Check IO.CPU overload!$/d; /^$/d' "$1"; }

# perf_reads WHAT FILE SUMMARY: no warning, unless of the losses that the summary tells of, and the same number of
# samples.
perf_reads()
{
	perf script --symfs "$tmp" -i "$2" >"$tmp/perf.script" 2>"$tmp/perf.err" # names of functions are not looked at
	read_by_perf="perf's exit status $?"
	perf report --symfs "$tmp" --sort comm -i "$2" --stdio >"$tmp/perf.out" 2>>"$tmp/perf.err"
	perf report -i "$2" --header-only >"$tmp/perf.out" 2>>"$tmp/perf.err"
	perf evlist -v -i "$2" >"$tmp/perf.out" 2>>"$tmp/perf.err"
	! grep -q ' lost: ' "$3" || no_loss "$tmp/perf.err"
	is "$1: perf reads it without a warning" "$(cat "$tmp/perf.err")" ""
	# One line of each has the time; their stacks, if any, are below.
	seen_by_perf=$(grep -acE ' [0-9]+\.[0-9]{6}: ' "$tmp/perf.script")
	if [ "$seen_by_perf" = "$(said "$3")" ]; then
		ok "$1: perf sees as many samples as we"
	else
		not_ok "$1: perf sees as many samples as we: $seen_by_perf of '$(said "$3" | paste -sd,)', $read_by_perf" "$3"
	fi
}

# Spinners have a CPU only while they are recorded, and are stopped while the recorder starts and perf reads: they would
# take what those need, on a machine with few CPUs.  What waits on them to do so much CPU time must have resumed them.
resume() { kill -CONT "$@"; }
rest()   { kill -STOP "$@" 2>/dev/null; }
# end_spinners PID...: also those that are stopped
end_spinners() { kill -KILL "$@"; wait "$@"; } 2>/dev/null

# until_ran "PID[/task/TID] ..." HUNDREDTHS FILE COLLECT...: a recording into FILE that goes on until each of these has used
# so much CPU time meanwhile, however long that takes; they run meanwhile, and are stopped then.  Its exit status.
until_ran()
{
	each=$1 enough=$2 recorded=$3
	shift 3
	rm -f "$recorded"
	"$@" -o "$recorded" & recorder=$!
	before 30 ended_or begun "$recorded"
	for runs in $each; do resume "${runs%%/*}"; done
	for runs in $each; do
		before 60 ended_or ran "/proc/$runs" $((enough + $(ticks "/proc/$runs")))
	done
	kill -TERM $recorder 2>/dev/null
	for runs in $each; do rest "${runs%%/*}"; done
	finished $recorder
}
ended_or() { gone $recorder || "$@"; }

# CPU time that the host took from all CPUs, and all of it; of before what is judged: stolen_before=$(stolen)
stolen() { awk '$1 == "cpu" { print $9, $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat; }
# wanted_of NS HZ PERCENT: of the samples of so much CPU time, without the part that the host took of all meanwhile
wanted_of()
{
	echo "$stolen_before $(stolen)" | awk -v ns="${1:-0}" -v hz="$2" -v percent="$3" '{
		taken = $4 > $2 ? ($3 - $1) / ($4 - $2) : 0
		print int(ns * (1 - taken) * hz / 1e9 * percent / 100) }'
}
cpu_of() { sed -n 's/^cpu //p' "$1"; } # as a spinner tells it, ns

# some WHAT COUNT LEAST: at least so many
some()
{
	if [ "${2:-0}" -ge "$3" ]; then ok "$1"; else not_ok "$1" "$2, wanted at least $3"; fi
}
