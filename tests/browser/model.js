// The flame graph's model (render/browser, what needs no DOM), in node.  Prints TAP.
"use strict";

require("./model_lib");
for (const part of ["trees", "charts", "layers", "picture", "diff"])
  require(`./model_${part}`)(process.argv[2]);
