"""The site answers in a real browser."""

from playwright.sync_api import Page


def test_the_site_answers_a_browser(page: Page) -> None:
    response = page.goto("/healthz")
    assert response is not None
    assert response.status == 200
