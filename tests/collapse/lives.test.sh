# The states of a thread, added up, are its life: from its birth to its death as the kernel
# recorded them.
. tests/tap.sh
sched="$pyrograph collect sched -q"
states=${BUILD:-build}/tests/workloads/states

if ! $sched -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "the states of threads" "$(tail -1 "$tmp/err")"
	exit 0
fi
head -c 1M /dev/zero >"$tmp/file"
for options in "" --events; do
	for load in "spin 1 0" "mixed 1 $tmp/file"; do
		# shellcheck disable=SC2086 # words
		$sched $options -o "$tmp/rec.data" -- "$states" $load >/dev/null 2>"$tmp/err"
		"$pyrograph" collapse -q --event sched --root tid --no-stack --weight time "$tmp/rec.data" >"$tmp/out"
		if python3 tests/collapse/lives.py "$tmp/rec.data" "$tmp/out" >"$tmp/lives"; then
			ok "${options:-sums}: threads of states ${load%% *} have a state all their lives"
		elif grep -q '^#.*\(spans lost\|switches not tracked\)' "$tmp/out"; then
			skip "${options:-sums}: states ${load%% *}" "it lost spans: the machine is too busy"
		else
			not_ok "${options:-sums}: threads of states ${load%% *} have a state all their lives" "$tmp/lives" "$tmp/out"
		fi
	done
done
