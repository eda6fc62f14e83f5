#include "cli/commands.hpp"
#include "cli/manifests.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/position.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <iostream>

namespace kftrain::cli {

/// One thing found, as `-o json` prints it.
struct finding {
    finding() = default;

    std::string file;
    std::int64_t line = 0; ///< 0 when unknown, as the column
    std::int64_t column = 0;
    std::string severity;
    std::string rule;
    std::string path;
    std::string message;
};
BOOST_DESCRIBE_STRUCT(finding, (), (file, line, column, severity, rule, path, message))

struct lint_report {
    lint_report() = default;

    std::vector<finding> findings;
    std::int64_t errors = 0;
    std::int64_t warnings = 0;
};

} // namespace kftrain::cli

namespace kftrain {
template <> struct field_rules<cli::lint_report> {
    static constexpr std::array<field_rule, 3> list{{{.member = "findings", .always = true},
                                                     {.member = "errors", .always = true},
                                                     {.member = "warnings", .always = true}}};
};
} // namespace kftrain

namespace kftrain::cli {

BOOST_DESCRIBE_STRUCT(lint_report, (), (findings, errors, warnings))

namespace {

class linter {
public:
    /// False when the file cannot be read or is no YAML.
    bool look_at(std::string const& file) {
        file_ = file;
        auto const text = read_text(file);
        if (!text) {
            complain(text.error().to_string());
            return false;
        }
        auto const documents = split_yaml(*text);
        if (documents.empty()) {
            complain(file + ": expected an object, found none");
            return false;
        }
        bool readable = true;
        for (auto const& one : documents) readable = look_at(one) && readable;
        return readable;
    }

    lint_report const& report() const noexcept { return report_; }

private:
    bool look_at(yaml_document const& text) {
        decode_options options;
        options.first_line = text.first_line;
        auto const type = type_of_document(text.text, options);
        if (!type) return unreadable(type.error());
        auto const* const known = find_type(type->api_version, type->kind);
        if (known == nullptr) {
            issue i;
            i.rule = "lint.unknown-kind";
            i.level = type->kind.empty() ? issue::severity::error : issue::severity::warning;
            i.message = "apiVersion \"" + type->api_version + "\" and kind \"" + type->kind +
                        "\" name no type that kftrain knows: nothing of it was checked";
            add(i, {});
            report_.findings.back().line = static_cast<std::int64_t>(text.first_line);
            return true;
        }

        std::vector<failure> strict;
        options.strict = true;
        options.found = &strict;
        auto const object = known->make();
        auto const decoded = decode_yaml(text.text, *known->type, object.get(), options);
        for (auto const& f : strict) add(f);
        if (!decoded && !is_strict(decoded.error())) {
            if (decoded.error().code == errc::syntax || decoded.error().code == errc::too_deep)
                return unreadable(decoded.error());
            add(decoded.error());
            return true;
        }
        if (auto const* const kind = find_job_kind(type->api_version, type->kind))
            check(any_job(*kind, object.get()), text);
        return true;
    }

    /// What admission refuses is not told a second time by a lint rule.
    void check(any_job job, yaml_document const& text) {
        if (job.metadata().namespace_.empty()) job.metadata().namespace_ = "default";
        position_finder positions(text.text, text.first_line);
        issues refused = job.validate();
        // As a server answers first. It sees what was decoded, whose unknown fields were told of already.
        if (auto const by_schema = schema_issues(job.kind().schema(), job.to_json()))
            for (auto const& i : *by_schema)
                if (i.level == issue::severity::error && !has_path(refused, i.path)) refused.push_back(i);
        for (auto const& i : refused) add(i, positions.find(i.path));
        for (auto const& i : job.lint())
            if (!has_path(refused, i.path)) add(i, positions.find(i.path));
    }

    static bool has_path(issues const& all, std::string_view path) {
        return std::any_of(all.begin(), all.end(), [&](issue const& i) { return i.path == path; });
    }

    static bool is_strict(failure const& f) { return f.code == errc::unknown_field || f.code == errc::duplicate_field; }

    bool unreadable(failure f) {
        auto const at = place(file_, f.detail.line, f.detail.column);
        f.detail.line = f.detail.column = 0;
        complain(at + f.to_string());
        return false;
    }

    void add(failure const& f) {
        issue i;
        i.rule = f.code == errc::unknown_field     ? "decode.unknown-field"
                 : f.code == errc::duplicate_field ? "decode.duplicate-field"
                                                   : "decode.type";
        i.path = f.detail.path;
        i.message = (f.detail.path.empty() ? "" : f.detail.path + ": ") +
                    (f.detail.message.empty() ? f.code.message() : f.detail.message);
        text_position at;
        at.line = f.detail.line;
        at.column = f.detail.column;
        add(i, at);
    }

    void add(issue const& i, text_position at) {
        auto& f = report_.findings.emplace_back();
        f.file = file_;
        f.line = static_cast<std::int64_t>(at.line);
        f.column = static_cast<std::int64_t>(at.column);
        f.severity = to_string(i.level);
        f.rule = i.rule;
        f.path = i.path;
        f.message = i.message;
        if (i.level == issue::severity::error) ++report_.errors;
        if (i.level == issue::severity::warning) ++report_.warnings;
    }

    std::string file_;
    lint_report report_;
};

void print(lint_report const& report) {
    for (auto const& f : report.findings)
        std::cout << place(f.file, static_cast<std::size_t>(f.line), static_cast<std::size_t>(f.column)) << f.severity
                  << ": " << f.message << " [" << f.rule << "]\n";
}

void print_rules() {
    for (auto const& rule : lint_rules())
        std::cout << rule.id << "  " << to_string(rule.level) << '\n' << "    " << rule.reason << '\n';
}

} // namespace

int lint(lint_options const& options) {
    if (options.rules) {
        print_rules();
        return flush_output() ? success : bad_usage;
    }
    if (options.files.empty()) {
        complain("expected at least one file, or --rules");
        return bad_usage;
    }
    linter look;
    bool readable = true;
    for (auto const& file : options.files) readable = look.look_at(file) && readable;
    if (options.format == "json")
        std::cout << to_json(look.report()) << '\n';
    else
        print(look.report());
    if (!flush_output() || !readable) return bad_usage;
    return look.report().errors != 0 || (options.strict && look.report().warnings != 0) ? 1 : success;
}

} // namespace kftrain::cli
