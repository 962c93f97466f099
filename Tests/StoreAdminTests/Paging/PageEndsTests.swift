import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct PageEndsTests {
    private let first = KeysetPosition(values: [.int(1)], key: 1)
    private let last = KeysetPosition(values: [.int(2)], key: 2)
    private let start = KeysetPosition(values: [.int(9)], key: 9)

    @Test func `The first page has a next one only if there are more rows`() {
        let more = PageEnds(bound: nil, first: first, last: last, hasMore: true)
        #expect(more.next == last && more.previous == nil)
        let only = PageEnds(bound: nil, first: first, last: last, hasMore: false)
        #expect(only.next == nil && only.previous == nil)
        let skipping = PageEnds(bound: nil, first: first, last: last, hasMore: false, skipsRows: true)
        #expect(skipping.previous == first)
    }

    @Test func `A page after a position has a previous one, and a page before a position a next one`() {
        let after = PageEnds(bound: .after(start), first: first, last: last, hasMore: false)
        #expect(after.next == nil && after.previous == first)
        let before = PageEnds(bound: .before(start), first: first, last: last, hasMore: false)
        #expect(before.next == last && before.previous == nil)
        let more = PageEnds(bound: .before(start), first: first, last: last, hasMore: true)
        #expect(more.next == last && more.previous == first)
    }

    @Test func `An empty page leads back to where the caller came from`() {
        let after = PageEnds(bound: .after(start), first: nil, last: nil, hasMore: false)
        #expect(after.next == nil && after.previous == start)
        let before = PageEnds(bound: .before(start), first: nil, last: nil, hasMore: false)
        #expect(before.next == start && before.previous == nil)
    }

    @Test func `A cursor with other values is refused`() throws {
        let request = RequestIdentity(["a"], parts: "")
        let text = PageCursor(KeysetPosition(values: [.int(3)], key: 7), of: request).text
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let data = try #require(
            Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding))
        let json = String(decoding: data, as: UTF8.self)
        let other = json.replacing("\"k\":7", with: "\"k\":8")
        #expect(other != json)
        let changed = Data(other.utf8).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
        let error = #expect(throws: AdminError.self) {
            try PageCursor.position(changed, option: "after", of: request) { _ in true }
        }
        #expect(error?.message == "the value of --after is no cursor.")
    }

    @Test func `A cursor keeps every value exactly`() throws {
        let values: [StoredValue] = [
            .null, .bool(true), .int(.min), .double(-.infinity), .double(0.1), .decimal(12.34),
            .string("e\u{301}\u{1F600}"),
            .data(.init([0, 255])), .timestamp(microseconds: -1),
        ]
        let request = RequestIdentity(["a"], parts: "")
        let position = KeysetPosition(values: values, key: 7)
        let text = PageCursor(position, of: request).text
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        let read = try PageCursor.position(text, option: "after", of: request) { _ in true }
        #expect(read == position)
        guard case .string(let string) = read.values[6] else { return }
        #expect(Array(string.utf8) == Array("e\u{301}\u{1F600}".utf8))
        #expect(throws: AdminError.self) {
            try PageCursor.position(
                text, option: "after", of: RequestIdentity(["b"], parts: "")
            ) { _ in true }
        }
        #expect(throws: AdminError.self) {
            try PageCursor.position(text, option: "after", of: request) { _ in false }
        }
    }
}
