# common: functions shared by the tests of unwinding; use after ". tests/tap.sh".
sources=tests/unwind/chains
warnings="-Wall -Wextra -D_GNU_SOURCE"
rate=1999 bytes=32768

# can_record WHAT: otherwise the whole test is skipped.
can_record()
{
	if command -v perf >/dev/null && perf record -q -B -N -m 8M -o "$tmp/try.data" -- true >/dev/null 2>"$tmp/err"; then
		return
	fi
	skip "$1" "no right to record: $(tail -1 "$tmp/err")"
	exit 0
}

# build_chains DIRECTORY CC FLAGS...: builds the program and its libraries
build_chains()
{
	into=$1 cc=$2
	shift 2
	mkdir -p "$into" &&
		$cc $warnings "$@" -fPIC -shared $sources/library.c -o "$into/libchains.so" &&
		$cc $warnings "$@" -fPIC -shared -DOPENED=one $sources/opened.c -o "$into/libone.so" &&
		$cc $warnings "$@" -fPIC -shared -DOPENED=two $sources/opened.c -o "$into/libtwo.so" &&
		$cc $warnings "$@" $chains -o "$into/chains" -L"$into" -lchains -Wl,-rpath,'$ORIGIN' -lpthread -ldl
}
chains="$sources/main.c $sources/calls.c $sources/signals.c $sources/libraries.c $sources/processes.c"

# build_static DIRECTORY CC FLAGS...: builds everything into one file
build_static()
{
	into=$1 cc=$2
	shift 2
	mkdir -p "$into" && $cc $warnings "$@" -DSTATIC $chains $sources/library.c -o "$into/chains" -lpthread
}

# build_cxx DIRECTORY CXX FLAGS...
build_cxx()
{
	into=$1 cc=$2
	shift 2
	mkdir -p "$into" && $cc $warnings "$@" $sources/cxx.cc -o "$into/cxx"
}

# by_perf WHAT PROGRAM ARGUMENTS...: compares our collapse with perf script, for a recording by perf record; call it
# through live, like by_collect.
by_perf()
{
	title="$1: perf record" program=$2
	shift
	if ! perf record -q -B -N -F $rate -m 8M --call-graph dwarf,$bytes -o "$tmp/perf.data" -- "$@" \
		>"$tmp/truth" 2>"$tmp/err"; then
		not_ok "$title" "$tmp/err"
	elif ! "$pyrograph" collapse -q --files=never --kernel "$tmp/perf.data" >"$tmp/folded" 2>"$tmp/err"; then
		not_ok "$title" "$tmp/err"
	else
		# Without names for the kernel: perf needs long for them, and kernel frames are left out.
		perf script -i "$tmp/perf.data" --kallsyms=/dev/null --no-inline -F comm,ip,sym,dso >"$tmp/script" 2>/dev/null
		python3 tests/unwind/truth.py "$title" "$tmp/truth" "$tmp/folded" "$(basename "$program")" "$tmp/script"
	fi
}

# by_collect WHAT PROGRAM ARGUMENTS...: collect and collapse
by_collect()
{
	title="$1: collect" program=$2
	shift
	if ! "$pyrograph" collect cpu -q -F $rate --call-graph dwarf,$bytes -o "$tmp/our.data" -- "$@" \
		>"$tmp/truth" 2>"$tmp/err"; then
		not_ok "$title" "$tmp/err"
	elif ! "$pyrograph" collapse -q --files=never --kernel "$tmp/our.data" >"$tmp/folded" 2>"$tmp/err"; then
		not_ok "$title" "$tmp/err"
	else
		python3 tests/unwind/truth.py "$title" "$tmp/truth" "$tmp/folded" "$(basename "$program")"
	fi
}

# both WHAT PROGRAM ARGUMENTS...
both()
{
	live by_perf "$@"
	live by_collect "$@"
}
