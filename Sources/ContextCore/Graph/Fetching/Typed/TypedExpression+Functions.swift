public import Foundation

// Functions of text.
extension KeyPath where Root: ManagedObject, Value: TextAttribute {
    /// The number of Unicode scalars in the text.
    public var length: TypedExpression<Root, Int> { TypedExpression(.function(.length, [fetchExpression])) }
    /// The text in lower case, by Unicode's simple mapping.
    public var lowercased: TypedExpression<Root, String> {
        TypedExpression(.function(.lowercase, [fetchExpression]))
    }
    /// The text in upper case, by Unicode's simple mapping.
    public var uppercased: TypedExpression<Root, String> {
        TypedExpression(.function(.uppercase, [fetchExpression]))
    }
    /// The text without leading and trailing white space.
    public var trimmed: TypedExpression<Root, String> { TypedExpression(.function(.trim, [fetchExpression])) }
}

extension TypedExpression where Value == String {
    /// Whether the text contains another text.
    public func contains(_ text: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(.comparing(expression, .contains, text.predicateExpression, options: options))
    }

    /// Whether the text begins with another text.
    public func beginsWith(_ text: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(.comparing(expression, .beginsWith, text.predicateExpression, options: options))
    }

    /// Whether the text ends with another text.
    public func endsWith(_ text: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(.comparing(expression, .endsWith, text.predicateExpression, options: options))
    }
}

/// A date attribute, optional or not.
public protocol DateAttribute {}

extension Date: DateAttribute {}
extension Date?: DateAttribute {}

// Components of a date, in UTC and the proleptic Gregorian calendar.
extension KeyPath where Root: ManagedObject, Value: DateAttribute {
    /// The year.
    public var year: TypedExpression<Root, Int> { datePart(.year) }
    /// The month, from 1.
    public var month: TypedExpression<Root, Int> { datePart(.month) }
    /// The day of the month, from 1.
    public var day: TypedExpression<Root, Int> { datePart(.day) }
    /// The hour, from 0.
    public var hour: TypedExpression<Root, Int> { datePart(.hour) }
    /// The day of the week: 1 is Sunday, 7 is Saturday.
    public var weekday: TypedExpression<Root, Int> { datePart(.weekday) }

    private func datePart(_ function: FetchFunction) -> TypedExpression<Root, Int> {
        TypedExpression(.function(function, [fetchExpression]))
    }
}
