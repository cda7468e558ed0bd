"""Drives Chromium by its DevTools protocol over a pipe: widths, dark and light, keys. Nothing beyond Python's own."""
import json
import os
import subprocess
import time


class Browser:
    """One page. Its own rules for scripts hold; what is evaluated here stands outside them."""

    def __init__(self, program, profile, url):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "sh", program, "--headless", "--no-sandbox",
             "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.answers, self.requests = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self.number, self.session, self.rest = 0, None, b""
        target = self.ask("Target.createTarget", url=url)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def ask(self, method, **parameters):
        """One command and its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.requests.write(json.dumps(message).encode() + b"\0")
        self.requests.flush()
        while True:
            while b"\0" not in self.rest:
                more = os.read(self.answers.fileno(), 1 << 16)
                if not more:
                    raise EOFError("Chromium has ended")
                self.rest += more
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise ValueError(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, expression):
        """What an expression of JavaScript is, as JSON has it."""
        result = self.ask("Runtime.evaluate", expression=f"JSON.stringify({expression})", returnByValue=True)
        if "exceptionDetails" in result:
            raise ValueError(result["exceptionDetails"])
        return json.loads(result["result"].get("value", "null"))

    def wait(self, expression):
        """Until it is true; at most 20 seconds."""
        for _ in range(200):
            if self.value(expression):
                return
            time.sleep(0.1)
        raise TimeoutError(expression)

    def open(self, url):
        """Another page."""
        self.ask("Page.navigate", url=url)
        self.wait(f"document.readyState === 'complete' && location.href === {json.dumps(url)}")

    def look(self, width, scheme):
        """The page in this width, dark or light."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def key(self, name, code, text=""):
        """One key, down and up."""
        about = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **about)

    def end(self):
        """Ends the browser."""
        self.process.kill()
        self.process.wait()
