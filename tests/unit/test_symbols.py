"""Every public function of the library has a case."""

from tests.collectors import SUITES
from tests.evaluation import evaluate


def test_every_public_symbol_has_a_case() -> None:
    assert evaluate(f"{SUITES}.untested") == []


def test_every_module_has_a_file() -> None:
    assert evaluate(f"{SUITES}.unsuited") == []
