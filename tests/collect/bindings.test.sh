#!/bin/sh
# Functions that are bound late: frames in stacks, and pyrograph collect bindings (tests/workloads/lazy).
# slow: records some programs
# live: page faults, samples
. tests/tap.sh
. tests/collect/common.sh
machine=$(uname -m)
if [ "$machine" != x86_64 ] || ! command -v gcc >/dev/null; then
	skip "functions that are bound late" "needs gcc, and a machine for which it was tried: x86_64"
	exit 0
fi

# built NAME GCC_OPTIONS: the library and the program, in $tmp/NAME
built()
{
	mkdir "$tmp/$1" && gcc -O2 -g -I. -D_GNU_SOURCE -shared -fPIC -fno-builtin $2 tests/workloads/lazy/library.c \
		-o "$tmp/$1/liblate.so" && gcc -O2 -g -I. -D_GNU_SOURCE -fno-builtin -fno-optimize-sibling-calls $2 \
		tests/workloads/lazy/calls.c \
		-L"$tmp/$1" -llate -Wl,-rpath,"$tmp/$1" -o "$tmp/$1/calls"
}

# started NAME ENVIRONMENT...: $process waits for names, in descriptor 3
started()
{
	rm -f "$tmp/names" "$tmp/out" && mkfifo "$tmp/names"
	name=$1
	shift
	env "$@" "$tmp/$name/calls" <"$tmp/names" >"$tmp/out" &
	process=$!
	exec 3>"$tmp/names"
	before 30 lines "$tmp/out" ready 1
}
call()  { echo "$1" >&3 && before 30 lines "$tmp/out" "^called $1\$" 1; }
ended() { exec 3>&-; finished $process; }

built lazy -Wl,-z,lazy && built now -Wl,-z,now && built ibt "-Wl,-z,lazy -fcf-protection -Wl,-z,ibtplt" || exit 1

# ---- stacks of page faults ----

# bound FUNCTION: what is bound below it in a call of the library, as the recording has it
bound() { awk -v of=";$1;[[]binds " '$0 ~ of { print }' "$tmp/folded" | grep -o ';\[binds [^;]*\];' | tr -d ';' | sort -u; }

# A jump shows its file in the memory of the process only: that has to live until its stacks were walked.
walked() { $pyrograph collapse -q --faults "$tmp/faults.data" | grep -q '\[binds strlen'; }

faulting()
{
	rm -f "$tmp/faults.data"
	{ printf '%s\n' lazy_yield lazy_parent lazy_length; before 30 walked; } |
		status "$1: page faults in functions that are bound late" 0 \
			$pyrograph collect faults --min 1ns -o "$tmp/faults.data" -- "$tmp/$1/calls"
	$pyrograph collapse -q --faults "$tmp/faults.data" >"$tmp/folded"
	is "... the function that a library binds in a call" "$(bound lazy_yield)" "[binds sched_yield of liblate.so]"
	is "... that it binds in a jump, whose caller is another file" "$(bound call | grep liblate)" \
		"[binds getppid of liblate.so]"
	is "... that has a resolver" "$(bound lazy_length)" "[binds strlen of liblate.so]"
	is "... what the program binds" "$(bound call | grep -v liblate | tr '\n' ' ')" \
		"[binds lazy_length of calls] [binds lazy_parent of calls] [binds lazy_yield of calls] "
	is "... nothing else has such frames" "$(grep -o '\[binds [^;]*\][; ]' "$tmp/folded" | sort -u | grep -vcE \
		'\[binds (sched_yield|getppid|strlen) of liblate.so\];|\[binds [a-z_]* of calls\];')" 0
}
if [ "$($pyrograph collect usable faults 2>"$tmp/err")" = faults ]; then
	live faulting lazy
	live faulting ibt
else
	skip "page faults in functions that are bound late" "$(tail -1 "$tmp/err")"
fi
