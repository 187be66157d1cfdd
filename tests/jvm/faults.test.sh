#!/bin/sh
# collect faults of a JVM: its methods are in the stacks of its page faults, interpreted, compiled and inlined ones.
# slow: a JVM
# live: page faults of a JVM
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
. tests/jvm/java.sh
need_java
if ! "$pyrograph" collect usable faults 2>/dev/null | grep -q faults; then
	skip "page faults of a JVM" "no BPF here"
	exit 0
fi
dd if=/dev/urandom of="$tmp/file" bs=1M count=16 status=none

mapped()
{
	status "a JVM that reads a mapped file" 0 for_cpu_still 100 "$tmp/maps.data" "$pyrograph" collect faults -p "$jvm"
	"$pyrograph" collapse -q --faults --root type,file --columns time,count "$tmp/maps.data" |
		awk -v file=";$tmp/file;" 'index($0, file)' >"$tmp/of_file"
	all=$(awk '{ n += $NF } END { print n + 0 }' "$tmp/of_file")
	some "... has faults of that file" "$all" 100
	some "... below the method that reads it, in percent" \
		"$((100 * $(awk '/;Maps.main;Maps.readPages[; ]/ { n += $NF } END { print n + 0 }' "$tmp/of_file") / (all + 1)))" 90
	# How many there are depends on where the compiler leaves debug information next to a load: 3 to more than 10
	# percent were seen with JDK 17, none with 21.
	if [ "$(java_version java)" -lt 21 ]; then
		some "... many of them where its callee is inlined, in percent" \
			"$((100 * $(awk '/;Maps.readPages;Maps.readPage_\[i\]/ { n += $NF } END { print n + 0 }' "$tmp/of_file") / (all + 1)))" 1
	else
		skip "... many of them where its callee is inlined" "JDK 21 tells of it elsewhere"
	fi
}
java_start Maps "$tmp/file"
live mapped
java_stop
