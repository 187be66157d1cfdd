#!/bin/sh
# Functions of Python that come and go while they are recorded: another one often takes the memory of the last.
# live: code that lives for milliseconds
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

churn()
{
	"$pyrograph" collect cpu -p $pid -F 999 -d 2 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	"$pyrograph" collapse --all "$rec" >"$tmp/folded" 2>"$tmp/err"
	sed -n 's/^turn\([0-9]*\);.*made\.inner_\([0-9]*\)_\[p\].*/\1 \2/p' "$tmp/folded" >"$tmp/pairs"
	awk '$1 != $2' "$tmp/pairs" >"$tmp/wrong"
	if [ -s "$tmp/pairs" ] && [ ! -s "$tmp/wrong" ]; then
		ok "$v: no function has another one's name ($(sort -u "$tmp/pairs" | wc -l) pairs)"
	else
		not_ok "$v: no function has another one's name" "$tmp/wrong" "$tmp/collect"
	fi
}

if ! "$pyrograph" collect usable offcpu >"$tmp/usable" 2>&1; then
	skip "functions that come and go" "$(tail -1 "$tmp/usable")"
	exit 0
fi
tried=
for python in $pythons; do
	v=$(version_of "$python")
	is_read "$v" || continue
	tried=yes
	v="Python $v"
	mkfifo "$tmp/ready.${v#* }"
	"$python" tests/python/churn.py >"$tmp/ready.${v#* }" 2>"$tmp/err" &
	pid=$!
	read -r _ <"$tmp/ready.${v#* }"
	live churn
	kill $pid
	wait $pid 2>"$tmp/killed"
	rm "$tmp/ready.${v#* }"
done
[ "$tried" ] || skip "functions that come and go" "there is no Python that can be read"
