#include "collapse/perfdata/topology.h"

#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/recording.h"

struct word {
	const char *text;
	size_t len;
};

/* Take a word and the blank after it off the front of a line. */
static bool perfdata_topology_next_word(const char **text, size_t *len, struct word *word)
{
	const char *blank = memchr(*text, ' ', *len);

	word->text = *text;
	word->len = blank ? (size_t)(blank - *text) : *len;
	*text += word->len + (blank != NULL);
	*len -= word->len + (blank != NULL);
	return word->len > 0;
}

static bool perfdata_topology_is(struct word word, const char *text)
{
	return word.len == strlen(text) && !memcmp(word.text, text, word.len);
}

/* "24:eth0-rx-0 25:eth0-tx-0" becomes "24:eth0-rx-0,25:eth0-tx-0". */
static void add_irqs(struct str *out, const char *text, size_t len)
{
	struct word word;

	for (bool first = true; perfdata_topology_next_word(&text, &len, &word); first = false) {
		if (!first)
			str_addc(out, ',');
		str_add(out, word.text, word.len);
	}
}

/* cpu 1 package 0 core 1 node 0 isolated irqs 24:eth0 25:eth1
 *   1 package=0 core=1 node=0 isolated irqs=24:eth0,25:eth1 */
static void perfdata_topology_add_cpu(struct str *out, const char *text, size_t len)
{
	struct word key, value;

	if (!perfdata_topology_next_word(&text, &len, &key) || !perfdata_topology_is(key, "cpu") ||
	    !perfdata_topology_next_word(&text, &len, &value))
		return;
	if (out->len)
		str_puts(out, "; ");
	str_add(out, value.text, value.len);
	while (perfdata_topology_next_word(&text, &len, &key)) {
		str_addc(out, ' ');
		str_add(out, key.text, key.len);
		if (perfdata_topology_is(key, "isolated") || perfdata_topology_is(key, "nohz_full"))
			continue;
		str_addc(out, '=');
		if (perfdata_topology_is(key, "irqs")) {
			add_irqs(out, text, len);
			return;
		}
		if (perfdata_topology_next_word(&text, &len, &value))
			str_add(out, value.text, value.len);
	}
}

void topology_add(struct str *out, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_TOPOLOGY);
	while (section_next_line(&lines, &text, &len))
		perfdata_topology_add_cpu(out, text, len);
}

size_t topology_cpus(const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len, count = 0;

	section_lines_init(&lines, d, RECORDING_TOPOLOGY);
	while (section_next_line(&lines, &text, &len))
		count += text_begins(text, len, "cpu ");
	return count;
}
