"""What counts as too little coverage."""

from typing import Any

from tools.coverage import below_floor


def report(total: float, **modules: float) -> dict[str, Any]:
    files = {name: {"summary": {"percent_covered": share}} for name, share in modules.items()}
    return {"totals": {"percent_covered": total}, "files": files}


def test_all_and_each_module_have_a_floor() -> None:
    assert below_floor(report(90.0, a=75.0)) == []
    assert below_floor(report(89.9, a=100.0)) == ["all: 89.9 %, below 90 %"]
    assert below_floor(report(95.0, a=74.9, b=80.0)) == ["a: 75 %, below 75 %"]
