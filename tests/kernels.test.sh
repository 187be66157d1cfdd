# The host's half of tests/kernels.sh, with stand-ins for QEMU, apt and busybox that only print what they are told to.
# slow: a host's whole life, many times
. tests/tap.sh
. tests/collect/common.sh
bin=$tmp/bin kernel=$tmp/kernel
mkdir -p "$tmp/kept" "$bin" "$kernel/boot" "$kernel/lib/modules/1"
: >"$kernel/boot/vmlinuz-1"

# stub NAME: reads the program
stub() { { echo '#!/bin/sh'; cat; } >"$bin/$1" && chmod +x "$bin/$1"; }
stub busybox <<'END'
[ "$1" = --list ] && echo insmod
exit 0
END
stub qemu-system-x86_64 <<'END'
for word; do
	case $word in
	file:*console) cat "$guest.console" >"${word#file:}" ;;
	file:*)        cat "$guest.tap" >"${word#file:}" ;;
	esac
done
[ ! -e "$guest.long" ] || { echo $$ >"$guest.pid"; exec tail -f /dev/null; }
END
stub apt-cache <<'END'
cat "$guest.names"
END
stub apt-get <<'END'
exit 100
END
stub xz </dev/null
stub dpkg </dev/null
export guest="$tmp/guest"
: >"$guest.offline"
mkdir -p "$tmp/build/tests/kernels"
for program in pyrograph pyrograph-collect pyrograph-collapse pyrograph-render pyrograph-web; do
	stub "../build/$program" </dev/null
done
stub ../build/tests/kernels/relocations <<'END'
cat "$guest.offline"
END
export BUILD="$tmp/build"

# kernels WHAT STATUS [ARG ...]
kernels()
{
	what=$1 wanted=$2
	shift 2
	status "$what" "$wanted" env PATH="$bin:$PATH" sh tests/kernels.sh "$@"
}
last() { tail -1 "$tmp/out"; }

if [ "$(uname -m)" != x86_64 ]; then
	skip "tests/kernels.sh" "its guests are x86-64"
	exit 0
fi
echo "Linux version 1" >"$guest.console"
printf 'ok - one\r\nok - two # SKIP no reason\r\n# tries: 2 one\r\n# the end\r\n' >"$guest.tap"
kernels "a guest" 0 -k "$tmp/keep" "$kernel"
is "... its lines are counted, and the console" "$(last)" "2 passed, 0 failed, 1 skipped"
has "... and what was tried again" "$tmp/out" "live recordings: 1 needed"
is "... what it printed is kept, and of which kernel it is" "$(head -1 "$tmp/keep/kernel.tap")" "ok - kernel: one"
is "... and the console" "$(cat "$tmp/keep/kernel.console")" "Linux version 1"

while read -r line; do
	echo "[    1.0] $line" >"$guest.console"
	kernels "on the console: $line" 1 "$kernel"
	is "... has failed" "$(last)" "1 passed, 1 failed, 1 skipped"
done <<'END'
WARNING: CPU: 0 PID: 1 at kernel/events/core.c:1 it+0x1/0x2
BUG: kernel NULL pointer dereference, address: 0000000000000000
Oops: 0000 [#1] PREEMPT SMP
Kernel panic - not syncing: Attempted to kill init!
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
END
: >"$guest.console"
printf 'ok - one\r\n' >"$guest.tap"
echo "[    1.0] Kernel panic - not syncing: Attempted to kill init!" >"$guest.console"
kernels "a guest that panics" 1 "$kernel"
has "... is said" "$tmp/out" "not ok - kernel: the kernel panicked"
has "... with its words" "$tmp/out" "] Kernel panic - not syncing: Attempted to kill init!"
has_not "... rather than that it takes too long" "$tmp/out" "said nothing for"
: >"$guest.console"
kernels "a guest that does not come to its end" 1 -t 1 "$kernel"
has "... is said" "$tmp/out" "not ok - kernel: it comes to its end; it ended early, or said nothing for 1 minutes"

# ---- whoever wants it ends ----
: >"$guest.long"
for signal in INT TERM KILL; do
	rm -f "$guest.pid"
	env --default-signal=INT TMPDIR="$tmp/kept" PATH="$bin:$PATH" sh tests/kernels.sh "$kernel" >"$tmp/out" 2>&1 &
	tests=$!
	before 60 test -s "$guest.pid"
	running=$(cat "$guest.pid")
	before 60 grep -q 'ok - one' "$tmp/out"
	kill -$signal $tests
	finished $tests
	if [ "$running" ] && before 20 gone "$running"; then ok "SIG$signal: the guest ends, too"; else not_ok "SIG$signal: the guest ends, too"; fi
	[ $signal = KILL ] || is "... and nothing is left" "$(ls "$tmp/kept")" ""
done
rm "$guest.long"

# ---- what it prints ----
printf 'not ok - one\r\n# the end\r\n' >"$guest.tap"
kernels "a check that fails" 1 "$kernel"
is "... is counted" "$(last)" "1 passed, 1 failed, 0 skipped"

# ---- offline ----
printf 'ok - sched\nnot ok - io\n#   there is no page\n' >"$guest.offline"
kernels "offline" 1 -n "$kernel"
is "... says which kernel" "$(head -3 "$tmp/out" | tr '\n' ' ')" "ok - kernel: BPF: sched not ok - kernel: BPF: io #   there is no page "
is "... and counts" "$(last)" "1 passed, 1 failed, 0 skipped"
: >"$guest.offline"

# ---- which kernel ----
split=$tmp/split
mkdir -p "$split/usr/lib/modules/7"
: >"$split/usr/lib/modules/7/vmlinuz"
printf 'ok - one\r\n# the end\r\n' >"$guest.tap"
kernels "a kernel below /usr/lib/modules" 0 "$split"
is "... is found" "$(last)" "2 passed, 0 failed, 0 skipped"
printf 'not ok - one\r\n# the end\r\n' >"$guest.tap"
cat >"$guest.names" <<'END'
linux-image-6.1.0-9-amd64 - Linux 6.1 for 64-bit PCs (signed)
linux-image-6.1.0-47-amd64 - Linux 6.1 for 64-bit PCs (signed)
linux-image-6.1.0-48-cloud-amd64 - Linux 6.1 for x86-64 cloud (signed)
linux-image-6.1.0-49-rt-amd64 - Linux 6.1 for 64-bit PCs, PREEMPT_RT (signed)
linux-image-6.1-amd64 - Linux for 64-bit PCs (meta-package)
END
kernels "without the network" 0 6.1
has "... all is skipped: the newest, neither cloud nor rt" "$tmp/out" \
	"ok - 6.1 # SKIP linux-image-6.1.0-47-amd64 cannot be fetched: no network?"
printf 'linux-image-7.2.13+deb14-amd64 - Linux 7.2.13\nlinux-binary-7.2.13+deb14-amd64 - Linux 7.2.13 (kernel image)\n' >"$guest.names"
kernels "a split kernel" 0 7.2
has "... is that which has the image" "$tmp/out" "ok - 7.2 # SKIP linux-binary-7.2.13+deb14-amd64 cannot be fetched"
: >"$guest.names"
kernels "a kernel that apt does not know" 0 6.99
has "... is skipped" "$tmp/out" "ok - 6.99 # SKIP apt knows no kernel 6.99"
kernels "no kernel in a directory" 0 "$bin"
has "... is skipped" "$tmp/out" "ok - bin # SKIP there is no kernel in $bin"
BUILD=$tmp/nothing kernels "without programs to try" 0
has "... all is skipped" "$tmp/out" "ok - kernels # SKIP nothing is built in $tmp/nothing: make"
for need in "qemu-system-x86_64 qemu-system-x86" "busybox busybox-static"; do
	is "without ${need% *}, what to install is said" "$(without=${need% *} sh -c '
		command() { [ "$2" != "$without" ]; }
		. tests/kernels/boot.sh
		guest_obstacle | head -1')" "no ${need% *}: apt install ${need#* }"
done
kernels "an option that there is not" 2 -x
