"""The addresses of the two pages: a hand (`hand`), a round (`round`); the state is all in them."""
