/* assets: scripts and styles that go into pictures. */
#ifndef RENDER_ASSETS_H
#define RENDER_ASSETS_H

#include "core/asset.h"

struct asset flame_css_asset(void);
struct asset bars_css_asset(void);  /* of states, tenancy */
struct asset split_css_asset(void); /* of split_page.h */

/* The scripts of a flame graph, in the order in which they must run.  Returns
 * how many there are. */
size_t flame_scripts(const struct asset **scripts);

/* The same of a chart of bars. */
size_t bars_scripts(const struct asset **scripts);

#endif
