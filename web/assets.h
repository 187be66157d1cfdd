/* assets: the style and the script of the page, embedded byte for byte. */
#ifndef WEB_ASSETS_H
#define WEB_ASSETS_H

#include "core/asset.h"

struct asset style_css_asset(void);
struct asset index_js_asset(void);

#endif
