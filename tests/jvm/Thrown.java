import java.io.IOException;

/** Prints stack traces to stdout, and to stderr which stacks they are: "root;...;leaf 1". */
public class Thrown {
	static class Resource implements AutoCloseable {
		public void close() throws IOException
		{
			throw new IOException("close", new RuntimeException("inner"));
		}
	}

	static void dao()
	{
		throw new IllegalArgumentException("bad\nmessage of several lines at foo");
	}

	static void service()
	{
		try {
			dao();
		} catch (RuntimeException e) {
			throw new IllegalStateException("service", e);
		}
	}

	static void top() throws Exception
	{
		try (Resource resource = new Resource()) {
			service();
		}
	}

	static void show(Throwable thrown)
	{
		StringBuilder stack = new StringBuilder();
		StackTraceElement[] elements = thrown.getStackTrace();
		for (int i = elements.length; i-- > 0;)
			stack.append(elements[i].getClassName() + "." + elements[i].getMethodName() + (i > 0 ? ";" : " 1"));
		System.err.println(stack);
		for (Throwable suppressed : thrown.getSuppressed())
			show(suppressed);
		if (thrown.getCause() != null)
			show(thrown.getCause());
	}

	public static void main(String[] args)
	{
		for (int i = 0; i < 3; i++) {
			try {
				if (i < 2)
					top();
				else
					new Object[1][0].toString();
			} catch (Exception e) {
				e.printStackTrace(System.out);
				show(e);
			}
		}
	}
}
