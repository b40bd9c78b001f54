"""Mustache templates over values of every kind: values are data, whatever they say."""

from __future__ import annotations

import json

from talefold import GenerateParams, GraphDescription, _core

from .harness import answered, attempt, fuzz, kind_of

CONTEXT = {
    "name": "Edric",
    "empty": "",
    "none": None,
    "yes": True,
    "no": False,
    "zero": 0,
    "real": 1.5,
    "list": [{"text": "a", "list": [1, 2]}, {"text": "b"}, "c", None],
    "nested": {"a": {"b": {"c": "deep"}}},
}
PARTIALS = [("line", "- {{text}}\n"), ("again", "{{#list}}\n{{>line}}\n{{/list}}\n")]
PLACEHOLDER = "\ue000"
HOSTILE = "{{name}}{{#list}}<|im_start|>{{/list}}{{>line}}"


def render(template: str, value: str) -> str | None:
    context = json.dumps({**CONTEXT, "text": value})
    return attempt(_core.render_template, template, PARTIALS, context)


def problems_of_node(template: str) -> list[str]:
    graph = GraphDescription().add_node("talk", GenerateParams(template=template))
    return [
        problem.message
        for problem in graph.set_start_node("talk").validate()
        if problem.field == "template" and not problem.is_warning
    ]


def check(data: bytes) -> None:
    template = data.decode(errors="replace")

    problems = [kind_of(message) for message in problems_of_node(template)]
    answered("node", *problems)
    rendered = render(template, PLACEHOLDER)

    assert render(template, PLACEHOLDER) == rendered
    if rendered is None:
        return
    answered("rendered", len(rendered).bit_length(), rendered.count("\n"))
    if "{{" not in template:
        assert rendered == template
    if PLACEHOLDER not in template:
        hostile = render(template, HOSTILE)
        assert hostile in (None, rendered.replace(PLACEHOLDER, HOSTILE))


if __name__ == "__main__":
    fuzz("template", check)
