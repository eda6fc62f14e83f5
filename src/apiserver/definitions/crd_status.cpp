#include "apiserver/definitions/crd.hpp"

#include "base/joined.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kftrain::apiserver {
namespace {

json::object& object_at(json::object& o, std::string_view name) {
    auto& v = o[key(name)];
    return v.is_object() ? v.get_object() : v.emplace_object();
}
json::array& array_at(json::object& o, std::string_view name) {
    auto& v = o[key(name)];
    return v.is_array() ? v.get_array() : v.emplace_array();
}

struct condition {
    std::string_view type;
    bool holds;
    std::string_view reason;
    std::string message;
};

json::object* find_condition(json::array& list, std::string_view type) {
    for (auto& item : list)
        if (auto* c = item.if_object(); c != nullptr && text_in(*c, "type") == type) return c;
    return nullptr;
}

/// The time changes only with the status of the condition.
void set_condition(json::object& status, condition const& wanted, time_point now) {
    auto& list = array_at(status, "conditions");
    auto* c = find_condition(list, wanted.type);
    std::string_view const value = wanted.holds ? "True" : "False";
    bool const changes = c == nullptr || text_in(*c, "status") != value;
    if (c == nullptr) c = &list.emplace_back(json::object()).get_object();
    (*c)["type"] = key(wanted.type);
    (*c)["status"] = key(value);
    std::string printed;
    print_scalar(now, printed);
    if (changes) (*c)["lastTransitionTime"] = printed;
    (*c)["reason"] = key(wanted.reason);
    (*c)["message"] = wanted.message;
}

/// Takes the names that no other definition has, and keeps the accepted ones otherwise.
class name_arbiter {
public:
    name_arbiter(json::object const& wanted, json::object& accepted, taken_names const& taken)
        : wanted_(wanted), accepted_(accepted), taken_(taken) {}

    std::optional<condition> run() {
        take("plural", taken_.resources, "PluralConflict");
        take("singular", taken_.resources, "SingularConflict");
        take_short_names();
        take("kind", taken_.kinds, "KindConflict");
        take("listKind", taken_.kinds, "ListKindConflict");
        copy("categories");
        return conflict_;
    }

private:
    void copy(std::string_view field) {
        if (auto const* v = wanted_.if_contains(key(field)))
            accepted_[key(field)] = *v;
        else
            accepted_.stable_erase(key(field));
    }
    static std::string in_use(std::string_view name) {
        return json::serialize(json::string(key(name))) + " is already in use";
    }
    void take(std::string_view field, std::set<std::string, std::less<>> const& taken, std::string_view reason) {
        auto const name = text_in(wanted_, field);
        if (name != text_in(accepted_, field) && taken.contains(name))
            conflict_ = condition{"NamesAccepted", false, reason, in_use(name)};
        else
            copy(field);
    }
    void take_short_names() {
        std::vector<std::string> used;
        auto const* own = array_in(accepted_, "shortNames");
        if (auto const* names = array_in(wanted_, "shortNames"))
            for (auto const& name : *names) {
                bool const is_own = own != nullptr && std::ranges::find(*own, name) != own->end();
                if (!is_own && name.is_string() && taken_.resources.contains(view(name.get_string())))
                    used.push_back(in_use(view(name.get_string())));
            }
        if (used.empty()) return copy("shortNames");
        auto const text = joined(used, ", ");
        conflict_ = condition{"NamesAccepted", false, "ShortNamesConflict", used.size() > 1 ? "[" + text + "]" : text};
    }

    json::object const& wanted_;
    json::object& accepted_;
    taken_names const& taken_;
    std::optional<condition> conflict_;
};

bool holds(json::object& status, std::string_view type) {
    auto* c = find_condition(array_at(status, "conditions"), type);
    return c != nullptr && text_in(*c, "status") == "True";
}

} // namespace

bool set_crd_status(json::object& crd, taken_names const& taken, time_point now) {
    auto& status = object_at(crd, "status");
    auto& stored = array_at(status, "storedVersions");
    for (auto const* version : versions_of(crd)) {
        json::value const name(key(text_in(*version, "name")));
        if (true_in(*version, "storage") && std::ranges::find(stored, name) == stored.end()) stored.push_back(name);
    }
    auto const* spec = object_in(std::as_const(crd), "spec");
    auto const* wanted = spec != nullptr ? object_in(*spec, "names") : nullptr;
    auto const conflict =
        name_arbiter(wanted != nullptr ? *wanted : empty_object, object_at(status, "acceptedNames"), taken).run();
    set_condition(status, conflict.value_or(condition{"NamesAccepted", true, "NoConflicts", "no conflicts found"}),
                  now);
    if (!holds(status, "Established")) // and stays so
        set_condition(
            status,
            conflict ? condition{"Established", false, "NotAccepted", "not all names are accepted"}
                     : condition{"Established", true, "InitialNamesAccepted", "the initial names have been accepted"},
            now);
    return holds(status, "Established");
}

void set_crd_terminating(json::object& crd, bool now_holds, std::string_view reason, std::string_view message,
                         time_point now) {
    set_condition(object_at(crd, "status"), condition{"Terminating", now_holds, reason, std::string(message)}, now);
}

bool is_established(json::object const& crd) {
    auto const* status = object_in(crd, "status");
    auto const* list = status != nullptr ? array_in(*status, "conditions") : nullptr;
    return list != nullptr && std::ranges::any_of(*list, [](json::value const& v) {
               auto const* c = v.if_object();
               return c != nullptr && text_in(*c, "type") == "Established" && text_in(*c, "status") == "True";
           });
}

} // namespace kftrain::apiserver
