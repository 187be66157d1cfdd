#include "collect/run/completion.h"

#include "collect/machine/clock_state.h"
#include "collect/machine/topology.h"
#include "collect/recording/features.h"
#include "collect/recording/symbolize.h"
#include "core/error.h"
#include "core/open_files.h"

/* Count losses that were not reported yet, because no record followed them. */
static void count_dropped(struct recording *r, const struct sampler *s)
{
	uint64_t *lost = &r->tally.losses[LOSS_lost_samples];
	uint64_t dropped = sampler_dropped(s);

	if (dropped > *lost)
		*lost = dropped;
}

/* Returns 0, or -1 after a message if symbols could not be read. */
static int completion_add_symbols(struct recording *r, const struct recording *read, struct kept_files *kept,
				  struct jit_maps *maps, struct str *build_ids)
{
	struct capture *capture = &r->tally.capture;
	struct str text = { 0 }, code = { 0 }, quality = { 0 };
	int status;

	kept_files_update(kept, read->path, read->data_end);
	jit_maps_update(maps, read->path, read->data_end, true);
	r->tally.losses[LOSS_bad_map_lines] = jit_files_bad(&maps->files);
	r->tally.losses[LOSS_unread_map_bytes] = jit_files_unread(&maps->files);
	capture->max_stack = r->tally.max_stack;
	status = symbolize(r->own_path, kept, &maps->files, &text, &code, build_ids, capture);
	if (!status) {
		recording_add_section(r, RECORDING_SYMBOLS, str_text(&text), text.len);
		if (code.len)
			recording_add_section(r, RECORDING_CODE, code.buf, code.len);
		quality_line(&capture->quality, &quality);
		str_addc(&quality, '\n');
		recording_add_section(r, RECORDING_QUALITY, quality.buf, quality.len);
		r->tally.losses[LOSS_total_frames] = capture->quality.frames;
		r->tally.losses[LOSS_unresolved_frames] = capture->quality.nameless;
		r->tally.losses[LOSS_short_stacks] = capture->looks_broken;
	} else {
		warn("%s: has no names of functions: collapse can only look them up where the files still are",
		     r->path);
	}
	capture_free(capture);
	str_free(&quality);
	str_free(&text);
	str_free(&code);
	return status;
}

int recording_complete(struct recording *r, const struct recording *read, const struct sampler *s,
		       struct kept_files *kept, struct jit_maps *maps)
{
	struct str text = { 0 }, build_ids = { 0 };
	int names, status;

	recording_flush(r); /* symbolize() reads the file */
	if (s)
		count_dropped(r, s);
	r->tally.losses[LOSS_clock_steps] = r->anchors.steps;
	names = completion_add_symbols(r, read, kept, maps, &build_ids);
	features_add(r, &build_ids);
	losses_format(r->tally.losses, &text);
	recording_add_section(r, RECORDING_LOSSES, text.buf, text.len);
	recording_add_section(r, RECORDING_CLOCKS, r->anchors.text.buf, r->anchors.text.len);
	str_clear(&text);
	clock_state_kernel(&text);
	clock_state_chrony(&text);
	if (text.len)
		recording_add_section(r, RECORDING_CLOCK_STATE, text.buf, text.len);
	str_clear(&text);
	topology_describe(&text, "");
	recording_add_section(r, RECORDING_TOPOLOGY, str_text(&text), text.len);
	str_clear(&text);
	str_addf(&text, "%d\n", r->own);
	recording_add_section(r, RECORDING_OWN, text.buf, text.len);
	status = recording_finish(r);
	str_free(&text);
	str_free(&build_ids);
	return open_files_tell() || names ? -1 : status;
}
