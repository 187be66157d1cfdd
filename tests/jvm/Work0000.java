/* What Recompiled.java makes its classes of. */
public class Work0000 extends Recompiled.Base {
	public long work(int n) {
		return Recompiled.burn(n) ^ n;
	}
}
