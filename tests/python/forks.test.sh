#!/bin/sh
# Children that are forked without an exec run Python at once: their functions are in the stacks from the first sample on.
# live: children that live for a moment
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

forks()
{
	"$pyrograph" collect cpu -p $pid -F 999 -d 2 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	"$pyrograph" collapse --all "$rec" >"$tmp/folded" 2>"$tmp/err"
	awk '/^#/ { next } { all += $NF } /__main__\.child_\[p\]/ { named += $NF } END { print all + 0, named + 0 }' \
		"$tmp/folded" >"$tmp/counts"
	read -r all named <"$tmp/counts"
	if [ "$named" -gt $((all * 3 / 4)) ]; then
		ok "$v: children have their functions at once ($named of $all samples)"
	else
		not_ok "$v: children have their functions at once" "$named of $all samples" "$tmp/folded" "$tmp/collect"
	fi
}

each()
{
	mkfifo "$tmp/ready"
	"$python" tests/python/forks.py >"$tmp/ready" 2>"$tmp/err" &
	pid=$!
	read -r _ <"$tmp/ready"
	live forks
	kill $pid
	wait $pid 2>"$tmp/killed"
	rm "$tmp/ready"
}
with_each_python "functions of forked children" each
