/* charge: the maps of the scheduler states program, and charging intervals to them
 * (bpf/sched.h). */
#ifndef BPF_CHARGE_BPF_H
#define BPF_CHARGE_BPF_H

#include "bpf/detail.h"
#include "bpf/sched.h"
#include "bpf/targets.bpf.h"
#include "core/format/recording.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* the first slot is unused; the last ones are the CPUs' idle threads */
	__type(key, __u32);
	__type(value, struct sched_thread);
} sched_threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sched_cpu);
} sched_cpus SEC(".maps");

/* A ring of the numbers of free slots. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} sched_free SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} sched_ring SEC(".maps");

/* Threads seen on guarded CPUs: maps tid << 32 | cpu to the name that the thread had when it last came there. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct sched_name);
} sched_entries SEC(".maps");

const volatile __u32 sched_guard = 0;     /* some CPUs are guarded */
const volatile __u32 sched_free_size = 1; /* a power of two */
const volatile __u32 sched_idle_slot = 0; /* the slot of CPU 0's idle thread */
const volatile __u32 sched_events = 0;    /* send intervals through the ring */
const volatile __u64 sched_least_ns = 0;  /* least length of such intervals, within the budget; 0: all */
const volatile __u32 sched_some_cpus = 0; /* count only time on wanted CPUs */

struct sched_control sched_control = { 0 };
__u32 sched_sent = 0; /* number of records sent, roughly */

enum { WAKE_EVERY = 1024 };

struct moment {
	__u64 now;
	__u64 epoch;  /* start of its epoch */
	__u64 before; /* start of the previous epoch; 0: that epoch is complete */
	__u32 bank;
};

/* Returns whether the recording observes this time. */
static __always_inline bool moment_at(struct moment *m, __u64 now)
{
	volatile struct sched_control *c = &sched_control;
	__u64 first = c->epochs[0], second = c->epochs[1];

	m->now = now;
	if (unlikely(m->now < c->begin_ns || m->now >= c->end_ns))
		return false;
	m->bank = second > first;
	m->epoch = m->bank ? second : first;
	m->before = m->bank ? first : second;
	if (unlikely(m->now < m->epoch)) { /* the epoch has not begun */
		m->epoch = m->before;
		m->before = 0;
		m->bank ^= 1;
	}
	return true;
}

/* ... the present one. */
static __always_inline bool moment_now(struct moment *m)
{
	return moment_at(m, bpf_ktime_get_ns());
}

/* Ensure that no interval ends before it began: the clocks of two CPUs may differ by some nanoseconds, and another CPU
 * may have changed the thread's state after we read the clock. */
static __always_inline void not_before(struct moment *m, __u64 since_ns)
{
	if (m->now < since_ns)
		m->now = since_ns;
}

/* The time from which to count a thread that was unknown until now. */
static __always_inline __u64 first_seen(const struct moment *m)
{
	return *(volatile __u64 *)&sched_control.scanned ? m->now : sched_control.begin_ns;
}

static __always_inline bool is_waiting(__u32 state)
{
	return state - RECORDING_PREEMPTED <= RECORDING_WOKEN - RECORDING_PREEMPTED;
}

/* The compiler must not move a store across this barrier.  On processors that reorder stores, a reader may briefly see
 * a torn interval. */
#define STORES_BEFORE_STORES() asm volatile("" ::: "memory")

static __always_inline void begin_interval(struct sched_thread *t, __u32 state, __u32 cpu, __u64 now)
{
	t->since_ns = 0;
	STORES_BEFORE_STORES();
	t->state = state;
	t->cpu = cpu;
	t->charged_ns = now;
	STORES_BEFORE_STORES();
	t->since_ns = now;
}

/* Only one record of many wakes the collector: the collector reads the ring each second anyway, and waking it costs
 * more than everything else. */
static __always_inline void bpf_charge_send(struct sched_record *r)
{
	bpf_ringbuf_submit(r, sched_sent++ & (WAKE_EVERY - 1) ? BPF_RB_NO_WAKEUP : BPF_RB_FORCE_WAKEUP);
}

static __noinline int ask_for_flush(void)
{
	struct sched_record *r = bpf_ringbuf_reserve(&sched_ring, sizeof(*r), 0);

	if (!r)
		return 0;
	r->kind = SCHED_LOW;
	bpf_ringbuf_submit(r, BPF_RB_FORCE_WAKEUP);
	return 0;
}

static __always_inline bool spill(const struct sched_thread *t, const struct sched_cell *c, __u32 bank)
{
	struct sched_record *r = bpf_ringbuf_reserve(&sched_ring, sizeof(*r), 0);

	if (!r)
		return false;
	r->kind = SCHED_SPILL;
	r->pid = t->pid;
	r->tid = t->tid;
	r->cell = *c;
	r->cell.bank = bank & 1;
	bpf_charge_send(r);
	return true;
}

/* These functions are not static because the kernel verifies non-static functions once, rather than at each call. */

/* Choose a cell to evict: preferably that of a wait, since cells of other states are needed again and again. */
__noinline int choose_victim(struct sched_thread *t, __u32 bank, __u32 start)
{
	if (!t)
		return 0;
	for (__u32 i = 0; i < SCHED_CELLS; i++) {
		__u32 at = (start + i) & (SCHED_CELLS - 1);

		if (is_waiting(SCHED_KEY_STATE(t->cells[bank & 1][at].key)))
			return at;
	}
	return start;
}

static __always_inline void count_others(__u64 ns)
{
	__sync_fetch_and_add(&sched_control.others_ns, ns);
}

static __always_inline __u32 same_queue(__u32 one, __u32 other)
{
	return one == other ? one : SCHED_OTHERS;
}

/* Merge two cells of the same state into one for "others": preferably cells of waits, so that the cells of CPUs stay
 * separate.  Returns the cell that becomes free, or SCHED_CELLS if no two cells have the same state. */
__noinline int fold(struct sched_thread *t, __u32 bank)
{
	__u8 seen[SCHED_STATES] = { 0 }; /* small: the verifier limits the stack to 512 bytes */

	if (!t)
		return SCHED_CELLS;
	for (__u32 n = 0; n < 2 * SCHED_CELLS; n++) {
		__u32 i = n & (SCHED_CELLS - 1), running = n >= SCHED_CELLS;
		struct sched_cell *c = &t->cells[bank & 1][i], *kept;
		__u32 state = SCHED_KEY_STATE(c->key) & (SCHED_STATES - 1);

		if ((state == RECORDING_RUNNING) != running)
			continue;
		if (!seen[state]) {
			seen[state] = (__u8)(i + 1);
			continue;
		}
		kept = &t->cells[bank & 1][(seen[state] - 1) & (SCHED_CELLS - 1)];
		if (!running && kept->key != SCHED_KEY(state, SCHED_OTHERS))
			count_others(kept->ns);
		if (!running && c->key != SCHED_KEY(state, SCHED_OTHERS))
			count_others(c->ns);
		kept->key = SCHED_KEY(state, SCHED_OTHERS);
		kept->ns += c->ns;
		kept->count += c->count;
		kept->migrations =
			running ? kept->migrations + c->migrations : same_queue(kept->migrations, c->migrations);
		if (c->longest_ns > kept->longest_ns)
			kept->longest_ns = c->longest_ns;
		return i;
	}
	return SCHED_CELLS;
}

/* Add to a cell.  If no cell is free, make room: send a cell through the ring or, if the ring is full, merge cells. */
__noinline int charge(struct sched_thread *t, __u32 key, __u64 ns, __u64 longest_ns, __u64 how)
{
	__u32 bank = how & 1, count = how >> 1 & 1, migrations = how >> 2 & 1;
	__u32 start = key ^ key >> 24, waits = is_waiting(SCHED_KEY_STATE(key));
	struct sched_cell *c;

	if (!t)
		return 0;
	if (waits)
		migrations = SCHED_WAITED_ON(t->cpu);
	for (__u32 i = 0; i < SCHED_CELLS; i++) {
		c = &t->cells[bank][(start + i) & (SCHED_CELLS - 1)];
		if (likely(c->key == key))
			goto found;
		if (!c->key)
			goto empty;
	}
	c = &t->cells[bank][choose_victim(t, bank, start) & (SCHED_CELLS - 1)];
	if (!spill(t, c, bank)) {
		start = fold(t, bank);
		if (start >= SCHED_CELLS) {
			__sync_fetch_and_add(&sched_control.lost_spans, 1);
			return 0;
		}
		c = &t->cells[bank][start];
	}
empty:
	c->key = key;
	c->ns = ns;
	c->longest_ns = longest_ns;
	c->count = count;
	c->migrations = migrations;
	return 0;
found:
	c->ns += ns;
	c->count += count;
	c->migrations = waits ? same_queue(c->migrations, migrations) : c->migrations + migrations;
	if (longest_ns > c->longest_ns)
		c->longest_ns = longest_ns;
	return 0;
}

/* More arguments of charge(): the bank, what to count, and whether the interval is sent as a single span. */
#define CHARGE_HOW(m, count, migrations) ((m)->bank | (__u64)(count) << 1 | (__u64)(migrations) << 2)
#define CHARGE_COUNTS 2
#define CHARGE_SINGLE 8
#define CHARGE_HOW_AGAIN(how) ((how) & (1 | CHARGE_SINGLE))

static __always_inline struct sched_cpu *bpf_charge_this_cpu(void)
{
	__u32 cpu_nr = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&sched_cpus, &cpu_nr);
}

/* CHARGE_SINGLE, if an interval of this length is sent, not summed. */
__noinline int charge_single(enum detail_kind kind, __u64 ns, __u64 now)
{
	struct sched_cpu *cpu;

	if (!sched_least_ns)
		return CHARGE_SINGLE;
	if (ns < sched_least_ns)
		return 0;
	cpu = bpf_charge_this_cpu();
	if (cpu && detail_pay(&cpu->detail, kind, ns, sched_least_ns, SCHED_DETAIL_NS, now))
		return CHARGE_SINGLE;
	__sync_fetch_and_add(&sched_control.over_budget, 1);
	return 0;
}

/* An interval that is charged in several parts is counted once, with the part that reports the whole length. */
static __always_inline __u64 longest_of(const struct sched_thread *t, __u64 begin_ns, __u64 end_ns, __u64 how)
{
	return end_ns - (how & CHARGE_COUNTS && t->since_ns ? t->since_ns : begin_ns);
}

/* Returns whether the span was sent. */
__noinline int send_span(struct sched_thread *t, __u32 key, __u64 begin_ns, __u64 end_ns, __u64 how)
{
	struct sched_record *r = bpf_ringbuf_reserve(&sched_ring, sizeof(*r), 0);

	if (!r || !t) {
		if (r)
			bpf_ringbuf_discard(r, BPF_RB_NO_WAKEUP);
		return 0;
	}
	r->kind = SCHED_SPAN;
	r->pid = t->pid;
	r->tid = t->tid;
	r->cpu = t->cpu;
	r->begin_ns = begin_ns;
	r->end_ns = end_ns;
	r->cell.key = key;
	r->cell.count = how >> 1 & 1;
	r->cell.migrations = how >> 2 & 1;
	r->cell.longest_ns = longest_of(t, begin_ns, end_ns, how);
	bpf_charge_send(r);
	return 1;
}

/* If the ring is full, a single span is lost where all spans are single; otherwise it is summed like the shorter
 * ones. */
static __always_inline bool send_or_lose(struct sched_thread *t, __u32 key, __u64 begin_ns, __u64 end_ns, __u64 how)
{
	if (send_span(t, key, begin_ns, end_ns, how))
		return true;
	__sync_fetch_and_add(sched_least_ns ? &sched_control.over_budget : &sched_control.lost_spans, 1);
	return !sched_least_ns;
}

/* End the interval of a thread that is not waiting for a CPU. */
static __always_inline void end_interval(const struct moment *m, struct sched_thread *t, __u32 key, __u32 migrations)
{
	__u64 since = t->since_ns, from = since;

	if (unlikely(!since)) /* the idle thread of a CPU that was off */
		return;
	if (unlikely(sched_events && charge_single(DETAIL_WHOLE, m->now - since, m->now)) &&
	    send_or_lose(t, key, since, m->now, CHARGE_HOW(m, 1, migrations)))
		return;
	/* When single spans are recorded, the collector does not touch ongoing intervals: each is charged as a whole
	 * when it ends. */
	if (unlikely(since < m->epoch && !sched_events)) {
		from = m->epoch;
		t->crossing.begin_ns = since;
		t->crossing.part_ns = m->epoch - (since > m->before ? since : m->before);
		t->crossing.key = key;
		STORES_BEFORE_STORES();
		t->crossing.epoch_ns = m->epoch;
	}
	charge(t, key, m->now - from, m->now - since, CHARGE_HOW(m, 1, migrations));
}

/* Charge the part [from, until) of a wait to the thread in key. */
__noinline int charge_part(struct sched_thread *t, __u32 key, __u64 from, __u64 until, __u64 how)
{
	if (!t)
		return 0;
	if (unlikely(how & CHARGE_SINGLE) && send_or_lose(t, key, from, until, how))
		return 0;
	return charge(t, key, until - from, longest_of(t, from, until, how), how);
}

/* A part of a single wait is sent as a span only if the part is long, too, or reports the whole wait: where many
 * threads take turns on a CPU, each turn would give a part for each waiting thread. */
static __always_inline __u64 part_how(__u64 how, __u64 ns, __u64 now)
{
	if (!(how & CHARGE_SINGLE) || how & CHARGE_COUNTS)
		return how;
	return (how & ~(__u64)CHARGE_SINGLE) | charge_single(DETAIL_PART, ns, now);
}

/* Charge one slice of a wait, going back in time: the back-th slice before now.  Returns true when the whole wait is
 * charged, or when no earlier slice is known. */
__noinline int charge_slice(struct sched_thread *t, struct sched_cpu *cpu, __u32 back, __u64 how)
{
	struct sched_slice slice;
	__u64 from;

	if (!t || !cpu)
		return 1;
	slice = back ? cpu->slices[(cpu->head - back) & (SCHED_SLICES - 1)] : cpu->now;
	if (!slice.begin_ns)
		return 1;
	from = slice.begin_ns > t->charged_ns ? slice.begin_ns : t->charged_ns;
	if (t->walk.until_ns > from) {
		__u64 ns = t->walk.until_ns - from;

		/* A span that is charged in several parts is counted only once. */
		charge_part(t, SCHED_KEY(t->state, slice.tid), from, t->walk.until_ns,
			    part_how(back ? CHARGE_HOW_AGAIN(how) : how, ns, t->walk.until_ns));
		t->walk.until_ns = from;
		if (ns > t->walk.best_ns) {
			t->walk.best_ns = ns;
			t->walk.best_tid = slice.tid;
		}
	}
	return slice.begin_ns <= t->charged_ns;
}

enum { SLICES_AT_ONCE = 64 };

/* Charge the slices from back on.  Returns how many there were; fewer than SLICES_AT_ONCE: these were the last.  The
 * kernel would verify a single loop over all slices step by step in each program, which would make each start 100 ms
 * slower. */
__noinline int charge_some(struct sched_thread *t, struct sched_cpu *cpu, __u32 back, __u64 how)
{
	__u32 i;

	if (!t || !cpu)
		return 0;
	for (i = 0; i < SLICES_AT_ONCE; i++) {
		if (back + i > cpu->budget || charge_slice(t, cpu, back + i, how))
			break;
	}
	return i;
}

/* Charge the uncharged part of a wait, up to the time until, to the threads that had the CPU, walking back through
 * their slices.  When the wait ends, the thread with the longest single slice gets the count.  Where hundreds of
 * threads take turns of microseconds, walking would take longer than the turns: time beyond the budget goes to
 * "others". */
__noinline int charge_slices(struct sched_thread *t, struct sched_cpu *cpu, __u64 until, __u64 how)
{
	__u64 part = how & CHARGE_SINGLE ? how : CHARGE_HOW_AGAIN(how);
	__u32 back, last = 0;

	if (!t || !cpu)
		return 0;
	t->walk.until_ns = until;
	if (t->charged_ns == t->since_ns) {
		t->walk.best_ns = 0;
		t->walk.best_tid = SCHED_OTHERS;
	}
	for (back = 0; back < SCHED_SLICES; back += SLICES_AT_ONCE) {
		last = charge_some(t, cpu, back, part);
		if (last < SLICES_AT_ONCE)
			break;
	}
	back += last; /* or more, if all were charged */
	cpu->budget -= back < cpu->budget ? back : cpu->budget;
	if (t->walk.until_ns > t->charged_ns) {
		__u64 ns = t->walk.until_ns - t->charged_ns;

		count_others(ns);
		charge_part(t, SCHED_KEY(t->state, SCHED_OTHERS), t->charged_ns, t->walk.until_ns,
			    part_how(CHARGE_HOW_AGAIN(part), ns, until));
	}
	if (part != how) /* the wait ends */
		charge(t, SCHED_KEY(t->state, t->walk.best_tid), 0, until - t->since_ns, how);
	return 0;
}

static __always_inline void charge_wait(const struct moment *m, struct sched_cpu *cpu, struct sched_thread *t,
					bool ends)
{
	__u64 from = t->charged_ns, how = CHARGE_HOW(m, ends, 0);

	if (sched_events)
		how |= ends ? charge_single(DETAIL_WHOLE, m->now - t->since_ns, m->now) : CHARGE_SINGLE;
	/* In nearly all waits, one thread had the CPU all the time. */
	if (likely(ends && from == t->since_ns && cpu->now.begin_ns <= from))
		charge_part(t, SCHED_KEY(t->state, cpu->now.tid), from, m->now, how);
	else
		charge_slices(t, cpu, m->now, how);
}

#endif
