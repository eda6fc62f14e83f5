import copy
import json
import pickle
from decimal import Decimal

import pytest

import kftrain
from kftrain import Quantity
from kftrain.models.core import Container, EmptyDirVolumeSource, ResourceRequirements

# Text, amount and format, from the tests of apimachinery v0.31, pkg/api/resource/quantity_test.go.
PARSED = [
    ("0", "0", "DecimalSI"),
    ("0Ki", "0", "BinarySI"),
    ("1Ki", 1024, "BinarySI"),
    ("7Mi", 7 * 1024**2, "BinarySI"),
    ("3Ei", 3 * 1024**6, "BinarySI"),
    ("5n", "5e-9", "DecimalSI"),
    ("4u", "4e-6", "DecimalSI"),
    ("3m", "3e-3", "DecimalSI"),
    ("50k", 50_000, "DecimalSI"),
    ("300T", 300 * 10**12, "DecimalSI"),
    ("1E", 10**18, "DecimalSI"),
    ("1E-3", "1e-3", "DecimalExponent"),
    ("1e3", 1000, "DecimalExponent"),
    ("1.3E+6", 1_300_000, "DecimalExponent"),
    ("100.035k", 100_035, "DecimalSI"),
    ("0.0005k", "0.5", "DecimalSI"),
    ("0.05000", "0.05", "DecimalSI"),
    ("3.001n", "4e-9", "DecimalSI"),
    ("1.1E-9", "2e-9", "DecimalExponent"),
    ("0.00000012345", "124e-9", "DecimalSI"),
    ("9Ei", 2**63 - 1, "BinarySI"),
    ("100.035Ki", "102435.84", "BinarySI"),
    ("0.025Ti", "27487790694.4", "BinarySI"),
    ("0.000000000001Ki", "2e-9", "DecimalSI"),
    (".001", "0.001", "DecimalSI"),
    ("1.G", 10**9, "DecimalSI"),
]


@pytest.mark.parametrize("text, amount, format", PARSED)
def test_a_text_has_its_amount(text, amount, format):
    for sign in ("", "-", "+"):
        quantity = Quantity(sign + text)
        expected = Decimal(amount) * (-1 if sign == "-" else 1)
        assert quantity.as_decimal() == expected and quantity == expected
        assert quantity.format == format
        assert str(quantity) == sign + text


# As a server writes them.
CANONICAL = [
    ("1024Mi", "1Gi"),
    ("1000Ki", "1000Ki"),
    ("1.5Gi", "1536Mi"),
    ("0.5", "500m"),
    ("1000m", "1"),
    ("1500000k", "1500M"),
    ("0.5Ki", "512"),
    ("12e6", "12e6"),
    ("1200e4", "12e6"),
    ("0Gi", "0"),
]


@pytest.mark.parametrize("text, canonical", CANONICAL)
def test_the_canonical_text_is_that_of_a_server(text, canonical):
    assert str(Quantity(text).canonical()) == canonical
    assert Quantity(text).canonical() == Quantity(text)


@pytest.mark.parametrize("text", ["", "a", "1 Gi", "1gi", "Gi", ".", "-", "1e", "1ee3", "0x1", "1e99999", "nan", "1_0"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match="expected a quantity such as '250m'"):
        Quantity(text)


def test_numbers_become_quantities():
    assert [str(Quantity(n)) for n in (0, 2, -3, 1.5, 0.1, Decimal("0.25"), 2000)] == [
        *("0", "2", "-3", "1500m", "100m", "250m", "2k")
    ]
    assert str(Quantity(1.5 * 1024**3, "BinarySI")) == "1536Mi"
    assert str(Quantity(10**40)) == "10000000000000000000000E"
    assert str(Quantity("1Gi", format="DecimalSI")) == "1073741824"
    assert str(Quantity("3M").to_format("DecimalExponent")) == "3e6"
    for wrong in (float("inf"), float("nan"), Decimal("NaN")):
        with pytest.raises(ValueError, match="expected a finite number"):
            Quantity(wrong)
    with pytest.raises(TypeError):
        Quantity([1])
    with pytest.raises(ValueError, match="format: expected DecimalSI"):
        Quantity(1, "binary")


def test_quantities_add_and_subtract():
    assert str(Quantity("1Gi") + Quantity("512Mi")) == "1536Mi"
    assert str(Quantity("250m") + "750m") == "1"
    assert str(Quantity("1Gi") - "1Mi") == "1023Mi"
    assert str(Quantity("1") - "1500m") == "-500m"
    assert str(Quantity("1") + 1) == str(1 + Quantity("1")) == "2"
    assert str(2 - Quantity("500m")) == "1500m"
    assert str("2" - Quantity("500m")) == "1500m"
    assert str(-Quantity("1Gi")) == "-1Gi" and abs(-Quantity("1Gi")) == +Quantity("1Gi") == "1Gi"
    # Zero takes the format of the other operand.
    for text in ("100m", "1Gi"):
        assert str(Quantity("0") + text) == str(Quantity(text) + "0") == str(Quantity(text) - "0") == text
        assert str(Quantity("0") - text) == "-" + text
    assert str(sum([Quantity("1Gi"), Quantity("1Gi")])) == "2Gi"
    assert str(Quantity("2Ki") - Quantity("1025")) == "1023"
    assert (Quantity("2Ki") - "1025" + 1).format == "BinarySI"


def test_quantities_are_multiplied_and_divided():
    assert str(Quantity("250m") * 3) == str(3 * Quantity("250m")) == "750m"
    assert str(Quantity("1Gi") * 0.5) == "512Mi"
    assert str(Quantity("1") * Decimal("0.1")) == str(Quantity("1") * 0.1) == "100m"
    assert str(Quantity("1Gi") / 4) == "256Mi"
    assert str(Quantity("1") / 3) == "333333334n" and str(Quantity("-1") / 3) == "-333333334n"
    assert str(Quantity("1") / -0.5) == "-2"
    assert Quantity("2Gi") / Quantity("512Mi") == 4.0 and isinstance(Quantity("1") / "2", float)
    assert Quantity("4") // "1500m" == 2 and Quantity("4") // 1.5 == 2
    with pytest.raises(ZeroDivisionError):
        Quantity("1") / 0
    with pytest.raises(ZeroDivisionError):
        Quantity("1") / Quantity("0")
    for wrong in ("2", Quantity("2"), None, [1]):
        with pytest.raises(TypeError):
            Quantity("2") * wrong
    for wrong in (None, [1]):
        with pytest.raises(TypeError):
            Quantity("2") + wrong


def test_quantities_compare_by_amount():
    # From the same tests: what is larger comes first.
    assert Quantity("100m") > Quantity("50m") and Quantity("10000T") > Quantity("100Gi")
    assert Quantity("1Gi") == Quantity("1024Mi") == "1024Mi" == Quantity("1Gi")
    assert Quantity("1") == 1 == Quantity("1000m") and Quantity("0.5") == 0.5 and Quantity("1") != 2
    assert Quantity("9") < "10" and Quantity("9") < 10 and "9" < Quantity("10") and Quantity("2") <= "2000m"
    assert Quantity("1") != "one" and Quantity("1") is not None and Quantity("1") != None  # noqa: E711
    assert sorted(map(Quantity, ["1Gi", "1G", "500m", "2"])) == ["500m", "2", "1G", "1Gi"]
    assert max("1500m", Quantity("1"), key=Quantity) == "1500m"
    assert len({Quantity("1"), Quantity("1000m"), Quantity("1e0"), 1}) == 1
    with pytest.raises(TypeError):
        assert Quantity("1") < None
    with pytest.raises(ValueError):
        assert Quantity("1") + "one"


def test_conversions_follow_kubernetes():
    # Whole units and thousandths are rounded away from zero.
    assert [int(Quantity(q)) for q in ("250m", "-250m", "1001m", "1Gi", "0")] == [1, -1, 2, 1024**3, 0]
    assert [Quantity(q).milli() for q in ("1.5", "1u", "-1u", "2k")] == [1500, 1, -1, 2_000_000]
    assert float(Quantity("250m")) == 0.25 and bool(Quantity("1n")) and not Quantity("0Gi")


def test_a_quantity_is_a_text():
    quantity = Quantity("250m")
    assert isinstance(quantity, str) and f"{quantity}" == "cpu=250m"[4:] and "cpu=" + quantity == "cpu=250m"
    assert json.dumps({"cpu": quantity}) == '{"cpu": "250m"}'
    assert repr(quantity) == "Quantity('250m')"
    difference = Quantity("2Ki") - "1Ki" - 1
    for same in (pickle.loads(pickle.dumps(difference)), copy.copy(difference), copy.deepcopy(difference)):
        assert (same, str(same), same.format) == (1023, "1023", "BinarySI")
    with pytest.raises(AttributeError):
        quantity.other = 1


def test_models_have_quantities():
    resources = ResourceRequirements(limits={"cpu": "1500m", "memory": Quantity("1Gi"), "nvidia.com/gpu": 8})
    assert all(isinstance(value, Quantity) for value in resources.limits.values())
    assert resources.limits == {"cpu": 1.5, "memory": 1024**3, "nvidia.com/gpu": 8}
    resources.limits["cpu"] *= 2
    resources.requests["memory"] = resources.limits["memory"] / 2
    assert resources.to_dict() == {
        "limits": {"cpu": "3", "memory": "1Gi", "nvidia.com/gpu": "8"},
        "requests": {"memory": "512Mi"},
    }
    with pytest.raises(kftrain.ParseError):
        resources.limits["cpu"] = "much"
    volume = EmptyDirVolumeSource()
    assert volume.size_limit is None
    volume.size_limit = Quantity("1Gi") + "1Gi"
    assert volume.size_limit == "2Gi" and volume.to_dict() == {"sizeLimit": "2Gi"}
    total = sum(c.resources.limits["cpu"] for c in [Container(resources={"limits": {"cpu": "250m"}})] * 3)
    assert total == Quantity("750m")
