import ContextCore
import Foundation

/// The model of the cases about derived attributes: every kind of derivation, and an entity with a subentity.
enum LibraryModel {
    static let classes: [ManagedObject.Type] = [Shelf.self, Volume.self, Atlas.self]
}

@Entity final class Shelf: ManagedObject {
    var label: String
    @Relationship(deleteRule: .nullify, inverse: \Volume.shelf) var volumes: Set<Volume>
    @Derived(.lowercased(\.label)) var lowerLabel: String
    @Derived(.canonical(\.label)) var plainLabel: String
    @Derived(.count(\.volumes)) var volumeCount: Int
    @Derived(.sum(\.volumes, \.pages)) var pageSum: Int
    @Derived(.minimum(\.volumes, \.pages)) var fewestPages: Int?
    @Derived(.maximum(\.volumes, \.pages)) var mostPages: Int?
    @Derived(.now) var savedAt: Date
}

@Entity class Volume: ManagedObject {
    var title: String
    var pages: Int = 0
    var shelf: Shelf?
    @Derived(.copy(\.shelf.label)) var shelfLabel: String?
    @Derived(.lowercased(\.shelf.label)) var lowerShelfLabel: String?
}

@Entity final class Atlas: Volume {
    var mapCount: Int = 0
}

/// An entity whose deletion leaves the references of its paintings as they are.
@Entity final class Painter: ManagedObject {
    var name: String
    @Relationship(deleteRule: .noAction, inverse: \Painting.painter) var paintings: Set<Painting>
}

@Entity final class Painting: ManagedObject {
    var title: String
    var painter: Painter?
    @Derived(.copy(\.painter.name)) var painterName: String?
}

extension Topic {
    /// Derived attributes of every kind, and type checks in Foundation's predicates.
    static let derivations: Topic = Topic("derivations") {
        Requirement("Attributes derived from texts follow them, also across a relationship") { run in
            let library = try await run.library()
            try await library.expectNames(
                [
                    ("lowerLabel = 'été'", ["Été"]), ("plainLabel = 'ete'", ["Été"]),
                    ("lowerLabel = 'Été'", []),
                ],
                of: "Shelf", by: "label")
            try await library.expectNames(
                [
                    ("shelfLabel = 'Été'", ["a", "b"]), ("lowerShelfLabel = 'été'", ["a", "b"]),
                    ("shelfLabel = NIL AND lowerShelfLabel = NIL", ["d"]),
                ], of: "Volume", by: "title")
            try await library.write("rename and move") { context in
                try context.only(Shelf.self, "label = 'Été'").label = "ÜBER"
                try context.only(Volume.self, "title = 'd'").shelf = try context.only(
                    Shelf.self, "label = 'Low'")
            }
            try await library.expectNames(
                [("lowerLabel = 'über'", ["ÜBER"]), ("plainLabel = 'uber'", ["ÜBER"])], of: "Shelf",
                by: "label")
            try await library.expectNames(
                [
                    ("shelfLabel = 'ÜBER'", ["a", "b"]), ("lowerShelfLabel = 'über'", ["a", "b"]),
                    ("lowerShelfLabel = 'low'", ["c", "d"]),
                ], of: "Volume", by: "title")
        }
        Requirement("A derived sum, minimum and maximum follow the members of a relationship") { run in
            let library = try await run.library()
            try await library.expectNames(
                [
                    ("volumeCount = 2 AND pageSum = 30 AND fewestPages = 10 AND mostPages = 20", ["Été"]),
                    ("volumeCount = 0 AND pageSum = 0 AND fewestPages = NIL AND mostPages = NIL", ["Empty"]),
                ], of: "Shelf", by: "label")
            try await library.write("change, move and delete") { context in
                try context.only(Volume.self, "title = 'a'").pages = 15
                try context.only(Volume.self, "title = 'b'").shelf = try context.only(
                    Shelf.self, "label = 'Empty'")
                context.delete(try context.only(Volume.self, "title = 'c'"))
            }
            try await library.expectNames(
                [
                    ("volumeCount = 1 AND pageSum = 15 AND fewestPages = 15 AND mostPages = 15", ["Été"]),
                    ("volumeCount = 1 AND pageSum = 20 AND fewestPages = 20 AND mostPages = 20", ["Empty"]),
                    ("volumeCount = 0 AND pageSum = 0 AND fewestPages = NIL AND mostPages = NIL", ["Low"]),
                ], of: "Shelf", by: "label")
        }
        Requirement("A derived date is the date of the object's last save") { run in
            let library = try await run.library()
            let first = try await library.read("first") { try $0.only(Shelf.self, "label = 'Low'").savedAt }
            try expect(abs(first.timeIntervalSinceNow) < 3600, "The date is about now")
            try await library.write("another") { try $0.only(Shelf.self, "label = 'Empty'").label = "Full" }
            let same = try await library.read("same") { try $0.only(Shelf.self, "label = 'Low'").savedAt }
            try expectEqual(same, first, "The date of an object that was not saved")
            try await library.write("rename") { try $0.only(Shelf.self, "label = 'Low'").label = "Lower" }
            let second = try await library.read("second") {
                try $0.only(Shelf.self, "label = 'Lower'").savedAt
            }
            try expect(second > first, "The date after a save is later")
        }
        Requirement(
            "A copied value follows the deletion and the return of an object that is still referenced"
        ) {
            run in
            let museum = try await run.open([Painter.self, Painting.self])
            try await museum.write("fill") { context in
                let painter = Painter(in: context, name: "Ann")
                _ = Painting(in: context, title: "a", painter: painter)
                _ = Painting(in: context, title: "b", painter: painter)
            }
            let gone = [("painterName = NIL", ["a", "b"])]
            try await museum.write("delete") { $0.delete(try $0.only(Painter.self, "name = 'Ann'")) }
            try await museum.expectNames(gone, of: "Painting", by: "title")
            try await museum.write("insert, delete, and insert again") { context in
                context.isUndoEnabled = true
                let painter = Painter(in: context, name: "Ben")
                for painting in try context.fetch(Painting.self) { painting.painter = painter }
                try context.save()
                context.delete(painter)
                try context.save()
                try expectEqual(
                    try context.fetch(Painting.self).map(\.painterName), [nil, nil],
                    "The names after the deletion")
                context.undo()
            }
            try await museum.expectNames([("painterName = 'Ben'", ["a", "b"])], of: "Painting", by: "title")
            try await museum.write("delete in a batch") { try $0.batchDelete(Painter.self) }
            try await museum.expectNames(gone, of: "Painting", by: "title")
        }
        Requirement("Foundation's predicates check an object's class") { run in
            let library = try await run.library()
            try await library.read("ask") { context in
                let results: [(Foundation.Predicate<Volume>, [String])] = [
                    (#Predicate { $0 is Atlas }, ["b"]), (#Predicate { !($0 is Atlas) }, ["a", "c", "d"]),
                    (#Predicate { $0 is Atlas && $0.pages > 20 }, []),
                    (#Predicate { $0 is Atlas || $0.title == "d" }, ["b", "d"]),
                ]
                for (predicate, titles) in results {
                    let converted = try FetchPredicate(predicate)
                    let request = FetchRequest<Volume>(where: converted, order: [try SortKey("title")])
                    try expectEqual(
                        try context.fetch(request).map(\.title), titles, "What “\(converted)” selects")
                }
            }
        }
    }
}

extension CaseRun {
    /// Opens a store with three shelves, one of them empty, and a volume without a shelf.
    fileprivate func library() async throws -> Store {
        let library = try await open(LibraryModel.classes)
        try await library.write("fill") { context in
            let summer = Shelf(in: context, label: "Été")
            let low = Shelf(in: context, label: "Low")
            _ = Shelf(in: context, label: "Empty")
            _ = Volume(in: context, title: "a", pages: 10, shelf: summer)
            _ = Atlas(in: context, title: "b", pages: 20, shelf: summer)
            _ = Volume(in: context, title: "c", pages: 30, shelf: low)
            _ = Volume(in: context, title: "d", pages: 40, shelf: nil)
        }
        return library
    }
}
