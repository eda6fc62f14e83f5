#include "bench/client/following.hpp"

#include "bench/client/connected_client.hpp"

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace kftrain::bench {
namespace {

namespace asio = boost::asio;

template <class K> measurement follow(kube::config const& server, long updates, bool delays) {
    asio::io_context context(1);
    double const live = live_heap_mb();
    auto const begin = instant::now();
    instant synced = begin, end = begin;
    auto const client = connect(context, server);
    kube::informer<K> informer(kube::api<K>::all_namespaces(client));
    long seen = 0, added = 0;
    std::vector<double> microseconds;
    asio::cancellation_signal stop;
    informer.on_event([&](kube::object_event<K> const& e) {
        if (e.kind == change_kind::added) {
            ++added;
            return;
        }
        if (delays) microseconds.push_back(microseconds_since(e.object->metadata.annotations.find("perf/at")->second));
        if (++seen == updates) {
            end = instant::now();
            stop.emit(asio::cancellation_type::terminal);
        }
    });
    informer.async_wait_for_sync([&](error_code) { synced = instant::now(); });
    informer.async_run(asio::bind_cancellation_slot(stop.slot(), [](error_code) {}));
    context.run();
    if (seen != updates) give_up("the watch ended early");
    auto m = between(synced, end, static_cast<double>(updates));
    m.items = m.added = static_cast<double>(added);
    m.live_mb = live_heap_mb() - live;
    m.sync_wall = synced.wall - begin.wall;
    m.sync_cpu = synced.user + synced.sys - begin.user - begin.sys;
    if (delays) set_delays(m, std::move(microseconds));
    return m;
}

} // namespace

measurement follow_with_informer(kube::config const& server, followed kind, long updates, bool delays) {
    return kind == followed::pods ? follow<pod>(server, updates, delays) : follow<pytorch_job>(server, updates, delays);
}

} // namespace kftrain::bench
