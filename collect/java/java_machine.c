#include "collect/java/java_machine.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/symbols/jit/jit_open.h"

/* A process that is not a JVM is examined again when it has mapped more, but not in each batch. */
enum { PATIENCE_MAX = 64 };

void java_machine_close(struct java_machine *m)
{
	java_frames_free(m->frames);
	scope_reader_free(m->scopes);
	code_cache_free(m->code);
	java_methods_free(m->methods);
	jvm_close(&m->jvm);
	free(m->seen);
	*m = (struct java_machine){ .only_certain = m->only_certain };
}

static void open_parts(struct java_machine *m)
{
	m->obstacle = "it is the Zero VM, whose interpreter is native code: that is shown, not Java methods";
	if (jvm_is_zero(&m->jvm)) {
		m->patience = PATIENCE_MAX; /* the reason will not change */
		return;
	}
	m->methods = java_methods_new(&m->jvm, &m->obstacle);
	m->code = m->methods ? code_cache_new(&m->jvm, &m->obstacle) : NULL;
	m->scopes = m->code ? scope_reader_new(&m->jvm, m->only_certain, &m->obstacle) : NULL;
	m->frames = m->scopes ? java_frames_new(&m->jvm, m->code, m->scopes, &m->obstacle) : NULL;
	if (m->frames)
		m->obstacle = NULL;
}

/* Examine a process.  Programs map libjvm after their start, and a JVM that is starting is incomplete. */
static void java_machine_look_at(struct java_machine *m, int pid, uint64_t batch)
{
	struct java_machine before = *m;
	const char *why;

	java_machine_close(m);
	m->space = before.space;
	m->is_starting = before.is_starting;
	m->searched = before.searched;
	m->mappings = m->space ? m->space->mappings.count : 0;
	m->patience = before.patience + (m->is_starting ? 0 : before.patience) + 1;
	if (m->patience > PATIENCE_MAX)
		m->patience = PATIENCE_MAX;
	m->look_again = batch + m->patience;
	if (jvm_open(&m->jvm, pid, &why)) {
		m->obstacle = m->jvm.lib.start && jit_maker_lives(pid) ? why : NULL;
		m->is_half_mapped = !m->jvm.has_lib;
		jvm_close(&m->jvm);
		return;
	}
	m->is_open = true;
	m->lived = batch;
	m->seen = xcalloc(JAVA_SEEN_SLOTS, sizeof(*m->seen));
	open_parts(m);
}

bool java_machine_is_in(const struct space *space, const struct modules *modules)
{
	const struct mapping_list *list = &space->mappings;

	for (size_t i = 0; i < list->count; i++) {
		uint32_t module = list->items[i].module;

		if (module < modules->count &&
		    !strncmp(module_name(&modules->items[module]), "libjvm.", strlen("libjvm.")))
			return true;
	}
	return false;
}

/* Has the space mapped HotSpot's library since the last search? */
static bool has_libjvm(struct java_machine *m, const struct modules *modules)
{
	bool found = m->searched != m->space->mappings.count && java_machine_is_in(m->space, modules);

	m->searched = m->space->mappings.count;
	return found;
}

/* Is it time to examine the process?  A starting JVM may end soon: it must not wait because of what its earlier
 * program was. */
static bool is_worth_a_look(struct java_machine *m, const struct modules *modules, uint64_t batch)
{
	if (m->frames)
		return false;
	if (!m->is_starting && m->space && has_libjvm(m, modules)) {
		m->is_starting = true;
		m->patience = 0;
	}
	if (!m->patience)
		return true;
	return batch >= m->look_again &&
	       (m->is_open || m->is_starting || (m->space && m->space->mappings.count != m->mappings));
}

bool java_machine_look(struct java_machine *m, const struct modules *modules, int pid, const struct space *space,
		       uint64_t batch)
{
	if (space && m->space && m->space != space) {
		if (space->from_ns < m->space->from_ns)
			return false;
		java_machine_close(m);
	}
	if (space)
		m->space = space;
	if (is_worth_a_look(m, modules, batch))
		java_machine_look_at(m, pid, batch);
	return m->is_open;
}

void java_machine_move(struct java_machine *m, const struct space *space)
{
	m->space = space;
	m->searched = m->mappings = 0;
}

bool java_machine_has_ended(const struct java_machine *m)
{
	return m->ended || jvm_has_ended(&m->jvm);
}

/* The last samples of a JVM that has ended come when its memory is gone: what was read before is still valid. */
void java_machine_next_batch(struct java_machine *m, uint64_t batch)
{
	if (!m->is_open)
		return;
	if (!m->ended && java_machine_has_ended(m))
		m->ended = batch;
	if (m->ended && batch - m->ended > PATIENCE_MAX)
		java_machine_close(m);
	if (m->ended || !m->is_open)
		return;
	m->lived = batch;
	if (m->methods)
		java_methods_next_batch(m->methods);
	if (m->code)
		code_cache_next_batch(m->code);
}

bool java_machine_is_hopeless(const struct java_machine *m)
{
	enum { TWO_LOOKS = 3 /* patience begins after this many looks */ };

	return m->obstacle && ((!m->is_open && !m->is_half_mapped) || m->patience > TWO_LOOKS);
}
