#ifndef KFTRAIN_TEST_ASYNC_CONTROL_WIDGET_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_WIDGET_CLUSTER_HPP

#include "async/control/operator_cluster.hpp"

#include <kftrain/control/controller_operator.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/core/config_map.hpp>

namespace kftrain {

struct widget_spec {
    widget_spec() = default;

    std::string room; ///< a namespace that it looks at
};
BOOST_DESCRIBE_STRUCT(widget_spec, (), (room))

struct widget_status {
    widget_status() = default;

    std::string seen;
};
BOOST_DESCRIBE_STRUCT(widget_status, (), (seen))

/// The objects of the test controllers.
struct widget {
    widget() = default;

    static constexpr resource_info resource{"example.com", "v1", "Widget", "widgets"};

    object_meta metadata;
    widget_spec spec;
    widget_status status;
};
BOOST_DESCRIBE_STRUCT(widget, (), (metadata, spec, status))

} // namespace kftrain

namespace widget_tests {

using namespace operator_tests;
using rules::watched;

template <class K> using planner = std::function<rules::plan(rules::look<K> const&)>;

/// Rules with the rows and the plan of a test.
template <class K> struct given_rules {
    using object = K;
    static constexpr std::string_view name = "given";

    std::span<watched const> watches() const noexcept { return rows; }
    rules::plan make_plan(rules::look<K> const& look) const { return plan(look); }

    std::vector<watched> rows;
    planner<K> plan;
};

/// The same, for objects without the label `ignored` alone.
template <class K> struct selective_rules : given_rules<K> {
    static bool plans_for(K const& object) { return !object.metadata.labels.contains("ignored"); }
};

/// A plan of one step.
inline rules::plan one(rules::action a) {
    rules::plan p;
    p.steps.emplace_back().actions.push_back(std::move(a));
    return p;
}

/// Names in a row, `a b c`.
template <class K> std::string names_in(rules::world const& seen, std::string_view row) {
    std::string text;
    for (auto const& object : seen.of<K>(row)) text += (text.empty() ? "" : " ") + object.metadata.name;
    return text;
}

template <class Owner> owner_reference controlled_by(Owner const& o) {
    owner_reference r;
    r.api_version = Owner::resource.api_version();
    r.kind = Owner::resource.kind;
    r.name = o.metadata.name;
    r.uid = o.metadata.uid;
    r.controller = true;
    return r;
}

/// An API server with widgets, and a controller.
struct widget_cluster : test::served_cluster {
    widget_cluster() {
        server.register_resource(apiserver::resource_definition(widget::resource)).value();
        for (auto const* name : {"corpus", "other"}) make_namespace(name);
    }
    ~widget_cluster() {
        op.reset();
        run(50ms);
    }

    template <class K, class Rules = given_rules<K>>
    void start(std::vector<watched> rows, planner<K> plan, std::string ns = {}) {
        Rules made_rules;
        made_rules.rows = std::move(rows);
        made_rules.plan = std::move(plan);
        control::controller_operator_options options;
        options.namespace_ = std::move(ns);
        op = std::make_unique<control::controller_operator>(
            std::make_shared<rules::controller_of<Rules>>(std::move(made_rules)), client, options);
        op->async_run([](error_code) {});
    }
    /// Rules that write the text of `describe` into the status.
    void start_describing(std::vector<watched> rows, std::function<std::string(rules::look<widget> const&)> describe,
                          std::string ns = {}) {
        start<widget>(
            std::move(rows),
            [this, describe = std::move(describe)](rules::look<widget> const& look) {
                ++passes;
                widget next = look.object;
                next.status.seen = describe(look);
                if (next.status.seen == look.object.status.seen) return rules::plan();
                return one(rules::write_status(std::move(next)));
            },
            std::move(ns));
    }

    std::string call(result<kube::http_request> const& request) {
        return ask<std::string>([&](auto h) { user.async_call(request, std::move(h)); });
    }
    template <class K> K create(K object) {
        return from_json<K>(call(kube::request::create(K::resource, object.metadata.namespace_, to_json(object))))
            .value();
    }
    template <class K>
    K create(std::string name, std::function<void(K&)> const& change = {}, std::string ns = "corpus") {
        K object;
        object.metadata.name = std::move(name);
        object.metadata.namespace_ = std::move(ns);
        if (change) change(object);
        return create(object);
    }
    template <class K> void change(std::string const& name, std::string patch, std::string const& ns = "corpus") {
        call(kube::request::patch(K::resource, ns, name, kube::patch_body(patch_type::merge, patch)));
    }
    template <class K> void remove(std::string const& name, std::string const& ns = "corpus") {
        call(kube::request::remove(K::resource, ns, name));
    }
    template <class K> result<K> get(std::string const& name, std::string const& ns = "corpus") {
        auto r = kube::run_blocking<std::string>(io.get_executor(), diagnostics(), [&](auto h) {
            client.async_call(kube::request::get(K::resource, ns, name), kube::call_options(), std::move(h));
        });
        if (!r) return r.error();
        return from_json<K>(*r);
    }
    std::string seen(std::string const& name = "w", std::string const& ns = "corpus") {
        auto const found = get<widget>(name, ns);
        return found ? found->status.seen : "(no widget)";
    }
    void until_seen(std::string const& expected, std::string const& name = "w", std::string const& ns = "corpus") {
        for (int i = 0; i != 1000 && seen(name, ns) != expected; ++i) run(5ms);
        BOOST_TEST(seen(name, ns) == expected);
    }
    /// Until nothing happens for this long; work that never rests is left after a while.
    void run(std::chrono::milliseconds quiet) { time.run_until_quiet(quiet); }
    /// Until it is true; fails if that takes too long.
    void until(std::function<bool()> const& holds) { BOOST_TEST_REQUIRE(time.run_until(holds)); }

    kube::client client = user;
    int passes = 0;
    std::unique_ptr<control::controller_operator> op;
};

} // namespace widget_tests

#endif
