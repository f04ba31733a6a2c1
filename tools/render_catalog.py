"""Renders voxint/cli/catalog.py: what each command takes, read from its function's signature and docstring."""

from __future__ import annotations

import sys
from pathlib import Path

from tools._contracts.signatures import spec_of
from voxint.cli.commands import COMMANDS
from voxint.cli.spec import Spec

CATALOG = Path(__file__).resolve().parent.parent / "voxint" / "cli" / "catalog.py"
HEADER = '''"""What every command takes. @generated from the functions' signatures by tools/render_catalog.py."""

from voxint.cli.spec import Parameter, Spec

SPECS: dict[tuple[str, ...], Spec] = {
'''


def render() -> str:
    """The text of catalog.py."""
    specs = {
        (group, command): spec_of((group, command), place)
        for group, commands in COMMANDS.items()
        for command, place in commands.items()
    }
    return HEADER + "".join(f"    {words!r}: {_source(spec)},\n" for words, spec in specs.items()) + "}\n"


def _source(spec: Spec) -> str:
    rows = ",\n            ".join(repr(parameter) for parameter in spec.parameters)
    fields = ",\n        ".join(
        f"{name}={getattr(spec, name)!r}"
        for name in ("words", "function", "summary", "details", "returns", "is_stream", "more_results", "example")
    )
    parameters = f"(\n            {rows},\n        )" if rows else "()"
    return f"Spec(\n        {fields},\n        parameters={parameters},\n    )"


def main() -> int:
    """Writes the catalog, or with --check says whether the committed one is stale."""
    fresh = render()
    if "--check" in sys.argv[1:]:
        if not CATALOG.exists() or CATALOG.read_text(encoding="utf-8") != fresh:
            print(f"{CATALOG.name}: stale, run make generate")
            return 1
        return 0
    CATALOG.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
