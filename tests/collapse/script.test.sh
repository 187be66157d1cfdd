# The text of perf script: fields in all combinations, text that other tools are known to read wrongly, and the same
# stacks as from the recording.
. tests/tap.sh
. tests/served.sh

# row WHAT INPUT WANTED [OPTIONS]: what some text becomes, without its header line; both are given with printf's
# escapes.  The format is found without --format, and lines that end in "\r\n" give the same result.
row()
{
	what=$1 wanted=$(printf "$3")
	printf "$2" >"$tmp/in"
	shift 3
	run_to "$tmp/all" "$tmp/all" "$pyrograph" collapse -q "$@" <"$tmp/in"
	lines_of "$tmp/all"
	is "$what${*:+ ($*)}" "$listed" "$wanted"
	served_ask carriage_returns "$tmp/in"
	run_to "$tmp/all" "$tmp/all" "$pyrograph" collapse -q "$@" <"$tmp/in"
	lines_of "$tmp/all"
	is "... with carriage returns" "$listed" "$wanted"
}

# ---- fields ----
stack='\t          401136 f+0x10 (/bin/a)\n\t          401100 main (/bin/a)\n\n'
row "all fields" "a 10/11 [002] 1.000000:  250000 cycles:u: \n$stack" 'a;main;f 250000'
row "tid only" "a    11 1.000000: cycles: \n$stack" 'a;main;f 1'
row "no time" "a    11 [002] cycles: \n$stack" 'a;main;f 1'
row "no time, a period" "a    11      17 cycles: \n$stack" 'a;main;f 17'
row "no event" "a    11 1.000000: \n$stack" 'a;main;f 1'
row "no event, a period" "a    11 1.000000:   12345 \n$stack" 'a;main;f 12345'
row "comm, ip" "a \n$stack" 'a;main;f 1'
row "comm, tid, ip" "a    11 \n$stack" 'a;main;f 1'
row "no comm" "   11 1.000000: cycles: \n$stack" 'main;f 1'
row "ip only" "\n\t          401136 f+0x10 (/bin/a)\n\t          401100 main (/bin/a)\n\n\n\t          401136 f (/bin/a)\n\t          401100 main (/bin/a)\n\n" \
	'main;f 2'
row "addresses only" "a 11 1.000000: cycles: \n\t          401136\n\t          401100\n\n" 'a;[unknown];[unknown] 1'
row "no dso" "a 11 1.000000: cycles: \n\t          401136 f+0x1\n\t          401100 operator()\n\n" 'a;operator();f 1'
row "dsoff" "a 11 1.000000: cycles: \n\t          401136 [unknown] (/bin/a+0x1136)\n\n" 'a;[a] 1'
row "misc" "a 11 [000] U  1.000000: cycles: \n$stack" 'a-?/11;main;f 1' --tid
row "nanoseconds" "a 11 1.000000001: cycles: \n$stack" '@1.000000001 a;main;f 1' --timed
row "microseconds" "a 11 1.000002: cycles: \n$stack" '@1.000002000 a;main;f 1' --timed
row "--header" "# ========\n# hostname : db1\n#\n\na 11 1.000000: cycles: \n$stack" 'a;main;f 1'
row "--header, an argument of several lines" "# ========\n# captured on    : now\n# cmdline : /usr/bin/perf record python3 -c import time\ndef f(n):\n    time.sleep(n)\n\nf 1 [000] 1.000000: 5 cycles:\n# hostname : db1\n# ========\n#\na 11 1.000000: cycles: \n$stack" \
	'a;main;f 1'
row "branches and registers" "a 11 1.000000: cycles: \n\t          401136 f (/bin/a)\n ABI:2    AX:0x1    BX:0x2 \n 0x401/0x402/P/-/-/0 \n\n" 'a;f 1'
row "mappings and forks" "a 11 1.000000: PERF_RECORD_MMAP2 10/11: [0x1(0x2) @ 0 08:01 1 1]: r-xp /bin/a\na 11 1.000000: cycles: \n$stack" 'a;main;f 1'
row "names of threads, namespaces" "a 11 1.000000: PERF_RECORD_COMM: a:10/11\na 11 1.000000: PERF_RECORD_NAMESPACES 10/11 - nr_namespaces: 5\n\t\t[0/net: 4/0xf0000098, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xeffffffc, \n\t\t 4/user: 4/0xeffffffd]\na 11 1.000000: cycles: \n$stack" \
	'a;main;f 1'
row "a tracepoint" "a 11 [000] 1.000000: sched:sched_switch: prev_comm=x: prev_pid=1 2.000000: y ==> next_comm=z\n$stack" 'a;main;f 1'
row "a probe" "a 11 1.000000: probe:f: (ffff8000)\n$stack" 'a;main;f 1'
row "no stack, no address" "           a    11 [000] 1.000000:  5 cycles: \n           b    12 [000] 1.000000:  6 cycles: \n" 'a 5\nb 6'
row "no -g" "            a    11 1.000000:    5 cycles:u:      7f12 f+0x1 (/bin/a)\n           dd    12 1.000000:    6 cycles:u:      7f12 g (/bin/a)\n" \
	'a;f 5\ndd;g 6'
row "no -g, no event" "            a    11 1.000000:      7f12 f+0x1 (/bin/a)\n" 'a;f 1'
row "no -g, a tracepoint" "            a    11 1.000000: x:y: n=1      7f1234 f+0x1 (/bin/a)\n" 'a;f 1'
row "no -g, no time" "            a    11 cycles:      7f12 f+0x1 (/bin/a)\n            a    12 cycles:      7f12 f (/bin/a)\n" 'a;f 2'
row "simpleperf: microseconds without zeros" \
	"b c\t11 [007] 9.8374:\t\t1000000 cpu-clock:\n        b24c8daf\tart::f(int) (/lib/a.so)\n\nb c\t11 [007] 10.123456:\t\t1 cpu-clock:\n        b24c8daf\tg (/a)\n" \
	'b_c;art::f 1\nb_c;g 1'
row "frames without blanks before them" "java 19983 cycles:\nffffffff8103d0ca write_msr ([kernel.kallsyms])\nffffffff810275f1 main ([kernel.kallsyms])\n\n" \
	'java;main;write_msr 1'
row "a header without a stack" "a 11 1.000000: 5 cycles: \n\nb 12 1.000000: 6 cycles: \n$stack" 'a 5\nb;main;f 6'
row "a blank line after the header" "a 11 1.000000: 5 cycles: \n\n$stack" 'a;main;f 5'
row "no blank lines" "a 11 1.000000: 5 cycles: \n\t  401136 f (/bin/a)\nb 11 1.000000: 6 cycles: \n\t  401136 f (/bin/a)\nc 11 1.000000: 7 cycles: \n\t  401136 f (/bin/a)\n" \
	'a;f 5\nb;f 6\nc;f 7'

# ---- names of events with blanks ----
row "a raw event" "a 10/11 [002] 1.000000:  250000 raw 0x1a8: \n$stack" 'a;main;f 250000'
row "... without a period" "a 11 1.000000: raw 0x1a8:u: \n$stack" 'raw 0x1a8:u;a;main;f 1' --root event,comm
row "... no time" "a 3 11 [002] raw 0x1a8: \n$stack" 'raw 0x1a8;a_3;main;f 1' --root event,comm
row "... no time, a period" "a 11      17 raw 0x1a8: \n$stack" 'a;main;f 17'
row "... no -g" "            a    11 1.000000:    5 my own event:      7f12 f+0x1 (/bin/a)\n           dd    12 1.000000:    6       cycles:u:      7f12 g (/bin/a)\n" \
	'cycles:u;dd;g 1\nmy own event;a;f 1' --root event,comm --event all
row "a tracepoint's text is not a name" "a 11 1.000000: work struct 0000abcd1234: function x\n$stack" '[unknown];a;main;f 1' --root event,comm
row "nor a frame with a colon" "a 11 1.000000:     7f12 operator new: x (/bin/a)\n" 'a;operator new: x 1'

# ---- what BPF programs put out ----
output='       BPF output: 0000: 52 61 69 73 65 20 61 20  Raise a \n                   0008: 21 00                     !.\n       BPF string: "Raise a !"\n'
row "before the stack" "a 11 1.000000: 5 evt: \n$output$stack" 'a;main;f 5'
row "... and a blank line" "a 11 1.000000: 5 evt: \n$output\n${stack}b 11 1.000000: 5 evt: \n$output\n$stack" 'a;main;f 5\nb;main;f 5'
row "behind the stack and a blank line" "a 11 1.000000: 5 evt: \n$stack$output\nb 11 1.000000: 5 evt: \n$stack$output\n" 'a;main;f 5\nb;main;f 5'
row "... no time" "a 11 evt: \n$stack$output\nb 11 evt: \n$stack$output\n" 'a;main;f 1\nb;main;f 1'
row "behind the stack" "a 11 1.000000: 5 evt: \n${stack%??}$output\n" 'a;main;f 5'
row "no -g" "a 11 1.000000: 5 evt:      7f12 f+0x1 (/bin/a)\n$output\nb 11 1.000000: 5 evt:      7f12 f+0x1 (/bin/a)\n$output\n" 'a;f 5\nb;f 5'

# ---- names of threads ----
row "one letter" "a 1 1.000000: 5 cycles:\n$stack" 'a;main;f 5'
row "a number at the end" "worker 7 1234/1250 [001] 1.000000: 5 cycles:\n$stack" 'worker_7-1234/1250;main;f 5' --tid
row "a number at the end, tid only" "Thread 1 4242 1.000000: 5 cycles:\n$stack" 'Thread_1;main;f 5'
row "a number at the end, no tid" "worker 7 1.000000: 5 cycles:\n${stack}bash 1.000000: 5 cycles:\n$stack" 'bash;main;f 5\nworker_7;main;f 5'
row "blanks before" "   a 1/2 1.000000: 5 cycles:\n$stack" 'a-1/2;main;f 5' --tid
row "blanks inside" "V8 WorkerThread 24636/25607 [000] 94564.109216: 100 cycles:\n$stack" 'V8_WorkerThread-24636;main;f 100' --pid
row "colons" "kworker/0:1-ev 33 1.000000: 5 cycles:\n${stack}nginx: x 34 1.000000: 5 cycles:\n$stack" 'kworker/0:1-ev;main;f 5\nnginx:_x;main;f 5'
row "no name" ":-1 -1/-1 [000] 1542.427927: 5 cycles:\n${stack}bash 7/7 [000] 1542.427928: 5 cycles:\n$stack" ':-1;main;f 5\nbash;main;f 5'
row "a name that is hexadecimal" "cc 7/7 1.500000: 1 cycles:\n${stack}dd 8/8 1.500000: 1 cycles:\n$stack" 'cc;main;f 1\ndd;main;f 1'
row "a name like a time" "x 1.000000: 7/7 1.500000: 1 cycles:\n$stack" 'x_1.000000:;main;f 1'
row "... and like a CPU before it" "x [003] 1.500000: y 7/7 1.600000: 1 cycles:\n$stack" '[unknown cpu];x_[003]_1.500000:_y;main;f 1' --root cpu,comm
row "process and thread" "java 7/7 1.000000: cycles:\n${stack}dw-20 7/9 1.500000: cycles:\n$stack" 'java-7/dw-20;main;f 1\njava-7/java;main;f 1' --root thread
row "a process whose name is not known" "dw-20 7/9 1.500000: cycles:\n$stack" 'dw-20-7;main;f 1' --pid
row "the process is not known" "dw-20 9 1.500000: cycles:\n$stack" 'dw-20-?;main;f 1' --pid
row "--threads" "java 7/7 1.000000: cycles:\n${stack}V8 W 7/9 1.500000: cycles:\n$stack" 'V8_W;main;f 1' --threads 'V8 W'
row "--root" "java 7/7 [003] 1.000000: cycles:\n$stack" 'cpu3;cycles;java;main;f 1' --root cpu,event,comm
row "--heat" "java 7/7 [003] 1.000000: cycles:\n$stack" '@1.000000000 java;java-7/java;cpu3;main;f 1' --heat

# ---- frames ----
# frame WHAT LINE WANTED [OPTIONS]: what one frame becomes
frame()
{
	what=$1 line=$2 wanted=$3
	shift 3
	row "$what" "a 1/1 1.000000: 5 cycles:\n\t$line\n\n" "a;$wanted 5" "$@"
}
user='    7f722d142778' kernel=ffffffff8103ce3b
frame "operator->" "$user Foo::operator->() (/bin/a)" 'Foo::operator->'
frame "operator()" "$user Foo::operator()(int) const (/bin/a)" 'Foo::operator()'
frame "operator<" "$user Foo::operator< <int>(int) (/bin/a)" 'Foo::operator< <int>'
frame "operator<<" "$user std::operator<< (std::ostream) (/bin/a)" 'std::operator<< (std::ostream)'
frame "a function template" "$user std::_Function_handler<void (A&), B>::_M_invoke(int) (/bin/a)" 'std::_Function_handler<void (A&), B>::_M_invoke'
frame "... stripped" "$user std::_Function_handler<void (A&), B>::_M_invoke(int) (/bin/a)" 'std::_Function_handler::_M_invoke' --strip-templates
frame "an anonymous namespace" "$user (anonymous namespace)::f(int) (/bin/a)" '(anonymous namespace)::f'
frame "a lambda" "$user main::{lambda(int)#1}::operator()(int) const (/bin/a)" 'main::{lambda(int)#1}::operator()'
frame "Go" "$user net/http.(*Client).Do (/bin/a)" 'net/http.(*Client).Do'
frame "Rust" "$user core::ops::function::FnOnce<fn() -> T>::call (/bin/a)" 'core::ops::function::FnOnce<fn() -> T>::call'
frame "Rust, an array" "$user smallvec::SmallVec<[T; 4]>::push (/bin/a)" 'smallvec::SmallVec<[T: 4]>::push'
frame "Rust, mangled" "$user _ZN3std2rt5begin17h0123456789abcdefE (/bin/a)" 'std::rt::begin'
frame "C++, mangled" "$user _ZN3Foo3barEi+0x12 (/bin/a)" 'Foo::bar'
frame "... as it is" "$user _ZN3Foo3barEi+0x12 (/bin/a)" '_ZN3Foo3barEi' --demangle no
frame "parameters" "$user StealTask::do_it(GCTaskManager*, unsigned int) (/bin/a)" 'StealTask::do_it'
frame "... in full" "$user StealTask::do_it(GCTaskManager*, unsigned int) (/bin/a)" 'StealTask::do_it(GCTaskManager*, unsigned int)' --demangle full
frame "versions" "$user free@@GLIBC_2.2.5+0x1 (/lib/libc.so.6)" 'free'
frame "offsets" "$user f+0x1d (/bin/a)" 'f+0x1d' --offsets
frame "a semicolon" "$user f;g (/bin/a)" 'f:g'
frame "addresses that are not aligned" "        51 leaf1 (/bin/a)\n\t        52 leaf2 (/bin/a)\n\t        53 leaf3 (/bin/a)" 'leaf3;leaf2;leaf1'
frame "unknown, in a file" "$user [unknown] (/usr/lib/libc-2.28.so)" '[libc-2.28.so]'
frame "unknown" "$user [unknown] ([unknown])" '[unknown]'
frame "unknown, with its address" "$user [unknown] (/usr/lib/libc-2.28.so)" '[libc-2.28.so <0x7f722d142778>]' --addrs
frame "no name" "$user  (/usr/lib/libc-2.28.so)" '[libc-2.28.so]'
frame "deleted" "$user f+0x1 (/lib/x.so (deleted))" 'f'
frame "deleted, unknown" "$user [unknown] (/lib/x.so (deleted))" '[x.so]'
frame "a path with blanks and parentheses" "$user [unknown] (/opt/my app (x86)/bin)" '[bin]'
frame "... that do not match" "$user [unknown] (/opt/a)b (c/bin)" '[bin]'
frame "memory without a file" "$user [unknown] (//anon)" '[anon]'
frame "kernel" "$kernel do_idle+0x1 ([kernel.kallsyms])" 'do_idle_[k]' --kernel
frame "... only when asked for" "$kernel do_idle+0x1 ([kernel.kallsyms])" 'do_idle' --jit
frame "kernel, no name" "$kernel [unknown] ([kernel.kallsyms])" '[kernel.kallsyms]_[k]' --all
frame "kernel, no file" "$kernel do_idle" 'do_idle_[k]' --all
frame "a module" "$kernel nf_nat+0x1 ([nf_nat])" 'nf_nat_[k]' --all
for file in /boot/vmlinux-5.4.0 /lib/modules/4.1.0/build/vmlinux /lib/modules/x/nf_nat.ko /lib/modules/x/nf_nat.ko.xz '[nf_nat]' \
	'[kernel.kallsyms]' '[guest.kernel.kallsyms]'; do
	frame "kernel: $file" "          8c3453 f ($file)" 'f_[k]' --all
done
for file in '[vdso]' '[stack]' '[unknown]' '/opt/vmlinuxer' '/x.kow'; do
	frame "not kernel: $file" "$user f ($file)" 'f' --all
done
frame "not kernel: [vsyscall]" "ffffffffff600000 f ([vsyscall])" 'f' --all
for file in /tmp/perf-19982.map /tmp/jitted-31714-414.so '[JIT] tid 12' '[JIT app cache]'; do
	frame "JIT: $file" "$user f ($file)" 'f_[j]' --all
done
frame "JIT, no name" "$user [unknown] (/tmp/perf-19982.map)" '[jit]' --all
frame "Java" "$user Lcom/example/App;::run+0x1 (/tmp/perf-1.map)" 'com/example/App::run_[j]' --all
frame "Java, an older agent" "$user Lcom/example/App;.run([Ljava/lang/String;)V (/tmp/perf-1.map)" 'com/example/App.run'
frame "Java, the JVM's map" "$user void com.example.App.run(int) (/tmp/perf-1.map)" 'com.example.App.run'
frame "Java, inlined" "$user La/B;::a->Lc/D;::b->Le/F;::c (/tmp/perf-1.map)" 'a/B::a_[j];c/D::b_[i];e/F::c_[i]' --all
frame "... left out" "$user La/B;::a->Lc/D;::b (/tmp/perf-1.map)" 'a/B::a' --no-inline
frame "V8" "$user LazyCompile:*handle /srv/app.js:7 (/tmp/perf-1.map)" 'LazyCompile:handle /srv/app.js:7_[j]' --all
frame "V8, interpreted" "$user JS:~handle /srv/app.js:7 (/tmp/perf-1.map)" 'JS:handle /srv/app.js:7_[0]' --all
inlined='    7f722d142778 g (inlined)\n\t    7f722d142778 f+0x10 (/bin/a)'
frame "inlined" "$inlined" 'f;g_[i]'
frame "... left out" "$inlined" 'f' --no-inline
lines="$user g (inlined)\n  /src/b.c:7 (discriminator 2)\n\t$user f+0x10 (/bin/a)\n  a.c:12\n\t$user [unknown] (/bin/a)\n  a[1234]\n\t$user h (/bin/a)\n  ??:0"
frame "source lines" "$lines" 'h;[a];f:a.c:12;g:b.c:7_[i]' --srcline
frame "... by the other name" "$lines" 'h;[a];f:a.c:12;g:b.c:7_[i]' --context
frame "... not asked for" "$lines" 'h;[a];f;g_[i]'
same7f="$user [unknown] ([unknown])"
frame "a frame pointer that points to itself" "$user f (/bin/a)\n\t$same7f\n\t$same7f" '[unknown];f'
frame "--skip-after" "$user f (/bin/a)\n\t$user g (/bin/a)\n\t$user h (/bin/a)" 'x' --skip-after nosuch 2>/dev/null >/dev/null
row "--skip-after" "a 1/1 1.000000: 5 cycles:\n\t$user f (/bin/a)\n\t$kernel g ([kernel.kallsyms])\n\t$user h (/bin/a)\n\n" 'g_[k];f 5' --skip-after g --all
row "--skip-after, nothing found" "a 1/1 1.000000: 5 cycles:\n\t$user f (/bin/a)\n\n" 'a;f 5' --skip-after g --skip-after h

# ---- the end of the text ----
row "no blank line at the end" "a 1/1 1.000000: 5 cycles:\n\t$user f (/bin/a)\n" 'a;f 5'
row "no newline at the end" "a 1/1 1.000000: 5 cycles:\n\t$user f (/bin/a)" 'a;f 5'

# ---- events and weights ----
two="a 1 1.000000: 100 cycles:u: \n${stack}a 1 1.000000: 7 page-faults: \n${stack}a 1 1.000000: 200 cycles:u: \n$stack"
row "the first event" "$two" 'a;main;f 300'
row "another one" "$two" 'a;main;f 7' --event-filter page-faults
row "without its modifiers" "$two" 'a;main;f 300' --event cycles
row "samples" "$two" 'a;main;f 2' --weight samples
row "all: values of different events cannot be added" "$two" 'a;main;f 3' --event all
row "by event" "$two" 'cycles:u;main;f 2\npage-faults;main;f 1' --root event
clock="a 1 1.000000: 250000 cpu-clock:pppH: \n$stack"
row "samples of a clock are counted" "$clock$clock" 'a;main;f 2'
row "... unless asked for" "$clock$clock" 'a;main;f 500000' --weight period
row "no times, two tracepoints" "a 1 x:y: \n${stack}a 1 x:z: \n${stack}" 'a;main;f 1'
# ---- fields of -F that come before the address, or after the stack ----
one="a 1 1.000000: 5 cycles: "
row "-F +addr" "${one}    7ffd1234 \n$stack" 'a;main;f 5'
row "-F +addr -G" "${one}    7ffd1234     401136 f (/bin/a)\n" 'a;f 5'
row "-F +addr,sym -G" "${one}    7ffd1234 [unknown] ([stack])     401136 f (/bin/a)\n" 'a;f 5'
row "-F +addr,data_src,weight -G" \
	"${one}    7ffd1234       1e05080021 |OP LOAD|LVL L1 or L2 hit|SNP N/A|TLB N/A|LCK N/A|BLK  N/A       12     401136 f (/bin/a)\n" 'a;f 5'
row "a function that is called as an address may be" "${one}    401136 decade (/bin/a)\n" 'a;decade 5'
row "-F +phys_addr,data_page_size" "${one}\n\t    401136 f (/bin/a)\n\t    401020 main (/bin/a)\n        12ab3000 4K\n\n" 'a;main;f 5'
row "-F +phys_addr -G" "${one}    401136 f (/bin/a)         12ab3000\n" 'a;f 5'
lat="              12               7               3"
row "-F +weight,ins_lat,retire_lat" "${one}$lat\n\t    401136 f (/bin/a)\n\t    401020 main (/bin/a)\n\n" 'a;main;f 5'
row "-F +weight,ins_lat,retire_lat -G" "${one}$lat    401136 f (/bin/a)\n" 'a;f 5'
for group in /user.slice/x.service / unknown; do
	row "-F +cgroup: $group" "${one} $group\n\t    401136 f (/bin/a)\n\n" 'a;f 5'
	row "-F +ins_lat,cgroup -G: $group" "${one}$lat $group     401136 f (/bin/a)\n" 'a;f 5'
done
output="      BPF output: 0000: 52 61 69 73 65 20 61 20  Raise a \n                  0008: 42 50 46 00              BPF.    \n"
row "bpf-output" "a 1/1 1.000001:          5 bpf-output: \n\t    401136 f (/bin/a)\n\n$output      BPF string: \"Raise a BPF\"\n\n$one    401136 f (/bin/a)\n" \
	'a;f 5' --event bpf-output
row "... without a stack" "a 1/1 1.000001:          5 bpf-output: \n$output\n$one    401136 f (/bin/a)\n" 'a 5' --event bpf-output
row "... -G" "a 1/1 1.000001:          5 bpf-output:     401136 f (/bin/a)\n$output\n" 'a;f 5'
row "-F +iregs" "${one}\n\t    401136 f (/bin/a)\n ABI:2    AX:0x1    BX:0x2\n\n" 'a;f 5'

# ---- lines of others ----
row "a message of perf before its text" "Failed to open /tmp/perf-1.map, continuing without symbols\n$one\n\t    401136 f (/bin/a)\n\n" 'a;f 5'
pt=" instruction trace error type 1 time 94.123 cpu 0 pid 1 tid 1 ip 0 code 5: Failed to get instruction\n"
row "errors of a trace" "$pt$pt$pt$one\n\t    401136 f (/bin/a)\n\n$pt" 'a;f 5'
printf "Warning:\nProcessed 9 events and lost 3 chunks!\n\n$pt$one\n\t    401136 f (/bin/a)\n\nx\n" >"$tmp/in"
for format in "" "--format perf-script"; do
	# shellcheck disable=SC2086 # words
	status "messages before the text, $format" 0 "$pyrograph" collapse $format "$tmp/in"
	has "... are counted" "$tmp/err" "in: skipped lines before the first one of perf-script: 3"
	has "... places are those in the file" "$tmp/err" "in:4:1: an error of the trace"
	is "... and are no samples" "$(grep -v '^#' "$tmp/out")" "a;f 5"
	has "... the header has them" "$tmp/out" 'skipped lines 3"'
done
printf "Warning:\n$one\n\t    401136 f (/bin/a)\n\n" >"$tmp/in"
status "a message before the text, --strict" 1 "$pyrograph" collapse --strict "$tmp/in"
has "... is a loss" "$tmp/out" ' losses="skipped lines 1" '
"$pyrograph" render flame -q "$tmp/out" >"$tmp/svg"
has "... which pictures show" "$tmp/svg" "1 line skipped before the first one"
printf "$two" >"$tmp/two"
status "several events" 0 "$pyrograph" collapse "$tmp/two"
has "... the others are named" "$tmp/err" "using event cycles:u; also available: page-faults"
has "... the unit is that of the event" "$tmp/out" " event=cycles:u root=comm unit=cycles:u"
status "an event that does not occur" 2 "$pyrograph" collapse --event instructions "$tmp/two"
status "a weight that it does not have" 2 "$pyrograph" collapse --weight bytes "$tmp/two"
printf "a 1 1.000000: cycles: \n$stack" >"$tmp/in"
status "no period" 1 "$pyrograph" collapse --weight period "$tmp/in"
has "... is said" "$tmp/err" "in:1:1: no period (perf script -F +period prints it); expected"
printf "a 1 1.000000: 99999999999999999999 cycles: \n${stack}a 4294967296 1.0000: 5 cycles:\n\na 1 2.000000: 5 cycles: \n$stack" >"$tmp/in"
status "numbers that do not fit" 0 "$pyrograph" collapse "$tmp/in"
has "... a period" "$tmp/err" "in:1:1: a period that is too large; expected"
has "... a thread" "$tmp/err" "in:5:1: no time, or no thread; expected"
is "... are left out" "$(grep -v '^#' "$tmp/out")" 'a;main;f 5'
status "no time" 1 sh -c "printf 'a 1 cycles: \n$stack' | $pyrograph collapse --timed"
has "... is said" "$tmp/err" "stdin: has no times for --timed"

# ---- times ----
long="a 1 10.000000: cycles: \n${stack}b 1 12.000000: cycles: \n${stack}c 1 14.000000: cycles: \n$stack"
row "--from, --to" "$long" 'b;main;f 1' --from +1 --to +3
printf "$long" >"$tmp/in"
status "monotonic times" 1 "$pyrograph" collapse --from 10:15:02 "$tmp/in"
has "... are not wall-clock times" "$tmp/err" "give an offset such as +2.5s"

# ---- what is wrong ----
printf "a 1 1.000000: cycles: \n${stack}nothing\n\t 401 x (/y)\n\na 1 1.000000: cycles: \n\t nothing\n\t          401100 main (/bin/a)\n\n" >"$tmp/in"
status "wrong lines" 0 "$pyrograph" collapse "$tmp/in"
has "... are named" "$tmp/err" "in:5:1: no time, or no thread; expected 'comm pid/tid"
has "... and those of stacks" "$tmp/err" "in:9:1: no address; expected"
is "... the rest is read" "$(grep -v '^#' "$tmp/out" | paste -sd' ')" 'a;main 1 a;main;f 1'
status "--strict" 1 "$pyrograph" collapse --strict "$tmp/in"
head -c 100000 /dev/zero | tr '\0' 'x' >"$tmp/in"
status "no such text" 1 "$pyrograph" collapse "$tmp/in"
{
	printf 'a 1 1.000000: cycles: \n\t    7f722d142778 '
	head -c 3000000 /dev/zero | tr '\0' 'x'
	printf ' (/bin/a)\n'
	for i in $(seq 100); do echo; done
	for i in $(seq 30000); do printf '\t    7f722d142778 f\\000%d (/bin/a)\n' $((i % 7)); done
} >"$tmp/in"
status "long lines, deep stacks" 0 "$pyrograph" collapse -q "$tmp/in"

printf '# ========\n# captured on    : Tue Nov 24 19:13:21 2026\n' >"$tmp/in"
status "comments without a sample" 1 "$pyrograph" collapse "$tmp/in"
has "... is said" "$tmp/err" "in: has no line of the form 'comm pid/tid"
is "comments that come before the samples, in a pipe" "$({ cat "$tmp/in"; sleep 0.3; printf "\na 1 1.000000: cycles: \n$stack"; } |
	"$pyrograph" collapse -q 2>&1 | tail -1)" 'a;main;f 1'

# ---- the result is the same for any number of threads ----
awk 'BEGIN { for (i = 0; i < 12000; i++) {
	printf "t%d %d/%d [%03d] %d.%06d: %d %s: \n", i % 31, i % 9, i % 31, i % 4, 5000 + i / 100, i % 1000000, i % 77 + 1,
		i % 13 ? "cycles:u" : "page-faults"
	if (i % 2999 == 5) print "\twrong line"
	for (n = i % 20; n >= 0; n--)
		printf "\t%16x %s+0x%x (%s)\n", (n % 5 ? 140000000000000 : 2 ^ 47) + i * n, n ? "f" (i * n) % 97 : "main", i % 4096,
			i % 3 ? "/bin/a" : "[unknown]"
	print "" } }' >"$tmp/large"
for options in "--root thread,cpu" "--timed" "--event all"; do
	# shellcheck disable=SC2086 # words
	"$pyrograph" collapse $options --jobs 1 "$tmp/large" >"$tmp/one" 2>"$tmp/one.err"
	for jobs in 2 5; do
		# shellcheck disable=SC2086 # words
		"$pyrograph" collapse $options --jobs $jobs "$tmp/large" >"$tmp/several" 2>"$tmp/several.err"
		same "$options: $jobs threads" "$tmp/several" "$tmp/one"
		same "... and their messages" "$tmp/several.err" "$tmp/one.err"
	done
done
is "every sample is there" "$(grep -c '^@' "$tmp/one"; "$pyrograph" collapse -q --event all "$tmp/large" |
	awk '!/^#/ { n += $NF } END { print n }')" "$(printf '0\n12000')"
sed '/: $/s/$/\n/' "$tmp/large" >"$tmp/blank"
is "... in parts, with a blank line below headers" "$("$pyrograph" collapse -q --event all "$tmp/blank" 2>&1 | sha256sum)" \
	"$("$pyrograph" collapse -q --event all "$tmp/large" 2>&1 | sha256sum)"
# shellcheck disable=SC2002 # a pipe is wanted
cat "$tmp/large" | "$pyrograph" collapse --event all --jobs 3 >"$tmp/several" 2>/dev/null
"$pyrograph" collapse --event all "$tmp/large" >"$tmp/one" 2>/dev/null
same "a pipe" "$tmp/several" "$tmp/one"

# Roots that text cannot have are refused, not invented.
printf 'a 12/12 [000] 1000.000300: 1 cycles: \n\t401126 main+0x10 (/bin/a)\n\n' >"$tmp/in"
for root in syscall error source window waker; do
	status "--root $root" 2 "$pyrograph" collapse --root comm,$root "$tmp/in"
done

# Text of other kinds, with words, colons and numbers.
other() { printf "$1" >"$tmp/in"; status "not perf script: $1" 1 "$pyrograph" collapse "$tmp/in"; }
other 'Virtual machine: 8513 JVM information:\nJRE 17 Linux\n'
other 'a 12: deaf man (x)\n bed (y)\n\n'
other 'Notes about: bad5 idea\n'
other 'make 12 files: 1234 fed up\n'

# ---- a sample waits until the next one is found: errors of both are reported in the order of the text ----
{
	printf "a 11 1.000000: 5 cycles: \n${stack}b 12 1.500000: 6 cycles: \n\t          401136 f (/bin/a)\n"
	printf "c 12 1.600000: 7 cycles: \n\t          nonsense\n\nnot a header\n$stack\n"
	printf "d 12 1.700000: 99999999999999999999 cycles: \n$stack\nalso not\n"
	printf "x 11 1.000000: PERF_RECORD_MMAP2 10/11: [0x1(0x2) @ 0 08:01 1 1]: r-xp /bin/a\n"
	printf "e 12 1.900000: 8 cycles: \n\t          401136 g (/bin/a)"
} >"$tmp/odd"
is "samples between wrong lines" "$("$pyrograph" collapse --format perf-script "$tmp/odd" 2>"$tmp/err" | grep -v '^#' | paste -sd ,)" \
	"a;main;f 5,b;f 6,c 7,e;g 8"
is "... which are told in their order" "$(sed -n 's/.*odd:\([0-9]*\):1: \(.*\); expected .*/\1 \2/p' "$tmp/err" | paste -sd ,)" \
	"8 no address,10 no time, or no thread,15 a period that is too large,20 no time, or no thread"
