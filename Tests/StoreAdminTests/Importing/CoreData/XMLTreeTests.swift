import Testing

@testable import StoreAdmin

/// The reader of the XML that data models consist of.
struct XMLTreeTests {
    private func read(_ text: String) throws(FormatError) -> XMLTree { try XMLTree(reading: text.utf8) }

    @Test func `Elements, attributes, text and references are read`() throws {
        let tree = try read(
            """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE a PUBLIC "-//A//B" "http://example.org">
            <a b="1 &lt; 2" c='&quot;&#x47;&#111;&quot;'><!-- <no/> --><d/>x<e >y</e><![CDATA[<&>]]></a>
            """)
        #expect(tree.name == "a" && tree.attributes == ["b": "1 < 2", "c": "\"Go\""])
        #expect(tree.children.map(\.name) == ["d", "e"] && tree.children[1].text == "y")
        #expect(tree.text == "x<&>" && tree["b"] == "1 < 2")
    }

    @Test(arguments: [
        ("", "line 1: the XML document is incomplete"), ("<a>", "line 1: the XML document is incomplete"),
        ("<a>\n</b>", "line 2: an XML element is not closed"),
        ("<a/><b/>", "line 1: the XML document has two roots"),
        ("<a b=1/>", "line 1: an XML attribute's value is not in quotes"),
        ("<a b='1' b='2'/>", "line 1: an XML attribute is written twice"),
        ("<a>&x;</a>", "line 1: the XML document has an unknown entity"),
        (
            "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
            "line 1: the XML document declares entities or elements"
        ),
        ("a<a/>", "line 1: the XML document has text outside of its root"),
    ])
    func `Invalid documents are errors with a line`(text: String, message: String) {
        #expect(throws: FormatError(message)) { try read(text) }
    }

    @Test func `A document that is nested deeply is an error`() {
        let text = String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300)
        #expect(throws: FormatError("line 1: the XML document is nested too deeply")) { try read(text) }
    }
}
