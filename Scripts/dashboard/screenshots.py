"""Takes the pictures of Docs/Images: two themes, a desk's and a phone's width."""

import os
import subprocess

from stage import browser, shop, wait_until

FOLDER = "Docs/Images"
# A picture that is larger does not go into the repository.
BYTES_MAX = 150_000
HEIGHT_MAX = 1800
# Each page once, each theme and width with each page or its neighbour; the timeline for README.
PICTURES = [
    ("overview", 1440, "light"), ("overview", 390, "dark"),
    ("payments", 1440, "dark"), ("payments", 390, "light"),
    ("payment", 1440, "light"), ("payment", 390, "dark"),
    ("timeline", 1440, "light"),
    ("sandbox", 390, "light"), ("sandbox-payment", 1440, "dark"),
]


def fill(page, place):
    """A day in the shop: payments in many states. Returns the one that is looked at."""
    for product, provider, way in [
            ("tee", "tabby", None), ("solar", "futa", None), ("radio", "rais", None),
            ("6276317", "tebex", None), ("sauna", "seb", "#card")]:
        made = place.checkout(product, provider)
        page.pay(made["checkout_url"], way)
    place.checkout("mug")
    place.checkout("sauna", "seb")
    refused = place.checkout("lamp")
    page.leave(refused["checkout_url"])
    shown = place.checkout("lamp")
    place.signal(shown["payment_id"], "opened")
    page.pay(shown["checkout_url"])
    place.signal(shown["payment_id"], "returned_success")
    wait_until(lambda: place.payment(shown["payment_id"])["state"] == "captured", "it is paid")
    return shown["payment_id"]


def main():
    os.makedirs(FOLDER, exist_ok=True)
    with shop() as place, browser() as page:
        page.size(1440)
        payment = fill(page, place)
        page.sign_in(place)
        page.open(f"{place.server}/dashboard/payments/{payment}/refund")
        page.type("#amount", "120.00")
        page.type("#reason", "one lamp came broken")
        page.click("button.danger")
        page.find(".notice")
        control = sandbox_payment(page, place)
        addresses = {"overview": f"{place.server}/dashboard",
                     "payments": f"{place.server}/dashboard/payments",
                     "payment": f"{place.server}/dashboard/payments/{payment}",
                     "timeline": f"{place.server}/dashboard/payments/{payment}",
                     "sandbox": place.control, "sandbox-payment": control}
        for name, width, theme in PICTURES:
            take(page, addresses[name], name, width, theme)


def sandbox_payment(page, place):
    """A payment at the sandbox whose webhooks come twice; gives the address of its page."""
    made = place.checkout("lamp")
    page.open(place.control)
    page.click("#list .row-link")
    page.type("#webhook_copies", "2")
    page.choose("#kind-0", "slow")
    page.click("#set-faults")
    address = page.driver.current_url.split("?")[0]
    page.pay(made["checkout_url"])
    page.open(address)
    page.wait(lambda: len(page.all("#webhooks .m-delivered")) > 1, "no webhook is taken")
    return address


def take(page, url, name, width, theme):
    page.theme(theme)
    page.size(width)
    page.open(url)
    page.find("main[data-events], main[data-poll]")
    # The whole page, as far as a person scrolls before it bores.
    height = page.script("return document.documentElement.scrollHeight")
    page.size(width, height if name == "timeline" else min(max(height, 640), HEIGHT_MAX))
    page.script("for (const gone of document.querySelectorAll('.live-status')) gone.remove()")
    path = f"{FOLDER}/{name}-{width}-{theme}.png"
    if name == "timeline":
        page.find(".timeline").screenshot(path)
    else:
        page.driver.save_screenshot(path)
    subprocess.run(["pngquant", "--force", "--strip", "--output", path, "64", path], check=True)
    size = os.path.getsize(path)
    assert size <= BYTES_MAX, f"{path} has {size} bytes"
    print(f"{path}  {size} bytes")


main()
