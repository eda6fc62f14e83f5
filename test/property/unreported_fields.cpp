#include "property/unreported_fields.hpp"

#include <algorithm>

namespace property {
namespace {

namespace json = boost::json;
using path_steps = std::vector<std::string>;

/// Of a path as changes spell it: names stand behind a point, keys and indices in brackets.
path_steps steps_along(std::string_view path) {
    path_steps steps;
    while (!path.empty()) {
        bool const in_brackets = path.front() == '[';
        if (in_brackets || path.front() == '.') path.remove_prefix(1);
        auto const name = path.substr(0, in_brackets ? path.find(']') : path.find_first_of(".["));
        steps.emplace_back(name);
        path.remove_prefix(std::min(path.size(), name.size() + (in_brackets ? 1 : 0)));
    }
    return steps;
}

json::value const* item_of(json::value const* whole, std::string const& step) {
    if (whole == nullptr) return nullptr;
    if (auto const* object = whole->if_object()) return object->if_contains(step);
    auto const* list = whole->if_array();
    return list == nullptr ? nullptr : list->if_contains(std::stoul(step));
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

/// Goes through a job and its result side by side.
class search {
public:
    search(json::value const& result, std::vector<kftrain::convert::change> const& changes) : result_(result) {
        for (auto const& c : changes) reported_.push_back(steps_along(c.path));
    }

    /// `there` is the value of the result at the place; null if there is none.
    void look(json::value const& field, json::value const* there) {
        if (is_reported()) return;
        if (there != nullptr && *there == field) return;
        if (auto const* object = field.if_object()) {
            for (auto const& [name, value] : *object) step(std::string(name), value, place_of(name, there));
        } else if (auto const* list = field.if_array()) {
            auto const* others = there == nullptr ? nullptr : there->if_array();
            for (std::size_t i = 0; i < list->size(); ++i)
                if (others == nullptr || std::ranges::find(*others, (*list)[i]) == others->end())
                    step(std::to_string(i), (*list)[i], item_of(there, std::to_string(i)));
        } else {
            std::string text;
            for (auto const& s : at_) text += (text.empty() ? "" : ".") + s;
            unreported.push_back(std::move(text));
        }
    }

    std::vector<std::string> unreported;

private:
    void step(std::string name, json::value const& value, json::value const* there) {
        at_.push_back(std::move(name));
        look(value, there);
        at_.pop_back();
    }

    bool is_reported() const {
        return std::ranges::any_of(reported_, [&](path_steps const& reported) {
            return reported.size() <= at_.size() && std::equal(reported.begin(), reported.end(), at_.begin());
        });
    }

    /// Replica types have become tasks.
    json::value const* place_of(std::string_view name, json::value const* there) const {
        bool const in_map = at_.size() == 2 && at_[0] == "spec" && at_[1].ends_with("ReplicaSpecs");
        if (!in_map) return item_of(there, std::string(name));
        auto const* const tasks = result_.at("spec").as_object().if_contains("tasks");
        if (tasks == nullptr) return nullptr; // a TrainJob has no part for each type
        for (auto const& task : tasks->as_array())
            if (std::string(task.at("name").as_string()) == lower(std::string(name))) return &task;
        return nullptr;
    }

    json::value const& result_;
    std::vector<path_steps> reported_;
    path_steps at_;
};

} // namespace

std::vector<std::string> unreported_fields(json::value const& source, json::value const& result,
                                           std::vector<kftrain::convert::change> const& changes) {
    search all(result, changes);
    for (auto const& [name, value] : source.as_object())
        if (name != "kind") {
            json::object one{{name, value}};
            all.look(one, &result);
        }
    return std::move(all.unreported);
}

} // namespace property
