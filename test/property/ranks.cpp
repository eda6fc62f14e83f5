#include "property/samples.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <set>

BOOST_AUTO_TEST_SUITE(property_ranks)

using namespace kftrain;

using property::sample;
using property::samples;

namespace {

std::optional<std::string> value_of(container_environment const& environment, std::string_view name) {
    for (auto const& e : environment.effective())
        if (e.name == name) return e.value;
    return std::nullopt;
}

/// The environments that contain the rank of a member.
std::vector<container_environment> rank_environments(member_lookup const& oracle, member const& m) {
    auto all = oracle.environment_of(m);
    std::string_view const only = oracle.layout().rank_env.container;
    std::erase_if(all, [&](auto const& e) { return e.init || (!only.empty() && e.container != only); });
    return all;
}

/// The addresses that lead somewhere within a job.
class places {
public:
    places(sample const& s, member_lookup const& oracle) : oracle_(oracle) {
        for (auto const& c : s.job.render(s.options))
            if (auto const* found = c.get_if<service>()) services_[found->metadata.name] = *found;
    }

    std::map<std::string, service> const& services() const { return services_; }

    /// Empty if the host is a service or a member.
    std::string wrong(std::string const& host) const {
        bool const there = service_of(host) != nullptr || oracle_.of_host(host);
        return there ? "" : "neither a service nor a member is called " + host;
    }
    /// Empty if it has this port open: the ports of a service, and all ports of pods to which a service leads by their
    /// own names.
    std::string wrong(std::string const& host, std::string const& port) const {
        if (auto const* found = service_of(host)) {
            for (auto const& p : found->spec.ports)
                if (std::to_string(p.port) == port) return {};
            return "the service " + found->metadata.name + " has no port " + port;
        }
        auto const found = oracle_.of_host(host);
        if (!found) return wrong(host);
        pod const p = oracle_.pod_of(*found);
        if (!host.starts_with(p.spec.hostname + "." + p.spec.subdomain)) return "no name of a pod is " + host;
        return services_.contains(p.spec.subdomain) ? "" : "no service is called " + p.spec.subdomain;
    }

private:
    service const* service_of(std::string const& host) const {
        for (auto const& name : {host, host.substr(0, host.find('.'))})
            if (auto const it = services_.find(name); it != services_.end()) return &it->second;
        return nullptr;
    }

    member_lookup const& oracle_;
    std::map<std::string, service> services_;
};

/// The values that the author of a job wrote: they need not lead anywhere.
class written {
public:
    explicit written(any_job const& job) { collect(boost::json::parse(job.to_json()), ""); }

    bool has_text(std::string_view text) const {
        return std::ranges::any_of(texts_, [&](auto const& t) { return t.find(text) != std::string::npos; });
    }
    /// Apart from those that a container opens.
    bool has_number(std::string const& number) const { return numbers_.contains(number); }

private:
    void collect(boost::json::value const& v, std::string_view name) {
        if (v.is_array())
            for (auto const& item : v.get_array()) collect(item, name);
        else if (v.is_object())
            for (auto const& [key, below] : v.get_object()) collect(below, key);
        else if (v.is_string())
            texts_.emplace_back(v.get_string());
        else if (v.is_int64() && name != "containerPort")
            numbers_.insert(std::to_string(v.get_int64()));
    }

    std::vector<std::string> texts_;
    std::set<std::string> numbers_;
};

/// The parts of a text that may be a host, with a port behind a colon or without.
std::vector<std::string> addresses_in(std::string const& text, std::string const& prefix) {
    constexpr std::string_view of_address = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:_";
    std::vector<std::string> found;
    for (auto at = text.find_first_of(of_address); at != text.npos; at = text.find_first_of(of_address, at)) {
        auto const end = std::min(text.find_first_not_of(of_address, at), text.size());
        if (auto part = text.substr(at, end - at); part.starts_with(prefix)) found.push_back(std::move(part));
        at = end;
    }
    return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(ranks_are_a_permutation_and_match_the_environment) {
    std::size_t ranked = 0, reported = 0;
    for (auto const& s : samples()) {
        member_lookup const oracle(s.job, s.options);
        auto const& layout = oracle.layout();
        auto const& by = layout.rank_env;
        std::set<std::int64_t> ranks;
        std::map<std::string, int> bearers; // of host names: templates may give one to several members
        for (auto const& m : layout.members) ++bearers[m.host_name()];
        std::map<std::string, bool> has_ranks; // of roles
        for (auto const& m : layout.members) {
            auto const found = oracle.of_host(m.host_name());
            bool const leads = bearers[m.host_name()] == 1 ? found && *found == m : !found;
            BOOST_TEST(leads, s.name << ": " << m.host_name());
            bool const first = has_ranks.try_emplace(m.role, m.rank.has_value()).first->second;
            BOOST_TEST(first == m.rank.has_value(),
                       s.name << ": some of role " << m.role << " have ranks, others none");
            if (!m.rank) continue;
            BOOST_TEST(ranks.insert(*m.rank).second, s.name << ": rank " << *m.rank << " twice");
            BOOST_TEST((oracle.of_rank(*m.rank).value() == m), s.name << ": rank " << *m.rank);
            for (auto const& environment : rank_environments(oracle, m)) {
                if (by.rank.empty()) break;
                auto const rank = value_of(environment, by.rank).value_or("none");
                BOOST_TEST(rank == std::to_string(*m.rank), s.name << ", " << m.host_name() << ": " << by.rank);
                ++reported;
                if (by.world_size.empty()) continue;
                auto const size = value_of(environment, by.world_size).value_or("none");
                auto const expected = layout.world_size.value() * layout.processes_per_member.value_or(1);
                BOOST_TEST(size == std::to_string(expected), s.name << ", " << m.host_name() << ": " << by.world_size);
            }
        }
        BOOST_TEST(layout.world_size.value_or(0) == static_cast<std::int32_t>(ranks.size()), s.name);
        if (ranks.empty()) continue;
        ++ranked;
        BOOST_TEST(*ranks.begin() == 0, s.name);
        BOOST_TEST(*ranks.rbegin() + 1 == static_cast<std::int64_t>(ranks.size()), s.name);
        bool const explained = !by.rank.empty() || !layout.rank_note.empty() || ranks.size() == 1;
        BOOST_TEST(explained, s.name << ": no variable or file contains the ranks of the pods");
    }
    BOOST_TEST(ranked > 300U);
    BOOST_TEST(reported > 1000U);
}

BOOST_AUTO_TEST_CASE(every_ranked_member_gets_the_rendezvous_address) {
    std::size_t hosts = 0, ports = 0;
    for (auto const& s : samples()) {
        member_lookup const oracle(s.job, s.options);
        auto const& by = oracle.layout().rank_env;
        if (by.address.empty()) continue;
        places const all(s, oracle);
        for (auto const& m : oracle.layout().members) {
            if (!m.rank) continue;
            for (auto const& environment : rank_environments(oracle, m)) {
                auto const host = value_of(environment, by.address).value_or("");
                auto const where = s.name + ", " + m.host_name() + ": " + std::string(by.address) + " " + host;
                if (host == "localhost") {
                    BOOST_TEST(*m.rank == 0, where);
                    continue;
                }
                BOOST_TEST(all.wrong(host) == "", where);
                auto const root = oracle.of_host(host);
                BOOST_TEST((root && root->rank.value_or(0) == 0), where);
                ++hosts;
                if (by.port.empty()) continue;
                BOOST_TEST(all.wrong(host, value_of(environment, by.port).value_or("none")) == "", where);
                ++ports;
            }
        }
    }
    BOOST_TEST(hosts > 1000U);
    BOOST_TEST(ports > 1000U);
}

BOOST_AUTO_TEST_CASE(every_address_in_the_environment_belongs_to_the_job) {
    std::size_t hosts = 0, ports = 0;
    for (auto const& s : samples()) {
        member_lookup const oracle(s.job, s.options);
        places const all(s, oracle);
        written const by_author(s.job);
        for (auto const& m : oracle.layout().members)
            for (auto const& environment : oracle.environment_of(m))
                for (auto const& v : environment.effective()) {
                    if (by_author.has_text(v.value)) continue;
                    for (auto const& address : addresses_in(v.value, s.job.metadata().name + "-")) {
                        auto const colon = address.find(':');
                        auto const host = address.substr(0, colon);
                        if (by_author.has_text(host)) continue;
                        auto const where = s.name + ", " + m.host_name() + ": " + v.name + " has " + address;
                        BOOST_TEST(all.wrong(host) == "", where);
                        ++hosts;
                        if (colon == address.npos || by_author.has_number(address.substr(colon + 1))) continue;
                        BOOST_TEST(all.wrong(host, address.substr(colon + 1)) == "", where);
                        ++ports;
                    }
                }
    }
    BOOST_TEST(hosts > 1000U);
    BOOST_TEST(ports > 300U);
}

BOOST_AUTO_TEST_CASE(services_select_the_members_with_their_names) {
    std::size_t own = 0, shared = 0;
    for (auto const& s : samples()) {
        member_lookup const oracle(s.job, s.options);
        places const all(s, oracle);
        if (all.services().empty()) continue;
        std::multimap<std::string, pod> pods; // by their hosts
        for (auto const& m : oracle.layout().members) pods.emplace(m.host_name(), oracle.pod_of(m));
        for (auto const& [name, entry] : all.services()) {
            if (entry.spec.selector.empty()) continue;
            std::set<std::string> selected, expected;
            for (auto const& [host, p] : pods) {
                auto const& labels = p.metadata.labels;
                bool const matches = std::ranges::all_of(entry.spec.selector, [&](auto const& wanted) {
                    auto const it = labels.find(wanted.first);
                    return it != labels.end() && it->second == wanted.second;
                });
                if (matches) selected.insert(host);
                if (host == name || p.spec.subdomain == name) expected.insert(host);
            }
            if (expected.empty()) continue;
            bool const leads = pods.contains(name) ? selected == expected : std::ranges::includes(selected, expected);
            BOOST_TEST(leads, s.name << ": the service " << name << " selects " << selected.size() << " pods, expected "
                                     << *expected.begin() << " among " << expected.size());
            ++(pods.contains(name) ? own : shared);
        }
    }
    BOOST_TEST(own > 1000U);
    BOOST_TEST(shared > 100U);
}

BOOST_AUTO_TEST_CASE(a_job_without_a_namespace_uses_the_default_namespace) {
    for (auto const& s : samples()) {
        any_job bare = s.job;
        any_job placed = s.job;
        bare.metadata().namespace_.clear();
        placed.metadata().namespace_ = "default";
        BOOST_TEST(bare.members().domain == placed.members().domain, s.name);
        for (auto const& object : bare.render(s.options))
            BOOST_TEST(object.to_json().find("..svc") == std::string::npos, s.name << ": " << object.type().kind());
    }
}

BOOST_AUTO_TEST_SUITE_END()
