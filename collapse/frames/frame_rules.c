#include "collapse/frames/frame_rules.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/frames/frame_files.h"
#include "core/memory.h"
#include "core/regexp.h"

/* Without its annotations. */
static uint32_t bare_text(const struct frame_rules *r, uint32_t number)
{
	size_t len = intern_len(r->texts, number), bare = frame_bare_len(intern_text(r->texts, number), len);
	char *copy;

	if (bare == len)
		return number;
	copy = xstrndup(intern_text(r->texts, number), bare); /* adding a text moves texts */
	number = intern_add(r->texts, copy, bare);
	free(copy);
	return number;
}

static struct frame_rule make_rule(const struct frame_rules *r, uint32_t number)
{
	uint32_t shown = r->functions ? r->functions->shown[number] : number;
	const char *text = intern_text(r->texts, shown);
	size_t len = intern_len(r->texts, shown);
	struct frame_rule rule = { .text = number, .known = true };

	rule.hidden = regexp_match_any(r->hide, text, len);
	rule.in_focus = r->focus && regexp_match(r->focus, text, len);
	if (r->merge_annotations)
		rule.text = r->functions ? frame_files_bare(r->functions, number) : bare_text(r, number);
	return rule;
}

static const struct frame_rule *frame_rules_of(struct frame_rules *r, uint32_t text)
{
	size_t before = r->rule_count;

	if (text >= r->rule_count) {
		r->of_text = xgrow(r->of_text, &r->rule_cap, text + 1, sizeof(*r->of_text));
		r->rule_count = text + 1;
		memset(r->of_text + before, 0, (r->rule_count - before) * sizeof(*r->of_text));
	}
	if (!r->of_text[text].known)
		r->of_text[text] = make_rule(r, text);
	return &r->of_text[text];
}

/* The length of line without the frames at its end that repeat the frames right before them. */
static uint32_t frame_rules_drop_repeated(const struct frame_rules *r, const uint32_t *line, uint32_t count)
{
	uint32_t frames = count - 1, longest = r->recursion == RECURSION_INDIRECT ? frames / 2 : 1;

	for (uint32_t n = 1; n <= longest && n * 2 <= frames; n++) {
		if (!memcmp(line + count - n, line + count - 2 * n, n * sizeof(*line)))
			return count - n;
	}
	return count;
}

bool frame_rules_apply(struct frame_rules *r, uint32_t *texts, uint32_t *count)
{
	uint32_t made = 1, start = 1;

	if (r->focus) {
		while (start < *count && !frame_rules_of(r, texts[start])->in_focus)
			start++;
		if (start == *count)
			return false;
	}
	for (uint32_t i = start; i < *count; i++) {
		const struct frame_rule *rule = frame_rules_of(r, texts[i]);

		if (rule->hidden)
			continue;
		texts[made++] = rule->text;
		if (r->recursion != RECURSION_KEEP)
			made = frame_rules_drop_repeated(r, texts, made);
	}
	*count = made;
	return true;
}

void frame_rules_free(struct frame_rules *r)
{
	if (!r)
		return;
	free(r->of_text);
	*r = (struct frame_rules){ 0 };
}
