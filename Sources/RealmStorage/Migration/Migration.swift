public final class Migration {}
