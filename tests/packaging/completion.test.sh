#!/bin/sh
# Completion: what the programs offer, that they take it, and that bash, zsh and fish pass it on.
. tests/tap.sh

bin=$(cd "${BUILD:-build}" && pwd)
scripts=$PWD/packaging/completion

# offers WHAT WORD ...: the first words of the answer to --complete
offers()
{
	what=$1
	shift
	is "$what" "$($pyrograph --complete "$@" 2>&1 | cut -f1 | tr '\n' ' ')" "$wanted "
}
wanted="render report" offers "verbs" re
wanted="flame folded" offers "... of a stage" render f
wanted="syscalls" offers "collectors" collect sys
wanted="sched,syscalls" offers "... in a list" collect sched,sy
wanted="cpu,sched,syscalls" offers "... without those that it has" collect cpu,sched,s
wanted="--call-graph" offers "options" collect cpu --call
wanted="--call-graph" offers "... of one of several collectors" collect sched,cpu --call
wanted="auto dwarf fp no" offers "values" collect cpu --call-graph ""
wanted="--call-graph=dwarf" offers "... in the same word" collect cpu --call-graph=d
wanted="light" offers "... that the argument's name tells" render flame --theme l
wanted="pid,tid,thread" offers "lists of values, without those that they have" collapse --root pid,tid,th
wanted=":file" offers "files, for an option" render flame -o ""
wanted=":file" offers "... for an operand" collapse --all ""
wanted=":directory" offers "directories" web ""
wanted=":command" offers "commands" collect cpu -d 5 sl
wanted=":file" offers "... and their operands" collect cpu ls -
wanted=":file" offers "after --, no options" collapse -- --
is "each option of a help is offered" "$($pyrograph --complete render heat -- | cut -f1 | sort)" \
	"$({ $pyrograph render heat --help | sed '/^In man/,$d' | grep -oE '^  (-[a-zA-Z], |    )--[a-z-]+' | grep -oE -- '--.*'; echo --version; } | sort)"
is "a stage by its own name" "$("$bin/pyrograph-render" --complete flame --tit | cut -f1)" --title
is "what is no verb has no options" "$($pyrograph --complete render nothing -- 2>&1)" ""

# Each value that is offered is taken: no message says that its option needs another one.
printf '# pyrograph: unit=samples\nmain;f 3\n' >"$tmp/in.folded"
for command in "collapse" "render flame" "render heat" "render states" "render tenancy" "render timeline"; do
	for option in $($pyrograph --complete $command -- | cut -f1); do
		for value in $($pyrograph --complete $command "$option" "" | grep -v '^:' | cut -f1); do
			echo "$command $option $value" >>"$tmp/values"
			# shellcheck disable=SC2086 # words
			$pyrograph $command $option $value "$tmp/in.folded" >"$tmp/out" 2>"$tmp/err"
			grep -qE -- "$option (is|needs|: unknown)|unknown.*'$value'|no .* called" "$tmp/err" && cat "$tmp/err" >>"$tmp/refused"
		done
	done
done
is "values that are offered are taken" "$(cat "$tmp/refused" 2>/dev/null)" ""
is "... and these are many" "$(($(wc -l <"$tmp/values") > 100))" 1

# ---- shells -------------------------------------------------------------------------

cat >"$tmp/try.bash" <<'end'
. "$1/pyrograph"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_pyrograph
printf '%s ' "${COMPREPLY[@]}"
end
in_bash() { PATH=$bin:$PATH bash "$tmp/try.bash" "$scripts" "$@" 2>&1; }
if command -v bash >/dev/null; then
	is "bash: verbs" "$(in_bash pyrograph re)" "render report "
	is "bash: options" "$(in_bash pyrograph collect cpu --call)" "--call-graph "
	is "bash: values after =, a word of its own" "$(in_bash pyrograph render flame --theme = d)" "dark "
	is "bash: ... which is empty" "$(in_bash pyrograph render flame --theme =)" "auto light dark "
	is "bash: commands" "$(in_bash pyrograph collect cpu pyrograph-rend)" "pyrograph-render "
	is "bash: the program need not be on PATH" "$(in_bash "$bin/pyrograph" exp)" "explain "
else
	skip "bash" "no bash"
fi
if command -v fish >/dev/null; then
	in_fish() { HOME=$tmp PATH=$bin:$PATH fish --no-config -c "source '$scripts/pyrograph.fish'; complete -C '$1'" 2>&1 | cut -f1 | tr '\n' ' '; }
	is "fish: verbs" "$(in_fish "pyrograph re")" "render report "
	is "fish: values" "$(in_fish "pyrograph render flame --theme=d")" "--theme=dark "
	is "fish: nothing typed yet" "$(in_fish "pyrograph render flame --theme ")" "auto dark light "
else
	skip "fish" "no fish"
fi
if command -v zsh >/dev/null; then
	cat >"$tmp/try.zsh" <<'end'
# These stand in for zsh's own functions, and print what our completion passes to them.
_describe() { print -l -- "${(@P)3}"; }
_files() { print -- "files $*"; }
_command_names() { print commands; }
compset() { :; }
words=("${@[2,-1]}") CURRENT=$#words
. $1/_pyrograph
end
	in_zsh() { PATH=$bin:$PATH zsh -f "$tmp/try.zsh" "$scripts" "$@" 2>&1; }
	is "zsh: verbs, with what they are" "$(in_zsh pyrograph expl)" "explain:a recording -> what happened, in 40 lines"
	is "zsh: values" "$(in_zsh pyrograph render flame --theme=d)" "--theme=dark"
	is "zsh: directories" "$(in_zsh pyrograph web "")" "files -/"
else
	skip "zsh" "no zsh"
fi
