# Stacks as they are: a program that knows its own (chains/), built in many ways, recorded
# by perf and by us, unwound by us, and beside it by perf script.
. tests/tap.sh
. tests/unwind/common.sh
can_record "stacks as they are"

# try WHAT HOW COMPILER FLAGS...: build it by function build_HOW, record it both ways
try()
{
	what=$1 how=$2 cc=$3
	shift 3
	if ! command -v $cc >/dev/null; then
		skip "$what" "no $cc"
	elif ! build_$how "$tmp/$how" $cc -g -falign-functions=1 "$@" 2>"$tmp/err"; then
		not_ok "$what is built" "$tmp/err"
	else
		both "$what" "$tmp/$how/chains"
	fi
}

for cc in gcc clang; do
	try "$cc -O2, no frame pointers" chains $cc -O2 -fomit-frame-pointer
	try "$cc -O2, frame pointers" chains $cc -O2 -fno-omit-frame-pointer
done
try "gcc -O0" chains gcc -O0
try "gcc -O3, no PLT" chains gcc -O3 -fomit-frame-pointer -fno-plt
try "static" static gcc -O2 -fomit-frame-pointer -static
try "static, at any address" static gcc -O2 -fomit-frame-pointer -fPIE -static-pie
try "only .debug_frame" chains gcc -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables \
	-fno-exceptions -fno-unwind-tables
