import Testing

extension BrowserTests {
    /// The grid of objects: its filter, its order, its pages and its keys.
    @Suite struct GridTests {
        @Test(arguments: StudioPlace.available)
        func `A filter shows the objects that fit`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            try studio.browser.goTo("#/objects/Player")
            try filter(studio, by: #"score < 3 OR name == "Player 77""#)
            try studio.browser.wait("column('score').join() === '0,1,2,76'")
            try studio.browser.wait("all('#main .count', '4 matches').length === 1")
            try studio.browser.reload()
            try studio.browser.wait("column('score').join() === '0,1,2,76'")
            try filter(studio, by: "score > 1000")
            try studio.browser.wait("main().includes('No object fits the filter.')")
            try studio.browser.click("[aria-label='Clear the filter']")
            try studio.browser.wait("column('score').length === 50")
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `An error of a filter is marked at its column`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            try studio.browser.goTo("#/objects/Player")
            for (text, column, marked) in [("score > AND", 9, "A"), ("scor > 1", 1, "s")] {
                try filter(studio, by: text)
                try studio.browser.wait("all('.filter-problem').length === 1")
                try studio.browser.wait("all('.filter-problem mark')[0].textContent === values[0]", marked)
                let sentence: String = try studio.browser.value(
                    of: "document.querySelector('.filter-problem').textContent")
                #expect(sentence.contains("Column \(column): "), "\(sentence)")
                #expect(
                    try studio.browser.value(
                        of: "document.querySelector('.filter-input').getAttribute('aria-invalid')")
                        == "true")
            }
            try filter(studio, by: "score == 5")
            try studio.browser.wait("column('score').join() === '5'")
            #expect(try studio.browser.value(of: "all('.filter-problem').length") == 0)
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `A filter is completed`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            try studio.browser.goTo("#/objects/Player")
            try studio.browser.click(".filter-input")
            try studio.browser.type("sc")
            try studio.browser.wait("all('.candidates .candidate', 'score').length === 1")
            try studio.browser.press(.down)
            try studio.browser.press(.enter)
            try studio.browser.wait("document.querySelector('.filter-input').value.trim() === 'score'")
        }

        private func filter(_ studio: ClubStudio, by text: String) throws {
            try studio.browser.replaceText(of: ".filter-input", with: text)
            try studio.browser.press(.escape)
            try studio.browser.click(".filter button", "Filter")
        }

        @Test(arguments: StudioPlace.available)
        func `A column sorts up, down and not at all`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            let header =
                "all('#main .grid .sort-button').find((node) => node.textContent.startsWith('score'))"
            for (order, first, sort) in [
                ("score", "0,1,2", "ascending"), ("score+DESC", "124,123,122", "descending"),
                ("", "0,1,2", "none"),
            ] {
                try browser.click(at: header)
                try browser.wait(
                    "(new URLSearchParams(location.hash.split('?')[1]).get('order') ?? '').replace(' ', '+') === values[0]",
                    order)
                try browser.wait("isSettled() && column('score').slice(0, 3).join() === values[0]", first)
                try browser.wait("(\(header)).closest('th').getAttribute('aria-sort') === values[0]", sort)
            }
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `Pages follow each other in both directions`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.goTo("#/objects/Player?order=score+DESC")
            let turns = [
                ("next", "1–50 of 125", 124, 75), ("next", "51–100 of 125", 74, 25),
                ("previous", "101–125 of 125", 24, 0), ("previous", "51–100 of 125", 74, 25),
                ("", "1–50 of 125", 124, 75),
            ]
            for (turn, position, first, last) in turns {
                try browser.wait("main().includes(values[0])", position)
                let scores: [String] = try browser.value(of: "column('score')")
                #expect(scores == (last...first).reversed().map { "\($0)" })
                let isFirst: Bool = try browser.value(of: isDisabled("Previous page ([)"))
                let isLast: Bool = try browser.value(of: isDisabled("Next page (])"))
                #expect(isFirst == (first == 124) && isLast == (last == 0), "\(position)")
                if turn == "next" { try browser.click("[aria-label='Next page (])']") }
                if turn == "previous" { try browser.click("[aria-label='Previous page ([)']") }
            }
            try studio.expectNoProblems()
        }

        private func isDisabled(_ label: String) -> String {
            #"document.querySelector(`[aria-label="\#(label)"]`).disabled"#
        }

        @Test(arguments: StudioPlace.available)
        func `The members of an object have pages`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.goTo("#/object/Game:1")
            try browser.wait("main().includes('1–10 of 122') && column('name')[0] === 'Player 4'")
            try browser.click("[aria-label='Next members']")
            try browser.wait("main().includes('11–20 of 122') && column('name')[0] === 'Player 14'")
            try browser.click("[aria-label='Previous members']")
            try browser.wait("main().includes('1–10 of 122') && column('name')[0] === 'Player 4'")
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `The keyboard reaches everything`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try browser.press("/")
            try browser.wait("document.activeElement.matches('.filter-input')")
            try browser.press(.escape)
            try browser.wait("document.activeElement === cell(0, 'id')")
            for (key, row, column) in [
                (BrowserKey.down, 1, "id"), (.right, 1, "name"), (.down, 2, "name"), (.left, 2, "id"),
                (.up, 1, "id"),
                (.end, 1, "game"), (.home, 1, "id"),
            ] {
                try browser.press(key)
                try browser.wait("document.activeElement === cell(values[0], values[1])", row, column)
            }
            try browser.press("]")
            try browser.wait("main().includes('51–100 of 125')")
            try browser.press("[")
            try browser.wait("main().includes('1–50 of 125')")
            try browser.press("?")
            try browser.wait("all('dialog[open] h2', 'Keyboard').length === 1")
            try browser.press(.escape)
            try browser.wait("all('dialog').length === 0")
            try browser.press("g")
            try browser.press("h")
            try browser.wait("location.hash === '#/history' && isSettled()")
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `Columns are chosen and kept, and an export has those that are shown`(place: StudioPlace) throws
        {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try browser.click("#main button", "Columns")
            try browser.click("dialog [data-name=born] input")
            try browser.wait("!titles().includes('born')")
            try browser.press(.escape)
            try browser.reload()
            try browser.wait("isSettled() && column('score').length === 50 && !titles().includes('born')")
            try filter(studio, by: "score < 2")
            try browser.wait("column('score').join() === '0,1'")
            for (label, file, text) in [
                ("CSV", "Player.csv", "name,score\r\nPlayer 1,0\r\nPlayer 2,1\r\n"),
                (
                    "JSON Lines", "Player.jsonl",
                    "{\"name\":\"Player 1\",\"score\":0}\n{\"name\":\"Player 2\",\"score\":1}\n"
                ),
            ] {
                // The page sets the address of the link when it is clicked; the test fetches it instead of the browser.
                let _: Bool = try browser.run(
                    "document.addEventListener('click', (event) => event.preventDefault(), { once: true }); return true;"
                )
                try browser.click("#main a", label)
                let link = "all('#main a', values[0])[0]"
                #expect(try browser.value(of: "\(link).download", label) == file)
                let exported: String = try browser.value(
                    of: "fetch(\(link).href).then((response) => response.text())", label)
                #expect(exported == text)
            }
            try studio.expectNoProblems()
        }

        @Test func `Enter opens the object of a row`() throws {
            let studio = try ClubStudio(.sqlite)
            try studio.browser.goTo("#/objects/Player")
            try studio.browser.press(.down)
            try studio.browser.wait("document.activeElement === cell(0, 'id')")
            try studio.browser.press(.enter)
            try studio.browser.wait(
                "location.hash === '#/object/Player:1' && all('#main h1', 'Player 1').length === 1")
        }
    }
}
