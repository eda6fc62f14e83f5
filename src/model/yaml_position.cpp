#include "model/yaml_flow.hpp"

#include <kftrain/model/position.hpp>

#include "model/json_text.hpp"

#include <yaml-cpp/yaml.h>

#include <charconv>
#include <string>

namespace kftrain {

struct position_finder::parsed {
    parsed() = default;

    YAML::Node root{};
    bool usable = false;
};

position_finder::position_finder(std::string_view document, std::size_t first_line)
    : text_(document), first_line_(first_line) {}
position_finder::position_finder(position_finder&&) noexcept = default;
position_finder& position_finder::operator=(position_finder&&) noexcept = default;
position_finder::~position_finder() = default;

namespace {

constexpr std::size_t size_limit = std::size_t{4} << 20U;
constexpr std::size_t deepest = 512; // as decode_options

/// True where a step may end in front of `rest`.
bool is_end(std::string_view rest) { return rest.empty() || rest.front() == '.' || rest.front() == '['; }

/** The value of the longest key that the path starts with: keys may hold dots, as `metadata.labels.example.com/team` does.
    In brackets they may be JSON strings, as decoders write them. Takes the key off the path. */
YAML::Node member_of(YAML::Node const& map, std::string_view& path) {
    YAML::Node found(YAML::NodeType::Undefined);
    bool const in_brackets = path.starts_with('[');
    std::string_view const rest = path.substr(in_brackets ? 1 : 0);
    bool const in_quotes = in_brackets && rest.starts_with('"');
    std::string quoted;
    std::size_t longest = 0;
    bool any = false;
    for (auto const& entry : map) {
        if (!entry.first.IsScalar()) continue;
        std::string_view key = entry.first.Scalar();
        if (in_quotes) {
            quoted.clear();
            detail::append_string(key, quoted);
            if (rest.starts_with(quoted)) key = quoted;
        }
        if (!rest.starts_with(key) || (any && key.size() <= longest)) continue;
        std::string_view const behind = rest.substr(key.size());
        if (in_brackets ? !behind.starts_with(']') : !is_end(behind)) continue;
        found.reset(entry.second);
        longest = key.size();
        any = true;
    }
    if (any) path.remove_prefix(longest + (in_brackets ? 2 : 0));
    return found;
}

YAML::Node item_of(YAML::Node const& list, std::string_view& path) {
    std::string_view const rest = path.substr(path.starts_with('[') ? 1 : 0);
    std::size_t index = 0;
    auto const [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (ec != std::errc{} || index >= list.size()) return YAML::Node(YAML::NodeType::Undefined);
    path = rest.substr(static_cast<std::size_t>(end - rest.data()));
    if (path.starts_with(']')) path.remove_prefix(1);
    return list[index];
}

/// The value that the next step of the path leads to: `name`, `[key]`, `["key"]` or `[0]`. Takes the step off the path.
YAML::Node child_of(YAML::Node const& parent, std::string_view& path) {
    if (path.starts_with('.')) path.remove_prefix(1);
    if (parent.IsMap()) return member_of(parent, path);
    if (parent.IsSequence()) return item_of(parent, path);
    return YAML::Node(YAML::NodeType::Undefined);
}

} // namespace

text_position position_finder::find(std::string_view path) {
    if (!parsed_) {
        parsed_ = std::make_unique<parsed>();
        auto const flow = detail::find_flow_fault(text_, deepest);
        if (text_.size() <= size_limit && !(flow && flow->too_deep)) {
            try {
                parsed_->root = YAML::Load(std::string(text_));
                parsed_->usable = parsed_->root.IsMap();
            } catch (YAML::Exception const&) {
                parsed_->usable = false; // whoever decodes the text says what is wrong with it
            }
        }
    }
    text_position position;
    if (!parsed_->usable) return position;
    YAML::Node at = parsed_->root;
    while (!path.empty()) {
        YAML::Node const next = child_of(at, path);
        if (!next.IsDefined()) break;
        at.reset(next);
    }
    YAML::Mark const mark = at.Mark();
    if (mark.is_null()) return position;
    position.line = first_line_ + static_cast<std::size_t>(mark.line);
    position.column = static_cast<std::size_t>(mark.column) + 1;
    return position;
}

} // namespace kftrain
