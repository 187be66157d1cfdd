# common: functions shared by the tests of collect; use after ". tests/tap.sh".
collect="$pyrograph collect cpu"
spin=${BUILD:-build}/tests/workloads/spin_shares

# Skip the whole test if there is no right to sample, or no perf to look at the result.
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

# before SECONDS COMMAND...: poll until the command succeeds; fails after SECONDS.  The machine may be busy, and a
# sanitized program slow, so 30 s are not too many.
before()
{
	read -r up _ </proc/uptime # needs no process, unlike date(1)
	deadline=$((${up%.*} + 1 + $1))
	shift
	pause=0.02 looks=0
	until "$@" >/dev/null 2>&1; do
		read -r up _ </proc/uptime
		[ "${up%.*}" -lt "$deadline" ] || return 1
		case $((looks += 1)) in 20) pause=0.06 ;; 60) pause=0.15 ;; esac # polling starts processes on the CPU
		LC_ALL=C sleep $pause # with a locale, it takes a third more CPU time
	done
}

# finished PID: the exit status of a background job of this shell, which is killed if it does not end by itself.
finished()
{
	before 60 gone "$1" || kill -KILL "$1"
	wait "$1" 2>/dev/null
}

# gone PID: it has ended, even if its parent has not waited for it yet.  This is asked often, so the shell itself reads
# the file.
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
# The recording is under way: its file exists before that, but then the header says that there are data.
begun()   { set -- $(od -An -t u8 -j 48 -N 8 "$1") && [ "${1:-0}" -gt 0 ]; }
# ticks: the CPU time of /proc/PID or /proc/PID/task/TID in 1/100 s; ran: has it reached so much?
ticks()   { read -r stat_line <"$1/stat" && set -- ${stat_line##*) } && echo $((${12} + ${13})); }
ran()     { [ "$(ticks "$1")" -ge "$2" ]; }
# FILE BYTES: wait until the recording has begun, and BYTES were added to it.  (Asking perf again and again would take
# CPU time from the recorded program.)
grows()   { before 30 begun "$1" && before 30 larger "$1" $(($(stat -c %s "$1") + $2)); }

# Field FIELD of perf script, one line for each sample.  The field needs no names of functions, but perf would look them
# up for each program; with a directory in which it finds no files, it takes a twentieth of the time.
field()   { perf script --symfs "$tmp" -i "$1" -F "$2" 2>/dev/null | sed 's/^ *//; s/ *$//' | grep .; }
samples() { field "$1" tid | wc -l; }
# The number of samples in a summary, "FILE: 63.62 KiB, 0.1 s, 36 spans of locks"; other lines of the summary report
# losses, also in spans.
said()    { sed -n 's/.*: [0-9.,]* [KMG]iB, [0-9.]* s.*, \([0-9]*\) \(samples*\|spans*\|values*\) of .*/\1/p' "$1"; }

# no_loss FILE: removes perf's warnings about losses
no_loss() { sed -i '/^Warning:$/d; /^Processed .* lost .*!$/d; /^Check IO.CPU overload!$/d; /^$/d' "$1"; }

# perf_reads WHAT FILE SUMMARY: perf reads FILE without warnings, except about losses that the summary reports, and
# finds the same number of samples.
perf_reads()
{
	perf script --symfs "$tmp" -i "$2" >"$tmp/perf.script" 2>"$tmp/perf.err" # names of functions are not looked at
	read_by_perf="perf's exit status $?"
	perf report --symfs "$tmp" --sort comm -i "$2" --stdio >"$tmp/perf.out" 2>>"$tmp/perf.err"
	perf report -i "$2" --header-only >"$tmp/perf.out" 2>>"$tmp/perf.err"
	perf evlist -v -i "$2" >"$tmp/perf.out" 2>>"$tmp/perf.err"
	! grep -q ' lost: ' "$3" || no_loss "$tmp/perf.err"
	is "$1: perf reads it without a warning" "$(cat "$tmp/perf.err")" ""
	# Each sample has one line with the time; its stack follows below, if there is one.
	seen_by_perf=$(grep -acE ' [0-9]+\.[0-9]{6}: ' "$tmp/perf.script")
	if [ "$seen_by_perf" = "$(said "$3")" ]; then
		ok "$1: perf sees as many samples as we"
	else
		not_ok "$1: perf sees as many samples as we: $seen_by_perf of '$(said "$3" | paste -sd,)', $read_by_perf" "$3"
	fi
}

# Spinners run only during a recording.  They are stopped while the recorder starts and perf reads, because on a machine
# with few CPUs they would take the CPU from these.  So whoever waits until they have used CPU time must have resumed
# them.
resume() { kill -CONT "$@"; }
rest()   { kill -STOP "$@" 2>/dev/null; }
# end_spinners PID...: also those that are stopped
end_spinners() { kill -KILL "$@"; wait "$@"; } 2>/dev/null

# until_ran "PID[/task/TID] ..." HUNDREDTHS FILE COLLECT...: records into FILE until each of these threads has used so
# much CPU time.  They run during the recording, and are stopped at its end.  Returns the recorder's exit status.
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

# CPU time stolen by the host, and CPU time in all.  Set stolen_before=$(stolen) before the part that is judged.
stolen() { awk '$1 == "cpu" { print $9, $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat; }
# wanted_of NS HZ PERCENT: the number of samples in so much CPU time, minus the share that the host stole since then
wanted_of()
{
	echo "$stolen_before $(stolen)" | awk -v ns="${1:-0}" -v hz="$2" -v percent="$3" '{
		taken = $4 > $2 ? ($3 - $1) / ($4 - $2) : 0
		print int(ns * (1 - taken) * hz / 1e9 * percent / 100) }'
}
cpu_of() { sed -n 's/^cpu //p' "$1"; } # as a spinner tells it, ns

# some WHAT COUNT LEAST: COUNT must be at least LEAST
some()
{
	if [ "${2:-0}" -ge "$3" ]; then ok "$1"; else not_ok "$1" "$2, wanted at least $3"; fi
}
