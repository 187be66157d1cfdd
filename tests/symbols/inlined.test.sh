# Inlined functions and source lines: at each address of programs, compared with other tools; and in recordings.
# live: inlined functions; sanitized, too
. tests/tap.sh
ours=$BUILD/tests/unit/core_debug_info

# addresses PROGRAM: all of its own functions
addresses()
{
	nm -S --defined-only "$1" | python3 -c '
import sys
seen = set()
for line in sys.stdin:
    field = line.split()
    if len(field) == 4 and field[2] in "tTwW" and not field[3].startswith("_start"):
        seen.update(range(int(field[0], 16), int(field[0], 16) + int(field[1], 16)))
for address in sorted(seen):
    print("%#x" % address)'
}

# compile OUT COMPILER SOURCE FLAGS...: compiles it, with its addresses and what we find for them beside it
compile()
{
	out=$1 compiler=$2 source=$3
	shift 3
	$compiler -O2 -g -fno-omit-frame-pointer -Wl,--build-id "$@" "tests/symbols/$source" -o "$out" 2>"$tmp/err" || return
	addresses "$out" >"$out.addresses"
	find_all "$out" "$out"
}

# find_all FILE PROGRAM: writes to FILE.ours everything that we find in a file, at the addresses of a program
find_all()
{
	$ours "$1" <"$2.addresses" >"$1.ours" 2>"$tmp/err"
}

# as_addr2line WHAT PROGRAM [OPTIONS OF same_inlined.py]
as_addr2line()
{
	what=$1 program=$2
	shift 2
	addr2line -a -i -f -e "$program" <"$program.addresses" >"$tmp/theirs"
	python3 tests/symbols/same_inlined.py "$what" "$program.ours" "$tmp/theirs" "$@"
}

llvm=$(command -v llvm-addr2line || command -v llvm-addr2line-14)

as_llvm()
{
	if [ -n "$llvm" ]; then
		$llvm -a -i -f -e "$2" <"$2.addresses" >"$tmp/theirs"
		python3 tests/symbols/same_inlined.py "$1" "$2.ours" "$tmp/theirs"
	else
		skip "$1" "no llvm-addr2line"
	fi
}

# addr2line of binutils 2.40 finds few inlined functions in DWARF 5 of clang++, and 2.44 not all of clang 19's, so
# llvm-addr2line judges these.
clang=$(clang -dumpversion)
for version in 4 5; do
	for tools in "gcc clang inlined.c" "g++ clang++ inlined.cc"; do
		# shellcheck disable=SC2086 # words
		set -- $tools
		for compiler in $1 $2; do
			what="$compiler, DWARF $version" program=$tmp/$compiler-$version
			if ! compile "$program" "$compiler" "$3" -gdwarf-$version; then
				not_ok "$what" "$tmp/err"
				continue
			fi
			[ $compiler-$version = clang++-5 ] || { [ $compiler-$version = clang-5 ] && [ "${clang%%.*}" -ge 19 ]; } ||
				as_addr2line "$what, as addr2line" "$program" --except=5
			as_llvm "$what, as llvm-addr2line" "$program"
		done
	done
done
cmp -s "$tmp/clang++-4" "$tmp/clang++-5" && not_ok "two versions of DWARF"
same "clang++, DWARF 5, as DWARF 4" "$tmp/clang++-5.ours" "$tmp/clang++-4.ours"

# The symbol table lacks the functions, so their names come from the debug information.
program=$tmp/gcc-5
NO_SYMBOLS=1 $ours "$program" <"$program.addresses" >"$tmp/nameless.ours"
cp "$program.addresses" "$tmp/nameless.addresses" && cp "$program" "$tmp/nameless"
as_addr2line "no symbol table" "$tmp/nameless" --all-names --except=5
NO_SYMBOLS=1 $ours "$tmp/g++-5" <"$tmp/g++-5.addresses" | grep -v '^0x\|:[0-9?]*$' | sort -u >"$tmp/names"
has "a name without linkage has its scopes" "$tmp/names" "app::(anonymous namespace)::twice<int>"
has "... also when these are functions" "$tmp/names" "app::run::Local::get"
has "... and a linkage name has none" "$tmp/names" "_ZN3app3runERSt6vectorIiSaIiEE"

# --- where the debug information is -------------------------------------------------

program=$tmp/g++-5
# as_whole WHAT FILE: we find the same there as in the whole program
as_whole()
{
	find_all "$2" "$program"
	same "$1" "$2.ours" "$program.ours"
}

mkdir "$tmp/apart" "$tmp/dwz"
objcopy --only-keep-debug "$program" "$tmp/apart/program.debug"
(cd "$tmp/apart" && objcopy --strip-all --add-gnu-debuglink=program.debug "$program" program)
as_whole "in a file of its own" "$tmp/apart/program"
objcopy -R .debug_aranges "$program" "$tmp/noranges"
as_whole "without .debug_aranges" "$tmp/noranges"
objcopy --compress-debug-sections=zlib "$program" "$tmp/packed"
as_whole "compressed" "$tmp/packed"
objcopy --compress-debug-sections=zlib "$tmp/noranges" "$tmp/packed-noranges"
as_whole "... without .debug_aranges" "$tmp/packed-noranges"
objcopy --compress-debug-sections=zlib-gnu "$program" "$tmp/packed-before"
as_whole "... as before 2012" "$tmp/packed-before"
if command -v dwz >/dev/null; then
	cp "$program" "$tmp/dwz/one"
	cp "$program" "$tmp/dwz/two"
	(cd "$tmp/dwz" && dwz -m common one two) || not_ok "dwz"
	as_whole "shared with another file (dwz)" "$tmp/dwz/one"
	rm "$tmp/dwz/common"
	find_all "$tmp/dwz/one" "$program"
	is "... which is gone: lines are left" "$(grep -c 'inlined.cc:[1-9]' "$tmp/dwz/one.ours" | sed 's/^[1-9].*/many/')" many
else
	skip "shared with another file (dwz)" "no dwz"
fi
# split VERSION NAME FLAGS...: compiles with split debug information, and links separately (nested functions need an
# executable stack)
split()
{
	version=$1 name=$2
	shift 2
	(cd "$tmp" && gcc -O2 -fno-omit-frame-pointer -gdwarf-$version "$@" -c "$source" -o "$name.o" &&
		gcc -z execstack "$name.o" -o "$name") || not_ok "$name"
	addresses "$tmp/$name" >"$tmp/$name.addresses"
	find_all "$tmp/$name" "$tmp/$name"
}
source=$PWD/tests/symbols/inlined.c
spin=inlined.c:$(grep -n 'sum += x' "$source" | cut -d: -f1)
for version in 4 5; do
	split $version one-$version
	split $version two-$version -gsplit-dwarf
	has "as one file, DWARF $version" "$tmp/one-$version.ours" innermost
	same "... and split in two" "$tmp/two-$version.ours" "$tmp/one-$version.ours"
	rm "$tmp/two-$version.dwo"
	find_all "$tmp/two-$version" "$tmp/two-$version"
	has "... without the other half: lines are left" "$tmp/two-$version.ours" "$spin"
	has_not "... and nothing more" "$tmp/two-$version.ours" innermost
done

# --- damage ---------------------------------------------------------------------------

python3 tests/symbols/damaged_debug.py "$ours" "$tmp/gcc-5" 60
python3 tests/symbols/damaged_debug.py "$ours" "$tmp/clang++-4" 40
cp "$tmp/g++-5.addresses" "$tmp/packed.addresses"
python3 tests/symbols/damaged_debug.py "$ours" "$tmp/packed" 60

# --- recordings -----------------------------------------------------------------------

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "recordings" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

chain='main;c_named;app::outer;app::around_[i];app::(anonymous namespace)::twice<int>_[i] '
line() { grep -n "$1" tests/symbols/inlined.cc | cut -d: -f1; }
recorded()
{
	"$pyrograph" collect cpu -q -F 999 -o "$tmp/rec.data" -- "$tmp/there/program" 200000 >"$tmp/out" 2>"$tmp/err" ||
		not_ok "record" "$tmp/err"
	"$pyrograph" collapse -q "$tmp/rec.data" >"$tmp/here" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	has "a recording: functions inlined into functions, in order" "$tmp/here" "$chain"
	"$pyrograph" collapse -q --no-inline "$tmp/rec.data" >"$tmp/plain"
	has "--no-inline" "$tmp/plain" "main;c_named;app::outer "
	has_not "... has none" "$tmp/plain" "_[i]"
	is "... and the same samples" "$(grep -v '^#' "$tmp/plain" | awk '{ n += $NF } END { print n }')" \
		"$(grep -v '^#' "$tmp/here" | awk '{ n += $NF } END { print n }')"
	"$pyrograph" collapse -q --srcline "$tmp/rec.data" >"$tmp/lines"
	has "--srcline" "$tmp/lines" "app::outer:inlined.cc:$(line 'int outer');app::around:inlined.cc:$(line 'int around')_[i];"
}
mkdir "$tmp/there"
cp "$tmp/g++-5" "$tmp/there/program"
live recorded

# The same text for perf's recording, with this machine's files.
by_perf()
{
	if perf record -q -B -F 999 -g -o "$tmp/perf.data" -- "$tmp/there/program" 200000 >"$tmp/out" 2>"$tmp/err"; then
		"$pyrograph" collapse -q "$tmp/perf.data" >"$tmp/perf" 2>"$tmp/err"
		has "a recording of perf's" "$tmp/perf" "$chain"
		"$pyrograph" collapse -q --no-inline --srcline "$tmp/perf.data" >"$tmp/perf" 2>"$tmp/err"
		has "... with lines only" "$tmp/perf" "app::outer:inlined.cc:$(line 'int outer') "
	else
		skip "a recording of perf's" "perf record does not work here"
	fi
}
live by_perf

# Ours needs no files.
rm -r "$tmp/there"
"$pyrograph" collapse -q "$tmp/rec.data" >"$tmp/gone"
same "without the program: the same text" "$tmp/gone" "$tmp/here"
"$pyrograph" collapse -q --srcline "$tmp/rec.data" >"$tmp/gone"
same "... and the same lines" "$tmp/gone" "$tmp/lines"
