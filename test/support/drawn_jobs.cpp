#include "support/drawn_jobs.hpp"

#include "model/schema/schema_node.hpp"
#include "support/dice.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace kftrain::test {

namespace json = boost::json;

namespace {

constexpr std::int64_t most_replicas = 12; ///< rendering all of them is what takes time

/// The key of a list item.
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

    /// Replaces one place within a value, and sometimes also its parent.
    void redraw(json::value& v, model::descriptor const& d, schema_node const* schema, known_place const* known,
                int depth) {
        if (d.kind == model::shape::optional) return redraw(v, *d.element, schema, known, depth);
        auto const member_of = [&](std::string const& name) {
            return schema != nullptr ? schema->member(name) : nullptr;
        };
        if (auto* object = v.if_object(); object != nullptr && !d.fields.empty() && !roll_.once_in(8)) {
            std::vector<model::field const*> there, all;
            for (auto const& f : d.fields) {
                all.push_back(&f);
                if (object->contains(std::string(f.name))) there.push_back(&f);
            }
            auto const& f = *roll_.one_of(there.empty() || roll_.once_in(6) ? all : there);
            std::string const name(f.name);
            auto* const below = object->if_contains(name);
            if (below != nullptr && roll_.once_in(10)) {
                object->erase(name);
            } else if (below != nullptr) {
                redraw(*below, *f.type, member_of(name), place_of(known, name), depth + 1);
            } else {
                (*object)[name] = draw(*f.type, member_of(name), place_of(known, name), depth + 1);
            }
            return;
        }
        if (auto* list = v.if_array();
            list != nullptr && d.kind == model::shape::array && !list->empty() && !roll_.once_in(8)) {
            auto const at = static_cast<std::size_t>(roll_.between(0, static_cast<int>(list->size()) - 1));
            auto const* const items = schema != nullptr ? schema->items : nullptr;
            return redraw((*list)[at], *d.element, items, place_of(known, key_of((*list)[at], at)), depth + 1);
        }
        if (auto* map = v.if_object();
            map != nullptr && d.kind == model::shape::map && !map->empty() && !roll_.once_in(8)) {
            auto const at = roll_.between(0, static_cast<int>(map->size()) - 1);
            auto& entry = *(map->begin() + at);
            std::string const key(entry.key());
            return redraw(entry.value(), *d.element, member_of(key), place_of(known, key), depth + 1);
        }
        v = draw(d, schema, known, depth);
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

void known_documents::learn(any_job const& job) {
    by_kind_[kind_of(job.rules())].push_back(json::parse(job.to_json()));
}

void known_documents::learn_folder(std::filesystem::path const& folder) {
    std::set<std::filesystem::path> files; // in one order everywhere, or other jobs are drawn
    for (auto const& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file()) files.insert(entry.path());
    for (auto const& file : files)
        if (auto const jobs = parse_jobs(read_file(file)))
            for (auto const& job : *jobs)
                if (admitted(job.to_json())) learn(job);
}

std::vector<json::value> const& known_documents::of(rules::job_rules const& rules) const {
    static std::vector<json::value> const none;
    auto const it = by_kind_.find(kind_of(rules));
    return it == by_kind_.end() ? none : it->second;
}

job_drawer::job_drawer(rules::job_rules const& rules, std::vector<json::value> const& known) : rules_(&rules) {
    for (auto const& document : known)
        if (auto const* spec = document.as_object().if_contains("spec")) spec_.learn(*spec);
}

schema_node const* job_drawer::schema() const {
    auto const* const compiled = rules_->schema().get();
    return compiled != nullptr ? compiled->root->property("spec") : nullptr;
}

std::string job_drawer::draw(std::uint64_t seed) const {
    auto const& type = rules_->primary();
    json::object job;
    job["apiVersion"] = type.info->api_version();
    job["kind"] = type.info->kind;
    job["metadata"] = {
        {"name", "j" + std::to_string(seed)}, {"namespace", "team-a"}, {"uid", "uid-" + std::to_string(seed)}};
    if (auto const* f = type.model->find("spec"))
        job["spec"] = drawing(seed).draw(*f->type, schema(), spec_.count != 0 ? &spec_ : nullptr, 0);
    return json::serialize(job);
}

void job_drawer::redraw(json::object& job, std::uint64_t seed) const {
    auto const* const f = rules_->primary().model->find("spec");
    if (f != nullptr) drawing(seed).redraw(job["spec"], *f->type, schema(), spec_.count != 0 ? &spec_ : nullptr, 0);
}

std::string kind_of(rules::job_rules const& rules) {
    auto const& info = *rules.primary().info;
    return info.api_version() + " " + std::string(info.kind);
}

std::string read_file(std::filesystem::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<any_job> admitted(std::string const& text) {
    auto job = parse_job(text);
    if (!job) return std::nullopt;
    auto const faults = schema_issues(job->rules().schema(), text);
    if (!faults || has_errors(*faults) || has_errors(job->validate())) return std::nullopt;
    return *std::move(job);
}

} // namespace kftrain::test
