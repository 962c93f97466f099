import ContextCore

/// Draws a store's model.
struct DiagramCommand: Command {
    let declaration = CommandDeclaration(
        words: ["diagram"], abstract: "Draws the store's model: entities, properties and relationships.",
        discussion: """
            Lines connect the properties of a relationship and its inverse; each end has the name of the relationship that leads there and
            the number of objects. --json prints the positions of all parts, for a program that draws the diagram itself. With --app it
            draws the application's own model, and needs no store.
            """,
        options: [
            .option(
                "format", nil, "FORMAT", "svg, mermaid or dot. The default is svg.",
                choices: ["svg", "mermaid", "dot"]),
            .option("entity", nil, "A,B", "Only these entities."),
            .option("out", nil, "FILE", "A new file instead of standard output."),
            .flag("app", nil, "Draws the application's own model instead of the store's."),
        ],
        examples: [
            .init(words: "diagram --out model.svg", help: "An image for a browser."),
            .init(words: "diagram --format mermaid >> README.md", help: "A diagram that GitHub draws."),
            .init(words: "diagram --json", help: "The positions of boxes and lines."),
        ], exitCodes: ExitCode.storeCommands.union([.cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let model =
            call.arguments.has("app")
            ? try ModelSelection(call: call).applicationModel() : try call.store().model()
        let graph = ModelGraph(try model.entities(call.arguments.list("entity")), of: model)
        let report = try report(graph, call)
        guard let path = call.arguments["out"] else { return report }
        let sink = try FileSink(call.tool.environment.resolved(path))
        defer { sink.close() }
        try sink.write(report.formatted(call.format, call.output.style))
        try sink.finish()
        call.output.info("\(Self.entityCount(graph)) drawn to \(path)")
        return .alreadyPrinted
    }

    private static func entityCount(_ graph: ModelGraph) -> String {
        Quantity.text(graph.nodes.count, "entity", "entities")
    }

    private func report(_ graph: ModelGraph, _ call: CommandCall) throws -> Report {
        if call.format == .json {
            if let format = call.arguments["format"] {
                throw AdminError.usage(
                    "--json and --format \(format) are different forms of a diagram.",
                    hint: "Omit one of them.")
            }
            return Report("diagram", DiagramDocument(graph).members) { _ in "" }
        }
        let text =
            switch call.arguments["format"] {
            case "mermaid": MermaidDiagram(graph: graph).text
            case "dot": DOTDiagram(graph: graph).text
            default: SVGDiagram(graph: graph, title: Self.entityCount(graph)).text
            }
        return Report("diagram", [:]) { _ in text }
    }
}
