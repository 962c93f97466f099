import ContextCore
import Foundation

extension Topic {
    static let values: Topic = Topic("values") {
        Requirement("Integers of every width keep their minimum and maximum, and sort as numbers") { run in
            let samples = try await run.samples { context in
                for large in [Int.max, 0, Int.min, -1, 1] {
                    let sample = Sample(in: context, label: "\(large)")
                    sample.large = large
                    sample.small = Int16(clamping: large)
                    sample.medium = Int32(clamping: large)
                }
            }
            try await samples.read("numbers") { context in
                let found = try context.fetch(Sample.self, order: .ascending(\.large))
                try expectEqual(found.map(\.large), [.min, -1, 0, 1, .max], "The 64-bit integers")
                try expectEqual(found.map(\.medium), [.min, -1, 0, 1, .max], "The 32-bit integers")
                try expectEqual(found.map(\.small), [.min, -1, 0, 1, .max], "The 16-bit integers")
                try expectEqual(
                    try context.count(Sample.self, where: \.large == Int.min), 1, "The count of the least")
            }
        }
        Requirement("Floating-point numbers keep infinities and the least magnitude, and zero loses its sign")
        {
            run in
            let numbers: [Double] = [
                -.infinity, -.greatestFiniteMagnitude, -1.5, -.leastNonzeroMagnitude, 0,
                .leastNonzeroMagnitude, 0.1, 1e300, .infinity,
            ]
            let samples = try await run.samples { context in
                for number in numbers.reversed() {
                    let sample = Sample(in: context, label: "number")
                    sample.double = number
                    sample.single = Float(number)
                }
                Sample(in: context, label: "minus zero").double = -0.0
            }
            try await samples.read("numbers") { context in
                let found = try context.fetch(
                    Sample.self, where: \.label == "number", order: .ascending(\.double))
                try expectEqual(found.compactMap(\.double), numbers, "The numbers in order")
                try expectEqual(found.compactMap(\.single), numbers.map { Float($0) }, "The single ones")
                let zero = try require(try context.first(Sample.self, where: \.label == "minus zero"))
                try expectEqual(zero.double?.sign, .plus, "The sign of zero")
                try expectEqual(try context.count(Sample.self, where: \.double == 0.0), 2, "The zeros")
                try expectEqual(
                    try context.count(Sample.self, where: \.double > 1e300), 1, "What is above 1e300")
            }
        }
        Requirement("NaN is rejected before the save") { run in
            let samples = try await run.open(SampleModel.classes, transformers: SampleModel.transformers)
            try await expectError(.validation) {
                try await samples.write("nan") { Sample(in: $0, label: "nan").double = .nan }
            }
            try await samples.read("nothing") { try expectEqual(try $0.count(Sample.self), 0, "The count") }
        }
        Requirement("Decimal numbers of 38 digits stay exact, and sort as numbers") { run in
            let exact = [
                "-9999999999999999999999999999.9999999999", "-0.0000000001", "0", "0.0000000001", "0.1",
                "2", "10", "9999999999999999999999999999.9999999999",
            ].compactMap { Decimal(string: $0) }
            let whole = Decimal(string: "99999999999999999999999999999999999999")
            let samples = try await run.samples { context in
                for number in exact.reversed() {
                    let sample = Sample(in: context, label: "exact")
                    sample.exact = number
                    sample.whole = whole
                }
            }
            try await samples.read("decimals") { context in
                let found = try context.fetch(Sample.self, order: .ascending(\.exact))
                try expectEqual(found.compactMap(\.exact), exact, "The decimals in order")
                try expectEqual(found.first?.whole, whole, "The one of 38 digits")
                try expectEqual(
                    try context.count(Sample.self, where: \.exact < Decimal(2)), 5, "Those below 2")
                try expectEqual(
                    try context.count(FetchRequest<Sample>(where: FetchPredicate("exact = 0.1"))), 1,
                    "One tenth")
            }
        }
        Requirement("A decimal number with too many digits is rejected before the save") { run in
            let samples = try await run.open(SampleModel.classes, transformers: SampleModel.transformers)
            try await expectError(.validation) {
                try await samples.write("digits") {
                    Sample(in: $0, label: "digits").exact = Decimal(string: "0.00000000001")
                }
            }
        }
        Requirement("Text keeps its bytes: empty, long, in every normal form") { run in
            let texts = TrickyTexts.all
            let samples = try await run.samples { context in
                for (index, text) in texts.enumerated() {
                    Sample(in: context, label: "\(index)").text = text
                }
                _ = Sample(in: context, label: String(repeating: "long", count: 25_000))
            }
            try await samples.read("texts") { context in
                for (index, text) in texts.enumerated() {
                    let sample = try require(
                        try context.first(Sample.self, where: \.label == "\(index)"), "Sample \(index)")
                    try expectSameBytes(sample.text, text, "Text \(index)")
                    try expectEqual(
                        try context.count(Sample.self, where: \.text == text), 1,
                        "Those equal to text \(index)")
                }
                let long = String(repeating: "long", count: 25_000)
                try expectEqual(
                    try context.fetch(Sample.self, where: \.label == long).map(\.label), [long],
                    "The long text")
            }
        }
        Requirement("Text sorts by its bytes") { run in
            let texts = TrickyTexts.all
            let samples = try await run.samples { context in
                for text in texts.shuffled() { Sample(in: context, label: "text").text = text }
            }
            try await samples.read("texts") { context in
                let found = try context.fetch(Sample.self, order: .ascending(\.text)).compactMap(\.text)
                let expected = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                try expectEqual(found.map { Array($0.utf8) }, expected.map { Array($0.utf8) }, "The texts")
            }
        }
        Requirement("A text with a NUL character is rejected before the save") { run in
            let samples = try await run.open(SampleModel.classes, transformers: SampleModel.transformers)
            try await expectError(.validation) {
                try await samples.write("nul") { Sample(in: $0, label: "nul").text = "a\u{0}b" }
            }
        }
        Requirement("Empty data is not null, and every byte value is kept") { run in
            let all = Data((0...255).map { UInt8($0) })
            let samples = try await run.samples { context in
                Sample(in: context, label: "empty").bytes = Data()
                _ = Sample(in: context, label: "null")
                Sample(in: context, label: "all").bytes = all
                Sample(in: context, label: "large").bytes = Data(repeating: 7, count: 1_000_000)
            }
            try await samples.read("data") { context in
                let found = try context.fetch(Sample.self, order: .ascending(\.label))
                try expectEqual(found.map(\.bytes?.count), [256, 0, 1_000_000, nil], "The lengths")
                try expectEqual(found.first?.bytes, all, "The bytes")
                try expectEqual(
                    try context.fetch(FetchRequest<Sample>(where: FetchPredicate("bytes = NIL"))).map(
                        \.label),
                    ["null"], "Those without data")
                try expectEqual(
                    try context.count(Sample.self, where: \.bytes == Data()), 1, "Those with empty data")
            }
        }
        Requirement("Dates before 1970 and far in the future keep their microseconds, and sort") { run in
            let seconds: [Double] = [
                -62_135_596_800, -1, -0.000001, 0, 0.000001, 1_785_585_600.123456, 253_402_300_799,
            ]
            let dates = seconds.map { Date(timeIntervalSince1970: $0) }
            let samples = try await run.samples { context in
                for date in dates.reversed() { Sample(in: context, label: "date").moment = date }
            }
            try await samples.read("dates") { context in
                let found = try context.fetch(Sample.self, order: .ascending(\.moment)).compactMap(\.moment)
                let kept = found.map { ($0.timeIntervalSince1970 * 1_000_000).rounded() }
                try expectEqual(kept, seconds.map { ($0 * 1_000_000).rounded() }, "The microseconds")
                try expectEqual(
                    try context.count(Sample.self, where: \.moment < Date(timeIntervalSince1970: 0)), 3,
                    "Those before 1970")
            }
        }
        Requirement("A date is rounded to microseconds on assignment, not on save") { run in
            let samples = try await run.open(SampleModel.classes, transformers: SampleModel.transformers)
            try await samples.write("date") { context in
                let sample = Sample(in: context, label: "date")
                sample.moment = Date(timeIntervalSince1970: 1.000_000_4)
                let assigned = sample.moment
                try context.save()
                try context.refresh(sample)
                try expectEqual(sample.moment, assigned, "The date after the save")
            }
        }
        Requirement("UUIDs, URLs and Booleans are kept") { run in
            let token = UUID()
            let link = try require(URL(string: "https://example.org/a%20b?q=%C3%A9#f"))
            let samples = try await run.samples { context in
                let sample = Sample(in: context, label: "some")
                (sample.token, sample.link, sample.flag) = (token, link, true)
                Sample(in: context, label: "zero").token = UUID.placeholder
            }
            try await samples.read("values") { context in
                let sample = try require(try context.first(Sample.self, where: \.token == token))
                try expectEqual(sample.token, token, "The UUID")
                try expectEqual(sample.link, link, "The URL")
                try expectEqual(sample.flag, true, "The Boolean")
                let first = try context.first(Sample.self, order: .ascending(\.token))
                try expectEqual(first?.label, "zero", "The least UUID's label")
                try expectEqual(
                    try context.count(Sample.self, where: \.link == link), 1, "Those with the URL")
            }
        }
        Requirement("Enumerations are stored as raw values, and predicates can compare them") { run in
            let samples = try await run.samples { context in
                let sample = Sample(in: context, label: "some")
                (sample.level, sample.rank) = (.hard, .low)
            }
            try await samples.read("enumerations") { context in
                let sample = try require(try context.first(Sample.self, where: \.level == .hard))
                try expectEqual(sample.rank, .low, "The rank")
                try expectEqual(
                    try context.count(FetchRequest<Sample>(where: FetchPredicate("rank = -1"))), 1,
                    "Those with the raw value")
            }
        }
        Requirement("Codable values, composites and transformed values are kept") { run in
            let tags = Tags(names: ["é", "", "\"quoted\""], weights: ["a": 0.1, "b": -3])
            let address = Address(street: "Rue de l’Été", city: "Zürich", number: -12)
            let samples = try await run.samples { context in
                let sample = Sample(in: context, label: "some")
                (sample.tags, sample.address, sample.secret) = (tags, address, "été")
                _ = Sample(in: context, label: "none")
            }
            try await samples.read("values") { context in
                let found = try context.fetch(Sample.self, order: .descending(\.label))
                try expectEqual(found.first?.tags, tags, "The codable value")
                try expectEqual(found.first?.address, address, "The composite")
                try expectSameBytes(found.first?.secret, "été", "The transformed value")
                try expectEqual(found.last?.tags, nil, "The codable value that was not set")
                let request = FetchRequest<Sample>(
                    where: try FetchPredicate("address.city BEGINSWITH %@ AND address.number < 0", "Zü"))
                try expectEqual(try context.fetch(request).map(\.label), ["some"], "Those in the city")
                let order = FetchRequest<Sample>(order: [try SortKey("address.number")])
                try expectEqual(try context.fetch(order).map(\.label), ["some", "none"], "By number")
            }
        }
        Requirement("A required composite whose parts are all nil is kept", requires: .history) { run in
            let store = try await run.open(BuoyModel.classes)
            let unknown = Position(longitude: nil, latitude: nil)
            let known = Position(longitude: 8.5, latitude: nil)
            try await store.write("make") { context in
                _ = Buoy(in: context, name: "new")
                _ = Buoy(in: context, name: "laid", position: known, laid: known)
            }
            try await store.write("change") { context in
                for buoy in try context.fetch(Buoy.self) {
                    try expectEqual(buoy.position, buoy.name == "new" ? unknown : known, "The position")
                    buoy.position = buoy.name == "new" ? known : unknown
                }
            }
            try await store.write("delete") { context in
                for buoy in try context.fetch(Buoy.self) {
                    try expectEqual(buoy.position, buoy.name == "new" ? known : unknown, "The new position")
                    context.delete(buoy)
                }
            }
            let kept = try require(try await store.history().last, "The deletion").changes.map(\.tombstone)
            try expectEqual(
                kept, [["laid": unknown.storedValue], ["laid": known.storedValue]], "What is kept of them")
        }
        Requirement("Values of every type can be set to nil again") { run in
            let samples = try await run.samples { context in
                let sample = Sample(in: context, label: "some")
                (sample.flag, sample.small, sample.medium, sample.large) = (true, 1, 2, 3)
                (sample.single, sample.double, sample.exact, sample.whole) = (1, 2, 3, 4)
                (sample.text, sample.bytes, sample.moment, sample.token) = ("", Data(), .now, UUID())
                (sample.link, sample.level, sample.rank) = (URL(string: "a:b"), .easy, .high)
                sample.tags = Tags(names: [], weights: [:])
            }
            try await samples.write("forget") { context in
                let sample = try require(try context.first(Sample.self))
                for name in sample.snapshot().objectSnapshot.attributes.keys
                where sample.entityLayout.property(named: name)?.attribute?.isOptional == true {
                    try sample.set(name, toStored: .null)
                }
            }
            try await samples.read("nothing") { context in
                let sample = try require(try context.first(Sample.self))
                let left = sample.snapshot().objectSnapshot.attributes.filter { !$0.value.isNull }.keys
                try expectEqual(left.sorted(), ["address", "label", "secret"], "What still has a value")
            }
        }
        Requirement("Wrong types and unknown names are errors on assignment") { run in
            let samples = try await run.open(SampleModel.classes, transformers: SampleModel.transformers)
            try await samples.write("types") { context in
                let sample = Sample(in: context, label: "some")
                try expectError(.unknownProperty) { try sample.set("large", to: "text") }
                try expectError(.unknownProperty) { try sample.set("nothing", to: 1) }
                try expectError(.unknownProperty) { try context.insert("Nothing") }
                try sample.set("large", to: 5)
                try expectEqual(try sample["large"], .int(5), "The value by name")
            }
        }
    }
}

/// Texts that databases, collations and bindings are prone to change or to consider equal.
enum TrickyTexts {
    static let all: [String] = [
        "", " ", "a", "A", "b", "Z", "z", "ä", "a\u{308}", "\u{C5}", "\u{212B}", "A\u{30A}", "ß", "SS",
        "ﬁ", "İ", "ı", "'", "''", "\"", "\\", "%", "_", "a%b_c\\d", "; DROP TABLE game; --", "/*", "?1", "$1",
        ":name", "\n", "\r\n", "\t", "\u{7F}", "\u{FEFF}x", "x\u{200B}y", "\u{202E}rtl", "日本語", "👩‍👩‍👧‍👦", "🇨🇭",
        "\u{10FFFF}", "\u{E000}", "\u{FFFD}", "e\u{301}\u{327}", "e\u{327}\u{301}", "NULL", "0", "00", "1e3",
        // As many letters as fit into an index.
        String(repeating: "x", count: 2_600),
    ]
}

extension CaseRun {
    /// Opens a store and creates its samples with a closure.
    func samples(_ fill: @Sendable (ObjectContext) throws -> Void) async throws -> Store {
        let store = try await open(SampleModel.classes, transformers: SampleModel.transformers)
        try await store.write("fill") { try fill($0) }
        return store
    }
}
