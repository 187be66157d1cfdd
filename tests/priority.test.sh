#!/bin/sh
# What follows a recording gives way to the machine's own work: symbols, collapse, render.  While it records, it comes first.
# slow: records, and draws a report
. tests/tap.sh
. tests/collect/common.sh
need_sampling "priorities"
build=${BUILD:-build}

if strace -qq -e trace=none -o /dev/null true 2>/dev/null; then
	status "a recording" 0 strace -f -qq -e signal=none -e trace=setpriority,ioprio_set,epoll_wait,rename,renameat,renameat2,execve,pwrite64,write,writev \
		-o "$tmp/calls" "$build/pyrograph-collect" cpu -q -o "$tmp/a.data" -- "$spin" 0.2
	awk '/setpriority.*, -20\)/ { first = NR } /epoll_wait/ { waits = NR } /setpriority\(PRIO_PROCESS, 0, 5\) += 0/ { late = NR }
		/ioprio_set\(IOPRIO_WHO_PROCESS, 0, .*BE, 7/ { io = NR } /write(v|64)?\(/ { writes = NR }
		END { print (first && first < waits && waits < late && late <= io && io < writes) ? "so" : "not so" }' "$tmp/calls" >"$tmp/order"
	is "... waits for data with priority, then gives way, and writes the rest" "$(cat "$tmp/order")" so
else
	skip "a recording" "strace cannot trace here"
fi

# A report whose collapse says how it runs.
mkdir "$tmp/bin"
cp "$build/pyrograph" "$build"/pyrograph-* "$tmp/bin/"
mv "$tmp/bin/pyrograph-collapse" "$tmp/bin/collapse"
cat >"$tmp/bin/pyrograph-collapse" <<-END
	#!/bin/sh
	echo "\$(nice) \$(ionice -p \$\$)" >>"$tmp/how"
	exec "$tmp/bin/collapse" "\$@"
END
chmod +x "$tmp/bin/pyrograph-collapse"
before=$(nice)
if [ "$before" -le 0 ] && command -v ionice >/dev/null; then
	status "a report" 0 "$tmp/bin/pyrograph" report -q -o "$tmp/run" -- "$spin" 0.2
	is "... is drawn with less priority" "$(sort -u "$tmp/how")" "5 best-effort: prio 7"
	rm "$tmp/how"
	status "a report of somebody who is nicer" 0 ionice -c 3 nice -n 12 "$tmp/bin/pyrograph" report -q -o "$tmp/run" -- "$spin" 0.2
	is "... stays so" "$(sort -u "$tmp/how")" "$((before + 12)) idle"
	rm "$tmp/how"
	status "what is there already" 0 "$tmp/bin/pyrograph" report -q --recording "$tmp/a.data" -o "$tmp/given"
	is "... is drawn as anything else" "$(cut -d' ' -f1 "$tmp/how" | sort -u)" "$before"
else
	skip "a report" "started with nice, or no ionice(1)"
fi
