// A kind that becomes known while the program runs: no struct of it, here or in the library.
// [readme]
#include <kftrain/kftrain.hpp>

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/kube/any_informer.hpp>
#include <kftrain/model/dynamic_object.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace asio = boost::asio;
namespace kube = kftrain::kube;

asio::awaitable<void> work(kube::client client, kftrain::dynamic_type type) {
    kube::any_api const widgets(client, type, "default");
    kube::any_informer known(widgets);
    known.on_event([](kube::any_event const& e) { std::cout << "seen: " << e.object.metadata().name << '\n'; });
    known.async_run(asio::detached);

    auto const first = type.from_yaml("metadata: {name: first}\nspec: {size: 3}").value();
    auto const stored = co_await widgets.async_create(first);
    while (!known.has_observed(stored.metadata().resource_version)) co_await asio::post(asio::use_awaitable);
    std::cout << known.find("default", "first").to_yaml();

    try { // the exception has the message of the server
        co_await widgets.async_create(first);
    } catch (kftrain::error const& e) {
        std::cout << e.detail().message << '\n';
    }
}

int main() {
    asio::io_context context;
    kftrain::apiserver::api_server server(context.get_executor());
    // Of a cluster, names come from GET /apis/<group>/<version>.
    kftrain::dynamic_type const type("acme.example", "v1", "Widget", "widgets");
    server.register_resource(kftrain::apiserver::resource_definition(type.resource())).value();

    bool succeeded = false;
    asio::co_spawn(context, work(kube::client(server.transport()), type), [&](std::exception_ptr e) {
        succeeded = !e;
        context.stop();
    });
    context.run();
    return succeeded ? 0 : 1;
}
// [readme end]
