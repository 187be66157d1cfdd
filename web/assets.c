#include "web/assets.h"

ASSET(style_css, "web/style.css")
ASSETS(index_js, "web/index.js", "web/pane.js")
