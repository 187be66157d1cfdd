# Recordings of other machines: names are looked up on this machine only if it is proved that the recording was made on
# it since it was booted, or if build-ids agree.
. tests/tap.sh
. tests/symbols/common.sh

build "$tmp/whole" -static || not_ok "build"
id=$(build_id "$tmp/whole")
at=0x$(functions "$tmp/whole" | awk '$2 == "hidden_two" { print $1 }')
kernel=$(awk '$3 == "vfs_read" { print "0x" $1 }' /proc/kallsyms 2>/dev/null | head -1)
text=$(awk '$3 == "_text" { print "0x" $1 }' /proc/kallsyms 2>/dev/null | head -1)
map=/tmp/perf-$$.map
echo "70000000 1000 made_here" >"$map"
trap 'rm -f "$map"' EXIT

# body: samples in a file of ours, the kernel, JIT-compiled code of a living process, and its vdso
body()
{
	echo "event cpu-clock"
	[ -z "$text" ] || echo "kernel-mmap $text 0x10000000 $text [kernel.kallsyms]_text"
	echo "comm 0 $$ $$ app"
	echo "file-mmap 0 $$ 0x10000000 0x10000 0 $tmp/whole"
	echo "mmap 0 $$ 0x70000000 0x1000 0 //anon"
	echo "mmap 0 $$ 0x7f0000000000 0x2000 0 [vdso]"
	echo "sample 10 $$ $$ 0 $(printf '0x%x' $((0x10000000 + at)))"
	echo "sample 11 $$ $$ 0 0x70000010"
	echo "sample 12 $$ $$ 0 k: ${kernel:-0xffffffff81000000}"
	for page in 0 1; do
		for n in 0 1 2 3 4 5 6 7; do echo "sample 13 $$ $$ 0 $(printf '0x7f000000%x%x80' $page $((2 * n)))"; done
	done
}

# made NAME LINE...: makes a recording with those lines before the body
made()
{
	name=$1
	shift
	{ for line; do echo "$line"; done; body; } | python3 tests/collapse/make_recording.py "$tmp/$name"
	"$pyrograph" collapse --event all "$tmp/$name" >"$tmp/out" 2>"$tmp/err" || not_ok "collapse $name" "$tmp/err"
}

nothing_of_here()
{
	has_not "$1: no code of a process that has its number here" "$tmp/out" "made_here"
	has_not "... no name of this kernel" "$tmp/out" "vfs_read"
	has_not "... nor of its vdso" "$tmp/out" "clock_gettime"
	has_not "... nothing is said to be gone, or not readable" "$tmp/err" "may not be read"
}

made here.data here
has "this machine's: a file" "$tmp/out" "app;hidden_two 1"
has "... code of a process" "$tmp/out" "app;made_here 1"
if [ -n "$kernel" ] && [ "$kernel" != 0x0000000000000000 ]; then
	has "... the kernel" "$tmp/out" "app;vfs_read 1"
else
	skip "... the kernel" "its symbols are hidden"
fi

made host.data here "host elsewhere"
nothing_of_here "another host"
has "... it is said" "$tmp/err" "recorded on host elsewhere, this is"
has "... its file is not here" "$tmp/out" "app;[whole] 1"
"$pyrograph" collapse --quality --event all "$tmp/host.data" >"$tmp/out" 2>/dev/null
has "... which is the reason" "$tmp/out" "elsewhere"
made release.data here "release 3.4.0"
nothing_of_here "another kernel"
has "... it is said" "$tmp/err" "recorded on kernel 3.4.0, this is"
made arch.data here "arch sparc"
nothing_of_here "another processor"
made silent.data
nothing_of_here "one that says nothing"
has "... it is said" "$tmp/err" "nothing shows that it was recorded on this machine"

made build.data "host elsewhere" "release 3.4.0" "build-id $id $tmp/whole"
nothing_of_here "another host, and a build-id that is here"
has "... by which the file is known" "$tmp/out" "app;hidden_two 1"
made other.data here "build-id 0123456789abcdef0123456789abcdef01234567 [kernel.kallsyms]"
if [ -s /sys/kernel/notes ]; then
	nothing_of_here "another build of the kernel"
fi
if [ -n "$text" ] && [ "$text" != 0x0000000000000000 ]; then
	{ echo here; body | sed 's/^kernel-mmap.*/kernel-mmap 0xffffffff9a000000 0x10000000 0xffffffff9a000000 [kernel.kallsyms]_text/'; } |
		python3 tests/collapse/make_recording.py "$tmp/moved.data"
	"$pyrograph" collapse --event all "$tmp/moved.data" >"$tmp/out" 2>"$tmp/err"
	nothing_of_here "a kernel at another address"
else
	skip "a kernel at another address" "its symbols are hidden"
fi
touch -d 1999-01-01 "$tmp/here.data"
"$pyrograph" collapse --event all "$tmp/here.data" >"$tmp/out" 2>"$tmp/err"
nothing_of_here "written before this machine was booted"

# Clocks can prove that a recording was made on this machine, without the names of hosts.
now=$(date +%s%N)
monotonic() { python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))'; }
clocks() { python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.time_ns())'; }
made clock.data "clock $(clocks)"
has "the clocks of this boot: code of a process" "$tmp/out" "app;made_here 1"
made clock.data "clock $(monotonic) $((now - 3600 * 1000000000))"
nothing_of_here "the clocks of another boot"
made late.data here
{ echo here; body; echo "sample $(($(monotonic) * 2 + 100000000000)) $$ $$ 0 0x1"; } |
	python3 tests/collapse/make_recording.py "$tmp/late.data"
"$pyrograph" collapse --event all "$tmp/late.data" >"$tmp/out" 2>"$tmp/err"
nothing_of_here "times that have not come yet"
{ body; echo "sample $(monotonic) $$ $$ 0 0x1"; } | python3 tests/collapse/make_recording.py "$tmp/then.data"
"$pyrograph" collapse --event all "$tmp/then.data" >"$tmp/out" 2>"$tmp/err"
has "written when its last sample was taken" "$tmp/out" "app;made_here 1"

# A recording names the paths that are opened; only regular files may be opened, and nothing that blocks.
mkfifo "$tmp/fifo"
{
	echo here
	echo "event cpu-clock"
	echo "comm 0 10 10 app"
	start=$((0x10000000))
	for path in "$tmp/fifo" /dev/zero.x /dev/tty /dev/kmsg /proc/kmsg /sys/kernel/tracing/trace_pipe "$tmp"; do
		echo "mmap 0 10 $start 0x1000 0 $path"
		echo "sample 10 10 10 0 $((start + 16))"
		start=$((start + 0x10000))
	done
} | python3 tests/collapse/make_recording.py "$tmp/paths.data"
status "paths to what is not a regular file do not block" 0 timeout 20 "$pyrograph" collapse "$tmp/paths.data"
if command -v strace >/dev/null; then
	strace -f -e trace=open,openat,openat2 -o "$tmp/trace" "$pyrograph" collapse -q "$tmp/paths.data" >/dev/null 2>&1
	is "... and devices are not opened" "$(grep -E '"(/dev/tty|/dev/kmsg)"' "$tmp/trace" | grep -vc O_PATH)" 0
	strace -f -e trace=open,openat,openat2 -o "$tmp/trace" "$pyrograph" collapse -q "$tmp/host.data" >/dev/null 2>&1
	is "another host: nothing of our processes is opened" "$(grep -cE "\"/proc/($$|1)/|perf-$$.map" "$tmp/trace")" 0
	# The text of kallsyms is read at the same time as the headers.  Each read is slowed down, so that the headers
	# are read before the text ends.
	strace -f -qq -P /proc/kallsyms -e trace=read -e inject=read:delay_exit=1000 -o "$tmp/trace" \
		"$pyrograph" collapse -q "$tmp/host.data" >/dev/null 2>&1
	is "... and the symbols of our kernel are not read to their end" "$(grep -c '"", .* = 0' "$tmp/trace")" 0
else
	skip "which files are opened" "strace is not installed"
fi
