# What denies a recording is named in one sentence, with what to do.
. tests/tap.sh
. tests/collect/common.sh
need_sampling "denials"
denied=${BUILD:-build}/tests/workloads/denied

usable() { "$@" $pyrograph collect usable >"$tmp/out" 2>"$tmp/err"; }

if $denied true 2>/dev/null; then
	usable $denied
	is "a seccomp filter: nothing is usable" "$(cat "$tmp/out")" ""
	has "... it is named, and what to do" "$tmp/err" "no right to any perf event: a seccomp filter is in force"
	has "... for BPF, too" "$tmp/err" "no right to BPF: a seccomp filter is in force"
	has "... and for uprobes" "$tmp/err" "no right to set uprobes: a seccomp filter is in force"
	status "... recording is refused" 1 $denied $pyrograph collect cpu -a -d 0.1 -o "$tmp/denied.data"
	has "... likewise" "$tmp/err" "profile that allows perf_event_open and bpf"
else
	skip "a seccomp filter" "none can be set here"
fi

if unshare -Ur true 2>/dev/null; then
	usable unshare -Ur
	has "a user namespace" "$tmp/err" "no right to BPF: capabilities do not count in a user namespace"
	has "... for uprobes, too" "$tmp/err" "no right to set uprobes: capabilities do not count"
	is "... cpu is usable" "$(cat "$tmp/out")" cpu
	own_user_code()
	{
		status "... and records own user code" 0 unshare -Ur $pyrograph collect cpu -F 199 -o "$tmp/own.data" -- "$spin" 2 1
		has "... says why not the kernel's" "$tmp/err" "no right to sample the kernel (capabilities do not count in a user namespace, in which this is): user code only"
		some "... has its samples" "$($pyrograph collapse -q "$tmp/own.data" | awk '/;spin_/ { n += $NF } END { print n + 0 }')" 1
	}
	live own_user_code
else
	skip "a user namespace" "none can be made here"
fi

# Own numbers of threads: perf events know them, programs of BPF do not.
if unshare -mpf --mount-proc true 2>/dev/null; then
	numbered()
	{
		status "in a PID namespace, collect cpu COMMAND" 0 unshare -mpf --mount-proc $pyrograph collect cpu -F 199 \
			-o "$tmp/own.data" -- "$spin" 2 1
		some "... has its samples" "$($pyrograph collapse -q "$tmp/own.data" | awk '/;spin_/ { n += $NF } END { print n + 0 }')" 1
	}
	live numbered
	usable unshare -mpf --mount-proc
	has "... what needs BPF is refused" "$tmp/err" "sched, offcpu"
	has "... and why, and what to do" "$tmp/err" "in a PID namespace of its own, such as a container's, threads have other numbers"
	status "... when it is asked for" 1 unshare -mpf --mount-proc $pyrograph collect sched -o "$tmp/own.data" -- true
	has "... likewise" "$tmp/err" "--pid=host"
else
	skip "a PID namespace" "none can be made here"
fi

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "rights of others" "needs root, to become an ordinary user"
	exit 0
fi
open=$(TMPDIR=/tmp mktemp -d)
trap 'rm -rf "$open" "$tmp"' EXIT
chmod 755 "$open"
cp "$pyrograph" "$pyrograph-collect" "$open"
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

if setpriv --bounding-set=-all true 2>/dev/null; then
	usable setpriv --bounding-set=-all --inh-caps=-all
	has "root without capabilities" "$tmp/err" "although root: whoever started this container or service must grant CAP_BPF"
	has "... nor for uprobes" "$tmp/err" "although root: whoever started this container or service must grant CAP_SYS_ADMIN"
fi
nobody "$open/pyrograph" collect usable >"$tmp/out" 2>"$tmp/err"
has "an ordinary user" "$tmp/err" "needs CAP_BPF and CAP_PERFMON, or root"

if unshare -m true 2>/dev/null; then
	# A mount of its own: to remount would change that of everybody.
	# shellcheck disable=SC2016 # for that shell
	status "hidden processes" 1 unshare -m sh -c \
		'mount -t proc -o hidepid=2 proc /proc && cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" collect cpu -p 1 -d 0.1 -o /dev/null' \
		"$open/pyrograph"
	has "... is said" "$tmp/err" "no process 1; /proc is mounted with hidepid"
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs none /sys && exec "$0" collect usable' $pyrograph >"$tmp/out" 2>"$tmp/err"
	has "no /sys" "$tmp/err" "/sys is not mounted"
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$0" collect usable' $pyrograph >"$tmp/out" 2>"$tmp/err"
	has "no types" "$tmp/err" "this kernel does not describe its types: use one that is built with CONFIG_DEBUG_INFO_BTF"
	is "... cpu does not need them" "$(grep -c cpu "$tmp/out")" 1
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel/security && echo "none integrity [confidentiality]" >/sys/kernel/security/lockdown &&
		exec "$0" collect usable' $pyrograph >"$tmp/out" 2>"$tmp/err"
	has "lockdown" "$tmp/err" "no right to BPF: kernel lockdown is at confidentiality"
	# shellcheck disable=SC2016
	status "a read-only place" 1 unshare -m sh -c \
		'mount -t tmpfs -o ro none "$1" && exec "$0" collect cpu -a -d 0.1 -o "$1/x.data"' $pyrograph "$open"
	has "... is said, and what to do" "$tmp/err" "Read-only file system; -o writes it elsewhere"
	# shellcheck disable=SC2016
	status "... for a report" 1 unshare -m sh -c 'mount -t tmpfs -o ro none "$1" && exec "$0" report -a -d 0.1 -o "$1/x"' $pyrograph "$open"
	has "... is said, and what to do" "$tmp/err" "Read-only file system; -o makes it elsewhere"
	# shellcheck disable=SC2016
	status "a program that its file system does not let execute" 1 unshare -m sh -c 'mount -t tmpfs -o noexec none "$1" && cp "$2" "$1/x" &&
		exec "$0" collect cpu -o "$3" -- "$1/x"' $pyrograph "$open" "$spin" "$tmp/own.data"
	has "... is said" "$tmp/err" "/x: cannot execute: its file system is mounted with noexec"
else
	skip "other mounts" "no mount namespace can be made"
fi
