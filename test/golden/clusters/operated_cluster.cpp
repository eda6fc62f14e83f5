#include "golden/clusters/operated_cluster.hpp"

#include "golden/timeline.hpp"
#include "support/bodies.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace golden {

using namespace kftrain;

namespace {

apiserver::api_server_options server_options(std::function<time_point()> clock, bool kubernetes) {
    apiserver::api_server_options o;
    o.clock = std::move(clock);
    // All of one length, so that none begins like another.
    o.make_uid = [n = std::make_shared<int>(10'000)] { return "object-" + std::to_string(++*n); };
    o.collect_garbage = kubernetes;
    return o;
}

} // namespace

kube::http_request request_of(std::string method, std::string target, json::value const& body,
                              std::string_view content_type) {
    kube::http_request r;
    r.method = std::move(method);
    r.target = std::move(target);
    if (!body.is_null()) {
        r.fields.add("Content-Type", std::string(content_type));
        r.body = json::serialize(body);
    }
    return r;
}

operated_cluster::operated_cluster(recorded_kind const& kind, bool kubernetes)
    : server_(io_.get_executor(), server_options([this] { return now(); }, kubernetes)),
      user_(server_.transport()),
      link_(record_.link_to(server_.transport())) {
    server_.register_resource(kind.served).value();
    for (auto const& d : kind.others) server_.register_resource(d).value();
    // That of the recordings.
    send({request_of("POST", "/api/v1/namespaces", json::object{{"metadata", json::object{{"name", "corpus"}}}})});
}

time_point operated_cluster::now() const {
    return timeline::start() + std::chrono::floor<std::chrono::seconds>(time_.now() - begin_);
}

void operated_cluster::skip_to(time_point end) { time_.skip_to(at(end)); }

test::simulated_time::clock::time_point operated_cluster::at(time_point t) const {
    return begin_ + (t - timeline::start());
}

std::vector<exchange> operated_cluster::send(std::vector<kube::http_request> requests) {
    return send(*user_, std::move(requests));
}

std::vector<exchange> operated_cluster::send(kube::transport& link, std::vector<kube::http_request> requests) {
    auto const answers = std::make_shared<std::vector<exchange>>(requests.size());
    auto const open = std::make_shared<std::size_t>(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i)
        link.async_open(std::move(requests[i]), [=](error_code ec, kube::streamed_response r) {
            if (ec) throw std::runtime_error("the server does not answer: " + ec.message());
            (*answers)[i].code = r.head.status;
            for (auto const& [name, value] : r.head.fields)
                if (name == "Warning") (*answers)[i].warnings.push_back(value);
            test::read_all(std::move(r.body), "", [=](std::string text) {
                (*answers)[i].body = json::parse(text).as_object();
                --*open;
            });
        });
    io_.restart();
    while (*open != 0 && io_.poll_one() != 0) {}
    if (*open != 0) throw std::runtime_error("the server does not answer");
    return std::move(*answers);
}

json::array operated_cluster::list(std::string const& path) {
    auto const answers = send({request_of("GET", path)});
    return list_of(answers.at(0).body, "items");
}

bool operated_cluster::serves(object_type const& type) const {
    return server_.store().find(type.info->group, type.info->version, type.info->plural).has_value();
}

bool operated_cluster::is_recorded(recorded_kind const& kind, rules::controller_rules const& rules) {
    return std::ranges::any_of(kind.partners, [&](auto const& p) { return &p->primary() == &rules.primary(); });
}

std::string operated_cluster::collection_of(std::string_view api_version, std::string_view kind) const {
    auto const& store = server_.store();
    for (apiserver::kind_id id = 0; id < store.kinds(); ++id) {
        auto const& d = store.definition(id);
        if (d.kind != kind || (!api_version.empty() && d.api_version() != api_version)) continue;
        return (d.group.empty() ? "/api/" : "/apis/") + d.api_version() +
               (d.where == resource_scope::namespaced ? "/namespaces/corpus/" : "/") + d.plural;
    }
    throw std::runtime_error("the server does not serve kind " + std::string(kind));
}

} // namespace golden
