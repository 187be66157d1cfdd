#!/bin/sh
# The stall that once took months to find: a thread that receives datagrams stands still, because a library binds a
# function at its first call, and the tables that are searched for the function were dropped from memory
# (tests/workloads/mystery). The device is slow: at most four reads a second for this program.
# slow: records a program, again and again
# live: what pyrograph explain says of it
. tests/tap.sh
. tests/collect/common.sh
machine=$(uname -m)
if [ "$machine" != x86_64 ] || ! command -v gcc >/dev/null; then
	skip "the mystery" "needs gcc, and a machine for which bindings were tried: x86_64"
	exit 0
fi
if ! $pyrograph collect cpu,sched,offcpu,faults,io -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "the mystery" "cannot record here: $(tail -1 "$tmp/err")"
	exit 0
fi

# A library with large tables, another one that needs it, and the program.  The library is assembled, because the
# compiler would take seconds for so many functions.
late=late_function_with_a_long_name_
{
	echo '.section .note.GNU-stack, "", @progbits; .text'
	echo '.globl late_yield; .type late_yield, @function; late_yield: mov $1, %eax; ret'
	seq 20000 | sed "s/.*/.globl $late&; .type $late&, @function; $late&: ret/"
} >"$tmp/late.s"
gcc -shared "$tmp/late.s" -o "$tmp/liblate.so" &&
	gcc -O2 -g -shared -fPIC -Wl,-z,lazy tests/workloads/mystery/feed.c -L"$tmp" -llate -Wl,-rpath,"$tmp" -o "$tmp/liblbm.so" &&
	gcc -O2 -g -D_GNU_SOURCE -pthread -Wl,-z,lazy tests/workloads/mystery/receiver.c -L"$tmp" -llbm \
		-Wl,-rpath,"$tmp" -Wl,-rpath-link,"$tmp" -o "$tmp/md" || { not_ok "the program is built"; exit 1; }
sync "$tmp/liblate.so"

# A control group that may read from the device four times a second, in version 1 or 2 of control groups.
device=$(stat -c '%Hd:%Ld' "$tmp/liblate.so")
group=/sys/fs/cgroup/blkio/pyrograph-test-$$ threads=tasks
[ -d /sys/fs/cgroup/blkio ] || group=/sys/fs/cgroup/pyrograph-test-$$ threads=cgroup.procs
slow_down()
{
	if [ -e "$group/blkio.throttle.read_iops_device" ]; then
		echo "$device 4" >"$group/blkio.throttle.read_iops_device"
	else
		echo "$device riops=4" >"$group/io.max"
	fi
}
if ! mkdir "$group" 2>/dev/null; then
	skip "the mystery" "no control group can be made"
	exit 0
fi
trap 'rmdir "$group"' EXIT
if ! slow_down 2>/dev/null; then
	skip "the mystery" "reads of $device cannot be slowed down by a control group"
	exit 0
fi

# says WHAT PATTERN
says() { if grep -q -e "$2" "$tmp/said"; then ok "$1"; else not_ok "$1" "no '$2' in:" "$tmp/said"; fi; }

mystery()
{
	cat "$tmp/liblate.so" "$tmp/liblbm.so" "$tmp/md" >/dev/null # in memory at the start
	# shellcheck disable=SC2016 # the inner shell's
	status "the mystery, $1 of 3" 0 $pyrograph collect cpu,sched,offcpu,faults,io --events=1ms --wakers \
		-o "$tmp/mystery.data" -- sh -c 'echo $$ >"$1/$2" && shift 2 && exec "$@"' sh "$group" "$threads" \
		"$tmp/md" "$tmp/journal" liblate.so
	some "... tables are dropped" "$(sed -n 's/^dropped //p' "$tmp/out")" 1
	stalled=$(sed -n 's/^stalled //p' "$tmp/out")
	$pyrograph explain -q "$tmp/mystery.data" | head -10 >"$tmp/said"
	# It is a minor fault if another thread had already begun to read the page.
	says "... ten lines name the fault, and the thread" "receiver of md-[0-9]* was in a page fault (m[a-z]*-read-file)"
	has "... the file" "$tmp/said" "of $tmp/liblate.so at 0x"
	says "... the function, the library, and what it binds" "in lbm_poll (called by receive) > \[binds late_yield of liblbm.so\]"
	says "... and the cause" "< it waited .* for a device"
	# If the tables are far apart, each one causes a fault.
	is "... it is within the stall that the program saw, and nine tenths of that with others like it" \
		"$($pyrograph explain -q --json "$tmp/mystery.data" | python3 -c 'import datetime, json, sys
first = json.load(sys.stdin)["outliers"][0]
start, end = int(sys.argv[1]), int(sys.argv[2])
at = datetime.datetime.strptime(first["at"][:26], "%Y-%m-%dT%H:%M:%S.%f").replace(tzinfo=datetime.timezone.utc)
late = round(at.timestamp() * 1e6) * 1000 - start
inside = late > -100000 and late + first["ns"] < end - start + 100000
print("so" if inside and first["total_ns"] > 0.9 * (end - start) else (late, first["ns"], first["total_ns"], end - start))' \
		$stalled)" so
}
for n in 1 2 3; do
	live mystery $n
done
