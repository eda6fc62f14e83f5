#include "job/v1/observed.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/model/ownership.hpp>

namespace kftrain::kubeflow_v1 {
namespace {

constexpr std::string_view controlled = "controlled", of_its_name = "of its name";

} // namespace

void observed::add(any_object object) {
    if (auto p = object.share<pod>())
        pods.push_back(std::move(p));
    else if (auto s = object.share<service>())
        services.push_back(std::move(s));
    else
        others.push_back(std::move(object));
}

std::vector<rules::watched> rows_of(std::string_view selector, bool services) {
    std::vector<rules::watched> rows;
    rows.emplace_back(controlled, observed_pod_type(), rules::by_controller()).label_selector = selector;
    if (services)
        rows.emplace_back(controlled, observed_service_type(), rules::by_controller()).label_selector = selector;
    return rows;
}

void add_named(std::vector<rules::watched>& rows, object_type const& type, rules::by_name_of_primary names) {
    rows.emplace_back(of_its_name, type, names);
}

void add_rows(std::vector<rules::watched>& rows, object_type const& type, rules::by_name_of_primary names) {
    rows.emplace_back(controlled, type, rules::by_controller());
    add_named(rows, type, names);
}

observed gather(rules::world const& related, std::string_view uid) {
    observed world;
    for (auto const& object : related.all(controlled)) world.add(object);
    for (auto const& object : related.all(of_its_name))
        if (!kftrain::is_controlled_by(object.metadata(), uid)) world.others.push_back(object);
    return world;
}

} // namespace kftrain::kubeflow_v1
