#include <string.h>

#include "collapse/cause/critical_path.h"
#include "collapse/cause/explanation.h"
#include "collapse/perfdata/command_words.h"
#include "core/amount.h"

/* Has the process the name and the command line of the one that started it: is it a copy that runs no other program?  Then
 * only its functions tell what it does. */
static bool explanation_command_is_copy(const struct explanation *e, uint32_t thread)
{
	const struct history_thread *threads = e->history->threads;
	uint32_t parent = critical_path_parent(e->history, threads[thread].process);
	const char *word = command_words_find(e->words, threads[thread].pid), *other;

	if (parent == HISTORY_NONE || threads[parent].name != threads[thread].name)
		return false;
	other = command_words_find(e->words, threads[parent].pid);
	return word && other ? !strcmp(word, other) : word == other;
}

void explanation_command(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	const char *word = command_words_find(e->words, t->pid);

	if (word && !explanation_command_is_copy(e, thread))
		str_addf(out, "%s %s", intern_text(&e->sideband->comms.names, t->name), word);
	else
		explanation_thread(e, thread, out);
}

/* "cc1 m3.c", or "14 processes named cc1" */
static void explanation_command_add_many(const struct explanation *e, const struct finding *f, struct str *out)
{
	if (f->guilty_count > 1)
		str_addf(out, "%zu processes named %s", f->guilty_count,
			 intern_text(&e->sideband->comms.names, e->history->threads[f->guilty].name));
	else
		explanation_command(e, f->guilty, out);
}

/* Does the program only start others for whoever started it; or is it a subshell, a copy of a shell with its script? */
static bool explanation_command_is_go_between(const struct explanation *e, uint32_t process, uint32_t parent)
{
	static const char *const helpers[] = { "xargs",  "find",   "env",   "nice",  "ionice", "time",     "timeout",
					       "stdbuf", "setsid", "nohup", "flock", "sudo",   "parallel", NULL };
	const struct history_thread *threads = e->history->threads;
	const char *name = intern_text(&e->sideband->comms.names, threads[process].name);
	const char *word = command_words_find(e->words, threads[process].pid);
	const char *other = command_words_find(e->words, threads[parent].pid);

	for (size_t i = 0; helpers[i]; i++) {
		if (!strcmp(name, helpers[i]))
			return true;
	}
	return command_words_is_shell(name) && (!word || (other && !strcmp(word, other)));
}

/* The script that made these start something, or else the thread itself. */
static uint32_t explanation_command_script(const struct explanation *e, uint32_t thread)
{
	const struct history *h = e->history;
	uint32_t at = h->threads[thread].process, parent, script = thread;

	for (size_t i = 0; i < GENERATIONS; i++) {
		parent = critical_path_parent(h, at);
		if (parent == HISTORY_NONE || h->threads[parent].recorder ||
		    !explanation_command_is_go_between(e, at, parent))
			break;
		at = parent;
		if (command_words_find(e->words, h->threads[at].pid))
			script = at;
	}
	return script;
}

void explanation_starter(const struct explanation *e, uint32_t thread, struct str *out)
{
	uint32_t script = explanation_command_script(e, thread);
	const struct history_thread *t = &e->history->threads[script];
	const char *word = command_words_find(e->words, t->pid);

	if (script != thread || t->tid == t->pid)
		explanation_process(e, script, out);
	else
		explanation_thread_of(e, thread, out);
	if (word && strncmp(word, intern_text(&e->sideband->comms.names, t->name), 15) != 0)
		str_addf(out, " (%s)", word);
}

void explanation_named(const struct explanation *e, uint32_t thread, struct frames_function function, const char *words,
		       struct str *out)
{
	static const char *const builders[] = { "make", "gmake", "ninja", "xargs", "find", NULL };
	const char *program = intern_text(&e->sideband->comms.names, e->history->threads[thread].name);
	bool tells = function.text != UINT32_MAX && !command_words_is_shell(program);
	struct str name = { 0 };

	for (size_t i = 0; builders[i]; i++)
		tells &= strcmp(program, builders[i]) != 0;
	if (tells)
		explanation_function(e, function, &name);
	if (name.len && !strstr(name.buf, "+0x") && strcmp(name.buf, "[unknown]") != 0)
		str_addf(out, "%s%s", words, name.buf);
	str_free(&name);
}

/* "32.9 s of 38.6 s" */
static void explanation_command_add_part(const struct finding *f, struct str *out)
{
	duration_add(out, f->total_ns);
	str_puts(out, " of ");
	duration_add(out, f->lived_ns);
}

/* "85 % of make-10 was cc1 m3.c (32.9 s of 38.6 s on the critical path)", "64 % of bash-10 (build.sh) was 14 processes named
 * cc1, started by make-20 (24.7 s of 38.6 s on the critical path), the longest of them cc1 m3.c, 4.1 s" */
static void explanation_command_add_tree(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_addf(out, "%.0f %% of ", (double)f->total_ns * 100 / (double)f->lived_ns);
	explanation_starter(e, f->victims[0].thread, out);
	str_puts(out, " was ");
	explanation_command_add_many(e, f, out);
	if (f->parent != HISTORY_NONE) {
		str_puts(out, ", started by ");
		explanation_starter(e, f->parent, out);
	}
	str_puts(out, " (");
	explanation_command_add_part(f, out);
	str_puts(out, " on the critical path)");
	if (f->guilty_count > 1) {
		str_puts(out, ", the longest of them ");
		if (command_words_find(e->words, e->history->threads[f->guilty].pid))
			explanation_command(e, f->guilty, out);
		else
			explanation_process(e, f->guilty, out);
		str_puts(out, ", ");
		duration_add(out, f->longest_ns);
	}
	if (f->meanwhile != WAIT_UNKNOWN) {
		str_puts(out, ", which mostly ");
		explanation_wait(e, &(struct finding){ .kind = FINDING_WAITED, .wait = f->meanwhile }, out);
	}
	if (explanation_command_is_copy(e, f->guilty))
		explanation_named(e, f->guilty, f->function, ", mostly in ", out);
}

/* "sed waiting to write 71 %" */
static void explanation_command_add_kept(const struct explanation *e, const struct finding *f, uint32_t whom,
					 uint64_t ns, const char *words, struct str *out)
{
	explanation_thread(e, whom, out);
	str_addf(out, " waiting %s %.0f %%", words, (double)ns * 100 / (double)f->lived_ns);
}

/* "awk was the bottleneck of gzip | sed | awk | sort in bash-10 (top.sh), and took 5.6 s of 6.1 s: it kept sed waiting to write
 * 71 %, and sort waiting for input 90 % of that time" */
static void explanation_command_add_pipe(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct finding_pipe *p = &f->pipe;

	explanation_thread(e, f->guilty, out);
	str_puts(out, " was the bottleneck of ");
	for (size_t i = 0; i < p->count; i++)
		str_addf(out, "%s%s", i ? " | " : "",
			 intern_text(&e->sideband->comms.names, e->history->threads[p->stages[i]].name));
	if (f->parent != HISTORY_NONE) {
		str_puts(out, " in ");
		explanation_starter(e, f->parent, out);
	}
	str_puts(out, ", and took ");
	explanation_command_add_part(f, out);
	str_puts(out, ": it kept ");
	if (p->before != HISTORY_NONE)
		explanation_command_add_kept(e, f, p->before, p->full_ns, "to write", out);
	if (p->before != HISTORY_NONE && p->after != HISTORY_NONE)
		str_puts(out, ", and ");
	if (p->after != HISTORY_NONE)
		explanation_command_add_kept(e, f, p->after, p->empty_ns, "for input", out);
	str_puts(out, " of that time");
	if (explanation_is_starved(&e->history->threads[f->guilty])) {
		str_puts(out, "; it waited for a CPU itself for ");
		duration_add(out, f->ready_ns);
	}
}

/* "bash-10 (rotate.sh) started 2,104 short processes, 446 a second: 1,050 of bash, 350 of sed, 350 of cut; they took 71 % of the time
 * (3.3 s of 4.7 s on the critical path)" */
static void explanation_command_add_forks(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct history *h = e->history;
	const struct finding_forks *forks = &f->forks;

	explanation_starter(e, f->guilty, out);
	if (e->machine)
		explanation_owner(e, f->guilty, HISTORY_NONE, out);
	str_puts(out, " started ");
	number_add(out, f->count);
	str_puts(out, " short processes");
	explanation_named(e, f->guilty, f->function, " in ", out);
	str_addf(out, ", %.0f a second: ", (double)f->count * 1e9 / (double)(h->last_ns - h->first_ns));
	for (size_t i = 0; i < FINDING_NAMES && forks->names[i].count; i++) {
		str_puts(out, i ? ", " : "");
		number_add(out, forks->names[i].count);
		str_addf(out, " of %s", intern_text(&e->sideband->comms.names, forks->names[i].name));
	}
	str_addf(out, "; they took %.0f %% of the %stime (", (double)f->total_ns * 100 / (double)f->lived_ns,
		 forks->elapsed ? "" : "CPU ");
	explanation_command_add_part(f, out);
	str_puts(out, forks->elapsed ? " on the critical path)" : ")");
}

/* "make waited 32.9 s for cc1 m3.c, which ran mostly in parse_file" */
static void explanation_command_add_child(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_thread(e, f->victims[0].thread, out);
	str_puts(out, " waited ");
	duration_add(out, f->total_ns);
	str_puts(out, " for ");
	explanation_command_add_many(e, f, out);
	if (f->function.text == UINT32_MAX)
		return;
	str_puts(out, ", which ran mostly in ");
	explanation_function(e, f->function, out);
}

void explanation_of_command(const struct explanation *e, const struct finding *f, struct str *out)
{
	switch (f->kind) {
	case FINDING_TREE: explanation_command_add_tree(e, f, out); break;
	case FINDING_CHILD: explanation_command_add_child(e, f, out); break;
	case FINDING_PIPE: explanation_command_add_pipe(e, f, out); break;
	default: explanation_command_add_forks(e, f, out);
	}
}
