#ifndef KFTRAIN_TEST_UNIT_LOCAL_PLACED_CLUSTER_HPP
#define KFTRAIN_TEST_UNIT_LOCAL_PLACED_CLUSTER_HPP

#include "local/scheduler/placement.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace placement_tests {

using namespace kftrain;
using namespace kftrain::local;

using texts = std::vector<std::string>;

/// A cluster of objects that are written as JSON.
struct placed_cluster {
    template <class T> static std::shared_ptr<T const> made(std::string const& json) {
        return std::make_shared<T const>(from_json<T>(json).value());
    }
    placed_cluster& node(std::string const& name, std::string const& allocatable, std::string const& spec = "{}",
                         std::string const& labels = "{}") {
        objects.nodes.push_back(made<core::node>(R"({"metadata":{"name":")" + name + R"(","labels":)" + labels +
                                                 R"(},"spec":)" + spec + R"(,"status":{"allocatable":)" + allocatable +
                                                 "}}"));
        return *this;
    }
    /// `spec` and `meta` are further members, each with a comma before it.
    placed_cluster& pod(std::string const& name, std::string const& requests, std::string const& spec = "",
                        std::string const& meta = "") {
        objects.pods.push_back(made<core::pod>(
            R"({"metadata":{"namespace":"a","name":")" + name + R"(","uid":")" + name + "\"" + meta +
            R"(},"spec":{"containers":[{"name":"c","resources":{"requests":)" + requests + "}}]" + spec + "}}"));
        return *this;
    }
    placed_cluster& in_gang(std::string const& name, std::string const& requests, std::string const& gang,
                            std::string const& spec = "") {
        return pod(name, requests, spec, R"(,"annotations":{"scheduling.k8s.io/group-name":")" + gang + "\"}");
    }
    placed_cluster& gang(std::string const& name, int minimum, std::string const& more = "",
                         std::string const& phase = "Inqueue") {
        objects.volcano_groups.push_back(
            made<volcano::pod_group>(R"({"metadata":{"namespace":"a","name":")" + name + R"("},"spec":{"minMember":)" +
                                     std::to_string(minimum) + more + R"(},"status":{"phase":")" + phase + "\"}}"));
        return *this;
    }

    texts placed() const {
        texts all;
        for (auto const& p : place_pods(objects).placed) all.push_back(p.pod->metadata.name + " on " + p.node);
        std::ranges::sort(all);
        return all;
    }
    texts waiting() const {
        texts all;
        for (auto const& w : place_pods(objects).waiting) all.push_back(w.pod->metadata.name + ": " + w.message);
        std::ranges::sort(all);
        return all;
    }
    texts evicted() const {
        texts all;
        for (auto const& p : place_pods(objects).evicted) all.push_back(p->metadata.name);
        return all;
    }

    /// The pods that waiting pods preempt, and the nodes to which they are nominated without preemption.
    texts preemptions() const {
        texts all;
        auto const result = place_pods(objects);
        for (auto const& p : result.preemptions) {
            auto& text = all.emplace_back(p.pod->metadata.name + " on " + p.node + ":");
            for (auto const& v : p.victims) text += " " + v->metadata.name;
        }
        for (auto const& w : result.waiting) {
            auto const preempts = [&](auto const& p) { return p.pod == w.pod && p.node == w.nominated; };
            if (!w.nominated.empty() && std::ranges::none_of(result.preemptions, preempts))
                all.push_back(w.pod->metadata.name + " on " + w.nominated);
        }
        return all;
    }

    cluster_objects objects;
};

inline void expect(texts const& actual, texts const& expected) {
    BOOST_TEST(actual == expected, boost::test_tools::per_element());
}

} // namespace placement_tests

#endif
