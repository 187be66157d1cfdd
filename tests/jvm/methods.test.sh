#!/bin/sh
# Names of methods and classes, and lines of bytecodes, compared with what the JVM itself says.
# live: names of methods; sanitized, too
. tests/tap.sh
. tests/jvm/java.sh
need_java
LC_ALL=C

# wanted WHAT LETTER WORD: the lines that the program printed are among the lines that were found.
wanted()
{
	sed -n "s/^$2 /$3 /p" "$tmp/java.out" | sort -u >"$tmp/wanted"
	comm -23 "$tmp/wanted" "$tmp/found" >"$tmp/missing"
	if [ -s "$tmp/wanted" ] && [ ! -s "$tmp/missing" ]; then
		ok "$1 ($(wc -l <"$tmp/wanted"))"
	else
		not_ok "$1" "$tmp/missing"
	fi
}

# no_others CLASS: the program printed all methods of this class that were found.
no_others()
{
	sed -n 's/^M /method /p' "$tmp/java.out" | sort -u >"$tmp/wanted"
	grep "^method $1\.[^.]*\$" "$tmp/found" | grep -v '<clinit>$' | sort -u >"$tmp/of_class"
	comm -13 "$tmp/wanted" "$tmp/of_class" >"$tmp/wrong"
	if [ -s "$tmp/of_class" ] && [ ! -s "$tmp/wrong" ]; then
		ok "$v: $1 has no other methods"
	else
		not_ok "$v: $1 has no other methods" "$tmp/wrong"
	fi
}

has()
{
	if grep -qx "$1" "$tmp/found"; then ok "$v: $1"; else not_ok "$v: $1" "$tmp/dump"; fi
}

for java in $JAVAS; do
	v=java$(java_version "$java")
	java_start Methods
	if "$BUILD/tests/unit/collect_jvm_dump" "$jvm" >"$tmp/dump"; then
		ok "$v: all methods of all classes are read"
	else
		not_ok "$v: all methods of all classes are read" "$tmp/dump"
	fi
	sort -u "$tmp/dump" >"$tmp/found"
	wanted "$v: methods, as reflection knows them" M method
	wanted "$v: lines, as in stack traces" T line
	no_others java.lang.String
	no_others Methods
	has 'class Methods\$\$Lambda'
	has 'class java\.lang\.Object\[\]'
	has 'class byte\[\]'
	sed -n 's/^# ns: /# figure: ns a method: /p' "$tmp/dump"
	java_stop
done
