# Wrong usage: exit status 2, what is wrong, and nothing is written.
. tests/tap.sh
. tests/collect/common.sh

# Arguments | what must be said.
while IFS='|' read -r args text; do
	# shellcheck disable=SC2086
	(cd "$tmp" && exec timeout 60 "$OLDPWD/$pyrograph" collect cpu $args) >"$tmp/out" 2>"$tmp/err"
	is "collect cpu $args: status 2" $? 2
	has "... says why" "$tmp/err" "$text"
done <<'END'
|-a (the whole machine)
-d 1|-a (the whole machine)
-a --output=|--output needs a file
-p abc|--pid needs numbers such as 8513,8514, not 'abc'
-p 8513,9999999|--pid 9999999: numbers of processes end at 4194304
-p 1,,2|--pid needs numbers
-p 0|--pid needs numbers
-p -5|--pid needs numbers
-p 99999999999999999999|--pid needs numbers
-t 1x|--tid needs numbers
-p 1 -a|-a is the whole machine
-p 1 true|exclude each other
--wait -a|need -p, -t or --name
--until-exit true|need -p, -t or --name
--thread x|--thread also needs its process
--name (|missing closing parenthesis
--name x --thread [|--thread:
-C x -a|--cpu needs CPU numbers
-C 0- -a|--cpu needs CPU numbers
-C 3-1 -a|--cpu needs CPU numbers
-C 65535|is not online on this machine
-C 99999999999|--cpu needs CPU numbers
-F 0 -a|--freq needs a number from 1
-F abc -a|--freq needs a whole number
-F 99 -c 5 -a|-F and -c exclude each other
-c 0 -a|--count needs a number
-d 5x -a|--duration needs a time
-d 0 -a|--duration needs a time longer than 0
-d 0.0ms -a|--duration needs a time longer than 0
-e nosuch -a|unknown event 'nosuch'
-e cycles:x -a|only u, k and p may follow the colon
-e rxyz -a|unknown event 'rxyz'
-e sched: -a|neither an event nor a tracepoint
-e ../../x:y -a|neither an event nor a tracepoint
--user --kernel -a|exclude each other
-m 5q -a|--ring needs a size
-m 1 -a|--ring is in bytes, and a page
-o - -a|cannot go to a pipe
--nosuch|unknown option --nosuch
END
is "none of them wrote a file" "$(ls "$tmp" | grep -v -x -e out -e err)" ""
status "a process that is not there" 1 $collect -p 4194303 -d 0.1 -o "$tmp/a.data"
has "... is said" "$tmp/err" "no process 4194303"
status "a thread that is not there" 1 $collect -t 4194303 -d 0.1 -o "$tmp/a.data"
has "... is said" "$tmp/err" "no thread 4194303"

max=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$max" -lt 10000000 ]; then
	status "a rate that the kernel does not allow" 1 $collect -a -F 10000000 -d 0.1 -o "$tmp/a.data"
	now=$(cat /proc/sys/kernel/perf_event_max_sample_rate) # the kernel lowers it at times
	some "... says what it allows, and both ways out" "$(grep -cE "\(($max|$now)\): lower -F, or sudo sysctl" "$tmp/err")" 1
fi
