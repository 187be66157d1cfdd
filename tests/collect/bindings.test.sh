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

# started NAME ENVIRONMENT...: starts a program, $process, that waits for names on descriptor 3
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

# bound FUNCTION: what is bound below FUNCTION in a call of the library, according to the recording
bound() { awk -v of=";$1;[[]binds " '$0 ~ of { print }' "$tmp/folded" | grep -o ';\[binds [^;]*\];' | tr -d ';' | sort -u; }

# For a jump, the file is known only from the process's memory, so the process must live until its stacks have been
# walked.
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

# Stacks that perf copied: the process has ended, and a jump is only in the code of the library.
ended_before()
{
	# Whether a page is missing during a binding depends on where libraries were loaded.
	perf record -q -e page-faults -c 1 --call-graph dwarf -o "$tmp/perf.data" -- sh -c '
		for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
			printf "%s\n" lazy_yield lazy_parent lazy_length | "$1"
		done' sh "$tmp/$1/calls" >"$tmp/out" 2>"$tmp/err"
	$pyrograph collapse -q "$tmp/perf.data" >"$tmp/folded"
	is "$1: a process that has ended: what its library binds in a call" "$(bound lazy_yield)" "[binds sched_yield of liblate.so]"
	is "... in a jump" "$(bound call | grep liblate)" "[binds getppid of liblate.so]"
}
if command -v perf >/dev/null && perf record -q -B -e page-faults -o "$tmp/perf.data" true >"$tmp/err" 2>&1; then
	live ended_before lazy
	live ended_before ibt
else
	skip "stacks of a process that has ended" "no perf, or no right"
fi

# ---- samples of running code ----

# A library that calls 500 functions of another one, and a program that loads that library again and again.
mkdir "$tmp/cpu"
seq 500 | sed 's/.*/void made_&(void) {}/' >"$tmp/cpu/made.c"
{ seq 500 | sed 's/.*/void made_&(void);/' && echo 'void use(void) {' && seq 500 | sed 's/.*/made_&();/' && echo '}'; } >"$tmp/cpu/use.c"
cat >"$tmp/cpu/loads.c" <<'END'
#include <dlfcn.h>
#include <time.h>

int main(int argc, char **argv)
{
	while (argc && clock() < CLOCKS_PER_SEC * 6 / 10) {
		void *library = dlopen(argv[1], RTLD_LAZY);

		((void (*)(void))dlsym(library, "use"))();
		dlclose(library);
	}
	return 0;
}
END
(cd "$tmp/cpu" && gcc -w -shared -fPIC made.c -o libmade.so && gcc -w -shared -fPIC -Wl,-z,lazy use.c -o libuse.so &&
	gcc -w -Wl,--no-as-needed loads.c -L. -lmade -Wl,-rpath,"$PWD" -o loads) || exit 1

sampling()
{
	status "samples of a program that binds" 0 $collect -F 997 --call-graph dwarf -o "$tmp/cpu.data" -- \
		"$tmp/cpu/loads" "$tmp/cpu/libuse.so"
	$pyrograph collapse -q "$tmp/cpu.data" >"$tmp/folded"
	# Functions of ld.so have names only with debug information; those below use() are the library's own.
	awk '/;use;/ && !/;use;made_/ { n = $NF; all += n; if (/;use;\[binds made_[0-9]+ of libuse.so\]/) right += n; else if (!/;use;\.plt/) print }
		END { print all + 0, right + 0 }' "$tmp/folded" >"$tmp/got"
	some "... are found in it" "$(tail -1 "$tmp/got" | cut -d' ' -f1)" 50
	some "... and say what, of 100 of them" "$(tail -1 "$tmp/got" | awk '{ printf "%d", 100 * $2 / $1 }')" 90
	is "... nothing else is bound" "$(grep -o '\[binds [^;]*' "$tmp/folded" | grep -vcE '^\[binds (made_[0-9]+ of libuse.so|[a-z]* of loads)\]')" 0
}
if $collect -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	live sampling
else
	skip "samples of a program that binds" "$(tail -1 "$tmp/err")"
fi

# ---- collect bindings ----

# listed FILE: the functions of FILE that are listed as not bound
list()   { $pyrograph collect bindings -p "$process" >"$tmp/list" 2>"$tmp/err"; }
listed() { awk -F'\t' -v file="/$1\$" '$2 ~ file { print $3 }' "$tmp/list" | sort | tr '\n' ' '; }
total()  { sed -n "s|^# $process .*/$1: ||p" "$tmp/list"; }

listing()
{
	started "$1"
	list
	is "$1: before any call" "$(listed liblate.so)" "getppid sched_yield strlen "
	is "... of the program" "$(listed calls)" "lazy_length lazy_parent lazy_yield madvise printf "
	call lazy_yield
	list
	is "... after a call" "$(listed liblate.so)" "getppid strlen "
	is "... of the program, which has now called others, too" "$(listed calls)" "lazy_length lazy_parent "
	is "... its total" "$(total liblate.so)" "2 of 3 functions not bound yet"
	rm "$tmp/$1/liblate.so"
	call lazy_parent
	list
	is "... of a file that was deleted" "$(listed liblate.so)" "strlen "
	is "... lines are PID, file and function" "$(awk -F'\t' -v pid=$process \
		'!/^#/ && (NF != 3 || $1 != pid || $2 !~ /^\//)' "$tmp/list")" ""
	is "... as many as the total says" "$(grep -c '^[0-9]' "$tmp/list")" "$(sed -n "s/^# $process: \([0-9]*\) of .*/\1/p" "$tmp/list")"
	has "... a hint" "$tmp/err" "LD_BIND_NOW=1 in a program's environment binds all $(sed -n "s/^# $process: [0-9]* of \([0-9]*\) .*/\1/p" \
		"$tmp/list") functions at its start"
	ended
	status "... a process that has ended" 1 $pyrograph collect bindings -p $process
	has "... it is said" "$tmp/err" "no process $process"
}
listing lazy
listing ibt

started now
list
is "-z now" "$(listed liblate.so)" ""
is "... is said" "$(total liblate.so)" "3 functions, bound at the start: linked with -z now"
ended

rm "$tmp/lazy/calls" && rmdir "$tmp/lazy" && built lazy -Wl,-z,lazy
started lazy LD_BIND_NOW=1
list
is "LD_BIND_NOW" "$(total liblate.so)" "0 of 3 functions not bound yet"
is "... is said" "$(sed -n "s/^# $process: .*; //p" "$tmp/list")" "LD_BIND_NOW is set"
is "... without a hint" "$(cat "$tmp/err")" ""
status "two processes" 0 $pyrograph collect bindings -p $process,$$
is "... both have a total" "$(grep -cE "^# ($process|$$): " "$tmp/out")" 2
status "--json" 0 $pyrograph collect bindings --json -p $process,$$
is "... says the same as the text" "$(python3 - "$tmp/out" <<'END'
import json, sys
all = json.load(open(sys.argv[1]))
for p in all["processes"]:
    for f in p["files"]:
        for name in f["unbound"]:
            print(p["pid"], f["path"], name, sep="\t")
    assert p["unbound"] == sum(len(f["unbound"]) for f in p["files"])
    assert p["functions"] == sum(f["functions"] for f in p["files"] if f["kind"] == "lazy")
assert all["unbound"] == sum(p["unbound"] for p in all["processes"])
print([p["bind_now"] for p in all["processes"]], all["start_us"] > 0)
END
)" "$($pyrograph collect bindings -p $process,$$ 2>"$tmp/err" | grep -v '^#'; echo "[True, False] True")"
has "... which files have nothing to bind, too" "$tmp/out" '"kind":"lazy","functions":3,"unbound":[]}'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp "$(command -v "$pyrograph")-collect" "$tmp/collect" && chmod 755 "$tmp" "$tmp/collect"
	status "without the right" 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/collect" bindings -p $process
	has "... it is said" "$tmp/err" "no right to read its memory"
fi
ended

static="statically linked programs"
if echo 'int main(void) { return getchar() > 0; }' | gcc -static -include stdio.h -x c - -o "$tmp/alone" 2>"$tmp/err"; then
	mkfifo "$tmp/hold"
	"$tmp/alone" <"$tmp/hold" &
	process=$!
	exec 3>"$tmp/hold" # opened by the shell before it becomes the program
	before 30 grep -q "^alone" "/proc/$process/comm"
	list
	is "$static" "$(total alone)" "statically linked: nothing to bind"
	ended
else
	skip "$static" "none can be linked here"
fi

: >"$tmp/out"
python3 -c '
import mmap, sys
file = open(sys.executable, "rb")
maps = [mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ) for _ in range(5000)]
print("ready", flush=True)
sys.stdin.read()' <"$tmp/names" >"$tmp/out" &
process=$!
exec 3>"$tmp/names"
before 30 lines "$tmp/out" ready 1
list
is "5,000 mappings of a file as data: its code counts once" "$(sed 's/:.*//' "$tmp/list" | grep '^#' | sort | uniq -d)" ""
has "... and is listed" "$tmp/list" "# $process $(readlink -f "/proc/$process/exe"): "
ended
