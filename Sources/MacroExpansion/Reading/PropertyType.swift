import SwiftSyntax

/// What a property's type looks like, as far as the source tells.
///
/// Whether `Game` is a class or an enumeration can't be seen here; the overloads that the expansion calls tell that.
struct PropertyType {
    /// The form of a type, without its optionality.
    enum Form {
        /// A type with a name: a value, or an object at the other end of a to-one relationship.
        case named(String)
        /// `Set<Element>`.
        case set(TypeSyntax)
        /// `[Element]`.
        case array(TypeSyntax)
        /// `[Key: Value]`.
        case dictionary
        /// A tuple, a closure, an existential and the like: nothing that a store keeps.
        case other
    }

    /// The type as written.
    let syntax: TypeSyntax
    let form: Form
    let isOptional: Bool
    /// Whether the optionality is written `!`.
    let isImplicitlyUnwrapped: Bool

    init(_ syntax: TypeSyntax) {
        self.syntax = syntax
        let wrapped = Self.wrapped(in: syntax)
        isOptional = wrapped != nil
        isImplicitlyUnwrapped = syntax.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        form = Self.form(of: wrapped ?? syntax)
    }

    /// The type's name, without its optionality; nil where it has none.
    var name: String? {
        if case .named(let name) = form { name } else { nil }
    }

    /// The type's text, fit to stand in a longer line of code.
    var text: String {
        guard let unwrapped = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else {
            return syntax.trimmedDescription
        }
        return unwrapped.wrappedType.trimmedDescription + "?"
    }

    /// The type of a collection's elements.
    var element: TypeSyntax? {
        switch form {
        case .set(let element), .array(let element): element
        case .named, .dictionary, .other: nil
        }
    }

    /// Whether it is, for certain, a type of values and not a class.
    var isValue: Bool {
        switch form {
        case .named(let name): StandardTypes.values.contains(name) || StandardTypes.remedy(for: name) != nil
        case .dictionary, .other: true
        case .set(let element), .array(let element): PropertyType(element).isValue || isNested(element)
        }
    }

    /// Whether it can only be a to-many relationship: a collection of what may be a class.
    var isToMany: Bool {
        element != nil && !isValue
    }

    private func isNested(_ element: TypeSyntax) -> Bool {
        if case .named = PropertyType(element).form { false } else { true }
    }

    private static func wrapped(in type: TypeSyntax) -> TypeSyntax? {
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return unwrapped.wrappedType
        }
        guard let named = NamedType(type), named.name == "Optional" else { return nil }
        return named.arguments.first
    }

    private static func form(of type: TypeSyntax) -> Form {
        if let array = type.as(ArrayTypeSyntax.self) { return .array(array.element) }
        if type.is(DictionaryTypeSyntax.self) { return .dictionary }
        guard let named = NamedType(type) else { return .other }
        switch (named.name, named.arguments.count) {
        case ("Set", 1): return .set(named.arguments[0])
        case ("Array", 1): return .array(named.arguments[0])
        case ("Dictionary", 2): return .dictionary
        default: return .named(named.name)
        }
    }
}

/// A type that is written as a name, perhaps with a module before it and generic arguments behind it.
private struct NamedType {
    let name: String
    let arguments: [TypeSyntax]

    init?(_ type: TypeSyntax) {
        let clause: GenericArgumentClauseSyntax?
        if let identifier = type.as(IdentifierTypeSyntax.self) {
            name = identifier.name.text
            clause = identifier.genericArgumentClause
        } else if let member = type.as(MemberTypeSyntax.self) {
            let base = member.baseType.trimmedDescription
            let isStandard = ["Swift", "Foundation", "FoundationEssentials"].contains(base)
            name = isStandard ? member.name.text : "\(base).\(member.name.text)"
            clause = member.genericArgumentClause
        } else {
            return nil
        }
        arguments = clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
    }
}
