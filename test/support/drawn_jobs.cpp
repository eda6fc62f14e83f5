#include "support/drawn_jobs.hpp"

#include "model/schema/schema_node.hpp"
#include "support/dice.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <algorithm>

namespace kftrain::test {

namespace json = boost::json;

namespace {

constexpr std::int64_t most_replicas = 12; ///< rendering all of them is what takes time

/// What tells an item of a list from the others.
std::string key_of(json::value const& item, std::size_t index) {
    if (auto const* object = item.if_object())
        if (auto const* name = object->if_contains("name"); name != nullptr && name->is_string())
            return std::string(name->get_string());
    return "#" + std::to_string(index);
}

class drawing {
public:
    explicit drawing(std::uint64_t seed) : roll_(seed) {}

    json::value draw(model::descriptor const& d, schema_node const* schema, known_place const* known, int depth) {
        switch (d.kind) {
        case model::shape::optional: return draw(*d.element, schema, known, depth);
        case model::shape::object: return draw_object(d, schema, known, depth);
        case model::shape::array: return draw_list(d, schema, known, depth);
        case model::shape::map: return draw_map(d, schema, known, depth);
        default: break;
        }
        if (known != nullptr && !known->values.empty() && !roll_.once_in(40)) return roll_.one_of(known->values);
        return fresh(d, schema);
    }

private:
    json::value draw_object(model::descriptor const& d, schema_node const* schema, known_place const* known,
                            int depth) {
        json::object made;
        for (auto const& f : d.fields) {
            std::string const name(f.name);
            auto const* const below = schema != nullptr ? schema->member(name) : nullptr;
            auto const* seen = known != nullptr && known->below.contains(name) ? &known->below.at(name) : nullptr;
            bool const required =
                schema != nullptr && std::ranges::find(schema->required, name) != schema->required.end();
            bool there = seen != nullptr && roll_.between(1, known->count) <= seen->count;
            if (roll_.once_in(60)) there = !there && depth < 10;
            if (required || there) made[name] = draw(*f.type, below, seen, depth + 1);
        }
        return made;
    }

    /// As many and such as a known one has, now and then one less.
    std::vector<std::string> draw_keys(known_place const* known) {
        if (known == nullptr || known->keys.empty()) return {roll_.once_in(2) ? "a" : "b"};
        auto keys = roll_.one_of(known->keys);
        if (!keys.empty() && roll_.once_in(20)) keys.pop_back();
        return keys;
    }
    static known_place const* place_of(known_place const* known, std::string const& key) {
        if (known == nullptr) return nullptr;
        auto const it = known->below.find(key);
        return it == known->below.end() ? nullptr : &it->second;
    }

    json::value draw_list(model::descriptor const& d, schema_node const* schema, known_place const* known, int depth) {
        json::array made;
        for (auto const& key : draw_keys(known))
            made.push_back(
                draw(*d.element, schema != nullptr ? schema->items : nullptr, place_of(known, key), depth + 1));
        return made;
    }
    json::value draw_map(model::descriptor const& d, schema_node const* schema, known_place const* known, int depth) {
        json::object made;
        for (auto const& key : draw_keys(known))
            made[key] =
                draw(*d.element, schema != nullptr ? schema->member(key) : nullptr, place_of(known, key), depth + 1);
        return made;
    }

    /// A value that nobody has seen here.
    json::value fresh(model::descriptor const& d, schema_node const* schema) {
        if (schema != nullptr && !schema->enumeration.empty()) return roll_.one_of(schema->enumeration);
        if (d.kind == model::shape::boolean) return roll_.once_in(2);
        if (d.kind == model::shape::integer || d.kind == model::shape::number) {
            int least = 0;
            if (schema != nullptr && schema->minimum)
                least = static_cast<int>(std::clamp(*schema->minimum, 0.0, 65535.0));
            return least + roll_.between(0, 5);
        }
        if (d.kind == model::shape::raw) return json::object();
        if (d.name == "quantity") return json::value(roll_.one_of(std::vector<std::string>{"1", "500m", "1e1", "2Gi"}));
        if (d.name == "RFC 3339 time") return "2026-01-02T03:04:05Z";
        if (d.name == "duration") return "30s";
        if (d.name == "base64") return "YQ==";
        if (d.kind == model::shape::text) return roll_.between(1, 5);
        return json::value(
            roll_.one_of(std::vector<std::string>{"a", "x-1", "Always", "a\nb: \"c\"", "\xC3\xA9 #", "null", "1e3"}));
    }

    dice roll_;
};

} // namespace

void known_place::learn(json::value const& v) {
    ++count;
    if (auto const* object = v.if_object()) {
        auto& all = keys.emplace_back();
        for (auto const& [name, value] : *object) {
            auto const* const number = value.if_int64();
            bool const large =
                number != nullptr && *number > most_replicas && std::string_view(name).ends_with("eplicas");
            if (large) continue;
            all.emplace_back(name);
            below[std::string(name)].learn(value);
        }
    } else if (auto const* list = v.if_array()) {
        auto& all = keys.emplace_back();
        for (std::size_t i = 0; i < list->size(); ++i) {
            all.push_back(key_of((*list)[i], i));
            below[all.back()].learn((*list)[i]);
        }
    } else if (!v.is_null()) {
        values.push_back(v);
    }
}

job_drawer::job_drawer(rules::job_rules const& rules, std::vector<json::value> const& known) : rules_(&rules) {
    for (auto const& document : known)
        if (auto const* spec = document.as_object().if_contains("spec")) spec_.learn(*spec);
}

std::string job_drawer::draw(std::uint64_t seed) const {
    auto const& type = rules_->primary();
    auto const* const compiled = rules_->schema().get();
    auto const* const schema = compiled != nullptr ? compiled->root->property("spec") : nullptr;
    json::object job;
    job["apiVersion"] = type.info->api_version();
    job["kind"] = type.info->kind;
    job["metadata"] = {
        {"name", "j" + std::to_string(seed)}, {"namespace", "team-a"}, {"uid", "uid-" + std::to_string(seed)}};
    if (auto const* f = type.model->find("spec"))
        job["spec"] = drawing(seed).draw(*f->type, schema, spec_.count != 0 ? &spec_ : nullptr, 0);
    return json::serialize(job);
}

std::optional<any_job> admitted(std::string const& text) {
    auto job = parse_job(text);
    if (!job) return std::nullopt;
    auto const faults = schema_issues(job->rules().schema(), text);
    if (!faults || has_errors(*faults) || has_errors(job->validate())) return std::nullopt;
    return *std::move(job);
}

} // namespace kftrain::test
