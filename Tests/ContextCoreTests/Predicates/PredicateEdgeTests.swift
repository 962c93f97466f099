import Foundation
import Testing

@testable import ContextCore

struct PredicateEdgeTests {
    private let models: PredicateModel

    init() throws {
        models = try PredicateModel()
    }

    @Test(arguments: [
        "score > %@", "score + %@ > 1", "1 = %@", "score IN {1, %@}", "score BETWEEN {1, %@}",
    ])
    func `NaN compares with nothing, and is rejected`(_ text: String) throws {
        for number: any PredicateArgument in [Double.nan, Decimal.nan] {
            let predicate = try FetchPredicate(text, arguments: [number])
            #expect(throws: StoreError.self) { try predicate.resolved(for: models.player, in: models.model) }
        }
    }

    @Test(arguments: ["1e-9223372036854775808", "1e9223372036854775807", "1e-100", "1e100"])
    func `A decimal number with an absurd exponent is rejected`(_ text: String) {
        #expect(throws: (any Error).self) { try models.resolve("score = decimal(\"\(text)\")") }
    }

    @Test(arguments: [
        ("score = decimal(\"9223372036854775807\")", PredicateTruth.true),
        ("score < decimal(\"9223372036854775807\")", .false),
        ("score >= decimal(\"9223372036854775807\")", .true),
        ("score < decimal(\"9223372036854775807.5\")", .true),
        ("score > decimal(\"9223372036854775807.5\")", .false),
    ])
    func `The greatest integer is not out of range`(text: String, truth: PredicateTruth) throws {
        let world = PredicateWorld(models)
        world.add(models.player, ["score": .int(.max)])
        #expect(try world.answer(text, for: models.player) == truth)
    }

    @Test(arguments: [
        ("é", #"\W"#, false), ("é", #"\w"#, true), ("é", #"[\W]"#, false), ("é", #"[^\w]"#, false),
        (".", #"\W"#, true), ("k", #"\W"#, false), ("7", #"\D"#, false), ("x", #"[\D\s]"#, true),
    ])
    func `Folding doesn't add members that a character class excludes`(
        text: String, pattern: String, isMatch: Bool
    ) throws {
        let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
        let expression = try RegularExpression(pattern, options: options)
        #expect(expression.matches(folded: TextFolding.fold(text, options)) == isMatch)
    }
}
