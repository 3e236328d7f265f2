import RealmPresentation
import Testing

@Suite struct NumberTextTests {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-4321, "-4,321")])
  func numbersAreGrouped(_ number: Int, _ text: String) { #expect(CountText.grouped(number) == text) }

  @Test(
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_300, "1.3 KiB"), (1_048_524, "1023.9 KiB"),
      (1_048_525, "1.0 MiB"),
      (1_048_576, "1.0 MiB"), (1_500_000_000, "1.4 GiB"), (UInt64.max, "16.0 EiB"),
    ] as [(UInt64, String)])
  func sizesHaveAUnit(_ count: UInt64, _ text: String) { #expect(ByteCount.short(count) == text) }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1024 bytes (1.0 KiB)"),
    (1535, "1535 bytes (1.5 KiB)"), (1 << 20, "1048576 bytes (1.0 MiB)"),
    (UInt64.max, "18446744073709551615 bytes (16.0 EiB)"),
  ])
  func sizesAreExactAndReadable(count: UInt64, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test(arguments: [
    (0, 100, UInt64(0), Duration.seconds(1), "0 B, 0 B/s"),
    (50, 100, 1 << 20, .seconds(1), "50%, 1.0 MiB, 1.0 MiB/s, 1 s left"),
    (1, 1000, 1 << 30, .seconds(2), "0%, 1.0 GiB, 512.0 MiB/s, 33 min left"),
    (100, 100, 10, .milliseconds(1500), "100%, 10 B, 6 B/s, 0 s left"),
    (7, 0, 10, .seconds(5), "10 B, 2 B/s"),
  ])
  func progressTellsShareAmountRateAndTimeLeft(
    done: Int, total: Int, byteCount: UInt64, duration: Duration, text: String
  ) {
    #expect(Progress.text(done: done, of: total, byteCount: byteCount, after: duration) == text)
  }
}
