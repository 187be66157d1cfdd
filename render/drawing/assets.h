/* assets: scripts and styles that go into pictures. */
#ifndef RENDER_DRAWING_ASSETS_H
#define RENDER_DRAWING_ASSETS_H

#include "core/asset.h"

struct asset flame_css_asset(void);
struct asset split_css_asset(void); /* of split_page.h */

/* The scripts of a flame graph, in the order in which they must run.  Returns
 * how many there are. */
size_t flame_scripts(const struct asset **scripts);

/* The same of timelines. */
struct asset timeline_css_asset(void);
size_t timeline_scripts(const struct asset **scripts);

/* The same of heat maps, and their style. */
size_t heat_scripts(const struct asset **scripts);
struct asset heat_css_asset(void);

/* The same of charts of bars, and their style. */
size_t bars_scripts(const struct asset **scripts);
struct asset bars_css_asset(void);

#endif
