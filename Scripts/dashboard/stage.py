"""A sandbox, a server and a browser, for the check and the pictures of the dashboard.

Everything runs on this machine: `till run` on free ports, and a headless Chromium that is driven by
its own DevTools protocol. Nothing is left behind.
"""

import contextlib
import json
import re
import signal
import subprocess
import threading
import time
import urllib.request
import uuid

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

PROGRAM = ".build/debug/till"
# A page of this machine that is not there by then does not come.
PATIENCE_SECONDS = 20


class Shop:
    """A running `till run`: where it is, and the keys that it told."""

    def __init__(self, process):
        self.process = process
        self.lines = []
        facts = {}
        for line in process.stdout:
            if found := re.match(r"(dashboard|merchant server|sandboxes|sandbox control)\s+(\S+)", line):
                facts[found[1]] = found[2]
            if found := re.match(r"\s+export (TILL_\w+)=(\S+)", line):
                facts[found[1]] = found[2]
            if line.startswith("A line for each event follows"):
                break
        self.server = facts["TILL_SERVER"]
        self.sandbox = facts["sandboxes"]
        self.control = facts["sandbox control"]
        self.operator_key = facts["TILL_OPERATOR_KEY"]
        self.app_token = facts["TILL_APP_TOKEN"]
        # Somebody has to read on, else a full pipe would stop the server.
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def call(self, method, path, token, body=None, key=None):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def checkout(self, product, provider="tabby"):
        """A checkout of one piece: payment_id, checkout_url and the rest."""
        body = {"provider": provider, "items": [{"product_id": product, "quantity": 1}]}
        return self.call("POST", "/v1/checkouts", self.app_token, body, str(uuid.uuid4()))

    def deliver(self, provider, body):
        """A webhook that nobody signed."""
        request = urllib.request.Request(
            f"{self.server}/webhooks/{provider}", json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method="POST")
        urllib.request.urlopen(request, timeout=PATIENCE_SECONDS).close()

    def signal(self, payment_id, word):
        """What the payer's app reports."""
        path = f"/v1/payments/{payment_id}/signals"
        self.call("POST", path, self.app_token, {"signal": word})

    def payment(self, payment_id):
        return self.call("GET", f"/v1/payments/{payment_id}", self.operator_key)

    def journal(self, payment_id):
        path = f"/v1/payments/{payment_id}/journal"
        return self.call("GET", path, self.operator_key)["journal"]


@contextlib.contextmanager
def shop():
    process = subprocess.Popen(
        [PROGRAM, "run"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield Shop(process)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE_SECONDS)


class Browser:
    """A Chromium without a window."""

    def __init__(self, driver):
        self.driver = driver

    def size(self, width, height=900):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def theme(self, name):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": name},
                          {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def scripts(self, are_on):
        self.driver.execute_cdp_cmd(
            "Emulation.setScriptExecutionDisabled", {"value": not are_on})

    def open(self, url):
        self.driver.get(url)

    def find(self, selector):
        return self.wait(
            lambda: self.driver.find_elements(By.CSS_SELECTOR, selector), f"no {selector}")[0]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector="main"):
        """Read in one step: a live page may put another element in the place of one found."""
        self.find(selector)
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def click(self, selector):
        def done():
            try:
                self.find(selector).click()
                return True
            except StaleElementReferenceException:
                return False
        self.wait(done, f"{selector} cannot be clicked")

    def type(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def choose(self, selector, text):
        Select(self.find(selector)).select_by_visible_text(text)

    def wait(self, condition, what):
        wait = WebDriverWait(self.driver, PATIENCE_SECONDS, poll_frequency=0.1)
        return wait.until(lambda _: condition(), what)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def errors(self):
        """What the browser complained of: errors of scripts, and what the policy forbade."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def sign_in(self, shop):
        self.open(f"{shop.server}/dashboard")
        self.type("#key", shop.operator_key)
        self.click("button.primary")
        self.find("header.top")

    def pay(self, url, way=None):
        """Pays on a hosted page by real clicks, as its own note tells how."""
        self.open(url)
        if way:
            self.click(way)
        for _ in range(8):
            forms = self.all("main form button[type=submit]")
            if not forms:
                return
            for field in self.all("main form:first-of-type input:not([type=hidden])"):
                if field.get_attribute("value") or field.get_attribute("type") == "radio":
                    continue
                field.send_keys(self.entry(field.get_attribute("name"), url))
            before = self.driver.find_element(By.TAG_NAME, "html")
            forms[0].click()
            self.wait(lambda: self.is_gone(before), "the page did not go on")
        raise AssertionError("the hosted page has no end")

    def leave(self, url):
        """Cancels on a hosted page. Its link leads to an app that is not here, so the tab that
        follows it stands still and is closed."""
        here = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.open(url)
        self.click("#cancel")
        self.driver.close()
        self.driver.switch_to.window(here)

    @staticmethod
    def is_gone(element):
        try:
            element.is_enabled()
            return False
        except Exception:  # It is not on the page any more, however the driver puts it.
            return True

    @staticmethod
    def entry(name, url):
        if "/rais/" in url:
            return "4000 0000 0000 0001" if name == "card_number" else "1234"
        if "/seb/" in url:
            return "5186 0000 0000 0005" if name == "card_number" else "1234"
        if "/futa/" in url:
            return "0812345601" if name == "msisdn" else "1234"
        return "8888"


@contextlib.contextmanager
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--force-color-profile=srgb"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        yield Browser(driver)
    finally:
        driver.quit()


def wait_until(condition, what):
    """Waits for something that no page shows."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what}: not in time")
