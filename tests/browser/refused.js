// Is this message of a console about the still picture's dark colours, an inline style that a strict policy refuses?
// The live chart, which takes the picture's place, has its own.
"use strict";

module.exports = (message) => /^Applying inline style violates .*'style-src 'self''/.test(message.text());
