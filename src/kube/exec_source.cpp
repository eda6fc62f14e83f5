#include "kube/exec_credential.hpp"
#include "kube/kubeconfig.hpp"

#include <algorithm>
#include <utility>

namespace kftrain::kube::detail {
namespace {

class exec_source final : public renewed_source {
public:
    exec_source(asio::any_io_executor const& executor, config const& c, https_options const& options)
        : renewed_source(executor), config_(c), options_(options) {}
    exec_source(exec_source const&) = delete;
    exec_source& operator=(exec_source const&) = delete;
    ~exec_source() override {
        if (run_) run_->stop();
    }

private:
    void begin() override {
        exec_plan plan;
        plan.arguments.push_back(config_.exec->command);
        plan.arguments.insert(plan.arguments.end(), config_.exec->args.begin(), config_.exec->args.end());
        plan.variables = exec_variables(config_);
        plan.timeout = options_.plugin_timeout;
        plan.output_limit = options_.plugin_output_limit;
        run_ = std::make_shared<exec_run>(executor());
        run_->start(plan, [this](exec_outcome const& outcome) { // stop() comes before the end of this
            finish(judge_exec(*config_.exec, outcome, options_));
        });
    }

    config config_;
    https_options options_;
    std::shared_ptr<exec_run> run_;
};

/// A name among those that are allowed stands for the command in any directory.
bool is_allowed(std::string const& command, std::vector<std::string> const& allowed) {
    auto const name = command.substr(command.rfind('/') + 1); // npos + 1 is the beginning
    return std::any_of(allowed.begin(), allowed.end(), [&](std::string const& one) {
        return one == (one.find('/') == std::string::npos ? name : command);
    });
}

} // namespace

result<std::unique_ptr<credential_source>> make_exec_source(asio::any_io_executor const& executor, config const& c,
                                                            https_options const& options) {
    if (c.exec->command.empty()) return config_fault("exec.command", "a command is needed");
    if (options.allowed_plugins && !is_allowed(c.exec->command, *options.allowed_plugins))
        return config_fault("exec.command",
                            in_quotes(c.exec->command) + " is not among the plugins that may be run here");
    if (c.exec->interactive_mode == exec_plugin::interaction::always)
        return config_fault("exec.interactive_mode",
                            "the plugin " + in_quotes(c.exec->command) +
                                " wants to ask at the terminal, which is never lent to it",
                            errc::not_supported);
    return std::unique_ptr<credential_source>(std::make_unique<exec_source>(executor, c, options));
}

} // namespace kftrain::kube::detail
