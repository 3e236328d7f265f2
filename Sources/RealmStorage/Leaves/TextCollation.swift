/// The order of strings among Mixed values in sets of formats 21–23. Up to U+024F it is about that of an English
/// dictionary, a A á Á … b B; if a character is above that, it is the order of code points
/// (Docs/Format/4-file-versions.md §3.8). Part of those formats.
enum TextCollation {
  /// Below 0, 0 or above 0 if `left` comes before `right`, has the same bytes, or comes after it.
  ///
  /// Engines do not define how strings compare that are not valid UTF-8; here, their bytes decide.
  static func compare(_ left: BlobView, _ right: BlobView) -> Int {
    let (a, b) = (ValueOrder.bytes(of: left), ValueOrder.bytes(of: right))
    guard let difference = zip(a, b).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return ValueOrder.compare(a.count, b.count)
    }
    // Both differ in one character, which begins at the same place in both.
    var start = difference
    while start > 0, start > difference - 3, a[start] & 0xc0 == 0x80 { start -= 1 }
    guard let first = scalar(in: a, at: start), let second = scalar(in: b, at: start), first != second else {
      return ValueOrder.compareBytes(left, right)
    }
    return ValueOrder.compare(rank(first), rank(second))
  }

  private static func rank(_ scalar: UInt32) -> UInt32 {
    scalar < UInt32(ranks.count) ? UInt32(ranks[Int(scalar)]) : scalar
  }

  /// The character that begins at a byte; nil if none does.
  private static func scalar(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
    let lead = bytes[start]
    let length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0
    guard length > 0, start + length <= bytes.count else { return nil }
    guard length > 1 else { return UInt32(lead) }
    var value = UInt32(lead) & (0x7f >> UInt32(length))
    for byte in bytes[start + 1..<start + length] {
      guard byte & 0xc0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3f)
    }
    return value
  }

  /// By character.
  private static let ranks: [UInt16] = {
    var ranks = [UInt16](repeating: 0, count: order.count)
    for (rank, scalar) in order.enumerated() { ranks[Int(scalar)] = UInt16(rank) }
    return ranks
  }()

  /// The characters from U+0000 to U+024F in their order.
  private static let order: [UInt16] = [
    0, 173, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 39,
    45, 32, 160, 9, 10, 11, 12, 13, 33, 34, 35, 36, 37, 38, 40, 41, 42, 44, 46, 47, 58, 59, 63, 64, 91, 92, 93, 94,
    95, 96, 123, 124, 125, 126, 161, 166, 168, 175, 180, 184, 191, 451, 162, 163, 164, 165, 43, 60, 61, 62, 177, 171,
    187, 215, 247, 448, 449, 450, 167, 169, 172, 174, 176, 181, 182, 183, 128, 129, 130, 131, 132, 133, 134, 135, 136,
    137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    48, 188, 189, 190, 49, 185, 50, 443, 178, 51, 179, 52, 53, 445, 444, 54, 55, 56, 57, 97, 65, 170, 225, 193, 224,
    192, 551, 550, 226, 194, 462, 461, 259, 258, 257, 256, 227, 195, 261, 260, 570, 481, 480, 507, 506, 479, 478, 513,
    512, 515, 514, 509, 508, 98, 66, 384, 579, 385, 387, 386, 389, 388, 99, 67, 263, 262, 267, 266, 265, 264, 269,
    268, 231, 199, 572, 571, 392, 391, 390, 100, 68, 271, 270, 273, 272, 396, 395, 394, 240, 208, 397, 568, 499, 498,
    497, 454, 453, 452, 393, 545, 101, 69, 233, 201, 232, 200, 279, 278, 234, 202, 235, 203, 283, 282, 277, 276, 275,
    274, 281, 280, 553, 552, 583, 582, 517, 516, 519, 518, 477, 398, 399, 400, 541, 540, 102, 70, 402, 401, 103, 71,
    501, 500, 289, 288, 285, 284, 487, 486, 287, 286, 291, 290, 485, 484, 403, 404, 104, 72, 293, 292, 543, 542, 295,
    294, 405, 502, 105, 73, 305, 237, 205, 236, 204, 304, 238, 206, 239, 207, 464, 463, 301, 300, 299, 298, 297, 296,
    303, 302, 407, 521, 520, 523, 522, 406, 307, 306, 106, 74, 567, 309, 308, 496, 585, 584, 107, 75, 489, 488, 311,
    310, 409, 408, 108, 76, 314, 313, 320, 319, 318, 317, 316, 315, 410, 573, 322, 321, 411, 457, 456, 455, 564, 109,
    77, 412, 110, 78, 324, 323, 505, 504, 328, 327, 241, 209, 326, 325, 413, 329, 414, 544, 460, 459, 458, 565, 331,
    330, 111, 79, 186, 243, 211, 242, 210, 559, 558, 244, 212, 466, 465, 335, 334, 333, 332, 245, 213, 491, 490, 415,
    561, 560, 555, 554, 511, 510, 557, 556, 493, 492, 525, 524, 527, 526, 417, 416, 419, 418, 339, 338, 547, 546, 112,
    80, 421, 420, 113, 81, 312, 587, 586, 569, 114, 82, 422, 341, 340, 345, 344, 343, 342, 589, 588, 529, 528, 531,
    530, 115, 83, 347, 346, 349, 348, 353, 352, 351, 350, 537, 536, 575, 425, 424, 423, 426, 223, 383, 116, 84, 357,
    356, 355, 354, 429, 428, 427, 430, 539, 538, 574, 566, 254, 222, 359, 358, 117, 85, 250, 218, 249, 217, 251, 219,
    468, 467, 365, 364, 363, 362, 361, 360, 367, 366, 371, 370, 580, 472, 471, 476, 475, 474, 473, 470, 469, 533, 532,
    535, 534, 432, 431, 433, 118, 86, 434, 581, 119, 87, 373, 372, 447, 503, 120, 88, 121, 89, 253, 221, 375, 374,
    255, 376, 563, 562, 369, 368, 591, 590, 436, 435, 252, 220, 122, 90, 378, 377, 380, 379, 382, 381, 438, 437, 549,
    548, 576, 230, 198, 439, 483, 482, 228, 196, 495, 494, 441, 440, 442, 248, 216, 246, 214, 337, 336, 229, 197, 446,
    578, 577,
  ]
}
