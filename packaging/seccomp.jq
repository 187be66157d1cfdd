# The seccomp profile of a container engine, with the two calls that recording needs:
#
#   jq -f packaging/seccomp.jq /usr/share/containers/seccomp.json >pyrograph-seccomp.json
#
# By default, engines allow them only with CAP_SYS_ADMIN, or forbid them.
["bpf", "perf_event_open"] as $ours |
.syscalls |= (map(.names -= $ours | select(.names != [])) + [{"names": $ours, "action": "SCMP_ACT_ALLOW"}])
