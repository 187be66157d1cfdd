/* unnamed: functions without a name, told apart by where they begin: "liblzma.so.5.4.1+0x8a40".
 *
 * isUnnamed(name)  -> is it such a function?
 * ofFile(name)     -> what all of its file become, "[liblzma.so.5.4.1]", annotations as they were; other names stay */
pyrograph.unnamed = (function () {
	'use strict';

	const NAME = /^([^[\]`;]+)\+0x[0-9a-f]+((?:_\[.\])*)$/;

	return { isUnnamed: (name) => NAME.test(name), ofFile: (name) => name.replace(NAME, '[$1]$2') };
})();
