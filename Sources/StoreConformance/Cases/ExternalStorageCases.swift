import ContextCore
import Foundation

extension Topic {
    /// Externally stored values, which are saved, fetched, compared and deleted like others.
    static let externalStorage: Topic = Topic("external storage") {
        Requirement("Values of any size are read as saved, and can change from any size to any other") {
            run in
            let store = try await run.open(ClipModel.classes)
            let sizes = [0, 1, 9, 10, 11, 100_000, 2_000_000]
            try await store.write("make") { context in
                for size in sizes { Clip(in: context, name: "\(size)").fill(size) }
                _ = Clip(in: context, name: "none")
            }
            for shift in 0..<3 {
                try await store.read("look") { context in
                    for (number, size) in sizes.enumerated() {
                        let clip = try context.only(Clip.self, "name = %@", "\(size)")
                        try clip.expectFilled(sizes[(number + shift) % sizes.count])
                    }
                    try expect(try context.only(Clip.self, "name = 'none'").image == nil, "There is no image")
                }
                try await store.write("change") { context in
                    for (number, size) in sizes.enumerated() {
                        let clip = try context.only(Clip.self, "name = %@", "\(size)")
                        clip.fill(sizes[(number + shift + 1) % sizes.count])
                    }
                }
            }
        }
        Requirement("A save of other properties keeps externally stored values") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            try await store.write("rate") { try $0.only(Clip.self).rating = 5 }
            try await store.write("rate all") { context in
                _ = try context.batchUpdate(Clip.self, .set(\.rating, to: 6))
            }
            try await store.read("look") { context in
                let clip = try context.only(Clip.self)
                try expectEqual(clip.rating, 6, "The rating")
                try clip.expectFilled(5_000)
            }
        }
        Requirement("Thousands of external values are saved, updated by a batch and deleted together") {
            run in
            let store = try await run.open(ClipModel.classes)
            // More than one statement sends to a server.
            let count = 2_500
            try await store.write("make") { context in
                for number in 0..<count { Clip(in: context, name: "\(number)").fill(number % 20) }
            }
            try await store.write("change") { context in
                _ = try context.batchUpdate(
                    Clip.self, where: \.name != "7", .set(\.text, to: Clip.text(12)))
            }
            try await store.read("look") { context in
                for clip in try context.fetch(Clip.self) {
                    let number = try require(Int(clip.name), "A number")
                    try expect(clip.image == Clip.bytes(number % 20), "The image of \(number)")
                    try expect(clip.text == Clip.text(number == 7 ? 7 : 12), "The text of \(number)")
                }
            }
            try await store.write("delete") { _ = try $0.batchDelete(Clip.self, where: \.name != "7") }
            try await store.read("look") { try $0.only(Clip.self).expectFilled(7) }
        }
        Requirement("A conflict has base, mine and theirs of external values, and a policy resolves it") {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(50) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { try $0.only(Clip.self).fill(60) }
            try await store.write("theirs") { try $0.only(Clip.self).fill(70) }
            try await editor.perform { context in
                let error = try expectError(.conflict) { try context.save() }
                let properties = try require(error.conflicts.first, "A conflict").properties
                let image = try require(properties.first { $0.name == "image" }, "The image's conflict")
                try expectEqual(
                    [image.base, image.mine, image.theirs], [50, 60, 70].map { .data(Clip.bytes($0)) },
                    "Base, mine and theirs")
                context.mergePolicy = .objectWins
                try context.save()
            }
            try await store.read("look") { try $0.only(Clip.self).expectFilled(60) }
        }
        Requirement(
            "A context reads an external value that another context changed after it is refreshed"
        ) { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(50) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { try $0.only(Clip.self).expectFilled(50) }
            try await store.write("theirs") { try $0.only(Clip.self).fill(7_000) }
            try await editor.perform { context in
                let clip = try context.only(Clip.self)
                try context.refresh(clip)
                try clip.expectFilled(7_000)
            }
        }
        Requirement("External values can be compared with nil only, and can't be sorted by") {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { context in
                Clip(in: context, name: "a").fill(50)
                _ = Clip(in: context, name: "b")
            }
            try await store.read("look") { context in
                try expectEqual(
                    try context.find(Clip.self, "image = nil").map(\.name), ["b"], "Without an image")
                try expectEqual(
                    try context.find(Clip.self, "image != nil").map(\.name), ["a"], "With an image")
                for text in ["text = 'x'", "text BEGINSWITH 'x'", "text IN {'x'}"] {
                    try expectError(.unsupportedRequest, text) { try context.find(Clip.self, text) }
                }
                try expectError(.unsupportedRequest, "An order") {
                    try context.find(Clip.self, order: "text")
                }
            }
        }
        Requirement("The history keeps an external value that is preserved on deletion", requires: .history) {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            try await store.write("delete") { $0.delete(try $0.only(Clip.self)) }
            let change = try require(try await store.history().last?.changes.first, "The deletion")
            try expectEqual(change.tombstone, ["text": .string(Clip.text(5_000))], "What is kept")
        }
    }
}
