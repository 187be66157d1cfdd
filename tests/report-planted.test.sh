#!/bin/sh
# The first lines of pyrograph report about programs with a planted fault, in five languages (tests/planted.sh): they
# name the guilty thread and function, and no others.  Ten further faults: report-faults.test.sh, report-locks.test.sh.
# PLANTED_ALSO=-a: each fault also as one of the whole machine, which must lead there (quiet machines only).
# PLANTED_ALSO=all: each fault also with all collectors; cpu: also by samples of the CPUs alone.
# slow: records many programs
# live: explanations
# alone: it says who had the CPUs
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
. tests/faults.sh
. tests/planted.sh

# is_said HOW PATTERN: for the whole machine, another statement may be true, too.
is_said()
{
	case $1 in
	-a) sed 's/; besides, .*//' "$tmp/headline" ;;
	*) cat "$tmp/headline" ;;
	esac | grep -qE -e "$2"
}

# says HOW FAULT RIGHT FALSE: the headline has RIGHT, and does not have FALSE (extended regular expressions).
says()
{
	what="report $1, $2${planted_by:+, by $planted_by}"
	if ! plant "$2"; then
		skip "$what" "$lacks"
	elif ! headline "$1"; then
		not_ok "$what" "$tmp/err"
	elif is_about_others "$1" "$2"; then
		inconclusive "$what" "$(sed -n 2p "$tmp/headline")"
	elif is_said "$1" "$4"; then
		not_ok "$what" "this is false: $4" "$tmp/headline"
	elif grep -qE -e "$3" "$tmp/headline"; then
		ok "$what"
	else
		not_ok "$what" "this is not said: $3" "$tmp/headline"
	fi
	uproot
	case "$1 ${PLANTED_ALSO:-} $planted_by" in
	"-p -a ") says -a "$2" "$3" "$4" ;;
	"-p all ") says_by_all "$@" ;;
	"-p cpu ") says_by_cpu "$1" "$2" ;;
	esac
}

# says_by_all HOW FAULT RIGHT FALSE: likewise.  What more collectors see must not hide the culprit.
says_by_all()
{
	planted_by=cpu,sched,offcpu,faults,syscalls,io,locks,lanes
	says "$@"
	planted_by=
}

# says_by_cpu HOW FAULT: samples of the CPUs tell who ran, and nobody is accused.
says_by_cpu()
{
	planted_by=cpu
	says "$1" "$2" '^([^ ]*|[0-9]* processes named [^ ]*) used .* CPU|^Nothing ran' 'caused by|waited|Nothing (blocked|stands)'
	planted_by=
}

# is_about_others HOW FAULT: does another program have the CPUs, or trouble of its own that is worse than the planted
# fault?
is_about_others()
{
	[ -z "${PLANTED_ALSO:-}" ] || return 1
	case "$1 $2" in
	*nice) return 1 ;; # only that nobody says so of reindexer
	-a*) ! sed -n '2{s/: caused by.*//;p;}' "$tmp/headline" | grep -qE -e "^Nothing|request-[0-9]|price-writer|remapper|-$process " ;;
	*quota|*forks|*priority|*crowd) return 1 ;;
	*) grep -qE '^[^;]* waited for a CPU, .*which had it' "$tmp/headline" ;;
	esac
}

for='(caused by|if not, for)'
lock='waited for a lock, .*: caused by'
live says -p fsync 'ledger-writer.*commit_ledger' 'caused by [^l]'
live says -p herd 'announcer woke others .*announce' 'caused by'
live says -p priority 'request-[12].* waited for a CPU, .*: caused by feed-poller( \(SCHED_FIFO\))?: .*poll_feed' 'caused by [^f]'
live says -p atomic 'counter-[12] used .*count_hit' 'caused by'
live says -p rwlock "price-writer $lock report-[12].*scan_table" 'caused by p'
live says -p monitor "$lock archiver: .*compactArchive.* slept" 'caused by [^a]'
live says -p nice 'reindexer .*\(nice 19\)' 'caused by|waited for a CPU, '
live says -a nice '.' 'reindexer [^;]*caused by|reindexer [^;]*waited for a CPU, '
live says -p parent 'planted_faults waited [0-9.]* m?s for ([0-9]* processes named )?ledger-close, which ran mostly in price_order' 'caused by'
live says -p crowd 'price_order.*: there is more work than CPUs' 'while another CPU was idle'
live says -p go_fsync 'go_fsync-[0-9]+ waited for a device, .*main.commitLedger' 'RawSyscall|Syscall6'
live says_by_all -p rwlock "price-writer $lock report-[12].*scan_table" 'caused by p'
live says_by_all -p fsync 'ledger-writer.*commit_ledger' 'caused by [^l]'
live says_by_all -p priority 'request-[12].* waited for a CPU, .*: caused by feed-poller( \(SCHED_FIFO\))?: .*poll_feed' 'caused by [^f]'
live says_by_cpu -p atomic
live says_by_cpu -p fsync
live says -a rwlock "price-writer $lock report-[12].*scan_table" 'caused by p'
live says -a priority 'request-[12].* waited for a CPU, .*: caused by feed-poller( \(SCHED_FIFO\))?: .*poll_feed' 'caused by [^f]'
live says -a monitor "$lock archiver: .*compactArchive.* slept" 'caused by [^a]'

live says -p pool "$for request-[1-4].*(run_query|store_order)" 'Nothing|caused by [^r]'
live says -p datagram "$lock quote-client: .*ask_quote" 'caused by [^q]|caused by quote-server'
live says -p mmap_lock "$for remapper: .*remap_arena" 'Nothing|caused by [^r]|caused by request'
live says -p quota '(quota|limit).*control group|control group.*(quota|limit)' 'which had it|caused by .* (processes|of) '
live says -a mmap_lock "$for remapper: .*remap_arena" 'Nothing|caused by [^r]|caused by request'
live says -a quota '(quota|limit).*control group|control group.*(quota|limit)' 'which had it|caused by .* (processes|of) '
live says -p forks 'spawner.*spawn_helper' 'caused by r'
live says -p reclaim 'graph of hoarder, .*: the limit of memory, and how much hoard_pages' 'caused by r'
live says -p pipe "$for slow-reader: .*compress_block" 'Nothing|caused by p'
live says -p barrier "$for shard-3: .*merge_shard" 'Nothing|caused by shard-[12]'
live says -p gil '\(GIL\), .* caused by cruncher' 'caused by [^c]|, [0-9.]* ms in all'
live says -p pictures '\(GIL\), .* caused by thumbnails-of-pictures' 'caused by [^t]'
live says -p sorter '\(GIL\), .* caused by sorter(: builtin_sorted|: __main__.sorter[^ ]*( \(called by [^ ]*\))?)?([,;]|$)' 'caused by [^s]|merge|list_sort'
live says -p keeper '^request-1 (may be waiting for work: .*; if not, for a lock of|waited for a lock, .*: caused by) stock-sync.* slept meanwhile' 'caused by cruncher'
live says -p resolver 'may be waiting for work: .* in Planted.GeoResolver.locate .*; if not, for the network' 'Nothing|caused by'
live says -p executor '^(Nothing (stands out|blocked threads for long)|pool may be waiting for work)' 'caused by'
live says -p starved "$for ForkJoinPool-1-worker-[12].*callBackend" 'Nothing|caused by [^F]'
live says -p turn "event loop of node-[0-9]* was blocked, .* by .*buildReport \(planted_faults.js:" 'Nothing stands|caused by'
live says -p saturated "event loop of node-[0-9]* ran without a pause for [0-9.]* s, mostly in .*answerSlowly \(planted_faults.js:" 'Nothing stands|caused by|blocked'
live says -p endless "event loop of node-[0-9]* ran without a pause for [0-9.]* s, mostly in .*drainQueue \(planted_faults.js:" 'Nothing stands|caused by'

# builds WHAT [-a]: for a build, the report names the process on its critical path, and the file that this process
# compiles, not a function of the compiler.  With -a, it does so too, unless other programs used most of the machine.
builds()
{
	what=$1
	shift
	rm -f "$tmp"/build/*.o "$tmp/planted.data"
	# shellcheck disable=SC2086 # words
	env -u MAKEFLAGS -u MFLAGS $urgent "$pyrograph" collect cpu,sched,offcpu,processes --wakers --events=1ms -q "$@" \
		-o "$tmp/planted.data" -- make -C "$tmp/build" -j2 >"$tmp/out" 2>"$tmp/err"
	"$pyrograph" collapse -q --explain=headline "$tmp/planted.data" >"$tmp/headline" 2>>"$tmp/err"
	if grep -qE '^[0-9]* % of make-[0-9]* was cc1 m3\.c \([0-9.]* m?s of [0-9.]* m?s on the critical path\)' "$tmp/headline"; then
		ok "$what"
	elif [ "${1:-}" ] && ! grep -q 'was cc1 m3' "$tmp/headline"; then
		inconclusive "$what" "$(sed -n 2p "$tmp/headline")"
	else
		not_ok "$what" "$tmp/headline" "$tmp/err"
	fi
}

lacks=
if lack gcc || lack make; then
	skip "a build: what it waited for" "$lacks"
else
	mkdir "$tmp/build"
	for file in m1 m2 m4; do echo "int $file(int x) { return x + 1; }" >"$tmp/build/$file.c"; done
	awk 'BEGIN { for (i = 0; i < 200; i++)
		printf "int f%d(int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i] * %d ^ (s >> 3); return s; }\n", i, i
	}' >"$tmp/build/m3.c"
	printf 'all: m1.o m2.o m3.o m4.o\n\tld -r -o all.o m1.o m2.o m3.o m4.o\n%%.o: %%.c\n\tgcc -O2 -c -o $@ $<\n' >"$tmp/build/Makefile"
	live builds "a build: what it waited for"
	live builds "... also of the whole machine" -a
fi

# A script, started by a shell, that starts the processes on which the time is spent: it is named, whether it starts them by
# a subshell, or by another program.  scripted WHAT LINE
scripted()
{
	what=$1
	printf '%s\n' "$2" >"$tmp/pack.sh"
	rm -f "$tmp/planted.data"
	# shellcheck disable=SC2086 # words
	$urgent "$pyrograph" collect cpu,sched,offcpu,processes --wakers --events=1ms -q -o "$tmp/planted.data" -- \
		bash -c 'bash "$1" "$2"; wc "$2"; true' bash "$tmp/pack.sh" "${BUILD:-build}/pyrograph-collapse" >"$tmp/out" 2>"$tmp/err"
	"$pyrograph" collapse -q --explain=headline "$tmp/planted.data" >"$tmp/headline" 2>>"$tmp/err"
	if grep -qE -e '^[0-9]* % of bash-[0-9]* was 6 processes named gzip, started by bash-[0-9]* \(pack\.sh\) ' \
		-e '^[0-9]* % of bash-[0-9]* \(pack\.sh\) was 6 processes named gzip ' "$tmp/headline"; then # wc took next to nothing
		ok "$what"
	else
		not_ok "$what" "$tmp/headline" "$tmp/err"
	fi
}
if lack bash || lack gzip; then
	skip "a script: whose processes took the time" "$lacks"
else
	# shellcheck disable=SC2016 # the scripts expand these
	live scripted "a script: whose processes took the time" 'for i in 1 2 3 4 5 6; do n=$(gzip -c "$1" | wc -c); done'
	# shellcheck disable=SC2016
	live scripted "... by xargs" 'printf "%s\n" "$1" "$1" "$1" "$1" "$1" "$1" | xargs -n 1 gzip -c | wc -c'
	# shellcheck disable=SC2016
	live scripted "... by find" 'for i in 1 2 3 4 5 6; do find "$1" -exec gzip -c {} \; ; done | wc -c'
fi

# A script that starts a short process for each line: how many, and what share of the time they took.
storms()
{
	printf '%s\n' 'for i in $(seq 150); do n=$(basename "/a/$i.log" | cut -d. -f1); done' >"$tmp/rotate.sh"
	rm -f "$tmp/planted.data"
	# shellcheck disable=SC2086 # words
	$urgent "$pyrograph" collect cpu,sched,offcpu,processes --wakers --events=1ms -q -o "$tmp/planted.data" -- \
		bash "$tmp/rotate.sh" >"$tmp/out" 2>"$tmp/err"
	"$pyrograph" collapse -q --explain=headline "$tmp/planted.data" >"$tmp/headline" 2>>"$tmp/err"
	if grep -qE '^bash-[0-9]* \(rotate\.sh\) started [1-6][0-9]{2} short processes, [0-9]* a second: ' "$tmp/headline"; then
		ok "a script that starts short processes"
	else
		not_ok "a script that starts short processes" "$tmp/headline" "$tmp/err"
	fi
}
# In a pipeline, the process that keeps the others waiting is told, with the direction.
pipes()
{
	rm -f "$tmp/planted.data"
	# shellcheck disable=SC2086 # words
	$urgent "$pyrograph" collect cpu,sched,offcpu,processes --wakers --events=1ms -q -o "$tmp/planted.data" -- \
		sh -c 'yes "some 12 words 345" | head -n 300000 | awk "{ for (i = 0; i < 12; i++) gsub(/[0-9]+/, i); print }" | sort >/dev/null' \
		>"$tmp/out" 2>"$tmp/err"
	"$pyrograph" collapse -q --explain=headline "$tmp/planted.data" >"$tmp/headline" 2>>"$tmp/err"
	if grep -qE '^awk was the bottleneck of yes \| head \| awk \| sort in sh-[0-9]*, and took .* kept head waiting to write [0-9]* %, and sort waiting for input' "$tmp/headline"; then
		ok "a pipeline: who keeps the others waiting"
	else
		not_ok "a pipeline: who keeps the others waiting" "$tmp/headline" "$tmp/err"
	fi
}
lacks=
if lack bash; then
	skip "a script that starts short processes" "$lacks"
else
	live storms
fi
lacks=
if lack awk; then
	skip "a pipeline: who keeps the others waiting" "$lacks"
else
	live pipes
fi

# A compiler that ran before the recording began; until then it waits for an include file.
builds_on()
{
	building=$tmp/building
	rm -rf "$building"
	mkdir "$building"
	cp "$tmp"/build/m*.c "$building"
	mkfifo "$building/gate.h"
	{ echo '#include "gate.h"'; cat "$tmp/build/m3.c"; } >"$building/m3.c"
	sed 's|\$<|$(CURDIR)/$<|; s/^all:/all: m3.o/' "$tmp/build/Makefile" >"$building/Makefile"
	# shellcheck disable=SC2086 # words
	env -u MAKEFLAGS -u MFLAGS $urgent make -C "$building" -j2 >"$tmp/out" 2>&1 &
	build=$!
	exec 8<>"$building/gate.h"
	before 30 pgrep -f "cc1 .*$building/m3.c"
	rm -f "$tmp/planted.data"
	# shellcheck disable=SC2086 # words
	$urgent "$pyrograph" collect cpu,sched,offcpu,processes --children --wakers --events=1ms -q --until-exit -p $build \
		-o "$tmp/planted.data" 2>"$tmp/err" 8>&- &
	recorder=$!
	before 60 begun "$tmp/planted.data"
	exec 8>&-
	wait $build $recorder
	"$pyrograph" collapse -q --explain "$tmp/planted.data" >"$tmp/headline" 2>>"$tmp/err"
	if grep -qE '(^[0-9]*\. [0-9]* % of make(-[0-9]*)? was|waited [0-9.]* m?s for) cc1 m3\.c[ ,]' "$tmp/headline"; then
		ok "... recorded from its middle on"
	else
		not_ok "... recorded from its middle on" "$tmp/headline" "$tmp/err"
	fi
}
[ "$lacks" ] || live builds_on

# Who reads from a pipe is not recorded, but it wakes the writer.
writer_alone()
{
	rm -f "$tmp/pipe"
	mkfifo "$tmp/pipe"
	python3 -c '
import os
while os.read(0, 65536):
    sum(range(300000))' <"$tmp/pipe" &
	reader=$!
	yes >"$tmp/pipe" &
	writer=$!
	status "a writer, recorded alone" 0 "$pyrograph" report -p $writer -d 2 -o "$tmp/writer"
	kill $writer
	wait $reader $writer 2>/dev/null
	if grep -qE "^[^;]*yes waited to write to a pipe or a socket, .*: caused by python3" "$tmp/err"; then
		ok "... its reader is named"
	else
		not_ok "... its reader is named" "$tmp/err"
	fi
}
live writer_alone
