# perf sched record as a source: the same as perf sched timehist says, and the same as
# pyrograph collect sched when both record at once.
. tests/tap.sh

if ! command -v perf >/dev/null || ! perf sched record -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf sched record" "it does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi

# Two spinners on one CPU, a sleeper, and two that wake each other.
cat >"$tmp/load.sh" <<'END'
taskset -c 0 sh -c 'echo $$ >'"$1"'/a; while [ ! -e '"$1"'/end ]; do :; done' &
taskset -c 0 sh -c 'echo $$ >'"$1"'/b; while [ ! -e '"$1"'/end ]; do :; done' &
taskset -c 0 sh -c 'echo $$ >'"$1"'/c; i=0; while [ $i -lt 10 ]; do sleep 0.05; i=$((i + 1)); done'
taskset -c 0 perf bench sched pipe -l 2000 >/dev/null
sleep 0.5
touch "$1/end"
wait
END

perf sched record -o "$tmp/rec.data" -- sh "$tmp/load.sh" "$tmp" >/dev/null 2>&1
perf sched -i "$tmp/rec.data" timehist >"$tmp/timehist" 2>/dev/null
"$pyrograph" collapse --root tid,state --no-stack --event sched --weight time "$tmp/rec.data" >"$tmp/states" 2>"$tmp/err" ||
	not_ok "collapse" "$tmp/err"
python3 tests/collapse/timehist.py "$tmp/timehist" "$tmp/states" $(cat "$tmp/a" "$tmp/b" "$tmp/c")
