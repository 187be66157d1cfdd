#!/bin/sh
# Load on a machine: two busy loops, a writer, and a loop that starts programs, at normal priority.
#
#   tests/load.sh                  until it is killed
#   tests/load.sh COMMAND ...      while the command runs, whose exit status it has
#
# Nothing is left behind: the loops end when this script ends, in whatever way.
dir=$(mktemp -d) || exit 1
loops= command=
: >"$dir/on"
trap 'end' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

end()
{
	[ -z "$command" ] || kill "$command" 2>/dev/null
	rm -f "$dir/on" # a signal that reaches a shell between its fork and its first command is lost
	kill $loops 2>/dev/null
	wait
	rm -rf "$dir"
}

goes_on() { [ -e "$dir/on" ] && kill -0 $$ 2>/dev/null; }

busy_loop()
{
	while goes_on; do
		n=0
		while [ $n -lt 100000 ]; do n=$((n + 1)); done
	done
}

writer()
{
	trap 'kill $! 2>/dev/null; exit' TERM
	while goes_on; do
		dd if=/dev/zero of="$dir/file" bs=1M count=100 conv=fsync 2>/dev/null &
		wait $!
	done
	rm -rf "$dir"
}

fork_loop()
{
	while goes_on; do /bin/true; done
}

exec 3<&0
for loop in busy_loop busy_loop writer fork_loop; do
	$loop 3<&- &
	loops="$loops $!"
done
if [ $# = 0 ]; then
	wait
	exit
fi
# A background job ignores SIGINT, passes that on, and reads nothing.
env --default-signal=INT,QUIT "$@" <&3 3<&- &
command=$!
wait $command
status=$?
command=
exit $status
