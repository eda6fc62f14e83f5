#include "convert/mpi/process_request.hpp"

#include "base/is_one_of.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace kftrain::convert {
namespace {

using argument_list = std::vector<std::string_view>;

bool is_mpiexec(std::string_view argument) {
    auto const name = argument.substr(argument.find_last_of('/') + 1);
    return name == "mpiexec" || name == "mpirun";
}

/// All words of command and arguments; lines for a shell are cut at blanks, whatever quotes say.
argument_list arguments_of(core::container const& c) {
    argument_list all;
    for (auto const* list : {&c.command, &c.args})
        for (std::string_view const text : *list)
            for (std::size_t at = 0; at < text.size();) {
                auto const end = std::min(text.find_first_of(" \t\n\\", at), text.size());
                if (end != at) all.push_back(text.substr(at, end - at));
                at = end + 1;
            }
    return all;
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// `node` deals processes to hosts in turn, `ppr:2:node` says how many each gets.
std::optional<std::int64_t> mapped_per_host(std::string_view policy) {
    if (policy == "node") return 1;
    if (!policy.starts_with("ppr:") || !policy.ends_with(":node")) return std::nullopt;
    policy.remove_prefix(4);
    return number(policy.substr(0, policy.find(':')));
}

} // namespace

process_request requested_processes(core::container const& c) {
    static constexpr std::array<std::string_view, 3> counts{"n", "np", "c"};
    static constexpr std::array<std::string_view, 6> flags{"allow-run-as-root", "display-map", "tag-output",
                                                           "oversubscribe",     "nolocal",     "report-bindings"};
    static constexpr std::array<std::string_view, 3> pairs{"mca", "gmca", "omca"};
    process_request request;
    auto const arguments = arguments_of(c);
    auto at = std::ranges::find_if(arguments, is_mpiexec);
    if (at == arguments.end() || std::ranges::find(at, arguments.end(), ":") != arguments.end()) return request;
    for (++at; at != arguments.end() && at->starts_with('-'); ++at) {
        auto const option = at->substr(std::min(at->find_first_not_of('-'), at->size()));
        if (option == "pernode" || option == "bynode") {
            request.per_host = 1;
            continue;
        }
        auto const left = arguments.end() - at - 1;
        if (is_one_of(option, flags) || left == 0 || at[1].starts_with('-')) continue;
        if (option == "N" || option == "npernode")
            request.per_host = number(at[1]);
        else if (is_one_of(option, counts))
            request.processes = number(at[1]);
        else if (option == "map-by")
            request.per_host = mapped_per_host(at[1]);
        at += is_one_of(option, pairs) && left > 1 ? 2 : 1; // any other option is taken to have one value
    }
    return request;
}

} // namespace kftrain::convert
