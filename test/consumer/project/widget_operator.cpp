// A custom resource of a user: described, compared, stored, watched and controlled with what was installed.
#include "widget.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/controller_operator.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>
#include <stdexcept>

namespace acme {

/// Writes the motto of each widget into a ConfigMap, and into its status where that is.
struct widget_rules {
    using object = widget;
    static constexpr std::string_view name = "widget-controller";

    widget_rules() {
        rows.emplace_back("written", kftrain::object_type_of<kftrain::core::config_map>,
                          kftrain::rules::by_controller());
    }

    std::span<kftrain::rules::watched const> watches() const noexcept { return rows; }

    kftrain::rules::plan make_plan(kftrain::rules::look<widget> const& look) const {
        kftrain::rules::plan plan;
        auto const& w = look.object;
        auto const target = w.metadata.name + "-motto";
        if (look.world.find<kftrain::core::config_map>("written", target) == nullptr) {
            kftrain::core::config_map map;
            map.metadata.name = target;
            map.data["motto"] = w.spec.motto;
            map.metadata.owner_references.push_back(kftrain::controller_reference(w));
            plan.steps.emplace_back().actions.emplace_back(kftrain::rules::create(std::move(map)));
        }
        if (w.status.written != target) {
            widget next = w;
            next.status.written = target;
            plan.steps.emplace_back().actions.emplace_back(kftrain::rules::write_status(std::move(next)));
        }
        return plan;
    }

    std::vector<kftrain::rules::watched> rows;
};

} // namespace acme

namespace {

void demand(bool holds, char const* what) {
    if (!holds) throw std::runtime_error(what);
}

acme::widget sample() {
    acme::widget w;
    w.metadata.name = "first";
    w.metadata.namespace_ = "default";
    w.spec.motto = "forward";
    w.spec.parts.emplace_back().name = "wheel";
    return w;
}

void describe() {
    auto const w = sample();
    auto other = w;
    demand(w == other, "equal widgets are equal");
    other.spec.parts[0].size = 3;
    demand(w != other && w.spec.parts != other.spec.parts, "lists of parts are compared");
    auto const found = kftrain::diff(w, other);
    demand(found.size() == 1 && found[0].path == "spec.parts[name=wheel].size",
           "a difference has the key of the list item");
    auto const text = kftrain::to_json(w);
    demand(text.find(R"("motto-text":"forward")") != text.npos, "a field bears the name of its rule");
    demand(text.find(R"("size":0)") != text.npos, "a required field is written even if it is empty");
    demand(kftrain::from_json<acme::widget>(text).value() == w, "what is written is read");
    kftrain::decode_options strict;
    strict.strict = true;
    auto const refused = kftrain::from_yaml<acme::widget>(
        "apiVersion: acme.example.com/v1\nkind: Widget\nspec: {colour: red}\n", strict);
    demand(!refused && refused.error().detail.path == "spec.colour" && refused.error().detail.line == 3,
           "an unknown field is reported with its path");
}

void control() {
    namespace kube = kftrain::kube;
    boost::asio::io_context io;
    kftrain::apiserver::api_server server(io.get_executor());
    server.register_resource(kftrain::apiserver::resource_definition(acme::widget::resource)).value();
    kube::client const client(server.transport());
    kube::api<acme::widget> const widgets(client, "default");
    kftrain::control::controller_operator controller(
        std::make_shared<kftrain::rules::controller_of<acme::widget_rules>>(), client);
    controller.async_run(boost::asio::detached);

    bool done = false;
    kube::informer<acme::widget> informer(widgets);
    informer.on_event([&](kftrain::kube::object_event<acme::widget> const& e) {
        done = done || e.object->status.written == "first-motto";
    });
    informer.async_run(boost::asio::detached);

    widgets.async_create(sample(), [](kftrain::error_code ec, acme::widget const&) {
        if (ec) throw boost::system::system_error(ec, "create");
    });
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done && std::chrono::steady_clock::now() < end) io.run_one_for(std::chrono::seconds(1));
    demand(done, "the status is written and seen");
    std::string motto;
    bool answered = false;
    kube::api<kftrain::core::config_map>(client, "default")
        .async_get("first-motto", [&](kftrain::error_code ec, kftrain::core::config_map const& map) {
            answered = true;
            if (auto const at = map.data.find("motto"); !ec && at != map.data.end()) motto = at->second;
        });
    while (!answered && std::chrono::steady_clock::now() < end) io.run_one_for(std::chrono::seconds(1));
    demand(motto == "forward", "the ConfigMap holds the motto");
}

} // namespace

int main() {
    try {
        describe();
        control();
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
        return 1;
    }
    std::cout << "a widget of acme was described, stored, watched and controlled\n";
}
