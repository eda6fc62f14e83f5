#include "model/codec/collected_faults.hpp"
#include "model/codec/struct_sink.hpp"

namespace kftrain::detail {
namespace {

std::string_view expectation(model::descriptor const& d) noexcept {
    switch (d.kind) {
    case model::shape::object:
    case model::shape::map: return "an object";
    case model::shape::array: return "a list";
    default: return d.name == "an integer or a string" ? "an integer of 32 bits or a string" : d.name;
    }
}

bool loses_value(error_code const& code) { return is_type_fault(code) || code == errc::duplicate_field; }

} // namespace

bool struct_sink::too_much() { return fail(errc::too_large, decode_budget::message(options_)); }

/// If faults are collected, decoding continues after this one. The first type mismatch and the first repeated field
/// always have room, because values are lost.
bool struct_sink::note(errc code, std::string message) {
    if (options_.found == nullptr) return fail(code, std::move(message));
    bool const loses = loses_value(code);
    bool& noted = code == errc::duplicate_field ? repeat_noted_ : mismatch_noted_;
    bool const first = loses && !noted;
    if (loses) noted = true;
    if (notable_ == 0 && !first) return true;
    failure f(code, {});
    f.detail.message = std::move(message);
    f.detail.path = path();
    if (place_) place_(f.detail);
    auto& all = *options_.found;
    if (notable_ == 0)
        all.erase(all.end() - (loses_value(all.back().code) ? 2 : 1));
    else
        --notable_;
    all.push_back(std::move(f));
    return true;
}

bool struct_sink::mismatch(model::descriptor const& expected, std::string_view got, errc code) {
    if (notable_ == 0 && mismatch_noted_) return true; // the text would not be reported
    std::string message = "expected ";
    message += expectation(expected);
    message += ", got ";
    bool const cut = got.front() != '"' && got.size() > 64;
    message += cut ? got.substr(0, 64) : got;
    if (cut) message += "...";
    return note(code, std::move(message));
}

bool struct_sink::fail(errc code, std::string message) {
    failure_.code = code;
    failure_.detail.message = std::move(message);
    failure_.detail.path = path();
    return false;
}

std::string struct_sink::path() const { return path_through(frames_.size()); }

std::string struct_sink::path_of_top() const { return path_through(frames_.size() - 1); }

std::string struct_sink::path_through(std::size_t frames) const {
    std::string text;
    for (std::size_t i = 0; i < frames; ++i) {
        auto const& f = frames_[i];
        if (f.type->kind != model::shape::array)
            append_path_key(f.key, text);
        else if (std::size_t const size = f.type->size(f.object); size != 0)
            append_path_index(size - 1, text);
    }
    return text;
}

} // namespace kftrain::detail
