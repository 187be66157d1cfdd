#!/bin/sh
# collect faults: page faults, compared with what the programs themselves measured (tests/workloads/page_faults.c).
# slow: records some programs
# live: page faults
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
faults="$pyrograph collect faults"
program=${BUILD:-build}/tests/workloads/page_faults

if ! $faults -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect faults works here" "$tmp/err"
	else
		skip "collect faults" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi
dd if=/dev/urandom of="$tmp/file" bs=1M count=32 status=none
sync "$tmp/file"

# recorded WHAT COLLECT_OPTIONS -- PROGRAM ARGUMENTS: the program's lines go to $tmp/out, its faults to $tmp/folded, as
# "TYPE FILE-OR-- NS COUNT" for each stack
recorded()
{
	status "$1" 0 $faults -o "$tmp/faults.data" $2 -- "$program" $3
	"$pyrograph" collapse -q --faults --root type,file --columns time,count "$tmp/faults.data" >"$tmp/folded"
}

# counted TYPE FUNCTION: the number of faults of this type below this function
counted() { awk -v type="$1;" -v in_it=";$2( |;)" 'index($0, type) == 1 && $0 ~ in_it { n += $NF } END { print n + 0 }' "$tmp/folded"; }
# told: minor or major faults according to the program's last line
told()    { awk -v field="$1" '/^faults/ { print $field }' "$tmp/out"; }

# ---- major faults: each of them, its file, its page, its time ----

major()
{
	recorded "pages of a file" "--min 1ns" "read $tmp/file 400"
	is "... major faults as getrusage() counts them" "$(counted major-read-file read_pages)" "$(told 3)"
	is "... all of that file" "$(grep ^major "$tmp/folded" | grep -vcF ";$tmp/file;")" 0
	"$pyrograph" collapse -q --faults --timed --no-stack --root type,page "$tmp/faults.data" |
		awk '/ major-read-file;/ { sub(/.*\+/, "", $2); print $2, $NF }' >"$tmp/got"
	awk '/^page/ && !seen[$2]++ { print $2, $3, $4 }' "$tmp/out" >"$tmp/wanted"
	is "... of the very pages, in their order" "$(cut -d' ' -f1 "$tmp/got" | cksum)" "$(cut -d' ' -f1 "$tmp/wanted" | cksum)"
	# The program also measures the way into the kernel and back, where interrupts and other virtual machines take
	# time.
	is "... none takes longer than the program saw" "$(awk 'NR == FNR { took[$1] = $2; next }
		took[$1] > $2 { print $1, took[$1], $2 }' "$tmp/got" "$tmp/wanted" | head -3)" ""
	way=$(awk '/^again/ { print 2 * $2 }' "$tmp/out" | sort -n | awk '{ ns[NR] = $1 } END { print ns[int((NR + 1) / 2)] + 0 }')
	some "... in the median within 40 us of that, 10 %, or twice what a fault takes that waits for nothing" \
		"$(awk -v way="$way" 'NR == FNR { took[$1] = $2; next }
		!$3 { all++ }
		!$3 && ($2 - took[$1] < 40000 || $2 - took[$1] < way || $2 - took[$1] < $2 / 10) { right++ }
		END { printf "%d\n", all ? 100 * right / all : 0 }' "$tmp/got" "$tmp/wanted")" 50
	"$pyrograph" collapse -q --faults --no-stack --root type "$tmp/faults.data" | sed -n 's/^major-read-file //p' >"$tmp/all"
	"$pyrograph" collapse -q --faults --no-stack --root type,reason "$tmp/faults.data" >"$tmp/reasons"
	is "... reasons add up to all of it" \
		"$(awk -F'[; ]' '$1 == "major-read-file" { n += $3 } END { printf "%d", n }' "$tmp/reasons")" "$(cat "$tmp/all")"
	some "... mostly waits for the device, or for a CPU" \
		"$(awk -F'[; ]' '/^major-read-file;(block-io|run-queue)/ { n += $3 } END { printf "%d", n }' "$tmp/reasons")" \
		$(($(cat "$tmp/all") / 2))
	perf_reads "major faults" "$tmp/faults.data" "$tmp/err"
}
live major

# The kernel itself tells which page of which file it was; a page that must be read again is there twice.
as_the_kernel_says()
{
	status "beside the kernel's own word" 0 perf record -q -B -e filemap:mm_filemap_fault -o "$tmp/perf.data" -- \
		$faults -q --min 1ns -o "$tmp/faults.data" -- "$program" read "$tmp/file" 300
	perf script --symfs "$tmp" -i "$tmp/perf.data" --comm page_faults -F trace 2>/dev/null |
		sed -n "s/.* ino=$(printf '%x' "$(stat -c %i "$tmp/file")") ofs=\([0-9]*\).*/\1/p" | sort -n -u >"$tmp/wanted"
	"$pyrograph" collapse -q --faults --min 1ns --no-stack --root type,file,page "$tmp/faults.data" |
		sed -n "s,^major-read-file;$tmp/file;+\(0x[0-9a-f]*\) .*,\1,p" | while read -r at; do echo $((at)); done |
		sort -n -u >"$tmp/got"
	some "... many pages" "$(wc -l <"$tmp/got")" 100
	is "... are those, of that file, as mm_filemap_fault has them" "$(grep -vxFf "$tmp/wanted" "$tmp/got" | head -3)" ""
}
if [ -d /sys/kernel/tracing/events/filemap/mm_filemap_fault ]; then
	live as_the_kernel_says
else
	skip "files beside the kernel's own word" "no tracepoint filemap:mm_filemap_fault"
fi

# ---- a kernel without the tracepoint for the beginning of faults ----

# tracefs is replaced by a copy without that tracepoint, which is missing on arm64.
untold()
{
	sed 's/btf_trace_page_fault_user/btf_trace_page_fault_gone/' /sys/kernel/btf/vmlinux >"$tmp/btf"
	status "without the tracepoint that tells of begins" 0 unshare -m sh -c \
		'mount --bind "$0" /sys/kernel/btf/vmlinux && exec "$@"' "$tmp/btf" \
		$faults --min 1ns -o "$tmp/faults.data" -- "$program" read "$tmp/file" 300
	has "... what is missing is told" "$tmp/err" "does not report which faults were for writing"
	"$pyrograph" collapse -q --faults --root type,file --columns time,count "$tmp/faults.data" >"$tmp/folded"
	is "... major faults as getrusage() counts them" "$(counted major-file read_pages)" "$(told 3)"
	is "... all of that file" "$(grep ^major "$tmp/folded" | grep -vcF ";$tmp/file;")" 0
	"$pyrograph" collapse -q --faults --timed --no-stack --root type,page "$tmp/faults.data" |
		awk '/ major-file;/ { sub(/.*\+/, "", $2); print $2, $NF }' >"$tmp/got"
	awk '/^page/ && !seen[$2]++ { print $2, $3, $4 }' "$tmp/out" >"$tmp/wanted"
	is "... of the very pages, in their order" "$(cut -d' ' -f1 "$tmp/got" | cksum)" "$(cut -d' ' -f1 "$tmp/wanted" | cksum)"
	is "... none takes longer than the program saw" "$(awk 'NR == FNR { took[$1] = $2; next }
		took[$1] > $2 { print $1, took[$1], $2 }' "$tmp/got" "$tmp/wanted" | head -3)" ""
	some "... functions that were not in memory are told apart" "$(grep -c ^minor-exec-file "$tmp/folded")" 1
}
if unshare -m true 2>/dev/null; then
	live untold
else
	skip "a kernel without the tracepoint of begins" "no mount namespace can be made"
fi

# ---- minor ones: exact sums ----

minor()
{
	recorded "pages copied from a file" "" "write $tmp/file 500"
	is "... as getrusage() counts them" \
		$(($(counted minor-write-copy-on-write write_pages) + $(counted major-write-copy-on-write write_pages))) \
		$(($(told 2) + $(told 3) - 1)) # plus one fault of its own, for the variables of getrusage()
	recorded "pages copied after fork()" "--min 1s" "fork 300"
	within "... are counted" "$(grep ^minor-write "$tmp/folded" | awk '{ n += $NF } END { print n }')" 600 1000
	recorded "many new pages" "--min 1s" "anonymous 50000"
	is "... all faults, once each" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/folded")" \
		"$(sed -n 's/.* faults: \([0-9]*\) page faults .*/\1/p' "$tmp/err")"
	within "... as many as there are" "$(awk '/^minor-write/ { n += $NF } END { print n }' "$tmp/folded")" 50000 50300
	within "... of the function that touches them" "$(counted minor-write-anonymous write_pages)" 49000 50100
	recorded "pages that two functions touch in turns" "--min 1s" "turns 400"
	within "... are those of the first" "$(counted minor-write-anonymous fill_even)" 199 201
	within "... and of the second, whose stack is at the same place" "$(counted minor-write-anonymous fill_odd)" 199 201
	recorded "pages that the kernel writes to" "" "call $tmp/file 200"
	within "... have its functions in their stacks" "$(grep 'let_kernel_write;.*pread.*;entry_SYSCALL_64_after_hwframe.*copy' "$tmp/folded" |
		awk '{ n += $NF } END { print n + 0 }')" 180 210
}
live minor

# Before Linux 5.17, what is mapped at the page is unknown.
of_unknown_kind()
{
	recorded "pages of an unknown mapping" "--min 1ns" "anonymous 1000"
	within "... of the function that touches them" "$(counted minor-write write_pages)" 990 1050
	has "... and why that is unknown" "$tmp/err" "no bpf_find_vma()"
}
(
	export PYROGRAPH_BPF_OLD=1
	live of_unknown_kind
)

without_end()
{
	recorded "faults that end in SIGBUS" "" "bus $tmp/file 37"
	has "... are counted" "$tmp/err" "noticed: 37 page faults without a duration"
}
live without_end

# Faults that the budget allows no stack are counted and timed all the same: --min makes each of them one that is not short.
budget()
{
	recorded "each of many, within a budget" "--min 1ns --budget 0.1%" "anonymous 20000"
	cp "$tmp/err" "$tmp/said"
	"$pyrograph" collapse -q --faults --root comm --columns time,count "$tmp/faults.data" >"$tmp/folded"
	all=$(awk '/^page_faults/ { n += $NF } END { print n + 0 }' "$tmp/folded")
	if [ "$all" -ge "$(told 2)" ] && [ "$all" -le $(($(told 2) + 2000)) ]; then ok "... each of them"; else not_ok "... each of them" "$all, $(told 2)"; fi
	has "... a frame says so" "$tmp/folded" '[faults without a stack]'
	has "... so does the summary" "$tmp/said" 'of these without a stack, to keep to --budget'
	has "... and for which others one stands" "$tmp/said" 'with the stack of another one'
	is "... the summary has the same sum" "$(sed -n 's/.*faults: \([0-9]*\) page faults.*/\1/p' "$tmp/said")" \
		"$(awk '!/^#/ { n += $NF } END { print n + 0 }' "$tmp/folded")"
}
live budget

# A thread that ends leaves its stack in the kernel to the next one.
one_by_one()
{
	recorded "threads one after the other" "--min 1s" "threads 40"
	"$pyrograph" collapse -q --faults --no-stack --root tid --columns count "$tmp/faults.data" | sed -n 's,^page_faults-[0-9]*/,,p' >"$tmp/got"
	is "... each has its own faults, and not those of another one (50)" "$(awk 'NR == FNR { its[$1] = $2; next }
		$1 == "thread" && !(its[$2] >= $3 && its[$2] < $3 + 50) { print $2, its[$2] + 0, $3 }' "$tmp/got" "$tmp/out" |
		head -3)" ""
	is "... all of them" "$(grep -c ^thread "$tmp/out")" 40
}
live one_by_one

# ---- where their time goes ----

# spent REASON FUNCTION: the ns that faults below the function spent for this reason; REASON may be a pattern
spent() { "$pyrograph" collapse -q --faults --root reason "$tmp/faults.data" |
	awk -v wanted="^$1;.*;$2( |;)" '$0 ~ wanted { n += $NF } END { printf "%d", n }'; }

locked()
{
	recorded "faults beside a thread that changes mappings" "--min 1ns" "lock 100"
	lock=$(spent mmap-lock touch_locked) all=$(spent '[^;]*' touch_locked)
	some "... wait for the lock" "$lock" 100000
	is "... reasons add up" "$all" "$("$pyrograph" collapse -q --faults --root comm "$tmp/faults.data" |
		awk '/;touch_locked[ ;]/ { n += $NF } END { printf "%d", n }')"
	is "... of which a page of a file has none" "$(spent reclaim touch_locked)" 0
}
live locked

group=/sys/fs/cgroup/memory/pyrograph-test-$$ limit=memory.limit_in_bytes
[ -d /sys/fs/cgroup/memory ] || group=/sys/fs/cgroup/pyrograph-test-$$ limit=memory.max
reclaimed()
{
	status "faults in a group with little memory" 0 $faults --min 1ns -o "$tmp/faults.data" -- \
		sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" read "$3" 10000' sh "$group" "$program" "$tmp/file"
	some "... free memory first" "$(spent reclaim read_pages)" 1000
	is "... and do not wait for mappings" "$(spent mmap-lock read_pages)" 0
}
if mkdir "$group" 2>/dev/null; then
	if [ -w "$group/$limit" ] && echo 8000000 >"$group/$limit"; then
		live reclaimed
	else
		skip "reclaim" "control groups have no limit of memory here"
	fi
	rmdir "$group"
else
	skip "reclaim" "no control group can be made"
fi

# ---- who is recorded ----

others()
{
	"$program" anonymous 200000 >/dev/null &
	recorded "of two programs" "" "anonymous 1000"
	wait $!
	is "... only the one asked for" "$("$pyrograph" collapse -q --faults --no-stack --root pid "$tmp/faults.data" |
		grep -v '^#' | wc -l)" 1
}
live others

status "--min is a time" 2 $faults --min never -- true
status "no such option" 2 $faults --mni 1ms -- true
has "... which is near another" "$tmp/err" "--min"
