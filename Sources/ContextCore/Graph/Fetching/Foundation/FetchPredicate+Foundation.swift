public import Foundation

extension FetchPredicate {
    /// Takes over a predicate of Foundation's `#Predicate`.
    ///
    /// ```swift
    /// let predicate = try FetchPredicate(#Predicate<Player> { $0.score > 10 && $0.game?.title == "Go" })
    /// ```
    ///
    /// It means what it means in Swift, but that texts are compared by their bytes.
    ///
    /// - Throws: ``PredicateConversionError`` for what no store can answer.
    public init<Root: ManagedObject>(_ predicate: Foundation.Predicate<Root>) throws {
        var conversion = PredicateConversion()
        conversion.names[predicate.variable.key] = .path(.itself)
        self = try conversion.condition(predicate.expression)
    }
}

extension SortKey {
    /// Takes over a key of Foundation's `SortDescriptor`.
    ///
    /// - Throws: ``PredicateConversionError`` for an order that hangs on a locale, or on no property.
    public init<Root: ManagedObject>(_ descriptor: SortDescriptor<Root>) throws {
        guard let keyPath = descriptor.keyPath else {
            throw PredicateConversionError("SortDescriptor", "It names no key path.")
        }
        if let comparator = descriptor.stringComparator, comparator != .lexical {
            throw PredicateConversionError(
                "SortDescriptor", "Its comparator hangs on a locale, and no store's order may; use .lexical.")
        }
        self.init(PropertyPathCache.expression(of: keyPath), isDescending: descriptor.order == .reverse)
    }
}

/// A predicate of Foundation's says what no store can answer.
public struct PredicateConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part that it is about.
    public let part: String
    /// What is wrong with it.
    public let problem: String

    init(_ part: String, _ problem: String) {
        self.part = part
        self.problem = problem
    }

    /// The part and what is wrong with it.
    public var description: String { "“\(part)” can't be asked of a store: \(problem)" }
}
