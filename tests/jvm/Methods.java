import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.function.IntSupplier;

/* Says which methods some classes have ("M class.method"), and what its own stacks are ("T class.method file
 * line"), then waits until the input ends. */
public class Methods {
	interface Overview {
		int gr\u00f6\u00dfe();
	}

	static class Inner implements Overview {
		final int[][] matrix = { { 1 }, { 2 } };

		Inner() {
			Methods.where();
		}

		public int gr\u00f6\u00dfe() {
			where();
			return matrix.length;
		}

		class Innermost {
			/* U+1D400, a pair of surrogates */
			int \ud835\udc00_\u65e5\u672c() {
				where();
				return 1;
			}
		}
	}

	static int calls;

	static {
		where();
	}

	static void where() {
		for (StackTraceElement e : new Throwable().getStackTrace()) {
			if (e.getClassName().startsWith("Methods") && e.getLineNumber() > 0 && !e.getClassName().contains("Lambda"))
				System.out.println("T " + e.getClassName() + "." + e.getMethodName() + " " + e.getFileName() + " " + e.getLineNumber());
		}
		calls++;
	}

	static int manyLines(int n) {
		int sum = 0;

		switch (n) {
		case 0:
			sum += 1;
			where();
			break;


















		case 1:
			where();
			break;
		default:
			for (int i = 0; i < n; i++)
				sum += i * n
					+ calls
					- sum / 3;
			where();
		}
		return sum;
	}

	static void print(String name) {
		System.out.println("M " + name);
	}

	static void printMethods(Class<?> c) {
		for (Method m : c.getDeclaredMethods())
			print(c.getName() + "." + m.getName());
		for (Constructor<?> m : c.getDeclaredConstructors())
			print(c.getName() + ".<init>");
	}

	public static void main(String[] args) throws Exception {
		System.setOut(new java.io.PrintStream(System.out, true, "UTF-8"));
		Inner object = new Inner();
		IntSupplier lambda = () -> {
			where();
			return 1;
		};

		object.gr\u00f6\u00dfe();
		object.new Innermost().\ud835\udc00_\u65e5\u672c();
		lambda.getAsInt();
		for (int i = 0; i < 3; i++)
			manyLines(i);
		for (Class<?> c : new Class<?>[] { Methods.class, Inner.class, Overview.class, String.class,
						   StringBuilder.class, java.util.HashMap.class, java.util.ArrayList.class,
						   java.util.concurrent.ConcurrentHashMap.class })
			printMethods(c);
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
	}
}
