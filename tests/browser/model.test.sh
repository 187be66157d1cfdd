#!/bin/sh
# The model of the flame graph in a browser, in node.
# slow: models in node
. tests/tap.sh

command -v node >/dev/null || { skip "the flame graph's model" "no node"; exit; }

cat >"$tmp/model.folded" <<'END'
a 1
main;<b> & "c";read_[k] 3
main;<b> & "c";read 4000000
main;d 5
main;d.part.0 12345678901
main;d;e 6
END
${BUILD:-build}/pyrograph-render flame -q -o "$tmp/model.svg" "$tmp/model.folded" || not_ok "drawing"

# Two profiles of some size, in which the name of each frame is its path.
for side in 1 2; do
	awk -v side=$side 'BEGIN {
		for (i = side * 7; i < 3000; i++) {
			n = (i * 7919 + side * 31) % 900
			printf "a%d;b%d;c%d %d\n", n % 7, n % 91, n, (n * side * 13) % 29 + 1
		}
	}' >"$tmp/side$side"
done
n=0
while read -r options; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	${BUILD:-build}/pyrograph-render flame -q --minwidth 0 -w 5000 $options -o "$tmp/diff$n.svg" --diff "$tmp/side1" "$tmp/side2" ||
		not_ok "drawing $options"
done <<'CASES'

--delta self --threshold 0
--negate
--normalize none --threshold 0.01 --delta-colors orange-blue
CASES
# Kinds of waits.
awk 'BEGIN {
	print "# pyrograph: event=offcpu root=comm,wait unit=ns"
	count = split("[lock] [thread] [process] [network] [I/O] [page_fault] [sleep] [work] [unknown_wait] [other]", kinds, " ")
	for (i = 1; i <= count; i++) {
		gsub("_", " ", kinds[i])
		for (k = 0; k < 12; k++)
			printf "c%d;%s;f%d_%d;g%d_%d;--;w%d_%d_[w] 9\n", i, kinds[i], i, k, i, k, i, k
	}
}' >"$tmp/waits.folded"
${BUILD:-build}/pyrograph-render flame -q --idle --minwidth 0 -w 20000 --no-javascript -o "$tmp/waits.svg" "$tmp/waits.folded" || not_ok "drawing waits"
# Running, runnable and blocked time, in all combinations.
awk 'BEGIN {
	print "# pyrograph: event=wall root=thread unit=ns"
	for (i = 0; i < 300; i++) {
		printf "t%d;f%d;g%d %d\n", i % 7, i, i, i * 37 % 101 + (i % 3 == 0) * 1000
		printf "t%d;f%d;g%d;[runnable];[by t%d] %d\n", i % 7, i, i, i % 5, i * 53 % 97 + (i % 3 == 1) * 1000
		printf "t%d;f%d;[blocked: lock] %d\n", i % 7, i, i * 71 % 103 + (i % 3 == 2) * 1000
	}
}' >"$tmp/wall.folded"
${BUILD:-build}/pyrograph-render flame -q --minwidth 0 -w 20000 --no-javascript -o "$tmp/wall.svg" "$tmp/wall.folded" || not_ok "drawing wall"

# Names of all kinds, in boxes of all widths.
awk 'BEGIN {
	count = split("com.example.catalogue.Shop.rebuildIndex com.example.App$Inner::handle std::__cxx11::basic_string<char>::append " \
		"core::iter::traits::Iterator::next github.com/gorilla/mux.(*R).Serve /usr/lib/python3/app.py:12 java-8513/dw-20 " \
		"ksoftirqd/0 liblzma.so.5.4.1+0x8a40 do_idle.constprop.0 Lcom/example/App:::run_[j] a.b.c. :: ::a::b:: a..B ... " \
		"entry_SYSCALL_64_after_hwframe_[k] [libcrypto.so.3] void_ns::f<int>(int) com.example.lower.only a.B _x._y.Z.f " \
		"iiiiiiiiiiiiiiiiiiiiWWWWWWWWWWWWWWWWWWWWiiiiiiiiiiiiiiiiiiiii a/b/c.D/e.f a.b::C::d::e x py::save_orders:/srv/shop/desk.py " \
		"py::<module>:/srv/shop/long_name_of_a_module.py JS:~ JS:*handle_request_of_a_client", names, " ")
	names[++count] = "JS:*handleRequest /srv/shop/app.js:7:16"
	names[++count] = "LazyCompile:~ /srv/shop/app.js:9:1"
	for (width = 1; width < 60; width++)
		for (i = 1; i <= count; i++)
			printf "%d;%s %d\n", width, names[i], width
}' >"$tmp/labels.folded"
${BUILD:-build}/pyrograph-render flame -q --minwidth 0 -w 100000 --no-javascript -o "$tmp/labels.svg" "$tmp/labels.folded" || not_ok "drawing labels"
timeout 600 node tests/browser/model.js "$tmp"
