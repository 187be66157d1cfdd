# --dry-run: estimates the cost of a recording by counting, without recording anything.
# live: switches of this machine
. tests/tap.sh

out=$tmp/made.data
if ! $pyrograph collect cpu,sched,offcpu -a --dry-run -d 0.1 >"$tmp/try" 2>"$tmp/err"; then
	skip "--dry-run" "$(tail -1 "$tmp/err")"
	exit 0
fi
matches() { if grep -q -e "$3" "$2"; then ok "$1"; else not_ok "$1" "no match of '$3' in:" "$2"; fi; }

machine()
{
	status "of the whole machine" 0 $pyrograph collect cpu,sched,offcpu,lanes -a --dry-run -d 0.5 -o "$out"
	matches "... how long it looked, and at how much" "$tmp/out" '^in [0-9.]* s, [1-9][0-9]* threads on [1-9][0-9]* CPUs; '
	matches "... samples" "$tmp/out" '^cpu .* % of the machine, .* a second: [1-9][0-9]* samples a second$'
	matches "... switches, and wakeups" "$tmp/out" \
		'^sched .*: [1-9][0-9]* context-switches, [1-9][0-9]* sched:sched_waking a second$'
	status "of locks and system calls" 0 $pyrograph collect locks,syscalls -a --dry-run -d 0.5 -o "$out"
	matches "... locks look at every wake-up" "$tmp/out" '^locks .*: [0-9]* syscalls:sys_enter_futex, [1-9][0-9]* sched:sched_waking a second$'
	matches "... system calls also at switches" "$tmp/out" \
		'^syscalls .*: [1-9][0-9]* raw_syscalls:sys_enter, [1-9][0-9]* context-switches, [1-9][0-9]* sched:sched_waking a second$'
	status "of the whole machine again" 0 $pyrograph collect cpu,sched,lanes -a --dry-run -d 0.5 -o "$out"
	matches "... what is not known" "$tmp/out" '^lanes .*not known beforehand$'
	is "... and the sum" "$(awk '$1 == "all" { all = $2 } $1 != "all" && $3 == "%" { n += $2 }
		END { print (n - all < 0.03 && all - n < 0.03 && all > 0) }' "$tmp/out")" 1
	status "... and records nothing" 1 test -e "$out"
}
live machine

sleep 1000 &
sleeper=$!
until grep -q '(sleep) S' /proc/$sleeper/stat; do :; done
status "of a process that sleeps" 0 $pyrograph collect cpu,sched,offcpu -p $sleeper --dry-run -d 0.2 -o "$out"
has "... no samples" "$tmp/out" ': 0 samples a second'
has "... no switches" "$tmp/out" ': 0 context-switches a second'
status "report, too" 0 $pyrograph report -p $sleeper --dry-run -d 0.2 -o "$tmp/charts"
has "... says it" "$tmp/out" ': 0 samples a second'
status "... and makes no directory" 1 test -e "$tmp/charts"
kill $sleeper
status "a command is not started for it" 2 $pyrograph collect cpu --dry-run -- touch "$tmp/touched"
has "... which is said" "$tmp/err" '--dry-run counts what runs already'
status "... nor by report" 2 $pyrograph report --dry-run -- touch "$tmp/touched"
status "... it was not" 1 test -e "$tmp/touched"
