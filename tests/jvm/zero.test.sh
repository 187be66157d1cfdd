# The Zero VM has no stubs and no compiled code: its interpreter is C++.  Stacks are those of the C++ code, and this is
# reported.
# live: a JVM without stubs
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_sampling "the Zero VM"
need_java
if ! java -zero -version >"$tmp/out" 2>&1; then
	skip "the Zero VM" "there is none: apt install openjdk-17-jre-zero"
	exit 0
fi

interpreted()
{
	java_start -zero -Xmx64m Spin
	for_cpu_rest 50 "$tmp/rec.data" $collect -F 499 -p "$jvm" 2>"$tmp/err"
	is "the Zero VM is recorded" $? 0
	java_stop
	has "... and that its methods are not seen is said" "$tmp/err" \
		"process $jvm: Java stacks are not walked: it is the Zero VM, whose interpreter is native code"
	"$pyrograph" collapse -q --all --root thread "$tmp/rec.data" >"$tmp/out"
	has "... its interpreter is" "$tmp/out" "BytecodeInterpreter::run"
	# Inlined functions of the C library, _[i], are not Java's; they appear when the start of the JVM is sampled,
	# too.
	is "... and no frame that says to be Java" \
		"$(sed 's/^[^;]*;//; s/ [0-9]*$//' "$tmp/out" | tr ';' '\n' | grep -E '_\[[01j]\]$|^(Spin|java[./])')" ""
}
live interpreted
