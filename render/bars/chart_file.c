#include "render/bars/chart.h"

#include "core/format/folded.h"

static void draw(const struct drawing *d, struct canvas *c)
{
	bars_draw(d->chart, c);
}

static void to_svg(const struct drawing *d, struct str *out)
{
	bars_svg(d->chart, out);
}

int bars_chart_write(const struct bars_chart *chart, const char *path)
{
	const struct bars_style *style = chart->style;
	struct bars_plan plan;
	struct drawing d;
	int status;

	bars_plan_make(&plan, chart);
	d = (struct drawing){
		.w = plan.w,
		.h = plan.h,
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->theme->background,
		.title = chart->title,
		.headline = style->headline,
		.notes = style->notes,
		.created = source_get(&chart->bars->source, FOLDED_START),
		.draw = draw,
		.svg = to_svg,
		.chart = &plan,
	};
	status = drawing_write(&d, style->format, path);
	bars_plan_free(&plan);
	return status;
}
