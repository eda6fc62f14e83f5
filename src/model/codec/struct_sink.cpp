#include "model/codec/struct_sink.hpp"

#include "model/codec/collected_faults.hpp"
#include "model/codec/nearest_name.hpp"
#include "model/codec/unique_unknown.hpp"

#include <charconv>
#include <cmath>

namespace kftrain::detail {
namespace {

constexpr std::size_t api_version_bit = 254;
constexpr std::size_t kind_bit = 255;

// Two slots that no table describes: a field kept as text, and apiVersion or kind.
constexpr model::descriptor kept_text{model::shape::raw, "any value", nullptr};
constexpr model::descriptor header_text{model::shape::string, "string", nullptr};

std::string& text_of(void* raw) { return static_cast<raw_json*>(raw)->text; }

bool is_integer(std::string_view text, std::int64_t& out) {
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
    return ec == std::errc() && end == text.data() + text.size();
}

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

struct_sink::struct_sink(model::descriptor const& type, void* target, decode_options const& options,
                         decode_budget budget)
    : root_{target, &type}, options_(options), budget_(budget) {
    if (!options_.strict) options_.found = nullptr;
    frames_.reserve(16);
}

struct_sink::slot struct_sink::locate() {
    slot to;
    if (frames_.empty()) {
        to = root_;
    } else if (auto& top = frames_.back(); top.type->kind == model::shape::array) {
        budget_.take(top.type->item_size);
        to = {top.type->append(top.object), top.type->element};
    } else {
        to = next_;
    }
    while (to.type->kind == model::shape::optional) to = {to.type->engage(to.value), to.type->element};
    return to;
}

bool struct_sink::begin_object() { return open(false); }
bool struct_sink::begin_array() { return open(true); }

bool struct_sink::open(bool array) {
    if (budget_.spent()) return too_much();
    slot to;
    if (raw_depth_ == 0) to = locate();
    if (frames_.size() + raw_depth_ >= options_.max_depth)
        return fail(errc::too_deep, "nested deeper than " + std::to_string(options_.max_depth) + " levels");
    if (raw_depth_ == 0) {
        auto const shape_is = to.type->kind;
        if (shape_is != model::shape::raw) {
            bool const fits = array ? shape_is == model::shape::array
                                    : shape_is == model::shape::object || shape_is == model::shape::map;
            if (fits) {
                frames_.push_back({to.value, to.type});
                return true;
            }
            if (!mismatch(*to.type, array ? "a list" : "an object")) return false;
            to.value = &dropped_; // passed over as a whole
        }
        raw_target_ = &text_of(to.value);
        raw_text_.clear();
    }
    ++raw_depth_;
    raw_.begin(array ? '[' : '{');
    return true;
}

bool struct_sink::end_object() {
    if (raw_depth_ != 0) {
        close_raw('}');
        return true;
    }
    auto& top = frames_.back();
    if (top.late) top.type->take_late(top.object, top.late);
    if (top.unknown_count > 1) keep_last_of_each_name(*top.type->unknown(top.object));
    frames_.pop_back();
    return true;
}

bool struct_sink::end_array() {
    if (raw_depth_ != 0)
        close_raw(']');
    else
        frames_.pop_back();
    return true;
}

void struct_sink::close_raw(char bracket) {
    raw_.end(bracket);
    if (--raw_depth_ != 0) return;
    if (raw_text_.size() < 65536)
        *raw_target_ = raw_text_; // one allocation of the right size
    else
        *raw_target_ = std::move(raw_text_);
}

bool struct_sink::key(std::string_view name, bool may_repeat) {
    may_repeat_ = may_repeat;
    if (raw_depth_ != 0) {
        raw_.key(name);
        return true;
    }
    auto& top = frames_.back();
    return top.type->kind == model::shape::map ? map_key(top, name) : object_key(top, name);
}

bool struct_sink::map_key(frame& top, std::string_view name) {
    bool added = false;
    next_ = {top.type->at_key(top.object, top.late, name, top.key, added), top.type->element};
    if (!added) return repeated(next_);
    budget_.take_entry(*top.type);
    return true;
}

bool struct_sink::object_key(frame& top, std::string_view name) {
    std::size_t bit = 0;
    if (auto const* f = top.type->find(name)) {
        if (f->bookkeeping && !options_.keep_managed_fields) return dropped_key(top, name);
        bit = static_cast<std::size_t>(f - top.type->fields.data());
        top.key = f->name;
        next_ = {f->get(top.object), f->type};
    } else if (top.type->info != nullptr && (name == "apiVersion" || name == "kind")) {
        bit = name == "kind" ? kind_bit : api_version_bit;
        top.key = name == "kind" ? "kind" : "apiVersion";
        next_ = {&header_, &header_text};
    } else {
        return unknown_key(top, name);
    }
    if (top.fields_read.test(bit)) return repeated(next_);
    top.fields_read.set(bit);
    return true;
}

bool struct_sink::unknown_key(frame& top, std::string_view name) {
    if (options_.strict) {
        bool const counts = options_.found == nullptr || notable_ != 0; // else nobody would see the text
        std::string const outer = counts ? path_of_top() : std::string();
        dropped_key_ = name;
        top.key = dropped_key_;
        if (!top.unknown_names) top.unknown_names = std::make_unique<std::unordered_set<std::string>>();
        if (!top.unknown_names->emplace(name).second) {
            if (!note_repeated()) return false;
        } else if (counts && !note(errc::unknown_field, unknown_field_message(*top.type, name, outer))) {
            return false;
        }
    }
    if (top.type->unknown != nullptr) {
        auto& [stored, value] = top.type->unknown(top.object)->append(name);
        ++top.unknown_count;
        budget_.take(decode_budget::unknown_entry);
        top.key = stored;
        next_ = {&value, &kept_text};
        return true;
    }
    return dropped_key(top, name);
}

bool struct_sink::dropped_key(frame& top, std::string_view name) {
    dropped_.text.clear();
    dropped_key_ = name;
    top.key = dropped_key_;
    next_ = {&dropped_, &kept_text};
    return true;
}

bool struct_sink::note_repeated() {
    return !options_.strict || may_repeat_ ||
           note(errc::duplicate_field, "duplicate field " + quoted_for_message(frames_.back().key));
}

bool struct_sink::repeated(slot to) {
    if (!note_repeated()) return false;
    if (to.type->reset != nullptr) to.type->reset(to.value);
    return true;
}

bool struct_sink::string(std::string_view s) {
    if (raw_depth_ != 0) {
        raw_.string(s);
        return true;
    }
    if (budget_.spent()) return too_much();
    slot const to = locate();
    switch (to.type->kind) {
    case model::shape::string:
        static_cast<std::string*>(to.value)->assign(s);
        return to.type != &header_text || header_fits();
    case model::shape::text:
        if (to.type->parse(to.value, s)) return true;
        break;
    case model::shape::raw: append_string(s, text_of(to.value)); return true;
    default: break;
    }
    return mismatch(*to.type, quoted_for_message(s));
}

bool struct_sink::header_fits() {
    auto const& top = frames_.back();
    auto const& info = *top.type->info;
    if (header_.empty()) return true;
    std::string const version = info.api_version();
    std::string const kind = info.list ? std::string(info.kind).append("List") : std::string(info.kind);
    bool const is_kind = top.key == "kind";
    if (header_ == (is_kind ? kind : version)) return true;
    return fail(errc::wrong_kind, "expected " + (is_kind ? kind + " of " + version : version + " of " + kind) +
                                      ", got " + quoted_for_message(header_));
}

bool struct_sink::integer(std::int64_t v, std::string_view text) {
    if (raw_depth_ != 0) {
        raw_.token(text);
        return true;
    }
    if (budget_.spent()) return too_much();
    slot const to = locate();
    switch (to.type->kind) {
    case model::shape::integer:
        return to.type->store_integer(to.value, v) || mismatch(*to.type, text, errc::out_of_range);
    case model::shape::number: *static_cast<double*>(to.value) = static_cast<double>(v); return true;
    case model::shape::text:
        if (to.type->store_integer != nullptr)
            return to.type->store_integer(to.value, v) || mismatch(*to.type, text, errc::out_of_range);
        if (to.type->takes_numbers && to.type->parse(to.value, text)) return true;
        break;
    case model::shape::raw: text_of(to.value) = text; return true;
    default: break;
    }
    return mismatch(*to.type, text);
}

bool struct_sink::number(double v, std::string_view text) {
    constexpr double limit = 9223372036854775808.0; // 2^63
    if (raw_depth_ != 0) {
        raw_.token(text);
        return true;
    }
    if (budget_.spent()) return too_much();
    slot const to = locate();
    switch (to.type->kind) {
    case model::shape::integer: {
        if (!(v >= -limit && v < limit)) return mismatch(*to.type, text, errc::out_of_range);
        if (v != std::trunc(v)) break;
        bool const fits = to.type->store_integer(to.value, static_cast<std::int64_t>(v));
        return fits || mismatch(*to.type, text, errc::out_of_range);
    }
    case model::shape::number: {
        // The JSON parser's own value may be off by the last bit.
        double exact = v;
        std::from_chars(text.data(), text.data() + text.size(), exact);
        if (!std::isfinite(exact)) return mismatch(*to.type, text, errc::out_of_range);
        *static_cast<double*>(to.value) = exact;
        return true;
    }
    case model::shape::text:
        if (std::int64_t whole = 0; to.type->store_integer != nullptr && is_integer(text, whole)) // 80.0 of YAML
            return to.type->store_integer(to.value, whole) || mismatch(*to.type, text, errc::out_of_range);
        if (to.type->takes_numbers && to.type->parse(to.value, text)) return true;
        break;
    case model::shape::raw: text_of(to.value) = text; return true;
    default: break;
    }
    return mismatch(*to.type, text);
}

bool struct_sink::boolean(bool v) {
    std::string_view const text = v ? "true" : "false";
    if (raw_depth_ != 0) {
        raw_.token(text);
        return true;
    }
    if (budget_.spent()) return too_much();
    slot const to = locate();
    if (to.type->kind == model::shape::boolean)
        *static_cast<bool*>(to.value) = v;
    else if (to.type->kind == model::shape::raw)
        text_of(to.value) = text;
    else
        return mismatch(*to.type, text);
    return true;
}

bool struct_sink::null() {
    if (raw_depth_ != 0) {
        raw_.token("null");
        return true;
    }
    if (frames_.empty()) return root_.type->kind == model::shape::raw || mismatch(*root_.type, "null");
    if (budget_.spent()) return too_much();
    auto& top = frames_.back();
    if (top.type->kind == model::shape::array) {
        budget_.take(top.type->item_size);
        top.type->append(top.object);
    } else if (next_.type == &kept_text) {
        text_of(next_.value) = "null";
    }
    return true;
}

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
