#!/bin/sh
# urgent COMMAND...: runs the command at a high priority.  With autogroup, the kernel first shares CPUs among sessions, and
# niceness counts only within a session.  So start it in its own session (setsid sh tests/urgent.sh COMMAND...): the
# session gets the same priority.
{ echo -15 >/proc/self/autogroup; } 2>/dev/null
exec nice -n -15 "$@"
