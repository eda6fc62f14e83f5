#include "cli/commands.hpp"
#include "cli/local/local_options.hpp"
#include "cli/local/local_state.hpp"

#include <kftrain/local/leftovers.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <thread>

namespace kftrain::cli {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds start_limit{30};
/// The time that the helper of a killed server, and killed processes, have to end.
constexpr std::chrono::seconds kill_limit{5};
constexpr std::chrono::milliseconds poll_interval{20};

bool lives(process_id const& id) { return find_process(id.pid) == id; }

/// Ends a server, the processes below it, and removes the directory of its pods.
class ending {
public:
    explicit ending(local_server const& server) : server_(server) { take_family(); }

    /// Returns false if the server had to be killed.
    bool end_server(std::chrono::seconds patience) {
        server_.process.signal(SIGTERM);
        if (server_.process.ends_within(patience)) return true;
        take_family();
        server_.process.signal(SIGKILL);
        server_.process.ends_within(kill_limit);
        return false;
    }

    /// Kills and removes what the helper of the server did not remove itself.
    void end_the_rest() {
        if (nothing_left_within(kill_limit)) return;
        kill_family();
        nothing_left_within(kill_limit, false);
        local::remove_leftovers_of(server_.node_directory.string()); // left() names what it cannot remove
    }

    /// The remaining processes and directory: `process 12, directory /tmp/...`. Empty if nothing remains.
    std::string left() const {
        std::string text;
        auto const add = [&](std::string const& name) { text += (text.empty() ? "" : ", ") + name; };
        auto const add_process = [&](process_id const& id) { add("process " + std::to_string(id.pid)); };
        if (lives(server_.process.id())) add_process(server_.process.id());
        for (auto const& id : family_)
            if (lives(id)) add_process(id);
        if (directory_is_there()) add("directory " + server_.node_directory.string());
        return text;
    }

private:
    void take_family() {
        for (auto const& id : processes_below(server_.process.id().pid))
            if (std::ranges::find(family_, id) == family_.end()) family_.push_back(id);
    }

    void kill_family() const {
        if (family_.empty()) return;
        std::string ignored;
        auto const kill = [&](process_id const& id) {
            if (auto const held = known_process::open(id, ignored)) held->signal(SIGKILL);
        };
        // The helper is killed last: even if it is stopped, it adopts the orphans, which are found through it only.
        auto const& helper = family_.front();
        for (int tries = 0; tries < 200; ++tries) {
            auto const below = processes_below(helper.pid);
            if (below.empty() || !lives(helper)) break; // the id may belong to a later process
            for (auto const& id : below) kill(id);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        for (auto const& id : family_) kill(id);
    }

    bool directory_is_there() const {
        std::error_code ignored;
        return std::filesystem::exists(std::filesystem::symlink_status(server_.node_directory, ignored));
    }

    bool nothing_left_within(std::chrono::seconds limit, bool directory = true) const {
        auto const deadline = clock::now() + limit;
        for (;;) {
            if (std::ranges::none_of(family_, lives) && !(directory && directory_is_there())) return true;
            if (clock::now() > deadline) return false;
            std::this_thread::sleep_for(poll_interval);
        }
    }

    local_server const& server_;
    std::vector<process_id> family_;
};

} // namespace

int local_down(local_options const& options) {
    local_state const state(options.state_directory);
    auto const limit = clock::now() + start_limit;
    auto standing = state.look();
    while (standing && standing->starting && clock::now() < limit) {
        std::this_thread::sleep_for(poll_interval);
        standing = state.look();
    }
    if (!standing) return complain_about(standing.error());
    if (standing->starting) {
        complain("the local cluster of " + state.directory().string() + " is still starting after " +
                 std::to_string(start_limit.count()) + " s");
        return cluster_failed;
    }
    bool const was_up = standing->server.has_value();
    if (was_up) {
        ending end(*standing->server);
        auto const name = "process " + std::to_string(standing->server->process.id().pid);
        auto const patience = std::chrono::seconds(options.patience);
        if (!end.end_server(patience))
            complain(name + " did not end within " + std::to_string(patience.count()) + " s and was killed");
        end.end_the_rest();
        if (auto const left = end.left(); !left.empty())
            return complain("cannot stop the local cluster completely; remaining: " + left), cluster_failed;
    }
    local::remove_leftovers();
    if (auto const cleaned = state.clean(); !cleaned) return complain_about(cleaned.error());
    std::cout << (was_up ? "local cluster is down\n" : "no local cluster is up\n");
    return success;
}

} // namespace kftrain::cli
