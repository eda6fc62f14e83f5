#include "model/json/json_document.hpp"

#include <boost/json/parse.hpp>

namespace kftrain::detail {

namespace json = boost::json;

void refuse_patch(std::string message, std::string path) {
    failure f(errc::invalid_argument, {});
    f.detail.message = std::move(message);
    f.detail.path = std::move(path);
    throw patch_refused{std::move(f)};
}

json::value parse_json(std::string_view text, error_code& ec) {
    json::parse_options options;
    options.max_depth = most_levels;
    return json::parse(to_boost(text), ec, {}, options);
}

json::value parse_document(std::string_view text, std::string_view who) {
    error_code ec;
    auto value = parse_json(text, ec);
    if (!ec) return value;
    failure f(errc::syntax, {});
    f.detail.message = "the " + std::string(who) + " is not valid JSON: " + ec.message();
    throw patch_refused{std::move(f)};
}

schema schema::at(std::string_view name) const {
    if (type_ == nullptr) return *this;
    if (type_->kind == model::shape::map) return schema(type_->element);
    model::field const* f = type_->kind == model::shape::object ? type_->find(name) : nullptr;
    if (f == nullptr) return schema(nullptr);
    schema s(f->type);
    s.merge_key_ = f->merge_key;
    s.retains_keys_ = f->retain_keys;
    return s;
}

schema schema::item() const {
    return schema(type_ != nullptr && type_->kind == model::shape::array ? type_->element : nullptr);
}

bool same_value(schema const& s, json::value const& a, json::value const& b) {
    if (a.is_object() && b.is_object()) {
        auto const& x = a.get_object();
        auto const& y = b.get_object();
        if (x.size() != y.size()) return false;
        for (auto const& [name, value] : x) {
            auto const* other = y.if_contains(name);
            if (other == nullptr || !same_value(s.at(to_std(name)), value, *other)) return false;
        }
        return true;
    }
    if (a.is_array() && b.is_array()) {
        auto const& x = a.get_array();
        auto const& y = b.get_array();
        if (x.size() != y.size()) return false;
        auto const item = s.item();
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!same_value(item, x[i], y[i])) return false;
        return true;
    }
    if (a == b) return true;
    auto const* type = s.type();
    bool const texts = a.is_string() && b.is_string() && type != nullptr && type->same_text != nullptr;
    return texts && type->same_text(to_std(a.get_string()), to_std(b.get_string()));
}

bool same_json(std::string_view a, std::string_view b) {
    if (a == b) return true;
    error_code ec;
    auto const x = parse_json(a, ec);
    if (ec) return false;
    auto const y = parse_json(b, ec);
    return !ec && same_value(schema(nullptr), x, y);
}

} // namespace kftrain::detail
