// The client underneath: pages, a watch, discovery, and the errors of a server. Here the server is in the same process.
// [readme]
#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/watch.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace asio = boost::asio;
namespace kube = kftrain::kube;
using kftrain::core::config_map;

asio::awaitable<void> work(kube::client client) {
    kube::api<config_map> const maps(client, "default");
    config_map map;
    for (auto const* name : {"a", "b", "c"}) {
        map.metadata.name = name;
        map.metadata.labels["app"] = "demo";
        auto const [ec, stored] = co_await maps.async_create(map, asio::as_tuple(asio::use_awaitable));
        if (ec && !is_already_exists(ec)) throw boost::system::system_error(ec);
    }

    // Read all of them, two at a time; then watch from that version on.
    auto const pages = kube::page_options().with_page_size(2).with_label_selector("app=demo");
    auto const all = co_await kube::async_list_all(maps, pages);
    auto const from = kube::watch_options().with_resource_version(all.metadata.resource_version);
    auto changes = co_await kube::async_watch(maps, from);
    co_await maps.async_delete_collection(kube::list_options().with_label_selector("app=demo"));
    for (auto left = all.items.size(); left != 0;) {
        auto const change = co_await changes.async_next();
        if (change.kind != kftrain::change_kind::deleted) continue;
        std::cout << "deleted: " << change.object->metadata.name << '\n';
        --left;
    }

    // Find a kind by the short name that users write.
    kube::discovery const served(client);
    auto const found = co_await served.async_find("cm");
    std::cout << found->kind << " of " << found->version << '\n';

    try { // the server's causes, field by field
        map.metadata.name = "No Name";
        co_await maps.async_create(map);
    } catch (kftrain::error const& refusal) {
        for (auto const& cause : refusal.detail().causes) std::cout << cause.field << ": " << cause.message << '\n';
    }
}

int main() {
    asio::io_context context;
    kftrain::apiserver::api_server server(context.get_executor());
    bool succeeded = false;
    asio::co_spawn(context, work(kube::client(server.transport())), [&](std::exception_ptr e) {
        succeeded = !e;
        context.stop();
    });
    context.run();
    return succeeded ? 0 : 1;
}
// [readme end]
