# Stacks of C++: templates, lambdas, operators, landing pads, exceptions under way.
# live: stacks
. tests/tap.sh
. tests/unwind/common.sh
can_record "stacks of C++"

# try RECORDERS COMPILER FLAGS...
try()
{
	recorders=$1 cxx=$2
	shift 2
	if ! command -v $cxx >/dev/null; then
		skip "$cxx $*" "no $cxx"
	elif ! build_cxx "$tmp/cxx" $cxx -g "$@" 2>"$tmp/err"; then
		not_ok "$cxx $* is built" "$tmp/err"
	else
		for recorder in $recorders; do
			live by_$recorder "$cxx $*" "$tmp/cxx/cxx"
		done
	fi
}

try "perf collect" g++ -O2 -fomit-frame-pointer
try perf g++ -O2 -fno-omit-frame-pointer
try collect clang++ -O2 -fomit-frame-pointer
try perf clang++ -O2 -fno-omit-frame-pointer
try perf g++ -O0
