# The states of a thread, added up, are its life: from its birth to its death as the kernel
# recorded them.
# live: lives of threads
. tests/tap.sh
sched="$pyrograph collect sched -q"
states=${BUILD:-build}/tests/workloads/states

if ! $sched -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "the states of threads" "$(tail -1 "$tmp/err")"
	exit 0
fi
head -c 1M /dev/zero >"$tmp/file"

# lives WHAT OPTIONS LOAD...: repeats on a failure, because a thread may be held up between its birth and the first
# event that the scheduler reports of it, or at its end; an error of ours would occur each time.
lives()
{
	what=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # words
	$sched $options -o "$tmp/rec.data" -- "$states" "$@" >/dev/null 2>"$tmp/err"
	"$pyrograph" collapse -q --event sched --root tid,state --no-stack --weight time "$tmp/rec.data" >"$tmp/out"
	if grep -q '^#.*\(spans lost\|switches not tracked\)' "$tmp/out"; then
		inconclusive "$what" "it lost spans: the machine is too busy"
	elif python3 tests/collect/spans.py "$tmp/rec.data" >"$tmp/spans" && add_up >"$tmp/lives"; then
		ok "$what have a state all their lives"
	else
		not_ok "$what have a state all their lives" "$tmp/lives" "$tmp/out"
	fi
	for factor in 0.9 1.1; do
		if add_up $factor >"$tmp/wrong"; then
			not_ok "$what: a state that is $factor of what it was is noticed" "$tmp/wrong"
		else
			ok "$what: a state that is $factor of what it was is noticed"
		fi
	done
}
add_up() { python3 tests/collapse/lives.py "$tmp/rec.data" "$tmp/out" "$tmp/spans" "$@"; }
for options in "" --events; do
	live lives "${options:-sums}: threads of states spin" "$options" spin 0.5 0
	live lives "${options:-sums}: threads of states mixed" "$options" mixed 0.5 "$tmp/file"
done
