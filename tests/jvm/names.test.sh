# Names of threads in a recording are those that the JVM itself prints, byte for byte, with any garbage collector and
# layout of the heap; under load, no thread gets the name of another.
# live: names of threads
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_sampling "names of Java threads"
need_java
names="python3 tests/jvm/names.py"

# has_printed WORD: on a line of its own.
has_printed() { grep -qa "^$1" "$tmp/java.out"; }

# dump: the JVM prints all threads.
dump()
{
	kill -QUIT "$jvm"
	before 60 has_printed "JNI global ref"
}

# compare WHAT [LEAST]: compares the names of at least so many Java threads.
compare()
{
	dump || not_ok "$1: a thread dump" "$tmp/java.out"
	$collect -q -p "$jvm" -d 0.1 -o "$tmp/rec.data" 2>"$tmp/err" || not_ok "$1" "$tmp/err"
	$names compare "$tmp/rec.data" "$tmp/java.out" "$jvm" >"$tmp/compared"
	if [ "$(wc -l <"$tmp/compared")" = 1 ] && [ "$(sed 's/same: \([0-9]*\) .*/\1/' "$tmp/compared")" -ge "${2:-1}" ]; then
		ok "$1: as the JVM prints them"
	else
		not_ok "$1: as the JVM prints them" "$tmp/compared"
	fi
}

# no_other WHAT: all threads of Renames have names that Renames gives, and the names of its waiting threads are listed.
no_other()
{
	$names list "$tmp/rec.data" >"$tmp/list"
	grep -aE ' (idle|churn|wrong|[^ ]*\?)' "$tmp/list" |
		grep -avE '^[0-9]+ [0-9]+ (idle-[0-9]+-waits-for-the-end|churn-[01]-was-renamed-[0-9]+-times)$' >"$tmp/other"
	is "$1: no name of anything else" "$(cat "$tmp/other")" ""
}

# under WHAT OPTION...: runs with that garbage collector; a JVM that does not know it is skipped.
under()
{
	what="$version $1"
	shift
	case "$*" in
	*UseG1GC | *UseSerialGC | *UseParallelGC | *UseCompressed*) ;; # which all know
	*) "$java" "$@" -version >/dev/null 2>&1 || return 0 ;;
	esac
	java_start -Xmx64m "$@" Renames 40 700
	status "$what, while it collects" 0 $collect -q -p "$jvm" -F 99 -d 0.5 -o "$tmp/rec.data"
	no_other "$what, while it collects"
	before 60 has_printed quiet || not_ok "$what: it becomes quiet" "$tmp/java.err"
	compare "$what" 40
	no_other "$what"
	java_stop
}

# texts: of all sorts.
texts()
{
	java_start Names 60
	compare "$version: texts of all sorts" 74
	java_stop
}

unlock="-XX:+UnlockExperimentalVMOptions -XX:+UnlockDiagnosticVMOptions"
for java in $JAVAS; do
	version=$(java_version "$java")
	live texts
	live under G1 -XX:+UseG1GC
	live under Serial -XX:+UseSerialGC
	live under Parallel -XX:+UseParallelGC
	live under CMS -XX:+UseConcMarkSweepGC
	live under Shenandoah $unlock -XX:+UseShenandoahGC
	live under ZGC $unlock -XX:+UseZGC
	live under "generational ZGC" -XX:+UseZGC -XX:+ZGenerational
	live under "oops of 8 bytes" -XX:-UseCompressedOops
	live under "class pointers of 8 bytes" -XX:-UseCompressedClassPointers
	live under "both of 8 bytes" -XX:-UseCompressedOops -XX:-UseCompressedClassPointers
	live under "a heap far up" -XX:HeapBaseMinAddress=40g
	live under "strings of UTF-16 only" -XX:-CompactStrings
	live under "compact headers" $unlock -XX:+UseCompactObjectHeaders
	live under "headers of full size" $unlock -XX:-UseCompactObjectHeaders
done
