#include "property/samples.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/rank_oracle.hpp>
#include <kftrain/kinds/all.hpp>
#include <kftrain/kinds/registry.hpp>

#include "support/job_world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

BOOST_AUTO_TEST_SUITE(property_jobs)

using namespace kftrain;

using property::sample;
using property::samples;

namespace {

std::vector<std::string> texts_of(std::vector<any_object> const& children) {
    std::vector<std::string> texts;
    for (auto const& c : children) texts.push_back(c.to_json());
    return texts;
}

std::optional<std::string> value_of(container_environment const& environment, std::string_view name) {
    for (auto const& e : environment.effective())
        if (e.name == name) return e.value;
    return std::nullopt;
}

/// How many variables TF_CONFIG the container of TensorFlow has.
std::ptrdiff_t configs_in(std::vector<core::env_var> const& env) {
    return std::ranges::count(env, "TF_CONFIG", &core::env_var::name);
}

/// Those that the author of the job wrote there.
std::ptrdiff_t configs_written(tf_job const& job, std::string const& role) {
    for (auto const& c : job.spec.tf_replica_specs.at(role).template_.spec.containers)
        if (c.name == "tensorflow") return configs_in(c.env);
    return 0;
}

/// Whether each member is a pod and a service that is told its rank by its environment.
bool is_replica_job(any_job const& job) { return job.resource().version == "v1"; }

/// How the environment of a kind names what it tells; empty where it tells no ranks, or not so.
struct told_names {
    std::string_view rank, world_size, address, port;
    std::string_view ranked; ///< the role that has ranks; empty: all have
};
told_names names_of(any_job const& job) {
    auto const kind = job.resource().kind;
    if (kind == "JAXJob") return {"PROCESS_ID", "NUM_PROCESSES", "COORDINATOR_ADDRESS", "COORDINATOR_PORT", ""};
    if (kind == "PyTorchJob" || kind == "XGBoostJob") return {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", ""};
    if (kind == "MXJob") return {"DMLC_WORKER_ID", "DMLC_NUM_WORKER", "", "", "Worker"};
    return {};
}

/// What the members of a job are told, as far as it has to lead somewhere within the job.
class addressed_services {
public:
    explicit addressed_services(sample const& s) {
        for (auto const& c : s.job.render(s.options))
            if (auto const* found = c.get_if<service>()) services_[found->metadata.name] = *found;
    }

    /// Empty if `host` is a service that has this port open.
    std::string wrong(std::string_view host, std::string_view port) const {
        auto const it = services_.find(std::string(host));
        if (it == services_.end()) return "no service is called " + std::string(host);
        for (auto const& p : it->second.spec.ports)
            if (std::to_string(p.port) == port) return {};
        return "the service " + std::string(host) + " has no port " + std::string(port);
    }

private:
    std::map<std::string, service> services_;
};

} // namespace

BOOST_AUTO_TEST_CASE(of_every_kind_a_fair_share_of_drawn_jobs_is_admitted) {
    for (auto const* rules : known_job_rules()) {
        auto const& type = *rules->primary().info;
        auto const kind = type.api_version() + " " + std::string(type.kind);
        BOOST_TEST(property::admitted_share(kind) >= 0.1, kind << ": " << property::admitted_share(kind));
    }
}

BOOST_AUTO_TEST_CASE(every_job_is_valid) {
    std::size_t recorded = 0;
    for (auto const& s : samples()) {
        BOOST_TEST(join_errors(s.job.validate(), "; ") == "", s.name << ": " << join_errors(s.job.validate(), "; "));
        recorded += s.name.starts_with("seed ") ? 0U : 1U;
    }
    BOOST_TEST(recorded > 100U);
}

BOOST_AUTO_TEST_CASE(ranks_are_a_permutation_and_what_the_pods_are_told) {
    std::size_t ranked = 0;
    for (auto const& s : samples()) {
        rank_oracle const oracle(s.job, s.options);
        auto const told = is_replica_job(s.job) ? names_of(s.job) : told_names();
        bool const by_environment = !told.rank.empty();
        auto const& layout = oracle.layout();
        std::set<std::int64_t> ranks;
        std::set<std::string> names;
        for (auto const& r : layout.members) {
            BOOST_TEST(names.insert(r.host_name()).second, s.name << ": two members are called " << r.host_name());
            if (!r.rank) continue;
            BOOST_TEST(ranks.insert(*r.rank).second, s.name << ": rank " << *r.rank << " twice");
            BOOST_TEST(oracle.of_rank(*r.rank).value().pod_name == r.pod_name);
            if (!by_environment) continue;
            for (auto const& environment : oracle.environment_of(r)) {
                if (environment.init) continue;
                BOOST_TEST(value_of(environment, told.rank).value_or("none") == std::to_string(*r.rank), s.name);
                auto const world = std::stoll(value_of(environment, told.world_size).value_or("0"));
                BOOST_TEST(world == layout.world_size.value() * layout.processes_per_member.value_or(1), s.name);
            }
        }
        if (ranks.empty()) continue;
        ++ranked;
        BOOST_TEST(*ranks.begin() == 0, s.name);
        BOOST_TEST(*ranks.rbegin() + 1 == static_cast<std::int64_t>(ranks.size()), s.name);
        auto const may_have = std::ranges::count_if(
            layout.members, [&](member const& m) { return told.ranked.empty() || m.role == told.ranked; });
        if (by_environment) BOOST_TEST(ranks.size() == static_cast<std::size_t>(may_have), s.name);
        BOOST_TEST(layout.world_size.value() == static_cast<std::int32_t>(ranks.size()), s.name);
    }
    BOOST_TEST(ranked > 300U);
}

BOOST_AUTO_TEST_CASE(every_address_that_a_pod_is_told_resolves) {
    std::size_t masters = 0;
    std::size_t rendezvous = 0;
    for (auto const& s : samples()) {
        if (!is_replica_job(s.job)) continue;
        addressed_services const services(s);
        rank_oracle const oracle(s.job, s.options);
        auto const told = names_of(s.job);
        if (told.rank.empty()) continue;
        auto const* job = s.job.get_if<pytorch_job>();
        auto const* elastic = job != nullptr && job->spec.elastic_policy ? &*job->spec.elastic_policy : nullptr;
        bool const elsewhere = elastic != nullptr && (elastic->rdzv_host || elastic->rdzv_port);
        for (auto const& r : oracle.layout().members)
            for (auto const& environment : oracle.environment_of(r)) {
                if (environment.init) continue;
                // Without ranks there is no master, and a variable of this name is the user's own.
                if (auto const host = value_of(environment, told.address); host && r.rank) {
                    auto const port = value_of(environment, told.port).value_or("none");
                    BOOST_TEST(services.wrong(*host, port) == "", s.name << ", " << r.pod_name);
                    if (job != nullptr) {
                        BOOST_TEST(value_of(environment, "PET_MASTER_ADDR").value_or("none") == *host, s.name);
                        BOOST_TEST(value_of(environment, "PET_MASTER_PORT").value_or("none") == port, s.name);
                    }
                    BOOST_TEST(oracle.of_host(*host).value().rank.value() == 0, s.name);
                    ++masters;
                }
                auto const endpoint = value_of(environment, "PET_RDZV_ENDPOINT");
                BOOST_TEST(endpoint.has_value() == (elastic != nullptr), s.name);
                if (!endpoint || elsewhere) continue;
                auto const colon = endpoint->find(':');
                BOOST_TEST_REQUIRE(colon != std::string::npos);
                BOOST_TEST(services.wrong(endpoint->substr(0, colon), endpoint->substr(colon + 1)) == "", s.name);
                ++rendezvous;
            }
    }
    BOOST_TEST(masters > 1000U);
    BOOST_TEST(rendezvous > 300U);
}

BOOST_AUTO_TEST_CASE(every_task_that_tensorflow_is_told_of_is_a_service) {
    std::size_t tasks = 0;
    for (auto const& s : samples()) {
        if (!s.job.get_if<tf_job>()) continue;
        addressed_services const services(s);
        rank_oracle const oracle(s.job, s.options);
        for (auto const& r : oracle.layout().members)
            for (auto const& environment : oracle.environment_of(r)) {
                auto const config = value_of(environment, "TF_CONFIG");
                if (environment.container != "tensorflow" || environment.init || !config) continue;
                // Where the operator tells nothing, the user's own may say anything.
                if (configs_in(environment.env) == configs_written(*oracle.job().get_if<tf_job>(), r.role)) continue;
                boost::json::error_code ec;
                auto const parsed = boost::json::parse(*config, ec);
                BOOST_TEST(!ec, s.name << ", " << r.pod_name << ": " << *config);
                if (ec) continue;
                auto const& cluster = parsed.at("cluster").as_object();
                auto const look = [&](boost::json::value const& address) {
                    std::string const text(address.as_string());
                    auto const dot = text.find('.'), colon = text.rfind(':');
                    BOOST_TEST(services.wrong(text.substr(0, dot), text.substr(colon + 1)) == "", s.name);
                    BOOST_TEST(oracle.of_host(text.substr(0, colon)).has_value(), s.name << ": " << text);
                    ++tasks;
                };
                for (auto const& [type, all] : cluster)
                    if (all.is_array())
                        for (auto const& address : all.get_array()) look(address);
                    else if (all.is_object())
                        for (auto const& own : all.get_object()) look(own.value());
                BOOST_TEST(parsed.at("task").at("index").as_int64() == r.index, s.name);
            }
    }
    BOOST_TEST(tasks > 100U);
}

BOOST_AUTO_TEST_CASE(services_select_the_pod_of_their_name) {
    for (auto const& s : samples()) {
        if (!is_replica_job(s.job)) continue;
        auto const children = s.job.render(s.options);
        for (auto const& c : children) {
            auto const* entry = c.get_if<service>();
            if (entry == nullptr) continue;
            std::vector<std::string> selected;
            for (auto const& other : children) {
                auto const* p = other.get_if<pod>();
                if (p == nullptr) continue;
                auto const& labels = p->metadata.labels;
                bool const matches = std::ranges::all_of(entry->spec.selector, [&](auto const& wanted) {
                    auto const it = labels.find(wanted.first);
                    return it != labels.end() && it->second == wanted.second;
                });
                if (matches) selected.push_back(p->metadata.name);
            }
            BOOST_TEST(selected == std::vector<std::string>{entry->metadata.name}, s.name);
        }
    }
}

BOOST_AUTO_TEST_CASE(rendering_is_deterministic_and_survives_encoding) {
    for (auto const& s : samples()) {
        auto const rendered = texts_of(s.job.render(s.options));
        BOOST_TEST(rendered.empty() == s.job.lay_out().members.empty(), s.name);
        BOOST_TEST(texts_of(s.job.render(s.options)) == rendered, s.name);
        BOOST_TEST(texts_of(s.job.with_defaults().render(s.options)) == rendered, s.name);
        for (auto const& text : {s.job.to_json(), s.job.to_yaml(), s.job.with_defaults().to_yaml()})
            BOOST_TEST(texts_of(parse_job(text).value().render(s.options)) == rendered, s.name);
    }
}

BOOST_AUTO_TEST_CASE(a_rendered_pod_is_what_the_oracle_and_the_plan_say) {
    time_point const now{std::chrono::seconds(1'700'000'000)};
    for (auto const& s : samples()) {
        any_job const job = s.job.with_defaults();
        auto const layout = job.lay_out();
        auto const told = job.rules().with(s.options);
        std::set<std::string> rendered;
        for (auto const& c : s.job.render(s.options)) {
            rendered.insert(c.to_json());
            auto const* p = c.get_if<pod>();
            if (p == nullptr) continue;
            auto const* r = layout.of(p->metadata);
            BOOST_TEST_REQUIRE(r != nullptr, s.name);
            BOOST_TEST(to_json(told->render_pod(job.get(), layout, *r)) == to_json(*p), s.name);
        }
        for (auto const& step : plan_of(s.job, {}, now, s.options).steps)
            for (auto const& action : step.actions)
                if (auto const* create = std::get_if<rules::create>(&action))
                    BOOST_TEST(rendered.contains(create->object.to_json()), s.name);
    }
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back_as_the_same_job) {
    for (auto const& s : samples())
        for (auto const& text : {s.job.to_json(), s.job.to_yaml()}) {
            auto const again = parse_job(text).value();
            BOOST_TEST(equal(*s.job.type().model, again.get(), s.job.get()), s.name);
        }
}

BOOST_AUTO_TEST_CASE(defaults_are_idempotent_and_keep_the_job_valid) {
    for (auto const& s : samples()) {
        any_job job = s.job.with_defaults();
        auto const once = job.to_json();
        BOOST_TEST(join_errors(job.validate(), "; ") == "", s.name);
        job.set_defaults();
        BOOST_TEST(job.to_json() == once, s.name);
        any_job read = parse_job(once).value();
        read.set_defaults();
        BOOST_TEST(read.to_json() == once, s.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
