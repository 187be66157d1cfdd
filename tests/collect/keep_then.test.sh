# --then: runs a command for each recording that --keep has written.
# live: recordings of this machine
. tests/tap.sh
. tests/collect/common.sh
need_sampling "--then"
matches() { if grep -q -e "$3" "$2"; then ok "$1"; else not_ok "$1" "no match of '$3' in:" "$2"; fi; }

sleep 600 &
sleeper=$! # little to keep

# recorder ARG...: runs a flight recorder in the background.
recorder()
{
	rm -rf "$tmp/kept"
	mkdir "$tmp/kept"
	: >"$tmp/err"
	$collect -p $sleeper --keep 1s --after 1ms --rest 1ms "$@" -o "$tmp/kept/k.data" 2>"$tmp/err" &
	recorder=$!
	before 60 grep -q 'keeping the last' "$tmp/err"
}
end_recorder() { kill -INT $recorder; finished $recorder; recorder_status=$?; }
ask()          { kill -USR1 $recorder; before 60 lines "$tmp/err" "$1" "$2"; }
kept()         { ls "$tmp/kept" | grep -c '^k-.*\.data$'; }

# The parent gives its memory back as soon as the recording is written, however long the command takes.
slow()
{
	rm -f "$tmp/begun" "$tmp/go"
	recorder --then "echo \"\$1\" >>'$tmp/begun'; until [ -e '$tmp/go' ]; do sleep 0.2; done"
	for n in 1 2 3 4 5; do
		ask 'wrote' $n
		is "a slow command: recording $n is written meanwhile" $? 0
	done
	before 60 lines "$tmp/begun" "^$tmp/kept/k-.*\.data$" 5
	is "... it gets its path" $? 0
	: >"$tmp/go"
	end_recorder
	is "... it ends well" $recorder_status 0
}
live slow

fails()
{
	recorder --most 2 --then 'exit 3'
	for n in 1 2 3; do
		ask 'then failed (status 3)' $n
	done
	end_recorder
	matches "a command that fails is told" "$tmp/err" 'k-.*\.data: --then failed (status 3)'
	matches "... the recordings were written" "$tmp/err" '3 recordings written'
	is "... none of them could not be" "$(grep -c 'could not be written' "$tmp/err")" 0
	is "... and the oldest go, as ever" "$(kept)" 2
	is "... with status 1" $recorder_status 1
}
live fails

many()
{
	rm -f "$tmp/go"
	recorder --then "until [ -e '$tmp/go' ]; do sleep 0.2; done"
	for n in 1 2 3 4 5 6 7 8 9; do
		ask 'wrote' $n
	done
	matches "as many as hang are enough" "$tmp/err" 'k-.*\.data: --then is not run: 8 of its commands have not ended'
	: >"$tmp/go"
	end_recorder
	is "... with status 1" $recorder_status 1
}
live many

kill $sleeper
