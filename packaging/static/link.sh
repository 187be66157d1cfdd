#!/bin/sh
# Links a static program.  Debian's libcurl.a also speaks what wants libraries that have no static form (GSSAPI), or that we do
# not want (SSH, LDAP, RTMP, HTTP/2, names of hosts beyond ASCII); pyrograph-ship allows it HTTP and HTTPS alone, in version 1.1
# (ship/http.c).  What it misses of these becomes functions that end the program; only their beginning does nothing.
#
#   packaging/static/link.sh PROGRAM LINKER ARGUMENT ...
set -e
program=$1
shift
unused='GSS_|gss_|RTMP_|ber_|idn2_|ldap_|libssh2_|nghttp2_|psl_'
if "$@" -o "$program" 2>"$program.log"; then
	rm "$program.log"
	exit
fi
grep -oE "undefined reference to .($unused)[A-Za-z0-9_]+" "$program.log" | sed 's/.* .//' | LC_ALL=C sort -u |
	awk 'BEGIN { print "#include <stdlib.h>" }
	/^GSS_/ { print "void *" $0 ";"; next }
	/_init$/ { print "int " $0 "(void);\nint " $0 "(void) { return 0; }"; next }
	{ print "void " $0 "(void);\nvoid " $0 "(void) { abort(); }" }' >"$program.unused.c"
grep -q . "$program.unused.c" || cat "$program.log" >&2
"$@" -x c "$program.unused.c" -o "$program"
rm "$program.log" "$program.unused.c"
