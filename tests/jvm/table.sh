#!/bin/sh
# Prints the table of docs/java.md: what works on each given JVM, by trying it.
#
#   BUILD=build sh tests/jvm/table.sh java $(sh tests/jvm/jdks.sh /var/tmp/jdks)
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh

# whole: the percentage of whole user stacks, as the collector reports it
whole() { sed -n 's/.*: \([0-9]* %\) of user stacks are whole.*/\1/p' "$tmp/err"; }

# works COMMAND...: yes or no
works() { if "$@" >/dev/null 2>"$tmp/err"; then echo yes; else echo no; fi; }

echo "| JDK | names of threads | whole stacks | inlined loop, serial collector | \`collect alloc\` | perf map | flight recording |"
echo "|---|---|---|---|---|---|---|"
for java; do
	java_start -XX:+UseSerialGC -XX:StartFlightRecording=settings=profile,filename="$tmp/rec.jfr" Shares phases
	for_cpu 60 "$tmp/rec.data" "$pyrograph" collect cpu -F 999 --call-graph dwarf -p "$jvm" 2>"$tmp/err"
	stacks=$(whole)
	python3 tests/jvm/names.py list "$tmp/rec.data" >"$tmp/names"
	names=$(works grep -q 'C[12] CompilerThread0' "$tmp/names") # the kernel's name has 15 bytes
	"$pyrograph" collapse -q --all --threads '^main$' "$tmp/rec.data" >"$tmp/folded" 2>&1
	inlined=$(awk '!/^#/ { n = $NF; all += n; if (/Shares.(scramble|generate|roots)_\[.\]( [0-9]+|;.*)$/) right += n }
		END { printf "%d %%", all ? 100 * right / all : 0 }' "$tmp/folded")
	alloc=$(works "$pyrograph" collect alloc -q -p "$jvm" -d 0.2 -o "$tmp/alloc.data")
	for_cpu 20 "$tmp/map.data" "$pyrograph" collect cpu -q -F 999 --jvm perfmap -p "$jvm" 2>"$tmp/err"
	"$pyrograph" collapse -q "$tmp/map.data" >"$tmp/folded" 2>&1
	map=$(works grep -q 'Shares.turn' "$tmp/folded")
	java_stop
	"$pyrograph" collapse -q "$tmp/rec.jfr" >"$tmp/folded" 2>"$tmp/err"
	jfr=$(works grep -q 'Shares.turn' "$tmp/folded")
	echo "| $(java_version "$java") | $names | $stacks | $inlined | $alloc | $map | $jfr |"
done
