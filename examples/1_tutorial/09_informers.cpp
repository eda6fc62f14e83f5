// Two parts of a program follow the same objects with one watch and end independently. The server is in this process.
// [readme]
#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <iostream>

namespace asio = boost::asio;
namespace kube = kftrain::kube;
using kftrain::core::config_map;

/// Prints the events of config maps until one of them is deleted.
class follower {
public:
    follower(std::string name, kube::informer<config_map> maps) : name_(std::move(name)), maps_(std::move(maps)) {
        maps_.on_event([this](kube::object_event<config_map> const& e) {
            bool const gone = e.kind == kftrain::change_kind::deleted;
            char const* const what = gone ? "deleted" : e.initial ? "there" : "new";
            std::cout << name_ << ": " << e.object->metadata.name << " " << what << '\n';
            if (gone) stop_.emit(asio::cancellation_type::terminal);
        });
    }
    void run(std::function<void()> ended) {
        auto const handler = [ended = std::move(ended)](kftrain::error_code) { ended(); };
        maps_.async_run(asio::bind_cancellation_slot(stop_.slot(), handler));
    }
    kube::informer<config_map>& maps() { return maps_; }

private:
    std::string name_;
    asio::cancellation_signal stop_; // must outlive the run
    kube::informer<config_map> maps_;
};

asio::awaitable<void> create(kube::api<config_map> maps, std::string name, std::string team) {
    config_map map;
    map.metadata.name = std::move(name);
    map.metadata.labels["team"] = std::move(team);
    co_await maps.async_create(map, asio::use_awaitable);
}

asio::awaitable<void> work(kube::api<config_map> maps, follower& all, follower& ours, std::function<void()> ended) {
    co_await create(maps, "a", "ours");
    co_await create(maps, "b", "theirs");
    all.run(ended);
    ours.run(ended);
    co_await ours.maps().async_wait_for_sync(asio::use_awaitable);
    std::cout << ours.maps().list().size() << " of " << all.maps().list().size() << " are ours\n";
    co_await maps.async_delete("a", asio::use_awaitable);
}

int main() {
    asio::io_context context;
    kftrain::apiserver::api_server server(context.get_executor());
    kube::client const client(server.transport());
    kube::api<config_map> const maps(client, "default");

    kube::shared_informers const shared(client); // one list, one watch, one copy of each object
    auto const streamed = kube::informer_options().with_streaming_list();
    follower all("all", kube::informer<config_map>(maps, shared, streamed));
    auto const selected = kube::informer_options().with_label_selector("team=ours");
    follower ours("ours", kube::informer<config_map>(maps, shared, selected));

    int running = 2;
    auto const ended = [&] {
        if (--running == 0) context.stop();
    };
    asio::co_spawn(context, work(maps, all, ours, ended), [&](std::exception_ptr e) {
        if (e) context.stop();
    });
    context.run();
    return running == 0 ? 0 : 1;
}
// [readme end]
