import SwiftSyntax

/// The syntactic form of a property's type.
///
/// A macro can't see whether `Game` is a class or an enum; the overloads that the expansion calls distinguish them.
struct PropertyType {
    /// The form of a type, without its optionality.
    enum Form {
        /// A named type: a value, or the destination of a to-one relationship.
        case named(String)
        /// `Set<Element>`.
        case set(TypeSyntax)
        /// `[Element]`.
        case array(TypeSyntax)
        /// `[Key: Value]`.
        case dictionary
        /// A tuple, a function type, an existential or another type that can't be stored.
        case other
    }

    /// The type in the source.
    let syntax: TypeSyntax
    let form: Form
    let isOptional: Bool
    /// Whether the type is an implicitly unwrapped optional.
    let isImplicitlyUnwrapped: Bool

    init(_ syntax: TypeSyntax) {
        self.syntax = syntax
        let wrapped = Self.wrapped(in: syntax)
        isOptional = wrapped != nil
        isImplicitlyUnwrapped = syntax.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        form = Self.form(of: wrapped ?? syntax)
    }

    /// The name of a named type, without optionality; nil for other types.
    var name: String? {
        if case .named(let name) = form { name } else { nil }
    }

    /// The text of the type for use in an expression, with `?` instead of `!`.
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

    /// Whether the type is certainly a value type and not a class.
    var isValue: Bool {
        switch form {
        case .named(let name): StandardTypes.values.contains(name) || StandardTypes.remedy(for: name) != nil
        case .dictionary, .other: true
        case .set(let element), .array(let element): PropertyType(element).isValue || isNested(element)
        }
    }

    /// Whether the type is that of a to-many relationship: a collection whose elements may be objects.
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

/// A named type, with an optional module and optional generic arguments.
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
