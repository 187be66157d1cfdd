#!/bin/sh
# Threads of Python have the names that threading.Thread has, and none has another one's.
# live: threads that come and go
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# The name of each thread, and the number of its function.
threads_pairs()
{
	sed -n 's/^[^;/]*\/\([^;]*\);.*work_\([0-9]*\).*/\1|\2/p' "$tmp/folded" | sort -u
}

thread_names()
{
	"$pyrograph" collect cpu -p $pid -F 499 -d 3 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	"$pyrograph" collapse --root thread "$rec" >"$tmp/folded" 2>"$tmp/err"
	threads_pairs >"$tmp/pairs"
	awk -F'|' '/^a request of customer-/ && $1 != "a request of customer-" $2' "$tmp/pairs" >"$tmp/wrong"
	if [ -s "$tmp/pairs" ] && [ ! -s "$tmp/wrong" ]; then
		ok "$v: no thread has another one's name"
	else
		not_ok "$v: no thread has another one's name" "$tmp/wrong" "$tmp/pairs" "$tmp/collect"
	fi
	sed -n 's/^[^;/]*\/\([^;]*\);.*\.named_by_\([a-z]*\).*/\2 \1/p' "$tmp/folded" | sed 's/worker-[0-9]*$/worker/' | sort -u >"$tmp/defaults"
	if grep -q '^kernel native-worker$' "$tmp/defaults" && grep -q '^python Thread-[0-9]* (named_by_python)$' "$tmp/defaults" &&
		[ "$(wc -l <"$tmp/defaults")" -eq 2 ]; then
		ok "$v: a name that Python made up counts only where the program gave none"
	else
		not_ok "$v: a name that Python made up counts only where the program gave none" "$tmp/defaults" "$tmp/collect"
	fi
	steady=$(grep -c '^a request of customer-\([0-3]\)|\1$' "$tmp/pairs")
	is "$v: threads that live have their whole names" "$steady" 4
	brief=$(grep -c '^a request of customer-[0-9]*|\([4-9]\|[1-9][0-9][0-9]*\)$' "$tmp/pairs")
	[ "$brief" -ge 2 ] && ok "$v: threads that come and go have their whole names ($brief)" ||
		not_ok "$v: threads that come and go have their whole names" "$tmp/pairs" "$tmp/collect"
}

each()
{
	mkfifo "$tmp/ready"
	"$python" tests/python/threads.py >"$tmp/ready" 2>"$tmp/err" &
	pid=$!
	read -r _ <"$tmp/ready"
	live thread_names
	kill $pid
	wait $pid 2>"$tmp/killed"
	rm "$tmp/ready"
}
with_each_python "names of threads of Python" each 3.11
