# collect syscalls --budget: the threads make very many calls, and count them.  No call and no time is lost, although
# only few calls have a stack of their own.
# live: numbers and times of calls
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
talks=${BUILD:-build}/tests/workloads/talks

if ! $pyrograph collect syscalls -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "collect syscalls --budget" "$(tail -1 "$tmp/err")"
	exit 0
fi

# recorded WHAT OPTIONS PROGRAM: what it says is in $tmp/out
recorded()
{
	status "$1" 0 $pyrograph collect syscalls $2 -o "$tmp/calls.data" -- "$talks" $3
	cp "$tmp/err" "$tmp/said"
	$pyrograph collapse --syscalls --root thread,syscall --columns time,count "$tmp/calls.data" >"$tmp/folded" 2>"$tmp/err"
}
# in_calls NAME CALL BACK [REGEXP]: of these calls of threads with that name, in lines that match: the last column but BACK
in_calls()
{
	awk -v at="/$1(-[0-9]+)?;$2;" -v back="$3" -v regexp="${4:-.}" '$0 ~ at && $0 ~ regexp { n += $(NF - back) }
		END { printf "%.0f\n", n }' "$tmp/folded"
}

# Short calls: their sums have the stack of one of them, or a frame that says so.
talk()
{
	for how in "" "--budget none" "--min 10ms"; do
		recorded "threads that talk: ${how:-by default}" "$how" "talk 30000"
		for name in asks answers; do
			is "... each read of $name" "$(in_calls $name read 0)" 30000
			within "... each write of $name" "$(in_calls $name write 0)" 30000 30001 # its last line
		done
		is "... each of a thread that ends meanwhile" "$(in_calls leaves read 0)" 10000
		within "... most have a stack, per mille" $((1000 * $(in_calls asks read 0 pass_bytes) / 30000)) 800 1000
		is "... none is without a frame" "$(grep -c ';read [0-9]' "$tmp/folded")" 0
	done
}
live talk

# Calls that are not short: the program times them itself, and measures about a microsecond more.  A call with a stack
# stands for others of its thread.
naps()
{
	for how in "" "--budget 0.5%" "--budget none"; do
		recorded "many that nap: ${how:-by default}" "$how" "naps 40 300"
		is "... each call" "$(in_calls often clock_nanosleep 0)" 12000
		napped=$(awk '$1 == "often" { ns += $4 } END { printf "%.0f", ns }' "$tmp/out")
		within "... as long as they were" "$(in_calls often clock_nanosleep 1)" $((napped / 1000 * 980)) "$napped"
		case $how in
		"--budget none") has_not "... each with its stack" "$tmp/folded" 'without a stack' ;;
		*0.5%)
			within "... many without a stack" "$(in_calls often clock_nanosleep 0 'calls without a stack')" 1 11900
			has "... the summary says it" "$tmp/said" 'of these without a stack, to keep to --budget'
			has "... and for which others one stands" "$tmp/said" 'with the stack of another one'
			;;
		esac
	done
}
live naps

# What was asked for expressly is kept.
status "all, as --min is given" 0 $pyrograph collect syscalls --min 1us -o "$tmp/all.data" -- "$talks" naps 40 100
$pyrograph collapse --syscalls --root thread,syscall --columns count "$tmp/all.data" >"$tmp/folded" 2>"$tmp/err"
is "... each nap" "$(in_calls often clock_nanosleep 0)" 4000
has_not "... with its stack" "$tmp/folded" 'without a stack'

# A call that meets a condition is seen, whatever the budget.
status "the flight recorder" 0 $pyrograph collect syscalls --keep 5s --when 'syscall:clock_nanosleep>1ms' --most 1 --budget 0.001% \
	-o "$tmp/kept.data" -- "$talks" naps 4 50
has "... sees what it waits for" "$tmp/err" '1 recording written'
