#!/bin/sh
# A program in a container: files have the paths that the program sees, its binaries have names, and threads have the
# host's numbers.
# slow: records some programs
# live: page faults, calls, block I/O in namespaces
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
workloads=${BUILD:-build}/tests/workloads
all=faults,syscalls,io,locks

if ! "$pyrograph" collect $all -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "containers" "$(tail -1 "$tmp/err")"
	exit 0
fi

# fill ROOT: copies the workloads there, and what they need
fill()
{
	mkdir -p "$1/bin" "$1/disk" "$1/proc" "$1/old"
	cp "$workloads/page_faults" "$workloads/contended_locks" "$workloads/slow_calls" "$1/bin"
	for file in $(ldd "$workloads/page_faults" | grep -o '/[^ ]*'); do
		mkdir -p "$1${file%/*}" && cp "$file" "$1$file"
	done
}
mkdir "$tmp/root" "$tmp/disk"
dd if=/dev/urandom of="$tmp/disk/data" bs=1M count=8 status=none
sync "$tmp/disk/data"

# Set up the namespaces: a tree in memory becomes the root, and a directory on disk becomes /disk.
cat >"$tmp/enter.sh" <<'END'
set -e
root=$1 tree=$2 disk=$3
shift 3
mount -t tmpfs none "$root"
cp -r "$tree/." "$root"
mount --bind "$disk" "$root/disk"
mount -t proc proc "$root/proc"
cd "$root"
pivot_root . old
cd /
exec "$@"
END
fill "$tmp/tree"
contained() { unshare -Urmpf --mount-proc sh "$tmp/enter.sh" "$tmp/root" "$tmp/tree" "$tmp/disk" "$@"; }
if ! contained /bin/slow_calls slow 1 >"$tmp/out" 2>"$tmp/err"; then
	skip "containers" "no namespaces: $(tail -1 "$tmp/err")"
	exit 0
fi

# recorded WHAT COLLECTORS PROGRAM ARG...: records the program in the container
recorded()
{
	what=$1 collectors=$2
	shift 2
	status "$what" 0 "$pyrograph" collect "$collectors" --min 1ns -o "$tmp/in.data" -- unshare -Urmpf --mount-proc \
		sh "$tmp/enter.sh" "$tmp/root" "$tmp/tree" "$tmp/disk" "$@"
}
# folded PRESET ROOTS [OPTION...]: lines of the workload, without the workload's name
folded()
{
	preset=$1 roots=$2
	shift 2
	"$pyrograph" collapse -q "$preset" --root "comm,$roots" "$@" "$tmp/in.data" |
		sed -n 's/^\(page_faults\|contended_locks\|slow_calls\|holder[^;]*\|waiter[^;]*\);//p'
}
paths() { sed 's/ [0-9]*$//' | sort -u; }

faults()
{
	recorded "page faults in a container" "$all" /bin/page_faults read /disk/data 1500
	is "... their file" "$(folded --faults type,file --no-stack | sed -n 's/^major-read-file;\(.*\) .*/\1/p')" /disk/data
	is "... and those of its binaries" "$(folded --faults type,file --no-stack | sed -n 's/^minor-exec-file;\(.*\) .*/\1/p' |
		grep -v '^/bin/page_faults$\|^/lib')" ""
	some "... in its functions, in percent" "$(folded --faults type | awk '/^major/ { all += $NF }
		/^major.*_start[^;]*;.*;main[^;]*;.*read_pages / { n += $NF } END { printf "%d", all ? 100 * n / all : 0 }')" 90
	some "... down to the C library's, in percent" "$(folded --faults type | awk '/^major/ { all += $NF }
		/^major.*;__libc_start_main/ { n += $NF } END { printf "%d", all ? 100 * n / all : 0 }')" 90
	is "block I/O: its files" "$(folded --io file --no-stack | paths | grep '/' | grep -v '^/disk/data$')" ""
	some "... all major faults" "$(folded --io file --no-stack --weight count | sed -n 's,^/disk/data ,,p')" 100
	is "system calls: their files" "$(folded --syscalls syscall,file --no-stack | sed -n 's/^\(fsync\|fadvise64\);\(.*\) .*/\2/p' |
		sort -u)" /disk/data
	is "nothing has a path of the host but what it was given, its output" \
		"$(for kind in --faults --syscalls --io; do folded $kind file --no-stack; done | paths | grep -F "$tmp" | grep -v "^$tmp/out$")" ""
}
live faults

# numbers NAME: the tid of the thread with this name in a container, both the host's and the container's
numbers()
{
	awk -v name="$1" '/^Name:/ { at = $2 } /^NSpid:/ && NF == 3 && at == name { print $2, $3 }' \
		/proc/[0-9]*/task/[0-9]*/status >"$tmp/numbers" 2>/dev/null
	[ -s "$tmp/numbers" ]
}

threads()
{
	"$pyrograph" collect locks,syscalls --min 1ns -o "$tmp/in.data" -- unshare -Urmpf --mount-proc \
		sh "$tmp/enter.sh" "$tmp/root" "$tmp/tree" "$tmp/disk" /bin/contended_locks mutex 2 100 >"$tmp/out" 2>"$tmp/err" &
	before 30 numbers waiter-0
	finished $!
	is "threads in a container" $? 0
	read -r host own <"$tmp/numbers"
	is "... have the host's numbers" "$(folded --locks tid --no-stack | sed -n 's,^waiter-0-[0-9]*/\([0-9]*\) .*,\1,p')" "$host"
	is "... not their own" "$(awk '$1 == "waiter" && $2 == 0 { print $3 }' "$tmp/out")" "$own"
	some "... and who had the lock, in percent" "$("$pyrograph" collapse -q --locks --root thread,owner --no-stack "$tmp/in.data" |
		awk '/\/waiter-/ { all += $NF } /\/waiter-0;.*\/holder-0 |\/waiter-1;.*\/holder-1 / { n += $NF }
			END { printf "%d", all ? 100 * n / all : 0 }')" 90
}
live threads

rooted()
{
	mkdir -p "$tmp/tree/disk"
	cp "$tmp/disk/data" "$tmp/tree/disk/data"
	sync "$tmp/tree/disk/data"
	status "after chroot" 0 "$pyrograph" collect faults,io --min 1ns -o "$tmp/in.data" -- \
		chroot "$tmp/tree" /bin/page_faults read /disk/data 1500
	is "... files of page faults" "$(folded --faults type,file --no-stack | sed -n 's/^major-read-file;\(.*\) .*/\1/p')" /disk/data
	is "... of block I/O" "$(folded --io file --no-stack | paths | grep '/')" /disk/data
}
if [ "$(id -u)" = 0 ] && chroot "$tmp/tree" /bin/slow_calls slow 1 >"$tmp/out" 2>&1; then
	live rooted
else
	skip "after chroot" "no right to"
fi

# As in container engines: the root is an overlay filesystem, whose lower layer is given by a link.
layered()
{
	dd if=/dev/urandom of="$merged/disk/upper" bs=1M count=8 status=none
	sync "$merged/disk/upper"
	for file in data upper; do
		status "$overlay, $file" 0 "$pyrograph" collect faults,io --min 1ns -o "$tmp/in.data" -- \
			chroot "$merged" /bin/page_faults read /disk/$file 1500
		is "... files of page faults" "$(folded --faults type,file --no-stack | sed -n 's/^major-read-file;\(.*\) .*/\1/p')" /disk/$file
		is "... of block I/O" "$(folded --io file --no-stack | paths | grep '/')" /disk/$file
	done
}
ln -s "$tmp/tree" "$tmp/lower"
# over WHAT NAME PREFIX: a file system with layers whose paths begin with PREFIX
over()
{
	overlay=$1 merged=$tmp/$2/merged
	mkdir -p "$merged" "$tmp/$2/upper" "$tmp/$2/work"
	if [ "$(id -u)" = 0 ] && (cd "$tmp" &&
		mount -t overlay -o "lowerdir=$3lower,upperdir=$3$2/upper,workdir=$3$2/work" none "$merged") 2>"$tmp/err"; then
		live layered
		umount -l "$merged" # collectors in other tests may be reading its files
	else
		skip "$overlay" "it cannot be mounted: $(tail -1 "$tmp/err")"
	fi
}
over "in an overlay filesystem" over "$tmp/"
over "in one that was mounted by relative paths" relative ""
