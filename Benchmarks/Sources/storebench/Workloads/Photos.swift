import CBaseline
import ContextCore
import Foundation

extension Workload {
    /// Fetches 100,000 objects, each with a value of 100,000 bytes that isn't read; the rows in C don't have the value.
    ///
    /// The values take 10 GB on the disk, so the workload runs only if it is named; with `--scale 0.1` they take 1 GB.
    static let fetchPhotos = Workload(name: "fetch-100k-photos", bars: [:]) { environment in
        let rows = ItemRows(count: environment.scaled(100_000))
        let filled = Once()
        return try await environment.sides(
            before: { [values = rows.values] store in
                if filled.first("\(ObjectIdentifier(store))") { try await store.insertPhotos(values) }
            },
            work: { store, _ in
                try await store.read("fetch") { context in
                    try context.fetch(Photo.self).reduce(0) { $0 &+ $1.checksum }
                }
            },
            baselineBefore: { if filled.first("C") { try $0.fill(with: rows) } },
            baseline: { try $0.call(baseline_fetch) })
    }
}

extension Store {
    private static let imageSize = 100_000
    /// The number of photos per save, which limits memory.
    private static let photosInASave = 200

    /// Inserts a photo for each row.
    fileprivate func insertPhotos(_ values: [ItemValues]) async throws {
        for start in stride(from: 0, to: values.count, by: Self.photosInASave) {
            try await write("insert photos") { context in
                for item in values[start..<min(start + Self.photosInASave, values.count)] {
                    // Bytes that no database can compress.
                    var random = UInt64(item.count) &+ 0x9E37_79B9_7F4A_7C15
                    var image = Data(capacity: Self.imageSize)
                    while image.count < Self.imageSize {
                        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        withUnsafeBytes(of: random) { image.append(contentsOf: $0) }
                    }
                    _ = Photo(
                        in: context, uuid: item.uuid, title: item.title, score: item.score,
                        created: item.created, count: item.count, image: image)
                }
            }
        }
    }
}
