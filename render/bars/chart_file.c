#include "render/bars/chart.h"

#include "core/format/folded.h"
#include "core/outfile.h"

static void draw(const struct drawing *d, struct canvas *c)
{
	bars_draw(d->chart, c);
}

static void to_svg(const struct drawing *d, struct str *out)
{
	bars_svg(d->chart, out);
}

static int write_file(const struct bars_style *style, const struct drawing *d, const char *path)
{
	struct outfile out;

	if (outfile_open(&out, path) < 0)
		return -1;
	if (style->format->write(style->format, d, out.file) < 0) {
		outfile_abandon(&out);
		return -1;
	}
	return outfile_commit(&out);
}

static struct drawing drawing_of(const struct bars_style *style, int32_t w, int32_t h, const char *title)
{
	return (struct drawing){
		.w = w,
		.h = h,
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->theme->background,
		.title = title,
		.notes = style->notes,
	};
}

int bars_chart_write(const struct bars_chart *chart, const char *path)
{
	struct bars_plan plan;
	struct drawing d;
	int status;

	bars_plan_make(&plan, chart);
	d = drawing_of(chart->style, plan.w, plan.h, chart->title);
	d.created = source_get(&chart->bars->source, FOLDED_START);
	d.draw = draw;
	d.svg = to_svg;
	d.chart = &plan;
	status = write_file(chart->style, &d, path);
	bars_plan_free(&plan);
	return status;
}
