#ifndef KFTRAIN_PYTHON_OPTIONS_HPP
#define KFTRAIN_PYTHON_OPTIONS_HPP

#include <kftrain/model/value_ref.hpp>

#include <pybind11/pybind11.h>

#include <cstdint>

namespace kftrain::python {

namespace py = pybind11;

/// Sets members of options by their names; None leaves the default. Durations are in seconds. `map` is the name of
/// `options` in messages if it is a map.
void set_options(value_ref options, py::kwargs const& given, std::string const& map = {});

/// Returns the number; raises ValueError if it does not fit.
std::int32_t int32_of(std::int64_t number);

template <described Options> Options options_of(py::kwargs const& given) {
    Options options;
    set_options(value_ref(options), given);
    return options;
}

} // namespace kftrain::python

#endif
