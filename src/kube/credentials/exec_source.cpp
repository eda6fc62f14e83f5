#include "kube/credentials/exec_credential.hpp"
#include "kube/credentials/kubeconfig.hpp"

#include <kftrain/kube/default_config.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t most_left = 4;

class exec_source final : public renewed_source {
public:
    exec_source(asio::any_io_executor const& executor, config const& c, std::string file, https_options const& options)
        : renewed_source(executor), config_(c), file_(std::move(file)), options_(options) {}
    exec_source(exec_source const&) = delete;
    exec_source& operator=(exec_source const&) = delete;
    ~exec_source() override {
        if (run_) run_->stop();
    }

private:
    void begin() override {
        if (run_) left_.push_back(std::move(run_));
        std::erase_if(left_, [](auto const& run) { return run->reap(); });
        if (left_.size() >= most_left) {
            diagnostics d;
            d.message = "exec plugin " + in_quotes(config_.exec->command) +
                        " is not started: " + std::to_string(left_.size()) +
                        " earlier runs could not be killed and still run";
            return finish(failure(reason::unauthorized, std::move(d)));
        }
        exec_plan plan;
        plan.arguments.push_back(file_);
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
    std::string file_;
    https_options options_;
    std::shared_ptr<exec_run> run_;
    std::vector<std::shared_ptr<exec_run>> left_; // what could not be killed
};

bool is_path(std::string_view command) { return command.find('/') != std::string_view::npos; }

/// Which file a name in PATH is; empty if there is none. A path is itself.
std::string file_of(std::string const& command) {
    namespace fs = std::filesystem;
    if (is_path(command)) return fs::path(command).lexically_normal().string();
    auto const variables = process_environment();
    auto const found = variables.find("PATH");
    for (std::string_view rest = found == variables.end() ? std::string_view("/bin:/usr/bin") : found->second;;) {
        auto const end = std::min(rest.find(':'), rest.size());
        auto const file = fs::path(end == 0 ? "." : rest.substr(0, end)) / command;
        std::error_code ec;
        if (fs::is_regular_file(file, ec) && ::access(file.c_str(), X_OK) == 0) return file.lexically_normal().string();
        if (end == rest.size()) return {};
        rest.remove_prefix(end + 1);
    }
}

/** The file to run for an allowed command; nothing for others. Names are resolved in PATH, because the author of a
    kubeconfig could place a program with a known name anywhere. */
std::optional<std::string> allowed_file(std::string const& command, std::vector<std::string> const& allowed) {
    auto file = file_of(command);
    for (auto const& one : allowed) {
        if (one == command) return file.empty() ? command : file;
        if (!file.empty() && file_of(one) == file) return file;
    }
    return {};
}

} // namespace

result<std::unique_ptr<credential_source>> make_exec_source(asio::any_io_executor const& executor, config const& c,
                                                            https_options const& options) {
    if (c.exec->command.empty()) return config_fault("exec.command", "expected a command, got none");
    if (auto ok = check_plugin(*c.exec, "exec"); !ok) return ok.error();
    auto file = options.allowed_plugins ? allowed_file(c.exec->command, *options.allowed_plugins) : c.exec->command;
    if (!file) return config_fault("exec.command", in_quotes(c.exec->command) + " is not an allowed plugin");
    if (!options.plugin_variables && !c.exec->env.empty())
        return config_fault("exec.env",
                            "sets " + in_quotes(c.exec->env.front().first) +
                                " for the plugin, expected no variables: plugins cannot set variables here");
    if (c.exec->interactive_mode == exec_plugin::interaction::always)
        return config_fault("exec.interactive_mode",
                            "the plugin " + in_quotes(c.exec->command) +
                                " uses interactiveMode Always, but kftrain never gives the terminal to a plugin",
                            errc::not_supported);
    return std::unique_ptr<credential_source>(std::make_unique<exec_source>(executor, c, std::move(*file), options));
}

} // namespace kftrain::kube::detail
