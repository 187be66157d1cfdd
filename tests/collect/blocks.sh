# blocks: for the tests that record tests/workloads/blocks.c; use after common.sh.
blocks=${BUILD:-build}/tests/workloads/blocks

# bare_blocks: sets $bare to the same program without frame pointers; fails without a compiler
bare=$tmp/bare_blocks
bare_blocks()
{
	${CC:-cc} -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -std=c11 -D_GNU_SOURCE tests/workloads/blocks.c \
		-o "$bare" -lpthread 2>"$tmp/cc.err"
}

# spans FILE [AWK-CONDITION]: selects lines with the columns that tests/collect/spans.py prints
spans()
{
	listed_spans "$1"
	awk -v tid="${tid:-0}" "${2:-1}" "$1.spans"
}
# listed_spans FILE: writes them to FILE.spans, only once for each recording
listed_spans()
{
	[ -e "$1.spans" ] && [ "$(find "$1.spans" -newer "$1" 2>/dev/null)" ] || python3 tests/collect/spans.py "$1" >"$1.spans"
}
sum()     { spans "$1" "$2" | awk '{ n += $5 } END { printf "%.0f\n", n }'; }
counted() { spans "$1" "$2" | awk '{ n += $6 } END { printf "%d\n", n }'; }
tid_of()  { sed -n "s/^tid $2 //p" "$1"; }
stacks()  { perf script -i "$1" --tid "$2" -F ip,sym 2>/dev/null; }

# within WHAT NUMBER LEAST MOST
within()
{
	if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; then ok "$1"; else not_ok "$1" "$2, wanted $3 to $4"; fi
}

# beside_spinner COMMAND...: runs the command on the last CPU, beside a program that never sleeps and is in the kernel
# half of the time
beside_spinner()
{
	last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
	taskset -c "$last" yes >/dev/null &
	spinner=$!
	"$@"
	result=$?
	kill $spinner
	return $result
}
