import Testing

extension BrowserTests {
    /// What a page shows by itself.
    @Suite struct LiveTests {
        @Test(arguments: StudioPlace.available)
        func `A save by another process appears by itself`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.goTo("#/now")
            try browser.wait("all('.live-state', 'live').length === 1 && all('.live .save-link').length > 0")
            try recordArrivals(browser)
            for score in [7, 8, 9] {
                let newest: Int = try browser.value(of: Self.newest)
                try studio.changeElsewhere(
                    #"{"update":"Player:9","set":{"score":\#(score)}}"#, author: "other \(score)")
                try browser.wait("\(Self.newest) > values[0]", newest)
                let line: String = try browser.value(
                    of: "document.querySelector('.live .save.arrived').textContent")
                #expect(line.contains("other \(score)") && line.contains("~1"), "\(line)")
                let entities: [String] = try browser.value(
                    of:
                        "[...document.querySelectorAll('.live .save.arrived')[0].querySelectorAll('.chip')].map((node) => node.textContent)"
                )
                #expect(entities == ["Player"])
            }
            let delays: [Int] = try browser.value(of: "window.delays")
            print("\(place): saves appeared \(delays) ms after their commits")
            // The page is meant to show a save within a second; other tests may delay this one.
            #expect(delays.count == 3 && (delays.min() ?? .max) < 5000, "\(delays)")
            try studio.expectNoProblems()
        }

        /// Makes the page record how many milliseconds after its commit each new save is shown.
        private func recordArrivals(_ browser: Browser) throws {
            let _: Bool = try browser.run(
                """
                window.delays = [];
                new MutationObserver((records) => {
                  for (const node of records.flatMap((record) => [...record.addedNodes])) {
                    if (!node.matches?.('.save.arrived')) continue;
                    window.delays.push(Date.now() - Date.parse(node.querySelector('time').getAttribute('datetime')));
                  }
                }).observe(document.querySelector('.save-list.live'), { childList: true });
                return true;
                """)
        }

        @Test(arguments: StudioPlace.available)
        func `A save between the first list and the first event is shown`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            // Events come when the test sends them.
            let _: Bool = try browser.run(
                """
                window.EventSource = function () {
                  window.stream = Object.assign(new EventTarget(), { close() {} });
                  return window.stream;
                };
                return true;
                """)
            try browser.goTo("#/now")
            try browser.wait("all('.live .save-link').length > 0")
            let newest: Int = try browser.value(of: Self.newest)
            let _: Bool = try browser.run("window.stream.dispatchEvent(new Event('open')); return true;")
            try studio.changeElsewhere(#"{"update":"Player:9","set":{"score":7}}"#, author: "between")
            #expect(try browser.value(of: "all('.live-state', 'live').length") == 0)
            let _: Bool = try browser.run(
                """
                const data = JSON.stringify({ save: arguments[0] });
                window.stream.dispatchEvent(new MessageEvent('opened', { data }));
                return true;
                """, [newest + 1])
            try browser.wait(
                "all('.live-state', 'live').length === 1 && \(Self.newest) === values[0]", newest + 1)
            #expect(
                try browser.value(of: "document.querySelector('.live .save').textContent.includes('between')")
            )
            try studio.expectNoProblems()
        }

        /// The number of the newest save that is shown.
        private static let newest = "Number(document.querySelector('.live .save').dataset.save)"

        @Test func `The page says that the studio has ended`() throws {
            let studio = try ClubStudio(.sqlite)
            try studio.browser.goTo("#/now")
            try studio.browser.wait("all('.live-state', 'live').length === 1")
            _ = studio.process.end(15)
            try studio.browser.wait("all('.live-state.off').length === 1")
            try studio.browser.goTo("#/sizes")
            try studio.browser.wait("main().includes('Check that storectl studio is still running.')")
        }
    }
}
