#include "apiserver/apply/field_set.hpp"

#include "base/joined.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

void visit_below(field_set const& set, std::vector<std::string>& path,
                 std::function<void(std::vector<std::string> const&)> const& visit) {
    for (auto const& [step, sub] : set.below) {
        path.push_back(step);
        if (sub.member) visit(path);
        visit_below(sub, path, visit);
        path.pop_back();
    }
}

/// Returns `name="c"` of `{"name":"c"}`; other texts as they are.
std::string print_keys(std::string_view text) {
    error_code ec;
    auto const item = json::parse(key(text), ec);
    if (ec || !item.is_object()) return std::string(text);
    return joined(item.get_object(), ",",
                  [](auto const& member) { return std::string(member.key()) + "=" + json::serialize(member.value()); });
}

} // namespace

bool field_set::empty() const noexcept {
    return !member && std::ranges::all_of(below, [](auto const& entry) { return entry.second.empty(); });
}

void field_set::insert(std::span<std::string const> path) {
    auto* here = this;
    for (auto const& step : path) here = &here->below[step];
    here->member = true;
}

void field_set::erase(std::span<std::string_view const> path) {
    auto const found = below.find(path.front());
    if (found == below.end()) return;
    if (path.size() == 1)
        below.erase(found);
    else
        found->second.erase(path.subspan(1));
}

void field_set::visit(std::function<void(std::vector<std::string> const&)> const& visit) const {
    std::vector<std::string> path;
    visit_below(*this, path, visit);
}

field_set field_set::from_json(json::object const& fields_v1) {
    field_set out;
    for (auto const& [step, value] : fields_v1) {
        if (step == ".") {
            out.member = true;
            continue;
        }
        auto& sub = out.below[std::string(step)];
        auto const* object = value.if_object();
        if (object != nullptr && !object->empty())
            sub = from_json(*object);
        else
            sub.member = true;
    }
    return out;
}

json::object field_set::to_json() const {
    json::object out;
    for (auto const& [step, sub] : below) {
        if (sub.empty()) continue;
        auto value = sub.to_json();
        if (sub.member && !value.empty()) {
            json::object with_itself;
            with_itself["."] = json::object();
            for (auto& entry : value) with_itself.emplace(entry.key(), std::move(entry.value()));
            value = std::move(with_itself);
        }
        out[step] = std::move(value);
    }
    return out;
}

field_set unite(field_set a, field_set const& b) {
    a.member = a.member || b.member;
    for (auto const& [step, sub] : b.below) {
        auto& to = a.below[step];
        to = unite(std::move(to), sub);
    }
    return a;
}

field_set subtract(field_set const& a, field_set const& b) {
    field_set out;
    out.member = a.member && !b.member;
    for (auto const& [step, sub] : a.below) {
        auto const other = b.below.find(step);
        auto rest = other == b.below.end() ? sub : subtract(sub, other->second);
        if (!rest.empty()) out.below.emplace(step, std::move(rest));
    }
    return out;
}

field_set intersect(field_set const& a, field_set const& b) {
    field_set out;
    out.member = a.member && b.member;
    for (auto const& [step, sub] : a.below)
        if (auto const other = b.below.find(step); other != b.below.end())
            if (auto both = intersect(sub, other->second); !both.empty()) out.below.emplace(step, std::move(both));
    return out;
}

std::string print_path(std::vector<std::string> const& path) {
    std::string out;
    for (auto const& step : path) {
        auto const text = std::string_view(step).substr(std::min<std::size_t>(2, step.size()));
        if (step.starts_with("f:")) {
            out.append(".").append(text);
        } else if (step.starts_with("v:")) {
            out.append("[=").append(text).append("]");
        } else {
            out.append("[").append(step.starts_with("k:") ? print_keys(text) : std::string(text)).append("]");
        }
    }
    return out;
}

} // namespace kftrain::apiserver
