#!/bin/sh
# collect io: requests to a loop device, compared with the device's own counters, and with what the programs measured
# that caused the requests (tests/workloads/block_io.c).
# slow: records some programs, makes a filesystem
# live: block I/O
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
io="$pyrograph collect io"
program=${BUILD:-build}/tests/workloads/block_io

if ! $io -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect io works here" "$tmp/err"
	else
		skip "collect io" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi
status "--min is a time" 2 $io --min never -- true
status "no such option" 2 $io --mni 1ms -- true
has "... which is near another" "$tmp/err" "--min"

truncate -s 64M "$tmp/image" "$tmp/inner.image"
if ! disk=$(losetup --find --show "$tmp/image" 2>"$tmp/err"); then
	skip "requests of a device of our own" "no loop device: $(tail -1 "$tmp/err")"
	exit 0
fi
name=${disk#/dev/}
mnt="$tmp/a mount"
mkdir "$mnt"
clean()
{
	swapoff "$disk" 2>/dev/null
	umount "$mnt" 2>/dev/null
	losetup -d "$disk"
}
trap 'clean; exit 1' INT TERM

# counters: READS BYTES-READ WRITES BYTES-WRITTEN MERGED of the device since it exists, from /sys
# (Documentation/block/stat.rst).  printf is used because mawk's print rounds numbers over 2^31 to six digits.
counters() { awk '{ printf "%d %.0f %d %.0f %d\n", $1, $3 * 512, $5, $7 * 512, $2 + $6 }' "/sys/block/$name/stat"; }
# counted PATTERN COLUMN: the sum over requests to the device whose operation matches
counted()  { awk -v its="^$name;$1(-[a-z-]*)?;" -v column="$2" '$0 ~ its { n += $(NF - 2 + column) } END { printf "%d", n }' "$tmp/folded"; }
# of_device WORD: a fact about the device in the recording
of_device() { field_of "$name" "$1"; }
field_of()  { tr -d '\000' <"$tmp/io.data" | grep -a -o "^[0-9]* [0-9:]* $1 requests .*" | sed "s/.* $2 \([0-9]*\).*/\1/"; }

# recorded WHAT COLLECT_OPTIONS -- PROGRAM ARGUMENTS: the program's lines go to $tmp/out, its I/O to $tmp/folded, as
# "DEVICE;OPERATION;... COUNT BYTES", and what the device counted during the recording to $tmp/counters
recorded()
{
	counters >"$tmp/before"
	what=$1 choice=$2
	shift 2
	status "$what" 0 $io $choice -o "$tmp/io.data" -- "$program" "$@"
	counters | paste -d' ' "$tmp/before" - | awk '{ print $6 - $1, $7 - $2, $8 - $3, $9 - $4, $10 - $5 }' >"$tmp/counters"
	"$pyrograph" collapse -q --io --root device,operation --columns count,bytes "$tmp/io.data" >"$tmp/folded"
}

# ---- as many requests as the device counted, each as long as the program measured ----

direct()
{
	recorded "direct reads, one by one" "-a --min 1ns" read "$disk" 300 8192
	is "... requests and bytes are those that the device counted" \
		"$(counted read 1) $(counted read 2)" "$(cut -d' ' -f1,2 "$tmp/counters")"
	is "... and the program" "$(counted read 1) $(counted read 2)" "300 2457600"
	"$pyrograph" collapse -q --io --timed --no-stack --root device,sector "$tmp/io.data" |
		sed -n "s/^@[0-9.]* $name;@//p" >"$tmp/got"
	awk '/^io/ { print $2, $3 }' "$tmp/out" >"$tmp/wanted"
	is "... at its places, in its order" "$(cut -d' ' -f1 "$tmp/got" | cksum)" "$(cut -d' ' -f1 "$tmp/wanted" | cksum)"
	is "... none takes longer than the program saw" "$(awk 'NR == FNR { took[$1] = $2; next }
		took[$1] > $2 { print $1, took[$1], $2 }' "$tmp/got" "$tmp/wanted" | head -3)" ""
	is "... below the function that reads" "$(grep -c "^$name;read.*;read_piece;.*;entry_SYSCALL_64_after_hwframe;.*submit_bio" "$tmp/folded")" \
		"$(grep -c "^$name;read" "$tmp/folded")"
	is "... of no file" "$("$pyrograph" collapse -q --io --no-stack --root device,file "$tmp/io.data" |
		sed -n "s/^$name;\(.*\) .*/\1/p")" "[direct]"
	all=$("$pyrograph" collapse -q --io --no-stack --root device "$tmp/io.data" | sed -n "s/^$name //p")
	is "... queue and device are all of their time" "$("$pyrograph" collapse -q --io --no-stack --root device,reason "$tmp/io.data" |
		awk -F'[; ]' -v its="$name" '$1 == its { n += $3; seen = seen " " $2 } END { print seen, n }')" " device queue $all"
}
live direct

# Requests that the budget allows no stack are counted and timed all the same.
budget()
{
	for min in 1s 1ns; do
		[ $min = 1s ] && frame='[short requests]' || frame='[requests without a stack]'
		recorded "threads within a budget: --min $min" "-a --min $min --budget 0.0001%" scattered "$disk" 6 5
		is "... requests and bytes are those that the device counted" \
			"$(counted read 1) $(counted read 2)" "$(cut -d' ' -f1,2 "$tmp/counters")"
		has "... a frame says so" "$tmp/folded" "$frame"
		has "... so does the summary" "$tmp/err" 'of these without a stack, to keep to --budget'
	done
}
live budget

summed()
{
	recorded "direct writes, summed" "-a --min 1s" write "$disk" 300 4096
	is "... requests and bytes are those that the device counted" \
		"$(counted write 1) $(counted write 2)" "$(cut -d' ' -f3,4 "$tmp/counters")"
	is "... and the program" "$(counted write-sync 1) $(counted write-sync 2)" "300 1228800"
	is "... of its thread alone" "$("$pyrograph" collapse -q --io --root device,comm,operation --columns count "$tmp/io.data" |
		awk -v its="^$name;block_io;write-sync;.*;write_piece;" '$0 ~ its { n += $NF } END { print n + 0 }')" 300
	is "... all of one size" "$("$pyrograph" collapse -q --io --no-stack --root device,operation,size "$tmp/io.data" |
		sed -n "s/^$name;write-sync;\(.*\) .*/\1/p")" "4k-8k"
	within "... the device was in use, not always" "$(of_device busy_ns)" 1 "$(of_device observed_ns)"
	is "... with one at a time" "$(of_device most_in_flight)" 1
	is "... for as long as the requests were in it" "$(of_device busy_ns)" "$(of_device device_ns)"
}
live summed

merged()
{
	recorded "pages that the kernel puts together" "-a" pages "$disk" 3000
	is "... as many requests and bytes as the device counted, with the flush that has none" \
		"$(($(counted write 1) + $(counted flush 1))) $(counted write 2)" "$(cut -d' ' -f3,4 "$tmp/counters")"
	is "... all of its bytes" "$(counted write 2)" 12288000
	is "... the rest were merged" "$(of_device merges)" "$(cut -d' ' -f5 "$tmp/counters")"
	is "... in the device's own line, too" "$(of_device bytes)" \
		"$(awk '{ print $2 + $4 }' "$tmp/counters")"
}
live merged

only_own()
{
	"$program" read "$disk" 3000 4096 >/dev/null &
	recorded "of two programs" "--min 1ns" read "$disk" 30 4096
	wait $!
	is "... only the one asked for" "$(counted read 1)" 30
	perf_reads "requests" "$tmp/io.data" "$tmp/err"
}
live only_own

# Six programs read the device, and six others the file on it.
many_at_once()
{
	counters >"$tmp/before"
	status "many requests at once" 0 $io --min 1ns -o "$tmp/io.data" -- sh -c 'for i in 1 2 3 4 5 6; do
		"$0" read "$1" 2000 4096 >/dev/null & "$0" read "$2" 2000 4096 >/dev/null &
	done; wait' "$program" "$disk" "$tmp/image"
	made=$(counters | paste -d' ' "$tmp/before" - | awk '{ print $6 - $1 }')
	"$pyrograph" collapse -q --io --root device,operation --columns count,bytes "$tmp/io.data" >"$tmp/folded"
	lost=$(sed -n '1s/.* losses="[^"]*spans lost \([0-9]*\).*/\1/p' "$tmp/folded")
	within "... those that are missing are told" "$(counted read 1)" $((made - ${lost:-0})) "$made"
	is "... none is open" "$(sed -n '1s/.* \(open=[0-9]*\).*/\1/p' "$tmp/folded")" ""
}
live many_at_once

# ---- given back by the device ----

# The queue of a virtio disk has a slot for each part of a request, and is soon full.
dd if=/dev/urandom of="$tmp/scattered" bs=1M count=32 status=none
sync "$tmp/scattered"
requeued()
{
	status "requests of many parts" 0 $io -a --min 1ns -o "$tmp/io.data" -- "$program" scattered "$tmp/scattered" 16 8
	"$pyrograph" collapse -q --io --root device,operation --columns count,bytes "$tmp/io.data" | grep ';read_scattered;' >"$tmp/folded"
	its=$(sed 's/;.*//; q' "$tmp/folded")
	is "... all of its bytes, once" "$(awk '{ n += $NF } END { printf "%d", n }' "$tmp/folded")" "$(sed -n 's/^all 128 //p' "$tmp/out")"
	all=$("$pyrograph" collapse -q --io --no-stack --root device "$tmp/io.data" | sed -n "s/^$its //p")
	is "... queue and device are all of their time" "$("$pyrograph" collapse -q --io --no-stack --root device,reason "$tmp/io.data" |
		awk -F'[; ]' -v its="$its" '$1 == its { n += $3 } END { printf "%.0f", n }')" "$all"
	is "... the device has none of them at the end" "$(($(field_of "$its" busy_ns) <= $(field_of "$its" observed_ns)))" 1
	if [ "$(field_of "$its" requeues)" -gt 0 ]; then
		ok "... some were given back by the device, and queued again"
	else
		inconclusive "... some were given back by the device" "it takes all that it is given"
	fi
}
live requeued

# ---- swap ----

swapped()
{
	recorded "memory that is swapped" "-a --min 1ns" swap 2000
	is "... requests and bytes are those that the device counted" \
		"$(counted read 1) $(counted read 2) $(counted write 1) $(counted write 2)" "$(cut -d' ' -f1-4 "$tmp/counters")"
	some "... all were written, or nearly so" "$(counted write 2)" 8000000 # and what else the kernel swaps meanwhile
	some "... and read again" "$(counted read 2)" 4096000
	is "... as swap" "$("$pyrograph" collapse -q --io --no-stack --root device,file "$tmp/io.data" | sed -n "s/^$name;\(.*\) .*/\1/p")" "[swap]"
	some "... below the function that needs it" "$("$pyrograph" collapse -q --io --root device,operation --columns bytes "$tmp/io.data" |
		awk -v its="^$name;read.*;is_as_before;" '$0 ~ its { n += $NF } END { print n + 0 }')" 4000000
}
if [ "$(grep -c . /proc/swaps)" = 1 ] && mkswap "$disk" >/dev/null 2>&1 && swapon "$disk" 2>"$tmp/err"; then
	live swapped
	swapoff "$disk"
else
	skip "swap" "there is some already, or it cannot be switched on: $(tail -1 "$tmp/err")"
fi

# ---- files ----

if ! mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$disk" 2>"$tmp/err" || ! mount "$disk" "$mnt" 2>"$tmp/err"; then
	skip "files" "no filesystem can be made: $(tail -1 "$tmp/err")"
	clean
	exit 0
fi
mkdir -p "$mnt/some where"
dd if=/dev/zero of="$mnt/some where/data" bs=1M count=4 status=none

# of_file OPERATION MORE-ROOTS: the bytes of requests for the file
of_file() { "$pyrograph" collapse -q --io --no-stack --root "device,operation,file$2" --columns bytes "$tmp/io.data" |
	awk -v its="^$name;$1[a-z-]*;$mnt/some where/$3" '$0 ~ its { n += $NF } END { print n + 0 }'; }

cached()
{
	recorded "a file that is not in the cache" "" cached "$mnt/some where/data"
	is "... all that was read was of that file" "$(of_file read "" "data ")" "$(sed -n 's/^all 1 //p' "$tmp/out")"
	is "... from its beginning" "$("$pyrograph" collapse -q --io --min 1ns --timed --no-stack --root file,page "$tmp/io.data" >"$tmp/all"
		$io -q --min 1ns -o "$tmp/io.data" -- "$program" cached "$mnt/some where/data" >"$tmp/out" 2>"$tmp/err"
		"$pyrograph" collapse -q --io --timed --no-stack --root file,page "$tmp/io.data" |
			sed -n 's/.*where\/data;+\(0x[0-9a-f]*\) .*/\1/p' | head -1)" 0x0
}
live cached

written_back()
{
	recorded "pages that another thread made dirty" "--min 1s" journal "$mnt/some where/journal" 500
	is "... are written by the kernel for it" "$(of_file write ",dirtied" "journal;block_io-[0-9]*/journaller ")" 2048000
	is "... all of them" "$(of_file write "" "journal ")" 2048000
	is "... not by it" "$("$pyrograph" collapse -q --io --no-stack --root comm,file "$tmp/io.data" | grep -c '^block_io;.*/journal ')" 0
}
live written_back

# ---- without an end ----

inner=$(cp "$tmp/inner.image" "$mnt/inner" && losetup --find --show "$mnt/inner" 2>"$tmp/err")
hanging()
{
	fsfreeze -f "$mnt"
	rm -f "$tmp/io.data"
	$io -a --min 1s -d 1 -o "$tmp/io.data" >"$tmp/out" 2>"$tmp/err" &
	recorder=$!
	before 30 begun "$tmp/io.data"
	"$program" hang "$inner" >"$tmp/hang" &
	finished $recorder
	writer=$!
	fsfreeze -u "$mnt"
	wait $writer
	"$pyrograph" collapse -q --io --timed --no-stack --root device,operation,reason --columns time,count "$tmp/io.data" |
		grep " ${inner#/dev/};" >"$tmp/got"
	is "a request that has not ended: queue and device, and no end" \
		"$(awk '{ sub(/.*;/, "", $2); print $2, $NF }' "$tmp/got" | sort | paste -sd, -)" "device 0,queue 0"
	some "... the summary tells of it" "$(sed -n 's/.*noticed: \([0-9]*\) spans* of time that had not ended.*/\1/p' "$tmp/err")" 1
}
if [ "$inner" ] && command -v fsfreeze >/dev/null; then
	live hanging
	losetup -d "$inner"
else
	skip "a request without an end" "no second loop device, or no fsfreeze"
fi
clean
