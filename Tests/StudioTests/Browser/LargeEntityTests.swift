import ChildProcesses
import Foundation
import Testing

extension BrowserTests {
    /// An entity with so many objects that no page may read them all; STORE_STUDIO_ROWS sets the number.
    @Suite struct LargeEntityTests {
        private static let count = Effort.count("STORE_STUDIO_ROWS", otherwise: 20_000)

        @Test(arguments: StudioPlace.available)
        func `A page is fast, wherever it is`(place: StudioPlace) throws {
            let count = Self.count
            let studio = try ClubStudio(place, players: count)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try expectPage(browser, from: 0, step: 1)
            try browser.wait("main().includes(`1–50 of ${values[0].toLocaleString('en-US')}`)", count)
            try expectFirstPage(studio, place)
            try browser.click("[aria-label='Next page (])']")
            try browser.wait("main().includes('51–100 of')")
            try expectPage(browser, from: 50, step: 1)
            // The last page of one order is the first one of the other.
            try browser.goTo("#/objects/Player?order=score+DESC")
            try expectPage(browser, from: count - 1, step: -1)
            try browser.goTo("#/objects/Player?where=score+%3E%3D+\(count - 50)")
            try expectPage(browser, from: count - 50, step: 1)
            try browser.goTo("#/object/Game:1")
            try browser.wait("all('#main .grid tbody tr').length === 10")
            try studio.expectNoProblems()
        }

        /// Measures the response to the page's first request, without the browser, and expects that many pages need no more memory.
        private func expectFirstPage(_ studio: ClubStudio, _ place: StudioPlace) throws {
            let address: String = try studio.browser.value(
                of:
                    "performance.getEntriesByType('resource').map(({ name }) => name).find((name) => name.includes('/api/query?request=Player'))"
            )
            let (process, headers) = (studio.process, studio.process.pageHeaders)
            let first = try #require(URLComponents(string: address))
            let target = try #require(first.percentEncodedQuery.map { first.percentEncodedPath + "?" + $0 })
            let durations = (0..<9).map { _ in
                ContinuousClock().measure { _ = process.sendOutside("GET", target, headers) }
            }
            let best = try #require(durations.min())
            let before = process.residentSize
            var (cursor, pages) = (String?.none, 0)
            repeat {
                let rest = cursor.map { "&after=\($0)" } ?? ""
                let response = process.sendOutside("GET", target + rest, headers)
                #expect(response.status == 200, "\(response.text.prefix(500))")
                let page = try JSONDecoder().decode(Page.self, from: Data(response.body.utf8))
                #expect(page.rows.count == 50)
                (cursor, pages) = (page.next, pages + 1)
            } while cursor != nil && pages < 200
            #expect(pages == min(200, Self.count / 50))
            let after = process.residentSize
            print(
                """
                \(place), \(Self.count) rows: the first page took \(best) at the server; the process had \(before ?? 0) KiB before \
                and \(after ?? 0) KiB after \(pages) pages
                """)
            if let before, let after { #expect(after - before < 64 << 10) }
            // The first page of a large entity is meant to take less than 100 ms; this is a debug build beside other tests.
            if ProcessInfo.processInfo.environment["STORE_STUDIO_ROWS"] != nil {
                #expect(best < .milliseconds(500))
            }
        }

        private struct Page: Decodable {
            struct Row: Decodable {}

            let rows: [Row]
            let next: String?
        }

        /// Waits for 50 rows, and expects that their request was short; counting all objects may take longer.
        private func expectPage(_ browser: Browser, from score: Int, step: Int) throws {
            try browser.wait(
                "column('score').length === 50 && column('score').every((text, index) => Number(text) === values[0] + values[1] * index)",
                score, step)
            let longest: Double = try browser.value(
                of: """
                    Math.max(...performance.getEntriesByType('resource')
                      .filter(({ name }) => name.includes('/api/query')).map(({ duration }) => duration))
                    """)
            #expect(longest < 5000, "\(longest) ms")
        }
    }
}
