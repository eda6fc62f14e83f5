"""Amounts of resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union, overload

from . import _core

if TYPE_CHECKING:
    from decimal import Decimal

Number = Union[int, float, "Decimal"]
QuantityLike = Union[str, Number]

FORMATS = ("DecimalSI", "BinarySI", "DecimalExponent")

_NANO = -9
_new_text: Any = str.__new__


class Quantity(str):
    """An amount such as ``250m`` or ``1Gi``, as Kubernetes defines it: a text that compares and computes by its value.

    ``Quantity("1Gi") == Quantity("1024Mi")``, and ``Quantity("1Gi") == "1024Mi"``. Computed quantities have the
    canonical text, in the format of the left operand; others keep their spelling, which `canonical` normalizes.
    Amounts are exact, and what is finer than one nano unit is rounded away from zero.

    Args:
        value: A text, an integer, a float or a `decimal.Decimal`.
        format: ``DecimalSI`` (``12M``), ``BinarySI`` (``12Mi``) or ``DecimalExponent`` (``12e6``); None: that of the
            text, and ``DecimalSI`` for numbers.
    """

    __slots__ = ("_parts",)
    _parts: tuple[int, int, str]  # digits, decimal exponent, format; set when it is used first

    def __new__(cls, value: QuantityLike = 0, format: str | None = None) -> Quantity:
        if format is not None and format not in FORMATS:
            raise ValueError(f"format: expected {', '.join(FORMATS)}, got {format!r}")
        if isinstance(value, str):
            made: Quantity = _new_text(cls, value)
            made._amount()
            return made if format is None else made.to_format(format)
        digits, exponent = _number(value)
        return _computed(digits, exponent, format or "DecimalSI")

    def _amount(self) -> tuple[int, int, str]:
        try:
            return self._parts
        except AttributeError:
            pass
        text = str(self)
        amount = _core.quantity_amount(text)
        if amount is None:
            raise ValueError(f"expected a quantity such as '250m' or '1Gi', got {text!r}")
        digits, _, exponent = amount.partition("e")
        self._parts = (int(digits), int(exponent or 0), _format_of(text))
        if self._parts[2] == "BinarySI" and 0 < abs(float(self)) < 1:  # binary units have no fractions
            self._parts = (*self._parts[:2], "DecimalSI")
        return self._parts

    @property
    def format(self) -> str:  # type: ignore[override]
        """``DecimalSI``, ``BinarySI`` or ``DecimalExponent``."""
        return self._amount()[2]

    def canonical(self) -> Quantity:
        """Returns the quantity as a server writes it: ``1024Mi`` is ``1Gi``, and ``0.5`` is ``500m``."""
        made: Quantity = _new_text(Quantity, _core.quantity_canonical(str(self)))
        made._parts = self._amount()
        return made

    def to_format(self, format: str) -> Quantity:
        """Returns the same amount with the canonical text of a format."""
        return Quantity(0, format)._with(*self._amount()[:2])

    def as_decimal(self) -> Decimal:
        """Returns the exact amount."""
        from decimal import Decimal

        digits, exponent, _ = self._amount()
        return Decimal((int(digits < 0), tuple(map(int, str(abs(digits)))), exponent))

    def __int__(self) -> int:
        """Returns the amount in whole units, rounded away from zero, as Kubernetes does: ``250m`` is 1."""
        digits, exponent, _ = self._amount()
        return _scaled(digits, exponent)

    def milli(self) -> int:
        """Returns the amount in thousandths, rounded away from zero: ``1.5`` is 1500."""
        digits, exponent, _ = self._amount()
        return _scaled(digits, exponent + 3)

    def __float__(self) -> float:
        digits, exponent, _ = self._amount()
        return float(f"{digits}e{exponent}")

    def __bool__(self) -> bool:
        return self._amount()[0] != 0

    def _with(self, digits: int, exponent: int) -> Quantity:
        return _computed(digits, exponent, self._amount()[2])

    def __neg__(self) -> Quantity:
        digits, exponent, _ = self._amount()
        return self._with(-digits, exponent)

    def __pos__(self) -> Quantity:
        return self

    def __abs__(self) -> Quantity:
        return -self if self._amount()[0] < 0 else self

    def __add__(self, other: QuantityLike) -> Quantity:
        right = _quantity(other)
        if right is None:
            return NotImplemented
        return _sum(self, right, 1)

    def __radd__(self, other: Number) -> Quantity:
        # A text on the left is concatenated.
        left = None if isinstance(other, str) else _quantity(other)
        if left is None:
            return NotImplemented
        return _sum(left, self, 1)

    def __sub__(self, other: QuantityLike) -> Quantity:
        right = _quantity(other)
        if right is None:
            return NotImplemented
        return _sum(self, right, -1)

    def __rsub__(self, other: QuantityLike) -> Quantity:
        left = _quantity(other)
        if left is None:
            return NotImplemented
        return _sum(left, self, -1)

    def __mul__(self, factor: Number) -> Quantity:  # type: ignore[override]
        if isinstance(factor, str) or not _is_number(factor):
            return NotImplemented
        digits, exponent, _ = self._amount()
        by, power = _number(factor)
        return self._with(digits * by, exponent + power)

    __rmul__ = __mul__  # type: ignore[assignment]

    @overload
    def __truediv__(self, other: str) -> float: ...
    @overload
    def __truediv__(self, other: Number) -> Quantity: ...
    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, str):
            over, under = _aligned(self, Quantity(other))
            return over / under
        if not _is_number(other):
            return NotImplemented
        digits, exponent, _ = self._amount()
        by, power = _number(other)
        shift = exponent - power - _NANO
        over, under = (digits * 10**shift, by) if shift >= 0 else (digits, by * 10**-shift)
        return self._with(_rounded(over, under), _NANO)

    def __floordiv__(self, other: QuantityLike) -> int:
        """Returns how many times another quantity fits: ``Quantity("4") // "1500m"`` is 2."""
        right = _quantity(other)
        if right is None:
            return NotImplemented
        over, under = _aligned(self, right)
        return over // under

    def _compare(self, other: object) -> int | None:
        right = _quantity(other, checked=False)
        if right is None:
            return None
        over, under = _aligned(self, right)
        return (over > under) - (over < under)

    def __eq__(self, other: object) -> bool:
        order = self._compare(other)
        if order is None:
            return NotImplemented
        return order == 0

    def __ne__(self, other: object) -> bool:
        order = self._compare(other)
        if order is None:
            return NotImplemented
        return order != 0

    def __lt__(self, other: QuantityLike) -> bool:
        order = self._compare(other)
        if order is None:
            return NotImplemented
        return order < 0

    def __le__(self, other: QuantityLike) -> bool:
        order = self._compare(other)
        if order is None:
            return NotImplemented
        return order <= 0

    def __gt__(self, other: QuantityLike) -> bool:
        order = self._compare(other)
        if order is None:
            return NotImplemented
        return order > 0

    def __ge__(self, other: QuantityLike) -> bool:
        order = self._compare(other)
        if order is None:
            return NotImplemented
        return order >= 0

    def __hash__(self) -> int:
        # That of the same number.
        return hash(self.as_decimal())

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"

    def __reduce__(self) -> Any:
        return _restore, (str(self), self.format)


def _of(text: str) -> Quantity:
    """The quantity of a model, without a check."""
    made: Quantity = _new_text(Quantity, text)
    return made


def _restore(text: str, format: str) -> Quantity:
    made = Quantity(text)
    made._parts = (*made._amount()[:2], format)
    return made


def _computed(digits: int, exponent: int, format: str) -> Quantity:
    made = _of(_core.quantity_text(f"{digits}e{exponent}", FORMATS.index(format)))
    made._parts = (*made._amount()[:2], format)
    return made


def _format_of(text: str) -> str:
    if text.endswith("i"):
        return "BinarySI"
    return "DecimalExponent" if text[-1:].isdigit() and "e" in text.lower() else "DecimalSI"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) or (not isinstance(value, str) and hasattr(value, "as_tuple"))


def _number(value: Any) -> tuple[int, int]:
    """Digits and decimal exponent of a number; of a float those that Python prints."""
    if isinstance(value, int):
        return int(value), 0
    if isinstance(value, float):
        from decimal import Decimal

        value = Decimal(repr(value))
    if not hasattr(value, "as_tuple"):
        raise TypeError(f"expected a quantity or a number, got {type(value).__name__}")
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"expected a finite number, got {value}")
    amount = int("".join(map(str, digits)) or 0)
    return -amount if sign else amount, exponent


def _quantity(value: object, checked: bool = True) -> Quantity | None:
    """The quantity of an operand; None if it is none. ``checked`` raises ValueError for a text that is none."""
    if isinstance(value, Quantity):
        return value
    if isinstance(value, str):
        if not checked and _core.quantity_amount(value) is None:
            return None
        return Quantity(value)
    if not _is_number(value) or value in (float("inf"), float("-inf")) or value != value:
        return None
    made = _of("0")
    made._parts = (*_number(value), "DecimalSI")
    return made


def _aligned(a: Quantity, b: Quantity) -> tuple[int, int]:
    """Both amounts in the same unit."""
    digits, exponent, _ = a._amount()
    others, power, _ = b._amount()
    unit = min(exponent, power)
    return digits * 10 ** (exponent - unit), others * 10 ** (power - unit)


def _sum(a: Quantity, b: Quantity, sign: int) -> Quantity:
    left, right = _aligned(a, b)
    unit = min(a._amount()[1], b._amount()[1])
    return _computed(left + sign * right, unit, a.format if left else b.format)


def _rounded(over: int, under: int) -> int:
    """The quotient, rounded away from zero."""
    if under < 0:
        over, under = -over, -under
    return -(-over // under) if over > 0 else over // under


def _scaled(digits: int, exponent: int) -> int:
    return digits * _power(exponent) if exponent >= 0 else _rounded(digits, _power(-exponent))


def _power(exponent: int) -> int:
    result: int = 10**exponent
    return result
