# pyrograph watch: continuous recordings, one after the other, in a directory that keeps the last ones.
# live: what is in the windows
# slow: windows take seconds
. tests/tap.sh
. tests/collect/common.sh
need_sampling "watch"

watch="$pyrograph watch"
usage_says()
{
	what=$1 pattern=$2
	shift 2
	status "$what" 2 $watch "$@"
	has "... and says what to do" "$tmp/err" "$pattern"
}
matches() { if grep -q -e "$3" "$2"; then ok "$1"; else not_ok "$1" "no match of '$3' in:" "$2"; fi; }

usage_says "a budget that is no number" 'in percent of one CPU' --budget much
usage_says "... with something after it" 'in percent of one CPU' --budget 1%x
usage_says "a window of no time" 'a second or more' --window 10ms
usage_says "a ring that is shorter than a window" 'shorter than a --window' --ring 5s --window 10s
usage_says "windows that cannot be aligned" 'must divide --window' --align 7s --window 10s
usage_says "no such collector" "Did you mean 'sched'" cpu,shed
usage_says "two lists" "unexpected argument 'sched'" cpu sched
usage_says "a rate that is not for this" '999' -F 5000
status "a directory that cannot be made" 1 $watch --dir "$tmp/no/such/watch" cpu
has "... is said" "$tmp/err" 'cannot be created'
: >"$tmp/file"
status "a file in its place" 1 $watch --dir "$tmp/file" cpu
has "... is said" "$tmp/err" 'Not a directory'

collectors=cpu
$pyrograph collect usable sched,offcpu 2>/dev/null | grep -q sched,offcpu && collectors=cpu,sched,offcpu

# watcher ARG...: in the background, into $tmp/w.
watcher()
{
	rm -f "$tmp/watch.err"
	$watch --dir "$tmp/w" "$@" 2>"$tmp/watch.err" &
	watcher=$!
	before 60 some_begun
}
some_begun()  { for its_part in "$tmp"/w/*.part; do begun "$its_part" || return 1; done; }
end_watcher() { kill -TERM $watcher; finished $watcher; watch_status=$?; }
windows()     { ls "$tmp/w" 2>/dev/null | grep -c '^watch-....-..-..T......Z\(-[0-9]*\)*\.data$'; }
there_are()   { [ "$(windows)" -ge "$1" ]; }
window()      { ls "$tmp"/w/*.data | sed -n "$1p"; }
folded()      { $pyrograph collapse -q "$@" 2>"$tmp/err"; }
header()      { folded --timed --event "$event" "$1" | sed -n 1p; }
event=$($pyrograph collapse -q "$tmp/try.data" | sed -n '1s/.* event=\([a-z-]*\).*/\1/p')

# busy [CPU]: something to sample on that CPU for a quarter of the time, or on each CPU all the time, in a function with
# a name.
urgent= # at this priority, busy gets a quarter of the CPU even if many programs want it
! nice -n -10 true 2>/dev/null || urgent="nice -n -10"
busy()
{
	for cpu in ${1:-$(sed 's/,/ /g; s/\([0-9]*\)-\([0-9]*\)/$(seq \1 \2)/g; s/.*/echo &/' /sys/devices/system/cpu/online | sh)}; do
		${1:+$urgent} taskset -c "$cpu" "$spin" 600 1 0 ${1:+30} >/dev/null &
		spinners="$spinners $!"
	done
}
idle() { kill $spinners; wait $spinners; spinners=; } 2>/dev/null
spinners=

# ---- windows ------------------------------------------------------------------------------------

# The longest time between two ticks of a CPU, both within windows and from each window to the next.
pauses='
{ t = substr($1, 2) + 0; cpu = $2; w = $NF }
cpu in last { d = t - last[cpu]; which = where[cpu] != FILENAME; if (d > longest[which]) longest[which] = d }
{ last[cpu] = t; where[cpu] = FILENAME }
END { printf "%d %d\n", longest[0] * 1000, longest[1] * 1000 }'

some_windows()
{
	rm -rf "$tmp/w"
	busy
	watcher $collectors --window 1s --budget 0
	before 120 there_are 3
	end_watcher
	idle
	is "watch ends well" $watch_status 0
	is "... and leaves whole windows" "$(ls "$tmp/w" | grep -vc '\.data$')" 0
	matches "... whose number it tells" "$tmp/watch.err" "$(windows) windows* in $tmp/w"
	for n in 1 2 3; do
		folded --timed --event "$event" --root cpu,comm "$(window $n)" >"$tmp/timed.$n"
		some "window $n reads alone: a program from before it, with the names of its functions" \
			"$(grep -c '^@[0-9.]* cpu[0-9]*;spinner.*;spin_alpha' "$tmp/timed.$n")" 1
		sed -n 's/^\(@[^ ]*\) \([^;]*\);.* \([0-9]*\)$/\1 \2 \3/p' "$tmp/timed.$n" >"$tmp/ticks.$n"
	done
	[ "$collectors" = cpu ] ||
		some "... and time in states" "$(folded --states "$(window 2)" | grep -c '^spin.*;running')" 1
	sed -n 1p "$tmp/timed.2" >"$tmp/header"
	matches "the header tells how far the clock may be off" "$tmp/header" ' clock-within=[u0-9]'
	matches "... and what it cost" "$tmp/header" ' own-cost=[0-9.]*%'
	read -r within between <<END
$(awk "$pauses" "$tmp/ticks.1" "$tmp/ticks.2" "$tmp/ticks.3")
END
	echo "# longest pause of a CPU: $within ms in windows, $between ms between them"
	[ "$between" -le $((within + 15)) ] && ok "no sample is lost between windows" ||
		not_ok "no sample is lost between windows" "$between ms, within windows $within ms"
	perf script --symfs "$tmp" -i "$(window 2)" 2>/dev/null >"$tmp/script"
	some "perf reads a window, too" "$(grep -c '^spinner' "$tmp/script")" 1
	folded --root host --event "$event" --timed "$tmp"/w/*.data | grep '^@' >"$tmp/all"
	is "all of them are one recording on one clock" "$(cut -d' ' -f1 "$tmp/all" | sort -c 2>&1)" ""
	is "... of as many samples" "$(wc -l <"$tmp/all")" \
		"$({ cat "$tmp"/timed.[123] && window '4,$' | while read -r f; do folded --event "$event" --timed "$f"; done; } | grep -c '^@')"
}
live some_windows

aligned()
{
	rm -rf "$tmp/w"
	watcher cpu --window 2s --align 1s --budget 0
	before 120 there_are 3
	end_watcher
	# The name has the second at which the window began; the first window may begin at any time.
	for n in 2 3; do
		header "$(window $n)" | grep -o ' from=[^ ]*' | sed 's/.*:\([0-9.]*\)Z/\1/' >"$tmp/from"
		is "--align: window $n begins with a second" "$(awk '{ print ($1 % 1 < 0.25 || $1 % 1 > 0.99) }' "$tmp/from")" 1
	done
	is "... of two" "$(basename "$(window 3)" | sed 's/.*T....\(..\)Z.*/\1/' | awk '{ print $1 % 2 }')" 0
}

live aligned

# ---- beside the other tests, in their own directory: these mostly wait, and do little ------------------

# The kernel's message that a CPU goes off, sent in a network namespace of its own, where no other program hears it.
cpu_off()
{
	rm -rf "$tmp/w"
	watch="unshare -n $watch"
	watcher cpu --window 1s --budget 0
	watch=${watch#unshare -n }
	before 60 there_are 1
	nsenter -n -t $watcher python3 -c '
import socket
uevents = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
uevents.sendto(b"offline@/devices/system/cpu/cpu0\0ACTION=offline\0", (0, 1))'
	count=$(windows)
	before 60 there_are $((count + 3))
	end_watcher
	for f in "$tmp"/w/*.data; do
		folded --heat "$f" | grep '^#' | grep -o -e 'CPU off [0-9]*' -e 'why=cpu-off' | paste -sd,
	done >"$tmp/off"
	is "a CPU that was off: one window has it" "$(grep . "$tmp/off")" "CPU off 1,why=cpu-off"
	is "... not the last one" "$(tail -1 "$tmp/off")" ""
}

# A file that is kept open takes up disk space even after it was deleted.
keeps()   { ls -l /proc/$watcher/fd | grep -q "$1"; }
forgets() { ! keeps "$1"; }
files_go()
{
	rm -rf "$tmp/w"
	watcher cpu --window 1s --budget 0
	cp "$(command -v sleep)" "$tmp/gone_program"
	"$tmp/gone_program" 600 &
	gone_program=$!
	before 60 keeps gone_program
	is "the file of a program is kept open" $? 0
	before 60 there_are 3
	is "... in later windows, too" "$(keeps gone_program; echo $?)" 0
	kill $gone_program
	wait $gone_program 2>/dev/null
	rm "$tmp/gone_program"
	before 60 forgets gone_program
	is "... until some windows after its end" $? 0
	end_watcher
}

costs()
{
	rm -rf "$tmp/w"
	watcher cpu --window 1s --budget 0.0001%
	before 120 lines "$tmp/watch.err" '^.*: recording cpu at 19 Hz' 1
	before 60 there_are 3
	end_watcher
	is "above the budget: it ends well" $watch_status 0
	matches "... it says so" "$tmp/watch.err" 'of a CPU is above the budget of 0.0001 %: doing less'
	matches "... all windows are counted, whatever began anew" "$tmp/watch.err" "$(windows) windows* in $tmp/w"
	is "... its rate goes down first" "$(grep -o 'at [0-9]* Hz' "$tmp/watch.err" | sed -n '2p;3p' | paste -sd,)" "at 49 Hz,at 19 Hz"
	header "$(window 2)" >"$tmp/header"
	matches "... the recording tells, too" "$tmp/header" 'own-cost="[0-9.]*%/0.0001%, 49Hz"'
	is "... and is at that rate" "$(grep -o 'rate=[0-9]*Hz' "$tmp/header")" rate=49Hz
}

# Two processes that talk all the time make recording too expensive.  The window would end only after ten minutes, but
# watch stops collectors within seconds.
haste()
{
	rm -rf "$tmp/w"
	watcher $collectors --window 10m --budget 0.5%
	taskset -c 0 "$talks" talk 100000000 >/dev/null &
	talking=$!
	before 60 lines "$tmp/watch.err" 'recording cpu at 19 Hz, without' 1
	is "far above the budget: collectors go before the window's end" $? 0
	kill $talking
	wait $talking
	end_watcher
	is "... it ends well" $watch_status 0
	matches "... and leaves each window" "$tmp/watch.err" "$(windows) windows* in $tmp/w"
} 2>/dev/null

# Where they talk already, watch begins without these collectors.
foresees()
{
	rm -rf "$tmp/w"
	taskset -c 0 "$talks" talk 100000000 >"$tmp/talking" &
	talking=$!
	before 60 switches_often $talking
	watcher $collectors --window 10m --budget 0.01%
	before 60 lines "$tmp/watch.err" 'recording cpu at' 1
	is "threads switch often: collectors are left out from the beginning" \
		"$(grep -o 'above the budget of 0.01 %: doing less\|recording cpu at 19 Hz, without sched,offcpu' "$tmp/watch.err" | paste -sd,)" \
		"above the budget of 0.01 %: doing less,recording cpu at 19 Hz, without sched,offcpu"
	kill $talking
	wait $talking
	end_watcher
} 2>/dev/null
# switches_often PID: its threads have switched so often
switches_often()
{
	[ "$(sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' /proc/"$1"/task/*/status 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')" -gt 1000 ]
}
talks=${BUILD:-build}/tests/workloads/talks

mkdir "$tmp/aside"
aside()
{
	tmp=$tmp/aside
	if unshare -n nsenter -n -t $$ true 2>/dev/null; then live cpu_off; else skip "a CPU that was off: one window has it" "not root"; fi
	live files_go
	live costs
	if [ "$collectors" = cpu ]; then skip "far above the budget" "no BPF here"; else live haste && live foresees; fi
}
aside >"$tmp/aside.tap" &
aside=$!

# ---- the ring ----------------------------------------------------------------------------------

ring()
{
	rm -rf "$tmp/w"
	$watch --dir "$tmp/w" cpu --window 1s -d 2.5 --budget 0 2>"$tmp/err"
	is "--duration ends it" $? 0
	some "... with windows" "$(windows)" 2
	first=$(window 1)
	cp "$first" "$tmp/w/watch-2020-01-01T000000Z.data"
	touch -d '2020-01-01 00:01' "$tmp/w/watch-2020-01-01T000000Z.data"
	echo text >"$tmp/w/watch-2020-01-01T000100Z.data"
	cp "$first" "$tmp/w/other.data"
	touch -d 2020-01-01 "$tmp/w/watch-2020-01-01T000100Z.data" "$tmp/w/other.data"
	watcher cpu --window 1s --ring 1h --budget 0
	end_watcher
	is "a window that is older than --ring goes" "$(ls "$tmp/w" | grep -c 2020-01-01T000000Z)" 0
	is "... what is no window stays" "$(ls "$tmp/w" | grep -c -e 2020-01-01T000100Z -e other)" 2
	is "... and so do the others" "$([ -e "$first" ]; echo $?)" 0
	watcher cpu --window 1s --most 1 --budget 0
	before 60 sh -c "! [ -e '$first' ]"
	end_watcher
	is "--most: older ones go" "$([ -e "$first" ]; echo $?)" 1
	is "... what is no window stays" "$(ls "$tmp/w" | grep -c -e 2020-01-01T000100Z -e other)" 2
}
live ring

# The directory is moved away, then removed: recording continues in a new one, with the same bounds.
moved()
{
	rm -rf "$tmp/w" "$tmp/away" "$tmp/gone"
	busy 0
	watcher cpu --window 1s --ring 3s --budget 0
	before 60 there_are 1
	mv "$tmp/w" "$tmp/away"
	before 60 there_are 2
	first=$(window 1)
	folded --event "$event" --root comm "$(window '$')" >"$tmp/folded"
	idle
	before 60 sh -c "! [ -e '$first' ]"
	is "a directory that is moved away: --ring is kept in the next one" "$([ -e "$first" ]; echo $?)" 1
	some "... which knows the processes of before" "$(grep -c '^spinner.*;spin_alpha' "$tmp/folded")" 1
	matches "... is told" "$tmp/watch.err" "$tmp/w: was replaced by another directory"
	before 60 sh -c "! ls '$tmp/away' | grep part"
	is "... what was being recorded is complete" "$(ls "$tmp/away" | grep -vc '\.data$')" 0
	mv "$tmp/w" "$tmp/gone"
	rm -r "$tmp/gone"
	before 60 there_are 1
	first=$(window 1)
	before 60 sh -c "! [ -e '$first' ]"
	is "... one that is removed, too" "$([ -e "$first" ]; echo $?)" 1
	end_watcher
	some "... both are told" "$(grep -c 'was replaced by another directory' "$tmp/watch.err")" 2
}
live moved

killed()
{
	rm -rf "$tmp/w"
	busy 0
	watcher cpu --window 1m --budget 0
	part=$(ls "$tmp"/w/*.part)
	grows "$part" 4000
	status "a second one in the same directory" 1 $watch --dir "$tmp/w" cpu
	has "... is refused" "$tmp/err" 'somebody else records into it'
	kill -KILL $watcher
	wait $watcher 2>/dev/null
	idle
	some "killed: the window so far can be read" "$(folded --root comm "$part" | grep -c '^spinner')" 1
	watcher cpu --window 1m --budget 0
	before 60 sh -c "! [ -e '$part' ]" # until then, what has begun is the killed one's
	before 60 some_begun
	end_watcher
	matches "... the next run gives it its name" "$tmp/watch.err" "$(basename "${part%.part}") was cut short"
	is "... and records beside it" "$(windows)" 2
	is "... " "$(ls "$tmp/w" | grep -c part)" 0
}
live killed

# The reader sleeps while a pipe makes two processes switch, more often than fits into a ring.
gaps()
{
	rm -rf "$tmp/w"
	watcher cpu,offcpu --window 1s --budget 0 --no-watchdog --min 1ns --outlier 1ns
	before 60 there_are 1
	kill -STOP $watcher
	taskset -c 0 python3 -c '
import os
there, back = os.pipe(), os.pipe()
child = os.fork()
while not child and os.read(there[0], 1) == b"x":
    os.write(back[1], b"x")
if child:
    for _ in range(100000):
        os.write(there[1], b"x"), os.read(back[0], 1)
    os.write(there[1], b"q")'
	count=$(windows)
	kill -CONT $watcher
	before 60 there_are $((count + 3))
	end_watcher
	for f in "$tmp"/w/*.data; do
		folded --offcpu --heat "$f" | sed -n 's/^# .*spans lost \([0-9]*\).*/spans \1/p; s/^# gap: .*lost=\([0-9]*\) .*/gap \1/p' |
			awk '{ n[$1] += $2 } END { print n["spans"] + 0, n["gap"] + 0 }'
	done | sort -n | tail -1 >"$tmp/lost"
	some "a reader that slept: spans were lost" "$(cut -d' ' -f1 "$tmp/lost")" 1
	is "... in a gap of the same window" "$(awk '{ print ($2 >= $1 / 2) }' "$tmp/lost")" 1
}
if [ "$collectors" = cpu ]; then
	skip "a reader that slept: spans were lost" "no BPF here"
else
	live gaps
fi

# ---- the clock ---------------------------------------------------------------------------------

chrony()
{
	mkdir -p "$tmp/bin"
	printf '#!/bin/sh\necho "$*" >%s\necho "%s"\n' "$tmp/asked" \
		'C0A80001,192.168.0.1,3,1764036000.1,-0.000310000,0.0001,0.000041000,1.2,0.01,0.02,0.001940000,0.000000500,64.2,Normal' >"$tmp/bin/chronyc"
	chmod +x "$tmp/bin/chronyc"
	PATH=$tmp/bin:$PATH $collect -q -a -d 0.1 -o "$tmp/chrony.data" 2>/dev/null
	is "chronyc is asked" "$(cat "$tmp/asked")" "-n -c tracking"
	is "... and believed" "$(folded "$tmp/chrony.data" | grep -o 'clock-within=[^ ]*')" clock-within=1.281ms
	printf '#!/bin/sh\nexec sleep 100\n' >"$tmp/bin/chronyc"
	PATH=$tmp/bin:$PATH $collect -q -a -d 0.1 -o "$tmp/chrony.data" 2>/dev/null
	is "... but not waited for" $? 0
	some "... the kernel tells, then" "$(folded "$tmp/chrony.data" | grep -c 'clock-within=')" 1
	printf '#!/bin/sh\necho "506 Cannot talk to daemon"\n' >"$tmp/bin/chronyc"
	PATH=$tmp/bin:$PATH $collect -q -a -d 0.1 -o "$tmp/chrony.data" 2>/dev/null
	some "... nor is another answer believed" "$(folded "$tmp/chrony.data" | grep -c 'clock-within=')" 1
}
live chrony

# ---- a full disk -------------------------------------------------------------------------------

full_disk()
{
	rm -rf "$tmp/w"
	mkdir "$tmp/w"
	mount -t tmpfs -o size=32m tmpfs "$tmp/w" || return
	busy 0
	watcher cpu --window 1s --most 0 --budget 0
	dd if=/dev/zero of="$tmp/w/rest" bs=64k 2>/dev/null
	before 60 grep -q 'nothing can be written' "$tmp/watch.err"
	matches "a full disk is told" "$tmp/watch.err" 'what is lost is counted'
	told=$(wc -l <"$tmp/watch.err")
	rest $spinners
	LC_ALL=C sleep 6 # six more tries; one or two of the windows under way report something
	resume $spinners
	is "... not with each try" "$(($(wc -l <"$tmp/watch.err") - told < 4))" 1
	rm "$tmp/w/rest"
	before 60 grep -q 'recording again' "$tmp/watch.err"
	matches "... when there is room, it records again" "$tmp/watch.err" 'recording again; [1-9][0-9]* samples could not be written'
	count=$(windows)
	before 60 there_are $((count + 1))
	end_watcher
	idle
	is "... and ends well" $watch_status 0
	last=$(ls "$tmp"/w/*.data | tail -1)
	some "... with samples" "$(folded --root comm "$last" | grep -c '^spinner')" 1
	umount "$tmp/w"
}
if [ "$(id -u)" = 0 ] && mkdir "$tmp/mnt" && mount -t tmpfs tmpfs "$tmp/mnt" 2>/dev/null; then
	umount "$tmp/mnt"
	live full_disk
else
	skip "a full disk" "no right to mount a small file system"
fi

# ---- the service -------------------------------------------------------------------------------

service=examples/pyrograph-watch.service
caps=$(sed -n 's/^AmbientCapabilities=//p' $service)
is "the service is bound to the rights that it gets" "$(sed -n 's/^CapabilityBoundingSet=//p' $service)" "$caps"
if command -v systemd-analyze >/dev/null; then
	sed "s|/usr/local/bin/pyrograph|$(realpath "$pyrograph")|" $service >"$tmp/pyrograph-watch.service"
	status "the service" 0 systemd-analyze verify "$tmp/pyrograph-watch.service"
	is "... is good" "$(grep pyrograph "$tmp/err")" ""
	if systemd-analyze security --help 2>&1 | grep -q -e --threshold; then
		status "... its exposure is at most 3.5" 0 systemd-analyze security --offline=true --threshold=35 "$tmp/pyrograph-watch.service"
	else
		skip "... its exposure is at most 3.5" "this systemd cannot judge files"
	fi
else
	skip "the service" "no systemd-analyze"
fi

# As nobody, with these rights alone.
few_rights()
{
	rm -rf "$tmp/few"
	install -d -o 65534 -m 700 "$tmp/few"
	chmod 711 "$tmp"
	list=$(echo "$caps" | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
	busy 0
	setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set="-all,$list" \
		--inh-caps="-all,$list" --ambient-caps="-all,$list" \
		$watch $collectors --dir "$tmp/few" --window 1s -d 2.5s --budget 0 2>"$tmp/few.err"
	is "with the service's rights alone" $? 0
	idle
	is "... nothing is refused" "$(grep -c -i -e 'without' -e denied -e permitted "$tmp/few.err")" 0
	few=$(ls "$tmp"/few/*.data | sed -n 2p)
	folded --event "$event" --root comm "$few" >"$tmp/folded"
	some "... root's program has names" "$(grep -c '^spinner.*;spin_alpha' "$tmp/folded")" 1
	some "... and so has the kernel" "$(grep -c -e ';do_syscall_64' -e ';asm_' "$tmp/folded")" 1
	[ "$collectors" = cpu ] ||
		some "... waits have stacks" "$(folded --offcpu --root comm "$few" | grep -c ';.*;')" 1
}
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "with the service's rights alone" "not root, or no setpriv"
elif [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
	skip "with the service's rights alone" "kernel.perf_event_paranoid is above 2"
else
	live few_rights
fi

# Every system call of watch is one that the service may make.
calls()
{
	strace -f -qq -o "$tmp/strace" $watch $collectors --dir "$tmp/w2" --window 1s -d 2.5 --budget 0 2>"$tmp/err"
	sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' "$tmp/strace" | sort -u >"$tmp/made"
	some "strace sees calls" "$(wc -l <"$tmp/made")" 20
	{
		systemd-analyze syscall-filter | awk '/^@/ { set = $1 } /^ *[@a-z0-9_]/ { print set, $1 }' >"$tmp/sets"
		python3 - "$tmp/sets" $(sed -n 's/^SystemCallFilter=//p' $service) <<'END'
import sys
sets = {}
for line in open(sys.argv[1]):
    name, *member = line.split()
    sets.setdefault(name, []).extend(m for m in member if m != name)
def expand(name):
    for member in sets.get(name, []) if name[0] == "@" else [name]:
        if member == name:
            print(name)
        elif member[0] == "@":
            expand(member)
        else:
            print(member)
for name in sys.argv[2:]:
    expand(name)
END
	} | sort -u >"$tmp/allowed"
	some "the service's filter has calls" "$(wc -l <"$tmp/allowed")" 100
	is "... and all that are made are among them" "$(comm -23 "$tmp/made" "$tmp/allowed" | paste -sd' ')" ""
}
if command -v systemd-analyze >/dev/null && command -v strace >/dev/null && strace -qq true 2>/dev/null; then
	live calls
else
	skip "the calls that the service may make" "no strace, or no systemd-analyze"
fi

wait $aside
cat "$tmp/aside.tap"
