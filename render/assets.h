/* assets: scripts and styles that go into pictures. */
#ifndef RENDER_ASSETS_H
#define RENDER_ASSETS_H

#include "core/asset.h"

struct asset flame_css_asset(void);
struct asset profile_js_asset(void); /* decodes what encode.c wrote, and lays it out */
struct asset flame_js_asset(void);   /* zoom, search, keys; needs the former */

#endif
