#include "cli/cluster/connection/connection.hpp"

#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"

#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/version.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <exception>

namespace kftrain::cli {

void add_connection_flags(CLI::App& command, connection_options& options, std::string const& timeout_help) {
    auto const not_empty = [](std::string const& name) {
        return name.empty() ? "expected a name, got an empty text" : std::string();
    };
    constexpr auto group = "Cluster options";
    command
        .add_option("--kubeconfig", options.kubeconfig,
                    "Read the cluster and the credentials from FILE (default: the kubeconfig that kubectl uses)")
        ->type_name("FILE")
        ->group(group);
    command
        .add_option("--context", options.context, "Use this context of the kubeconfig (default: its current context)")
        ->type_name("NAME")
        ->group(group);
    command
        .add_option("-n,--namespace", options.namespace_, "Use this namespace (default: the namespace of the context)")
        ->check(not_empty)
        ->type_name("NAME")
        ->group(group);
    add_duration(command, "--timeout", [&options](auto time) { options.timeout = time; }, timeout_help)->group(group);
    command.group(cluster_commands);
}

std::unique_ptr<connection> connection::open(connection_options const& options) {
    std::optional<steady::time_point> end;
    if (options.timeout && options.timeout->count() != 0) end = steady::now() + *options.timeout;
    auto const where = kube::default_config_options().with_kubeconfig(options.kubeconfig).with_context(options.context);
    auto environment = kube::process_environment();
    if (options.in_pod && environment.contains("KUBERNETES_SERVICE_HOST")) environment.erase("HOME");
    auto const config = kube::default_config(environment, where);
    if (!config) return complain(config.error().to_string()), nullptr;
    std::unique_ptr<connection> made(new connection(options, end));
    auto link = kube::make_https_transport(made->context_.get_executor(), *config);
    if (!link) return complain(link.error().to_string()), nullptr;
    kube::client_options how;
    how.user_agent = "kftrain-cli/" + std::string(version());
    how.on_warning = [](kube::server_warning const& w) { complain("warning: " + w.text); };
    auto& contact = made->contact_;
    how.on_attempt = [&contact](kube::request_report const& r) { contact.take_attempt(r); };
    how.on_repair = [&contact](resource_info const& what, failure const& why) { contact.take_repair(what, why); };
    std::string const ns = options.namespace_.empty() ? config->namespace_ : options.namespace_;
    made->jobs_.emplace(kube::client(*std::move(link), std::move(how)), ns);
    return made;
}

std::chrono::milliseconds connection::left() const {
    using std::chrono::milliseconds;
    if (!end_) return milliseconds(0);
    return std::max(std::chrono::ceil<milliseconds>(*end_ - steady::now()), milliseconds(1));
}

failure connection::followed(failure f) const {
    auto const& last = contact_.last_failure();
    if (f.code == errc::timeout && !last.empty()) f.detail.message += "; last failure: " + last;
    return f;
}

void connection::run_until(std::atomic<bool> const& done) {
    if (auto const ec = kube::run_until(context_.get_executor(), done)) throw boost::system::system_error(ec);
}

int connection::run(boost::asio::awaitable<int> main) {
    std::atomic<bool> done = false;
    std::exception_ptr thrown;
    int exit = cluster_failed;
    boost::asio::co_spawn(context_, std::move(main), [&](std::exception_ptr e, int code) {
        thrown = e;
        exit = code;
        done = true;
    });
    run_until(done);
    if (thrown) std::rethrow_exception(thrown);
    return exit;
}

} // namespace kftrain::cli
