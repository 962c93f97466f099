import ContextCore

/// Prints a model as a table, an entity a paragraph and a property a line.
struct ModelTable {
    let model: ObjectModel

    var text: String {
        model.layouts.map(paragraph).joined(separator: "\n\n")
    }

    private func paragraph(_ entity: EntityLayout) -> String {
        let rows = entity.properties.map { ($0.name, kind(of: $0)) }
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { name, kind in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(kind)"
        }
        return ([entity.name] + lines).joined(separator: "\n")
    }

    private func kind(of property: PropertyLayout) -> String {
        switch property.kind {
        case .attribute(let attribute):
            return "\(attribute.type)\(attribute.isOptional ? "?" : "")"
        case .relationship(let relationship):
            let description = relationship.description
            let count = description.isToMany ? "many " : "one "
            return count + description.destinationName
                + (description.inverseName.map { ", inverse \($0)" } ?? "")
        }
    }
}
