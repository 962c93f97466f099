public import Foundation

extension FetchPredicate {
    /// Converts a predicate of Foundation's `#Predicate` macro.
    ///
    /// ```swift
    /// let predicate = try FetchPredicate(#Predicate<Player> { $0.score > 10 && $0.game?.title == "Go" })
    /// ```
    ///
    /// The predicate has the same meaning as in Swift, except that text is compared by its bytes.
    ///
    /// - Throws: ``PredicateConversionError`` for expressions that stores can't evaluate.
    public init<Root: ManagedObject>(_ predicate: Foundation.Predicate<Root>) throws {
        var conversion = PredicateConversion()
        conversion.names[predicate.variable.key] = .path(.itself)
        self = try conversion.condition(predicate.expression)
    }
}

extension SortKey {
    /// Converts Foundation's `SortDescriptor`.
    ///
    /// - Throws: ``PredicateConversionError`` for an order that depends on a locale, or that has no key path.
    public init<Root: ManagedObject>(_ descriptor: SortDescriptor<Root>) throws {
        guard let keyPath = descriptor.keyPath else {
            throw PredicateConversionError("SortDescriptor", "It has no key path.")
        }
        if let comparator = descriptor.stringComparator, comparator != .lexical {
            throw PredicateConversionError(
                "SortDescriptor",
                "Its comparator depends on a locale, which stores don't support; use .lexical.")
        }
        self.init(PropertyPathCache.expression(of: keyPath), isDescending: descriptor.order == .reverse)
    }
}

/// The error that is thrown if a Foundation predicate or sort descriptor can't be converted.
public struct PredicateConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unsupported part.
    public let part: String
    /// The reason.
    public let problem: String

    init(_ part: String, _ problem: String) {
        self.part = part
        self.problem = problem
    }

    /// The part and the reason.
    public var description: String { "“\(part)” can't be converted for a store: \(problem)" }
}
