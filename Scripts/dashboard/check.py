"""Uses the dashboard as a person does, with clicks, keys and two windows; 1 at the first fault."""

import sys
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from accessibility import faults
from stage import browser, shop

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Scene:
    """What the checks share: the shop, the browser, and what they made."""

    def __init__(self, place, page):
        self.place = place
        self.page = page
        self.server = place.server

    def go(self, path):
        self.page.open(self.server + path)

    def row(self, payment):
        return self.page.all(f"tr[data-key='{payment}']")


@check
def a_wrong_key_is_refused_and_the_right_one_signs_in(scene):
    page = scene.page
    scene.go("/dashboard/payments")
    expect("/sign-in?next=" in page.driver.current_url, "who is nobody is asked to sign in")
    page.type("#key", "not-a-key-of-this-shop")
    page.click("button.primary")
    expect(page.text("[role=alert]") == "That is no operator key.", "the refusal is said")
    expect(page.find("#key").get_attribute("aria-invalid") == "true", "the field is marked")
    page.type("#key", scene.place.operator_key)
    page.find("#key").send_keys(Keys.ENTER)
    expect(page.text("h1") == "Payments", "it goes on where it was asked")
    cookie = page.driver.get_cookie("till_session")
    expect(cookie["httpOnly"] and cookie["sameSite"] == "Strict", "scripts do not see the cookie")


@check
def a_new_payment_appears_by_itself(scene):
    page = scene.page
    scene.go("/dashboard/payments")
    made = scene.place.checkout("lamp")
    scene.payment = made["payment_id"]
    scene.checkout_url = made["checkout_url"]
    page.wait(lambda: scene.row(scene.payment), "the new payment is not in the list")
    page.wait(lambda: "1 changed" in page.text("#live-status"), "the change is not announced")


@check
def a_filter_and_a_search_by_any_id_find_it(scene):
    page = scene.page
    page.choose("#state", "captured")
    page.wait(lambda: "state=captured" in page.driver.current_url, "the filter is not sent")
    expect(not scene.row(scene.payment), "a payment that is not captured is filtered out")
    page.choose("#state", "created")
    page.wait(lambda: scene.row(scene.payment), "the filter does not find it")
    provider_id = scene.place.payment(scene.payment)["provider_payment_id"]
    page.type("#q", provider_id)
    page.find("#q").send_keys(Keys.ENTER)
    page.wait(lambda: page.driver.current_url.endswith(scene.payment), "the id leads nowhere")


@check
def a_payment_is_seen_to_be_paid_while_its_page_is_open(scene):
    page, driver = scene.page, scene.page.driver
    scene.go(f"/dashboard/payments/{scene.payment}")
    expect("created" in page.text(".head"), "it is open")
    here = driver.current_window_handle
    driver.switch_to.new_window("tab")
    page.pay(scene.checkout_url)
    driver.close()
    driver.switch_to.window(here)
    page.wait(lambda: "captured" in page.text(".head h1"), "the page does not follow")
    page.wait(lambda: page.all(".timeline .mark-notification"), "the webhook is not drawn")
    expect("340.00" in page.text(".cards"), "the money is shown")


@check
def many_tabs_stay_open_and_another_loads(scene):
    driver = scene.page.driver
    here = driver.current_window_handle
    # A browser opens six connections to one server; tabs that all listened would take them.
    others = []
    for _ in range(8):
        driver.switch_to.new_window("tab")
        others.append(driver.current_window_handle)
        started = time.monotonic()
        scene.go("/dashboard/payments")
        expect(time.monotonic() - started < 10, f"tab {len(others)} waits for the others")
    for each in others:
        driver.switch_to.window(each)
        driver.close()
    driver.switch_to.window(here)


@check
def text_that_is_marked_stays_marked(scene):
    page = scene.page
    scene.go("/dashboard/payments")
    page.find(".list tbody code")
    mark = "getSelection().selectAllChildren(document.querySelector('.list tbody code'))"
    page.script(mark)
    marked = page.script("return getSelection().toString()")
    made = scene.place.checkout("mug")
    time.sleep(1.5)
    expect(page.script("return getSelection().toString()") == marked, "the mark is gone")
    page.script("getSelection().removeAllRanges()")
    page.wait(lambda: scene.row(made["payment_id"]), "the list does not go on afterwards")


@check
def a_refund_is_confirmed_and_seen(scene):
    page = scene.page
    scene.go(f"/dashboard/payments/{scene.payment}")
    page.click("#do-refund")
    expect(page.text("h1") == "Refund this payment?", "it is asked first")
    page.type("#amount", "999.00")
    page.type("#reason", "came broken")
    page.click("button.danger")
    expect("Left to refund: 340.00 AED" in page.text("[role=alert]"), "too much is refused")
    expect(page.find("#amount").get_attribute("aria-invalid") == "true", "the amount is marked")
    page.type("#amount", "100.00")
    page.click("button.danger")
    expect("refund is on its way" in page.text(".notice"), "the outcome is said")
    page.wait(lambda: page.all(".o-done"), "the refund is not seen to be done")
    page.wait(lambda: "240.00" in page.text(".cards"), "what is left is not shown")
    lines = [line for line in scene.place.journal(scene.payment) if line["operator"]]
    expect([line["operator"] for line in lines] == ["demo"], "the journal has the name once")
    expect("demo asked for: refund" in page.text(".timeline"), "the timeline tells it")


@check
def it_is_read_again_on_demand(scene):
    page = scene.page
    page.click("#do-read")
    page.click("main form button")
    expect("The provider was asked" in page.text(".notice"), "the outcome is said")
    expect("demo asked for: read" in page.text(".timeline"), "the journal tells it")


@check
def late_money_is_a_case_and_is_decided(scene):
    place, page = scene.place, scene.page
    made = place.checkout("solar", "futa")
    order = f"/v1/orders/{made['order_id']}/cancel"
    place.call("POST", order, place.operator_key, {"reason": "changed my mind"})
    scene.go("/dashboard")
    page.pay(made["checkout_url"])
    scene.go("/dashboard/reviews")
    page.wait(lambda: page.all(".list .row-link"), "the case is not in the queue")
    page.click(".list .row-link")
    page.click("input[value=accept]")
    page.type("#reason", "they want it after all")
    page.click("button.danger")
    expect("It stands in the journal" in page.text(".notice"), "the decision is told")
    order = place.payment(made["payment_id"])["order_state"]
    expect(order == "paid", "the money pays the order after all")
    scene.go("/dashboard/reviews")
    page.wait(lambda: "No case is open" in page.text("main"), "the queue is not empty")


@check
def the_queues_tell_what_came_and_what_was_sent(scene):
    page = scene.page
    scene.go("/dashboard/inbox")
    expect(page.all("tr[data-key] .w-processed"), "webhooks are listed")
    scene.go("/dashboard/outbox")
    expect(page.all("tr[data-key] .m-delivered"), "messages are listed")
    # The newest one: no later message of its order has overtaken it.
    page.click(".list .row-link")
    page.wait(lambda: "/outbox/" in page.driver.current_url, "the message does not open")
    scene.message = page.driver.current_url.removeprefix(scene.server)
    page.type("#reason", "the warehouse lost it")
    page.click("button.danger")
    expect("the journal says why" in page.text(".notice"), "the outcome is said")
    scene.go("/dashboard")
    expect("tabby" in page.text("main"), "the overview knows the provider")


@check
def a_delivery_of_no_known_payment_is_put_back(scene):
    page, place = scene.page, scene.place
    place.deliver("seb", {"paymentId": "of-another-shop-0001"})
    scene.go("/dashboard/inbox")
    page.wait(lambda: page.all(".list .w-unmatched"), "the delivery is not in the inbox")
    page.click(".list tr:has(.w-unmatched) .row-link")
    page.wait(lambda: "/inbox/" in page.driver.current_url, "the delivery does not open")
    scene.delivery = page.driver.current_url.removeprefix(scene.server)
    expect("provider" not in page.text("#reason-note"), "the reason stays with the shop")
    page.click("button.danger")
    expect("/inbox/" in page.driver.current_url and not page.all(".notice"), "a reason is needed")
    page.type("#reason", "the shop knows it now")
    page.click("button.danger")
    expect("in the queue again" in page.text(".notice"), "the outcome is said")
    expect(scene.delivery in page.driver.current_url, "it stays on the page")


@check
def it_is_used_with_keys_alone(scene):
    page, driver = scene.page, scene.page.driver
    scene.go("/dashboard/payments")
    focused = lambda: driver.switch_to.active_element
    focused().send_keys(Keys.TAB)
    expect(focused().text == "Skip to content", "the first stop leads to the content")
    focused().send_keys(Keys.ENTER)
    expect(focused().get_attribute("id") == "main", "the content has the focus")
    for _ in range(8):
        focused().send_keys(Keys.TAB)
        if "row-link" in (focused().get_attribute("class") or ""):
            break
    outline = "return getComputedStyle(document.activeElement, '::after').outlineStyle"
    expect(page.script(outline) == "solid", "the focus is seen")
    # What is focused keeps the focus while the list changes under it.
    place = focused().get_attribute("id")
    made = scene.place.checkout("mug")
    page.wait(lambda: scene.row(made["payment_id"]), "the list does not move")
    expect(focused().get_attribute("id") == place, "the focus is lost")
    focused().send_keys(Keys.ENTER)
    page.wait(lambda: "/payments/" in driver.current_url, "the row does not open")


@check
def it_works_without_a_script(scene):
    page = scene.page
    page.scripts(False)
    try:
        scene.go("/dashboard/payments")
        page.choose("#state", "captured")
        page.click(".filters button")
        page.wait(lambda: "state=captured" in page.driver.current_url, "the filter has no button")
        page.click(".list .row-link")
        page.click("#do-read")
        page.click("main form button")
        page.wait(lambda: page.all(".notice"), "a form is not sent")
    finally:
        page.scripts(True)


@check
def one_click_in_the_sandbox_pays(scene):
    page, place = scene.page, scene.place
    made = place.checkout("radio", "rais")
    page.open(place.sandbox)
    expect(page.driver.current_url == place.control, "the root leads to the control page")
    card = made["checkout_url"].rsplit("/", 1)[1]
    page.wait(lambda: page.all(f"#pay-{card}"), "the payment is not listed")
    page.click(f"#decline-{card}")
    expect("Declined" in page.text(".notice"), "the outcome is said")
    page.click(f"#pay-{card}")
    expect("Paid" in page.text(".notice"), "a declined card may try again")
    paid = lambda: place.payment(made["payment_id"])["state"] == "captured"
    page.wait(paid, "the server does not learn of it")
    page.wait(lambda: "1 of 1 taken" in page.text(f"tr[data-key='{card}']"), "no webhook is seen")
    scene.sandbox_payment = card


@check
def a_sandbox_webhook_is_opened_and_sent_again(scene):
    page = scene.page
    page.click(f"#p-{scene.sandbox_payment}")
    page.wait(lambda: page.all("#webhooks details"), "no webhook is listed")
    page.click("#webhooks summary")
    expect(scene.sandbox_payment in page.text("#webhooks pre"), "its body is shown")
    time.sleep(2.5)
    expect(page.all("#webhooks details[open] pre"), "it stays open while the page follows")
    page.click("#webhooks button")
    expect("once more" in page.text(".notice"), "the outcome is said")
    twice = lambda: len(page.all("#webhooks .m-delivered")) == 2
    page.wait(twice, "it is not sent again")


@check
def faults_are_picked_and_taken_back(scene):
    page, place = scene.page, scene.place
    made = place.checkout("lamp")
    page.open(place.control)
    page.wait(lambda: page.all("#list .row-link"), "the list is empty")
    page.click("#list .row-link")
    page.type("#webhook_copies", "99")
    page.click("#set-faults")
    expect("bad value for webhook_copies" in page.text("[role=alert]"), "too many are refused")
    expect(page.find("#webhook_copies").get_attribute("aria-invalid") == "true", "it is marked")
    page.type("#webhook_copies", "2")
    page.choose("#kind-0", "lost")
    page.choose("#call-0", "read")
    page.click("#set-faults")
    expect("faults were set" in page.text(".notice"), "the outcome is said")
    expect("of its own" in page.text("#faults-title"), "they are its own")
    here = page.driver.current_url
    page.pay(made["checkout_url"])
    page.open(here)
    copies = lambda: len(page.all("#webhooks .m-delivered")) >= 2
    page.wait(copies, "the webhook does not come twice")
    page.wait(lambda: place.payment(made["payment_id"])["state"] == "captured", "it is not paid")
    page.click(".card form:not(.stack):not(.inline) button")
    page.wait(lambda: "of all payments" in page.text("#faults-title"), "they are not taken back")


@check
def the_sandbox_clock_is_moved(scene):
    page, place = scene.page, scene.place
    place.checkout("mug")
    page.open(place.control)
    page.wait(lambda: page.all("#list .s-created"), "nothing is open")
    page.click("#clock-1-hours")
    expect("clock was moved" in page.text(".notice"), "the outcome is said")
    expect("ahead" in page.text("#clock"), "it says by how much")
    expect(page.all("#list .s-expired"), "what waited too long has expired")


@check
def the_sandbox_works_by_keys_and_without_a_script(scene):
    page, driver = scene.page, scene.page.driver
    page.open(scene.place.control)
    focused = lambda: driver.switch_to.active_element
    focused().send_keys(Keys.TAB)
    expect(focused().text == "Skip to content", "the first stop leads to the content")
    page.scripts(False)
    try:
        page.open(scene.place.control)
        page.choose("#provider", "tebex")
        page.click(".filters button")
        page.wait(lambda: "provider=tebex" in driver.current_url, "the filter has no button")
        page.click("#clock-1-minutes")
        page.wait(lambda: page.all(".notice"), "a form is not sent")
    finally:
        page.scripts(True)


@check
def every_page_can_be_read_by_everybody(scene):
    page = scene.page
    payment = f"/dashboard/payments/{scene.payment}"
    control = scene.place.control
    found = []
    for path in [control, f"{control}/control/payments/{scene.sandbox_payment}",
                 f"{control}/control/providers/tabby", f"{control}/control/providers/seb",
                 "/dashboard", "/dashboard/payments", payment, f"{payment}/refund",
                 f"{payment}/read", "/dashboard/reviews", "/dashboard/reviews/1",
                 "/dashboard/inbox", scene.delivery, "/dashboard/outbox", scene.message,
                 "/dashboard/nothing"]:
        for width in (390, 768, 1440):
            for theme in ("light", "dark"):
                page.size(width)
                page.theme(theme)
                page.open(path if path.startswith("http") else scene.server + path)
                found += [f"{path} {width} {theme}: {fault}" for fault in faults(page)]
    page.size(1440)
    page.theme("light")
    expect(not found, "\n  ".join(["faults:"] + found))


@check
def the_browser_has_nothing_to_complain_of(scene):
    # The answers that the checks above asked for are no fault.
    wanted = ("status of 400", "status of 401", "status of 409", "status of 404")
    found = [text for text in scene.page.errors() if not any(word in text for word in wanted)]
    expect(not found, "\n  ".join(["the browser complains:"] + found))


@check
def whoever_signs_out_is_out(scene):
    page = scene.page
    scene.go("/dashboard")
    page.click(".who button")
    expect(page.text("h1") == "Sign in", "it leads to the sign-in")
    found = faults(page)
    expect(not found, f"{found}")
    scene.go("/dashboard/payments")
    expect("/sign-in" in page.driver.current_url, "the session has ended")


def main():
    failed = 0
    with shop() as place, browser() as page:
        page.size(1440)
        page.theme("light")
        scene = Scene(place, page)
        for each in CHECKS:
            name = each.__name__.replace("_", " ")
            started = time.monotonic()
            try:
                each(scene)
                print(f"ok    {name}  ({time.monotonic() - started:.1f} s)", flush=True)
            except Exception as fault:  # Whatever it is, the check has failed and says so.
                failed += 1
                print(f"FAIL  {name}\n  {fault}\n  at {page.driver.current_url}", flush=True)
                for heading in page.driver.find_elements(By.CSS_SELECTOR, "h1, [role=alert]"):
                    print(f"  page says: {heading.text}", flush=True)
                break
    print(f"{len(CHECKS)} checks, {failed} failed")
    sys.exit(1 if failed else 0)


main()
