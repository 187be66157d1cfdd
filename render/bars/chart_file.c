#include "render/bars/chart.h"

static void chart_file_draw(const struct drawing *d, struct canvas *c)
{
	bars_draw(d->chart, c);
}

static void chart_file_to_svg(const struct drawing *d, struct str *out)
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
		.title = chart->title,
		.draw = chart_file_draw,
		.svg = chart_file_to_svg,
		.chart = &plan,
	};
	status = bars_write_drawing(&d, style, &chart->bars->source, path);
	bars_plan_free(&plan);
	return status;
}
