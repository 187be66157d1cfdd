#!/bin/sh
# Code of Python that comes and goes while it is recorded: it has its name, though most is gone when names are read, and
# none has another one's, though it takes the memory of the last.
# live: code that lives for milliseconds
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# churn WHAT
churn()
{
	mkfifo "$tmp/ready"
	"$python" tests/python/churn.py "$1" "$tmp" >"$tmp/ready" 2>"$tmp/err" &
	pid=$!
	read -r _ <"$tmp/ready"
	"$pyrograph" collect cpu -p $pid -F 999 -d 2 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	kill $pid
	wait $pid 2>"$tmp/killed"
	rm "$tmp/ready"
	"$pyrograph" collapse --all --srcline "$rec" >"$tmp/folded" 2>"$tmp/err"
	sed -n 's/^turn\([0-9]*\);.*;made\.inner_\([0-9]*\):.*/\1 \2/p; s/^turn\([0-9]*\);.*;made\.<lambda>:lambda_\([0-9]*\):.*/\1 \2/p' \
		"$tmp/folded" >"$tmp/pairs"
	awk '$1 != $2' "$tmp/pairs" >"$tmp/wrong"
	if [ -s "$tmp/pairs" ] && [ ! -s "$tmp/wrong" ]; then
		ok "$v: $1: no function has another one's name ($(sort -u "$tmp/pairs" | wc -l) pairs)"
	else
		not_ok "$v: $1: no function has another one's name" "$tmp/wrong" "$tmp/err" "$tmp/collect"
	fi
	# More than four new code objects at once are not copied.
	some "$v: $1: per mille of samples whose functions all have names" \
		"$(awk '{ all += $NF } !/python-gone/ { n += $NF } END { print all ? int(1000 * n / all) : 0 }' "$tmp/folded")" 980
}

each()
{
	for what in exec reload lambdas; do live churn $what; done
}
with_each_python "functions that come and go" each
