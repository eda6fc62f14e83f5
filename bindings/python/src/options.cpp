#include "options.hpp"

#include "errors.hpp"

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
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
    bool const is_limit = option.ends_with("timeout");
    if (seconds < 0 && !is_limit)
        throw py::value_error(option + ": expected at least 0 seconds, got " + py::str(number).cast<std::string>());
    if (seconds >= longest_limit) return "0";                // none for the library
    seconds = std::max(seconds, is_limit ? 0.001 : seconds); // a time that has passed is a limit, too
    std::array<char, 24> text; // unlike std::to_string(), std::to_chars() ignores the locale of the program
    auto const end = std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed, 6).ptr;
    return {text.data(), end};
}

/// Returns the type and value of an object for a message.
std::string shown(py::handle object) {
    return std::string("the ") + Py_TYPE(object.ptr())->tp_name + " " + py::repr(object).cast<std::string>();
}

/// Returns the range of a type of integers.
std::pair<std::int64_t, std::int64_t> range_of(std::string_view type) {
    if (type == "uint16") return {0, std::numeric_limits<std::uint16_t>::max()};
    if (type == "uint32") return {0, std::numeric_limits<std::uint32_t>::max()};
    if (type == "int32") return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
}

std::int64_t integer_of(py::handle number, std::string const& option, std::string_view type) {
    auto const [least, most] = range_of(type);
    auto const value = PyNumber_AsSsize_t(number.ptr(), PyExc_OverflowError);
    bool const failed = value == -1 && PyErr_Occurred() != nullptr;
    if (!failed && value >= least && value <= most) return value;
    if (failed && PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw py::error_already_set();
    PyErr_Clear();
    throw py::value_error(option + ": expected " + std::to_string(least) + " to " + std::to_string(most) + ", got " +
                          py::str(number).cast<std::string>());
}

/// Returns a text as UTF-8, without NUL characters: the names of files and programs end at them.
std::string text_of(py::handle text, std::string const& option) {
    Py_ssize_t size = 0;
    auto const* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) PyErr_Clear();
    std::string made(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(size));
    if (bytes != nullptr && made.find('\0') == std::string::npos) return made;
    throw py::value_error(option + ": expected a text without " +
                          (bytes == nullptr ? "lone surrogates" : "NUL characters") + ", got " +
                          py::repr(text).cast<std::string>());
}

/// Returns the name of the argument that sets an option.
std::string argument_of(std::string const& option) {
    using name = std::pair<std::string_view, std::string_view>;
    constexpr std::array names{name("continue_", "continue_token"),
                               name("total_timeout", "timeout"),
                               name("tail_lines", "tail"),
                               name("since_seconds", "since"),
                               name("resume_after", "position"),
                               name("propagation_policy", "propagation"),
                               name("grace_period_seconds", "grace_period")};
    auto const* const found = std::ranges::find(names, option, &name::first);
    return found == names.end() ? option : std::string(found->second);
}

/// Returns `a, b or c`.
std::string listed(std::vector<std::string_view> const& names) {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i)
        all.append(i == 0 ? "" : i + 1 < names.size() ? ", " : " or ").append(names[i]);
    return all;
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
        auto const text = text_of(to, name);
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
        auto const name = text_of(key, map);
        if (to.is_none()) continue;
        auto const whole = is_map ? map + "[" + name + "]" : argument_of(name);
        set(unwrap(is_map ? options.insert(std::string_view(name)) : options.at(std::string_view(name))), to, whole);
    }
}

} // namespace kftrain::python
