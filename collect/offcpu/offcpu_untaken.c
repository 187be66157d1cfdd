#include "collect/offcpu/offcpu_untaken.h"

#include <string.h>

#include "collect/offcpu/offcpu_program.h"

static const uint8_t untaken_states[OFFCPU_STATES] = { RECORDING_SLEEPING, RECORDING_BLOCKED_IO, RECORDING_BLOCKED };

static void offcpu_untaken_pass(uint32_t pid, uint32_t tid, unsigned state, enum recording_untaken kind,
				struct offcpu_tally tally, uint64_t now_ns, offcpu_take_untaken *take)
{
	const uint64_t chain[] = {
		RECORDING_LABEL(RECORDING_LABEL_STATE, untaken_states[state]),
		RECORDING_LABEL(RECORDING_LABEL_UNTAKEN, kind),
	};

	if (tally.count)
		take(&(struct span){
			.pid = (int)pid,
			.tid = (int)tid,
			.cpu = UINT32_MAX,
			.time_ns = now_ns,
			.ns = tally.ns,
			.count = tally.count,
			.chain = chain,
			.chain_count = sizeof(chain) / sizeof(*chain),
		});
}

/* While the program runs, a tally may be read when only half changed; the rest comes the next time. */
static void offcpu_untaken_pass_short(struct offcpu_thread *thread, uint32_t pid, const struct offcpu_tallies *tallies,
				      uint64_t now_ns, offcpu_take_untaken *take)
{
	for (unsigned i = 0; i < OFFCPU_STATES; i++) {
		struct offcpu_tally now = tallies->brief[i], *told = &thread->told[i];

		if (now.count <= told->count || now.ns < told->ns)
			continue;
		offcpu_untaken_pass(pid, thread->tid, i, RECORDING_UNTAKEN_SHORT,
				    (struct offcpu_tally){ now.ns - told->ns, now.count - told->count }, now_ns, take);
		*told = now;
	}
}

static void offcpu_untaken_pass_long(uint32_t pid, uint32_t tid, const struct offcpu_tallies *tallies, uint64_t now_ns,
				     offcpu_take_untaken *take)
{
	for (unsigned i = 0; i < OFFCPU_STATES; i++)
		offcpu_untaken_pass(pid, tid, i, RECORDING_UNTAKEN_LONG, tallies->long_[i], now_ns, take);
}

static bool offcpu_untaken_any(const struct offcpu_tallies *tallies)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < OFFCPU_STATES; i++)
		count += tallies->brief[i].count + tallies->long_[i].count;
	return count;
}

void offcpu_untaken_tell(struct offcpu_threads *t, uint64_t now_ns, bool is_over, offcpu_take_untaken *take)
{
	size_t count;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&count);

	for (size_t i = 0; i < count; i++) {
		uint32_t tid = slots[i].tid, pid = slots[i].pid;
		struct offcpu_tallies now = slots[i].untaken;

		if (!tid || slots[i].tid != tid || !offcpu_untaken_any(&now))
			continue;
		offcpu_untaken_pass_short(offcpu_thread(t, tid), pid, &now, now_ns, take);
		if (is_over)
			offcpu_untaken_pass_long(pid, tid, &now, now_ns, take);
	}
}

void offcpu_untaken_end(struct offcpu_threads *t, const struct offcpu_record *r, uint64_t now_ns,
			offcpu_take_untaken *take)
{
	struct offcpu_thread *thread = offcpu_thread(t, r->tid);
	struct offcpu_tallies tallies;

	if (r->kernel_count != (int)(sizeof(tallies) / sizeof(uint64_t)))
		return;
	memcpy(&tallies, r->stack, sizeof(tallies));
	offcpu_untaken_pass_short(thread, r->pid, &tallies, now_ns, take);
	offcpu_untaken_pass_long(r->pid, r->tid, &tallies, now_ns, take);
	memset(thread->told, 0, sizeof(thread->told)); /* its id may belong to another thread by now */
}
