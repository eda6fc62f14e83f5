#include "model/value/field_path.hpp"

#include "model/json/json_text.hpp"

#include <algorithm>
#include <charconv>

namespace kftrain::detail {

result<std::vector<std::string>> split_path(std::string_view path) {
    auto const refuse = [path] {
        failure f(errc::invalid_argument, {});
        f.detail.path = "path";
        f.detail.message =
            "expected names, [keys] and [indexes] such as spec.containers[0].image, got " + quoted_for_message(path);
        return f;
    };
    std::vector<std::string> steps;
    for (std::string_view rest = path; !rest.empty();) {
        if (rest.starts_with('[')) {
            bool const quoted = rest.starts_with("[\"");
            auto const end = rest.find(quoted ? "\"]" : "]");
            if (end == rest.npos) return refuse();
            steps.emplace_back(rest.substr(quoted ? 2 : 1, end - (quoted ? 2 : 1)));
            rest.remove_prefix(end + (quoted ? 2 : 1));
        } else {
            if (rest.starts_with('.') != !steps.empty()) return refuse();
            if (!steps.empty()) rest.remove_prefix(1);
            auto const end = std::min(rest.find_first_of(".["), rest.size());
            steps.emplace_back(rest.substr(0, end));
            rest.remove_prefix(end);
        }
        if (steps.back().empty()) return refuse();
    }
    if (steps.empty()) return refuse();
    return steps;
}

std::optional<keyed_step> keyed(std::string_view step) noexcept {
    auto const equals = step.find('=');
    if (equals == step.npos) return std::nullopt;
    return keyed_step{step.substr(0, equals), step.substr(equals + 1)};
}

std::size_t index_of(std::string_view step, std::size_t size) noexcept {
    std::size_t index = 0;
    auto const [end, ec] = std::from_chars(step.data(), step.data() + step.size(), index);
    return ec == std::errc() && end == step.data() + step.size() ? std::min(index, size) : size;
}

} // namespace kftrain::detail
