#ifndef KFTRAIN_TEST_ASYNC_WATCH_SCRIPT_HPP
#define KFTRAIN_TEST_ASYNC_WATCH_SCRIPT_HPP

#include "async/probe.hpp"

#include <initializer_list>
#include <string>

namespace kftrain::test {

/// A pod as JSON.
inline std::string pod_text(std::string const& name, std::string const& version, std::string const& phase = "Pending",
                            std::string const& uid = "") {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":"d","uid":")" +
           (uid.empty() ? "uid-" + name : uid) + R"(","resourceVersion":")" + version + R"("},"status":{"phase":")" +
           phase + "\"}}";
}

inline std::string pod_list(std::string const& version, std::initializer_list<std::string> pods) {
    std::string items;
    for (auto const& p : pods) items += (items.empty() ? "" : ",") + p;
    return R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":")" + version + "\"},\"items\":[" +
           items + "]}";
}

inline std::string event_text(std::string const& type, std::string const& object) {
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

/** Lists and watches of pods in namespace d. How long a watch asks to last is random: the transport sees 300. */
class watch_script final : public kube::transport, public std::enable_shared_from_this<watch_script> {
public:
    explicit watch_script(std::shared_ptr<scripted_transport> next) : next_(std::move(next)) {}

    asio::any_io_executor get_executor() const noexcept override { return next_->get_executor(); }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override {
        constexpr std::string_view key = "timeoutSeconds=";
        if (auto const at = request.target.find(key); at != std::string::npos)
            request.target.replace(at + key.size(), 3, "300");
        next_->async_open(std::move(request), std::move(handler));
    }

private:
    std::shared_ptr<scripted_transport> next_;
};

struct watched_pods : scripted_client {
    std::string path = "/api/v1/namespaces/d/pods";
    std::string selector; // as it stands in the query

    scripted_exchange& list(std::string const& version, std::string const& limit = "") {
        return expect("GET", path + "?" + selector + limit + "resourceVersion=" + version);
    }
    scripted_exchange& first_list() { return list("0", "limit=500&"); }
    scripted_exchange& watch(std::string const& version) {
        return expect("GET", path + "?watch=true&" + selector + "resourceVersion=" + version +
                                 "&timeoutSeconds=300&allowWatchBookmarks=true");
    }

    kube::client watching{std::make_shared<watch_script>(link)};
};

} // namespace kftrain::test

#endif
