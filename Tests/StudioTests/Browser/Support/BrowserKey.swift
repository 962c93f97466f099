/// A key, by its character in the WebDriver protocol.
struct BrowserKey: ExpressibleByStringLiteral {
    let character: String

    init(stringLiteral character: String) { self.character = character }

    static let enter: BrowserKey = "\u{E007}"
    static let shift: BrowserKey = "\u{E008}"
    static let control: BrowserKey = "\u{E009}"
    static let escape: BrowserKey = "\u{E00C}"
    static let end: BrowserKey = "\u{E010}"
    static let home: BrowserKey = "\u{E011}"
    static let left: BrowserKey = "\u{E012}"
    static let up: BrowserKey = "\u{E013}"
    static let right: BrowserKey = "\u{E014}"
    static let down: BrowserKey = "\u{E015}"
    static let delete: BrowserKey = "\u{E017}"
    static let f2: BrowserKey = "\u{E032}"
}
