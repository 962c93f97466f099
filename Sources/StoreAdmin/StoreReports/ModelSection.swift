import ContextCore

/// The model of a store: its diagram, its entities, and the properties of each entity.
struct ModelSection {
    let model: ObjectModel

    var contents: ReportSection.Contents {
        let count = Quantity.text(model.layouts.count, "entity", "entities")
        let diagram = SVGDiagram(
            graph: ModelGraph(model.layouts, of: model),
            title: "Diagram of \(count) and their relationships, which the tables below list"
        ).embeddedText
        // The first column of the list is the entity's name, which links to its properties.
        let list = MarkupTable(caption: "Entities", rows: ModelTables.entities(of: model)) { row, column in
            column == 0 ? "<a href=\"#entity-\(row)\">\(model.layouts[row].name)</a>" : nil
        }
        return ReportSection.Contents(
            markup: """
                <p>Fingerprint: <code>\(model.fingerprint)</code></p>
                <div class="scroll figure" tabindex="0" role="region" aria-label="Diagram of the model">
                \(Markup(escapedText: diagram))</div>
                \(list.markup)<h3>Properties</h3>
                \(model.layouts.enumerated().map(properties).joined())
                """, result: count)
    }

    private func properties(_ index: Int, _ entity: EntityLayout) -> Markup {
        let table = MarkupTable(
            caption: "Properties of \(entity.name)", rows: ModelTables.properties(of: entity, in: model))
        // A browser that follows a link to something in closed details opens them.
        return """
            <details><summary>\(entity.name)</summary>
            <div id="entity-\(index)">\(table.markup)</div></details>

            """
    }
}
