/* unnamed: functions without a name, which are identified by their address: "liblzma.so.5.4.1+0x8a40".
 *
 * isUnnamed(name)  -> is it such a function?
 * ofFile(name)     -> the joint name of all in its file, "[liblzma.so.5.4.1]", with the annotation; other names stay */
pyrograph.unnamed = (function () {
	'use strict';

	const NAME = /^([^[\]`;]+)\+0x[0-9a-f]+((?:_\[.\])*)$/;

	return { isUnnamed: (name) => NAME.test(name), ofFile: (name) => name.replace(NAME, '[$1]$2') };
})();
