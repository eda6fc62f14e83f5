#ifndef KFTRAIN_PYTHON_ERRORS_HPP
#define KFTRAIN_PYTHON_ERRORS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace kftrain::python {

/// Returns a str. Output of programs may not be UTF-8: what is not is replaced by U+FFFD.
inline pybind11::str python_str(std::string_view text) {
    auto* const made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) throw pybind11::error_already_set();
    return pybind11::reinterpret_steal<pybind11::str>(made);
}

/// Returns the exception of `kftrain._errors` for a failure. `prefix` is the path of the value that `detail.path` is
/// relative to. @pre The calling thread holds the GIL.
pybind11::object exception_of(failure why, std::string const& prefix = {});
/// Raises exception_of().
[[noreturn]] void raise(failure why, std::string const& prefix = {});

/// Returns the value, or raises its failure.
template <class T> T unwrap(result<T> r, std::string const& prefix = {}) {
    if (!r) raise(std::move(r.error()), prefix);
    if constexpr (!std::is_void_v<T>) return std::move(*r);
}

} // namespace kftrain::python

#endif
