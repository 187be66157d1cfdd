# Stacks of C++: templates, lambdas, operators, landing pads, exceptions under way.
. tests/tap.sh
. tests/unwind/common.sh
can_record "stacks of C++"

for cxx in g++ clang++; do
	for flags in "-O2 -fomit-frame-pointer" "-O2 -fno-omit-frame-pointer" -O0; do
		if ! command -v $cxx >/dev/null; then
			skip "$cxx $flags" "no $cxx"
		elif ! build_cxx "$tmp/cxx" $cxx -g $flags 2>"$tmp/err"; then
			not_ok "$cxx $flags is built" "$tmp/err"
		else
			both "$cxx $flags" "$tmp/cxx/cxx"
		fi
	done
done
