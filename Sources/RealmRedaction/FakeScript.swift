/// The script of a faked text: that of the text it replaces.
enum FakeScript: Int {
  case latin, greek, cyrillic, hebrew, arabic, devanagari, thai, kana, hangul, han

  /// The script of the first letter that is not Latin; Latin if there is none.
  ///
  /// - Parameter text: UTF-8, or bytes that should be.
  init(of text: UnsafeRawBufferPointer) {
    var found = FakeScript.latin
    // Characters below U+0250 begin with a lower byte.
    guard text.prefix(256).contains(where: { $0 >= 0xc9 }) else { self = .latin; return }
    for scalar in String(decoding: text.prefix(256), as: UTF8.self).unicodeScalars where scalar.value > 0x24f {
      guard let script = Self(holding: scalar.value) else { continue }
      // Japanese also has Chinese characters.
      if script == .kana { self = .kana; return }
      if found == .latin { found = script }
    }
    self = found
  }

  private init?(holding scalar: UInt32) {
    switch scalar {
    case 0x370...0x3ff, 0x1f00...0x1fff: self = .greek
    case 0x400...0x52f: self = .cyrillic
    case 0x590...0x5ff: self = .hebrew
    case 0x600...0x6ff, 0x750...0x77f: self = .arabic
    case 0x900...0x97f: self = .devanagari
    case 0xe00...0xe7f: self = .thai
    case 0x3040...0x30ff: self = .kana
    case 0x1100...0x11ff, 0xac00...0xd7af: self = .hangul
    case 0x3400...0x9fff, 0x20000...0x2ffff: self = .han
    default: return nil
    }
  }

  /// Whether words follow each other without a space.
  var joinsWords: Bool { self == .kana || self == .han || self == .thai }
  /// Whether the family name comes first.
  var putsFamilyFirst: Bool { self == .kana || self == .han || self == .hangul }
  /// Whether there is a space between two names.
  var separatesNames: Bool { self != .han && self != .hangul }
}

/// Words, stored one after another in memory that is never freed.
struct WordList: @unchecked Sendable {
  private let bytes: UnsafeMutableRawBufferPointer
  /// Where each word ends.
  private let ends: UnsafeMutableBufferPointer<Int>

  /// - Parameter text: words with a space between each two.
  fileprivate init(_ text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: " "))
    bytes = .allocate(byteCount: words.reduce(0) { $0 + $1.count }, alignment: 1)
    bytes.copyBytes(from: words.joined())
    ends = .allocate(capacity: words.count)
    var end = 0
    for (index, word) in words.enumerated() {
      end += word.count
      ends.initializeElement(at: index, to: end)
    }
  }

  var count: Int { ends.count }

  /// The word at a position, in UTF-8.
  subscript(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
  }
}

/// Words that faked texts are made of, by script.
struct FakeWords: Sendable {
  let given: WordList
  let family: WordList
  let cities: WordList
  let words: WordList

  static func words(in script: FakeScript) -> FakeWords { all[script.rawValue] }

  /// All texts there are.
  static var everything: [[UInt8]] {
    all.flatMap { [$0.given, $0.family, $0.cities, $0.words] }.flatMap { list in
      (0..<list.count).map { Array(list[$0]) }
    }
  }

  private init(given: String, family: String, cities: String, words: String) {
    (self.given, self.family) = (WordList(given), WordList(family))
    (self.cities, self.words) = (WordList(cities), WordList(words))
  }

  /// Parallel to the cases of `FakeScript`.
  private static let all = [
    FakeWords(
      given: "Ada Alba Amos Anouk Bela Bram Carla Cleo Dario Edda Elin Enzo Fenna Gil Hedda Ilse Ines Ivo Jana Joris "
        + "Juna Kai Lara Leif Lotte Mads Malia Mira Nele Nico Nora Olin Orla Pavel Pia Remy Rosa Sami Selma Tamsin "
        + "Theo Tilda Una Vera Wanda Xenia Yara Zeno",
      family: "Abel Adler Almeida Arden Bakker Berg Brandt Calder Castell Dahl Delgado Ebner Falk Ferreira Grieg Haas "
        + "Halden Ibsen Jarvis Keller Kowal Lindner Lund Marlow Mendes Moreau Nagel Novak Okafor Olsen Pereira Petrov "
        + "Quist Rahn Rivera Sandel Sorel Stone Tanaka Thorne Urban Valdez Vogel Wexler Winter Yilmaz Zander Ziegler",
      cities: "Alderton Birkfeld Casterwood Dunmere Eastvale Fairholm Greystad Hollenbach Innerdale Juniper Kestrel "
        + "Lindhaven Marlbridge Northam Oakhurst Pinecrest Quarrystone Riverden Silverton Thornbury Umberfield Valmont "
        + "Westerly Yarrow",
      words:
        "above amber apple after arrow autumn basket before bottle bridge bright candle carpet circle cloud copper "
        + "corner cotton dinner distant early evening feather flower forest garden gentle glass harbor hollow island "
        + "kettle ladder lantern letter little marble meadow middle morning mountain narrow needle number orange paper "
        + "pebble pencil pocket quiet ribbon river rocket saddle second shadow silver simple slowly spring stone summer "
        + "table thread timber travel under valley velvet village violet wander water window winter wooden yellow"),
    FakeWords(
      given: "Άλκης Βίκυ Γιάννα Δάφνη Ελπίδα Ζωή Ηλίας Θάλεια Ίρις Κίμων Λίνα Μάνος",
      family: "Αλεξίου Βλάχος Γαλάνης Δέδες Ζήσης Καλλέργης Λάμπρου Μαρής Νικολάου Παππάς Ράλλης Σταύρου",
      cities: "Ανεμώνα Γαλήνη Δροσιά Καλλιθέα Λευκάδι Μελίσσι Πετρώνα Φωτεινή",
      words: "άνεμος βουνό γαλάζιο δρόμος ελιά ζωή ήλιος θάλασσα κήπος λουλούδι μήλο νερό ουρανός ποτάμι σπίτι φως"),
    FakeWords(
      given: "Алёна Богдан Вера Глеб Дарина Егор Жанна Зоя Игнат Кира Лев Мила",
      family: "Артемьев Белов Волгин Гусев Дубров Ершов Жуков Зимин Калинин Лугов Орлов Соколов",
      cities: "Белогорск Вишнёво Дубрава Заречье Ключи Лесной Приморье Солнечный",
      words: "берег ветер вечер город дерево дорога звезда зима книга лето море мост облако осень река утро"),
    FakeWords(
      given: "אביב ברק גלית דנה הדס זיו טליה יובל ליאור מיכל נועם עדי",
      family: "אלון ברנר גולן דורון הררי זמיר כרמל לביא מזרחי נבון סגל שחר",
      cities: "גבעון הדרים יערות כרמית נווה עמקים רימון תמרים",
      words: "אור בית גן דרך הר זית חלון ים כוכב לחם מים נהר סתיו עץ פרח שמש"),
    FakeWords(
      given: "أمل باسم تالا جميل حسن دانا رامي زينة سامي ليلى نادر هالة",
      family: "البستاني الحداد الخطيب الرفاعي الزين السعد الشامي الصالح القاسم النجار منصور ياسين",
      cities: "الربوة الزهراء الواحة النخيل الياسمين المروج البستان الساحل",
      words: "باب بحر بيت جبل حديقة خبز زهرة سماء شجرة شمس طريق قمر كتاب ماء مدينة نهر"),
    FakeWords(
      given: "अदिति अरुण इला ईशान कविता गौरव चेतन जया तारा नील मीरा रोहन",
      family: "अग्रवाल चौहान जोशी तिवारी देसाई नायर पटेल मिश्र मेहता राव वर्मा शर्मा",
      cities: "कमलपुर चंदननगर नीलगढ़ फूलबाग मधुवन रामनगर सूरजपुर हरितपुर",
      words: "आकाश कमल किताब घर चाँद जल तारा दिन नदी पवन पहाड़ फूल रात वन सूरज हवा"),
    FakeWords(
      given: "กานต์ จันทร์ ชลิต ดารา นภา ปกรณ์ พิมพ์ มาลี รวี ลดา วิทย์ สุดา",
      family: "แก้วใส จันทรา ชัยดี ทองดี ใจดี บุญมา ปานทอง พงษ์ดี มณีรัตน์ ศรีสุข สายชล แสงทอง",
      cities: "บ้านดอน บางไม้ ทุ่งทอง นาใหม่ ป่าสน ริมน้ำ เขาขาว หาดทราย",
      words: "ขนม จาน ช้าง ดาว ต้นไม้ ทะเล น้ำ บ้าน ปลา ฝน ภูเขา ไม้ รถ ลม สวน หนังสือ"),
    FakeWords(
      given: "あおい かえで けんと さくら しおり そうた たくみ はるか ひなた みずき ゆうき りん",
      family: "あおき いけだ うえの おおた かわむら きむら さかい たけだ なかの はやし みずの よしだ",
      cities: "あさひがおか うみべ かわばた さくらだい たけのした ふじみ みどりまち ゆきの",
      words: "あめ いえ うみ かぜ かわ くも ことり さかな そら つき はな はる ひかり まど みち やま"),
    FakeWords(
      given: "가람 나래 다온 라온 민서 보라 새롬 아름 지우 하늘 한결 해든",
      family: "강 고 김 남 류 문 박 서 안 오 임 차",
      cities: "가온시 나루시 달빛시 미리내시 새벽시 은하시 푸른시 한솔시",
      words: "가을 강물 겨울 구름 나무 노래 달빛 바다 바람 봄날 산길 새벽 여름 하늘 햇살 호수"),
    FakeWords(
      given: "安然 冰清 晨光 丹青 凡星 海涛 佳禾 景明 若兰 思远 文竹 子墨",
      family: "白 曹 邓 方 葛 何 江 林 孟 秦 沈 叶",
      cities: "安河 碧溪 春江 东湖 枫林 金沙 南岭 清泉",
      words: "白云 春天 大海 冬天 风车 高山 花园 江水 桥头 秋天 书本 树林 窗户 夏天 小路 月亮"),
  ]
}
