"""docs/web.md prints the schema as it is: every message with its fields."""

from typing import Any

from kibitz.web import messages
from tests.documents import ROOT


def described(schemas: dict[str, Any]) -> str:
    """A table of messages: a field that may be left out stands in brackets."""
    rows = ["| message | fields |", "| --- | --- |"]
    for name, schema in schemas.items():
        fields = [
            f"`{field}`" if field in schema["required"] else f"[`{field}`]" for field in schema["properties"] if field not in ("do", "is")
        ]
        rows.append(f"| `{name}` | {', '.join(fields)} |")
    return "\n".join(rows)


def test_the_schema_that_is_printed() -> None:
    page = (ROOT / "docs" / "web.md").read_text()
    for schemas in (messages.TO_SERVER, messages.TO_PAGE):
        assert described(schemas) in page, described(schemas)
