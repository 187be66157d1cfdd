#!/bin/sh
# The dispatcher and the report: which programs they run, in which order, with which arguments, and how they handle
# failures.  The stages are stand-ins that log their arguments, beside a copy of the real pyrograph.
. tests/tap.sh

bin=$tmp/bin charts=$tmp/charts log=$tmp/log
mkdir -p "$bin"
cp "$pyrograph" "$bin/pyrograph"
export log

# Each stand-in logs its arguments, one line for each run, and writes the file that -o names; variable fail_STAGE gives
# it another exit status.  $usable is the answer of collect usable.
cat >"$bin/stage" <<'END'
#!/bin/sh
stage=${0##*pyrograph-}
[ "$stage $1" = "collect usable" ] && { echo "asked $*" >>"$log.asked"; echo "${usable-cpu}"; exit "${fail_usable:-0}"; }
[ "$stage $1" = "render script" ] && { [ -z "$fail_script" ] || exit 1
	printf '%s-1.js\n' flame heat states tenancy; exit; }
line=$stage
for arg; do line="$line $arg"; done
echo "$line" | dd bs=64k status=none >>"$log" # in one write: several run at once
eval "failure=\${fail_$stage:-0}"
[ "$stage" != collapse ] || case " $* " in *" -e ${nothing:-none} "*) failure=3 ;; esac # that one is empty
[ -z "$PYROGRAPH_DETAILS" ] || printf 'of the collectors\nhint: do that\n' >>"/proc/self/fd/$PYROGRAPH_DETAILS"
[ -n "$PYROGRAPH_DETAILS" ] || [ "$stage" != collect ] || echo "all at once" >&2
case " $* " in *" --explain=headline "*) printf '%s' "$headline" ;; esac
out= split=
while [ $# -gt 0 ]; do
	case $1 in
	-o) out=$2; shift ;;
	--split | --title) [ "$1" = --title ] || split=1; shift ;;
	--) shift $(($# - 1)) ;;
	esac
	shift
done
[ -n "$out" ] && { [ "$failure" = 0 ] || [ -n "$keep" ]; } && {
	if [ -n "$split" ]; then mkdir -p "$out" && echo x >"$out/a.svg"; else echo x >"$out"; fi; }
[ "$failure" = 0 ] || [ -z "$split" ] || mkdir -p "$out"
[ "$failure" = 0 ] || echo "pyrograph $stage: broken on purpose" >&2
exit "$failure"
END
chmod +x "$bin/stage"
for stage in collect collapse render web; do cp "$bin/stage" "$bin/pyrograph-$stage"; done

run() { : >"$log"; status "$@"; }
# The log, without times in names, and without the scripts of charts, which are checked separately.
calls() { sed -E 's/ --script [^ ]*//; s/ --siblings [^ ]*//; s/[A-Za-z0-9._-]+-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z(-[0-9]+)?/NAME/g' "$log"; }

# ---- the dispatcher ------------------------------------------------------------------

run "a verb runs the program beside pyrograph" 0 "$bin/pyrograph" collapse --root comm 'a b'
is "... with its arguments" "$(cat "$log")" "collapse --root comm a b"
run "the exit status of a stage is passed on" 3 env fail_render=3 "$bin/pyrograph" render flame

run "a number in place of a command" 2 "$bin/pyrograph" report -d 1 17786
has "... may be a process, or a time" "$tmp/err" "'17786' is not a command: a process is -p 17786, a time is -d 17786"
run "a verb that does not exist is wrong usage" 2 "$bin/pyrograph" frobnicate
has "... and named" "$tmp/err" "pyrograph: unknown verb 'frobnicate'"
has_not "... without a suggestion, as it is like none" "$tmp/err" "Did you mean"
run "help VERB" 0 "$bin/pyrograph" help render flame
is "... is VERB --help" "$(cat "$log")" "render flame --help"
run "help of a verb that does not exist" 2 "$bin/pyrograph" help frobnicate
for near in colect:collect collapes:collapse rendr:render wbe:web raport:report collects:collect; do
	run "near miss ${near%:*}" 2 "$bin/pyrograph" "${near%:*}"
	has "... suggests ${near#*:}" "$tmp/err" "Did you mean '${near#*:}'?"
done
printf '#!/bin/sh\necho ran >>"$log"\n' >"$tmp/evil" && chmod +x "$tmp/evil"
mkdir "$bin/pyrograph-x" && cp "$tmp/evil" "$bin/pyrograph-x/evil" && cp "$tmp/evil" "$bin/pyrograph-WEB"
for verb in x/evil x/../../evil /bin/sh '' -x 'we b' 'web;ls' WEB; do
	run "no program is looked for under '$verb'" 2 "$bin/pyrograph" "$verb"
	is "... none ran" "$(cat "$log")" ""
done
mkdir -p "$tmp/path"
cp "$bin/stage" "$tmp/path/pyrograph-extra"
run "a stage that is not beside it is found on PATH" 0 env PATH="$tmp/path:$PATH" "$bin/pyrograph" extra 1
is "... and ran" "$(cat "$log")" "extra 1"
mkdir -p "$tmp/alone" && cp "$pyrograph" "$tmp/alone/pyrograph"
run "a stage that is missing is a failure" 1 env PATH=/usr/bin:/bin "$tmp/alone/pyrograph" render flame
has "... which says where it was looked for" "$tmp/err" "neither in $tmp/alone/ nor on PATH"

# ---- the chain ----------------------------------------------------------------------

# With one CPU, charts are drawn one after the other; parallel drawing is tested further below.
all_cpus=$(taskset -cp $$ | sed 's/.*: //')
one_cpu=$(echo "$all_cpus" | sed 's/[,-].*//')
taskset -cp "$one_cpu" $$ >"$tmp/affinity" || cat "$tmp/affinity"

run "report" 0 "$bin/pyrograph" report -a -d 5 -o "$charts/deep"
calls >"$tmp/calls"
cat >"$tmp/wanted" <<END
collect cpu -a -d 5 -o $charts/deep/NAME.data
collapse -q --explain=headline --if-any $charts/deep/NAME.data
collapse --sampled --root comm --all -o $charts/deep/NAME.folded $charts/deep/NAME.data --if-any
render flame --colors java --title CPU: whole machine -o $charts/deep/NAME.svg $charts/deep/NAME.folded
collapse -q --sampled --root thread --all -o $charts/deep/NAME-threads.folded $charts/deep/NAME.data --if-any
render flame --colors java --split thread --split-least 1 --title CPU: whole machine -o $charts/deep/NAME-threads $charts/deep/NAME-threads.folded
collapse -q --sampled --heat -o $charts/deep/NAME-heat.folded $charts/deep/NAME.data --if-any
render heat --palette java --title CPU over time: whole machine -o $charts/deep/NAME-heat.svg --span 100ms $charts/deep/NAME-heat.folded
web $charts/deep
END
if cmp -s "$tmp/calls" "$tmp/wanted"; then ok "... runs the chain"; else
	diff "$tmp/wanted" "$tmp/calls" >"$tmp/diff"; not_ok "... runs the chain" "$tmp/diff"; fi
is "charts refer to the scripts beside them" "$(grep -o -e '^render [a-z]*' -e "--split " -e '--script .*' "$log" | sed 's/run-[0-9a-f]\{16\}/run-HASH/' | sort | xargs)" \
	"--script ../chart-scripts/flame-1.js --siblings ../index-files/run-HASH.js --script chart-scripts/flame-1.js --siblings index-files/run-HASH.js --script chart-scripts/heat-1.js --siblings index-files/run-HASH.js --split render flame render flame render heat"
run "... but not if they cannot be written" 0 env fail_script=1 "$bin/pyrograph" report -a -o "$charts/inline"
has_not "... refer to nothing" "$log" "--script"
has "... says so" "$tmp/err" "each chart contains its script"
run "... or should not" 0 "$bin/pyrograph" report -a --self-contained -o "$charts/inline"
has_not "... refer to nothing" "$log" "--script"
has_not "... as was asked for" "$tmp/err" "warning"
name=$(basename "$charts"/deep/*.data .data)
case $name in
"$(hostname | tr -c 'A-Za-z0-9._\n-' _)"-20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9][0-5][0-9][0-5][0-9]Z) ok "names are host and time" ;;
*) not_ok "names are host and time" "$name" ;;
esac
"$bin/pyrograph" report -a -o "$charts/deep" && "$bin/pyrograph" report -a -o "$charts/deep"
is "reports of one second do not overwrite each other" "$(ls "$charts"/deep/*.data | wc -l)" 3

mkdir "$charts/many"
for i in 1 2 3 4 5 6 7 8 9; do "$bin/pyrograph" report -q -a -o "$charts/many" & done
wait
is "... nor do those that start at once" "$(ls "$charts"/many/*.data | wc -l)" 9
is "... whose pictures are apart, two each" "$(ls "$charts"/many/*.svg | wc -l)" 18

first_call() { calls | head -1; }
run "the target is passed on" 0 "$bin/pyrograph" report -p 1,2 -F 999 -e cpu-clock -C 0-1 --user -d 20ms -o "$charts/p"
is "... as it was given" "$(first_call)" "collect cpu -p 1,2 -d 20ms -F 999 -e cpu-clock -C 0-1 --user -o $charts/p/NAME.data"
run "several processes" 0 "$bin/pyrograph" report -p 1,2 -p 3 -o "$charts/pp"
is "... are passed on" "$(first_call)" "collect cpu -p 1,2 -p 3 -d 10 -o $charts/pp/NAME.data"
has "... and make the title" "$log" "CPU: processes 1,2,3"
run "by name, waiting" 0 "$bin/pyrograph" report --name 'java|node' --thread 'dw.*' --threads 'dw-\d+ .*' --wait --until-exit --kernel -o "$charts/n"
is "... as it was given" "$(first_call)" "collect cpu --name java|node --thread dw.* --threads dw-\d+ .* --wait --until-exit --kernel -o $charts/n/NAME.data"
run "a larger ring" 0 "$bin/pyrograph" report -a -m 4M -o "$charts/m"
is "... is passed on" "$(first_call)" "collect cpu -a -d 10 --ring 4M -o $charts/m/NAME.data"
run "threads" 0 "$bin/pyrograph" report -t 7 -d 1500us -o "$charts/t1"
is "... an odd duration" "$(first_call)" "collect cpu -t 7 -d 1500000ns -o $charts/t1/NAME.data"
run "threads" 0 "$bin/pyrograph" report -t 7 -o "$charts/t"
is "... ten seconds unless told otherwise" "$(first_call)" "collect cpu -t 7 -d 10 -o $charts/t/NAME.data"
run "a command" 0 "$bin/pyrograph" report -q -o "$charts/c" -- sh -c 'exit 0' -d 3
is "... keeps its options, and sets the duration" "$(first_call)" "collect cpu -q -o $charts/c/NAME.data -- sh -c exit 0 -d 3"
has "--quiet reaches every stage" "$log" "web $charts/c -q"
has "the command is the title" "$log" "CPU: sh -c exit 0 -d 3"
(cd "$tmp" && : >"$log" && bin/pyrograph report -a -o -x) && is "a directory like an option" "$(calls | tail -1)" "web ./-x"
(cd "$tmp" && : >"$log" && bin/pyrograph report -a) && is "the default directory" "$(calls | tail -1)" "web charts"

# bare: as on a machine without a browser, and outside of containers
bare="env -u DISPLAY -u WAYLAND_DISPLAY -u container -u KUBERNETES_SERVICE_HOST"
if [ ! -e /.dockerenv ]; then
	run "without a browser" 0 $bare "$bin/pyrograph" report -a -o "$charts/bare"
	has "... how to fetch the charts" "$tmp/err" "to look at it from another machine: scp -r"
fi
run "in a container" 0 $bare container=podman "$bin/pyrograph" report -a -o "$charts/bare"
has_not "... whose name is no host's" "$tmp/err" "scp"

run "no target is wrong usage" 2 "$bin/pyrograph" report -o "$charts/none"
is "... nothing ran" "$(cat "$log")" ""
[ ! -e "$charts/none" ] && ok "... nothing was made" || not_ok "... nothing was made"
run "-F abc is wrong usage" 2 "$bin/pyrograph" report -a -F abc
run "no time at all is wrong usage" 2 "$bin/pyrograph" report -a -d 0 -o "$charts/none"
has "... and said" "$tmp/err" "--duration needs a time longer than 0"

export usable=cpu,sched,offcpu
run "a command: which processes it starts is recorded" 0 "$bin/pyrograph" report -o "$charts/c2" -- sh -c 'exit 0'
is "... beside the rest" "$(first_call)" \
	"collect cpu,sched,offcpu,processes --wakers --events=1ms -o $charts/c2/NAME.data -- sh -c exit 0"
calls | grep -q -- '^render processes' && not_ok "... without a chart" || ok "... without a chart"
sleep 60 &
parent=$$ child=$!
run "a process with children" 0 "$bin/pyrograph" report -p $parent -o "$charts/c3"
if [ -e /proc/$parent/task/$parent/children ]; then
	is "... has them recorded, too" "$(first_call)" \
		"collect cpu,sched,offcpu,processes -p $parent --children -d 10 --wakers --events=1ms -o $charts/c3/NAME.data"
else
	skip "... has them recorded, too" "this kernel does not say who they are"
fi
run "... not with --only" 0 "$bin/pyrograph" report -p $parent --only cpu -o "$charts/c4"
is "... which says what is recorded" "$(first_call)" "collect cpu -p $parent -d 10 -o $charts/c4/NAME.data"
kill $child
export usable=cpu

# ---- what else was recorded -----------------------------------------------------------

export usable=cpu,sched,offcpu
run "all that works here is recorded" 0 "$bin/pyrograph" report -p 4194304 -o "$charts/all"
calls >"$tmp/calls"
cat >"$tmp/wanted" <<END
collect cpu,sched,offcpu -p 4194304 -d 10 --wakers --events=1ms -o $charts/all/NAME.data
collapse -q --explain=headline --if-any $charts/all/NAME.data
collapse --sampled --root comm --all -o $charts/all/NAME.folded $charts/all/NAME.data --if-any
render flame --colors java --title CPU: process 4194304 -o $charts/all/NAME.svg $charts/all/NAME.folded
collapse -q --sampled --root thread --all -o $charts/all/NAME-threads.folded $charts/all/NAME.data --if-any
render flame --colors java --split thread --split-least 1 --title CPU: process 4194304 -o $charts/all/NAME-threads $charts/all/NAME-threads.folded
collapse -q --sampled --heat -o $charts/all/NAME-heat.folded $charts/all/NAME.data --if-any
collapse -q --lanes -o $charts/all/NAME-heat-below.folded $charts/all/NAME.data --if-any
render heat --palette java --title CPU over time: process 4194304 -o $charts/all/NAME-heat.svg --span 100ms --lanes $charts/all/NAME-heat-below.folded $charts/all/NAME-heat.folded
collapse -q --timeline -o $charts/all/NAME-timeline.folded $charts/all/NAME.data --if-any
render timeline -q --title Timeline: process 4194304 -o $charts/all/NAME-timeline.svg $charts/all/NAME-timeline.folded
collapse -q --states -o $charts/all/NAME-states.folded $charts/all/NAME.data --if-any
render states --title Scheduler states: process 4194304 -o $charts/all/NAME-states.svg $charts/all/NAME-states.folded
collapse -q --tenancy -o $charts/all/NAME-tenancy.folded $charts/all/NAME.data --if-any
render tenancy --title CPU tenancy: process 4194304 -o $charts/all/NAME-tenancy.svg $charts/all/NAME-tenancy.folded
collapse -q --wall -o $charts/all/NAME-wall.folded $charts/all/NAME.data --if-any
render flame --title All the time: process 4194304 -o $charts/all/NAME-wall.svg $charts/all/NAME-wall.folded
collapse -q --offcpu --waits all -o $charts/all/NAME-offcpu.folded $charts/all/NAME.data --if-any
render flame --title Off-CPU time: process 4194304 -o $charts/all/NAME-offcpu.svg $charts/all/NAME-offcpu.folded
collapse -q --offcpu --heat --waits all -o $charts/all/NAME-latency.folded $charts/all/NAME.data --if-any
collapse -q --lanes -o $charts/all/NAME-latency-below.folded $charts/all/NAME.data --if-any
render heat --y value --log -q --title Off-CPU latency: process 4194304 -o $charts/all/NAME-latency.svg --lanes $charts/all/NAME-latency-below.folded $charts/all/NAME-latency.folded
collapse -q --explain -o $charts/all/NAME-why.txt $charts/all/NAME.data --if-any
web $charts/all
END
cp "$tmp/wanted" "$tmp/wanted.all"
if cmp -s "$tmp/calls" "$tmp/wanted"; then ok "... and drawn"; else
	diff "$tmp/wanted" "$tmp/calls" >"$tmp/diff"; not_ok "... and drawn" "$tmp/diff"; fi
is "... the lines of a heat map and a timeline are not kept" "$(ls "$charts"/all/*heat.folded "$charts"/all/*timeline.folded 2>/dev/null)" ""
headline="4 threads waited
caused by another
" run "what happened" 0 "$bin/pyrograph" report -p 4194304 -o "$charts/headline"
# Charts of states, of CPUs, and of single threads are about something else.
is "... is told by every chart" "$(tr '\n' ' ' <"$log" | grep -o -- "--headline 4 threads waited" | wc -l)" \
	"$(grep '^render' "$log" | grep -cv '^render states\|^render tenancy\|--split thread')"
is "... whole by the first one, for the page" "$(tr '\n' ' ' <"$log" | grep -o -- "--headline 4 threads waited caused by another" | wc -l)" 1
has "... and at the end" "$tmp/err" "pyrograph report: 4 threads waited"
has "... line by line" "$tmp/err" "pyrograph report: caused by another"
headline="shop used 1.2 of 2 CPUs
1 thread waited
Look at it
On CPUs: shop used 97 % of a CPU
Of offcpu: shop was blocked most
" run "what charts show" 0 "$bin/pyrograph" report -p 4194304 -o "$charts/on-cpus"
is "... is told by those of CPU time" "$(grep -c -- "^render.*--title CPU.*--headline shop used 97 %" "$log")" 2
is "... not by others" "$(grep -c -- "--headline shop used 97 %" "$log") $(grep -c -- "--headline 1 thread waited" "$log")" "2 1"
is "... those of waits tell of these" "$(grep -- "--headline shop was blocked most" "$log" | grep -o -- "--title [^:]*:")" \
	"--title Off-CPU time:
--title Off-CPU latency:"
is "... those of states and of CPUs have words of their own" "$(grep '^render states\|^render tenancy' "$log" | grep -c headline)" 0
has_not "... nor at the end" "$tmp/err" "97 %"
is "... then what helps; what collectors say of themselves stays away" \
	"$(grep -cx 'pyrograph report: hint: do that' "$tmp/err") $(grep -c 'of the collectors\|all at once' "$tmp/err")" "1 0"
run "all that the collectors say" 0 "$bin/pyrograph" report -v -p 4194304 -o "$charts/verbose"
has "... comes as they say it" "$tmp/err" "all at once"
run "... of a recording that fails" 1 env fail_collect=1 "$bin/pyrograph" report -p 4194304 -o "$charts/told"
has "... comes, too" "$tmp/err" "of the collectors"
run "a process that is there" 0 "$bin/pyrograph" report -p $$ -o "$charts/named"
has "... is called by its name, too" "$log" "--title CPU: process $$ ($(cat /proc/$$/comm)) "
run "several" 0 "$bin/pyrograph" report -p $$,4194304 -o "$charts/two"
has "... by their numbers" "$log" "--title CPU: processes $$,4194304 "
run "each block for itself" 0 "$bin/pyrograph" report -p 4194304 --each -o "$charts/each"
is "... is recorded" "$(first_call)" "collect cpu,sched,offcpu -p 4194304 -d 10 --wakers --events -o $charts/each/NAME.data"
is "... and drawn" "$(calls | grep latency | grep -v -e '--lanes.*below.*NAME.data' | cut -d" " -f1-9 | tr '\n' ' ')" \
	"collapse -q --offcpu --heat --waits all -o $charts/each/NAME-latency.folded $charts/each/NAME.data render heat --y value --log -q --title Off-CPU latency: "
run "only long waits" 0 "$bin/pyrograph" report -p 4194304 --min 5ms -o "$charts/long"
is "... are recorded" "$(first_call)" "collect cpu,sched,offcpu -p 4194304 -d 10 --min 5ms --wakers --events=1ms -o $charts/long/NAME.data"
run "... where no waits are" 0 "$bin/pyrograph" report -p 4194304 --min 5ms --only cpu,sched -o "$charts/long2"
is "... is said" "$(first_call) $(grep -c 'no effect: waits are not recorded' "$tmp/err")" "collect cpu,sched -p 4194304 -d 10 --events=1ms -o $charts/long2/NAME.data 1"
run "only a heat map" 0 "$bin/pyrograph" report -a --only heat -o "$charts/heat"
is "... is cpu" "$(first_call)" "collect cpu -a -d 10 -o $charts/heat/NAME.data"
is "... and nothing else" "$(calls | cut -d' ' -f1,2 | tr '\n' ' ')" "collect cpu collapse --sampled render heat web $charts/heat "
run "a heat map and another collector" 0 "$bin/pyrograph" report -a --only sched,heat -o "$charts/heat2"
is "... are both recorded" "$(first_call)" "collect cpu,sched -a -d 10 --events=1ms -o $charts/heat2/NAME.data"
has_not "... without flame graphs" "$log" "render flame"
run "two of three" 0 "$bin/pyrograph" report -a --only cpu,sched -o "$charts/two-of-three"
has_not "... are not all the time" "$log" "collapse -q --wall"
run "a heat map and all of cpu" 0 "$bin/pyrograph" report -a --only cpu,heat -o "$charts/heat3"
is "... is cpu" "$(first_call)" "collect cpu -a -d 10 -o $charts/heat3/NAME.data"
is "... flame graphs and heat map" "$(grep -cE 'render (flame|heat)' "$log")" 3
run "another event" 0 "$bin/pyrograph" report -a -e page-faults --only heat -o "$charts/heat4"
has "... names the heat map" "$log" "--title page-faults over time: whole machine"
: >"$log.asked"
run "all that works here is recorded" 0 "$bin/pyrograph" report -p 4194304 -o "$charts/again"
has "... which collect was asked for" "$log.asked" "asked usable cpu,sched,offcpu"
: >"$log.asked"
run "only what is wanted" 0 "$bin/pyrograph" report -a -d 1 --only sched -o "$charts/only"
is "... is recorded" "$(first_call)" "collect sched -a -d 1 --events=1ms -o $charts/only/NAME.data"
is "... nobody is asked" "$(cat "$log.asked")" ""
is "... no flame graph is drawn" "$(grep -c flame "$log")" 0
has "... the states are" "$log" "render states"
run "another collector, if wanted" 0 "$bin/pyrograph" report -a --only wakeup -o "$charts/wakeup"
has "... is drawn" "$log" "--title Waits for a CPU: whole machine"
usable=cpu,faults run "--faults" 0 "$bin/pyrograph" report -p 4194304 --faults -o "$charts/faults"
has "... are asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,faults"
has "... folded by file, with reasons" "$log" "collapse -q --faults --leaf reason -o"
has "... drawn" "$log" "render flame --title Page faults: process 4194304"
has "... and as latencies" "$log" "render heat --y value --log -q --title Page-fault latency: process 4194304"
usable=cpu,syscalls run "--syscalls" 0 "$bin/pyrograph" report -p 4194304 --syscalls -o "$charts/syscalls"
has "... are asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,syscalls"
has "... folded by call, with reasons" "$log" "collapse -q --syscalls --root comm,idle,syscall --leaf reason -o"
has "... drawn" "$log" "render flame --title System calls: process 4194304"
has "... and as latencies" "$log" "render heat --y value --log -q --title System-call latency: process 4194304"
usable=cpu,lanes run "--lanes" 0 "$bin/pyrograph" report -p 4194304 --lanes -o "$charts/lanes"
has "... are asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,lanes"
has "... drawn" "$log" "render lanes -q --title Lanes: process 4194304"
is "... below the heat map of samples as well" "$(calls | grep -c -- "render heat .*-o $charts/lanes/NAME-heat.svg --span 100ms --lanes $charts/lanes/NAME-heat-below.folded $charts/lanes/NAME-heat.folded\$")" 1
is "... and below latencies" "$(usable=cpu,offcpu,lanes "$bin/pyrograph" report -p 4194304 --lanes -o "$charts/lanes2" >"$log.out" 2>&1
	calls | grep -c -- "render heat .*-latency.svg --lanes $charts/lanes2/NAME-latency-below.folded $charts/lanes2/NAME-latency.folded\$")" 1
is "... whose lines are in the pictures" "$(find "$charts/lanes" "$charts/lanes2" -name '*-below.folded' | wc -l)" 0
usable=cpu,processes run "--processes" 0 "$bin/pyrograph" report -p 4194304 --processes -o "$charts/processes"
has "... are asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,processes"
has "... folded, one by one" "$log" "collapse -q --processes -o"
has "... drawn" "$log" "render processes"
usable=cpu,io run "--io" 0 "$bin/pyrograph" report -p 4194304 --io -o "$charts/io"
has "... is asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,io"
has "... folded by device, with files and reasons" "$log" "collapse -q --io --leaf file,reason -o"
has "... drawn" "$log" "render flame --title Block I/O: process 4194304"
has "... and as latencies" "$log" "render heat --y value --log -q --title Block-I/O latency: process 4194304"
usable=cpu,locks run "--locks" 0 "$bin/pyrograph" report -p 4194304 --locks -o "$charts/locks"
has "... are asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,locks"
has "... drawn" "$log" "render flame --title Waits for locks: process 4194304"
has "... and as latencies" "$log" "render heat --y value --log -q --title Lock latency: process 4194304"
usable=cpu,alloc run "--alloc" 0 "$bin/pyrograph" report -p 4194304 --alloc -o "$charts/alloc"
has "... is asked for, too" "$log.asked" "asked usable cpu,sched,offcpu,alloc"
has "... folded by thread" "$log" "collapse -q -e alloc --root thread -o"
has "... and drawn" "$log" "render flame --title Heap allocations: process 4194304"
usable=cpu,alloc nothing=alloc run "--alloc, where nothing was allocated, is no failure" 0 \
	"$bin/pyrograph" report -p 4194304 --alloc -o "$charts/alloc1"
has "... the rest is drawn" "$log" "render flame --colors java"
has_not "... and no empty picture" "$log" "render flame --colors mem"
has "... which is told" "$tmp/err" "pyrograph report: Heap allocations: nothing was recorded, so there is no chart"
usable=cpu,alloc run "... but it is one when there is nothing of all that was recorded" 1 \
	env fail_collapse=3 "$bin/pyrograph" report -p 4194304 --alloc -o "$charts/alloc1"
usable=cpu,alloc run "... and when it cannot be read" 1 \
	env fail_collapse=1 "$bin/pyrograph" report -p 4194304 --alloc -o "$charts/alloc1"
run "--alloc and --only" 2 "$bin/pyrograph" report -p 4194304 --alloc --only cpu -o "$charts/alloc2"
usable=cpu run "what does not work here" 0 "$bin/pyrograph" report -q -a -d 1 -o "$charts/cpu"
is "... is left out" "$(first_call)" "collect cpu -a -d 1 -q -o $charts/cpu/NAME.data"
has_not "... and not drawn" "$log" states
has "... quietly, if asked" "$log.asked" "asked usable cpu,sched,offcpu -q"
usable="" run "nothing works here" 5 env fail_collect=5 "$bin/pyrograph" report -a -d 1 -o "$charts/no"
is "... cpu is tried: collect says what it takes" "$(first_call)" "collect cpu -a -d 1 -o $charts/no/NAME.data"
run "collect that cannot even be asked" 9 env fail_usable=9 "$bin/pyrograph" report -a -o "$charts/ask"
is "... ends the report" "$(cat "$log")" ""
[ ! -e "$charts/ask" ] && ok "... no empty directory stays" || not_ok "... no empty directory stays"
run "a chart that cannot be drawn" 7 env fail_render=7 "$bin/pyrograph" report -a -o "$charts/f7"
is "... keeps no other from being drawn, nor the page" "$(calls | cut -d' ' -f1,2 | tail -4 | tr '\n' ' ')" \
	"collapse -q render heat collapse -q web $charts/f7 "
unset usable

# ---- failures -----------------------------------------------------------------------

run "collect fails" 5 env fail_collect=5 "$bin/pyrograph" report -a -o "$charts/f1"
is "... and nothing else runs" "$(wc -l <"$log")" 1
[ ! -e "$charts/f1" ] && ok "... no empty directory stays" || not_ok "... no empty directory stays"
mkdir "$charts/there"
run "collect fails in a directory that was there" 5 env fail_collect=5 "$bin/pyrograph" report -a -o "$charts/there"
is "... where nothing is left" "$(ls -A "$charts/there")" ""
run "collect fails below directories that are new" 5 env fail_collect=5 "$bin/pyrograph" report -a -o "$charts/there/1/2//3/"
is "... none of them is left" "$(ls -A "$charts/there")" ""
: >"$charts/there/mine"
run "... nor is more removed" 5 env fail_collect=5 "$bin/pyrograph" report -a -o "$charts/there"
is "... than was made" "$(ls -A "$charts/there")" mine
run "collect fails but leaves a recording" 5 env keep=1 fail_collect=5 "$bin/pyrograph" report -a -o "$charts/f2"
is "... which is drawn" "$(calls | tail -1)" "web $charts/f2"
run "collapse fails" 4 env fail_collapse=4 fail_web=3 "$bin/pyrograph" report -a -o "$charts/f3"
is "... no picture, but the page" "$(calls | cut -d' ' -f1 | tr '\n' ' ')" "collect collapse collapse collapse collapse web "
has "... its message is seen" "$tmp/err" "pyrograph collapse: broken on purpose"
run "render fails" 7 env fail_render=7 "$bin/pyrograph" report -a -o "$charts/f4"
ls "$charts"/f4/*.data "$charts"/f4/*.folded >/dev/null 2>&1 && ok "... what is whole is kept" || not_ok "... what is whole is kept"
is "... and no empty directory of threads" "$(ls -d "$charts"/f4/*-threads 2>/dev/null)" ""
run "web fails" 1 env fail_web=1 "$bin/pyrograph" report -a -o "$charts/f5"
: >"$tmp/file"
run "the directory cannot be made" 1 "$bin/pyrograph" report -a -o "$tmp/file/charts"
has "... and the message says which" "$tmp/err" "$tmp/file/charts: the directory for the charts cannot be made: Not a directory"
run "a place that takes no directories" 1 "$bin/pyrograph" report -a -o /proc/charts
has "... is told" "$tmp/err" "/proc/charts: no directory can be made there"
run "a file where a directory belongs" 1 "$bin/pyrograph" report -a -o "$tmp/file"
has "... is said" "$tmp/err" "$tmp/file: is a file; -o needs a directory"
is "... nothing ran" "$(cat "$log")" ""

# ---- several at once ----------------------------------------------------------------

if [ "$all_cpus" = "$one_cpu" ]; then
	skip "charts are drawn at the same time" "there is one CPU only"
else
	taskset -cp "$all_cpus" $$ >"$tmp/affinity"
	export usable=cpu,sched,offcpu
	run "charts are drawn at the same time" 0 "$bin/pyrograph" report -p 4194304 -o "$charts/all"
	calls | sort >"$tmp/calls"
	sort "$tmp/wanted.all" | diff - "$tmp/calls" >"$tmp/diff" && ok "... all of them, once" || not_ok "... all of them, once" "$tmp/diff"
	is "... the recording first, the page last" "$(calls | sed -n '1s/ .*//p;$s/ .*//p' | paste -sd ' ')" "collect web"
	run "... one of them fails" 4 env fail_collapse=4 "$bin/pyrograph" report -p 4194304 -o "$charts/f8"
	is "... a message of them all appears once, after that of the headline" \
		"$(grep -cx 'pyrograph collapse: broken on purpose' "$tmp/err")" 2
	run "... for a caller that ignores how children end" 0 timeout 60 perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' \
		"$bin/pyrograph" report -p 4194304 -o "$charts/f9"
	is "... too" "$(calls | tail -1)" "web $charts/f9"
	unset usable
	taskset -cp "$one_cpu" $$ >"$tmp/affinity"
fi

# Messages of the real stages use the name of the given command.
run "a mistake that collect finds" 2 "$pyrograph" report -p abc -o "$charts/voice"
has "... is said by the report" "$tmp/err" "pyrograph report: --pid needs numbers"
has "... which points at its own help" "$tmp/err" "Try 'pyrograph report --help'"
has_not "... and at no other" "$tmp/err" "pyrograph collect"
[ ! -e "$charts/voice" ] && ok "... no empty directory stays" || not_ok "... no empty directory stays"

# ---- signals ------------------------------------------------------------------------

# A collector that ends early, with status 0, when it is interrupted.
cat >"$bin/pyrograph-collect" <<'END'
#!/bin/sh
[ "$1" = usable ] && { echo cpu; exit; }
trap 'echo interrupted >>"$log"; echo x >"$out"; exit 0' INT TERM
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
echo ready >>"$log"
for i in $(seq 300); do sleep 0.1; done
exit 9
END
for signal in INT TERM; do
	for whom in group report; do
		: >"$log"
		# A process group of its own, like a terminal's foreground.  perl is used, since sh would start a
		# background job with SIGINT ignored.
		perl -e '$SIG{INT} = "DEFAULT"; setpgrp; exec @ARGV' \
			"$bin/pyrograph" report -a -o "$charts/s$signal$whom" 2>"$tmp/err" &
		pid=$!
		for i in $(seq 300); do grep -q ready "$log" && break; sleep 0.1; done
		[ "$whom" = group ] && target=-$pid || target=$pid
		/bin/kill -s "$signal" -- "$target"
		wait "$pid"
		is "SIG$signal to the $whom ends the recording" "$?" 0
		has "... the collector was told" "$log" interrupted
		is "... and the chain goes on" "$(calls | tail -1)" "web $charts/s$signal$whom"
	done
done
: >"$log"
"$bin/pyrograph" report -a -o "$charts/killed" 2>"$tmp/err" &
pid=$!
for i in $(seq 300); do grep -q ready "$log" && break; sleep 0.1; done
kill -KILL "$pid"
wait "$pid"
for i in $(seq 100); do grep -q interrupted "$log" && break; sleep 0.1; done
has "a report that is killed: its collector ends, too" "$log" interrupted
# In the background of a script, SIGINT is ignored.  perl is used, because a shell cannot catch it then.
cat >"$bin/pyrograph-collect" <<'END'
#!/usr/bin/perl
if ($ARGV[0] eq "usable") { print "cpu\n"; exit }
sub note { open my $log, ">>", $ENV{log}; print $log "$_[0]\n"; close $log }
for (0 .. $#ARGV) { $out = $ARGV[$_ + 1] if $ARGV[$_] eq "-o" }
my $given = $SIG{INT};
$SIG{INT} = sub { note("interrupted"); open my $o, ">", $out; print $o "x"; close $o; exit 0 };
note("ready $given");
sleep 60;
exit 9;
END
: >"$log"
(trap '' INT; exec "$bin/pyrograph" report -a -o "$charts/ignored" 2>"$tmp/err") & pid=$!
for i in $(seq 300); do grep -q ready "$log" && break; sleep 0.1; done
has "SIGINT that is ignored: the collector gets it so" "$log" "ready IGNORE"
kill -INT "$pid"
wait "$pid"
is "... and it ends the recording all the same" "$?" 0
has "... the collector was told" "$log" interrupted
printf '#!/bin/sh\n[ "$1" = usable ] && { echo cpu; exit; }\nkill -KILL $$\n' >"$bin/pyrograph-collect"
run "a collector that is killed" 137 "$bin/pyrograph" report -a -o "$charts/k"
has "... is reported" "$tmp/err" "collect was ended by signal 9"
# If a stage fails because there is nothing to fold, other charts make up for it, but never if it fails otherwise, or is
# killed.
mkdir "$bin/whole"
cp "$bin/stage" "$bin/whole/pyrograph-collapse"
cp "$bin/stage" "$bin/pyrograph-collect"
cat >"$bin/pyrograph-collapse" <<'END'
#!/bin/sh
case "$*" in *--sampled*) [ "$how" -le 3 ] 2>/dev/null && exit "$how"; kill -"$how" $$ ;; esac
exec "${0%/*}/whole/pyrograph-collapse" "$@"
END
for how in 3:0 1:1 SEGV:139 KILL:137; do
	run "collapse that ends by ${how%:*}" "${how#*:}" \
		env usable=cpu,sched how="${how%:*}" "$bin/pyrograph" report -a -o "$charts/signal.${how%:*}"
done

# ---- of an existing recording ---------------------------------------------------

# collapse lists what the recording has; the name is that of the recording, made safe.
sed 's/^stage=.*/stage=collapse/' "$bin/stage" >"$bin/fold"
chmod +x "$bin/fold"
cat >"$bin/pyrograph-collapse" <<'END'
#!/bin/sh
case "$*" in *"--event all"*) echo "# pyrograph: event=any"; printf '%s\n' "cpu-clock 12" "page faults:u 3" "process 4" "sched:sched_switch 5"; exit ;; esac
exec "${0%/*}/fold" "$@"
END
mkdir -p "$tmp/others"
echo PERFILE2 >"$tmp/others/a stall.data"
run "a report of a recording" 0 "$bin/pyrograph" report --recording "$tmp/others/a stall.data" -o "$charts/given"
has_not "... records nothing" "$log" "collect"
has "... has charts of what was sampled" "$log" "collapse --sampled --root comm --all -o $charts/given/a_stall.folded $charts/given/a_stall.data"
has "... titled by its event" "$log" "--title page faults:u: a_stall"
has "... of events that others wrote" "$log" "collapse -q --states -o $charts/given/a_stall-states.folded"
has "... of those whose collector has another name" "$log" "collapse -q --processes"
has_not "... of nothing else" "$log" "--syscalls"
sed -i 's/"process 4"/"wall 4"/' "$bin/pyrograph-collapse"
run "... of collect wall" 0 "$bin/pyrograph" report --recording "$tmp/others/a stall.data" -o "$charts/given"
is "... all the time is drawn once, though sched and offcpu are there, too" "$(grep -c 'collapse -q --wall' "$log")" 1
has "... what happened is told" "$log" "collapse -q --explain -o"
sed -i '2i case "$*" in *--explain=headline*) exit 3 ;; esac' "$bin/pyrograph-collapse"
run "... of sums only" 0 "$bin/pyrograph" report --recording "$tmp/others/a stall.data" -o "$charts/given"
is "... no timeline, no explanation" "$(grep -c -e '--explain -o' -e '--timeline' "$log")" 0
sed -i 's/ "sched:sched_switch 5"//' "$bin/pyrograph-collapse"
run "... of that alone" 0 "$bin/pyrograph" report --recording "$tmp/others/a stall.data" -o "$charts/given"
is "... all the time is drawn" "$(grep -c 'collapse -q --wall' "$log")" 1
is "... with the recording, not another copy" "$(stat -c %h "$charts/given/a_stall.data")" 2
run "... again" 0 "$bin/pyrograph" report --recording "$tmp/others/a stall.data" -o "$charts/given"
has "... with the same names" "$log" "$charts/given/a_stall.svg"
echo PERFILE2 >"$tmp/a stall.data"
run "another one of that name" 0 "$bin/pyrograph" report --recording "$tmp/a stall.data" -o "$charts/given"
has "... gets a number" "$log" "$charts/given/a_stall-2.svg"
run "a report of nothing" 1 "$bin/pyrograph" report --recording "$tmp/none.data" -o "$charts/no"
has "... says so" "$tmp/err" "none.data: No such file"
is "... and leaves no directory" "$(ls -d "$charts/no" 2>/dev/null)" ""
run "a report of a directory" 1 "$bin/pyrograph" report --recording "$tmp" -o "$charts/no"
has "... says so" "$tmp/err" "is not a file that holds a recording"
for more in -a "-d 5" --faults "--only cpu" "--keep 3d"; do
	run "--recording and $more" 2 "$bin/pyrograph" report --recording "$tmp/a stall.data" $more
	has "... is refused" "$tmp/err" "leave out what to record"
done
