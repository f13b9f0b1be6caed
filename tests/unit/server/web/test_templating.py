"""Templates: what they escape, and what they do not let pass."""

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from crossroom_protocol.base.translate import using_language
from crossroom_server.web.templating import environment, render


def made(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


def test_values_are_escaped_wherever_they_stand() -> None:
    name = "<b>\"'&"
    escaped = "&lt;b&gt;&#34;&#39;&amp;"
    assert made('<a title="{{ name }}">{{ name }}</a>', name=name) == (
        f'<a title="{escaped}">{escaped}</a>'
    )
    assert made('{{ gettext("room {name}", name=name) }}', name=name) == f"room {escaped}"
    assert "</script>" not in made("{{ value | tojson }}", value="</script>")


def test_markup_that_a_template_made_is_not_escaped_again() -> None:
    source = "{% macro code(text) %}<code>{{ text }}</code>{% endmacro %}"
    source += '{{ gettext("type {line}", line=code("<x>")) }}'
    assert made(source) == "type <code>&lt;x&gt;</code>"
    assert isinstance(render("not_found.html", reason=""), Markup)


def test_texts_are_in_the_language_of_the_request() -> None:
    with using_language("de"):
        assert made('{{ language() }}: {{ gettext("Open rooms") }}') == "de: Offene Räume"
        assert made('{{ gettext("Room {name}", name="<") }}') == "Raum &lt;"
    with using_language("en"):
        assert made('{{ language() }}: {{ gettext("Open rooms") }}') == "en: Open rooms"


def test_a_name_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(UndefinedError):
        made("{{ nobody }}")
