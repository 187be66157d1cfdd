# guest: what tests/kernels.sh runs in each guest, as root; prints TAP lines.  The guest's file system is the
# host's, read-only except for /tmp.  /tmp/share has the programs (build), the tests that are needed (tests), and
# "wanted", the parts that are to be run; if it is empty, all are.
#
# A guest without acceleration is slow, but its clock is not.  So tests wait for output of programs, and take bounds
# from what the same run saw.  tests/kernels.sh ends a guest that prints nothing for minutes, so `doing` prints at once,
# before the lines of a check, what is done next.
exec 3>&1
mkdir -p /tmp/work && cd /tmp/work || exit 1
cp -r /tmp/share/build /tmp/share/tests . && chmod -R a+rX . || exit 1
export BUILD=build TMPDIR=/tmp
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
. tests/jvm/java.sh
allocates=build/tests/workloads/allocates
trap 'rm -rf "$tmp"' EXIT

echo "# kernel $(uname -r), kernel.perf_event_paranoid $(cat /proc/sys/kernel/perf_event_paranoid)"

doing() { read -r up _ </proc/uptime && echo "# at $up s: $*" >&3; }

# The collectors, as the program lists them; and those that need no uprobe in their programs, and can be combined with
# others.
all=$("$pyrograph" collect usable 2>"$tmp/obstacles")
plain=$(echo "$all" | tr , '\n' | grep -vxE 'cpu|wall|windows|noise|alloc' | paste -sd, -)

# ---- what is judged ----------------------------------------------------------

# recorded WHAT FILE LEAST COLLECTOR [ARG ...]: the status is 0, there are at least LEAST samples, and perf finds the
# same number.
recorded()
{
	what=$1 data=$2 least=$3
	shift 3
	doing "$what"
	status "$what" 0 "$pyrograph" collect "$@"
	cp "$tmp/err" "$tmp/summary"
	cp "$tmp/out" "$tmp/printed"
	doing "perf script"
	perf script --symfs "$tmp" -i "$data" -F event >"$tmp/events" 2>"$tmp/perf.err"
	is "... perf reads it without a warning" "$(cat "$tmp/perf.err")" ""
	some "... samples" "$(grep -c . "$tmp/events")" "$least"
	ours=$(spans "$data" | wc -l) # for our own events; for cpu, the summary has the number
	[ "$1" != cpu ] || ours=$(said "$tmp/summary")
	[ "$1" = cpu ] || sed -i '/^ *cpu-clock/d' "$tmp/events"
	is "... as many as we wrote" "$(grep -c . "$tmp/events")" "$ours"
	doing "what it recorded"
}

# sum_of FILE [OPTION ...]: the sum of the counts that collapse prints
sum_of() { "$pyrograph" collapse -q "$@" 2>"$tmp/err" | awk '!/^#/ { n += $NF } END { printf "%d\n", n }'; }

# share PATTERN OPTION...: the matching percentage of the counts that collapse prints
share()
{
	pattern=$1
	shift
	"$pyrograph" collapse -q "$@" 2>"$tmp/err" | grep -v '^#' | awk -v pattern="$pattern" '
		$0 ~ pattern { n += $NF } { all += $NF } END { printf "%d\n", all ? 100 * n / all + 0.5 : 0 }'
}

# drawn WHAT KIND FILE COLLAPSE_OPTION...: draws a picture that XML readers can read
drawn()
{
	what=$1 kind=$2 data=$3
	shift 3
	doing "$what"
	"$pyrograph" collapse -q "$@" "$data" >"$tmp/folded" 2>"$tmp/err"
	status "$what" 0 "$pyrograph" render "$kind" -o "$tmp/$kind.svg" "$tmp/folded"
	is "... is well-formed" "$(xmllint --huge --noout "$tmp/$kind.svg" 2>&1)" ""
	some "... has something in it" "$(grep -c '<rect\|<path\|<image' "$tmp/$kind.svg")" 1
}

# ---- parts -------------------------------------------------------------------

cpu_fp()
{
	recorded "cpu" "$tmp/cpu.data" 50 cpu -F 199 --call-graph fp -o "$tmp/cpu.data" -- "$spin" 2 2
	is "... collapse has as many as perf script" "$(sum_of --event all "$tmp/cpu.data")" "$(samples "$tmp/cpu.data")"
	# Functions of 50, 30 and 20 %; with n samples, three standard deviations are at most 150 / sqrt(n) points.
	off=$(awk -v n="$(samples "$tmp/cpu.data")" 'BEGIN { printf "%d", 150 / sqrt(n) + 2 }')
	alpha=$(share spin_alpha --comm '^spinner' "$tmp/cpu.data")
	[ -n "$alpha" ] && [ "$alpha" != 0 ] || alpha=$(share spin_alpha "$tmp/cpu.data")
	truth=$(awk '/^share spin_alpha/ { a = $3 } /^cpu/ { printf "%d", 100 * a / $2 + 0.5 }' "$tmp/printed")
	within "... a function's share" "$alpha" $((truth - off - 5)) $((truth + off))
}

cpu_dwarf()
{
	recorded "cpu by unwind tables" "$tmp/dwarf.data" 50 cpu -F 199 --call-graph dwarf -o "$tmp/dwarf.data" -- \
		"$spin" 2 2
	is "... collapse has as many as perf script" "$(sum_of --event all "$tmp/dwarf.data")" "$(samples "$tmp/dwarf.data")"
	some "... stacks that are whole, in percent" "$(sed -n 's/.* \([0-9]*\)[0-9.]* % of user stacks are whole.*/\1/p' "$tmp/summary")" 85
}

# Running time is compared with perf's count for the same processes at the same time.
running()
{
	HOME=$tmp command perf sched timehist -s -i "$tmp/sched.perf" >"$tmp/timehist" 2>"$tmp/timehist.err"
	theirs=$(awk '/^ *spinner [0-9]+\[/ { sub(/.*\]/, ""); ms += $3 } END { printf "%d", ms * 1000 }' "$tmp/timehist")
	ours=$("$pyrograph" collapse -q --event sched --root thread --state running --no-stack --columns time "$tmp/sched.data" |
		awk '/spinner/ { ns += $NF } END { printf "%d", ns / 1000 }')
	echo "# figure: running $ours us, perf sched timehist $theirs us; $(grep -ci lost "$tmp/timehist.err") lines of lost events"
	some "... there is something to compare" "$theirs" 500000
	within "... running time as perf sched timehist has it, 2 %" "$ours" $((theirs * 98 / 100)) $((theirs * 102 / 100))
}

sched()
{
	recorded "sched" "$tmp/sched.data" 50 sched -a -o "$tmp/sched.data" -- \
		perf sched record -q -o "$tmp/sched.perf" -- "$spin" 2 3
	running
	drawn "states" states "$tmp/sched.data" --states
	drawn "tenancy" tenancy "$tmp/sched.data" --tenancy
}

offcpu()
{
	recorded "offcpu" "$tmp/off.data" 3 offcpu --wakers -o "$tmp/off.data" -- "$blocks" pair 10 50
	tid=$(tid_of "$tmp/printed" waiter)
	within "... who waited, how often" "$(counted "$tmp/off.data" '$3 == tid && $7 > 9e6')" 7 12
	some "... in its function, in percent" "$(share 'waiter.*main|waiter.*start_thread|waiter' --offcpu --root thread "$tmp/off.data")" 5
	drawn "offcpu" flame "$tmp/off.data" --offcpu --all
	"$pyrograph" collect offcpu --timeout 200ms -o "$tmp/late.data" -- "$blocks" nap 2 900 >/dev/null 2>"$tmp/err"
	some "... --timeout tells of who is blocked still, with the whole stack" \
		"$(grep -c "still blocked after .*: _start;.*;main;" "$tmp/err")" 1
}

noise()
{
	status "noise" 0 "$pyrograph" collect noise -C 0 -d 3 --budget 100s
	cp "$tmp/out" "$tmp/noise.folded"
	cp "$tmp/err" "$tmp/summary"
	lasted=$(sed -n 's/.* cpu0: \([0-9.]*\) s, with .*/\1/p' "$tmp/summary" | awk '{ print $1 * 1000 }') # ms; 3 s or more: it ends when it gets a CPU
	echo "# figure: noise of $lasted ms; $(grep -o '[0-9]* events came while another was noted' "$tmp/summary" || echo "no event came while another was noted")"
	some "... sources" "$(grep -c '^cpu0;' "$tmp/noise.folded")" 3
	some "... as long as asked for, in ms" "$lasted" 3000
	within "... that add up to all of the time, in ms" "$(awk '/^cpu0;/ { n += $(NF - 2) } END { printf "%d", n / 1e6 }' \
		"$tmp/noise.folded")" $((lasted * 995 / 1000)) $((lasted * 1005 / 1000))
	some "... interrupts" "$(grep -c '^cpu0;interrupt;' "$tmp/noise.folded")" 1
	some "... softirqs" "$(grep -c '^cpu0;softirq;' "$tmp/noise.folded")" 1
}

wakeup()
{
	recorded "wakeup" "$tmp/wake.data" 3 wakeup -o "$tmp/wake.data" -- "$blocks" pair 10 50
	main=$(tid_of "$tmp/printed" main) tid=$(tid_of "$tmp/printed" waiter)
	within "... woken by whom, how often" "$(counted "$tmp/wake.data" "\$3 == tid && \$11 == 5 && \$13 == $main")" 7 12
	if bare_blocks; then
		recorded "wakeup, without frame pointers" "$tmp/bare.data" 3 wakeup -o "$tmp/bare.data" -- "$bare" pair 10 50
		some "... woken from main's whole stack, in percent" "$("$pyrograph" collapse -q --wakeup "$tmp/bare.data" |
			awk '/bare_blocks.*;woken;.*signal_word_.w./ { all += $NF } /signal_word_.w.;main_.w.;.*_start_.w./ { n += $NF }
				END { print all ? int(100 * n / all) : 0 }')" 90
	else
		skip "wakeup, without frame pointers" "$(tail -1 "$tmp/cc.err")"
	fi
}

faults()
{
	pages=build/tests/workloads/page_faults
	recorded "faults" "$tmp/pages.data" 2000 faults --min 1ns -o "$tmp/pages.data" -- "$pages" anonymous 2000
	within "... all of them, of their function" "$("$pyrograph" collapse -q --faults --root type --weight count "$tmp/pages.data" |
		awk '/^minor-(write-)?anonymous;.*;write_pages/ { n += $NF } END { print n + 0 }')" 1990 2010
	recorded "faults that wait for mmap_lock" "$tmp/lock.data" 100 faults --min 1ns -o "$tmp/lock.data" -- "$pages" lock 50
	some "... are told from others" "$("$pyrograph" collapse -q --faults --root reason "$tmp/lock.data" |
		awk '/^mmap-lock;.*;touch_locked/ { n += $NF } END { printf "%d", n }')" 10000
}

syscalls()
{
	calls=build/tests/workloads/slow_calls
	recorded "syscalls" "$tmp/calls.data" 60 syscalls --min 1ns -o "$tmp/calls.data" -- "$calls" slow 60
	is "... each of them" "$("$pyrograph" collapse -q --syscalls --no-stack --root syscall --weight count "$tmp/calls.data" |
		sed -n 's/^clock_nanosleep //p')" 60
	mkdir -p "$tmp/files"
	recorded "syscalls of files" "$tmp/calls.data" 4 syscalls --min 1ns --call '^read$' -o "$tmp/calls.data" -- "$calls" files "$tmp/files"
	sed -n 's/^file //p' "$tmp/printed" | sort >"$tmp/wanted"
	"$pyrograph" collapse -q --syscalls --no-stack --root file "$tmp/calls.data" | sed -n 's/ [0-9]*$//p' | sort >"$tmp/got"
	is "... have their names" "$(comm -13 "$tmp/got" "$tmp/wanted")" ""
	recorded "syscalls in sums" "$tmp/calls.data" 1 syscalls -o "$tmp/calls.data" -- "$calls" many 20000
	is "... all of them" "$("$pyrograph" collapse -q --syscalls --no-stack --root syscall --weight count "$tmp/calls.data" |
		sed -n 's/^getppid //p')" 20000
}

lanes()
{
	queue=build/tests/workloads/queue_depth
	recorded "lanes" "$tmp/lanes.data" 20 lanes --every 200ms -o "$tmp/lanes.data" -- "$queue" udp 150 500 1000000
	"$pyrograph" collapse -q --lanes "$tmp/lanes.data" >"$tmp/lanes"
	for lane in run-queue\;all memory\;free reclaim\;direct; do
		some "... has $lane" "$(grep -cF " lane;$lane " "$tmp/lanes")" 1
	done
	within "... how many threads want a CPU" "$(awk '/ lane;run-queue;all / && $NF > n { n = $NF } END { print n + 0 }' "$tmp/lanes")" 1 1000
	if bpftool btf dump file /sys/kernel/btf/vmlinux 2>/dev/null | grep -q btf_trace_sk_data_ready; then
		is "... how many datagrams are queued" "$(awk '/;datagrams / && $3 > n { n = $3 } END { print n }' "$tmp/lanes")" \
			"$(awk '$1 == "queued" { print $2 }' "$tmp/printed")"
	fi
}

processes()
{
	begins=build/tests/workloads/processes
	recorded "processes" "$tmp/p.data" 8 processes -o "$tmp/p.data" -- "$begins" ends
	"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/p"
	is "... how they end" "$(grep -oE ';(exit:7|signal:[A-Z]*);' "$tmp/p" | tr -d ';' | tr '\n' ' ')" "exit:7 signal:KILL signal:SEGV "
	is "... their memory" "$(awk '$2 == "memory" { print $5 }' "$tmp/printed")" \
		"$(awk -v pid="-$(awk '$2 == "memory" { print $1 }' "$tmp/printed");" 'index($2, pid) { print $NF }' "$tmp/p")"
	some "... execs that fail" "$(grep -c ';failed:ENOENT;' "$tmp/p")" 1
	recorded "processes, many" "$tmp/p.data" 1000 processes -o "$tmp/p.data" -- "$begins" burst 1000 2
	# Since Linux 7.0, a program of a tracepoint can be preempted; events that come during that time are missed, and
	# reported as lost.
	missed=$(sed -n 's/.*lost: \([0-9]*\) events that came while the BPF program.*/\1/p' "$tmp/summary")
	echo "# figure: processes missed ${missed:-0} events"
	within "... all of them" "$("$pyrograph" collapse -q --processes "$tmp/p.data" | grep -c ';exec;exit:0;[^;]*;nothing nothing ')" \
		$((1000 - ${missed:-0})) 1000
}

# The guest has no disk, so use a loop device on a file in memory, if the kernel has one.
io()
{
	pieces=build/tests/workloads/block_io
	truncate -s 16M "$tmp/image"
	disk=$(losetup --find --show "$tmp/image" 2>"$tmp/err")
	if [ -z "$disk" ]; then
		recorded "io" "$tmp/io.data" 0 io -a -o "$tmp/io.data" -- true
		skip "... of a device" "no loop device: $(tail -1 "$tmp/err")"
		return
	fi
	recorded "io" "$tmp/io.data" 300 io -a --min 1ns -o "$tmp/io.data" -- "$pieces" read "$disk" 300 4096
	is "... all of it, of its function" "$("$pyrograph" collapse -q --io --root device,operation --columns count,bytes "$tmp/io.data" |
		awk -v its="^${disk#/dev/};read.*;read_piece;" '$0 ~ its { n += $(NF - 1); b += $NF } END { print n, b }')" "300 1228800"
	recorded "io, summed" "$tmp/io.data" 1 io -a --min 1s -o "$tmp/io.data" -- "$pieces" write "$disk" 300 4096
	is "... all of it" "$("$pyrograph" collapse -q --io --root device,operation --columns count,bytes "$tmp/io.data" |
		awk -v its="^${disk#/dev/};write.*;write_piece;" '$0 ~ its { n += $(NF - 1); b += $NF } END { print n, b }')" "300 1228800"
	losetup -d "$disk"
}

# Names of files, and places in them, when maps are longer than a page and are read in pieces.
io_files()
{
	truncate -s 64M "$tmp/image"
	mkdir -p "$tmp/mnt"
	mkfs.ext4 -q "$tmp/image" >"$tmp/err" 2>&1 && mount -o loop "$tmp/image" "$tmp/mnt" 2>"$tmp/err" ||
		{ skip "io, of files" "no ext4: $(tail -1 "$tmp/err")"; return; }
	mkdir -p "$tmp/mnt/some where"
	for name in one two; do dd if=/dev/zero of="$tmp/mnt/some where/$name" bs=1M count=8 status=none; done
	sync
	for name in one two; do
		recorded "io, of a file" "$tmp/io.data" 2 io -a --min 1ns -o "$tmp/io.data" -- build/tests/workloads/block_io cached "$tmp/mnt/some where/$name"
		"$pyrograph" collapse -q --io --no-stack --root operation,file,page --columns bytes "$tmp/io.data" |
			sed -n "s|^read[a-z-]*;$tmp/mnt/some where/$name;+\\(0x[0-9a-f]*\\) |\\1 |p" |
			while read -r page bytes; do echo $((page)) "$bytes"; done | sort -n >"$tmp/pages"
		is "... each piece at its place, of file $name" \
			"$(awk '$1 != at { print "a hole before " $1; exit } { at = $1 + $2 } END { print at }' "$tmp/pages")" 8388608
	done
	umount "$tmp/mnt"
}

wall()
{
	recorded "wall" "$tmp/sampled.data" 20 wall -o "$tmp/sampled.data" -- build/tests/workloads/wall 2
	some "... naps, in ms" "$("$pyrograph" collapse -q --wall "$tmp/sampled.data" |
		awk '/\/nap;.*nanosleep.*\[blocked: sleep\]/ { n += $NF } END { print int(n / 1e6) }')" 1000
	lacks=$(grep -c 'does not find a thread by its id' "$tmp/summary")
	is "... says what is missing before Linux 6.2" "$lacks" "$((1 - $(grep -c ' bpf_task_from_pid$' /proc/kallsyms)))"
}

windows()
{
	recorded "windows" "$tmp/windows.data" 10 windows --between begin_request,end_request -o "$tmp/windows.data" -- build/tests/workloads/requests plain 1 10
	some "... of known length" "$("$pyrograph" collapse -q --windows --root none "$tmp/windows.data" | awk '!/^#/ { print $(NF - 1) }')" 10
}

locks()
{
	contended=build/tests/workloads/contended_locks
	for kind in mutex pi; do
		recorded "locks: $kind" "$tmp/locks.data" 80 locks --min 1us -o "$tmp/locks.data" -- "$contended" $kind 2 40
		some "... with their owners, in percent" "$("$pyrograph" collapse -q --locks --root thread,owner --no-stack "$tmp/locks.data" |
			awk '/\/waiter-/ { all += $NF } /\/waiter-0;.*\/holder-0 |\/waiter-1;.*\/holder-1 / { n += $NF }
				END { printf "%d", all ? 100 * n / all : 0 }')" 90
	done
	recorded "locks of the kernel" "$tmp/locks.data" 1 locks --min 1us -o "$tmp/locks.data" -- build/tests/workloads/page_faults lock 50
	some "... are told from others" "$("$pyrograph" collapse -q --locks "$tmp/locks.data" | grep -c ';kernel-')" 1
}

native_alloc()
{
	recorded "alloc --native" "$tmp/native.data" 100 alloc --native --interval 20k -o "$tmp/native.data" -- "$allocates" 20 2
	wanted=$(awk '/^takes_/ { n += $2 } END { print n }' "$tmp/printed")
	within "... bytes, as the program says" "$("$pyrograph" collapse -q "$tmp/native.data" | awk '/takes_/ { n += $NF } END { printf "%d", n }')" \
		$((wanted * 9 / 10)) $((wanted * 11 / 10))
}

combined()
{
	recorded "cpu,sched,offcpu" "$tmp/all.data" 50 cpu,sched,offcpu -F 199 -o "$tmp/all.data" -- "$spin" 2 2
	for kind in --sampled --states --offcpu; do
		some "... collapse $kind" "$("$pyrograph" collapse -q $kind "$tmp/all.data" | grep -vc '^#')" 1
	done
	drawn "flame" flame "$tmp/all.data" --sampled --all
	drawn "heat" heat "$tmp/all.data" --sampled --heat
}

jvm()
{
	java_start Spin worker-with-a-long-name
	recorded "a JVM" "$tmp/java.data" 50 cpu -F 199 -p "$jvm" -d 3 -o "$tmp/java.data"
	java_stop
	some "... its Java methods, in percent" "$(share 'Spin.burn' "$tmp/java.data")" 70
	some "... the whole name of its thread" "$("$pyrograph" collapse -q --root thread "$tmp/java.data" | grep -c worker-with-a-long-name)" 1
}

jvm_alloc()
{
	java_start -Xmx128m Allocates 2 byte=2000:0.5 int=2000:0.5
	recorded "alloc" "$tmp/alloc.data" 20 alloc -p "$jvm" -d 3 -o "$tmp/alloc.data"
	java_stop
	within "... a class's share" "$(share 'byte\[\]' "$tmp/alloc.data")" 30 70
}

# Every collector that has no part of its own is tried here: it loads, and perf reads its recording.
others()
{
	is "root may use every collector" "$(cat "$tmp/obstacles")" ""
	some "... of which there are" "$(echo "$all" | tr , '\n' | wc -l)" 14
	for of in $(echo "$all" | tr , ' '); do
		case " $(echo "$parts" | tr _ ' ') " in *" $of "*) continue ;; esac
		recorded "$of" "$tmp/other.data" 1 "$of" -a -o "$tmp/other.data" -- "$spin" 2 2
	done
}

# What the kernel cannot do is refused in one sentence, which names what is missing; the rest works.
least()
{
	"$pyrograph" collect usable --kernels >"$tmp/least" 2>"$tmp/err"
	sed 's/^/# /' "$tmp/least"
	for of in $(awk 'NR > 1 && $2 ~ /^[0-9.]+$/ { print $1 }' "$tmp/least"); do
		doing "$of"
		case ",$all," in
		*,alloc,*) [ $of != alloc ] || continue ;; # jvm_alloc
		esac
		case ",$all," in
		*,$of,*)
			recorded "$of" "$tmp/least.data" 1 "$of" -a -o "$tmp/least.data" -- "$spin" 2 2
			continue ;;
		esac
		case $of in
		windows) of="windows --between main" ;;
		noise) of="noise -C 0" ;;
		esac
		status "$of is refused" 1 "$pyrograph" collect $of -d 1 -o "$tmp/least.data"
		is "... in a sentence that names what is missing" \
			"$(grep -cE 'this kernel has no .*: Linux [0-9.]+ or later is needed|no atomic operations that return a value' "$tmp/err") of $(grep -c . "$tmp/err")" "1 of 1"
		sed 's/^/# /' "$tmp/err"
	done
	status "report leaves out what cannot be recorded" 0 "$pyrograph" report -F 199 -o "$tmp/charts" -- "$spin" 2 2
	grep without "$tmp/err" | sed 's/^/# /'
}

# What stands for bpf_loop() and bpf_find_vma() before Linux 5.17.
old_helpers()
{
	export PYROGRAPH_BPF_OLD=1
	calls=build/tests/workloads/slow_calls
	mkdir -p "$tmp/files"
	recorded "syscalls of files, as before Linux 5.17" "$tmp/calls.data" 4 syscalls --min 1ns --call '^read$' -o "$tmp/calls.data" -- "$calls" files "$tmp/files"
	sed -n 's/^file //p' "$tmp/printed" | sort >"$tmp/wanted"
	"$pyrograph" collapse -q --syscalls --no-stack --root file "$tmp/calls.data" | sed -n 's/ [0-9]*$//p' | sort >"$tmp/got"
	is "... have their names" "$(comm -13 "$tmp/got" "$tmp/wanted")" ""
	recorded "processes, likewise" "$tmp/p.data" 8 processes -o "$tmp/p.data" -- build/tests/workloads/processes ends
	some "... execs that fail, with their arguments" "$("$pyrograph" collapse -q --processes "$tmp/p.data" |
		grep -c ';failed:ENOENT;-;-;/nowhere/to be found an argument')" 1
	recorded "faults, likewise" "$tmp/pages.data" 100 faults --min 1ns -o "$tmp/pages.data" -- build/tests/workloads/page_faults anonymous 100
	unset PYROGRAPH_BPF_OLD
}

a_report()
{
	doing "report"
	status "report" 0 "$pyrograph" report -F 199 -o "$tmp/charts" -- "$spin" 2 2
	cp "$tmp/err" "$tmp/summary"
	has_not "... leaves nothing out" "$tmp/summary" "without"
	for chart in states tenancy heat offcpu; do
		some "... $chart" "$(ls "$tmp/charts" | grep -c "$chart.*[.]svg")" 1
	done
	some "... index.html" "$(grep -c '<' "$tmp/charts/index.html")" 5
}

# ---- rights: kernel.perf_event_paranoid 2, the kernel's default, and 3, Debian's --

as_nobody() { (cd "$tmp/open" && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"); }
set_caps()  { setcap "$1+ep" "$tmp/open/pyrograph-collect"; }
paranoid()  { echo "$1" >/proc/sys/kernel/perf_event_paranoid; }

# usable WHAT WANTED: the collectors that collect reports as usable
usable()
{
	doing "$1: usable"
	as_nobody ./pyrograph-collect usable >"$tmp/out" 2>"$tmp/err"
	is "$1: usable" "$(cat "$tmp/out")" "$2"
}

# works WHAT COLLECT_ARG...
works()
{
	what=$1
	shift
	doing "$what"
	status "$what" 0 as_nobody ./pyrograph-collect "$@" -o x.data -- ./spin_shares 0.2
	rm -f "$tmp/open/x.data"
}

# refused WHAT TEXT COLLECT_ARG...: it is refused, and each remedy that the message names works
refused()
{
	what=$1 text=$2
	shift 2
	doing "$what"
	status "$what" 1 as_nobody ./pyrograph-collect "$@" -o x.data -- ./spin_shares 0.2
	has "... says why" "$tmp/err" "$text"
	has_not "... blames nobody else" "$tmp/err" seccomp
	grep '^  sudo ' "$tmp/err" | grep -v ' \.\.\.$' | sed 's/^  sudo //; s/&& sudo/\&\&/' >"$tmp/ways"
	some "... names ways" "$(wc -l <"$tmp/ways")" 1
	caps=$(getcap "$tmp/open/pyrograph-collect" | sed 's/.* //')
	while read -r way; do
		doing "$way"
		before=$(cat /proc/sys/kernel/perf_event_paranoid)
		sh -c "$way" >/dev/null 2>"$tmp/way.err" || not_ok "... $way" "$tmp/way.err"
		status "... $way" 0 as_nobody ./pyrograph-collect "$@" -o x.data -- ./spin_shares 0.2
		rm -f "$tmp/open/x.data"
		paranoid "$before"
		if [ -n "$caps" ]; then setcap "$caps" "$tmp/open/pyrograph-collect"
		else setcap -r "$tmp/open/pyrograph-collect" 2>/dev/null; fi
	done <"$tmp/ways"
}

readme=cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog
admin=cap_sys_admin,cap_sys_ptrace,cap_syslog

rights()
{
	bpf=$plain
	chmod 755 "$tmp"
	mkdir -p "$tmp/open"
	cp build/pyrograph-collect "$spin" "$tmp/open"
	chmod 777 "$tmp/open"

	paranoid 2
	usable "2, nobody" cpu
	works "2, nobody: cpu of its own" cpu
	works "2, nobody: cpu of its own, by unwind tables" cpu --call-graph dwarf
	refused "2, nobody: cpu -a" "it must be 0 or less" cpu -a
	refused "2, nobody: sched" "CAP_BPF and CAP_PERFMON" sched
	set_caps $readme
	if grep -q ' bpf_task_from_pid$' /proc/kallsyms; then
		bpf=$plain,wall
	else
		refused "2, the capabilities of docs/rights.md, but wall before Linux 6.2" "CAP_SYS_ADMIN is needed" wall
	fi
	usable "2, the capabilities of docs/rights.md" "cpu,$bpf,noise"
	works "2, the capabilities of docs/rights.md" "cpu,$bpf" -a
	status "... and noise" 0 as_nobody ./pyrograph-collect noise -C 0 -d 0.3
	refused "... but for uprobes" "CAP_SYS_ADMIN" alloc --native
	set_caps $admin
	usable "2, cap_sys_admin" "$all"
	works "2, cap_sys_admin: alloc --native" alloc --native

	paranoid 3
	setcap -r "$tmp/open/pyrograph-collect"
	usable "3, nobody" ""
	refused "3, nobody: cpu of its own" "kernel.perf_event_paranoid is 3" cpu
	refused "3, nobody: cpu -a" "kernel.perf_event_paranoid is 3" cpu -a
	refused "3, nobody: sched" "kernel.perf_event_paranoid is 3" sched
	set_caps $readme
	usable "3, the capabilities of docs/rights.md" ""
	refused "3, the capabilities of docs/rights.md: cpu" "kernel.perf_event_paranoid is 3" cpu
	refused "3, the capabilities of docs/rights.md: sched" "kernel.perf_event_paranoid is 3" sched -a
	refused "3, the capabilities of docs/rights.md: alloc --native" "CAP_SYS_ADMIN" alloc --native
	set_caps $admin
	usable "3, cap_sys_admin" "$all"
	works "3, cap_sys_admin" "cpu,$plain,wall" -a
	works "3, cap_sys_admin: alloc --native" alloc --native
}

# Lockdown can only be raised, so this part comes last.
lockdown()
{
	levels=/sys/kernel/security/lockdown
	[ -e $levels ] || mount -t securityfs none /sys/kernel/security
	[ -e $levels ] || { skip "lockdown" "this kernel has none"; return; }
	if grep -q '\[none\]' $levels; then lockdown_of_integrity; fi
	echo confidentiality >$levels 2>"$tmp/err" # which it is, if this is the second try
	doing "lockdown=confidentiality"
	"$pyrograph" collect usable >"$tmp/out" 2>"$tmp/err"
	sed 's/^/# /' "$tmp/err"
	is "lockdown=confidentiality: what is usable" "$(cat "$tmp/out")" cpu,alloc
	has "... why not more, and what to do" "$tmp/err" "boot with lockdown=integrity"
	status "... sched is refused" 1 "$pyrograph" collect sched -a -d 0.1 -o "$tmp/locked.data"
	has "... in the same words" "$tmp/err" "boot with lockdown=integrity"
	umount /sys/kernel/security
	status "... where the level cannot be seen" 1 "$pyrograph" collect sched -a -d 0.1 -o "$tmp/locked.data"
	sed 's/^/# /' "$tmp/err"
	has "... likewise" "$tmp/err" "lockdown=integrity"
	mount -t securityfs none /sys/kernel/security
	recorded "... cpu" "$tmp/locked.data" 1 cpu -a -o "$tmp/locked.data" -- "$spin" 1 1
	status "... report, of what is usable" 0 "$pyrograph" report -a -F 199 -o "$tmp/charts" -- "$spin" 1 1
}

lockdown_of_integrity()
{
	echo integrity >$levels
	doing "lockdown=integrity"
	is "lockdown=integrity: all is usable" "$("$pyrograph" collect usable 2>&1)" "$all"
	recorded "lockdown=integrity: cpu,$plain" "$tmp/locked.data" 1 "cpu,$plain" -a -o "$tmp/locked.data" -- "$spin" 1 1
}

# Each collector's program accepts a control group; a process that is moved into it during the recording is recorded.
control_group()
{
	mkdir -p /sys/fs/cgroup/ours
	for of in $(echo "$plain,wall" | tr , ' '); do
		doing "--cgroup: $of"
		status "--cgroup: $of" 0 "$pyrograph" collect $of --cgroup ours -d 0.3 -o "$tmp/ours.data"
	done
	rm -f "$tmp/ours.data"
	: >"$tmp/on"
	sh -c 'while [ -e "$0" ]; do sleep 0.02; done' "$tmp/on" &
	moved=$!
	"$pyrograph" collect sched --cgroup ours -q -d 5 -o "$tmp/ours.data" &
	collecting=$!
	before 30 begun "$tmp/ours.data"
	echo $moved >/sys/fs/cgroup/ours/cgroup.procs
	wait $collecting
	rm "$tmp/on"
	wait $moved
	some "... a process that was moved into it" \
		"$("$pyrograph" collapse -q --states "$tmp/ours.data" | grep -c "^sh-$moved/sh;sleeping")" 1
}

# A control group of version 2 with a fifth of a CPU, alone on its CPU and beside a busy neighbour.
quota()
{
	echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p /sys/fs/cgroup/quota
	quota_of "a limit of CPU time"
	taskset -c 1 "$spin" 600 1 >/dev/null & neighbour=$!
	quota_of "... beside a busy neighbour"
	end_spinners $neighbour
	quota_of_calls
}

throttled_us() { sed -n 's/^throttled_usec //p' /sys/fs/cgroup/quota/cpu.stat; }
long_throttled() { gone $recorder || [ $(($(throttled_us) - throttled_before)) -gt 3000000 ]; }
limit_to() { echo "$1 100000" >/sys/fs/cgroup/quota/cpu.max; }

# limited COLLECTOR,... COMMAND...: begins to record the command in the group
limited()
{
	collectors=$1
	shift
	throttled_before=$(throttled_us)
	"$pyrograph" collect $collectors -o "$tmp/quota.data" -- \
		sh -c 'echo $$ >/sys/fs/cgroup/quota/cgroup.procs && exec taskset -c 1 "$@"' sh "$@" >"$tmp/printed" 2>"$tmp/err" & recorder=$!
}

# limited_to_end: ends it when it was throttled for 3 s; $truth is for how long it was, in us
limited_to_end()
{
	before 120 long_throttled
	for limited_pid in $(cat /sys/fs/cgroup/quota/cgroup.procs); do kill $limited_pid; done
	finished $recorder
	truth=$(($(throttled_us) - throttled_before))
	some "$1: it was throttled, in us" "$truth" 3000000
}

# Time of the group's threads: they take turns, so at most one is throttled at a time, as cpu.stat counts.
quota_of() # WHAT
{
	doing "$1"
	limit_to 20000
	limited sched,wakeup "$spin" 600 1
	limited_to_end "$1"
	for view in states wakeup; do
		"$pyrograph" collapse -q --$view --root thread,state,by --columns time "$tmp/quota.data" >"$tmp/quota"
		got=$(awk '/;throttled;\[limit: 0.2 CPUs, .quota\]/ { n += $NF } END { printf "%.0f", n / 1000 }' "$tmp/quota")
		echo "# figure: $1: --$view: throttled for $got us, by cpu.stat $truth us"
		within "$1: --$view: as long as cpu.stat says" "$got" $((truth * 98 / 100)) $((truth * 102 / 100 + 100000)) # a signal may end the last time, which cpu.stat then lacks
	done
}

# A program that is nearly always in read(2).  Before Linux 6.18, it is throttled within its calls, from then on after them.
quota_of_calls()
{
	doing "a limit of CPU time, in calls"
	limit_to max
	limited syscalls dd if=/dev/zero of=/dev/null bs=16M
	before 120 reads
	limit_to 20000
	limited_to_end "a limit of CPU time, in calls"
	"$pyrograph" collapse -q --syscalls --no-stack --root syscall,reason "$tmp/quota.data" >"$tmp/quota"
	got=$(awk '/^read;throttled / { n += $NF } END { printf "%.0f", n / 1000 }' "$tmp/quota")
	echo "# figure: a limit of CPU time: calls were throttled for $got us, by cpu.stat $truth us"
	if bpftool btf dump file /sys/kernel/btf/vmlinux 2>/dev/null | grep -q "'throttled_limbo_list'"; then
		is "a limit of CPU time: no call is throttled" "$got" 0
	else
		within "a limit of CPU time: calls are throttled as long as cpu.stat says" "$got" $((truth * 90 / 100)) $((truth * 102 / 100))
		grep '^read' "$tmp/quota" | sed 's/^/# /'
	fi
}
reads() { gone $recorder || awk '/^rchar/ { n = $2 } END { exit n < 100000000 }' "/proc/$(cat /sys/fs/cgroup/quota/cgroup.procs)/io"; }

# ---- all of them -------------------------------------------------------------

if [ -z "$(command -v perf)" ]; then
	skip "all" "no perf: apt install linux-perf"
	exit 0
fi
parts="cpu_fp cpu_dwarf sched offcpu wakeup noise faults syscalls io io_files locks lanes processes wall others control_group quota windows native_alloc combined jvm jvm_alloc a_report old_helpers rights lockdown"
case $(uname -r) in 5.10.*) parts="cpu_fp cpu_dwarf jvm jvm_alloc least" ;; esac
while read -r part; do
	case " $parts " in *" $part "*) ;; *) not_ok "$part: there are $parts" ;; esac
done </tmp/share/wanted
for part in $parts; do
	[ ! -s /tmp/share/wanted ] || grep -qw "$part" /tmp/share/wanted || continue
	case $part in
	jvm*) command -v java >/dev/null && [ -d "$classes" ] || { skip "$part" "no java"; continue; } ;;
	rights)
		command -v setcap >/dev/null || { skip "$part" "no setcap: apt install libcap2-bin"; continue; }
		"$part"
		continue ;;
	esac
	began=$(date +%s)
	doing "$part"
	live "$part"
	echo "# $part: $(($(date +%s) - began)) s"
done
echo "# the end"
