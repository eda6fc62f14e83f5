#include "cli/cluster/connection.hpp"

#include "cli/cluster/time_text.hpp"
#include "cli/commands.hpp"

#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/version.hpp>

#include <CLI/CLI.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include <exception>

namespace kftrain::cli {

void add_connection_flags(CLI::App& command, connection_options& options, std::string const& timeout_help) {
    command.add_option("--kubeconfig", options.kubeconfig, "File to find the cluster in; else as kubectl looks for it");
    command.add_option("--context", options.context, "Context of the kubeconfig; else its current one");
    command.add_option("-n,--namespace", options.namespace_, "Namespace; else that of the context")
        ->check(
            [](std::string const& name) { return name.empty() ? "expected a name, found nothing" : std::string(); });
    command.add_option_function<std::string>(
        "--timeout",
        [&options](std::string const& text) {
            auto const time = read_time(text);
            if (!time) throw CLI::ValidationError("--timeout", time.error().detail.message);
            options.timeout = *time;
        },
        timeout_help);
}

void add_output_flag(CLI::App& command, std::string& format, std::vector<std::string> const& formats) {
    format = formats.front();
    std::string text;
    for (auto const& f : formats) text += (text.empty() ? "" : &f == &formats.back() ? " or " : ", ") + f;
    command.add_option("-o,--output", format, text)->check(CLI::IsMember(formats));
}

std::unique_ptr<connection> connection::open(connection_options const& options) {
    auto const where = kube::default_config_options().with_kubeconfig(options.kubeconfig).with_context(options.context);
    auto const config = kube::default_config(kube::process_environment(), where);
    if (!config) {
        auto const why = config.error().to_string();
        bool const named = options.kubeconfig.empty() || why.find(options.kubeconfig) != why.npos;
        return complain(named ? why : options.kubeconfig + ": " + why), nullptr;
    }
    std::unique_ptr<connection> made(new connection(options));
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

failure connection::followed(failure f) const {
    auto const& last = contact_.last_failure();
    if (f.code == errc::timeout && !last.empty()) f.detail.message += "; at last: " + last;
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
