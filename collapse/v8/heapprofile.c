/* heapprofile: sampled heaps of V8, as node --heap-prof and the inspector's HeapProfiler.stopSampling write them
 * (chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile):
 *
 *     {"head": {"callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "selfSize": 0, "id": 1, "children": [
 *         {"callFrame": {"functionName": "main", "url": "file:///app.js", "lineNumber": 4}, "selfSize": 1024, "id": 2, "children": []}]},
 *      "samples": [{"size": 16, "nodeId": 2, "ordinal": 1}]}
 *
 * A size is the number of bytes that a function itself allocated and that were in use at the end, estimated from
 * samples.  "samples" has the same data in order of time, as sizes of objects. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/v8/v8_nodes.h"

static void heapprofile_parse(const struct text_part *part)
{
	struct v8_nodes p = { .s = part->out };
	struct text_labels labels = TEXT_NO_LABELS;

	v8_nodes_add_heap(&p, json_member(json_make(part->text, part->len), "head"));
	labels.unit = text_name(p.s, "bytes", strlen("bytes"));
	v8_nodes_fold_values(&p, text_label(p.s, &labels));
	v8_nodes_free(&p);
}

static enum sniffed heapprofile_sniff(const char *text, size_t len)
{
	static const char *const words[] = { "head", "callFrame", "selfSize" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!json_begins(text, len, words[i]))
			return SNIFF_NO;
	}
	return json_begins(text, len, "traceEvents") ? SNIFF_NO : SNIFF_SURE;
}

const struct input_format heapprofile_format = {
	.name = "heapprofile",
	.holds = "stacks and bytes",
	.wanted = "a node of a sampled heap of V8",
	.has = TEXT_IS_JSON | TEXT_HAS_STACKS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = heapprofile_sniff,
	.parse = heapprofile_parse,
};
