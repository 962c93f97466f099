"""Drives a headless Chromium by the DevTools protocol over two pipes, so that nothing but Python and Chromium is needed."""

import base64
import itertools
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """A Chromium with one page."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.TemporaryDirectory(prefix="site-browser.")
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
            "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={self.profile.name}", "about:blank",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", *arguments],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.numbers = itertools.count(1)
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        """Ends the browser."""
        os.close(self.writer)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.reader)
        self.profile.cleanup()

    def call(self, method, **parameters):
        """Runs a command, and returns its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message(60)
            if answer is None:
                raise TimeoutError(f"Chromium doesn't answer {method}.")
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def message(self, seconds):
        """Returns the next message; None if there is none within a time."""
        while b"\0" not in self.buffer:
            if not select.select([self.reader], [], [], seconds)[0]:
                return None
            chunk = os.read(self.reader, 1 << 20)
            if not chunk:
                raise RuntimeError("Chromium has ended.")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def show(self, width, height, scheme):
        """Sets the size of the window, and whether pages are light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address, ready="document.readyState === 'complete'"):
        """Opens a page, waits until an expression is true, and returns the problems that the browser reported."""
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=address)
        deadline = time.monotonic() + 30
        while not self.evaluate(f"document.URL !== 'about:blank' && ({ready})"):
            if time.monotonic() > deadline:
                return [f"the page isn't ready after 30 seconds: {ready}"]
            time.sleep(0.05)
        # The fonts, the last requests, and a frame.
        self.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 150)))")
        return list(filter(None, map(problem, self.events)))

    def evaluate(self, expression):
        """Returns the value of an expression, or of its promise, in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if details := result.get("exceptionDetails"):
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def screenshot(self, path):
        """Writes a picture of the window to a file."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


def problem(event):
    """Returns the problem that an event reports; None if it reports none."""
    method, parameters = event.get("method"), event.get("params", {})
    if method == "Runtime.exceptionThrown":
        details = parameters["exceptionDetails"]
        return "an exception: " + details.get("exception", {}).get("description", details["text"]).splitlines()[0]
    if method == "Network.responseReceived" and parameters["response"]["status"] >= 400:
        return f"the answer {parameters['response']['status']} to {parameters['response']['url']}"
    if method == "Log.entryAdded" and parameters["entry"]["level"] == "error" and parameters["entry"]["source"] != "network":
        return "an error: " + parameters["entry"]["text"]
    return None
