#include "model/codec/json_reader.hpp"

#include "model/codec/unique_unknown.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>

namespace kftrain::detail {
namespace {

/// Stores into an empty string, as all strings of a new target are: faster than assign(), which checks the capacity.
void store(std::string_view s, void* string) {
    auto* const target = static_cast<std::string*>(string);
    std::destroy_at(target);
    try {
        std::construct_at(target, s);
    } catch (...) {
        std::construct_at(target);
        throw;
    }
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
      budget_(text.size(), options),
      strict_(options.strict),
      keeps_bookkeeping_(options.keep_managed_fields) {
    std::memset(habits_.data(), 0, taken_ * sizeof(habit));
}

bool json_reader::read(model::descriptor const& type, void* target) {
    char const* p = in_.begin();
    if (in_.peek(p) == 'n' && type.kind != model::shape::raw) return false;
    p = value(p, type, target);
    return p != nullptr && in_.peek(p) == '\0' && p == in_.end();
}

inline char const* json_reader::string(char const* p, void* v) {
    std::string_view s;
    p = in_.string(p, s);
    if (p != nullptr) store(s, v);
    return p;
}

char const* json_reader::other_value(char const* p, model::descriptor const& type, void* v) {
    char const first = in_.peek(p);
    if (first == 'n') return in_.literal(p, "null"); // absent
    model::descriptor const* d = &type;
    for (; d->kind == model::shape::optional; d = d->element) v = d->engage(v);
    bool const is_number = first == '-' || (first >= '0' && first <= '9');
    switch (d->kind) {
    case model::shape::string: return first == '"' ? string(p, v) : nullptr;
    case model::shape::object: return first == '{' ? object(p, *d, v) : nullptr;
    case model::shape::array: return first == '[' ? array(p, *d, v) : nullptr;
    case model::shape::map: return first == '{' ? map(p, *d, v) : nullptr;
    case model::shape::text: return first == '"' || is_number ? text(p, *d, v) : nullptr;
    case model::shape::raw: return in_.copy(p, static_cast<raw_json*>(v)->text);
    case model::shape::boolean:
        if (first != 't' && first != 'f') return nullptr;
        *static_cast<bool*>(v) = first == 't';
        return in_.literal(p, first == 't' ? "true" : "false");
    case model::shape::integer: {
        std::int64_t i = 0;
        return is_number && (p = in_.integer(p, i)) != nullptr && d->store_integer(v, i) ? p : nullptr;
    }
    case model::shape::number: {
        char const* const begin = p;
        if (!is_number || (p = in_.number(p)) == nullptr) return nullptr;
        if (p - begin == 2 && begin[0] == '-' && begin[1] == '0') return nullptr; // as an integer it has no sign
        double& number = *static_cast<double*>(v);
        return std::from_chars(begin, p, number).ec == std::errc() && std::isfinite(number) ? p : nullptr;
    }
    case model::shape::optional: break;
    }
    return nullptr;
}

std::uint16_t json_reader::take_habits(std::size_t count) noexcept {
    auto const first = taken_;
    taken_ = std::min(first + count, habit_count);
    if (first + count > habit_count) return 0;
    std::memset(habits_.data() + first, 0, count * sizeof(habit));
    return static_cast<std::uint16_t>(first);
}

/// At a quote, a digit or a minus.
char const* json_reader::text(char const* p, model::descriptor const& d, void* v) {
    if (*p == '"') {
        std::string_view s;
        p = in_.string(p, s);
        return p != nullptr && d.parse(v, s) ? p : nullptr;
    }
    if (d.store_integer != nullptr) {
        std::int64_t i = 0;
        p = in_.integer(p, i);
        return p != nullptr && d.store_integer(v, i) ? p : nullptr;
    }
    if (!d.takes_numbers) return nullptr;
    char const* const begin = p;
    p = in_.number(p);
    return p != nullptr && d.parse(v, {begin, static_cast<std::size_t>(p - begin)}) ? p : nullptr;
}

/// Objects of one type name their fields in one order, so what followed a field the last time is tried first, without
/// looking for the end of the name.
char const* json_reader::object(char const* p, model::descriptor const& d, void* v) {
    if (!in_.open()) return nullptr;
    ++p;
    static_assert(most_fields == 64); // `fields_read` has as many bits
    if (d.fields.size() > most_fields) return nullptr;
    std::uint64_t fields_read = 0;
    std::uint32_t others = 0;
    std::size_t const habits = habits_of(d);
    std::size_t before = 0;
    auto const* const layout = layout_of(d, v);
    if (in_.peek(p) != '}')
        for (;;) {
            if (in_.peek(p) != '"') return nullptr;
            auto& usual = habits_[habits + before].next;
            std::size_t now = usual;
            std::string_view name;
            if (now == 0 || now > d.fields.size() || !in_.take_name(p, layout[now - 1])) {
                p = in_.string(p, name);
                if (p == nullptr) return nullptr;
                auto const* const found = d.find(name);
                if (found != nullptr && !in_.take(p, ':')) return nullptr;
                now = found == nullptr ? 0 : static_cast<std::size_t>(found - d.fields.data()) + 1;
                if (now != 0) usual = static_cast<std::uint8_t>(now);
            }
            if (now != 0) {
                auto const& f = layout[now - 1];
                before = now;
                std::uint64_t const bit = std::uint64_t{1} << (now - 1);
                if ((fields_read & bit) != 0) return nullptr;
                fields_read |= bit;
                place_ = habits + now;
                void* const member = static_cast<char*>(v) + f.offset;
                if (f.is_string && p != in_.end() && *p == '"')
                    p = string(p, member);
                else if (f.bookkeeping && !keeps_bookkeeping_)
                    p = in_.skip(p);
                else
                    p = other_value(p, *f.type, member);
            } else {
                p = other_field(p, d, v, name, others);
            }
            if (p == nullptr) return nullptr;
            char const c = in_.peek(p);
            if (c == '}') break;
            if (c != ',') return nullptr;
            ++p;
        }
    in_.close();
    if (others > 7) keep_last_of_each_name(*d.unknown(v));
    return p + 1;
}

/// Behind the name. `others`: bits 0 and 1 for apiVersion and kind, above the number of fields kept in `unknown`.
char const* json_reader::other_field(char const* p, model::descriptor const& d, void* object, std::string_view name,
                                     std::uint32_t& others) {
    if (!in_.take(p, ':')) return nullptr;
    if (d.info != nullptr && (name == "apiVersion" || name == "kind")) {
        std::uint32_t const bit = name == "kind" ? 2 : 1;
        if ((others & bit) != 0) return nullptr;
        others |= bit;
        return header(p, *d.info, bit == 2);
    }
    if (strict_) return nullptr;
    if (d.unknown == nullptr) return in_.skip(p);
    if (budget_.spent()) return nullptr;
    budget_.take(decode_budget::unknown_entry);
    others += 4;
    return in_.copy(p, d.unknown(object)->append(name).second.text);
}

char const* json_reader::header(char const* p, resource_info const& info, bool kind) {
    char const first = in_.peek(p);
    if (first == 'n') return in_.literal(p, "null");
    std::string_view s;
    if (first != '"' || (p = in_.string(p, s)) == nullptr) return nullptr;
    return s.empty() || (kind ? same_kind(info, s) : same_version(info, s)) ? p : nullptr;
}

char const* json_reader::array(char const* p, model::descriptor const& d, void* v) {
    char const* const begin = p;
    bool const whole_text = in_.depth() <= 1; // the items of a list: most of what is still to come
    if (!in_.open()) return nullptr;
    ++p;
    std::size_t const place = place_;
    auto& usual = habits_[place].size;
    std::size_t size = 0;
    std::size_t room = 0;
    if (in_.peek(p) != ']') {
        room = usual;
        if (room > 1) d.reserve(v, room);
        for (;;) {
            if (whole_text && size >= 16 && size >= room) {
                std::size_t const average = static_cast<std::size_t>(p - begin) / size + 1;
                std::size_t const rest = in_.rest(p);
                std::size_t const more = std::min(rest / average + rest / average / 64 + 1, 63 * size);
                room = size + std::min(more, budget_.left() / d.item_size + 1);
                d.reserve(v, room);
            }
            if (budget_.spent()) return nullptr;
            place_ = place;
            ++size;
            budget_.take(d.item_size);
            if ((p = value(p, *d.element, d.append(v))) == nullptr) return nullptr;
            char const c = in_.peek(p);
            if (c == ']') break;
            if (c != ',') return nullptr;
            ++p;
        }
    }
    in_.close();
    if (size != room && (size > room || room - size > size / 16)) d.shrink(v);
    usual = static_cast<std::uint8_t>(std::min<std::size_t>(size, 255));
    return p + 1;
}

char const* json_reader::map(char const* p, model::descriptor const& d, void* v) {
    if (!in_.open()) return nullptr;
    ++p;
    std::size_t const place = place_;
    auto& usual = habits_[place].size;
    std::size_t size = 0;
    model::late_entries late(nullptr, nullptr);
    if (in_.peek(p) != '}') {
        if (d.reserve != nullptr && usual > 1) d.reserve(v, usual);
        for (;;) {
            std::string_view name;
            if (in_.peek(p) != '"' || (p = in_.string(p, name)) == nullptr) return nullptr;
            void* const entry = d.insert(v, late, name);
            ++size;
            if (entry == nullptr || budget_.spent()) return nullptr;
            budget_.take_entry(d);
            place_ = place;
            if (!in_.take(p, ':') || (p = value(p, *d.element, entry)) == nullptr) return nullptr;
            char const c = in_.peek(p);
            if (c == '}') break;
            if (c != ',') return nullptr;
            ++p;
        }
    }
    in_.close();
    if (late) d.take_late(v, late);
    if (d.shrink != nullptr && size != usual) d.shrink(v);
    usual = static_cast<std::uint8_t>(std::min<std::size_t>(size, 255));
    return p + 1;
}

} // namespace kftrain::detail
