# Functions of one name in several files of a recording: only siblings get different names, and all readers of lines see
# these names.
# live: a program of two libraries
. tests/tap.sh
. tests/served.sh

# folds WHAT FILE WANTED [OPTIONS]: the lines of a file, joined by ","
folds()
{
	what=$1 file=$2 wanted=$3
	shift 3
	run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q "$@" "$tmp/$file"
	is "$what: $*" "$(grep -v '^#' "$tmp/lines" | paste -sd,)" "$wanted"
}

# libfoo.so is in two directories, libbar.so was replaced while in use, and JIT-compiled code is in no file.
cat >"$tmp/rec.txt" <<'END'
event cpu-clock 1 0
comm 0 10 10 app
mmap 0 10 0x1000 0x1000 0 /opt/app
mmap 0 10 0x10000 0x1000 0 /opt/a/libfoo.so
mmap 0 10 0x20000 0x1000 0 /opt/b/libbar.so
mmap 0 10 0x30000 0x1000 0 /opt/c/libfoo.so
mmap 0 10 0x40000 0x1000 0 /opt/b/libbar.so (deleted)
mmap 0 10 0x50000 0x1000 0 //anon
mmap 0 10 0x60000 0x1000 0 /tmp/jitted-10-1.so
mmap 0 10 0x70000 0x1000 0 /tmp/jitted-10-2.so
comm 0 11 11 other
mmap 0 11 0x1000 0x1000 0 /opt/other
sample 1000 10 10 0 0x10100 0x1101
sample 1001 10 10 0 0x20100 0x1101
sample 1002 10 10 0 0x40100 0x1101
sample 1003 10 10 0 0x20200 0x10101 0x1201 0x1101
sample 1004 10 10 0 0x20300 0x10101 0x1201 0x1101
sample 1005 10 10 0 0x10900 0x1101
sample 1006 10 10 0 0x30900 0x1101
sample 1007 10 10 0 0x50100 0x1101
sample 1008 10 10 0 0x60100 0x1101
sample 1009 10 10 0 0x70100 0x1101
sample 1010 10 10 0 k: 0xffffffff81000100 u: 0x1100
sample 1011 10 10 0 0x20200 0x1201 0x1101
sample 1012 10 10 0 0x30200 0x1301 0x1101
sample 1013 11 11 0 0x1100
symbol-module elf 8:1:4d /opt/app
symbol 0x100 0x10 main
symbol 0x200 0x10 work
symbol 0x300 0x10 call
symbol-module elf 8:1:4d /opt/a/libfoo.so
symbol 0x100 0x10 read
symbol-line source 0 /src/foo.c
symbol-line function 0 step
symbol-line @100 0 12
symbol-line +0 3 0
symbol-module elf 8:1:4d /opt/b/libbar.so
symbol 0x100 0x10 read
symbol 0x200 0x10 only
symbol 0x300 0x10 step
symbol-module elf 8:1:4d /opt/c/libfoo.so
symbol 0x200 0x10 only
symbol-module elf 8:1:4d /opt/b/libbar.so (deleted)
symbol 0x100 0x10 read
symbol-module jit 10 /tmp/perf-10.map
symbol 0x50100 0x10 read
symbol-module elf 8:1:4d /tmp/jitted-10-1.so
symbol 0x100 0x10 hot
symbol-module elf 8:1:4d /tmp/jitted-10-2.so
symbol 0x100 0x10 hot
symbol-module kernel - [kernel.kallsyms]
symbol 0xffffffff81000100 0x10 read
symbol-module elf 8:1:4d /opt/other
symbol 0x100 0x10 main
END
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" <"$tmp/rec.txt"

siblings="app;main;[libfoo.so] (a/libfoo.so) 1,app;main;[libfoo.so] (c/libfoo.so) 1,app;main;call;only 1,app;main;hot 2,\
app;main;read 1,app;main;read ([kernel.kallsyms]) 1,app;main;read (libbar.so) 2,app;main;read (libfoo.so);step_[i] 1,\
app;main;work;only 1,app;main;work;read (libfoo.so);step_[i];only 1,app;main;work;read (libfoo.so);step_[i];step 1,other;main 1"
folds "siblings" rec.data "$siblings"
folds "siblings" rec.data "$siblings" --files=needed
folds "one by their names" rec.data "app;main;[libfoo.so] 2,app;main;call;only 1,app;main;hot 2,app;main;read 4,\
app;main;read;step_[i] 1,app;main;work;only 1,app;main;work;read;step_[i];only 1,app;main;work;read;step_[i];step 1,\
other;main 1" --files=never
folds "code with a file" rec.data "app;main (app);[libfoo.so] (a/libfoo.so) 1,app;main (app);[libfoo.so] (c/libfoo.so) 1,\
app;main (app);call (app);only (libfoo.so) 1,app;main (app);hot 2,app;main (app);read 2,app;main (app);read (libbar.so) 2,\
app;main (app);read (libfoo.so);step (libfoo.so)_[i] 1,app;main (app);work (app);only (libbar.so) 1,\
app;main (app);work (app);read (libfoo.so);step (libfoo.so)_[i];only (libbar.so) 1,\
app;main (app);work (app);read (libfoo.so);step (libfoo.so)_[i];step (libbar.so) 1,other;main (other) 1" --files
folds "... with its path" rec.data "app;main (/opt/app);[libfoo.so] (/opt/a/libfoo.so) 1,app;main (/opt/app);[libfoo.so] \
(/opt/c/libfoo.so) 1,app;main (/opt/app);call (/opt/app);only (/opt/c/libfoo.so) 1,app;main (/opt/app);work (/opt/app);only \
(/opt/b/libbar.so) 1" --files=full --exclude 'read|hot|other'
folds "programs with one caller" rec.data "main (app);hot 2,main (other) 1" --root none --include 'hot|other'
folds "offsets, and lines, come first" rec.data "app;main+0x0;read+0x0 1,app;main+0x0;read+0x0 ([kernel.kallsyms]) 1,\
app;main+0x0;read+0x0 (libbar.so) 2,app;main+0x0;read+0x0 (libfoo.so);step_[i] 1" --offsets --include 'main.0x0;read'
folds "a line tells, too" rec.data "app;main;read:foo.c:12;step:foo.c:3_[i] 1" --srcline --include 'main;read:'
folds "annotations come last" rec.data "app;main (app);read (libbar.so) 2,app;main (app);read (libfoo.so);step (libfoo.so)_[i] 1,\
app;main (app);read_[j] 1,app;main (app);read_[k] 1" --files --all --include 'main .app.;read'
folds "a deleted file is the same one" rec.data "app;main;read (libbar.so) 2" --include 'read .libbar'

# The entry of a program is one frame, although each start of a program has samples of the dynamic linker's entry, too.
sed '/^mmap 0 11/a mmap 0 11 0x10000 0x1000 0 /opt/ld.so' "$tmp/rec.txt" |
	sed '/^sample 1013/c sample 1013 11 11 0 0x1100\nsample 1014 11 11 0 0x10100\nsample 1015 11 11 0 0x10200 0x10101' |
	sed '/opt.other$/{/^symbol-module/,$s/.*/&\nsymbol 0x100 0x10 _start/;}; $d' >"$tmp/entry.txt"
printf 'symbol-module elf 8:1:4d /opt/ld.so\nsymbol 0x100 0x10 _start\nsymbol 0x200 0x10 _dl_start\n' >>"$tmp/entry.txt"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/entry.data" <"$tmp/entry.txt"
folds "entries of programs" entry.data "other;_start 2,other;_start;_dl_start 1" --include other
folds "entries of programs, all with files" entry.data "other;_start (ld.so) 1,other;_start (ld.so);_dl_start (ld.so) 1,\
other;_start (other) 1" --include other --files

# What options do to stacks: they see the shown texts, and do not merge functions of two files into one frame.
folds "siblings by" rec.data "app;only (libbar.so) 2,app;only (libfoo.so) 1" --focus only
folds "siblings by" rec.data "app;main;only (libbar.so) 1,app;main;only (libfoo.so) 1" --hide 'work|call' --include 'main;only'
folds "siblings by" rec.data "only (libbar.so) 2,only (libfoo.so) 1" --skip-after only --include '^only'
folds "siblings by" rec.data "app;main;read (libfoo.so);step 1,app;main;work;read (libfoo.so);step;only 1,\
app;main;work;read (libfoo.so);step;step 1" --merge-annotations --include step
folds "seen by" rec.data "app;main 3,app;main;read (libfoo.so);step_[i] 1" --hide 'libbar|kernel|app' --include 'main$|;read .libfoo' \
	--exclude 'work|other'
folds "seen by" rec.data "app;read (libfoo.so);step_[i] 1,app;read (libfoo.so);step_[i];only 1,app;read (libfoo.so);step_[i];step 1" \
	--focus 'read .libfoo'
folds "two functions, no recursion," rec.data "app;main;work;read (libfoo.so);step_[i];step 1" --recursive --no-wakers --include 'step$'
folds "by name it is one" rec.data "app;main;work;read;step 1" --recursive --files=never --merge-annotations --include 'work.*step$'
for options in "" --files --files=never "--focus read" --root=none "--hide main" "--recursive=indirect --merge-annotations"; do
	# shellcheck disable=SC2086 # words
	run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q $options "$tmp/rec.data"
	wanted=14
	[ "$options" != "--focus read" ] || wanted=7
	is "the sum stays: $options" "$(total "$tmp/lines")" "$wanted"
	is "... each line is there once" "$(sed 's/ [0-9]*$//' "$tmp/lines" | sort | uniq -d)" ""
done

# Each way out.
folds "timed" rec.data "@0.000001000 app;main;read (libfoo.so);step_[i] 1,@0.000001001 app;main;read (libbar.so) 1,\
@0.000001002 app;main;read (libbar.so) 1,@0.000001007 app;main;read 1,@0.000001010 app;main;read ([kernel.kallsyms]) 1" \
	--timed --include 'main;read'
folds "for a heat map" rec.data "@0.000001001 app;app-10/app;cpu0;main;read (libbar.so) 1,\
@0.000001002 app;app-10/app;cpu0;main;read (libbar.so) 1" --heat --include 'libbar'
for format in pprof speedscope firefox chrome samples; do
	run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --out $format -o "$tmp/written" "$tmp/rec.data"
	if [ $format = pprof ]; then gzip -dc <"$tmp/written" >"$tmp/texts"; else cp "$tmp/written" "$tmp/texts"; fi
	is "$format: each function by itself" "$(grep -ao 'read ([^)]*)\|\[libfoo.so\] ([^)]*)' "$tmp/texts" | sort -u | paste -sd,)" \
		"[libfoo.so] (a/libfoo.so),[libfoo.so] (c/libfoo.so),read ([kernel.kallsyms]),read (libbar.so),read (libfoo.so)"
done
run_to "$tmp/a" "$tmp/err" "$pyrograph" collapse --quality "$tmp/rec.data"
run_to "$tmp/b" "$tmp/err" "$pyrograph" collapse --quality --files=never "$tmp/rec.data"
same "--quality counts the same frames" "$tmp/b" "$tmp/a"

folds "root frames and leaves only" rec.data "app;cpu0 13,other;cpu0 1" --no-stack --leaf cpu --hide main --files

# A thread with the name of its function, and stacks of wakers.
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/woken.data" <<'END'
span-event offcpu 1
clock 1000000000 1795342502000000000
comm 0 10 10 reader
comm 0 20 20 server
comm 0 20 21 work
mmap 0 10 0x1000 0x1000 0 /bin/app
mmap 0 20 0x1000 0x1000 0 /bin/app
mmap 0 20 0x2000 0x1000 0 /lib/b.so
span 1000000000 1300000000 10 10 0 300000000 1 300000000 single u: 0x1100 state:sleeping waker:20:21 u: 0x1201
span 1000000000 1300000000 10 10 0 300000000 1 300000000 single u: 0x1100 state:sleeping waker:20:21 u: 0x2201
symbol-module elf 8:1:4d /bin/app
symbol 0x100 0x20 main
symbol 0x200 0x20 work
symbol-module elf 8:1:4d /lib/b.so
symbol 0x200 0x20 work
END
folds "wakers" woken.data "reader;main;--;work (app)_[w];work_[w] 300000000,reader;main;--;work (b.so)_[w];work_[w] 300000000" \
	--offcpu --waits all --root comm

# Lines of several recordings are compared, and merged, so the text of one must not depend on what else its recording
# has.
grep -v '^sample 100[12] ' "$tmp/rec.txt" >"$tmp/one.txt"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/one.data" <"$tmp/one.txt"
run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q --diff --include 'main;read' "$tmp/one.data" "$tmp/rec.data"
is "--diff: by names" "$(grep -v '^#' "$tmp/lines" | paste -sd,)" "app;main;read 2 4,app;main;read;step_[i] 1 1"
run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q --diff --files=full --include 'app.;read ..opt/b/libbar' "$tmp/one.data" "$tmp/rec.data"
is "... and by files" "$(grep -v '^#' "$tmp/lines" | paste -sd,)" "app;main (/opt/app);read (/opt/b/libbar.so) 0 2"
run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q --include 'main;read' "$tmp/one.data" "$tmp/rec.data"
is "several recordings: by names" "$(grep -v '^#' "$tmp/lines" | paste -sd,)" "app;main;read 6,app;main;read;step_[i] 2"
run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q --files=full --include 'app.;read ..opt/b/libbar' "$tmp/one.data" "$tmp/rec.data"
is "... and by files" "$(grep -v '^#' "$tmp/lines" | paste -sd,)" "app;main (/opt/app);read (/opt/b/libbar.so) 2"

# ---- the text of perf script, which names the file of each frame ----
cat >"$tmp/script.txt" <<'END'
app 10 [000] 1.000001: 1 cpu-clock: 
	           10100 read+0x0 (/opt/a/libfoo.so)
	            1101 main+0x1 (/opt/app)

app 10 [000] 1.000002: 1 cpu-clock: 
	           20100 read+0x0 (/opt/b/libbar.so (deleted))
	            1101 main+0x1 (/opt/app)

app 10 [000] 1.000003: 1 cpu-clock: 
	           30900 [unknown] (/opt/c/libfoo.so)
	           30800 step (inlined)
	           30800 only+0x0 (/opt/c/libfoo.so)
	            1101 main+0x1 (/opt/app)

app 10 [000] 1.000004: 1 cpu-clock: 
	ffffffff81000100 read+0x0 ([kernel.kallsyms])
	           50100 read+0x0 (/tmp/perf-10.map)
	           50200 read+0x0 (//anon)
	            1101 main+0x1 (/opt/app)

END
folds "text" script.txt "app;main;only;step_[i];[libfoo.so] 1,app;main;read 2,app;main;read;read;read 1"
folds "text" script.txt "app;main (app);only (libfoo.so);step_[i];[libfoo.so] 1,app;main (app);read;read;read_[k] 1,\
app;main (app);read (libbar.so) 1,app;main (app);read (libfoo.so) 1" --files --kernel
folds "text" script.txt "app;main+0x1 (/opt/app);only+0x0 (/opt/c/libfoo.so);step;[libfoo.so] (/opt/c/libfoo.so) 1" --files=full \
	--offsets --include only --merge-annotations
folds "text" script.txt "app;main;read;read;read 1,app;main;read (libbar.so) 1,app;main;read (libfoo.so) 1" --files=needed \
	--include 'main;read'

# ---- a program ----
# The same function calls functions with the same names in two libraries.
cat >"$tmp/part.c" <<'END'
static volatile unsigned long n;
__attribute__((noinline)) static void spin(void)
{
	for (int i = 0; i < 1000; i++)
		n += i;
}
__attribute__((noinline)) void enter(long times)
{
	while (times-- > 0)
		spin();
	n++;
}
END
cat >"$tmp/calls.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
static long cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}
__attribute__((noinline)) static long call(void (*enter)(long), long want_ns)
{
	long began = cpu_ns(), spent;
	while ((spent = cpu_ns() - began) < want_ns)
		enter(100);
	return spent;
}
int main(int argc, char **argv)
{
	long spent[2] = { 0 };
	for (int i = 1; argc == 3 && i < argc; i++) {
		void *part = dlopen(argv[i], RTLD_NOW);
		void (*enter)(long) = part ? (void (*)(long))dlsym(part, "enter") : 0;
		if (!enter)
			return 1;
		spent[i - 1] = call(enter, i * 200000000L);
	}
	return printf("%ld %ld\n", spent[0], spent[1]) < 0;
}
END
mkdir "$tmp/one" "$tmp/two"
flags="-O0 -g -fno-omit-frame-pointer"
# shellcheck disable=SC2086 # words
if ! { ${CC:-cc} $flags -shared -fPIC "$tmp/part.c" -o "$tmp/one/libpart.so" && cp "$tmp/one/libpart.so" "$tmp/two" &&
	${CC:-cc} $flags "$tmp/calls.c" -o "$tmp/calls" -ldl; } 2>"$tmp/err"; then
	not_ok "the program and its libraries" "$tmp/err"
	exit
fi

# sums: of the last lines: those with each library's function, and those that do not tell the library
sums()
{
	awk '!/^#/ { one += /enter \(one\/libpart.so\)/ ? $NF : 0; two += /enter \(two\/libpart.so\)/ ? $NF : 0
		other += /;enter[ ;]/ && !/;enter \((one|two)\// ? $NF : 0 } END { print one + 0, two + 0, other + 0 }' "$tmp/lines"
}

# judge_shares WHAT SUMS: compares the shares of time with those that the program printed
judge_shares()
{
	if echo "$2 $(cat "$tmp/spent")" | awk '{ share = $1 / ($1 + $2 + !($1 + $2)); wanted = $4 / ($4 + $5)
		exit !($1 + $2 > 50 && !$3 && share > wanted - 0.1 && share < wanted + 0.1) }'; then
		ok "$1: each library's function by itself"
	else
		not_ok "$1: each library's function by itself" "$2" "$tmp/spent" "$tmp/lines"
	fi
}

perf_judged()
{
	perf record -q -e cpu-clock:u -F 499 -g --no-bpf-event -o "$tmp/perf.data" -- \
		"$tmp/calls" "$tmp/one/libpart.so" "$tmp/two/libpart.so" >"$tmp/spent" 2>"$tmp/err" || not_ok "perf record" "$tmp/err"
	run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q "$tmp/perf.data"
	shown=$(sums)
	judge_shares "perf record" "$shown"
	perf script -i "$tmp/perf.data" -F ip,sym,dso 2>"$tmp/err" | awk '/ enter \(.*\/one\/libpart.so\)/ { a++ }
		/ enter \(.*\/two\/libpart.so\)/ { b++ } END { print a + 0, b + 0, 0 }' >"$tmp/perf.sums"
	is "... as perf script counts them" "$shown" "$(cat "$tmp/perf.sums")"
	run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q --files=never "$tmp/perf.data"
	is "... and together by name" "$(awk '/;enter[ ;]/ { n += $NF } END { print n }' "$tmp/lines")" \
		"$(awk '{ print $1 + $2 }' "$tmp/perf.sums")"
}

ours_judged()
{
	"$pyrograph" collect cpu -q -F 499 -o "$tmp/ours.data" -- "$tmp/calls" "$tmp/one/libpart.so" "$tmp/two/libpart.so" \
		>"$tmp/spent" 2>"$tmp/err" || not_ok "collect cpu" "$tmp/err"
	run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse -q "$tmp/ours.data"
	judge_shares "collect cpu" "$(sums)"
}

if ! command -v perf >/dev/null || ! perf record -q -B --no-bpf-event -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf's recording" "perf record does not work here: $(tail -1 "$tmp/err")"
else
	live perf_judged
fi
if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "our recording" "$(tail -1 "$tmp/err")"
else
	live ours_judged
fi
