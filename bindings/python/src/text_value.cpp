#include "text_value.hpp"

#include "errors.hpp"

#include <kftrain/model/scalars.hpp>

#include <chrono>

namespace kftrain::python {
namespace {

namespace py = pybind11;

/// The module `datetime` and what is needed of it.
struct datetime_module {
    py::object datetime, timedelta, utc, epoch;
};

datetime_module const& datetimes() {
    // Never freed: the interpreter may be gone when static objects are destroyed.
    static auto const* const all = [] {
        auto const m = py::module_::import("datetime");
        auto* made = new datetime_module{m.attr("datetime"), m.attr("timedelta"), m.attr("timezone").attr("utc"), {}};
        made->epoch = made->datetime(1970, 1, 1, 0, 0, 0, 0, made->utc);
        return made;
    }();
    return *all;
}

py::object python_time(std::string const& text) {
    micro_time t{};
    if (!parse_scalar(text, t)) return python_str(text);
    auto const since = t.time_since_epoch();
    auto const days = std::chrono::floor<std::chrono::days>(since);
    auto const rest = since - days;
    auto const seconds = std::chrono::floor<std::chrono::seconds>(rest);
    auto const& m = datetimes();
    return m.epoch + m.timedelta(days.count(), seconds.count(), (rest - seconds).count());
}

py::object python_duration(std::string const& text) {
    duration d{};
    if (!parse_scalar(text, d)) return python_str(text);
    auto const micros = std::chrono::floor<std::chrono::microseconds>(d).count();
    return datetimes().timedelta(0, micros / 1'000'000, micros % 1'000'000);
}

py::object python_quantity(std::string const& text) {
    if (text.empty()) return py::none();
    static auto* const of = new py::object(py::module_::import("kftrain._quantity").attr("_of"));
    return (*of)(python_str(text));
}

} // namespace

/// The textual types, by the names that messages use.
py::object python_text(const_value_ref const& v) {
    auto text = *v.text();
    auto const name = v.type().name();
    if (name == "RFC 3339 time") return python_time(text);
    if (name == "duration") return python_duration(text);
    if (name == "quantity") return python_quantity(text);
    if (name == "base64") {
        bytes decoded;
        return parse_scalar(text, decoded) ? py::object(py::bytes(decoded.data)) : python_str(text);
    }
    // A number is written without quotes.
    if (name == "an integer or a string" && v.to_json() == text) return py::int_(std::stol(text));
    return python_str(text);
}

py::object python_json(std::string const& text) {
    if (text.empty()) return py::none();
    static auto* const loads = new py::object(py::module_::import("json").attr("loads"));
    return (*loads)(python_str(text));
}

} // namespace kftrain::python
