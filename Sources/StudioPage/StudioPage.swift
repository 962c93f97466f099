internal import CStudioPage

/// The files of the page that shows a store in a browser.
///
/// They are in the folder `Page`, and part of the program: `CStudioPage` embeds them when it is compiled.
package enum StudioPage {
    /// A file that the browser loads.
    package struct File: Sendable {
        /// The file's name, such as `grid.js`.
        package let name: String
        package let bytes: [UInt8]

        /// The media type that a browser needs to use the file, by the name's ending.
        package var mediaType: String {
            switch name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            case "svg": "image/svg+xml"
            default: "application/octet-stream"
            }
        }
    }

    /// All files, in the order of the table in `studio_page.c`.
    package static let files: [File] = (0..<studio_page_file_count()).map { index in
        let entry = studio_page_file_at(index)
        // The bytes are constants of the program, of that size.
        let bytes = UnsafeBufferPointer(start: entry.bytes, count: entry.size)
        return File(name: String(cString: entry.name), bytes: Array(bytes))
    }
}
