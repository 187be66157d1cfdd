#!/bin/sh
# The shares of Python functions in CPU time are those that the program measures itself, by the clock of its threads.
# live: a program with two threads that measures itself
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# shares GROUP: the shares of a thread's functions, as it said, and in the recording; "off POINTS": the most by which these
# differ; "bound POINTS": by how much they may, 1 point if there are enough samples.
shares()
{
	awk -v wanted="$1" '
	FNR == NR { if ($1 ~ wanted) { said[$1] = $2; all_said += $2 } next }
	/^#/ { next }
	{
		for (name in said)
			if (index($0, ";__main__." name ";")) { seen[name] += $NF; all_seen += $NF }
	}
	END {
		for (name in said) {
			here = 100 * said[name] / all_said; there = all_seen ? 100 * seen[name] / all_seen : 0
			printf "%s: said %.2f %%, seen %.2f %%\n", name, here, there
			off = here > there ? here - there : there - here
			if (off > most) most = off
		}
		bound = all_seen ? 40 / sqrt(all_seen) : 0
		printf "of %d samples\noff %.2f\nbound %.2f\n", all_seen, most, (bound > 1 ? bound : 1)
	}' "$tmp/said" "$tmp/folded" >"$tmp/shares"
	off=$(sed -n 's/^off //p' "$tmp/shares") bound=$(sed -n 's/^bound //p' "$tmp/shares")
	if grep -q '^of [1-9]' "$tmp/shares" && awk "BEGIN { exit $off > $bound }"; then
		ok "$v: shares are within $bound points of the program's own ($off)"
	else
		not_ok "$v: shares are within $bound points of the program's own" "$tmp/shares" "$tmp/collect"
	fi
}

truth()
{
	mkfifo "$tmp/in" "$tmp/out"
	"$python" tests/python/truth.py <"$tmp/in" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	exec 8>"$tmp/in" 9<"$tmp/out"
	read -r _ <&9
	"$pyrograph" collect cpu -p $pid -F 1999 -d 4 -o "$rec" >"$tmp/report" 2>"$tmp/collect"
	exec 8>&-
	cat <&9 >"$tmp/said"
	exec 9<&-
	wait $pid
	rm "$tmp/in" "$tmp/out"
	"$pyrograph" collapse "$rec" >"$tmp/folded" 2>"$tmp/err"
	shares tenth
	shares quarter
}

with_each_python "shares of Python functions" "live truth"
