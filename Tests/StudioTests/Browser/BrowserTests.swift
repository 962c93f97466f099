import Testing

/// The page in a browser, over stores of both kinds.
@Suite(
    .enabled(if: StudioProcess.executable != nil, StudioProcess.reason),
    .enabled(if: ChromeDriver.program != nil || ChromeDriver.isRequired, "chromedriver isn't installed"))
struct BrowserTests {}
