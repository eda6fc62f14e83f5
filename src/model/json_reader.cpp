#include "model/json_reader.hpp"

#include "model/unique_unknown.hpp"

#include <kftrain/model/meta.hpp>

#include <algorithm>
#include <bitset>
#include <charconv>
#include <cmath>
#include <memory>

namespace kftrain::detail {
namespace {

constexpr std::string_view managed_fields = "managedFields";

/// Into a string that is empty yet, as all strings of a fresh target are: quicker than assign(), which looks for room there.
void store(std::string_view s, void* string) {
    auto* const target = static_cast<std::string*>(string);
    if (s.size() > 15) return void(*target = std::string(s)); // may throw before the old one is gone
    std::destroy_at(target);
    std::construct_at(target, s);
}

bool same_version(resource_info const& info, std::string_view s) noexcept {
    if (info.group.empty()) return s == info.version;
    return s.size() == info.group.size() + 1 + info.version.size() && s.starts_with(info.group) &&
           s[info.group.size()] == '/' && s.ends_with(info.version);
}

bool same_kind(resource_info const& info, std::string_view s) noexcept {
    if (!info.list) return s == info.kind;
    return s.size() == info.kind.size() + 4 && s.starts_with(info.kind) && s.ends_with("List");
}

} // namespace

json_reader::json_reader(std::string_view text, decode_options const& options)
    : in_(text, options.max_depth),
      budget_(text.size()),
      strict_(options.strict),
      keep_managed_fields_(options.keep_managed_fields) {}

bool json_reader::read(descriptor const& type, void* target) {
    if (in_.peek() == 'n' && type.kind != shape::raw) return false;
    return value(type, target) && in_.done();
}

inline bool json_reader::string(void* v) {
    std::string_view s;
    if (!in_.string(s)) return false;
    store(s, v);
    return true;
}

bool json_reader::other_value(descriptor const& type, void* v) {
    char const first = in_.peek();
    if (first == 'n') return in_.word("null"); // absent
    descriptor const* d = &type;
    for (; d->kind == shape::optional; d = d->element) v = d->engage(v);
    switch (d->kind) {
    case shape::string: return first == '"' && string(v);
    case shape::object: return first == '{' && object(*d, v);
    case shape::array: return first == '[' && array(*d, v);
    case shape::map: return first == '{' && map(*d, v);
    case shape::text: return text(*d, v, first);
    case shape::raw: return in_.copy(static_cast<raw_json*>(v)->text);
    case shape::boolean:
        if (first != 't' && first != 'f') return false;
        *static_cast<bool*>(v) = first == 't';
        return in_.word(first == 't' ? "true" : "false");
    case shape::integer: {
        std::int64_t i = 0;
        return (first == '-' || (first >= '0' && first <= '9')) && in_.integer(i) && d->store_integer(v, i);
    }
    case shape::number: {
        std::string_view s;
        if (first != '-' && (first < '0' || first > '9')) return false;
        if (!in_.number(s) || s == "-0") return false; // as an integer it has no sign
        double& number = *static_cast<double*>(v);
        return std::from_chars(s.data(), s.data() + s.size(), number).ec == std::errc() && std::isfinite(number);
    }
    case shape::optional: break;
    }
    return false;
}

bool json_reader::text(descriptor const& d, void* v, char first) {
    std::string_view s;
    if (first == '"') return in_.string(s) && d.parse(v, s);
    if (first != '-' && (first < '0' || first > '9')) return false;
    if (d.store_integer != nullptr) {
        std::int64_t i = 0;
        return in_.integer(i) && d.store_integer(v, i);
    }
    return d.takes_numbers && in_.number(s) && d.parse(v, s);
}

/// The next name with its colon, and its field if there is one. Objects of one type name their fields in one order, so what
/// followed `before` the last time is tried first, without looking for the end of the name.
inline field const* json_reader::field_name(descriptor const& d, void const*& before, std::string_view& name) {
    auto& usual = habit_of(before).next;
    field const* f = usual != 0 && usual <= d.fields.size() ? &d.fields[usual - 1U] : nullptr;
    if (f == nullptr || !in_.take_padded(f->quoted)) {
        if (!in_.string(name)) return nullptr;
        f = d.find(name);
        if (f == nullptr || !in_.take(':')) return nullptr;
        usual = static_cast<std::uint8_t>(f - d.fields.data() + 1);
    }
    before = f;
    return f;
}

bool json_reader::object(descriptor const& d, void* v) {
    if (!in_.open()) return false;
    std::bitset<256> seen;
    std::uint32_t others = 0;
    void const* before = &d;
    if (in_.peek() != '}')
        for (;;) {
            std::string_view name;
            if (in_.peek() != '"') return false;
            if (auto const* f = field_name(d, before, name)) {
                auto const index = static_cast<std::size_t>(f - d.fields.data());
                if (seen.test(index)) return false;
                seen.set(index);
                field_ = f;
                if (!keep_managed_fields_ && &d == &descriptor_of<object_meta>() && f->name == managed_fields) {
                    if (!in_.skip()) return false;
                } else if (!value(*f->type, f->get(v))) {
                    return false;
                }
            } else if (name.data() == nullptr || !other_field(d, v, name, others)) {
                return false;
            }
            char const c = in_.peek();
            if (c == '}') break;
            if (c != ',') return false;
            in_.pass();
        }
    in_.close();
    if (others > 7) keep_last_of_each_name(*d.unknown(v));
    return true;
}

/// `others`: bits 0 and 1 for apiVersion and kind, above the number of fields kept in `unknown`.
bool json_reader::other_field(descriptor const& d, void* object, std::string_view name, std::uint32_t& others) {
    if (d.info != nullptr && (name == "apiVersion" || name == "kind")) {
        std::uint32_t const bit = name == "kind" ? 2 : 1;
        if ((others & bit) != 0 || !in_.take(':')) return false;
        others |= bit;
        return header(*d.info, bit == 2);
    }
    if (!keep_managed_fields_ && name == managed_fields && &d == &descriptor_of<object_meta>())
        return in_.take(':') && in_.skip();
    if (strict_) return false;
    if (d.unknown == nullptr) return in_.take(':') && in_.skip();
    if (budget_.spent()) return false;
    budget_.take(decode_budget::unknown_entry);
    others += 4;
    auto& kept = d.unknown(object)->append(name);
    return in_.take(':') && in_.copy(kept.second.text);
}

bool json_reader::header(resource_info const& info, bool kind) {
    char const first = in_.peek();
    if (first == 'n') return in_.word("null");
    std::string_view s;
    if (first != '"' || !in_.string(s)) return false;
    return s.empty() || (kind ? same_kind(info, s) : same_version(info, s));
}

bool json_reader::array(descriptor const& d, void* v) {
    std::size_t const begin = in_.offset();
    bool const whole_text = in_.depth() <= 1; // the items of a list: most of what is still to come
    if (!in_.open()) return false;
    auto& usual = habit_of(field_).size;
    std::size_t size = 0;
    std::size_t room = 0;
    std::size_t each = 0; ///< bytes
    if (in_.peek() != ']') {
        room = usual;
        if (room > 1) d.reserve(v, room);
        for (;;) {
            if (whole_text && size == room && size >= 16) {
                std::size_t const average = (in_.offset() - begin) / size + 1;
                std::size_t const more = std::min(in_.rest() / average + in_.rest() / average / 64 + 1, 63 * size);
                room = size + std::min(more, budget_.left() / each + 1);
                d.reserve(v, room);
            }
            if (budget_.spent()) return false;
            ++size;
            void* const item = d.append(v);
            if (each == 0) each = decode_budget::size_of(*d.element, item);
            budget_.take(each);
            if (!value(*d.element, item)) return false;
            char const c = in_.peek();
            if (c == ']') break;
            if (c != ',') return false;
            in_.pass();
        }
    }
    in_.close();
    if (size != room && (size > room || room - size > size / 16)) d.shrink(v);
    usual = static_cast<std::uint8_t>(std::min<std::size_t>(size, 255));
    return true;
}

bool json_reader::map(descriptor const& d, void* v) {
    if (!in_.open()) return false;
    auto& usual = habit_of(field_).size;
    std::size_t size = 0;
    if (in_.peek() != '}') {
        if (d.reserve != nullptr && usual > 1) d.reserve(v, usual);
        for (;;) {
            std::string_view name;
            if (in_.peek() != '"' || !in_.string(name)) return false;
            void* const entry = d.insert(v, name);
            ++size;
            if (entry == nullptr || budget_.spent()) return false;
            budget_.take_entry(d, v, entry);
            if (!in_.take(':') || !value(*d.element, entry)) return false;
            char const c = in_.peek();
            if (c == '}') break;
            if (c != ',') return false;
            in_.pass();
        }
    }
    in_.close();
    if (d.shrink != nullptr && size != usual) d.shrink(v);
    usual = static_cast<std::uint8_t>(std::min<std::size_t>(size, 255));
    return true;
}

} // namespace kftrain::detail
