#include "bench/client/connected_client.hpp"

#include <kftrain/kube/https_transport.hpp>

#include <fstream>
#include <iterator>

namespace kftrain::bench {
namespace {

void print_warnings(log_level level, std::string_view message, std::initializer_list<log_field> fields) {
    if (level < log_level::warning) return;
    std::string line(message);
    for (auto const& [name, value] : fields) line.append(" ").append(name).append("=").append(value);
    std::fprintf(stderr, "%s\n", line.c_str());
}

} // namespace

kube::config config_of(server_address const& server) {
    kube::config c;
    c.server = server.url;
    c.ca_pem = server.ca_pem;
    c.token = server.token;
    return c;
}

bool names_server(arguments const& a) { return a.has("--server") || a.has("--kubeconfig"); }

kube::config config_of(arguments const& a) {
    if (a.has("--kubeconfig")) {
        auto c = kube::load_kubeconfig(a.text("--kubeconfig"));
        if (!c) give_up(c.error().to_string());
        return std::move(*c);
    }
    std::ifstream in(a.text("--ca"), std::ios::binary);
    if (!in) give_up("cannot read the file of --ca");
    kube::config c;
    c.server = a.text("--server");
    c.ca_pem.assign(std::istreambuf_iterator<char>(in), {});
    return c;
}

kube::client connect(std::shared_ptr<kube::transport> transport) {
    kube::client_options o;
    o.logger = logger(print_warnings);
    return kube::client(std::move(transport), std::move(o));
}

kube::client connect(boost::asio::io_context& context, kube::config const& server) {
    auto transport = kube::make_https_transport(context.get_executor(), server);
    if (!transport) give_up(transport.error().to_string());
    return connect(std::move(*transport));
}

} // namespace kftrain::bench
