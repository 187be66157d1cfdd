# Kernels with defects, whose version a library gives in place of this one's: what is avoided, and said.
# live: recordings of a program in Python, and of one that spins
. tests/tap.sh
. tests/collect/common.sh
need_sampling "defects of kernels"
$pyrograph collect usable sched 2>/dev/null | grep -q sched || { skip "defects of kernels" "no right to BPF"; exit 0; }
[ -z "${SAN:-}" ] || { skip "defects of kernels" "a sanitizer wants to be the first library"; exit 0; }

cat >"$tmp/release.c" <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int uname(struct utsname *names)
{
	syscall(SYS_uname, names);
	strcpy(names->release, getenv("RELEASE"));
	strcpy(names->version, "#1 SMP");
	return 0;
}
END
cc -shared -fPIC -o "$tmp/release.so" "$tmp/release.c" 2>"$tmp/err" || { skip "defects of kernels" "no compiler"; exit 0; }
# of RELEASE COMMAND ...
of() { release=$1; shift; env RELEASE="$release" LD_PRELOAD="$tmp/release.so" "$@"; }

of 6.1.27 $pyrograph-collect usable --kernels >"$tmp/out" 2>"$tmp/err"
has "usable --kernels names a defect" "$tmp/out" "this kernel may hang if user memory is read in an interrupt: user stacks of spans"
of 6.1.36 $pyrograph-collect usable --kernels >"$tmp/out" 2>"$tmp/err"
has_not "... not where it is fixed" "$tmp/out" "this kernel may"
if [ "$(uname -m)" = x86_64 ]; then
	of 6.6.58 $pyrograph-collect usable >"$tmp/out" 2>"$tmp/err"
	has "uprobes that may crash are said" "$tmp/err" "without windows, alloc: this kernel may crash"
fi

avoided()
{
	status "6.1.27: offcpu" 0 of 6.1.27 $pyrograph-collect offcpu -o "$tmp/old.data" -- "$spin" 0.2 1
	has "... has its stacks by frame pointers, and why" "$tmp/err" "user stacks of spans of time by frame pointers, without functions of Python: this kernel may hang"
	is "... said once, for several" "$(of 6.1.27 $pyrograph-collect offcpu,wakeup -o "$tmp/old.data" -- "$spin" 0.2 1 2>&1 | grep -c "may hang")" 1
	status "... --force" 0 of 6.1.27 $pyrograph-collect offcpu --force -o "$tmp/old.data" -- "$spin" 0.2 1
	has_not "... walks them" "$tmp/err" "frame pointers"
}
live avoided

# python3 here may be a shell script that starts another program.
python=$(python3 -c 'import os; print(os.path.realpath("/proc/self/exe"))')
in_python()
{
	status "$1: cpu" 0 of "$1" $pyrograph-collect cpu -F 199 -o "$tmp/python.data" -- "$python" -c '
def busy():
    return sum(i * i for i in range(6000000))
busy()'
}
python_avoided()
{
	in_python 6.1.27
	has "... a program in Python has no functions, and why" "$tmp/err" "runs Python, of which stacks show the interpreter only, not its functions: this kernel may hang"
	in_python 6.1.36
	has_not "... it has them where that is fixed" "$tmp/err" "runs Python"
	some "... by their names" "$($pyrograph collapse -q "$tmp/python.data" | grep -c '__main__[.]busy')" 1
}
live python_avoided
