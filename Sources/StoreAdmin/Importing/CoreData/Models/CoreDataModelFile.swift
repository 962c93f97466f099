import ContextCore
import Foundation

/// The versions of a model in a file or a folder: `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`.
struct CoreDataModelFile {
    struct Version {
        let name: String
        let model: CoreDataModel
        /// The hash of each entity's description; empty if the file doesn't contain it.
        var hashes: [String: Data] = [:]
    }

    let path: String
    /// The versions, in the order of the numbers in their names.
    private(set) var versions: [Version] = []
    /// The name of the version that the program uses; nil if the file doesn't say.
    private(set) var currentName: String?

    init(_ path: String) throws {
        self.path = path
        let file = URL(fileURLWithPath: path)
        switch file.pathExtension {
        case "xcdatamodeld": try readSources(in: file)
        case "xcdatamodel": versions = [try Self.source(file)]
        case "momd": try readCompiled(in: file)
        case "mom": versions = [try Self.compiled(file)]
        default:
            throw AdminError.usage(
                "\(path) is not a model of Core Data.",
                hint: "Name an .xcdatamodeld, an .xcdatamodel, a .momd or a .mom.")
        }
        guard !versions.isEmpty else { throw AdminError.badData("\(path) contains no model.") }
    }

    /// The version that the program uses, or the last one.
    var current: Version? { versions.first { $0.name == currentName } ?? versions.last }

    // MARK: Files

    private mutating func readSources(in folder: URL) throws {
        for name in try Self.names(in: folder, ending: "xcdatamodel") {
            versions.append(try Self.source(folder.appendingPathComponent(name)))
        }
        let list = folder.appendingPathComponent(".xccurrentversion")
        if FileManager.default.fileExists(atPath: list.path) {
            let name = try Self.propertyList(list).dictionary?["_XCCurrentVersionName"]?.string
            currentName = name.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
        }
    }

    private mutating func readCompiled(in folder: URL) throws {
        for name in try Self.names(in: folder, ending: "mom") {
            versions.append(try Self.compiled(folder.appendingPathComponent(name)))
        }
        let list = folder.appendingPathComponent("VersionInfo.plist")
        guard FileManager.default.fileExists(atPath: list.path) else { return }
        let info = try Self.propertyList(list).dictionary ?? [:]
        currentName = info["NSManagedObjectModel_CurrentVersionName"]?.string
        let hashes = info["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:]
        for index in versions.indices {
            versions[index].hashes = (hashes[versions[index].name]?.dictionary ?? [:]).compactMapValues(
                \.data)
        }
    }

    private static func source(_ folder: URL) throws -> Version {
        let contents = folder.appendingPathComponent("contents")
        // Before Xcode 4, a model was an archive in a file of this name.
        let archive = folder.appendingPathComponent("elements")
        let files = FileManager.default
        if !files.fileExists(atPath: contents.path), files.fileExists(atPath: archive.path) {
            throw AdminError.badData(
                "\(folder.path) is in the format of Xcode 3, which can't be read.",
                hint: "Open and save the model with a newer Xcode, or name the compiled .momd or .mom.")
        }
        let model = try reading(contents) { (data: Data) throws(FormatError) in
            try DataModelReader.model(XMLTree(reading: data))
        }
        return Version(name: folder.deletingPathExtension().lastPathComponent, model: model)
    }

    private static func compiled(_ file: URL) throws -> Version {
        let model = try reading(file) { (data: Data) throws(FormatError) in
            try ModelArchiveReader.model(KeyedArchive(reading: data))
        }
        return Version(name: file.deletingPathExtension().lastPathComponent, model: model)
    }

    private static func propertyList(_ file: URL) throws -> PropertyListValue {
        try reading(file) { (data: Data) throws(FormatError) in try PropertyListValue(reading: data) }
    }

    private static func reading<Value>(
        _ file: URL, _ read: (Data) throws(FormatError) -> Value
    ) throws -> Value {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(file.path) can't be read.",
                hint: "Check the path, and your permission to read the file.")
        }
        do throws(FormatError) {
            return try read(data)
        } catch {
            throw error.naming(file.path)
        }
    }

    /// Returns the names in a folder with an ending, in the order of the numbers in them: `App 2` before `App 10`.
    private static func names(in folder: URL, ending: String) throws -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the folder \(folder.path) can't be read.",
                hint: "Check the path, and your permission to read the folder.")
        }
        return names.filter { $0.hasSuffix("." + ending) }.sorted { left, right in
            NaturalOrder.key(of: String(left.dropLast(ending.count + 1)))
                .lexicographicallyPrecedes(NaturalOrder.key(of: String(right.dropLast(ending.count + 1))))
        }
    }
}

/// Compares texts so that numbers in them are in ascending order.
enum NaturalOrder {
    /// A part of a text.
    enum Part: Comparable {
        case number(Int)
        case text(String)
    }

    static func key(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.first {
            let isNumber = first.isASCII && first.isNumber
            let run = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
            parts.append(isNumber ? .number(Int(run) ?? .max) : .text(String(run)))
            rest = rest[run.endIndex...]
        }
        return parts
    }
}
