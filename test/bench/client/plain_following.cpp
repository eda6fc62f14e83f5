#include "bench/client/following.hpp"
#include "bench/client/plain_client.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>

#include <chrono>
#include <map>

namespace kftrain::bench {
namespace {

namespace json = boost::json;

/// The state of the world as a program without this library would keep it.
struct mirror {
    static std::string key(json::object const& metadata) {
        return json::value_to<std::string>(metadata.at("namespace")) + "/" +
               json::value_to<std::string>(metadata.at("name"));
    }
    void put(json::value object) {
        auto name = key(object.at("metadata").as_object());
        objects.insert_or_assign(std::move(name), std::move(object));
    }

    std::map<std::string, json::value> objects;
};

} // namespace

double microseconds_since(std::string const& nanoseconds) {
    auto const now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() -
                               std::stoll(nanoseconds)) /
           1000;
}

measurement follow_with_beast(server_address const& server, followed kind, long updates, bool delays) {
    double const live = live_heap_mb();
    auto const begin = instant::now();
    mirror world;
    plain_connection connection(server);
    std::string version;
    {
        auto list = json::parse(connection.get(path_of(kind)));
        version = json::value_to<std::string>(list.at("metadata").at("resourceVersion"));
        for (auto& item : list.at("items").as_array()) world.put(std::move(item));
    }
    auto const synced = instant::now();
    auto const listed = static_cast<double>(world.objects.size());
    long seen = 0;
    std::vector<double> microseconds;
    std::string line; // begun in an earlier piece
    auto const target = path_of(kind) + "?watch=true&resourceVersion=" + version;
    connection.stream(target, [&](std::string_view piece) {
        for (std::size_t end = 0; (end = piece.find('\n')) != std::string_view::npos; piece.remove_prefix(end + 1)) {
            line += piece.substr(0, end);
            auto event = json::parse(line);
            line.clear();
            auto& object = event.at("object");
            if (event.at("type").as_string() == "DELETED") {
                world.objects.erase(mirror::key(object.at("metadata").as_object()));
                continue;
            }
            if (delays)
                microseconds.push_back(microseconds_since(
                    json::value_to<std::string>(object.at("metadata").at("annotations").at("perf/at"))));
            world.put(std::move(object));
            if (++seen == updates) return false;
        }
        line += piece;
        return true;
    });
    auto m = between(synced, instant::now(), static_cast<double>(updates));
    if (seen != updates) give_up("the watch ended early");
    m.items = m.added = listed;
    m.live_mb = live_heap_mb() - live;
    m.sync_wall = synced.wall - begin.wall;
    m.sync_cpu = synced.user + synced.sys - begin.user - begin.sys;
    if (delays) set_delays(m, std::move(microseconds));
    return m;
}

} // namespace kftrain::bench
