#include "cli/manifests/manifest_hints.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace kftrain::cli {
namespace {

constexpr std::string_view blanks = " \t\r";

/// Something that YAML has no meaning for.
struct mark {
    std::size_t line = 0; ///< from 0
    std::size_t column = 0;
    std::string message;
};

bool is_identifier_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `$VAR`, `${VAR...}` or `$(VAR)` at the beginning; else empty.
std::string_view placeholder_at(std::string_view text) {
    if (text.size() < 2 || text[0] != '$') return {};
    bool const bracket = text[1] == '{' || text[1] == '(';
    std::size_t const begin = bracket ? 2 : 1;
    if (begin >= text.size() || !is_identifier_character(text[begin]) || (text[begin] >= '0' && text[begin] <= '9'))
        return {};
    if (!bracket) {
        auto const end = std::ranges::find_if_not(text.substr(begin), is_identifier_character);
        return text.substr(0, begin + static_cast<std::size_t>(end - text.substr(begin).begin()));
    }
    auto const end = text.find(text[1] == '{' ? '}' : ')');
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

/// Written once, when the arguments are parsed.
std::string& reading_command() {
    static std::string command = "kftrain lint -";
    return command;
}

std::string fill_in(std::string_view placeholder) {
    std::string const text = std::string(placeholder) + " is a placeholder: fill it in first, for example: ";
    return text + (placeholder.starts_with("$(") ? "kustomize build . | " : "envsubst < FILE | ") + reading_command();
}

/// Helm writes fields and functions of Go templates, Jinja plain names.
bool is_of_helm(std::string_view text) {
    static constexpr std::array<std::string_view, 14> markers{
        "{{-",          "{{ .",      "{{.",    "-}}",     "{{ $",     "{{$",  "{{ include ",
        "{{ template ", "{{ range ", "{{ if ", "{{ end ", "{{ with ", "{{/*", "{{ toYaml "};
    return std::ranges::any_of(markers, [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

std::string render_first(std::string_view text, std::string_view opening) {
    bool const statements = text.find("{%") != std::string_view::npos || opening == "{#";
    if (!statements && is_of_helm(text))
        return "looks like a template of Helm ({{ ... }}); render it first, for example: "
               "helm template CHART | " +
               reading_command();
    std::string const form = opening == "{{" ? "{{ ... }}" : opening == "{#" ? "{# ... #}" : "{% ... %}";
    return "looks like a template of Jinja (" + form + "); render it first, for example: jinja2 FILE | " +
           reading_command();
}

/// Whether a place within a line is outside quotes.
bool is_plain(std::string_view before) {
    char quote = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        char const c = before[i];
        if (quote == '"' && c == '\\')
            ++i;
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
    }
    return quote == 0;
}

/// Where YAML begins a value: at the beginning of a line, or behind a key, a dash, a bracket or a comma.
bool begins_value(std::string_view before) {
    auto const last = before.find_last_not_of(blanks);
    return last == std::string_view::npos || std::string_view(":-,[{").find(before[last]) != std::string_view::npos;
}

std::optional<mark> template_mark(std::string_view line, std::string_view text) {
    for (std::string_view const opening : {"{{", "{%", "{#"})
        for (auto at = line.find(opening); at != std::string_view::npos; at = line.find(opening, at + 1)) {
            auto const before = line.substr(0, at);
            if (!begins_value(before) || !is_plain(before)) continue;
            mark m;
            m.column = at;
            m.message = render_first(text, opening);
            return m;
        }
    return std::nullopt;
}

/// Returns the template mark at the beginning of a line, where a key is expected.
std::optional<mark> leading_mark(std::string_view line) {
    auto const first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) return std::nullopt;
    auto const rest = line.substr(first);
    mark m;
    m.column = first;
    if (rest.starts_with("//") || rest.starts_with("/*")) {
        m.message = std::string(rest.substr(0, 2)) + " does not begin a comment in YAML, # does";
        return m;
    }
    auto const placeholder = placeholder_at(rest);
    if (placeholder.empty() || rest.find_first_not_of(blanks, placeholder.size()) != std::string_view::npos)
        return std::nullopt;
    m.message = fill_in(placeholder);
    return m;
}

bool is_comment(std::string_view line) {
    auto const first = line.find_first_not_of(blanks);
    return first != std::string_view::npos && line[first] == '#';
}

std::optional<mark> first_mark(std::string_view text) {
    std::size_t number = 0;
    for (std::string_view rest = text; !rest.empty(); ++number) {
        auto const end = std::min(rest.find('\n'), rest.size());
        auto const line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (is_comment(line)) continue;
        auto found = template_mark(line, text);
        if (!found) found = leading_mark(line);
        if (!found) continue;
        found->line = number;
        return found;
    }
    return std::nullopt;
}

/// The value that a message quotes, without its quotes.
std::string_view quoted_value(std::string_view message) {
    for (std::string_view const lead : {"got \"", "Invalid value: \""}) {
        auto const at = message.find(lead);
        if (at == std::string_view::npos) continue;
        auto const begin = at + lead.size();
        return message.substr(begin, message.find('"', begin) - begin);
    }
    return {};
}

/// The struct that a field of a struct holds, or null.
model::descriptor const* struct_in(model::descriptor const* type, std::string_view name) {
    auto const* const field = type == nullptr ? nullptr : type->find(name);
    if (field == nullptr) return nullptr;
    auto const* held = field->type;
    while (held->kind == model::shape::optional) held = held->element;
    return held->kind == model::shape::object ? held : nullptr;
}

/// Whether the field at this path, which the kind does not have, is one of its run policy.
bool is_of_run_policy(document_type const& type, std::string_view path) {
    constexpr std::string_view spec = "spec.";
    auto const* const known = find_type(type.api_version, type.kind);
    if (known == nullptr || !path.starts_with(spec)) return false;
    auto const* const policy = struct_in(struct_in(known->model, "spec"), "runPolicy");
    return policy != nullptr && policy->find(path.substr(spec.size())) != nullptr;
}

} // namespace

void set_reading_command(std::string command) { reading_command() = std::move(command); }

bool explain_unfilled(failure& f, std::string_view text, std::size_t first_line) {
    // For YAML, a text that begins with // is one long string, and {{ x }} is a map.
    auto const& path = f.detail.path;
    bool const untyped = f.code == errc::type_mismatch && (path.empty() || path == "apiVersion" || path == "kind");
    if (f.code != errc::syntax && !untyped) return false;
    auto found = first_mark(text);
    if (!found) return false;
    f.code = errc::syntax;
    f.detail.path.clear();
    f.detail.message = std::move(found->message);
    f.detail.line = first_line + found->line;
    f.detail.column = found->column + 1;
    return true;
}

std::string hint_at_placeholder(std::string_view message) {
    auto const value = quoted_value(message);
    for (auto at = value.find('$'); at != std::string_view::npos; at = value.find('$', at + 1))
        if (auto const p = placeholder_at(value.substr(at)); !p.empty()) return "; " + fill_in(p);
    for (std::string_view const opening : {"{{", "{%"})
        if (value.find(opening) != std::string_view::npos) return "; it " + render_first(value, opening);
    if (value.find(" // ") != std::string_view::npos) return "; // does not begin a comment in YAML, # does";
    return {};
}

std::string conversion_hint(document_type const& type) {
    bool const known = find_job_rules(type.api_version, type.kind) != nullptr;
    for (auto const& c : convert::conversions()) {
        bool const old = !known || !c.form.empty();
        if (!old || c.from.kind != type.kind || c.from.api_version() != type.api_version) continue;
        return "; update it with kftrain convert --to " + std::string(c.to.kind) + "." + std::string(c.to.version);
    }
    return {};
}

std::string conversion_hint(document_type const& type, failure const& f) {
    bool const moved = f.code == errc::unknown_field && is_of_run_policy(type, f.detail.path);
    return moved || f.code == errc::unknown_kind ? conversion_hint(type) : std::string();
}

} // namespace kftrain::cli
