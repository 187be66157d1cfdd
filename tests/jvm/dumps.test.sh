# Thread dumps of jstack and jcmd: collapse --names uses their names of threads.
# live: names of threads; sanitized, too
. tests/tap.sh
. tests/jvm/java.sh
need_java

# numbers: makes a recording with a sample of each thread of $jvm, without names of threads.
numbers()
{
	echo "event cpu-clock"
	for task in /proc/"$jvm"/task/*; do
		echo "comm 0 $jvm ${task##*/} java"
		echo "sample 1 $jvm ${task##*/} 0 0x1100"
	done
}

# dump HOW COMMAND...
dump()
{
	how=$1
	shift
	"$@" >"$tmp/dump" 2>"$tmp/err" || not_ok "$how" "$tmp/err"
	status "collapse --names of $how" 0 "$pyrograph" collapse --root thread --names "$tmp/dump" "$tmp/rec"
	for name in main 'dw-20 - GET /api/v1/orders' 'ümläut-ß' '日本語のスレッド' '": DROP</script>' \
		"semi:colon & <angle> 'quote'" 'trailing blank_' 'a pool with a very long name, thread number_17'; do
		has "... $name" "$tmp/out" "java-$jvm/$name;[unknown] 1"
	done
	has "... and the JVM's own" "$tmp/out" "java-$jvm/VM Thread;[unknown] 1"
}

java_start Names
numbers | python3 tests/collapse/make_recording.py "$tmp/rec"
dump jstack jstack "$jvm"
dump jcmd jcmd "$jvm" Thread.print
java_stop
