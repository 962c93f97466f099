import ChildProcesses
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
