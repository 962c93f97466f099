import SwiftSyntax

/// The declaration of a composite.
struct CompositeStruct {
    let declaration: StructDeclSyntax
    /// The parts, in the order of their declarations.
    let parts: [EntityProperty]

    init(_ declaration: StructDeclSyntax) {
        self.declaration = declaration
        parts = declaration.memberBlock.members
            .compactMap { $0.decl.as(VariableDeclSyntax.self).flatMap(EntityProperty.init) }
    }

    var name: String { declaration.name.text }

    /// The parts in the order in which they are stored: by the UTF-8 bytes of their names.
    var sortedParts: [EntityProperty] {
        parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Whether there is a memberwise initializer: Swift's implicit one, or one that the struct declares.
    var hasMemberwiseInitializer: Bool {
        let declared = declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        return declared.isEmpty
            || declared.contains { $0.labels == parts.map(\.name) && $0.alwaysSucceeds }
    }
}

extension InitializerDeclSyntax {
    /// The argument labels.
    var labels: [String] {
        signature.parameterClause.parameters.map { $0.firstName.text.withoutBackticks }
    }

    /// Whether the initializer is neither failable nor throwing nor async.
    fileprivate var alwaysSucceeds: Bool { optionalMark == nil && signature.effectSpecifiers == nil }
}
