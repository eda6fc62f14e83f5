#include "model/json/go_text.hpp"
#include "model/schema/schema_items.hpp"
#include "model/schema/schema_outcome.hpp"

#include <algorithm>
#include <optional>
#include <set>

// Structural validation, step by step as upstream does it, for the order and the selection of messages depend on it.
namespace kftrain {
namespace {

namespace json = boost::json;

class validator {
public:
    explicit validator(std::string_view prefix) : faults_(prefix) {}

    /// @param old The value before, if there was one that this one stands for.
    schema_outcome check(schema_node const& n, json::value const& v, json::value const* old,
                         std::string const& path) const {
        auto found = check_new(n, v, old, path);
        if (!found.valid() && old != nullptr && v == *old) found.forgive();
        return found;
    }

private:
    schema_outcome check_new(schema_node const& n, json::value const& v, json::value const* old,
                             std::string const& path) const {
        schema_outcome out;
        auto const run = [&](schema_outcome part) {
            out.merge(std::move(part));
            ++out.met;
        };
        if (v.is_null()) {
            out.merge(check_type(faults_, n, v, path));
            out.merge(check_enumeration(faults_, n, v, path));
            return out;
        }
        if (!n.types.empty() || !n.format.empty()) run(check_type(faults_, n, v, path));
        run(combinations(n, v, old, path));
        if (v.is_string()) run(check_text(faults_, n, v.get_string(), path));
        if (v.is_string() && !n.format.empty()) run(check_format(faults_, n, v.get_string(), path));
        if (v.is_number()) run(check_number(faults_, n, v, path));
        if (v.is_array()) run(list(n, v.get_array(), old, path));
        run(check_enumeration(faults_, n, v, path));
        if (v.is_object()) run(object(n, v.get_object(), old, path));
        ++out.met;
        return out;
    }

    schema_outcome combinations(schema_node const& n, json::value const& v, json::value const* old,
                                std::string const& path) const {
        schema_outcome out;
        auto const quoted = [&] { return go_text::quoted(path); };
        if (!n.any_of.empty()) {
            auto [best, passed] = alternatives(n.any_of, v, old, path, true);
            if (passed == 0) out.add(faults_.of_all(quoted() + " must validate at least one schema (anyOf)"));
            out.merge(std::move(best));
        }
        if (!n.one_of.empty()) {
            auto [best, passed] = alternatives(n.one_of, v, old, path, false);
            if (passed != 1)
                out.add(faults_.of_all(quoted() + " must validate one and only one schema (oneOf). " +
                                       (passed == 0 ? std::string("Found none valid")
                                                    : "Found " + std::to_string(passed) + " valid alternatives")));
            if (passed < 2) out.merge(std::move(best));
        }
        if (!n.all_of.empty()) {
            std::size_t passed = 0;
            for (auto const* sub : n.all_of) {
                auto part = check_new(*sub, v, old, path);
                if (part.valid()) ++passed;
                out.merge(std::move(part));
            }
            if (passed != n.all_of.size())
                out.add(faults_.of_all(quoted() + " must validate all the schemas (allOf)" +
                                       (passed == 0 ? ". None validated" : "")));
        }
        if (n.not_ != nullptr && check_new(*n.not_, v, old, path).valid())
            out.add(faults_.of_all(quoted() + " must not validate the schema (not)"));
        ++out.met;
        return out;
    }

    /// The first alternative that passes, or the one that fails latest; and how many pass.
    std::pair<schema_outcome, std::size_t> alternatives(std::vector<schema_node const*> const& all,
                                                        json::value const& v, json::value const* old,
                                                        std::string const& path, bool one_is_enough) const {
        std::optional<schema_outcome> success, failed;
        std::size_t passed = 0;
        for (auto const* sub : all) {
            auto part = check_new(*sub, v, old, path);
            if (part.valid()) {
                ++passed;
                if (!success) success = std::move(part);
                if (one_is_enough) break;
            } else if (!failed || part.met > failed->met) {
                failed = std::move(part);
            }
        }
        if (success) return {std::move(*success), passed};
        return {failed ? std::move(*failed) : schema_outcome(), passed};
    }

    schema_outcome list(schema_node const& n, json::array const& a, json::value const* old,
                        std::string const& path) const {
        schema_outcome out;
        if (n.items != nullptr) {
            old_items const before(n, old);
            for (std::size_t i = 0; i < a.size(); ++i)
                out.merge(check(*n.items, a[i], before.find(a[i]), path + "[" + std::to_string(i) + "]"));
        }
        auto const size = static_cast<std::int64_t>(a.size());
        if (n.min_items && size < *n.min_items)
            out.add(faults_.invalid(path, std::to_string(size),
                                    "should have at least " + std::to_string(*n.min_items) + " items"));
        if (n.max_items && size > *n.max_items) out.add(faults_.too_many(path, size, *n.max_items, "items"));
        std::set<json::value const*, detail::json_order> seen;
        if (n.unique_items && !std::ranges::all_of(a, [&](auto const& item) { return seen.insert(&item).second; }))
            out.add(faults_.invalid(path, "\"\"", "shouldn't contain duplicates"));
        ++out.met;
        return out;
    }

    schema_outcome object(schema_node const& n, json::object const& o, json::value const* old,
                          std::string const& path) const {
        schema_outcome out;
        auto const size = static_cast<std::int64_t>(o.size());
        if (n.min_properties && size < *n.min_properties)
            out.add(faults_.invalid(path, std::to_string(size),
                                    "should have at least " + std::to_string(*n.min_properties) + " properties"));
        if (n.max_properties && size > *n.max_properties)
            out.add(faults_.too_many(path, size, *n.max_properties, "properties"));
        auto const* before = old != nullptr ? old->if_object() : nullptr;
        auto const old_member = [&](json::string_view name) {
            bool const type_meta = path.empty() && (name == "kind" || name == "apiVersion");
            return before != nullptr && !type_meta ? before->if_contains(name) : nullptr;
        };
        if (n.additional != nullptr)
            for (auto const* m : by_name(o))
                if (n.property(text_of(m->key())) == nullptr)
                    out.merge(check(*n.additional, m->value(), old_member(m->key()),
                                    path + "." + std::string(text_of(m->key()))));
        for (auto const& [name, sub] : n.properties)
            if (auto const* v = o.if_contains(name))
                out.merge(check(*sub, *v, old_member(name), path.empty() ? name : path + "." + name));
        for (auto const& name : n.required) {
            if (o.if_contains(name) != nullptr) continue;
            out.add(faults_.required(path + "." + name));
        }
        return out;
    }

    schema_faults faults_;
};

} // namespace

std::vector<schema_violation> validate_structure(schema_node const& n, json::value const& v, json::value const* old,
                                                 std::string_view prefix) {
    std::vector<schema_violation> out;
    auto found = validator(prefix).check(n, v, old, "");
    for (auto& f : found.faults()) out.push_back(std::move(f.violation));
    return out;
}

} // namespace kftrain
