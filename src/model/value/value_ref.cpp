#include <kftrain/model/value_ref.hpp>

#include "model/codec/nearest_name.hpp"
#include "model/json/json_text.hpp"
#include "model/value/field_path.hpp"
#include "model/value/value_table.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kftrain {
namespace {

using model::shape;

failure fault(errc code, std::string path, std::string message) {
    failure f(code, {});
    f.detail.path = std::move(path);
    f.detail.message = std::move(message);
    return f;
}

failure type_mismatch(std::string_view expected, const_value_ref const& got) {
    std::string message = "expected ";
    message += expected;
    message += ", got ";
    message += got.is_absent() ? std::string_view("an absent ") : std::string_view("a ");
    message += got.type().name();
    return fault(errc::type_mismatch, {}, std::move(message));
}

failure no_item(std::size_t index, std::size_t size) {
    return fault(errc::invalid_argument, "[" + std::to_string(index) + "]",
                 "expected an index below " + std::to_string(size) + ", got " + std::to_string(index));
}

failure no_member(model::descriptor const& d, std::string_view name) {
    std::string path;
    detail::append_path_key(name, path);
    return fault(errc::invalid_argument, std::move(path), detail::unknown_field_message(d, name, {}));
}

failure no_entry(std::string_view name) {
    std::string path;
    detail::append_path_key(name, path);
    return fault(errc::invalid_argument, std::move(path), "the map has no " + detail::quoted_for_message(name));
}

/// One step of a path: a member, an entry of a map, or an item of a list.
result<const_value_ref> follow(const_value_ref const& from, std::string const& step) {
    if (from.kind() != value_kind::list) return from.at(std::string_view(step));
    auto const by = detail::keyed(step);
    if (!by) {
        auto const index = detail::index_of(step, from.size());
        if (index == from.size())
            return fault(errc::invalid_argument, "[" + step + "]",
                         "expected an item of the list, which has " + std::to_string(from.size()));
        return from.at(index);
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
        auto const item = *from.at(i);
        auto const compared = by->key.empty() ? result<const_value_ref>(item) : item.at(by->key);
        if (!compared) continue;
        auto const text = compared->text();
        if (text ? *text == by->value : compared->to_json() == by->value) return item;
    }
    return fault(errc::invalid_argument, "[" + step + "]", "the list has no such item");
}

} // namespace

model::descriptor const* const_value_ref::value_table() const noexcept { return &detail::inner(*table_); }

void const* const_value_ref::present() const noexcept {
    auto const* d = table_;
    auto const* value = value_;
    for (; value != nullptr && d->kind == shape::optional; d = d->element) value = d->peek(value);
    return value;
}

result<bool> const_value_ref::boolean() const {
    auto const* const value = present();
    if (value == nullptr || kind() != value_kind::boolean) return type_mismatch("a bool", *this);
    return *static_cast<bool const*>(value);
}

result<std::int64_t> const_value_ref::integer() const {
    auto const* const value = present();
    if (value == nullptr || kind() != value_kind::integer) return type_mismatch("an integer", *this);
    return value_table()->load_integer(value);
}

result<double> const_value_ref::number() const {
    auto const* const value = present();
    if (value != nullptr && kind() == value_kind::number) return *static_cast<double const*>(value);
    if (value != nullptr && kind() == value_kind::integer)
        return static_cast<double>(value_table()->load_integer(value));
    return type_mismatch("a number", *this);
}

result<std::string> const_value_ref::text() const {
    auto const* const value = present();
    if (value != nullptr) switch (kind()) {
        case value_kind::string: return *static_cast<std::string const*>(value);
        case value_kind::json: return static_cast<raw_json const*>(value)->text;
        case value_kind::text: {
            std::string out;
            value_table()->print(value, out);
            return out;
        }
        default: break;
        }
    return type_mismatch("a string", *this);
}

std::size_t const_value_ref::size() const noexcept {
    auto const* const value = present();
    auto const& d = *value_table();
    if (d.kind == shape::object) return d.fields.size();
    return value != nullptr && d.size != nullptr ? d.size(value) : 0;
}

result<const_value_ref> const_value_ref::at(std::size_t index) const {
    if (kind() != value_kind::list) return type_mismatch("a list", *this);
    if (index >= size()) return no_item(index, size());
    return const_value_ref(*value_table()->element, value_table()->at(present(), index));
}

result<const_value_ref> const_value_ref::at(std::string_view name) const {
    auto const& d = *value_table();
    auto const* const value = present();
    if (d.kind == shape::map) {
        auto const* const found = value == nullptr ? nullptr : d.find_key(value, name);
        if (found == nullptr) return no_entry(name);
        return const_value_ref(*d.element, found);
    }
    if (d.kind != shape::object || value == nullptr) return type_mismatch("an object or a map", *this);
    auto const* const f = detail::field_of(d, name);
    if (f == nullptr) return no_member(d, name);
    return const_value_ref(*f->type, f->get_const(value));
}

bool const_value_ref::contains(std::string_view name) const noexcept {
    auto const& d = *value_table();
    if (d.kind == shape::object) return detail::field_of(d, name) != nullptr;
    auto const* const value = present();
    return d.kind == shape::map && value != nullptr && d.find_key(value, name) != nullptr;
}

void const_value_ref::for_each(std::function<void(std::string_view, const_value_ref)> const& visit) const {
    auto const& d = *value_table();
    auto const* const value = present();
    if (value == nullptr) return;
    if (d.kind == shape::object)
        for (auto const& f : d.fields) visit(f.member, const_value_ref(*f.type, f.get_const(value)));
    if (d.kind != shape::map) return;
    struct context {
        model::descriptor const& element;
        std::function<void(std::string_view, const_value_ref)> const& visit;
    } c{*d.element, visit};
    d.visit(value, &c, [](void* at, std::string const& name, void const* entry) {
        auto const& to = *static_cast<context const*>(at);
        to.visit(name, const_value_ref(to.element, entry));
    });
}

result<const_value_ref> const_value_ref::find(std::string_view path) const {
    auto const steps = detail::split_path(path);
    if (!steps) return steps.error();
    auto at = *this;
    for (auto const& step : *steps) {
        auto next = follow(at, step);
        if (!next) {
            auto why = next.error();
            why.detail.path = path;
            return why;
        }
        at = *next;
    }
    return at;
}

std::string const_value_ref::to_json() const {
    std::string out;
    encode_json(*table_, value_, out);
    return out;
}

bool operator==(const_value_ref const& a, const_value_ref const& b) {
    return a.table_ == b.table_ && equal(*a.table_, a.value_, b.value_);
}

result<void> value_ref::set_json(std::string_view text) const {
    auto const before = to_json(); // of scalars cheap, and of others the only copy that every type can make
    table()->reset(target());
    auto const read = decode_json(text, *table(), target());
    if (read) return {};
    table()->reset(target());
    (void)decode_json(before, *table(), target());
    auto why = read.error();
    why.detail.line = why.detail.column = 0; // of a text that the caller may not have
    return why;
}

result<void> value_ref::set(bool value) const { return set_json(value ? "true" : "false"); }

result<void> value_ref::set(std::int64_t value) const { return set_json(std::to_string(value)); }

result<void> value_ref::set(double value) const {
    if (!std::isfinite(value))
        return fault(errc::out_of_range, {}, "expected a finite number, got " + std::to_string(value));
    std::string text;
    detail::append_number(value, text);
    return set_json(text);
}

result<void> value_ref::set(std::string_view value) const {
    if (kind() == value_kind::json) return set_json(value);
    if (kind() == value_kind::string) { // the usual case
        static_cast<std::string*>(emplace().target())->assign(value);
        return {};
    }
    std::string text;
    detail::append_string(value, text);
    return set_json(text);
}

void value_ref::reset() const { table()->reset(target()); }

value_ref value_ref::emplace() const {
    auto const* d = table();
    void* value = target();
    for (; d->kind == shape::optional; d = d->element) {
        auto const* const has = d->peek(value);
        value = has != nullptr ? const_cast<void*>(has) : d->engage(value);
    }
    return {*d, value};
}

result<value_ref> value_ref::at(std::size_t index) const {
    auto const item = const_value_ref::at(index);
    if (!item) return item.error();
    return value_ref(*item);
}

result<value_ref> value_ref::at(std::string_view name) const {
    auto const found = kind() == value_kind::object ? emplace().const_value_ref::at(name) : const_value_ref::at(name);
    if (!found) return found.error();
    return value_ref(*found);
}

result<value_ref> value_ref::insert(std::string_view name) const {
    if (kind() != value_kind::map) return type_mismatch("a map", *this);
    auto const map = emplace();
    auto const& d = *map.table();
    model::late_entries late(nullptr, [](void*) {});
    std::string_view stored;
    bool added = false;
    d.at_key(map.target(), late, name, stored, added);
    if (late) d.take_late(map.target(), late);
    return map.at(name);
}

result<value_ref> value_ref::append() const {
    if (kind() != value_kind::list) return type_mismatch("a list", *this);
    auto const list = emplace();
    return value_ref(*list.table()->element, list.table()->append(list.target()));
}

result<value_ref> value_ref::insert(std::size_t index) const {
    if (kind() != value_kind::list) return type_mismatch("a list", *this);
    auto const count = size();
    if (index > count) return no_item(index, count + 1);
    auto const list = emplace();
    auto const& d = *list.table();
    auto const item = [&](std::size_t i) { return const_cast<void*>(d.at(list.target(), i)); };
    d.append(list.target());
    for (std::size_t i = count; i > index; --i) d.element->take(item(i), item(i - 1));
    d.element->reset(item(index));
    return value_ref(*d.element, item(index));
}

result<void> value_ref::erase(std::size_t index) const {
    if (kind() != value_kind::list) return type_mismatch("a list", *this);
    auto const count = size();
    if (index >= count) return no_item(index, count);
    auto const list = emplace();
    auto const& d = *list.table();
    auto const item = [&](std::size_t i) { return const_cast<void*>(d.at(list.target(), i)); };
    for (std::size_t i = index; i + 1 < count; ++i) d.element->take(item(i), item(i + 1));
    d.drop_last(list.target());
    return {};
}

result<void> value_ref::erase(std::string_view name) const {
    if (kind() == value_kind::object) {
        auto const member = at(name);
        if (!member) return member.error();
        member->reset();
        return {};
    }
    if (kind() != value_kind::map) return type_mismatch("an object or a map", *this);
    if (!contains(name)) return no_entry(name);
    auto const map = emplace();
    map.table()->erase_key(map.target(), name);
    return {};
}

result<void> value_ref::resize(std::size_t size) const {
    if (kind() != value_kind::list) return type_mismatch("a list", *this);
    auto const list = emplace();
    auto const& d = *list.table();
    for (auto now = list.size(); now > size; --now) d.drop_last(list.target());
    for (auto now = list.size(); now < size; ++now) d.append(list.target());
    return {};
}

} // namespace kftrain
