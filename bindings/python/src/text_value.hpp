#ifndef KFTRAIN_PYTHON_TEXT_VALUE_HPP
#define KFTRAIN_PYTHON_TEXT_VALUE_HPP

#include <kftrain/model/value_ref.hpp>

#include <pybind11/pybind11.h>

#include <string>

namespace kftrain::python {

/// Returns a value with a textual form as Python has it: a datetime, a timedelta, bytes, a Quantity, an int or a str.
/// @pre `v.kind()` is `text`, and the value is not absent.
pybind11::object python_text(const_value_ref const& v);
/// Returns JSON as Python has it; None for an empty text.
pybind11::object python_json(std::string const& text);

} // namespace kftrain::python

#endif
