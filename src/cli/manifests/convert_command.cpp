#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/manifest_hints.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/facade/described.hpp>
#include <kftrain/kinds/documents.hpp>
#include <kftrain/model/reflect.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

namespace kftrain::cli {

/// The conversion of one job.
struct reported_conversion {
    std::string file;
    std::int64_t document = 0; ///< number of the document within the file, from 1
    std::string item;          ///< the position in a list: `items[1]`
    std::string namespace_;
    std::string name;
    document_type from;
    document_type to;
    std::vector<convert::change> changes;
};

struct convert_report {
    std::vector<reported_conversion> conversions;
    std::int64_t changed = 0;
    std::int64_t approximated = 0;
    std::int64_t dropped = 0;
};

} // namespace kftrain::cli

namespace kftrain {
KFTRAIN_REQUIRED(cli::reported_conversion, "changes")
KFTRAIN_REQUIRED(cli::convert_report, "conversions", "changed", "approximated", "dropped")
} // namespace kftrain

namespace kftrain::cli {

BOOST_DESCRIBE_STRUCT(reported_conversion, (), (file, document, item, namespace_, name, from, to, changes))
BOOST_DESCRIBE_STRUCT(convert_report, (), (conversions, changed, approximated, dropped))

namespace {

struct convert_options {
    std::string file;
    std::string to;     ///< `MPIJob`, `MPIJob.v2beta1`
    std::string report; ///< file for the list of losses; may be empty
};

/// Converts the jobs of a file one by one and collects the output.
class converter {
public:
    explicit converter(convert_options const& options) : options_(options), to_(options.to) {}

    bool run() {
        auto const text = read_text(options_.file);
        if (!text) {
            complain(text.error().to_string());
            return false;
        }
        bool fine = true;
        for (auto const& one : split_yaml(*text)) {
            ++number_;
            fine = take_document(one) && fine;
            if (unfilled_) break; // the rest belongs to the template
        }
        if (number_ == 0)
            complain((options_.file == "-" ? "standard input" : options_.file) + ": expected an object, got none");
        if (fine && jobs_ == 0 && others_ != 0) complain(place(options_.file, 0, 0) + "expected a job, got none");
        return fine && number_ != 0 && (jobs_ != 0 || others_ == 0);
    }

    std::string const& manifests() const noexcept { return manifests_; }
    std::string const& losses() const noexcept { return losses_; }
    convert_report const& report() const noexcept { return report_; }

private:
    /// Converts the items of a `List` one by one.
    bool take_document(document text) {
        auto const type = text.type();
        if (!type || type->kind != "List" || type->api_version != "v1") return take_object(text, type);
        auto items = text.items();
        if (!items) {
            refuse(items.error(), text);
            return false;
        }
        bool fine = true;
        for (auto& item : *items) fine = take_object(item, item.type()) && fine;
        return fine;
    }

    bool take_object(document& text, result<document_type> const& type) {
        if (!type || role_of(*type) != document_role::other) return take_job(text, type ? *type : document_type());
        manifest one;
        one.unknown = other_document(*type, text);
        one.written = text.path().empty() ? std::string(text.text()) : one.unknown.json;
        append(one.write("yaml"));
        ++others_;
        losses_ += place(options_.file, 0, 0) + "line " + std::to_string(one.unknown.line) + ": " +
                   on_one_line(one.unknown.to_string()) + " is not a job: copied unchanged\n";
        return true;
    }

    void append(std::string const& text) { manifests_ += (manifests_.empty() ? "" : "---\n") + text; }

    bool take_job(document& text, document_type const& type) {
        auto const made = convert::convert_job(text, to_);
        if (!made) {
            failure f = made.error();
            unfilled_ = text.path().empty() && explain_unfilled(f, text.text(), text.first_line());
            refuse(std::move(f), text);
            return false;
        }
        ++jobs_;
        append(made->job.to_yaml());
        auto& entry = report_.conversions.emplace_back();
        entry.file = as_utf8(options_.file);
        entry.document = number_;
        entry.item = text.path();
        entry.namespace_ = made->job.metadata().namespace_;
        entry.name = made->job.metadata().name;
        entry.from = type;
        entry.to.api_version = made->job.resource().api_version();
        entry.to.kind = made->job.resource().kind;
        for (auto const& c : made->changes) report_change(c, text);
        return true;
    }

    void report_change(convert::change const& c, document& text) {
        report_.conversions.back().changes.push_back(c);
        ++(c.becomes == convert::fate::changed   ? report_.changed
           : c.becomes == convert::fate::dropped ? report_.dropped
                                                 : report_.approximated);
        constexpr std::size_t longest = 60; // longest value that is printed
        auto const at = text.find(c.path);
        std::string line(to_string(c.becomes));
        line += ": " + text.path_of(c.path);
        if (!c.value.text.empty() && c.value.text.size() <= longest) line += " = " + c.value.text;
        if (!c.result_path.empty() && c.result_path != c.path) line += " -> " + c.result_path;
        losses_ += place(options_.file, at.line, at.column) + on_one_line(line + ": " + c.why) + '\n';
    }

    void refuse(failure f, document& text) {
        if (f.detail.line == 0) {
            auto const at = text.find(f.detail.path);
            f.detail.line = at.line;
            f.detail.column = at.column;
        }
        f.detail.path = text.path_of(f.detail.path);
        auto const at = place(options_.file, f.detail.line, f.detail.column);
        f.detail.line = f.detail.column = 0;
        complain(at + f.to_string() + hint_at_placeholder(f.detail.message));
    }

    convert_options const& options_;
    convert::kind_name to_;
    std::int64_t number_ = 0; ///< of the document, from 1
    std::size_t jobs_ = 0;
    std::size_t others_ = 0; ///< objects that are not jobs
    bool unfilled_ = false;  ///< the file is a template
    std::string manifests_;
    std::string losses_;
    convert_report report_;
};

/// Whether both names refer to one file.
bool is_same_file(std::string const& a, std::string const& b) {
    std::error_code unknown;
    return std::filesystem::equivalent(a, b, unknown);
}

bool write_report(std::string const& file, convert_report const& report) {
    errno = 0;
    std::ofstream out(file, std::ios::binary);
    out << to_json(report) << '\n';
    out.close();
    if (out) return true;
    complain("cannot write \"" + file + "\": " + std::generic_category().message(errno));
    return false;
}

int convert_manifests(convert_options const& options) {
    if (is_same_file(options.report, options.file)) {
        complain("--report: \"" + options.report + "\" is the input file, expected another file");
        return bad_usage;
    }
    converter all(options);
    if (!all.run()) return bad_usage;
    if (!options.report.empty() && !write_report(options.report, all.report())) return bad_usage;
    std::cerr << all.losses();
    std::cout << all.manifests();
    return flush_output() ? success : bad_usage;
}

} // namespace

void add_convert(CLI::App& app, int& exit) {
    auto options = std::make_shared<convert_options>();
    std::string text =
        "Convert jobs to another kind or version and report what is lost\n\n"
        "Jobs that already have this kind, and objects that are not jobs, are copied unchanged. Changes and losses are "
        "printed to standard error. Conversions:\n";
    for (auto const& c : convert::conversions()) text += "  " + to_string(c) + "\n";
    text.pop_back();
    auto* const command = app.add_subcommand("convert", text);
    command->group(offline_commands);
    command->add_option("FILE", options->file, objects_of_file)->required();
    command
        ->add_option("--to", options->to,
                     "Convert to this kind, with a version if the kind has several, for example MPIJob.v2beta1")
        ->required()
        ->check([](std::string const& kind) {
            return kind.empty() ? "expected a kind, for example PyTorchJob or MPIJob.v2beta1, got \"\"" : std::string();
        })
        ->type_name("KIND");
    command->add_option("--report", options->report, "Write the list of changes and losses to FILE as JSON")
        ->type_name("FILE");
    add_footer(
        *command,
        {{success, "All jobs were converted."}, {bad_usage, "The file cannot be read, or a job cannot be converted."}},
        {{"Convert a job of an earlier version", "kftrain convert --to PyTorchJob.v1 job.yaml"},
         {"Convert a job to Volcano and keep a report", "kftrain convert --to Job job.yaml --report changes.json"}});
    command->callback([options, &exit] { exit = convert_manifests(*options); });
}

} // namespace kftrain::cli
