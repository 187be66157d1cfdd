#!/bin/sh
# Flame graphs in a real browser, from file://.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/flame

command -v node >/dev/null || { skip "flame graphs in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "flame graphs in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "flame graphs in a browser" "no playwright-core: make check-deps"; exit; }

draw() { $render flame -q -o "$tmp/$1.svg" "$2" $3 || not_ok "drawing $1"; }
draw plain $data/plain.folded
draw icicle $data/plain.folded "--icicle --width 900"
draw yellow $data/plain.folded "--colors yellow"
draw hostile $data/hostile.folded
draw chart $data/chart.folded "--chart --width 1020"
$render flame -q -w 300 --bgcolors '#123456' --title 'A title of many words, for which there is no room' \
	-o "$tmp/night.svg" $data/plain.folded
draw shared $data/plain.folded "--script shared.js"
$render script -o "$tmp/shared.js"

# A later recording of the same program, with other numbers and without one of the functions.
sed 's/ 31$/ 5/; /memcpy/d' $data/plain.folded >"$tmp/later.folded"
draw later "$tmp/later.folded"

# 50,000 frames: 500 functions that each call 99 others once, and one busy function.
awk 'BEGIN {
	for (i = 0; i < 500; i++)
		for (k = 0; k < 99; k++)
			printf "main;caller_%03d;callee_%02d_of_%03d 1\n", i, k, i
	print "main;busy 1000000"
}' >"$tmp/big.folded"
draw big "$tmp/big.folded"
awk 'BEGIN { for (i = 1; i < 300; i++) printf "f%d;", i; print "top 5" }' >"$tmp/tall.folded"
draw tall "$tmp/tall.folded"

# Names: a very long one; variants of a method, and recursion.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "x"; print ";y 5" }' >"$tmp/long.folded"
draw long "$tmp/long.folded"
awk 'BEGIN { for (i = 0; i < 100000; i++) huge = huge "x"; printf "main;%s;leaf 5\nmain;%sy 4\nmain;other 1\n", huge, huge }' >"$tmp/huge.folded"
draw huge "$tmp/huge.folded"
sed 's/"truncate":"middle"/"truncate":"left","strokeColour":"#123456"/' "$tmp/long.svg" >"$tmp/left.svg"
awk 'BEGIN { for (i = 1; i < 5000; i++) printf "f%d;", i; print "top 5" }' >"$tmp/deep.folded"
draw deep "$tmp/deep.folded"
printf '%s\n' 'run_[j];walk;walk;walk 5' 'run_[i];walk 4' >"$tmp/java.folded"
draw java "$tmp/java.folded"

printf 'x 2\nsafe_\342\200\256fdp.exe 5\n' >"$tmp/turned.folded"
draw turned "$tmp/turned.folded"

# Siblings of one name.
printf '%s\n' 'main;a 5' 'main;b 1' 'main;a 9' 'main;b 2' 'main;a 4' 'main;c~2 1' >"$tmp/siblings.folded"
draw siblings "$tmp/siblings.folded" --chart
# A long name on which repeated groups in a regular expression would take forever.
printf 'main;%s 1\nmain;b 2\n' "$(printf 'a%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33)" >"$tmp/slow.folded"
draw slow "$tmp/slow.folded"

# Durations: of a profile, of two profiles, of windows.
printf '# pyrograph: unit=ns\n%s' 'wait;read 23090858348
wait;lock 144200000
wait 12345
' >"$tmp/times.folded"
printf '# pyrograph: unit=ns\n%s' 'wait;read 20090858348
wait 981
' >"$tmp/times-before.folded"
draw times "$tmp/times.folded"
draw times-diff "$tmp/times.folded" "--normalize none --diff $tmp/times-before.folded"
sed '1n; s/^/@1795256102.5 /' "$tmp/times.folded" >"$tmp/times-timed.folded"
sed '1d; s/^/@1795256104.5 /' "$tmp/times-before.folded" >>"$tmp/times-timed.folded"
draw times-windows "$tmp/times-timed.folded" "--animate 1s"

# A machine that is mostly idle, a JVM, a program during its start, and our own recorder.
cat >"$tmp/shown.folded" <<'END'
# pyrograph: host=db1 event=cpu-clock rate=99Hz root=comm start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:12.000000000Z unit=samples
swapper;secondary_startup_64_[k];start_secondary_[k];cpu_startup_entry_[k];do_idle_[k];cpuidle_idle_call_[k];default_idle_[k];pv_native_safe_halt_[k] 1700
swapper;secondary_startup_64_[k];start_secondary_[k];cpu_startup_entry_[k];do_idle_[k];asm_sysvec_apic_timer_interrupt_[k];tick_[k] 12
java;clone3;start_thread;thread_native_entry;Thread::call_run;JavaThread::run;JavaThread::thread_main_inner;thread_entry;JavaCalls::call_virtual;JavaCalls::call;JavaCalls::call_helper;call_stub;java.lang.Thread.run_[j];java.lang.Thread.runWith_[i];com.example.catalogue.shop.Shop.rebuildIndex_[j];com.example.catalogue.shop.Index.sort_[j] 120
java;clone3;start_thread;thread_native_entry;Thread::call_run;JavaThread::run;JavaThread::thread_main_inner;thread_entry;JavaCalls::call_virtual;JavaCalls::call;JavaCalls::call_helper;call_stub;java.lang.Thread.run_[j];com.example.catalogue.shop.Worker.serve_[j];java.io.FileInputStream.read_[j];readBytes;__read;entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];__x64_sys_read_[k];ksys_read_[k];vfs_read_[k] 60
java;clone3;start_thread;thread_native_entry;Thread::call_run;VMThread::run;G1CollectForAllocation::doit 40
gzip;_start;__libc_start_main_impl;__libc_start_call_main;main;deflate;longest_match 80
gzip;_start;__libc_start_main_impl;__libc_start_call_main;main;write;entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];__x64_sys_write_[k];bpf_trace_run2_[k];bpf_prog_61203f4_sched_switch_[k];bpf_ringbuf_output_[k] 21
pyrograph;_start;main;drain 9
END
draw shown "$tmp/shown.folded"
cat >"$tmp/waits.folded" <<'END'
# pyrograph: event=offcpu root=comm,wait unit=ns
java;[lock];serve;lock_wait;--;wake_[w];rebuild_[w] 2100
java;[I/O];flush;io_schedule_[k] 900
java;[work];park;futex_[k] 9000
END
draw waits "$tmp/waits.folded"
printf '# pyrograph: event=faults root=comm unit=faults\nsh;main;work 6\npyrograph-colle;drain 93\nsh;main;bpf_prog_6_x_[k];grow_[k] 1\n' >"$tmp/ours.folded"
draw ours "$tmp/ours.folded"
cat >"$tmp/wall.folded" <<'END'
# pyrograph: event=wall root=thread unit=ns
java-1/exec;serve;compute 3000
java-1/exec;serve;compute;[runnable];[by cc1-2/cc1] 1000
java-1/exec;serve;lock;[blocked: lock] 4000
java-1/idle;wait;[blocked: sleep] 8000
END
draw wall "$tmp/wall.folded"

# The attributes of frames that --nameattr adds to the settings, by the number of the frame's name.
node tests/browser/attributes.js "$tmp/plain.svg" >"$tmp/links.svg"

# Several layers of values, and folded frames.
node tests/browser/layers.js "$tmp/plain.svg" "$tmp"

# A page that embeds pictures in every possible way.
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><h1>Report</h1><div id="inline">'
	sed 1d "$tmp/plain.svg"
	sed 1d "$tmp/icicle.svg"
	echo '</div><object data="plain.svg" width="700" height="400"></object><img src="plain.svg" width="600"></body>'
} >"$tmp/page.html"

cd tests/browser || exit 1
timeout 600 node -r ./flame.js -r ./flame_view.js -r ./flame_layers.js -r ./flame_use.js -r ./flame_truth.js ./flame_shown.js "$tmp" ||
	not_ok "flame*.js: to their end"
