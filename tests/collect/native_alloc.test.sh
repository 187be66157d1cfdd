# collect alloc --native, with a program that tells what it allocated where.
# live: allocations
. tests/tap.sh
. tests/collect/common.sh
# Large rings, because beside a load the collector may not run for a while.
alloc="$pyrograph collect alloc --native --ring 64M"
allocates=${BUILD:-build}/tests/workloads/allocates

if ! $alloc -q -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect alloc --native works here" "$tmp/err"
	else
		skip "collect alloc --native" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# lines RECORDING [OPTION ...]: folded, without comments.
lines() { $pyrograph collapse "$@" 2>"$tmp/collapse.err" | grep -v '^#'; }

# differs TRUTH COLUMN RECORDING OPTION...: prints differences from what the program says: functions whose share is off
# by more than 5 points, or whose amount by more than 40 %; and the sum, if it is off by more than 6 % of bytes, or 25 %
# of objects.  (The function with the fewest bytes and most objects has 190 samples; the bounds are five standard
# deviations.)
differs()
{
	truth=$1 column=$2
	shift 2
	lines "$@" | awk -v column="$column" -v most="$([ "$column" = 2 ] && echo 0.06 || echo 0.25)" '
		FILENAME != "-" { if ($1 ~ /^takes_/) { want[$1] = $column; wanted += $column }; next }
		match($0, /takes_[a-z]*/) { name = substr($0, RSTART, RLENGTH); got[name] += $NF; all += $NF }
		END {
			for (name in want) {
				off = got[name] / all - want[name] / wanted; part = got[name] / want[name] - 1
				if (off > 0.05 || off < -0.05 || part > 0.4 || part < -0.4)
					print name, got[name], "instead of", want[name]
			}
			if (all / wanted > 1 + most || all / wanted < 1 - most)
				print "all", all, "instead of", wanted
		}' "$truth" -
}

# --- a command ---

a_command()
{
	status "a command" 0 $alloc --interval 20k -o "$tmp/command.data" -- "$allocates" 20 2
	has "... ran, with its threads" "$tmp/out" "takes_small 3840000 160000"
	cp "$tmp/out" "$tmp/truth"
	has "... the summary tells how much" "$tmp/err" "(estimated)"

	is "... bytes by function are as the program says" "$(differs "$tmp/truth" 2 "$tmp/command.data")" ""
	is "... and in sum objects" "$(differs "$tmp/truth" 3 "$tmp/command.data" --weight objects | grep -v takes_)" ""
	is "... what realloc() and its like call does not count again" \
		"$(lines "$tmp/command.data" | grep -c '\(realloc\|calloc\|align\)[^;]*;malloc')" 0
	is "... stacks are whole" "$(lines "$tmp/command.data" | grep takes_ | grep -vc ';work;takes_')" 0
	perf_reads "native allocations" "$tmp/command.data" "$tmp/err"
}
live a_command

# --- the interval ---

a_tenth()
{
	status "a tenth of the samples" 0 $alloc --interval 200k -o "$tmp/few.data" -- "$allocates" 20 2
	many=$(samples "$tmp/command.data") few=$(samples "$tmp/few.data")
	if [ "$few" -gt $((many / 20)) ] && [ "$few" -lt $((many / 4)) ]; then
		ok "... are so many"
	else
		not_ok "... are so many" "$few and $many"
	fi
}
live a_tenth

# --- processes and threads ---

# of_running OPTION...: records a program that already runs, with its pid in place of PID among the options, into
# $tmp/pid.data.  When the recording has begun, all probes are in place.
of_running()
{
	rm -f "$tmp/go" "$tmp/pid.data" "$tmp/run.out" && mkfifo "$tmp/go"
	"$allocates" 20 2 wait <"$tmp/go" >"$tmp/run.out" &
	pid=$!
	exec 8>"$tmp/go"
	before 30 grep -q ready "$tmp/run.out"
	$alloc -o "$tmp/pid.data" $(echo "$@" | sed "s/PID/$pid/g") >"$tmp/out" 2>"$tmp/err" 8>&- &
	collector=$!
	before 30 begun "$tmp/pid.data" || not_ok "a program that runs: it begins" "$tmp/err"
	echo >&8
	before 60 grep -q takes_growing "$tmp/run.out"
}

# ... and at its end, with the program's exit status.
program_ends() { exec 8>&-; finished "$pid"; }

a_process()
{
	of_running --interval 20k -p PID
	program_ends
	finished "$collector"
	is "a process" $? 0
	is "... bytes are as it says" "$(differs "$tmp/run.out" 2 "$tmp/pid.data")" ""
}
live a_process

a_thread()
{
	of_running --interval 20k -t PID
	program_ends
	finished "$collector"
	is "a thread" $? 0
	is "... and those that it starts" "$(differs "$tmp/run.out" 2 "$tmp/pid.data")" ""
}
live a_thread

not_its_threads()
{
	of_running --interval 20k -t PID --no-inherit
	program_ends
	finished "$collector"
	is "... or not those" "$(lines "$tmp/pid.data" | grep -c takes_)" 0
}
live not_its_threads

the_machine()
{
	of_running --interval 1M -a
	program_ends
	kill -INT "$collector"
	finished "$collector"
	is "the whole machine" $? 0
	# 40 objects of 2 MB, each of which is sampled with a probability of 86 %.
	lines "$tmp/pid.data" | awk '/takes_large/ { n += $NF } END { exit n < 50e6 || n > 110e6 }'
	is "... large objects are all but there" $? 0
}
live the_machine

# --- no harm ---

killed()
{
	of_running -p PID
	kill -KILL "$collector"
	wait "$collector" 2>/dev/null
	program_ends
	is "the collector is killed: the program goes on" $? 0
}
live killed

# --- other programs, other functions ---

cat >"$tmp/new.cc" <<'END'
__attribute__((noinline)) char *takes_one() { return new char; }
__attribute__((noinline)) char *takes_array(int n) { return new char[n]; }
struct alignas(256) wide { char bytes[512]; };
__attribute__((noinline)) wide *takes_wide() { return new wide; }

int main()
{
	for (int i = 0; i < 20000; i++) {
		delete takes_one();
		delete[] takes_array(3000);
		delete takes_wide();
	}
}
END
printf 'takes_array 60000000\ntakes_wide 10240000\n' >"$tmp/new.truth"

# built WHAT FLAG...: can the compiler build it?
built()
{
	what=$1
	shift
	g++ -std=c++17 -O1 -fno-omit-frame-pointer "$@" "$tmp/new.cc" -o "$tmp/new" 2>"$tmp/err" && return
	skip "$what" "no C++ compiler, or no such library"
	false
}

cxx()
{
	status "C++ $1" 0 $alloc --interval 5k -o "$tmp/new.data" -- "$tmp/new"
	is "... bytes are as they are" "$(differs "$tmp/new.truth" 2 "$tmp/new.data" --exclude takes_one)" ""
}
for flags in "" -static; do
	built "C++ $flags" $flags && live cxx "$flags"
done

if built "a static program without symbols" -static -s; then
	cat >"$tmp/wait.c" <<'END'
#include <unistd.h>
int main(void) { char c; return write(1, "ready\n", 6) < 0 || read(0, &c, 1) != 0; }
END
	rm "$tmp/go" && mkfifo "$tmp/go"
	${CC:-cc} -static -s "$tmp/wait.c" -o "$tmp/wait"
	: >"$tmp/wait.out"
	"$tmp/wait" <"$tmp/go" >"$tmp/wait.out" & pid=$!
	exec 8>"$tmp/go"
	before 30 grep -q ready "$tmp/wait.out" # until then, the process may be a shell, which has symbols
	status "a static program without symbols" 1 $alloc -o "$tmp/none.data" -p $pid
	has "... says so" "$tmp/err" "no malloc() found"
	exec 8>&-
fi

# --- wrong usage ---

for wrong in "--native --every" "--native -s 2" "--interval 1M" "--native --interval 0"; do
	status "wrong: $wrong" 2 $pyrograph collect alloc $wrong -d 0.1 -o "$tmp/wrong.data" -p $$
done
status "-C" 0 $alloc -C 0 -o "$tmp/cpu.data" -- true
has "... does not limit it, which is said" "$tmp/err" "-C does not limit alloc: recorded on all CPUs"
status "wrong: a command, and not --native" 2 $pyrograph collect alloc -o "$tmp/wrong.data" -- true
