#include "local/kubelet/images/image_commands.hpp"

#include "base/make_failure.hpp"

namespace kftrain::local {
namespace {

/// Whether the text matches, `*` being any text.
bool matches_text(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    auto star = pattern.npos; // the last one, and where its text ends
    std::size_t resumed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != pattern.npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == pattern.npos;
}

/// The command of the init container of MPIJobs of v1, which has none: it brings kubectl, and waits for the workers.
/// @par Upstream mpi-operator v0.3.0 `cmd/kubectl-delivery/app/server.go`
constexpr auto deliver_kubectl = R"(set -eu
ln -sf "$KFTRAIN_KUBECTL" "$TARGET_DIR/kubectl"
while read -r host slots; do
    case $host in *launcher) continue ;; esac
    last=
    until why=$("$TARGET_DIR/kubectl" exec "$host" -- true </dev/null 2>&1); do
        [ "$why" = "$last" ] || echo "waiting for $host: $why" >&2
        last=$why
        sleep 0.5
    done
done </etc/mpi/hostfile
)";

/// A registry may have a port, so only a colon behind the last slash begins a tag.
std::string_view without_tag(std::string_view image) {
    image = image.substr(0, image.find('@'));
    auto const slash = image.rfind('/');
    auto const colon = image.find(':', slash == image.npos ? 0 : slash);
    return image.substr(0, colon);
}

} // namespace

result<std::vector<std::string>> split_command(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        char const c = line[i];
        char const next = i + 1 < line.size() ? line[i + 1] : '\0';
        bool const escapes = quote == 0 || (quote == '"' && std::string_view("\\\"$`").find(next) != line.npos);
        if (c == '\\' && quote != '\'' && escapes && i + 1 < line.size()) {
            word += next;
            begun = true;
            ++i;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            begun = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (begun) words.push_back(std::exchange(word, std::string()));
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (quote != 0)
        return make_failure(errc::syntax, std::string("expected a closing ") + quote + ", got the end of the command");
    if (begun) words.push_back(std::move(word));
    if (words.empty()) return make_failure(errc::syntax, "expected a command, got an empty text");
    return words;
}

bool matches_image(std::string_view pattern, std::string_view image) {
    return matches_text(pattern, image) || matches_text(pattern, without_tag(image));
}

string_map::value_type const* entry_for_image(string_map const& table, std::string_view image) {
    string_map::value_type const* best = nullptr;
    for (auto const& entry : table)
        if (matches_image(entry.first, image) && (best == nullptr || entry.first.size() > best->first.size()))
            best = &entry;
    return best;
}

std::vector<std::string> command_of_image(std::string_view image, pod_options const& options) {
    auto const* const entry = entry_for_image(options.commands, image);
    if (entry == nullptr) return {};
    auto words = split_command(entry->second);
    return words ? *std::move(words) : std::vector<std::string>();
}

void add_image_commands(core::pod_spec& spec, pod_options const& options) {
    for (auto* const list : {&spec.init_containers, &spec.containers})
        for (auto& c : *list)
            if (c.command.empty()) c.command = command_of_image(c.image, options);
    for (auto& c : spec.init_containers)
        if (c.command.empty() && c.name == "kubectl-delivery") c.command = {"/bin/sh", "-c", deliver_kubectl};
}

} // namespace kftrain::local
