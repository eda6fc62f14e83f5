#include "kube/calls/warnings.hpp"

#include "kube/calls/client_core.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace kftrain::kube::detail {
namespace {

constexpr std::string_view spaces = " \t";

void skip_spaces(std::string_view& s) { s.remove_prefix(std::min(s.find_first_not_of(spaces), s.size())); }

/// Takes a quoted string off the front.
std::optional<std::string> take_quoted(std::string_view& s) {
    if (!s.starts_with('"')) return {};
    std::string text;
    for (std::size_t i = 1; i < s.size(); ++i) {
        if (s[i] == '"') {
            s.remove_prefix(i + 1);
            return text;
        }
        if (s[i] == '\\' && ++i == s.size()) break;
        text += s[i];
    }
    return {};
}

/// Takes what ends at a space off the front.
std::string_view take_word(std::string_view& s) {
    auto const word = s.substr(0, s.find_first_of(spaces));
    s.remove_prefix(word.size());
    skip_spaces(s);
    return word;
}

void read_field(std::string_view value, std::vector<std::string>& texts) {
    for (;;) {
        skip_spaces(value);
        auto const code = take_word(value);
        auto const agent = take_word(value);
        auto text = take_quoted(value);
        if (agent.empty() || !text) return;
        if (code == "299" && !text->empty()) texts.push_back(std::move(*text));
        skip_spaces(value);
        if (value.starts_with('"') && !take_quoted(value)) return; // the date
        skip_spaces(value);
        if (!value.starts_with(',')) return;
        value.remove_prefix(1);
    }
}

} // namespace

std::vector<std::string> read_warnings(http_fields const& fields) {
    std::vector<std::string> texts;
    for (auto const& value : fields.get_all("Warning")) read_field(value, texts);
    return texts;
}

std::vector<std::string> log_warnings(client::state& s, http_request const& request, http_fields const& answer) {
    constexpr std::size_t most_remembered = 256;
    constexpr std::size_t most_texts = 64; // of one answer
    constexpr std::size_t longest_text = 4096;
    auto texts = read_warnings(answer);
    if (texts.size() > most_texts) texts.resize(most_texts);
    for (auto& text : texts) {
        text = s.link->redact(std::move(text)); // before it is cut: half a secret is none that can be found
        if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
        server_warning warning;
        warning.method = request.method;
        warning.target = request.target;
        warning.text = text;
        if (s.options.on_warning) s.options.on_warning(warning);
        if (s.warned.size() >= most_remembered && !s.warned.contains(text)) s.warned.erase(s.warned.begin());
        if (s.warned.insert(text).second)
            s.options.logger(log_level::warning, "the server sent a warning",
                             {{"request", request.method + " " + request.target}, {"warning", text}});
    }
    return texts;
}

} // namespace kftrain::kube::detail
