"""The classes of results, such as `JobChange` and `Explanation`, for annotations. They are made from the tables of the
library."""

from ._record import result_classes

_classes = {cls.__name__: cls for cls in result_classes().values()}
__all__ = sorted(_classes)  # pyright: ignore[reportUnsupportedDunderAll]
globals().update(_classes)
