"""The report of a binary without problems: a table of what it requires and what is allowed."""

from abi_check import policy as rules_of
from abi_check.binary import Binary
from abi_check.policy import FAMILIES, POLICY, PYTHON
from abi_check.rules import Check

HEAD = ("what", "found", "allowed")


def format_report(check: Check) -> str:
    """Return the report of one binary."""
    binary = check.binary
    stable = [("Torch", "its stable C interface", "its stable C interface")] if check.variant.is_stable else []
    allowed_here = [*check.policy.whitelist, *rules_of.LOADERS]
    other = f"{check.variant.framework.title} or {check.variant.backend}"
    rows = [
        *((family, newest_of(binary, family), rules_of.newest(check.policy, family)) for family in FAMILIES),
        ("Python", newest_python(binary), str(PYTHON)),
        *stable,
        ("symbols", describe_symbols(check), "all there"),
        ("exports", ", ".join(symbol.name for symbol in binary.exported), check.variant.framework.exports),
        *(("library", library, POLICY if library in allowed_here else other) for library in binary.needed),
    ]
    return format_rows(check, rows)


def format_rows(check: Check, rows: "list[tuple[str, str, str]]") -> str:
    """Return a report of these rows."""
    return f"ABI of {check.file}\n\n{align([HEAD, *rows])}"


def align(rows: "list[tuple[str, str, str]]") -> str:
    """Return a table of three columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(f"  {first:<{widths[0]}}  {second:<{widths[1]}}  {third}" for first, second, third in rows)


def newest_of(binary: Binary, family: str) -> str:
    """Return the newest version of a family that the binary requires."""
    pairs = [rules_of.split_version(version) for version in {symbol.version for symbol in binary.wanted}]
    return max((number for each, number in pairs if each == family), key=rules_of.order, default="none")


def newest_python(binary: Binary) -> str:
    """Return the first Python whose stable ABI has all Python symbols of the binary."""
    found = [rules_of.stable_since(symbol.name) for symbol in binary.wanted]
    return str(max((since for since in found if since), default="none"))


def describe_symbols(check: Check) -> str:
    """Return how many symbols the binary needs, and whether libraries provide them."""
    count = f"{len(check.binary.wanted)} wanted"
    if not check.provided.libraries:
        return f"{count}, not compared with the libraries"
    return f"{count}, not compared with {', '.join(check.unknown)}" if check.unknown else f"{count}, all there"
