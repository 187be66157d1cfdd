/* Native code, called by Allocates.java, that makes a Java object. */
#include <jni.h>

JNIEXPORT jobject JNICALL Java_Allocates_makeNative(JNIEnv *env, jclass class, jint bytes)
{
	jobject volatile made = (*env)->NewByteArray(env, bytes);

	(void)class;
	return made;
}
