import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `data sample --mask`.
struct MaskTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let model = """
        {"entities":{"Club":{"attributes":{"name":{"type":"string"},"oldest":{"derived":{"maximum":"people.age"},\
        "optional":true,"type":"int32"}},\
        "relationships":{"people":{"inverse":"club","to":"Person","toMany":true}}},\
        "Person":{"attributes":{"age":{"maximum":120,"minimum":0,"type":"int32"},\
        "clubName":{"derived":{"copy":"club.name"},"optional":true,"type":"string"},\
        "code":{"pattern":"[A-Z]+","type":"string"},"email":{"maximumLength":60,"type":"string"},\
        "home":{"optional":true,"parts":{"city":{"type":"string"},"floor":{"optional":true,"type":"int16"}},"type":"composite"},\
        "isAdult":{"type":"bool"},"key":{"type":"uuid"},"name":{"type":"string"},\
        "note":{"optional":true,"type":"string"},\
        "searchName":{"derived":{"lowercased":"name"},"type":"string"}},\
        "relationships":{"club":{"inverse":"people","optional":true,"to":"Club"}},"unique":[["email"],["key"],["age"],["isAdult","note"]]}},\
        "format":1}
        """

    /// Creates the store `a` with people.
    private func makePeople(_ place: TestPlace) throws {
        bench.variables["A"] = place.freshURL()
        try bench.write(#"{"default": "a", "stores": {"a": {"url": {"env": "A"}}}}"#, to: "storectl.json")
        var lines = [#"{"model":\#(Self.model),"schema":"storectl.export/1"}"#]
        lines.append(#"{"entity":"Club","id":1,"values":{"name":"Ajax","oldest":30}}"#)
        lines += (1...30).map { number in
            let name = number.isMultiple(of: 2) ? "Zora" : "Yves"
            let key = "0F5B8F5E-7F0C-4B5E-9D4B-\(100_000_000_000 + number)"
            return
                #"{"entity":"Person","id":\#(number),"to":{"club":1},"values":{"age":\#(number),"clubName":"Ajax","code":"AB","#
                + #""email":"p\#(number)@mine.org","home":{"city":"Rome","floor":2},"isAdult":true,"key":"\#(key)","#
                + #""name":"\#(name)","note":"\#(number)","searchName":"\#(name.lowercased())"}}"#
        }
        try bench.write(lines.joined(separator: "\n"), to: "people.jsonl")
        let outcome = bench.run("data", "import", "people.jsonl")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    /// Returns the values of a property of all people, in the order of their keys.
    private func values(_ property: String, _ store: String) throws -> [String] {
        let outcome = bench.run(
            "query", "Person", "--fields", "isAdult,\(property)", "-s", store, "-o", "csv")
        try #require(outcome.exit == .success, "\(outcome.problems)")
        return outcome.output.split(separator: "\r\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        }
    }

    private func sample(_ destination: String, _ masks: String..., seed: String = "1") -> AdminBench.Outcome {
        bench.run(
            ["data", "sample", "a", destination, "--seed", seed] + masks.flatMap { ["--mask", $0] })
    }

    @Test(arguments: TestPlace.available)
    func `Values are masked, and the sample is consistent`(_ place: TestPlace) throws {
        try makePeople(place)
        let outcome = sample(
            "sqlite:b.sqlite", "Person.name=fake", "Person.email=fake", "Person.age=hash", "Person.key=hash",
            "Person.note=null", "Person.home.city=hash", "Club.name=hash", "Club.oldest=null")
        #expect(outcome.exit == .success, "\(outcome.output)\(outcome.problems)")
        #expect(outcome.output.contains("masked: Club.name (hash), Club.oldest (null), Person.age (hash)"))
        let names = try values("name", "sqlite:b.sqlite")
        #expect(names.count == 30 && Set(names).count == 2)
        #expect(try values("searchName", "sqlite:b.sqlite") == names.map { $0.lowercased() })
        let emails = try values("email", "sqlite:b.sqlite")
        #expect(Set(emails).count == 30 && emails.allSatisfy { $0.hasSuffix("@example.com") })
        let ages = try values("age", "sqlite:b.sqlite").compactMap(Int.init)
        #expect(Set(ages).count == 30 && ages.allSatisfy((0...120).contains))
        #expect(Set(try values("key", "sqlite:b.sqlite")).count == 30)
        #expect(Set(try values("note", "sqlite:b.sqlite")) == [""])
        let clubs = Set(try values("clubName", "sqlite:b.sqlite"))
        #expect(clubs.count == 1 && clubs != ["Ajax"])
        let everything = bench.run("data", "export", "-s", "sqlite:b.sqlite").output
        for secret in ["Zora", "zora", "Yves", "mine.org", "Ajax", "Rome", "0F5B8F5E"] {
            #expect(!everything.contains(secret), "\(secret)")
        }
        #expect(bench.run("check", "-s", "sqlite:b.sqlite").output.contains("oldest"))
    }

    @Test(arguments: TestPlace.available)
    func `The seed determines the masked values on every backend`(_ place: TestPlace) throws {
        try makePeople(.sqlite)
        bench.variables["B"] = place.freshURL()
        try bench.write(
            #"{"default": "a", "stores": {"a": {"url": {"env": "A"}}, "b": {"url": {"env": "B"}}}}"#,
            to: "storectl.json")
        #expect(bench.run("data", "copy", "a", "b").exit == .success)
        func digest(_ source: String, _ seed: String) -> String {
            let path = "sqlite:\(UUID().uuidString).sqlite"
            let outcome = bench.run(
                "data", "sample", source, path, "--seed", seed, "--mask", "Person.name=hash", "--mask",
                "Person.home=hash", "--mask", "Person.email=fake")
            #expect(outcome.exit == .success, "\(outcome.problems)")
            return bench.run("data", "checksum", "-s", path).output
        }
        #expect(digest("a", "1") == digest("b", "1"))
        #expect(digest("a", "1") != digest("a", "2"))
    }

    @Test(arguments: [
        ("Persn.name=hash", "Did you mean Person?"), ("Person.nam=hash", "Did you mean name?"),
        ("Person.name=hsh", "Did you mean hash?"), ("Person.home.cty=hash", "Did you mean city?"),
        ("Person.name.x=hash", "has no property “x”"), ("Person=hash", "such as Player.name"),
        ("Person.name", "NAME=VALUE"), ("Person.club=null", "it is a relationship"),
        ("Club.people=null", "it is a relationship"), ("Person.name=null", "it is required"),
        ("Person.home.city=null", "it is required"), ("Person.age=fake", "only text can be faked"),
        ("Person.code=hash", "wouldn't match its pattern"),
        ("Person.code=fake", "wouldn't match its pattern"),
        ("Person.isAdult=hash", "too few values"), ("Person.age=hash", "--mask Club.oldest=hash"),
    ])
    func `A mask that can't be applied is an error`(mask: String, message: String) throws {
        try makePeople(.sqlite)
        let outcome = sample("sqlite:b.sqlite", mask)
        #expect(outcome.exit == .usage, "\(outcome.output)\(outcome.problems)")
        #expect(outcome.problems.contains(message), "\(outcome.problems)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/b.sqlite"))
    }

    // MARK: Digests

    private func hash(_ number: Int64, _ type: AttributeType, _ rules: [ValidationRule] = []) -> StoredValue {
        HashedValue(
            attribute: AttributeDescription("x", type, rules: rules),
            digest: MaskDigest(seed: 1, label: "A.x")
        ).value(.int(number))
    }

    @Test func `Digests of integers are a permutation within the bounds`() {
        let bounds = ValidationRule.range(minimum: .int(-3), maximum: .int(1000))
        let values = (Int64(0)...1000).map { hash($0, .int32, [bounds]) }
        #expect(Set(values) == Set((Int64(0)...1000).map(StoredValue.int)))
        #expect(values != (Int64(0)...1000).map(StoredValue.int))
        let negative = (Int64(-3)...(-1)).map { hash($0, .int32, [bounds]) }
        #expect(Set(negative) == [.int(-3), .int(-2), .int(-1)])
        for number in [Int64.min, -1, 0, 1, .max] {
            guard case .int(let digest) = hash(number, .int64) else { continue }
            #expect((digest < 0) == (number < 0))
        }
    }

    @Test func `Digests satisfy the rules of their attribute`() {
        let attributes: [(AttributeType, ValidationRule?, StoredValue)] = [
            (.string, .length(minimum: nil, maximum: 7), .string("Ann")),
            (.string, .length(minimum: 100, maximum: 200), .string("Ann")),
            (.data, .length(minimum: 3, maximum: 5), .data(Data([1]))), (.url, nil, .string("https://a.org")),
            (.double, .range(minimum: .double(-1), maximum: .double(1)), .double(0.5)),
            (.float, .range(minimum: .double(5), maximum: nil), .double(6)),
            (.decimal(precision: 8, scale: 2), nil, .decimal(12.5)),
            (
                .decimal(precision: 8, scale: 2), .range(minimum: .decimal(-2), maximum: .decimal(-1)),
                .decimal(-1.5)
            ),
            (.date, .range(minimum: nil, maximum: .timestamp(microseconds: 0)), .timestamp(microseconds: -5)),
            (.uuid, nil, .uuid(UUID())), (.codable, nil, .string(#"{"a": 1}"#)), (.bool, nil, .bool(true)),
        ]
        for (type, rule, value) in attributes {
            let attribute = AttributeDescription("x", type, rules: [rule].compactMap(\.self))
            let digest = HashedValue(attribute: attribute, digest: MaskDigest(seed: 1, label: "A.x")).value(
                value)
            #expect(ValueValidation(attribute).failures(of: digest).isEmpty, "\(type): \(digest)")
            if type != .bool { #expect(digest != value) }
        }
    }

    @Test func `Fake texts fit their attribute`() {
        for (name, maximum) in [("name", 4), ("email", 32), ("city", 5), ("note", 33), ("phone", 40)] {
            let attribute = AttributeDescription(
                name, .string, rules: [.length(minimum: 3, maximum: maximum)])
            let fake = FakeText(
                attribute: attribute, digest: MaskDigest(seed: 1, label: name), isUnique: maximum > 30)
            let texts = (1...200).map { fake.value(.string("\($0)")) }
            #expect(texts.allSatisfy { ValueValidation(attribute).failures(of: $0).isEmpty })
            if maximum > 30 { #expect(Set(texts).count == 200) }
        }
    }
}
