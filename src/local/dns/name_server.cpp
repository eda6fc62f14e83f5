#include "local/dns/name_server.hpp"

#include <boost/asio/buffer.hpp>

#include <algorithm>

namespace kftrain::local {
namespace {

constexpr std::string_view zone = ".svc.cluster.local";

bool matches(string_map const& selector, string_map const& labels) {
    return !selector.empty() && std::all_of(selector.begin(), selector.end(), [&](auto const& want) {
        auto const it = labels.find(want.first);
        return it != labels.end() && it->second == want.second;
    });
}

bool ready(pod const& p) {
    return std::any_of(p.status.conditions.begin(), p.status.conditions.end(),
                       [](auto const& c) { return c.type == "Ready" && c.status == "True"; });
}

} // namespace

std::optional<std::vector<ipv4>> resolve(std::string_view name, std::vector<std::shared_ptr<pod const>> const& pods,
                                         std::vector<std::shared_ptr<service const>> const& services) {
    if (!name.ends_with(zone)) return std::nullopt;
    name.remove_suffix(zone.size());
    auto const last_dot = name.rfind('.');
    if (last_dot == std::string_view::npos) return std::nullopt;
    auto const ns = name.substr(last_dot + 1);
    std::string_view service_name = name.substr(0, last_dot);
    std::string_view host;
    if (auto const dot = service_name.find('.'); dot != std::string_view::npos) {
        host = service_name.substr(0, dot);
        service_name.remove_prefix(dot + 1);
    }

    std::vector<ipv4> found;
    for (auto const& s : services) {
        if (s->metadata.name != service_name || s->metadata.namespace_ != ns) continue;
        for (auto const& p : pods) {
            if (p->metadata.namespace_ != ns || !matches(s->spec.selector, p->metadata.labels)) continue;
            if (!ready(*p) && !s->spec.publish_not_ready_addresses) continue;
            if (!host.empty() && (host != p->spec.hostname || service_name != p->spec.subdomain)) continue;
            if (auto const address = parse_ipv4(p->status.pod_ip)) found.push_back(*address);
        }
    }
    if (found.empty()) return std::nullopt;
    return found;
}

name_server::name_server(boost::asio::any_io_executor executor, int udp_socket, kube::informer<pod> const& pods,
                         kube::informer<service> const& services)
    : socket_(executor, boost::asio::ip::udp::v4(), udp_socket), pods_(pods), services_(services) {}

void name_server::start() { receive(); }

void name_server::stop() {
    error_code ignored;
    socket_.close(ignored);
}

std::optional<std::vector<ipv4>> name_server::lookup(std::string_view name) const {
    return resolve(name, pods_.list(), services_.list());
}

void name_server::receive() {
    socket_.async_receive_from(
        boost::asio::buffer(buffer_), peer_, [weak = weak_from_this()](error_code ec, std::size_t size) {
            auto const self = weak.lock();
            if (!self || !self->socket_.is_open()) return;
            if (!ec) {
                auto const answer =
                    answer_dns({self->buffer_.data(), size}, [&](std::string_view name) { return self->lookup(name); });
                error_code ignored; // the client repeats a query whose response is lost
                if (!answer.empty()) self->socket_.send_to(boost::asio::buffer(answer), self->peer_, 0, ignored);
            }
            self->receive();
        });
}

} // namespace kftrain::local
