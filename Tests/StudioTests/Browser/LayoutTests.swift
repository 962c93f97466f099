import Testing

extension BrowserTests {
    /// What the page looks like on small and large screens, with light and dark colors.
    @Suite struct LayoutTests {
        private struct Contrast: Decodable {
            /// The number of texts.
            let count: Int
            let failures: [String]
        }

        /// Expects that all text is readable on each kind of screen, and that only the view scrolls, and not to the side.
        private func expectReadability(_ studio: ClubStudio, _ what: String) throws {
            for width in [360, 1280, 2560] {
                try studio.browser.resize(width: width, height: 900)
                let wide: Int = try studio.browser.value(of: "document.documentElement.scrollWidth")
                #expect(wide <= width, "\(what), \(width)")
                let tall: Int = try studio.browser.value(of: "document.documentElement.scrollHeight")
                #expect(tall <= 900, "\(what), \(width)")
                let isCut: Bool = try studio.browser.value(
                    of:
                        "[document.getElementById('main')].some((node) => node.scrollWidth > node.clientWidth)"
                )
                #expect(!isCut, "\(what), \(width)")
                for isDark in [false, true] {
                    try studio.browser.setDark(isDark)
                    let contrast = try measure(studio)
                    #expect(contrast.count >= 5, "\(what)")
                    #expect(contrast.failures.isEmpty, "\(what), \(width), \(isDark ? "dark" : "light")")
                }
            }
            try studio.browser.resize(width: 1280, height: 900)
            try studio.browser.setDark(false)
        }

        private func measure(_ studio: ClubStudio) throws -> Contrast {
            // A transition of a color ends first.
            try studio.browser.wait(
                "document.getAnimations().every((animation) => animation.playState !== 'running')")
            return try studio.browser.run(try ViewTests.script("contrast.js"))
        }

        @Test(arguments: StudioView.allCases)
        func `All text of a view is readable`(view: StudioView) throws {
            let studio = try ClubStudio(.sqlite, canWrite: true)
            try studio.browser.goTo(view.place)
            for content in view.contents { try studio.browser.wait(content) }
            try expectReadability(studio, "\(view)")
        }

        @Test func `All text of changes and dialogs is readable`() throws {
            let studio = try ClubStudio(.sqlite, canWrite: true)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try browser.click(at: "cell(4, 'score')")
            try browser.press(.f2)
            try browser.wait("document.activeElement.matches('.grid .editor input')")
            try browser.press(.control, "a")
            try browser.type("-5")
            try browser.press(.enter)
            try browser.wait("cell(4, 'score').matches('.changed')")
            try browser.press(.down)
            try browser.press(.delete)
            try browser.wait("all('#main tr.deleted').length === 1")
            try expectReadability(studio, "a changed grid")
            try browser.press("?")
            try browser.wait("all('dialog[open]').length === 1")
            try expectReadability(studio, "the shortcuts")
            try browser.press(.escape)
            try browser.goTo("#/changes")
            try browser.click("#main button", "Save…")
            try browser.wait("all('#main tr.failed .problem').length === 1")
            try expectReadability(studio, "failed changes")
            try browser.click("#main .change-card.update button", "Discard")
            try browser.click("#main button", "Save…")
            try browser.wait("all('dialog[open] button', 'Save and delete 1 object').length === 1")
            try expectReadability(studio, "the dialog before a deletion")
            try browser.press(.escape)
            try browser.goTo("#/objects/Player?where=score+%3E")
            try browser.wait("all('.filter-problem').length === 1")
            try expectReadability(studio, "a wrong filter")
        }

        @Test func `A pale text is found, and the colors follow the setting`() throws {
            let studio = try ClubStudio(.sqlite)
            #expect(try measure(studio).failures.isEmpty)
            _ = try studio.browser.run(
                "document.querySelector('#main h1').style.color = '#aaa'; return true;", as: Bool.self)
            #expect(try measure(studio).failures.contains { $0.contains("Game") })
            let background = "getComputedStyle(document.body).backgroundColor"
            let light: String = try studio.browser.value(of: background)
            try studio.browser.setDark(true)
            try studio.browser.wait("\(background) !== values[0]", light)
        }

        @Test func `A narrow page has a menu`() throws {
            let studio = try ClubStudio(.sqlite)
            let browser = studio.browser
            try browser.resize(width: 360, height: 700)
            try browser.click("#menu-button")
            try browser.wait(
                "document.getElementById('menu-button').getAttribute('aria-expanded') === 'true'")
            try browser.click("#sidebar [data-view=history]")
            try browser.wait("location.hash === '#/history' && isSettled()")
            try browser.wait(
                "document.getElementById('menu-button').getAttribute('aria-expanded') === 'false'")
        }
    }
}
