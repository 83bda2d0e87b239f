"""`compare-torch` tells what two builds of Torch offer."""

from lock.compare_torch import Torch, compare

OLD = Torch(
    "2.14.1+cu130",
    {"ATen/a.h": "1", "ATen/b.h": "2", "c10/c.h": "3", "c10/same.h": "0"},
    {"at::sum": {"at::sum(int)", "at::sum(long)"}, "at::gone": {"at::gone()"}},
)
NEW = Torch(
    "2.15.0+cu132",
    {"ATen/a.h": "4", "c10/b.h": "2", "c10/same.h": "0", "ATen/ops/d.h": "5"}
    | {f"ATen/ops/more{number}.h": f"6{number}" for number in range(12)},
    {"at::sum": {"at::sum(int)"}, "at::came": {"at::came()"}},
)


def test_what_is_gone_moved_changed_and_new() -> None:
    page = "\n".join(compare(OLD, NEW))
    assert page.startswith("# From Torch 2.14.1+cu130 to 2.15.0+cu132\n")
    assert "| headers | 4 | 16 | 1 | 1 | 1 | 13 |" in page
    assert "| names | 2 | 2 | 1 | | 1 | 1 |" in page
    for section in (
        "## Headers that are gone\n\n- `c10/c.h`\n",
        "## Headers that moved\n\n- `ATen/b.h → c10/b.h`\n",
        "## Headers that are new\n\n- `ATen/ops`: 13\n",
        "## Names that are gone\n\n- `at::gone`\n",
        "## Names without this form\n\n- `at::sum(long)`\n",
        "## Names that are new\n\n- `at::came`\n",
    ):
        assert section in page
