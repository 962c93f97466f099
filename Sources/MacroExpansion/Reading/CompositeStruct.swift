import SwiftSyntax

/// A composite as its struct declares it.
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

    /// Whether an initialiser takes every part in order: Swift's own, or one that the struct declares instead.
    var hasMemberwiseInitialiser: Bool {
        let declared = declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        return declared.isEmpty
            || declared.contains { $0.labels == parts.map(\.name) && $0.alwaysSucceeds }
    }
}

extension InitializerDeclSyntax {
    /// The labels of its arguments.
    var labels: [String] {
        signature.parameterClause.parameters.map { $0.firstName.text.withoutBackticks }
    }

    /// Whether it neither throws nor fails, and waits for nothing.
    fileprivate var alwaysSucceeds: Bool { optionalMark == nil && signature.effectSpecifiers == nil }
}
