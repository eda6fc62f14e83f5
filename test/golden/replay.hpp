#ifndef KFTRAIN_TEST_GOLDEN_REPLAY_HPP
#define KFTRAIN_TEST_GOLDEN_REPLAY_HPP

#include <filesystem>
#include <string>

namespace golden {

struct replay_options {
    replay_options() = default;

    bool timers = true; ///< ask the rules again at the times they name
};

/** Compares what admission said about the case's job with what the rules say. Returns an empty string if they agree,
    else the first difference. */
std::string check_admission(std::filesystem::path const& folder);

/** Plays the case's steps against a simulated cluster in which kftrain's rules do the operator's work, and compares
    requests, events, status and remaining objects after each step. Returns an empty string if all agree, else the first
    difference with its place. */
std::string replay(std::filesystem::path const& folder, replay_options const& options = replay_options());

} // namespace golden

#endif
