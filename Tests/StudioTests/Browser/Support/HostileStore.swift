import ChildProcesses
import Foundation
import Testing

/// A store whose values and names are markup: all that other users of a store, its model or its database can choose.
enum HostileStore {
    /// Markup for values.
    ///
    /// It needs no escape in JSON.
    static let text =
        "</td></script><script>hostile=1</script><img src=x onerror=hostile=1><a href=javascript:hostile=1>"
    /// Markup for names, which may have no slash, and not more bytes than an identifier of PostgreSQL.
    static let name = "<img src=x onerror=hostile=1>"
    /// Markup for the name of a store, which has no space either.
    static let storeName = "<script>hostile()<script>"
    /// An address that runs a script when it is opened.
    static let address = "javascript:hostile=1"

    private static let model = model(more: "")

    /// The model, with more attributes of items.
    private static func model(more: String) -> String {
        """
        {"entities":{\
        "Item":{"attributes":{"address":{"optional":true,"type":"url"},"bytes":{"optional":true,"type":"data"},\
        "home":{"optional":true,"parts":{"city":{"type":"string"}},"type":"composite"},\
        "json":{"optional":true,"type":"codable"},\(more)"name":{"default":"\(text)","maximumLength":200,\
        "pattern":"[^§]*|\(name)","type":"string"}},"indexes":[{"properties":["name"]}],\
        "relationships":{"owner":{"inverse":"items","to":"Owner"}}},\
        "Owner":{"attributes":{"title":{"type":"string"}},\
        "relationships":{"items":{"deleteRule":"cascade","inverse":"owner","to":"Item","toMany":true}},"unique":[["title"]]}},"format":1}
        """
    }

    private static var export: String {
        let markup = Data(text.utf8).base64EncodedString()
        // The signature of a PNG file, so that the page shows the bytes as an image.
        let image = (Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(text.utf8))
            .base64EncodedString()
        return """
            {"model":\(model),"schema":"storectl.export/1"}
            {"entity":"Owner","id":1,"to":{},"values":{"title":"\(text)"},"version":1}
            {"entity":"Item","id":1,"to":{"owner":1},"values":{"address":"\(address)","bytes":"\(markup)","home":{"city":"\(text)"},\
            "json":{"\(text)":["\(text)",{"\(name)":1}]},"name":"\(text)"},"version":1}
            {"entity":"Item","id":2,"to":{"owner":1},"values":{"bytes":"\(image)","name":"\(name)"},"version":1}

            """
    }

    /// Starts a studio of such a store, which has hostile names of indexes, columns, programs, contexts and authors, too, and a migration
    /// that is left to do.
    static func studio(_ place: StudioPlace) throws -> ClubStudio {
        let process = try StudioProcess(
            ["--write", "-s", storeName],
            url: place == .sqlite ? "sqlite:\(name).sqlite" : try place.freshURL(),
            export: export, model: model,
            files: [
                "storectl.json": #"{"stores":{"\#(storeName)":{"url":{"env":"STORECTL_URL"}}}}"#,
                "next.json": model(more: #""more":{"default":"\#(text)","type":"string"},"#),
            ])
        for statement in [
            #"CREATE INDEX "\#(name)" ON item (name)"#, #"ALTER TABLE item ADD COLUMN "\#(name)" integer"#,
            #"CREATE TABLE "\#(name) 2" ("\#(name)" integer)"#,
        ] { try process.run(["sql", "--write", statement]) }
        try process.run(["model", "freeze", "V2", "--model", "next.json"])
        try process.run(["migrate", "new", "V1", "V2"])
        let studio = try ClubStudio(process)
        try studio.changeElsewhere(
            #"{"update":"Item:2","set":{"name":"\#(name)!"}}"#, author: text, program: name)
        try process.run(["sql", "--write", "UPDATE _store_history SET context = '\(text)'"])
        return studio
    }

    /// Starts a program with a hostile name that uses the store for a while.
    static func holdOpen(_ studio: ClubStudio, _ place: StudioPlace) throws -> Process {
        switch place {
        case .sqlite: try studio.process.start(["history", "tail", "--timeout", "10m"], as: name)
        case .postgres:
            try studio.process.start(
                ["sql", "--write", "SELECT set_config('application_name', '\(name)', false), pg_sleep(600)"],
                as: name)
        }
    }

    /// The views, with texts that each must show.
    static func views(_ place: StudioPlace) -> [(place: String, texts: [String])] {
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        // The system keeps only the first 15 bytes of the name of a process.
        let program = place == .sqlite ? String(name.prefix(15)) : name
        return [
            ("#/objects/Item", [text, name, address]), ("#/objects/Owner", [text]),
            ("#/object/Item:1", [text, address, #""\#(name)": 1"#, name]), ("#/object/Item:2", [name + "!"]),
            ("#/object/Owner:1", [text]), ("#/model", []), ("#/now", [text, program]),
            ("#/history", [text, "Item"]), ("#/history/3", [text, name]), ("#/migrations", [text]),
            ("#/checks", [name]), ("#/sizes", [name]), ("#/changes", []),
            ("#/objects/Item?where=\(encoded)", [#"found "<""#]), ("#/objects/Item?order=\(encoded)", [name]),
            ("#/history?author=\(encoded)&process=\(encoded)", []), ("#/\(encoded)", []),
            ("#/objects/\(encoded)", [name]), ("#/object/\(encoded)", [name]),
            ("#/history/\(encoded)", [name]),
        ]
    }
}
