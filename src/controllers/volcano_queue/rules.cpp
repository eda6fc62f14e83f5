#include <kftrain/controllers/volcano_queue.hpp>

namespace kftrain::controllers {
namespace {

constexpr std::string_view queue_row = "queue";
constexpr std::string_view default_queue = "default";
constexpr std::string_view open_state = "Open";

std::string queue_of(volcano::pod_group const& g) {
    return g.spec.queue.empty() ? std::string(default_queue) : g.spec.queue;
}

} // namespace

volcano_gang_rules::volcano_gang_rules() {
    rows_.emplace_back(queue_row, object_type_of<volcano::queue>,
                       rules::named_by<volcano::pod_group>([](volcano::pod_group const& g) {
                           return std::vector<rules::object_name>{{"", queue_of(g)}};
                       }),
                       rules::reach::cluster);
}

rules::plan volcano_gang_rules::make_plan(rules::look<volcano::pod_group> const& look) const {
    rules::plan plan;
    auto const& phase = look.object.status.phase;
    if (!phase.empty() && phase != "Pending") return plan;
    auto const* const queue = look.world.find<volcano::queue>(queue_row, queue_of(look.object));
    if (queue == nullptr || queue->status.state != open_state) return plan;
    auto next = look.object;
    next.status.phase = "Inqueue";
    plan.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(next)));
    return plan;
}

rules::plan volcano_queue_rules::make_plan(rules::look<volcano::queue> const& look) {
    rules::plan plan;
    if (!look.object.status.state.empty()) return plan;
    auto next = look.object;
    next.status.state = open_state;
    plan.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(next)));
    return plan;
}

volcano::queue default_volcano_queue() {
    volcano::queue q;
    q.metadata.name = default_queue;
    q.spec.weight = 1;
    q.status.state = open_state;
    return q;
}

} // namespace kftrain::controllers
