"""Takes the pictures of Docs/Images: two themes, a desk's and a phone's width."""

import os

from stage import browser, shop, wait_until

FOLDER = "Docs/Images"
# A picture that is larger does not go into the repository.
BYTES_MAX = 150_000


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
    page.open(refused["checkout_url"])
    page.click("#cancel")
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
        pictures = [
            ("overview", "/dashboard"), ("payments", "/dashboard/payments"),
            ("payment", f"/dashboard/payments/{payment}")]
        for name, path in pictures:
            for width in (1440, 390):
                for theme in ("light", "dark"):
                    take(page, place.server + path, f"{name}-{width}-{theme}", width, theme)


def take(page, url, name, width, theme):
    page.theme(theme)
    page.size(width)
    page.open(url)
    page.find("main[data-events]")
    # The whole page, as far as a person scrolls before it bores.
    height = page.script("return document.documentElement.scrollHeight")
    page.size(width, min(max(height, 640), 1500))
    page.script("for (const gone of document.querySelectorAll('.live-status')) gone.remove()")
    path = f"{FOLDER}/{name}.png"
    page.driver.save_screenshot(path)
    size = os.path.getsize(path)
    assert size <= BYTES_MAX, f"{path} has {size} bytes"
    print(f"{path}  {size} bytes")


main()
