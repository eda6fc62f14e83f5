#include "fuzz/documents.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace fuzz {

using namespace kftrain;

namespace {

json::value const absent;

std::string_view view(json::string const& s) { return {s.data(), s.size()}; }

bool is_empty(json::value const& v) {
    switch (v.kind()) {
    case json::kind::null: return true;
    case json::kind::bool_: return !v.get_bool();
    case json::kind::int64: return v.get_int64() == 0;
    case json::kind::uint64: return v.get_uint64() == 0;
    case json::kind::double_: return v.get_double() == 0;
    case json::kind::string: return v.get_string().empty();
    case json::kind::array: return v.get_array().empty();
    case json::kind::object:
        for (auto const& member : v.get_object())
            if (!is_empty(member.value())) return false;
        return true;
    }
    return false;
}

/// Boost.JSON may miss a double by its last bit, and reads 0e400 as no number at all: zero times infinity.
bool same_number(double a, double b) {
    return a == b || std::fabs(a - b) <= std::fabs(a) * 1e-15 || (std::isnan(a) && (std::isnan(b) || b == 0));
}

bool same_text(model::descriptor const& d, json::value const& before, json::value const& after) {
    if (before.is_string() && after.is_string())
        return d.same_text(view(before.get_string()), view(after.get_string()));
    // A quantity that was given as a number is written as text; Boost.JSON does not keep how it was spelled.
    if (before.is_double()) return d.takes_numbers;
    if (before.is_number() && after.is_string()) {
        std::string const text = json::serialize(before);
        return d.takes_numbers && d.same_text(text, view(after.get_string()));
    }
    if (before.is_number() && after.is_number())
        return same_number(before.to_number<double>(), after.to_number<double>());
    // Zero times and empty texts are absent.
    if (before.is_string() && after.is_null()) {
        std::string_view const text = view(before.get_string());
        return d.same_text(text, "") || d.same_text(text, "0001-01-01T00:00:00Z") || d.same_text(text, "0");
    }
    return false;
}

class walk {
public:
    std::string found;

    void value(model::descriptor const* type, json::value const& before, json::value const& after,
               std::string const& path) {
        while (type != nullptr && type->kind == model::shape::optional) type = type->element;
        if (!found.empty() || (is_empty(before) && is_empty(after))) return;
        if (type != nullptr && type->kind == model::shape::raw) type = nullptr;
        if (type != nullptr && type->kind == model::shape::text) {
            if (!same_text(*type, before, after)) note(before, after, path);
        } else if (before.is_object() || after.is_object()) {
            object(type, before, after, path);
        } else if (before.is_array() && after.is_array()) {
            array(type, before, after, path);
        } else if (before.is_number() && after.is_number()) {
            if (!same_number(before.to_number<double>(), after.to_number<double>())) note(before, after, path);
        } else if (before != after) {
            note(before, after, path);
        }
    }

private:
    void array(model::descriptor const* type, json::value const& before, json::value const& after,
               std::string const& path) {
        auto const& a = before.get_array();
        auto const& b = after.get_array();
        if (a.size() != b.size()) return note(before, after, path);
        for (std::size_t i = 0; i < a.size(); ++i)
            value(type == nullptr ? nullptr : type->element, a[i], b[i], path + "[" + std::to_string(i) + "]");
    }

    void object(model::descriptor const* type, json::value const& before, json::value const& after,
                std::string const& path) {
        static json::object const none;
        auto const* a = before.is_object() ? &before.get_object() : before.is_null() ? &none : nullptr;
        auto const* b = after.is_object() ? &after.get_object() : after.is_null() ? &none : nullptr;
        if (a == nullptr || b == nullptr) return note(before, after, path);
        for (auto const& [key, given] : *a) {
            auto const* other = b->if_contains(key);
            member(type, {key.data(), key.size()}, given, other == nullptr ? absent : *other, path);
        }
        for (auto const& [key, made] : *b)
            if (!a->contains(key)) member(type, {key.data(), key.size()}, absent, made, path);
    }

    void member(model::descriptor const* type, std::string_view key, json::value const& before,
                json::value const& after, std::string const& path) {
        model::descriptor const* of_member = nullptr;
        if (type != nullptr && type->kind == model::shape::map) {
            of_member = type->element;
        } else if (type != nullptr) {
            if (type->info != nullptr && (key == "apiVersion" || key == "kind")) return;
            auto const* f = type->find(key);
            if (f == nullptr && type->unknown == nullptr) return;
            of_member = f == nullptr ? nullptr : f->type;
        }
        value(of_member, before, after, path + "." + std::string(key));
    }

    void note(json::value const& before, json::value const& after, std::string const& path) {
        if (found.empty()) found = path + ": given " + json::serialize(before) + ", kept " + json::serialize(after);
    }
};

} // namespace

void require(bool holds, std::string_view what) {
    if (!holds) throw std::runtime_error(std::string(what));
}

std::optional<json::value> parse(std::string_view text) {
    json::parse_options options;
    options.max_depth = decode_options().max_depth;
    json::error_code ec;
    auto value = json::parse(json::string_view(text.data(), text.size()), ec, {}, options);
    if (ec) return std::nullopt;
    return value;
}

std::string lost(model::descriptor const& type, json::value const& before, json::value const& after) {
    walk w;
    w.value(&type, before, after, "document");
    return w.found;
}

} // namespace fuzz
