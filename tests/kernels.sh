#!/bin/sh
# kernels: tries kernels of Debian.  Offline: has each what our BPF programs read (tests/kernels/relocations.c)?  Then, in
# guests under QEMU, everything that depends on the kernel: each collector, JVMs, the charts, and the rights with
# kernel.perf_event_paranoid 2 and 3.  "make kernels"; not a part of "make check".
#
#   tests/kernels.sh [-n] [-c DIR] [-k DIR] [-p WORD,...] [-t MINUTES] [KERNEL ...]
#
#   KERNEL     5.10, 6.1, 6.12, 7.2 or 7.3: the newest that apt or the suites of Debian know; trixie:6.12, of that suite;
#              or a package, linux-image-6.1.0-47-amd64; or a directory with such a one unpacked (dpkg -x)
#              [offline 5.10 6.1 6.12 trixie:6.12 7.2 7.3, guests of 6.1 6.12 7.2]
#   -n         no guests: seconds for each kernel
#   -c DIR     keep the packages there, and take what is there [fetched each time]
#   -k DIR     keep each guest's console there, as KERNEL.console, and what it printed, as KERNEL.tap
#   -p WORDS   only these parts of tests/kernels/guest.sh: cpu_fp,rights
#   -t MINUTES a guest that says nothing for so long is ended, and has failed [12]
#
# Prints TAP lines and ends as tests/run.sh does: "N passed, N failed, N skipped"; status 0 if nothing failed.  Without
# QEMU, the network or the programs it needs, everything is skipped, with the reason.
#
# It needs qemu-system-x86, busybox-static, apt-get and dpkg; and, for all parts, linux-perf, a JDK, libcap2-bin,
# libxml2-utils.  A guest has the host's file system, read-only, by 9p: nothing is installed in it, and what it writes
# is in its memory.  It runs emulated, not by KVM (kernels of distributions hang with that inside of some virtual
# machines): it boots in some 6 seconds, and computes some 20 times slower.
#
# -accel tcg,thread=single  each instruction is atomic, as a CPU's: with threads, 6.12's self-modifying code traps
# GUEST_MEMORY=4G           what a guest may use; it takes no more than it touches
# la57=off                  five levels of page tables cost time, and nothing needs them
# no_timer_check            a busy host's timer is late
# tsc=reliable              no watchdog takes the clock away from a guest whose CPUs take turns
# multidevs=remap           a host's / has several file systems: inodes stay unique
# The cloud kernels have no 9p.
usage() { sed -n '6,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
. tests/kernels/boot.sh

cache= keep= parts= minutes=12 boots=yes
while getopts nc:k:p:t:h option; do
	case $option in
	n) boots= ;;
	c) cache=$OPTARG ;;
	k) keep=$OPTARG ;;
	p) parts=$OPTARG ;;
	t) minutes=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
guests=${*:-6.1 6.12 7.2}
[ $# -gt 0 ] || set -- 5.10 6.1 6.12 trixie:6.12 7.2 7.3

work=$(mktemp -d) || exit 1
trap 'guest_end; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0 skipped=0 again=0

# say LINES_FILE: shown and counted
say()
{
	cat "$1"
	s=$(grep -c '^ok.*# SKIP' "$1")
	passed=$((passed + $(grep -c '^ok' "$1") - s))
	skipped=$((skipped + s))
	failed=$((failed + $(grep -c '^not ok' "$1")))
	again=$((again + $(grep -c '^# tries:' "$1")))
}
line() { echo "$1" >"$work/line" && say "$work/line"; }

# Messages of a kernel that is not well.
console_is_clean()
{
	grep -aE 'Oops|WARNING:|BUG:|Kernel panic|rcu.*(stall|detected)|soft lockup|Call Trace' "$1" | head -5 >"$work/bad"
	if grep -aq 'Kernel panic' "$1"; then
		line "not ok - $2: the kernel panicked"
		grep -a -A 5 'Kernel panic' "$1" | sed 's/^/#   /'
	elif [ -s "$work/bad" ]; then
		line "not ok - $2: the kernel complains"
		sed 's/^/#   /' "$work/bad"
	else
		line "ok - $2: nothing bad on the console"
	fi
}

# got KERNEL: is it here?  In lines, it goes by its name, or by the last part of its directory's path
got()
{
	name=$(basename "$1")
	kernel_get "$1" $2 >"$work/why" 2>&1 || { line "ok - $name # SKIP $(tail -1 "$work/why")"; return 1; }
}

try_offline()
{
	got "$1" no_modules || return
	offline >"$work/printed" 2>&1
	sed "s/^\(ok\|not ok\) - /\1 - $name: BPF: /" "$work/printed" >"$work/tap"
	say "$work/tap"
}

try()
{
	got "$1" || return
	guest_make
	started=$(date +%s)
	guest_run | tee "$work/printed" | sed -u 's/^/    /' &
	wait $! # which a signal ends, unlike a pipeline
	took=$(($(date +%s) - started))
	sed "s/^\(ok\|not ok\) - /\1 - $name: /" "$work/printed" >"$work/tap"
	say "$work/tap" >/dev/null
	if ! grep -q '^# the end' "$work/printed" && ! grep -aq 'Kernel panic' "$work/console"; then
		line "not ok - $name: it comes to its end; it ended early, or said nothing for $minutes minutes"
		tail -5 "$work/console" | sed 's/^/#   /'
	fi
	console_is_clean "$work/console" "$name"
	if [ -n "$keep" ]; then
		mkdir -p "$keep"
		cp "$work/console" "$keep/$name.console"
		cp "$work/tap" "$keep/$name.tap"
	fi
	echo "# $name: $took s"
}

[ $arch = arm64 ] || [ -x "$BUILD/tests/kernels/relocations" ] || line "ok - offline # SKIP nothing is built in $BUILD: make kernels"
for kernel; do
	[ $arch = arm64 ] || [ ! -x "$BUILD/tests/kernels/relocations" ] || try_offline "$kernel"
done
why=$(guest_obstacle)
if [ -z "$boots" ]; then
	:
elif [ -n "$why" ]; then
	line "ok - kernels # SKIP $why"
else
	for kernel in $guests; do
		echo "# $kernel"
		try "$kernel"
	done
fi
echo "live recordings: $again needed a second or third try"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
