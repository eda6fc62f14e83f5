#include "model/schema/known_rules.hpp"
#include "model/schema/schema_node.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace kftrain {
namespace {

namespace json = boost::json;

/** Formats that the server ignores are all but these, which are compared without dashes.
    @par Upstream apiextensions-apiserver `pkg/apiserver/validation/formats.go`, v0.31.3 */
constexpr std::array<std::string_view, 24> checked_formats{
    "bsonobjectid", "uri",   "email",    "hostname", "ipv4",     "ipv6",   "cidr",     "mac",
    "uuid",         "uuid3", "uuid4",    "uuid5",    "isbn",     "isbn10", "isbn13",   "creditcard",
    "ssn",          "byte",  "hexcolor", "rgbcolor", "password", "date",   "duration", "datetime"};

/// Every keyword of a structural schema that is read below; others are rejected.
constexpr std::array<std::string_view, 37> known_keywords{"type",
                                                          "format",
                                                          "nullable",
                                                          "properties",
                                                          "additionalProperties",
                                                          "items",
                                                          "not",
                                                          "allOf",
                                                          "anyOf",
                                                          "oneOf",
                                                          "required",
                                                          "enum",
                                                          "default",
                                                          "minimum",
                                                          "maximum",
                                                          "multipleOf",
                                                          "exclusiveMinimum",
                                                          "exclusiveMaximum",
                                                          "minLength",
                                                          "maxLength",
                                                          "minItems",
                                                          "maxItems",
                                                          "minProperties",
                                                          "maxProperties",
                                                          "uniqueItems",
                                                          "pattern",
                                                          "description",
                                                          "title",
                                                          "example",
                                                          "externalDocs",
                                                          "x-kubernetes-int-or-string",
                                                          "x-kubernetes-preserve-unknown-fields",
                                                          "x-kubernetes-list-type",
                                                          "x-kubernetes-list-map-keys",
                                                          "x-kubernetes-map-type",
                                                          "x-kubernetes-validations",
                                                          "$ref"};

bool is_plain(json::object const& rule) {
    return std::ranges::all_of(rule, [](auto const& m) { return m.key() == "rule" || m.key() == "message"; });
}

/// Thrown within this file only.
struct refused {
    failure why;
};

[[noreturn]] void refuse(errc code, std::string path, std::string message) {
    failure f;
    f.code = code;
    f.detail.path = std::move(path);
    f.detail.message = std::move(message);
    throw refused{std::move(f)};
}

json::value const* find(json::object const& o, std::string_view name) {
    return o.if_contains(json::string_view(name.data(), name.size()));
}

class compiler {
public:
    compiler(resource_schema::compiled& out, std::span<schema_file const> files, pattern_judge const& judge)
        : out_(out), judge_(judge) {
        for (auto const& f : files) documents_.emplace(f.name, parse(f.text, f.name));
    }

    void run(std::string_view text) {
        auto const& document = documents_.emplace("", parse(text, "")).first->second;
        auto const* schema = find(document, "schema");
        if (schema == nullptr || !schema->is_object())
            refuse(errc::type_mismatch, "schema", "expected a schema, got none");
        out_.root = node(*schema, "", "schema");
        if (auto const* s = find(document, "subresources"); s != nullptr && s->is_object()) scale(s->get_object());
        if (auto const* s = find(document, "server"); s != nullptr && s->is_string())
            out_.shows_values = text_of(s->get_string()) == "v1.36";
    }

private:
    static json::object parse(std::string_view text, std::string_view name) {
        error_code ec;
        json::parse_options options;
        options.max_depth = 512;
        auto v = json::parse(json::string_view(text.data(), text.size()), ec, {}, options);
        if (ec) refuse(errc::syntax, std::string(name), "a schema document must be JSON: " + ec.message());
        if (!v.is_object()) refuse(errc::syntax, std::string(name), "a schema document must be a JSON object");
        return std::move(v.get_object());
    }

    void scale(json::object const& subresources) {
        auto const* s = find(subresources, "scale");
        if (s == nullptr || !s->is_object()) return;
        auto const read = [&](std::string_view name) {
            auto const* v = find(s->get_object(), name);
            return v != nullptr && v->is_string() ? std::string(text_of(v->get_string())) : std::string();
        };
        scale_paths paths;
        paths.spec_replicas = read("specReplicasPath");
        paths.status_replicas = read("statusReplicasPath");
        paths.label_selector = read("labelSelectorPath");
        out_.scale = std::move(paths);
    }

    /// Each place in a document becomes one node, however often it is referred to.
    schema_node const* node(json::value const& v, std::string const& document, std::string const& path) {
        auto const* o = v.if_object();
        if (o == nullptr) refuse(errc::type_mismatch, path, "expected a schema");
        if (auto const* reference = find(*o, "$ref")) return referred(*reference, document, path);
        if (auto const known = done_.find(o); known != done_.end()) {
            if (known->second == nullptr) refuse(errc::not_supported, path, "the schema refers to itself");
            return known->second;
        }
        done_.emplace(o, nullptr);
        auto& n = out_.nodes.emplace_back();
        fill(n, *o, document, path);
        return done_[o] = &n;
    }

    schema_node const* referred(json::value const& reference, std::string const& document, std::string const& path) {
        auto const text = reference.is_string() ? text_of(reference.get_string()) : std::string_view();
        constexpr std::string_view mark = "#/$defs/";
        auto const at = text.find(mark);
        auto const file = at == 0 ? document : std::string(text.substr(0, at));
        auto const name = at == text.npos ? std::string_view() : text.substr(at + mark.size());
        auto const found = documents_.find(file);
        auto const* definitions = found != documents_.end() ? find(found->second, "$defs") : nullptr;
        auto const* target =
            definitions != nullptr && definitions->is_object() ? find(definitions->get_object(), name) : nullptr;
        if (target == nullptr) refuse(errc::invalid_argument, path, "no such definition: " + std::string(text));
        return node(*target, file, path);
    }

    void fill(schema_node& n, json::object const& o, std::string const& document, std::string const& path) {
        for (auto const& [keyword, v] : o)
            if (std::ranges::find(known_keywords, text_of(keyword)) == known_keywords.end())
                refuse(errc::not_supported, path, "unsupported keyword " + std::string(text_of(keyword)));
        text(o, "type", n.type);
        if (!n.type.empty()) n.types.push_back(n.type);
        if (flag(o, "x-kubernetes-int-or-string")) n.types = {"integer", "string"};
        format(n, o, path);
        n.nullable = flag(o, "nullable");
        n.preserve_unknown = flag(o, "x-kubernetes-preserve-unknown-fields");
        n.unique_items = flag(o, "uniqueItems");
        n.exclusive_minimum = flag(o, "exclusiveMinimum");
        n.exclusive_maximum = flag(o, "exclusiveMaximum");
        number(o, "minimum", n.minimum);
        number(o, "maximum", n.maximum);
        number(o, "multipleOf", n.multiple_of);
        for (auto [name, to] : {std::pair{"minLength", &n.min_length},
                                {"maxLength", &n.max_length},
                                {"minItems", &n.min_items},
                                {"maxItems", &n.max_items},
                                {"minProperties", &n.min_properties},
                                {"maxProperties", &n.max_properties}})
            if (auto const* v = find(o, name); v != nullptr && v->is_int64()) *to = v->get_int64();
        texts(o, "required", n.required);
        if (auto const* v = find(o, "enum"); v != nullptr && v->is_array())
            n.enumeration.assign(v->get_array().begin(), v->get_array().end());
        if (auto const* v = find(o, "default")) n.default_value = *v;
        text(o, "pattern", n.pattern_text);
        if (!n.pattern_text.empty()) {
            n.matches = matcher_of(n.pattern_text, judge_);
            if (!n.matches) refuse(errc::not_supported, path, "unsupported pattern '" + n.pattern_text + "'");
        }
        text(o, "x-kubernetes-list-type", n.list_type);
        std::string map_type;
        text(o, "x-kubernetes-map-type", map_type);
        n.atomic_map = map_type == "atomic";
        texts(o, "x-kubernetes-list-map-keys", n.list_map_keys);
        rules(n, o, path);
        below(n, o, document, path);
    }

    void below(schema_node& n, json::object const& o, std::string const& document, std::string const& path) {
        if (auto const* v = find(o, "properties"); v != nullptr && v->is_object())
            for (auto const* m : by_name(v->get_object())) {
                std::string name(text_of(m->key()));
                auto const* sub = node(m->value(), document, path + "." + name);
                n.properties.emplace_back(std::move(name), sub);
            }
        if (auto const* v = find(o, "additionalProperties")) {
            if (v->is_object())
                n.additional = node(*v, document, path + "[]");
            else
                n.any_additional = v->is_bool() && v->get_bool();
        }
        if (auto const* v = find(o, "items")) n.items = node(*v, document, path + "[]");
        if (auto const* v = find(o, "not")) n.not_ = node(*v, document, path);
        for (auto [name, to] : {std::pair{"allOf", &n.all_of}, {"anyOf", &n.any_of}, {"oneOf", &n.one_of}})
            if (auto const* v = find(o, name); v != nullptr && v->is_array())
                for (auto const& sub : v->get_array()) to->push_back(node(sub, document, path));
    }

    static void format(schema_node& n, json::object const& o, std::string const& path) {
        text(o, "format", n.format);
        auto normal = n.format;
        std::erase(normal, '-');
        if (std::ranges::find(checked_formats, normal) == checked_formats.end()) n.format.clear();
        if (!can_check_format(n.format)) refuse(errc::not_supported, path, "unsupported format " + n.format);
    }

    void rules(schema_node& n, json::object const& o, std::string const& path) {
        auto const* list = find(o, "x-kubernetes-validations");
        if (list == nullptr || !list->is_array()) return;
        for (auto const& v : list->get_array()) {
            if (!v.is_object()) refuse(errc::type_mismatch, path, "x-kubernetes-validations: expected objects");
            std::string expression;
            text(v.get_object(), "rule", expression);
            auto const* known = find_known_rule(expression);
            if (known == nullptr || !is_plain(v.get_object()))
                refuse(errc::not_supported, path, "unsupported rule " + json::serialize(v));
            schema_rule rule;
            rule.holds = known->holds;
            text(v.get_object(), "message", rule.message);
            if (rule.message.empty()) rule.message = "failed rule: " + expression;
            n.rules.push_back(std::move(rule));
            out_.has_rules = true;
        }
    }

    static bool flag(json::object const& o, std::string_view name) {
        auto const* v = find(o, name);
        return v != nullptr && v->is_bool() && v->get_bool();
    }
    static void text(json::object const& o, std::string_view name, std::string& to) {
        if (auto const* v = find(o, name); v != nullptr && v->is_string()) to = text_of(v->get_string());
    }
    static void texts(json::object const& o, std::string_view name, std::vector<std::string>& to) {
        if (auto const* v = find(o, name); v != nullptr && v->is_array())
            for (auto const& item : v->get_array())
                if (item.is_string()) to.emplace_back(text_of(item.get_string()));
    }
    static void number(json::object const& o, std::string_view name, std::optional<double>& to) {
        if (auto const* v = find(o, name); v != nullptr && v->is_number()) to = v->to_number<double>();
    }

    resource_schema::compiled& out_;
    pattern_judge const& judge_;
    std::map<std::string, json::object, std::less<>> documents_; // whose objects stay where they are
    std::map<json::object const*, schema_node const*> done_;     // null while in the making
};

} // namespace

bool can_check_format(std::string_view format) {
    std::string normal(format);
    std::erase(normal, '-');
    return normal == "datetime" || normal == "password" ||
           std::ranges::find(checked_formats, normal) == checked_formats.end();
}

bool can_check_rule(json::object const& rule) {
    auto const* text = find(rule, "rule");
    return text != nullptr && text->is_string() && is_plain(rule) &&
           find_known_rule(text_of(text->get_string())) != nullptr;
}

std::vector<json::key_value_pair const*> by_name(json::object const& o) {
    std::vector<json::key_value_pair const*> out;
    out.reserve(o.size());
    for (auto const& member : o) out.push_back(&member);
    std::ranges::sort(out, {}, [](auto const* m) { return text_of(m->key()); });
    return out;
}

schema_node const* schema_node::property(std::string_view name) const noexcept {
    auto const at =
        std::ranges::lower_bound(properties, name, {}, [](auto const& p) { return std::string_view(p.first); });
    return at != properties.end() && at->first == name ? at->second : nullptr;
}

schema_node const* schema_node::member(std::string_view name) const noexcept {
    auto const* p = property(name);
    return p != nullptr ? p : additional;
}

result<resource_schema> resource_schema::parse(std::string_view text, std::span<schema_file const> files,
                                               pattern_judge const& judge) {
    auto made = std::make_shared<compiled>();
    try {
        compiler(*made, files, judge).run(text);
    } catch (refused& r) {
        return std::move(r.why);
    }
    resource_schema out;
    out.compiled_ = std::move(made);
    return out;
}

std::optional<scale_paths> const& resource_schema::scale() const noexcept {
    static std::optional<scale_paths> const none;
    return compiled_ ? compiled_->scale : none;
}

} // namespace kftrain
