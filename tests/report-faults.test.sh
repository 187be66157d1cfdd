#!/bin/sh
# pyrograph report, without options about what to look for, names the thread and the function of a planted fault
# (tests/workloads/faults.c): on the terminal, in *-why.txt, and on the page.
# slow: records some programs, and draws their charts
# live: explanations
# alone: it says who had the CPUs
. tests/tap.sh
. tests/collect/common.sh
. tests/faults.sh
cpu='waited for a CPU.*: caused by'
lock='waited for a lock.*: caused by'
stolen="request-1, which may run on CPU 0 only, $cpu (several programs, above all )?batch-job of batch-job-[0-9]*"
hot='request-1 used [0-9.]* of a CPU, mostly in hash_password \(called by log_in\)'
live fault -p stall "$lock cache-refresher: rebuild_index \(called by with_the_book\)"
live fault -p inversion "request-1 $lock log-writer: .*(flush_log|write_log).*; it waited for a CPU itself( \(nice [0-9]*\))?, [0-9]* % of that time"
live fault -p stolen "$stolen" "request-1, which may run on CPU 0 only, $cpu ([0-9]* processes|[^br])"
pinned="request-[12](,| and request-[12],) which may run on CPU 0 only, $cpu"
live fault -p pinned "$pinned.*price_order \(called by price_on_one_cpu\)"
live fault -p hot "$hot"
live fault -p waker 'ticker (woke .* times,|used .* of a CPU, mostly) in ring_bell \(called by ring_bells\)' "$cpu"
live fault -a stolen "$stolen( \([0-9.]* % of that time\))?: .*crunch_numbers" "$cpu"
live fault -a disk 'journal-writer.* write_journal \(called by with_the_book\)'
live fault -a hot "$hot" "$cpu"
live fault -a pinned "$pinned request-[12].* price_order \(called by " "$cpu"
live fault -- stall "$lock cache-refresher: rebuild_index \(called by with_the_book\)"

# Who is healthy is not accused.
live fault -p idle '^Nothing stands out' 'waited for a CPU'
live fault -p compute '^Nothing blocked threads for long; request-[12] used .* price_order \(called by [a-z_]*\)$' 'request-[12] .*waited for a CPU'
