import ContextCore

/// Draws a store's model.
struct DiagramCommand: Command {
    let declaration = CommandDeclaration(
        words: ["diagram"], abstract: "Draws the store's model: entities, properties and relationships.",
        discussion: "With --app it draws the application's own model, and needs no store.",
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
        ], formats: [], exitCodes: ExitCode.storeCommands.union([.cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let model =
            call.arguments.has("app")
            ? try ModelSelection(call: call).applicationModel() : try call.store().model()
        let graph = ModelGraph(try model.entities(call.arguments.list("entity")), of: model)
        let text =
            switch call.arguments["format"] {
            case "mermaid": MermaidDiagram(graph: graph).text
            case "dot": DOTDiagram(graph: graph).text
            default: SVGDiagram(graph: graph, title: "\(graph.nodes.count) entities").text
            }
        guard let path = call.arguments["out"] else { return Report("diagram", [:]) { _ in text } }
        let sink = try FileSink(call.tool.environment.resolved(path))
        defer { sink.close() }
        try sink.write(text)
        try sink.finish()
        call.output.info("\(Quantity.text(graph.nodes.count, "entity", "entities")) drawn to \(path)")
        return .alreadyPrinted
    }
}
