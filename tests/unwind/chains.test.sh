# Stacks of a program that knows its own (chains/), built in many ways, recorded by perf and by us, unwound by us, and
# for comparison by perf script.
# live: stacks
. tests/tap.sh
. tests/unwind/common.sh
can_record "stacks as they are"

# try RECORDERS WHAT HOW COMPILER FLAGS...: builds it with function build_HOW, and records it
try()
{
	recorders=$1 what=$2 how=$3 cc=$4
	shift 4
	if ! command -v $cc >/dev/null; then
		skip "$what" "no $cc"
	elif ! build_$how "$tmp/$how" $cc -g -falign-functions=1 "$@" 2>"$tmp/err"; then
		not_ok "$what is built" "$tmp/err"
	else
		for recorder in $recorders; do
			live by_$recorder "$what" "$tmp/$how/chains"
		done
	fi
}

try "perf collect" "gcc -O2, no frame pointers" chains gcc -O2 -fomit-frame-pointer
try perf "gcc -O2, frame pointers" chains gcc -O2 -fno-omit-frame-pointer
try perf "clang -O2, no frame pointers" chains clang -O2 -fomit-frame-pointer
try "perf collect" "clang -O2, frame pointers" chains clang -O2 -fno-omit-frame-pointer
try perf "gcc -O0" chains gcc -O0
try collect "gcc -O3, no PLT" chains gcc -O3 -fomit-frame-pointer -fno-plt
try perf "static" static gcc -O2 -fomit-frame-pointer -static
try collect "static, at any address" static gcc -O2 -fomit-frame-pointer -fPIE -static-pie
try perf "only .debug_frame" chains gcc -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables \
	-fno-exceptions -fno-unwind-tables
