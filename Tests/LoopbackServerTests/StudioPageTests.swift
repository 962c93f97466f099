import Foundation
import StudioPage
import Testing

/// The page in the program is the page in the repository.
struct StudioPageTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/StudioPage/Page")

    @Test func `Every file of the folder is embedded, with its bytes`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(StudioPage.files.map(\.name).sorted() == names)
        #expect(names.contains("index.html"))
        for file in StudioPage.files {
            #expect(
                try Data(contentsOf: folder.appending(path: file.name)) == Data(file.bytes), "\(file.name)")
        }
    }

    @Test func `Every file has a media type that the browser knows`() {
        for file in StudioPage.files {
            #expect(file.mediaType != "application/octet-stream", "\(file.name)")
            #expect(file.name.wholeMatch(of: /[a-z0-9-]+\.[a-z]+/) != nil, "\(file.name)")
        }
    }

    @Test func `The page has no inline script or style, and loads nothing from elsewhere`() throws {
        for file in StudioPage.files where file.name.hasSuffix(".html") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(
                text.firstMatch(of: /<style|\sstyle\s*=|\son[a-z]+\s*=|https?:|javascript:/) == nil,
                "\(file.name)")
            for script in text.matches(of: /<script([^>]*)>/) {
                #expect(script.output.1.contains("src="), "\(script.output.0)")
            }
        }
    }
}
