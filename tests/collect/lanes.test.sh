#!/bin/sh
# collect lanes: queues of sockets, compared with the sender and receiver (tests/workloads/queue_depth.c); memory,
# compared with /proc/meminfo; values of a CSV file, compared with what was written.
# slow: records some programs
# live: queues of sockets
. tests/tap.sh
. tests/collect/common.sh
lanes="$pyrograph collect lanes"
program=${BUILD:-build}/tests/workloads/queue_depth

if ! $lanes -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect lanes works here" "$tmp/err"
	else
		skip "collect lanes" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi
# If BPF programs cannot look at sockets, only queues that last are seen, and datagrams are not counted.
every="--every 200ms" hold="" mark="" datagrams=datagrams
if grep -q 'no program may look at sockets' "$tmp/err"; then
	every="--every 10ms" hold="-h 400" mark=";sampled" datagrams=depth
fi

# recorded WHAT OPTIONS -- PROGRAM ARGUMENTS: the program's lines go to $tmp/out, the values to $tmp/lanes
recorded()
{
	status "$1" 0 $lanes -o "$tmp/lanes.data" $2 -- "$program" $3
	"$pyrograph" collapse --lanes "$tmp/lanes.data" >"$tmp/lanes" 2>>"$tmp/err"
}
# told WORD [FIELD]: of the program's lines
told() { awk -v word="$1" -v field="${2:-2}" '$1 == word { print $field }' "$tmp/out"; }
# most LANE, summed LANE, when LANE: the greatest value; the sum of values; the second of the greatest value
most()   { awk -v lane="$1" '$2 == lane && $3 >= n { n = $3 } END { print n + 0 }' "$tmp/lanes"; }
summed() { awk -v lane="$1" '$2 == lane { n += $3 } END { print n + 0 }' "$tmp/lanes"; }
when()   { awk -v lane="$1" '$2 == lane && $3 >= n { n = $3; at = substr($1, 2) } END { print at }' "$tmp/lanes"; }

# Samples are so rare that the queue is empty again before the first one; only a recorded maximum shows it.
udp()
{
	recorded "datagrams: $1" "$every" "$2 $hold udp $1"
	socket="lane;udp;$(told address)$mark"
	[ "$mark" ] || is "... how many are queued" "$(most "$socket;datagrams")" "$(told queued)"
	is "... the memory that they take" "$(most "$socket;depth")" "$(told queued 3)"
	is "... the limit" "$(most "$socket;limit")" "$(told limit)"
	is "... all that found no room" "$(summed "$socket;drops")" "$(told drops)"
	is "... sender's and receiver's sums are the same" "$(awk '$1 == "queued" || $1 == "drops" { n += $2 } END { print n + 0 }' "$tmp/out")" "${1%% *}"
	is "... empty again at the end" "$(awk -v lane="$socket;$datagrams" '$2 == lane { n = $3 } END { print n }' "$tmp/lanes")" 0
	is "... seen after it was sent" "$(awk -v at="$(when "$socket;depth")" -v from="$(told sending)" \
		'BEGIN { print (at >= from ? "after" : "before") }')" after
	is "... with units" "$(grep -cF -e "unit=datagrams name=$socket;drops" -e "unit=bytes name=$socket;depth" "$tmp/lanes")" 2
}
udp_fits()  { udp "150 500 1000000"; }
udp_drops() { udp "3000 500 100000"; }
udp_elsewhere() { udp "150 500 1000000" -n; }
live udp_fits
live udp_drops
if unshare -n true 2>/dev/null; then
	live udp_elsewhere
else
	skip "sockets of another network namespace" "none can be made"
fi

tcp()
{
	recorded "a stream" "$every" "$hold tcp 100000"
	socket="lane;tcp;$(told address)$mark"
	is "... bytes that were not read" "$(most "$socket;unread")" "$(told queued)"
	is "... the limit" "$(most "$socket;limit")" "$(told limit)"
	is "... the memory is at least what the kernel says last" \
		"$(awk -v most="$(most "$socket;depth")" '$1 == "queued" { print (most >= $3 ? "yes" : most) }' "$tmp/out")" yes
	listener=$(told address)
	is "... a connection that waits to be accepted" "$(most "lane;tcp;${listener%-*}$mark;accept-queue")" 1
}
live tcp

# ---- --lanes of the others ----

lines_of() { "$pyrograph" collapse "$@" 2>"$tmp/err" | grep -vc '^#'; }
for source in cpu offcpu; do
	status "collect $source --lanes" 0 $pyrograph collect $source --lanes --every 20ms -o "$tmp/both.data" -- "$program" udp 1 1 0
	is "... records lanes as well" "$([ "$(lines_of --lanes "$tmp/both.data")" -gt 10 ] && echo yes)" yes
done
status "... --lanes of a COMMAND is the command's" 0 $pyrograph collect cpu -o "$tmp/both.data" -- sh -c : --lanes
is "... without them" "$(lines_of --lanes --if-any "$tmp/both.data")" 0
status "... a file of that name is not it, either" 2 $pyrograph collect cpu -o --lanes --lane -- true
status "... shortened" 2 $pyrograph collect cpu --lane -o "$tmp/both.data" -- true
has "... is wrong usage" "$tmp/err" "cannot be abbreviated"

# ---- below a heat map: a stall, and a queue that fills during it ----

render=${BUILD:-build}/pyrograph-render
stall()
{
	status "a receiver that stalls" 0 $pyrograph collect offcpu --events --min 100ms --lanes -o "$tmp/stall.data" -- \
		"${BUILD:-build}/tests/workloads/stalled_receiver" 300
	cp "$tmp/out" "$tmp/said"
	{ "$pyrograph" collapse -q --offcpu --waits all --heat "$tmp/stall.data"
	"$pyrograph" collapse -q --lanes "$tmp/stall.data"; } >"$tmp/both" 2>"$tmp/err"
	status "... is drawn with its queue" 0 $render heat -q --script h.js --y value --log --lanes - -o "$tmp/stall.svg" <"$tmp/both"
	$render folded "$tmp/stall.svg" >"$tmp/lanes"
	cp "$tmp/said" "$tmp/out"
	# The wait in the map begins with the stall, and the queue is longest at the stall's end.
	stall_ms=$(awk '$1 == "stalled" { print ($3 - $2) * 1000 }' "$tmp/out") # from before it sleeps until it runs again
	is "... one wait of 300 ms" "$(awk -v most="$stall_ms" '/^@/ && !/ lane;/ && $NF >= 300e6 && $NF < (most + 1) * 1e6' \
		"$tmp/lanes" | wc -l)" 1
	is "... at the time of the stall" "$(awk -v from="$(told stalled)" -v most="$stall_ms" '/^@/ && !/ lane;/ && $NF >= 300e6 {
		ms = (substr($1, 2) - from) * 1000; print (ms >= -1 && ms < most - 300 + 1 ? "yes" : ms) }' "$tmp/lanes")" yes
	peak=$(when "lane;udp;$(told address)$mark;depth")
	is "... whose queue is longest when it ends" "$(awk -v peak="$peak" -v from="$(told stalled)" -v to="$(told stalled 3)" \
		'BEGIN { print (peak > from + 0.1 && peak < to + 0.05 ? "yes" : peak " " from " " to) }')" yes
	most=$(most "lane;udp;$(told address)$mark;depth")
	is "... and has the datagrams that came meanwhile" "$(awk -v most="$most" -v queued="$(told queued 3)" \
		'BEGIN { print (queued && most >= 0.9 * queued ? "yes" : most " of " queued) }')" yes
	$render folded "$tmp/stall.svg" | $render heat -q --script h.js --y value --log --lanes - >"$tmp/again.svg"
	same "... the lines of the picture draw it again" "$tmp/again.svg" "$tmp/stall.svg"
}
live stall

# ---- the machine ----

memory()
{
	awk '/^MemTotal:/ { print $2 * 1024 }' /proc/meminfo >"$tmp/total"
	cat /proc/meminfo >"$tmp/before"
	recorded "the machine" "" "udp 1 1 0"
	cat /proc/meminfo >"$tmp/after"
	# Free memory may have changed between the two looks; a tenth of the memory is a generous limit.
	is "... free memory is about what /proc/meminfo says" "$(awk -v total="$(cat "$tmp/total")" '
		FILENAME != ARGV[3] && /^MemFree:/ { n = $2 * 1024; low = !low || n < low ? n : low; high = n > high ? n : high }
		FILENAME == ARGV[3] && $2 == "lane;memory;free" && ($3 < low - total / 10 || $3 > high + total / 10) { print }
		' "$tmp/before" "$tmp/after" "$tmp/lanes" | head -3)" ""
	for lane in memory\;available memory\;page-cache memory\;dirty reclaim\;kswapd reclaim\;direct; do
		is "... has $lane" "$(grep -cF " lane;$lane " "$tmp/lanes" | sed 's/[1-9].*/some/')" some
	done
	if [ -e /proc/pressure/cpu ]; then
		is "... pressure is 0 to 100 %" "$(awk '$2 ~ /^lane;pressure;/ && ($3 < 0 || $3 > 100)' "$tmp/lanes" | head -3)" ""
		is "... has it for all three" "$(grep -o 'lane;pressure;[a-z]*;some' "$tmp/lanes" | sort -u | grep -c .)" 3
	else
		has "without pressure: says so" "$tmp/err" "without pressure"
	fi
	if grep -q 'not report run queues' "$tmp/err"; then
		skip "... run queues" "$(grep 'run queues' "$tmp/err")"
	else
		is "... run queues add up" "$(awk '$2 ~ /^lane;run-queue;cpu/ { n[$2] = $3 } $2 == "lane;run-queue;all" { all[$1] = $3 }
			END { print length(n) }' "$tmp/lanes")" "$(grep -c ^processor /proc/cpuinfo)"
	fi
	is "... a value that stays is told every second" "$(awk '$2 ~ /^lane;(memory|reclaim)/ { at = substr($1, 2)
		if (last[$2] && at - last[$2] > 1.5) print; last[$2] = at }' "$tmp/lanes" | head -3)" ""
	perf_reads "lanes" "$tmp/lanes.data" "$tmp/err"
}
live memory

# ---- run queues do not count threads that sleep, even if the kernel has left them in a queue ----

sleepers()
{
	cat >"$tmp/sleepers.py" <<-'END'
		import os, time
		cpu = max(os.sched_getaffinity(0))
		os.sched_setaffinity(0, {cpu})
		end = time.monotonic() + 1.5
		os.setpriority(os.PRIO_PROCESS, 0, -10)
		for i in range(25):
		    if os.fork():
		        continue
		    os.setpriority(os.PRIO_PROCESS, 0, 19) # after a millisecond, it has long had more than its share
		    while time.monotonic() < end:
		        until = time.process_time() + 0.001
		        while time.process_time() < until:
		            pass
		        time.sleep(0.7)
		    os._exit(0)
		while time.monotonic() < end:
		    pass
		for i in range(25):
		    os.wait()
		print("cpu%d" % cpu)
	END
	status "25 threads that sleep beside one that does not" 0 nice -n -20 "$pyrograph" collect lanes,sched -q -a --every 1ms -o "$tmp/lanes.data" -- \
		python3 "$tmp/sleepers.py"
	"$pyrograph" collapse -q --lanes "$tmp/lanes.data" >"$tmp/lanes"
	"$pyrograph" collapse -q --event sched --root comm,state,cpu --no-stack "$tmp/lanes.data" >"$tmp/sched"
	is "... are not among those that run or wait" "$(awk -v cpu="$(cat "$tmp/out")" '
		$2 == "lane;run-queue;" cpu { at = substr($1, 2) - 0; if (before) { sum += had * (at - before); took += at - before }
			before = at; had = $3 }
		FILENAME ~ /sched$/ && /^[^#]/ { n = split($1, frame, ";"); if (frame[n] == cpu && frame[1] !~ /^swapper/) truth += $2 / 1e9 }
		END { more = took ? sum / took - truth / took : 9; print (more < 2.5 && more > -2.5 ? "right" : more " too many") }
		' "$tmp/lanes" "$tmp/sched")" right
}
[ -n "$(grep 'not report run queues' "$tmp/err")" ] || live sleepers

# ---- a user's own file, which grows while it is read ----

csv()
{
	: >"$tmp/naks.csv"
	cat >"$tmp/writer.py" <<-'END'
		import sys, time
		with open(sys.argv[1], "a") as out:
		    out.write("time,naks\n")
		    for n in (0, 3, 3, 12.25, 0):
		        at = "%.9f" % time.time()
		        out.write(at + "," + str(n) + "\n")
		        out.flush()
		        print(at, n)
		        time.sleep(0.02)
		    out.write("wrong line\n%.9f,7" % time.time())
	END
	status "a CSV file that grows" 0 $lanes -o "$tmp/lanes.data" --csv "na ks=$tmp/naks.csv" -- python3 "$tmp/writer.py" "$tmp/naks.csv"
	"$pyrograph" collapse --lanes "$tmp/lanes.data" 2>>"$tmp/err" >"$tmp/lanes"
	is "... all values, those that repeat too, and the unfinished line" \
		"$(awk '$2 == "lane;csv;na_ks" { printf "%s ", $3 }' "$tmp/lanes")" "0 3 3 12.25 0 7 "
	is "... at their times" "$(awk 'NR == FNR { at[++n] = $1; next }
		$2 == "lane;csv;na_ks" && ++k <= n { d = substr($1, 2) - at[k]; if (d < -0.0001 || d > 0.0001) print }
		' "$tmp/out" "$tmp/lanes")" ""
	has "... a wrong line is told" "$tmp/err" "naks.csv:7: expected 'time,value'"
	has "... and counted in the lines" "$tmp/lanes" "bad CSV lines 1"
}
live csv

monotonic()
{
	: >"$tmp/m.csv"
	status "a CSV file on the monotonic clock" 0 $lanes -o "$tmp/lanes.data" --csv-clock monotonic --csv "m=$tmp/m.csv" -- \
		python3 -c 'import sys, time
with open(sys.argv[1], "w") as out:
    print("%.6f" % time.time())
    out.write("%.9f,5\n" % time.monotonic())' "$tmp/m.csv"
	"$pyrograph" collapse -q --lanes "$tmp/lanes.data" >"$tmp/lanes"
	is "... is at its time" "$(awk 'NR == FNR { at = $1; next } $2 == "lane;csv;m" { d = substr($1, 2) - at
		print $3, (d > -0.5 && d < 0.5 ? "there" : d) }' "$tmp/out" "$tmp/lanes")" "5 there"
}
live monotonic

# A line was written after the look that reads it began, or its time is rounded up.
busy_file()
{
	: >"$tmp/busy.csv"
	cat >"$tmp/busy.py" <<-'END'
		import sys, time
		end = time.monotonic() + 0.5
		n = 0
		with open(sys.argv[1], "a", buffering=1) as out:
		    while time.monotonic() < end:
		        n += 1
		        out.write("%.*f,%d\n" % (int(sys.argv[2]), time.time(), n))
		print(n)
	END
	for digits in 9 2; do
		: >"$tmp/busy.csv"
		status "a CSV file that is written all the time, $digits digits" 0 $lanes -o "$tmp/lanes.data" --csv "m=$tmp/busy.csv" -- \
			python3 "$tmp/busy.py" "$tmp/busy.csv" $digits
		is "... has all lines" "$("$pyrograph" collapse -q --lanes "$tmp/lanes.data" | grep -c ' lane;csv;m ')" "$(cat "$tmp/out")"
	done
}
live busy_file

# ---- with others, and with targets ----

together()
{
	status "with another collector" 0 "$pyrograph" collect cpu,lanes -q -o "$tmp/both.data" -- "$program" flood 0.3
	"$pyrograph" collapse -q --lanes "$tmp/both.data" | grep 'lane;udp;.*;depth [1-9]' >"$tmp/flood"
	is "... has both" "$("$pyrograph" collapse -q --event all "$tmp/both.data" | grep -c 'lane;')$(
		"$pyrograph" collapse -q --lanes "$tmp/both.data" | grep -m1 -c 'lane;memory;free ')" 01
	[ "$mark" ] || has "... and sockets" "$tmp/flood" ";depth "
	"$pyrograph" collect lanes -q -p $$ -d 0.2 -o "$tmp/own.data"
	is "sockets of others are not recorded" "$("$pyrograph" collapse -q --lanes "$tmp/own.data" | grep -c ' lane;udp\| lane;tcp')" 0
}
live together

status "a file that is not there" 1 $lanes -a -d 0.1 -o "$tmp/x.data" --csv "a=$tmp/missing"
has "... is told" "$tmp/err" "cannot read $tmp/missing"
status "an option without a name" 2 $lanes -a -d 0.1 -o "$tmp/x.data" --csv "$tmp/naks.csv"
status "a clock that there is not" 2 $lanes -a -d 0.1 -o "$tmp/x.data" --csv-clock wal

# As before Linux 6.2, without the function with which the BPF program reads sockets fast.
old_kernel()
{
	sed 's/bpf_rdonly_cast/bpf_rdonly_gone/g' /sys/kernel/btf/vmlinux >"$tmp/btf"
	status "an old kernel, without CAP_SYS_ADMIN" 0 unshare -m sh -c \
		'mount --bind "$0" /sys/kernel/btf/vmlinux && exec setpriv --inh-caps=-sys_admin --bounding-set=-sys_admin "$@"' \
		"$tmp/btf" $lanes -o "$tmp/old.data" -- sh -c '"$0" "$@"; :' "$program" -h 400 udp 150 500 1000000
	has "... which right is missing is told, and for what" "$tmp/err" \
		"without run queues and reclaim: before Linux 6.2 that needs CAP_SYS_ADMIN"
	has "... sockets are looked at without a program" "$tmp/err" "no program may look at sockets"
	"$pyrograph" collapse -q --lanes "$tmp/old.data" >"$tmp/lanes"
	is "... also those of a process that the command has started" "$(most "lane;udp;$(told address);sampled;depth")" "$(told queued 3)"
	is "... the rest is there" "$("$pyrograph" collapse -q --lanes "$tmp/old.data" | grep -m1 -c ' lane;memory;free ')" 1
}
if unshare -m true 2>/dev/null && command -v setpriv >/dev/null; then
	live old_kernel
else
	skip "an old kernel, without CAP_SYS_ADMIN" "no mount namespace can be made"
fi
