# Names are compared with those of c++filt, for all symbols of a large C++ library, and of a program of our own; and a
# table of names is tried in every format.
. tests/tap.sh
. tests/served.sh

judged python3 tests/collapse/name_table.py

names="$BUILD/tests/unit/core_demangle"

status "--demangle with a word that it does not know" 2 "$pyrograph" collapse --demangle java x
has "... names those that it knows" "$tmp/err" "simple full no"

# symbols FILE: what is mangled in it.
symbols()
{
	{ nm --without-symbol-versions "$1"; nm -D --without-symbol-versions "$1"; } 2>/dev/null |
		sed 's/.* //' | grep -E '^_(Z|R)' | LC_ALL=C sort -u
}

# compare WHAT LEAST: the names in $tmp/symbols, of which there must be at least LEAST: simple, full and stripped.
compare()
{
	count=$(wc -l <"$tmp/symbols")
	[ "$count" -ge "$2" ] && ok "$1: $count names" || not_ok "$1: $2 names" "$count"
	c++filt -r -i -p <"$tmp/symbols" >"$tmp/wanted"
	"$names" simple <"$tmp/symbols" >"$tmp/simple"
	same_names "... simple, as c++filt without parameters"  "$tmp/simple"
	c++filt -r -i <"$tmp/symbols" >"$tmp/wanted"
	"$names" full <"$tmp/symbols" >"$tmp/full"
	same_names "... full, as c++filt" "$tmp/full"
	for style in simple full; do
		run_to "$tmp/wanted" "$tmp/err" python3 tests/collapse/strip_templates.py <"$tmp/$style"
		"$names" strip <"$tmp/$style" >"$tmp/stripped"
		same_names "... $style, without template arguments, as another way has it" "$tmp/stripped"
		"$names" strip <"$tmp/stripped" >"$tmp/wanted"
		same_names "... twice is the same" "$tmp/stripped"
		shorter=$(paste -d '\n' "$tmp/$style" "$tmp/stripped" | awk 'NR % 2 { a = $0; next } a != $0 { n++ } END { print n + 0 }')
		[ "$shorter" -ge $(($2 / 20)) ] && ok "... and $shorter are shorter" || not_ok "... and some are shorter" "$shorter"
	done
}
same_names()
{
	if same_bytes "$2" "$tmp/wanted"; then
		ok "$1"
	else
		diff "$tmp/wanted" "$2" | cut -c1-300 >"$tmp/diff"
		not_ok "$1" "$tmp/diff"
	fi
}

if command -v c++filt >/dev/null && command -v nm >/dev/null; then
	library=$(${CXX:-g++} -print-file-name=libstdc++.so 2>/dev/null)
	if [ -e "$library" ]; then
		symbols "$(readlink -f "$library")" >"$tmp/symbols"
		compare "libstdc++" 2000
	else
		skip "libstdc++" "there is none"
	fi
	for compiler in g++ clang++; do
		command -v $compiler >/dev/null || continue
		if $compiler -std=c++17 -O0 -c tests/workloads/names.cc -o "$tmp/names.o" 2>"$tmp/err"; then
			symbols "$tmp/names.o" >"$tmp/symbols"
			compare "$compiler" 100
			"$names" simple <"$tmp/symbols" | "$names" strip >"$tmp/stripped"
			for wanted in 'operator<' 'operator<<' 'operator->' 'operator->*' 'operator()' 'operator>>=' \
				'(anonymous namespace)::Set::operator<' 'odd::Pair::Pair' 'Pair::operator std::vector'; do
				grep -qE "(^|::)$(printf %s "$wanted" | sed 's/[()*]/\\&/g')\$" "$tmp/stripped" &&
					ok "... with $wanted" || not_ok "... with $wanted" "$tmp/stripped"
			done
		else
			not_ok "$compiler compiles tests/workloads/names.cc" "$tmp/err"
		fi
	done
else
	skip "names beside c++filt" "no c++filt or nm"
fi
