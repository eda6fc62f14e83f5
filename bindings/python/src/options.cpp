#include "options.hpp"

#include "errors.hpp"

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::python {
namespace {

/// Longer limits than a century, in seconds, are no limits.
constexpr double longest_limit = 3e9;

std::string duration_text(py::handle number, std::string const& option) {
    double seconds = PyFloat_AsDouble(number.ptr());
    if (seconds == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (std::isnan(seconds)) throw py::value_error(option + ": expected a number of seconds, got nan");
    if (seconds >= longest_limit) return "0";                               // none for the library
    seconds = std::max(seconds, option.ends_with("timeout") ? 0.001 : 0.0); // a time that has passed is a limit, too
    std::array<char, 24> text; // unlike std::to_string(), std::to_chars() ignores the locale of the program
    auto const end = std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed, 6).ptr;
    return {text.data(), end};
}

std::int64_t integer_of(py::handle number, std::string const& option, std::string_view type) {
    auto const value = PyNumber_AsSsize_t(number.ptr(), PyExc_OverflowError);
    if (value != -1 || PyErr_Occurred() == nullptr) return value;
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw py::error_already_set();
    PyErr_Clear();
    throw py::value_error(option + ": expected " + std::string(type) + ", got " + py::str(number).cast<std::string>());
}

/// Returns `a, b or c`.
std::string listed(std::vector<std::string_view> const& names) {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i)
        all.append(i == 0 ? "" : i + 1 < names.size() ? ", " : " or ").append(names[i]);
    return all;
}

/// Returns the type and value of an object for a message.
std::string shown(py::handle object) {
    return std::string("the ") + Py_TYPE(object.ptr())->tp_name + " " + py::repr(object).cast<std::string>();
}

void set(value_ref const& option, py::handle to, std::string const& name) {
    auto const type = option.type();
    if (type.kind() == value_kind::list) {
        option.reset();
        for (auto const item : to) set(unwrap(option.append()), item, name);
    } else if ((type.kind() == value_kind::object || type.kind() == value_kind::map) && PyDict_Check(to.ptr())) {
        set_options(option, py::reinterpret_borrow<py::kwargs>(to), name);
    } else if (type.name() == "duration") {
        unwrap(option.set(duration_text(to, name)), name);
    } else if (PyBool_Check(to.ptr())) {
        unwrap(option.set(to.cast<bool>()), name);
    } else if (PyIndex_Check(to.ptr()) != 0) {
        unwrap(option.set(integer_of(to, name, type.name())), name);
    } else if (PyUnicode_Check(to.ptr())) {
        auto const text = to.cast<std::string>();
        auto const names = type.enumerators();
        if (!names.empty() && std::ranges::find(names, text) == names.end())
            throw py::value_error(name + ": expected " + listed(names) + ", got '" + text + "'");
        if (type.name() == "job kind") (void)unwrap(find_job_kind(text), name); // whose failure names the kinds
        unwrap(option.set(text), name);
    } else {
        throw py::type_error(name + ": expected " + std::string(type.name()) + ", got " + shown(to));
    }
}

} // namespace

std::int32_t int32_of(std::int64_t number) {
    if (std::in_range<std::int32_t>(number)) return static_cast<std::int32_t>(number);
    throw py::value_error("the number of replicas: expected at most 2147483647, got " + std::to_string(number));
}

void set_options(value_ref options, py::kwargs const& given, std::string const& map) {
    bool const is_map = options.type().kind() == value_kind::map;
    for (auto const& [key, to] : given) {
        auto const name = key.cast<std::string>();
        if (to.is_none()) continue;
        auto const whole = is_map ? map + "[" + name + "]" : name;
        set(unwrap(is_map ? options.insert(std::string_view(name)) : options.at(std::string_view(name))), to, whole);
    }
}

} // namespace kftrain::python
