#include "job/contract/pod_templates.hpp"

#include "base/ascii.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>

#include <algorithm>

namespace kftrain {
namespace {

bool is_template(model::descriptor const& d) { return &d == &descriptor_of<core::pod_template_spec>(); }

/// Collects the pod templates of an object of any described type.
class template_finder {
public:
    std::vector<pod_template_place> find(model::descriptor const& type, void const* object) {
        look_into(type, object, "", "");
        return std::move(found_);
    }

private:
    void look_into(model::descriptor const& d, void const* value, std::string const& path, std::string_view key) {
        using enum model::shape;
        if (d.kind == optional) {
            if (auto const* const held = d.peek(value)) look_into(*d.element, held, path, key);
        } else if (d.kind == array) {
            for (std::size_t i = 0; i < d.size(value); ++i)
                look_into(*d.element, d.at(value, i), path + "[" + std::to_string(i) + "]", "");
        } else if (d.kind == map) {
            entries all{this, &d, &path};
            d.visit(value, &all, [](void* context, std::string const& name, void const* entry) {
                auto const& e = *static_cast<entries*>(context);
                e.finder->look_into(*e.map->element, entry, *e.path + "[" + name + "]", name);
            });
        } else if (d.kind == object) {
            look_into_object(d, value, path, key);
        }
    }

    void look_into_object(model::descriptor const& d, void const* value, std::string const& path,
                          std::string_view key) {
        for (auto const& f : d.fields) {
            auto const* type = f.type;
            void const* member = f.get_const(value);
            while (member != nullptr && type->kind == model::shape::optional) {
                member = type->peek(member);
                type = type->element;
            }
            if (member == nullptr || (path.empty() && f.name != "spec")) continue;
            auto const at = path.empty() ? std::string(f.name) : path + "." + std::string(f.name);
            if (!is_template(*type)) {
                look_into(*type, member, at, f.name);
                continue;
            }
            auto& t = found_.emplace_back();
            t.path = at;
            t.names = strings_of(d, value);
            t.names.emplace_back(key);
            t.given = static_cast<core::pod_template_spec const*>(member);
        }
    }

    static std::vector<std::string> strings_of(model::descriptor const& d, void const* value) {
        std::vector<std::string> all;
        for (auto const& f : d.fields)
            if (f.type->kind == model::shape::string)
                all.push_back(*static_cast<std::string const*>(f.get_const(value)));
        return all;
    }

    struct entries {
        template_finder* finder;
        model::descriptor const* map;
        std::string const* path;
    };

    std::vector<pod_template_place> found_;
};

} // namespace

std::vector<pod_template_place> pod_templates(any_job const& job) {
    return template_finder().find(*job.type().model, job.get());
}

pod_template_place const* template_of(std::vector<pod_template_place> const& all, std::string_view role) {
    auto const is_meant = [&](pod_template_place const& t) {
        return std::ranges::any_of(t.names, [&](auto const& n) { return to_lower(n) == to_lower(role); });
    };
    auto const found = std::ranges::find_if(all, is_meant);
    if (found != all.end()) return &*found;
    return all.size() == 1 ? &all.front() : nullptr;
}

} // namespace kftrain
