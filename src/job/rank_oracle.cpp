#include <kftrain/job/rank_oracle.hpp>

#include "job/field_error.hpp"

#include <unordered_set>
#include <utility>

namespace kftrain {
namespace {

failure not_there(std::string message) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = std::move(message);
    return f;
}

std::string not_static(topology const& layout) {
    return layout.rank_note.empty() ? "ranks of this job are known at run time only" : layout.rank_note;
}

} // namespace

std::vector<env_var> container_environment::effective() const {
    std::vector<env_var> result;
    std::unordered_set<std::string_view> seen;
    for (auto it = env.rbegin(); it != env.rend(); ++it)
        if (seen.insert(it->name).second) result.push_back(*it);
    return {std::make_move_iterator(result.rbegin()), std::make_move_iterator(result.rend())};
}

rank_oracle::rank_oracle(any_job job, operator_options options)
    : job_(std::move(job)), options_(std::move(options)), layout_(job_.lay_out()) {
    job_.set_defaults();
    by_name_.reserve(layout_.replicas.size());
    by_rank_.reserve(layout_.replicas.size());
    for (std::size_t i = 0; i < layout_.replicas.size(); ++i) {
        auto const& r = layout_.replicas[i];
        by_name_.emplace(r.name, i);
        if (r.rank) by_rank_.emplace(*r.rank, i);
    }
}

/// One range per type: `pt-master-0, pt-worker-0 to pt-worker-7`.
std::string rank_oracle::known_names() const {
    std::string text;
    auto const& all = layout_.replicas;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].type == all[i].type) ++end;
        text += (text.empty() ? "" : ", ") + all[i].name;
        if (end - i > 1) text += " to " + all[end - 1].name;
        i = end;
    }
    return text.empty() ? "none: the job has no replicas" : text;
}

std::string_view rank_oracle::namespace_of_job() const noexcept {
    auto const& name = job_.metadata().namespace_;
    return name.empty() ? std::string_view("default") : std::string_view(name);
}

result<replica> rank_oracle::of_pod(std::string_view name) const {
    auto const it = by_name_.find(std::string(name));
    if (it == by_name_.end())
        return not_there("pod " + in_quotes(name) + " is not of this job; pods are " + known_names());
    return layout_.replicas[it->second];
}

result<replica> rank_oracle::of_host(std::string_view host) const {
    auto const dot = host.find('.');
    auto const it = by_name_.find(std::string(host.substr(0, dot)));
    if (it == by_name_.end()) return of_template_host(host);
    if (dot != std::string_view::npos) {
        std::string_view const rest = host.substr(dot + 1);
        std::string_view const in = rest.substr(0, rest.find('.'));
        if (in != namespace_of_job())
            return not_there("host " + in_quotes(host) + " is in namespace " + in_quotes(in) + ", the job is in " +
                             in_quotes(namespace_of_job()));
        std::string_view const tail = rest.substr(in.size());
        if (!tail.empty() && tail != ".svc" && !tail.starts_with(".svc."))
            return not_there("host " + in_quotes(host) + " is no address of a service, expected " +
                             address_of(layout_.replicas[it->second]));
    }
    return layout_.replicas[it->second];
}

/// Host names that the templates set: of a type with one replica they name a pod as well as its name does.
result<replica> rank_oracle::of_template_host(std::string_view host) const {
    auto const& all = layout_.replicas;
    std::size_t found = all.size();
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].type == all[i].type) ++end;
        if (pod_of(all[i]).spec.hostname == host && !host.empty()) {
            if (found != all.size() || end - i > 1)
                return not_there("host " + in_quotes(host) +
                                 " is shared by several pods of the job; name the pod instead, one of " +
                                 known_names());
            found = i;
        }
        i = end;
    }
    if (found == all.size())
        return not_there("host " + in_quotes(host) + " is not of this job; hosts are " + known_names());
    return all[found];
}

result<replica> rank_oracle::of_rank(std::int64_t rank) const {
    auto const it = by_rank_.find(rank);
    if (it != by_rank_.end()) return layout_.replicas[it->second];
    if (by_rank_.empty()) return not_there("rank " + std::to_string(rank) + ": " + not_static(layout_));
    return not_there("rank " + std::to_string(rank) + " is not of this job; ranks are 0 to " +
                     std::to_string(by_rank_.size() - 1));
}

result<replica> rank_oracle::of_process(std::int64_t rank) const {
    std::string const asked = "process " + std::to_string(rank);
    if (by_rank_.empty()) return not_there(asked + ": " + not_static(layout_));
    if (!layout_.processes_per_replica)
        return not_there(
            asked +
            ": how many processes a replica starts is known at run time only, ask for a replica's rank instead");
    std::int64_t const each = *layout_.processes_per_replica;
    auto const it = rank < 0 ? by_rank_.end() : by_rank_.find(rank / each);
    if (it == by_rank_.end())
        return not_there(asked + " is not of this job; processes are 0 to " +
                         std::to_string(static_cast<std::int64_t>(by_rank_.size()) * each - 1));
    return layout_.replicas[it->second];
}

result<replica> rank_oracle::of_index(std::string_view type, std::int32_t index) const {
    auto const it = by_name_.find(replica_name(job_.metadata().name, type, index));
    if (it != by_name_.end() && layout_.replicas[it->second].type == type) return layout_.replicas[it->second];
    return not_there(std::string(type) + " " + std::to_string(index) + " is not of this job; replicas are " +
                     known_names());
}

std::optional<process_range> rank_oracle::processes_of(replica const& r) const noexcept {
    if (!r.rank || !layout_.processes_per_replica) return std::nullopt;
    process_range range;
    range.count = *layout_.processes_per_replica;
    range.first = *r.rank * range.count;
    return range;
}

std::string rank_oracle::address_of(replica const& r) const {
    return r.name + "." + std::string(namespace_of_job()) + ".svc";
}

pod rank_oracle::pod_of(replica const& r) const { return job_.render_pod(layout_, r, options_); }

std::vector<container_environment> rank_oracle::environment_of(replica const& r) const {
    std::vector<container_environment> result;
    pod p = pod_of(r);
    for (auto* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto& c : *list) {
            container_environment told;
            told.container = std::move(c.name);
            told.init = list == &p.spec.init_containers;
            told.env = std::move(c.env);
            result.push_back(std::move(told));
        }
    return result;
}

} // namespace kftrain
