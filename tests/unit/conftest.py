from __future__ import annotations

from collections.abc import Callable

import pytest

from talefold import Engine

from .helpers import Chat, make_graph


@pytest.fixture
def chat(engine: Engine) -> Callable[..., Chat]:
    """Opens a chat: `generate`, `summarize` and `summarize_first` make its graph."""

    def open_chat(
        generate: dict | None = None,
        summarize: dict | None = None,
        *,
        summarize_first: bool = False,
        **options: object,
    ) -> Chat:
        graph = make_graph(generate, summarize, summarize_first=summarize_first)
        return Chat(engine, graph, **options)

    return open_chat
