#include <kftrain/model/position.hpp>

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

/// Takes the next step off a path: `name`, `[key]` or `[0]`, without dot and brackets.
std::string take_step(std::string_view& path) {
    if (path.starts_with('.')) path.remove_prefix(1);
    bool const in_brackets = path.starts_with('[');
    std::size_t const end = in_brackets ? path.find(']') : path.find_first_of(".[");
    std::string step(
        path.substr(in_brackets ? 1 : 0, end == std::string_view::npos ? end : end - (in_brackets ? 1 : 0)));
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + (in_brackets ? 1 : 0));
    return step;
}

YAML::Node child_of(YAML::Node const& parent, std::string const& step) {
    if (parent.IsMap()) {
        for (auto const& entry : parent)
            if (entry.first.IsScalar() && entry.first.Scalar() == step) return entry.second;
    } else if (parent.IsSequence()) {
        std::size_t index = 0;
        auto const [end, ec] = std::from_chars(step.data(), step.data() + step.size(), index);
        if (ec == std::errc{} && end == step.data() + step.size() && index < parent.size()) return parent[index];
    }
    return YAML::Node(YAML::NodeType::Undefined);
}

} // namespace

text_position position_finder::find(std::string_view path) {
    if (!parsed_) {
        parsed_ = std::make_unique<parsed>();
        if (text_.size() <= size_limit) {
            try {
                parsed_->root = YAML::Load(std::string(text_));
                parsed_->usable = parsed_->root.IsMap();
            } catch (YAML::Exception const&) {
                // whoever decodes the text says what is wrong with it
            }
        }
    }
    text_position position;
    if (!parsed_->usable) return position;
    YAML::Node at = parsed_->root;
    while (!path.empty()) {
        YAML::Node const next = child_of(at, take_step(path));
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
