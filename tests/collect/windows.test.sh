#!/bin/sh
# collect --between, compared with threads that know how long their requests took, and what they did in them.
# live: times of requests, and what ran and waited in them
. tests/tap.sh
. tests/collect/common.sh
requests=${BUILD:-build}/tests/workloads/requests
ends=begin_request,end_request

if ! $pyrograph collect windows -q --between $ends -o "$tmp/try.data" -- "$requests" forgets 2 >"$tmp/out" 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect windows works here" "$tmp/err"
	else
		skip "collect windows" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

fold() { "$pyrograph" collapse -q "$@" "$tmp/rec.data" 2>&1; }

# says WORD: the number after WORD in the output of the program
says() { sed -n "s/.*\\b$1 \\([0-9]*\\).*/\\1/p" "$tmp/log" | tail -1; }

# from lines with --windows: the number of windows, their time, and the longest
windows() { fold --windows --root none "$@" | awk '!/^#/ { n = split($0, f, " "); print f[n - 1], f[n - 2] }'; }

# sum PATTERN: the sum of the values of lines that match
sum() { awk -v pattern="$1" '!/^#/ && $0 ~ pattern { n += $NF } END { printf "%.0f\n", n }'; }

# ---- what lies inside ----

plain()
{
	status "a command, with several collectors" 0 "$pyrograph" collect cpu,sched,offcpu -F 997 --between $ends \
		-o "$tmp/rec.data" -- "$requests" plain 2 40
	cp "$tmp/out" "$tmp/log"
	has "... tells how long windows are" "$tmp/err" "windows: 80, on average"
	set -- $(windows)
	is "... a window for each request" "$1" "$(says requests)"
	# Between the probe and the program's look at the clock it may lose its CPU, as it does in the windows at large.
	waited=$(fold --states --root comm --threads server --state runnable | awk '!/^#/ { n += $(NF - 2) } END { printf "%.0f", n }')
	is "... they take what the program measured, and at most 2 %, 200 us each and waits for a CPU more" \
		"$(echo "$2 $(says inside_ns) $waited" | awk '{ print ($1 >= $2 && $1 <= $2 * 1.02 + 80 * 2e5 + $3) ? "yes" : $0 }')" yes
	is "... the states of a thread in them add up to them, to a microsecond for each" \
		"$(echo "$(fold --states --root comm --threads server | awk '!/^#/ { n += $(NF - 2) } END { printf "%.0f", n }') $2" |
			awk '{ d = $1 - $2; print (d < 80e3 && d > -80e3) ? "yes" : $0 }')" yes
	is "... it ran for as long as it says, within 4 %, and at most 2 % and 100 us each more" \
		"$(echo "$(fold --states --root comm --threads server --state running | awk '!/^#/ { n += $(NF - 2) } END { printf "%.0f", n }') $(says inside_cpu_ns)" |
			awk '{ print ($1 >= $2 * 0.96 && $1 <= $2 * 1.06 + 80 * 1e5) ? "yes" : $0 }')" yes
	fold --wall >"$tmp/wall"
	is "... all the time in them, by stack, is that of the states" "$(sum '^[^;]*/server[^;]*;' <"$tmp/wall")" \
		"$(fold --states --root thread | awk '/server/ { n += $(NF - 2) } END { printf "%.0f", n }')"
	fold --root window --between all >"$tmp/all"
	is "... what runs between requests is outside" "$(sum '^\[(fast|other|slow) windows\];.*;keep_house' <"$tmp/all")" 0
	is "... what runs in them is not" "$(sum '^\[outside of windows\];.*;(parse|sort_everything)' <"$tmp/all")" 0
	is "... and there is enough of both" "$(echo "$(sum ';keep_house' <"$tmp/all") $(sum ';(parse|sort_everything)' <"$tmp/all")" |
		awk '{ print ($1 > 100 && $2 > 60) ? "yes" : $0 }')" yes
	is "... only the inside counts by default" "$(fold | sum ';keep_house')" 0
	fold --offcpu --waits all >"$tmp/offcpu"
	# If the kernel does not show a switch, the block is missing.
	asleep=$(fold --states --root comm --threads server --state sleeping | awk '!/^#/ { n += $(NF - 2) } END { printf "%.0f", n }')
	is "... its waits are those that sched saw, within a tenth" "$(echo "$(sum '^server;' <"$tmp/offcpu") $asleep" |
		awk '{ print ($1 > 0.9 * $2 && $1 < 1.1 * $2 && $2 > 80 * 3e6) ? "yes" : $0 }')" yes
	is "... none of those between requests" "$(sum ';rest;' <"$tmp/offcpu")" 0
	fold --lengths >"$tmp/lengths"
	has "... a report on lengths" "$tmp/lengths" "windows of a thread, $ends: 80, total"
	is "... the slowest have their threads" "$(grep -c '^20.*/server-[0-9]*$' "$tmp/lengths")" 10
	"$pyrograph" collapse -q --diff --between fast,slow "$tmp/rec.data" >"$tmp/diff"
	is "... compared: the slow ones sort more than the fast ones" "$(awk '/;sort_everything/ { a += $(NF - 1); b += $NF } /;parse/ { c += $(NF - 1) }
		END { print (b > 3 * a && b > 0 && c > 0) ? "yes" : a " " b " " c }' "$tmp/diff")" yes
}
live plain

# ---- other events ----

# recorded BETWEEN WORD...: records the program, run with these words
recorded()
{
	between=$1
	shift
	rm -f "$tmp/rec.data"
	"$pyrograph" collect windows -q --between "$between" -o "$tmp/rec.data" -- "$requests" "$@" >"$tmp/log" 2>"$tmp/err" ||
		not_ok "$between" "$tmp/err"
	windows | cut -d' ' -f1
}

# The program says how many requests there were; each way of marking their beginning and end finds as many windows.
ways()
{
	while IFS='|' read -r between way; do
		# shellcheck disable=SC2086 # words
		got=$(recorded "$between" $way)
		is "windows by $between" "$got" "$(says requests)"
	done <<-EOF
	usdt:requests:begin,usdt:requests:end|forgets 3
	$requests:requests:begin,requests:end_request|forgets 3
	answer|plain 1 5
	begin_request:return,end_request:return|plain 1 5
	EOF
}
ways

is "tracepoints: each request sleeps, and so does each pause" \
	"$(recorded tracepoint:syscalls:sys_enter_clock_nanosleep,t:syscalls:sys_exit_clock_nanosleep plain 1 5)" 10
is "a library's function" "$(recorded libc:usleep plain 1 5)" 10
is "... by its file" "$(recorded libc.so.6:usleep,libc.so.6:usleep:return plain 1 5)" 10
is "from each call to the next; the last one is open, or cut" "$(recorded rest,rest plain 1 6)" 6

# ---- stacks in calls whose return is probed ----

# The return address is the kernel's own there, so without frame pointers each stack would be followed along that.
callers()
{
	rm -f "$tmp/rec.data"
	"$pyrograph" collect cpu,offcpu -q -F 499 --between callee -o "$tmp/rec.data" -- "$tmp/callers" 1.5 20000 >"$tmp/log" 2>"$tmp/err" ||
		not_ok "windows of a function that two call" "$tmp/err"
	fold >"$tmp/stacks"
	inside=$(sum ';spin_(odd|even)' <"$tmp/stacks")
	some "... samples in its calls" "$inside" 50
	is "... go on to the program's start, through the caller that it had, but for one in 50" \
		"$(echo "$(sum ';_start;.*;main;(odd_caller;(callee;)+spin_odd|even_caller;(callee;)+spin_even)' <"$tmp/stacks") $inside" |
			awk '{ print ($1 >= 0.98 * $2) ? "yes" : $0 }')" yes
	is "... none through the other one" "$(sum ';(odd_caller;(callee;)+spin_even|even_caller;(callee;)+spin_odd)' <"$tmp/stacks")" 0
	some "... also where it called itself" "$(sum ';main;(odd|even)_caller;callee;callee;callee;callee;spin' <"$tmp/stacks")" 10
}
if [ "$(uname -m)" != x86_64 ]; then
	skip "stacks in calls whose return is probed" "there, the address is in a register"
elif ${CC:-cc} -O1 -g -fomit-frame-pointer -fno-optimize-sibling-calls tests/workloads/callers.c -o "$tmp/callers" 2>"$tmp/err"; then
	live callers
else
	skip "stacks in calls whose return is probed" "no compiler"
fi

# ---- what is not simple ----

# told WHAT: from the report on lengths
told() { fold --lengths | sed -n "s/^ *\\([0-9]*\\) $1.*/\\1/p"; }

status "a function that calls itself" 0 "$pyrograph" collect windows --between handle -o "$tmp/rec.data" -- "$requests" recursive 5
is "... its outermost calls count" "$(windows | cut -d' ' -f1)" 5
is "... the inner ones are told" "$(told 'begins inside')" 10
has "... at once" "$tmp/err" "windows: 10 begins inside a window of the same thread, from deeper calls"

status "requests without an end" 0 "$pyrograph" collect windows --between $ends -o "$tmp/rec.data" -- "$requests" forgets 20
cp "$tmp/out" "$tmp/log"
is "... are left out" "$(windows | cut -d' ' -f1)" "$(says requests)"
is "... and told" "$(told 'windows left out')" 4

status "threads that end inside" 0 "$pyrograph" collect windows --between $ends -o "$tmp/rec.data" -- "$requests" ends 3
is "... their windows end with them" "$(windows | cut -d' ' -f1)" 3
is "... which is told" "$(told 'cut by the end')" 3
is "... they are as long as they were" "$(windows | awk '{ print ($2 > 3 * 20e6) }')" 1

status "a process that executes another program inside" 0 "$pyrograph" collect windows --between $ends -o "$tmp/rec.data" -- "$requests" executes
is "... its window ends there" "$(told 'cut by the end')" 1

status "requests that another thread ends" 0 "$pyrograph" collect windows --between $ends --between-of process -o "$tmp/rec.data" -- "$requests" hands 5
is "... are windows of the process" "$(windows | awk '{ print $1, ($2 > 5 * 5e6) }')" "5 1"
has "... the report says so" "$tmp/err" "windows: 5, "
fold --lengths >"$tmp/lengths"
has "... of which process" "$tmp/lengths" "windows of a process, $ends: 5"
"$pyrograph" collect windows --between $ends -o "$tmp/rec.data" -- "$requests" hands 5 >"$tmp/out" 2>"$tmp/err"
has "... not of a thread: its ends are strange" "$tmp/err" "windows: 5 ends outside of a window"
has "... and its begins" "$tmp/err" "windows: 4 windows left out"

# Probes are set one after the other, here slowly: events before the last one is set do not count.
: >"$tmp/log"
"$requests" tight >"$tmp/log" &
pid=$!
before 30 grep -q tight "$tmp/log"
strace -qq -o "$tmp/calls" -e trace=perf_event_open -e inject=perf_event_open:delay_enter=20000 \
	"$pyrograph-collect" windows -p $pid --between $ends -d 0.1 -o "$tmp/rec.data" >"$tmp/out" 2>"$tmp/err"
is "requests that go on as the recording begins: at most one has no begin" \
	"$(sed -n 's/.*windows: \([0-9]*\) ends outside.*/\1/p' "$tmp/err" | awk '$1 > 1')" ""
some "... they are recorded" "$(windows | sed 's/ .*//')" 10
kill $pid
wait $pid 2>/dev/null

: >"$tmp/log"
"$requests" hangs >"$tmp/log" &
pid=$!
before 30 grep -q hangs "$tmp/log"
status "a window that began before" 0 "$pyrograph" collect windows -p $pid --between $ends -d 0.1 -o "$tmp/rec.data"
has "... is none" "$tmp/err" "windows: 0"
has "... which is explained" "$tmp/err" "hint: no windows"
status "... collapse says that there are none" 1 "$pyrograph" collapse --lengths "$tmp/rec.data"
has "... as they were recorded" "$tmp/err" "windows was recorded, but has no samples"
kill $pid
wait $pid 2>/dev/null
hangs()
{
	"$pyrograph" collect windows --between $ends -d 2 -o "$tmp/rec.data" -- "$requests" hangs >"$tmp/out" 2>"$tmp/err"
	is "one that does not end" "$(told 'open when')" 1
	has "... is told" "$tmp/err" "1 had not ended"
}
live hangs

kept()
{
	rm -f "$tmp"/kept*.data
	: >"$tmp/err"; : >"$tmp/log"
	"$pyrograph" collect windows --between $ends --keep 5s --after 1ms -o "$tmp/kept.data" -- "$requests" hangs >"$tmp/log" 2>"$tmp/err" &
	pid=$!
	before 30 grep -q hangs "$tmp/log"
	sleep 0.3
	"$pyrograph" trigger -p $pid >"$tmp/out" 2>&1
	before 30 grep -q wrote "$tmp/err"
	kill -INT $pid
	finished $pid
	is "the flight recorder has the window that goes on" \
		"$("$pyrograph" collapse -q --lengths "$tmp"/kept-*.data 2>&1 | sed -n 's/^ *\([0-9]*\) open when.*/\1/p')" 1
}
live kept

a_process()
{
	"$requests" plain 1 400 >"$tmp/log" &
	pid=$!
	sleep 0.2
	status "a process that runs" 0 "$pyrograph" collect cpu -p $pid --between $ends -d 3 -o "$tmp/rec.data"
	kill $pid
	wait $pid 2>/dev/null
	is "... has windows" "$(windows | awk '{ print ($1 > 5) }')" 1
	is "... and samples in them only" "$(fold | awk '/;parse/ { a = 1 } /;keep_house/ { b = 1 } END { print a + 0, b + 0 }')" "1 0"
}
live a_process

# An update replaces the file of a running program.
replaced()
{
	cp "$requests" "$tmp/server"
	"$tmp/server" plain 1 400 >"$tmp/log" &
	pid=$!
	before 20 grep -q '^server$' /proc/$pid/comm
	rm "$tmp/server"
	status "a program whose file was replaced" 0 "$pyrograph" collect windows -p $pid --between server:begin_request,server:end_request -d 1 \
		-o "$tmp/rec.data"
	kill $pid
	wait $pid 2>/dev/null
	is "... has windows" "$(windows | awk '{ print ($1 > 2) }')" 1
}
live replaced

# ---- bad input ----

while IFS='|' read -r wanted words message; do
	rm -f "$tmp/none.data"
	# shellcheck disable=SC2086 # words
	status "collect $words" "$wanted" "$pyrograph" collect $words -o "$tmp/none.data"
	has "... says why" "$tmp/err" "$message"
done <<EOF
2|windows -p 1|--between A,B, or --between FUNCTION
2|cpu --between a,b,c -- true|has more than two events
2|cpu --between a, -- true|'' is not [FILE:]FUNCTION
2|cpu --between a:return -- true|is one event
2|cpu --between a --between-of cpu -- true|--between-of
2|cpu --between-of process -- true|--between-of belongs to --between
2|cpu --betwee a -- true|--betwee is ambiguous: --between, --between-of
1|cpu -a --between handle -d 1|with -a, which program is it?  FILE:handle
1|cpu --between begin_requist -- $requests plain 1 1|Did you mean 'begin_request'?
1|cpu --between nowhere -- $requests plain 1 1|no function 'nowhere': inlined, or its symbols are stripped
1|cpu --between /none/such:f -- $requests plain 1 1|there is no file /none/such
1|cpu --between libnone:f -- $requests plain 1 1|there is no file libnone that what is recorded runs code of
1|cpu --between usdt:requests:middle,usdt:requests:end -- $requests plain 1 1|no probe requests:middle
1|cpu --between tracepoint:none:such,tracepoint:none:such -- true|none:such
EOF
