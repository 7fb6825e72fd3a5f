"""The address as the page itself has it; what Playwright was told of it may lag behind a tap."""

from urllib.parse import parse_qs

from playwright.sync_api import Page


def query(page: Page) -> dict[str, str]:
    """The parameters of the page's address, the first of each."""
    search: str = page.evaluate("location.search")
    return {name: values[0] for name, values in parse_qs(search.removeprefix("?")).items()}
