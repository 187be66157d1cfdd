#include "web/assets.h"

ASSET(style_css, "web/style.css")
ASSET_OF(index_js, ".incbin \"web/index.js\"\n.incbin \"web/compare.js\"\n.incbin \"web/pane.js\"\n")
