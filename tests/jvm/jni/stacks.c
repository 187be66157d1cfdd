/* Native code, called by Stacks.java, that calls Java code again. */
#include <jni.h>

JNIEXPORT jlong JNICALL Java_Stacks_callBack(JNIEnv *env, jclass class, jint depth)
{
	jmethodID called = (*env)->GetStaticMethodID(env, class, "called", "(I)J");
	jlong volatile sum = 0;

	for (int i = 0; i < 20; i++)
		sum += i * depth;
	return sum + (*env)->CallStaticLongMethod(env, class, called, depth);
}
