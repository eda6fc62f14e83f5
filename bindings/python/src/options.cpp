#include "options.hpp"

#include "errors.hpp"

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace kftrain::python {
namespace {

/// Longer limits than a century are no limits, and 0 is none for the library.
std::string duration_text(double seconds) { return seconds < 3e9 ? std::to_string(seconds) : "0"; }

void set(value_ref const& option, py::handle to) {
    auto const type = option.type();
    if (type.kind() == value_kind::list) {
        option.reset();
        for (auto const item : to) set(unwrap(option.append()), item);
    } else if (type.name() == "duration") {
        unwrap(option.set(duration_text(to.cast<double>())));
    } else if (PyBool_Check(to.ptr())) {
        unwrap(option.set(to.cast<bool>()));
    } else if (PyLong_Check(to.ptr())) {
        unwrap(option.set(to.cast<std::int64_t>()));
    } else {
        auto const text = to.cast<std::string>();
        if (type.name() == "job kind") (void)unwrap(find_job_kind(text)); // whose failure names the kinds
        unwrap(option.set(text));
    }
}

} // namespace

void set_options(value_ref options, py::kwargs const& given) {
    for (auto const& [key, to] : given) {
        auto const name = key.cast<std::string>();
        if (to.is_none()) continue;
        auto const option = unwrap(options.at(std::string_view(name)));
        // A time limit that has passed is one, and not 0.
        bool const is_limit = name == "timeout";
        set(option, is_limit ? py::float_(std::max(to.cast<double>(), 0.001)) : py::reinterpret_borrow<py::object>(to));
    }
}

} // namespace kftrain::python
