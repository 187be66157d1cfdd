#!/bin/sh
# The content of the code cache, and which methods were inlined where, compared with what the JVM itself says.
# live: code caches; sanitized, too
. tests/tap.sh
. tests/jvm/java.sh
need_java
LC_ALL=C
list_code=${BUILD:-build}/tests/jvm-readers/list_code

# "compiled 7 4 0xSTART 0xBEGIN 0xEND 4 java.lang.Object.<init>", as codelist_methods writes it.
our_methods()
{
	sed -n 's/^\(compiled\|native\) \([^ ]*\) \([^ ]*\) 0x\([^ ]*\) 0x\([^ ]*\) 0x\([^ ]*\) [^ ]* /\2 \3 \4 \5 \6 /p' |
		grep -v '\$\$Lambda\|LambdaForm\|/0x' | sort
}

# "7 4 0 java.lang.Object.<init>()V [0x00START, 0x00BEGIN - 0x00END]"; names of hidden classes are changed.
their_methods()
{
	sed -n 's/^ *\([0-9]*\) \(-*[0-9]*\) [-0-9]* \([^( ]*\)(.* \[0x0*\([^,]*\), 0x0*\([^ ]*\) - 0x0*\([^]]*\)\].*/\1 \2 \4 \5 \6 \3/p' |
		grep -v '\$\$Lambda\|LambdaForm\|/0x' | sort
}

# within WHAT FEWER MORE: all lines of FEWER are in MORE, and there are some.
within()
{
	comm -23 "$2" "$3" >"$tmp/missing"
	if [ -s "$2" ] && [ ! -s "$tmp/missing" ]; then ok "$1 ($(wc -l <"$2"))"; else not_ok "$1" "$tmp/missing"; fi
}

# asked COMMAND: the JVM's answer.  The program that asks is also a JVM.
asked() { jcmd -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$jvm" "$1" 2>&1; }

# compare_methods WHERE: compares our lists before and after with the JVM's answer, because code is made and freed in
# between.
compare_methods()
{
	[ "$v" = java8 ] && { skip "$v: the JVM's own list" "no Compiler.codelist before 9"; return; }
	$list_code "$jvm" | our_methods >"$tmp/before"
	asked Compiler.codelist >"$tmp/codelist"
	$list_code "$jvm" | our_methods >"$tmp/after"
	their_methods <"$tmp/codelist" >"$tmp/theirs"
	sort -u "$tmp/before" "$tmp/after" >"$tmp/ever"
	comm -12 "$tmp/before" "$tmp/after" >"$tmp/always"
	within "$v, $1: what the JVM has compiled is found" "$tmp/theirs" "$tmp/ever"
	within "$v, $1: what is found was compiled" "$tmp/always" "$tmp/theirs"
}

# compare_stubs WHERE: each stub whose first instruction has a name in the JVM's map is in our list from before the map,
# or from after it.  Our lists may also have names for parts of stubs.
compare_stubs()
{
	[ "${v#java}" -lt 17 ] && { skip "$v: the JVM's own map" "no Compiler.perfmap before 17"; return; }
	asked Compiler.perfmap >"$tmp/out"
	sed -n 's/^0x0*\([^ ]*\) 0x[^ ]* \(.* \(Runtime1 stub\|adapters\|blob\)\)$/\1 \2/p' "/tmp/perf-$jvm.map" |
		sort >"$tmp/theirs"
	rm -f "/tmp/perf-$jvm.map"
	$list_code "$jvm" | cat "$tmp/list" - | sed -n 's/^stub [^ ]* [^ ]* [^ ]* 0x\([^ ]*\) [^ ]* [^ ]* /\1 /p' | sort -u >"$tmp/ours"
	within "$v, $1: stubs" "$tmp/theirs" "$tmp/ours"
}

# has_line WHAT PATTERN: a line of the list matches.
has_line()
{
	if grep -q "$2" "$tmp/list"; then ok "$v: $1"; else not_ok "$v: $1" "no line '$2'"; fi
}

# start OPTION: starts a JVM whose compiler is told what to inline, and waits for the compilation.
start()
{
	java_start "$1" -XX:-BackgroundCompilation -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Inlined.leaf -XX:CompileCommand=dontinline,Inlined.outer \
		-XX:CompileCommand=inline,Inlined.inner -XX:CompileCommand=inline,Inlined.middle Inlined
}

# Code is made and freed while it is read, by threads of the JVM that a busy machine may delay.
by_c2()
{
	start -XX:-TieredCompilation
	$list_code "$jvm" scopes >"$tmp/list"
	has_line "the interpreter's return entries" '^interpreter .* invoke return entry points$'
	has_line "an interpreted bytecode" '^interpreter .* invokevirtual$'
	has_line "the interpreter's entry of a method" '^entered at its beginning method entry point (kind = .*)$'
	is "$v: entries, all of them" "$(grep '^entered inside' "$tmp/list")" ""
	has_line "adapters" '^stub .* I2C/C2I adapters$'
	has_line "a method, by C2" '^compiled [0-9]* 4 .* Inlined.leaf$'
	has_line "inlined, the first call" '^at [^ ]* [0-9]* Inlined.inner@1 Inlined.middle@9 Inlined.outer@1$'
	has_line "inlined, the second call" '^at [^ ]* [0-9]* Inlined.inner@1 Inlined.middle@9 Inlined.outer@7$'
	compare_methods "one heap"
	compare_stubs "one heap"
	java_stop
}

by_c1()
{
	start -XX:TieredStopAtLevel=1
	$list_code "$jvm" scopes >"$tmp/list"
	has_line "a method, by C1" '^compiled [0-9]* 1 .* Inlined.leaf$'
	has_line "inlined by C1" '^at [^ ]* [0-9]* Inlined.inner@1 Inlined.middle@9 Inlined.outer@7$'
	java_stop
}

by_both()
{
	start -XX:ReservedCodeCacheSize=240m # from JDK 9 on, in three heaps by default
	$list_code "$jvm" >"$tmp/list"
	has_line "a method, compiled twice" '^compiled [0-9]* [34] .* Inlined.leaf$'
	compare_methods "heaps"
	compare_stubs "heaps"
	java_stop
}

for java in $JAVAS; do
	v="java$(java_version "$java")"
	live by_c2
	live by_c1
	live by_both
done
