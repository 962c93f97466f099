import Testing

@testable import StoreAdmin

/// The tags of an HTML page that escapes every `<` in its texts.
struct HTMLPage {
    struct Tag {
        let name: String
        let attributes: [String: String]
        let isClosing: Bool
        let isEmpty: Bool
    }

    let text: String
    let tags: [Tag]

    init(_ text: String) {
        self.text = text
        tags = text.matches(of: #/<(/?)([A-Za-z!][A-Za-z0-9]*)((?:[^"<>]|"[^"]*")*)>/#).map { match in
            let attributes = match.output.3.matches(of: #/([A-Za-z:-]+)="([^"]*)"/#)
            return Tag(
                name: String(match.output.2),
                attributes: Dictionary(
                    attributes.map { (String($0.output.1), String($0.output.2)) }, uniquingKeysWith: { $1 }),
                isClosing: !match.output.1.isEmpty, isEmpty: match.output.3.hasSuffix("/"))
        }
    }

    /// The names of tags that the page may have.
    private static let knownNames: Set = [
        "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "header", "main", "nav", "section",
        "h1",
        "h2", "h3", "p", "time", "ul", "li", "a", "span", "div", "dl", "dt", "dd", "table", "caption",
        "thead",
        "tbody", "tr", "th", "td", "code", "details", "summary", "svg", "defs", "marker", "path", "circle",
        "g",
        "rect", "text", "polyline",
    ]
    private static let emptyNames: Set = ["!DOCTYPE", "meta"]

    /// Expects that tags are closed in order, and that nothing is loaded and run.
    func expectSelfContained() {
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
        #expect(text.count { $0 == "<" } == tags.count, "a < is not part of a tag")
        var open: [String] = []
        for tag in tags {
            #expect(Self.knownNames.contains(tag.name), "\(tag.name)")
            for (name, value) in tag.attributes {
                #expect(!["src", "style", "action", "srcset", "data"].contains(name), "\(tag.name) \(name)")
                #expect(!name.hasPrefix("on") && !name.contains(":"), "\(tag.name) \(name)")
                if name == "href" { #expect(value.hasPrefix("#"), "\(value)") }
                if name.hasPrefix("marker-") { #expect(value.hasPrefix("url(#"), "\(value)") }
            }
            if tag.isClosing {
                #expect(open.popLast() == tag.name)
            } else if !tag.isEmpty, !Self.emptyNames.contains(tag.name) {
                open.append(tag.name)
            }
        }
        #expect(open.isEmpty, "\(open)")
        #expect(!text.contains("http://") && !text.contains("https://"))
    }

    /// Expects that each heading, table and link is accessible.
    func expectAccessible() {
        let opened = tags.filter { !$0.isClosing }
        let ids = opened.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count, "\(ids)")
        for tag in opened {
            if let target = tag.attributes["href"] {
                #expect(ids.contains(String(target.dropFirst())), "\(target)")
            }
            if let label = tag.attributes["aria-labelledby"] { #expect(ids.contains(label), "\(label)") }
        }
        #expect(opened.count { $0.name == "h1" } == 1 && opened.count { $0.name == "main" } == 1)
        #expect(opened.count { $0.name == "table" } == opened.count { $0.name == "caption" })
        #expect(opened.filter { $0.name == "th" }.allSatisfy { $0.attributes["scope"] != nil })
        let images = opened.filter { $0.name == "svg" }
        #expect(
            images.allSatisfy { $0.attributes["role"] == "img" || $0.attributes["aria-hidden"] == "true" })
    }
}
