import ContextCore

/// The Swift source of a model: a class for each entity, and the types that their properties need.
///
/// A model of these classes has the fingerprint of the original, unless a remark says that the macros can't express a part of it.
struct ModelSource {
    /// A file, by its name.
    struct File {
        let name: String
        /// The declarations, without the import.
        let declarations: String

        /// The whole text of the file.
        var text: String { ModelSource.importLine + declarations }
    }

    private static let importLine = "import ContextCore\n\n"

    /// The files, each with one type; the last one lists the classes.
    let files: [File]
    /// The parts of the model that the macros can't express, or that need the app's own code.
    let remarks: [GenerationRemark]

    init(_ model: ObjectModel) {
        let types = GeneratedTypes(model)
        var files: [File] = []
        var remarks: [GenerationRemark] = []
        func add(_ name: String, _ source: (text: String, remarks: [GenerationRemark])) {
            files.append(File(name: "\(name).swift", declarations: source.text))
            remarks += source.remarks
        }
        for layout in model.layouts {
            let source = EntitySource(layout: layout, model: model, types: types).source
            add(types.classes[layout.name] ?? layout.name, source)
        }
        for (parts, name) in types.composites {
            add(name, CompositeSource(parts: parts, name: name, types: types).source)
        }
        for (transformer, name) in types.transformers {
            let attribute = AttributeDescription("", transformer.type, transformerName: transformer.name)
            let source = TransformerSource(
                transformer: transformer, name: name, valueType: types.typeName(attribute))
            add(name, (source.text, []))
        }
        if types.hasJSON { add(GeneratedTypes.json, (JSONContentSource.text, [])) }
        add(GeneratedTypes.list.file, (Self.list(of: model, types), []))
        self.files = files
        self.remarks = remarks
    }

    /// All declarations as one file.
    var text: String { Self.importLine + files.map(\.declarations).joined(separator: "\n") }

    /// Whether the fingerprint of the classes is that of the model.
    var hasSameFingerprint: Bool { !remarks.contains(where: \.changesFingerprint) }

    /// Returns the declarations of the list of classes, and of the list of transformers if there are any.
    private static func list(of model: ObjectModel, _ types: GeneratedTypes) -> String {
        let classes = model.layouts.map { SwiftCode.text("\(types.className($0.name)).self") }
        var text = "/// The classes of the model.\n"
        text +=
            SwiftCode.array("let \(GeneratedTypes.list.variable): [ManagedObject.Type] = [", classes, "]")
            .laidOut(indent: 0) + "\n"
        guard !types.transformers.isEmpty else { return text }
        let transformers = types.transformers.map { SwiftCode.text("\($0.name)()") }
        let opening = "let \(GeneratedTypes.list.transformers): [any AttributeTransformer] = ["
        return text + "\n/// The transformers of the model.\n"
            + SwiftCode.array(opening, transformers, "]").laidOut(indent: 0) + "\n"
    }
}
