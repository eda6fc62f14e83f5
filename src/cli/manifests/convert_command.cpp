#include "cli/commands.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/template_text.hpp"
#include "kinds/document_type.hpp"
#include "kinds/job_documents.hpp"
#include "model/json/list_items.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/facade/described.hpp>
#include <kftrain/model/position.hpp>
#include <kftrain/model/reflect.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

namespace kftrain::cli {

/// The conversion of one job.
struct reported_conversion {
    reported_conversion() = default;

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
    convert_report() = default;

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

/// A list of objects as written.
struct job_texts {
    job_texts() = default;

    std::vector<raw_json> items;
};
BOOST_DESCRIBE_STRUCT(job_texts, (), (items))

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
        for (auto const& document : split_yaml(*text)) {
            ++number_;
            fine = take_document(document) && fine;
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
    bool take_document(yaml_document const& text) {
        position_finder places(text.text, text.first_line);
        auto const type = type_of_document(text.text);
        if (!type || type->kind != "List" || type->api_version != "v1") return take_object(text, "", places);
        auto const list = from_yaml<job_texts>(text.text);
        if (!list) {
            refuse(list.error(), "", places);
            return false;
        }
        bool fine = true;
        for (std::size_t i = 0; i < list->items.size(); ++i)
            fine = take_object(yaml_document(list->items[i].text, 1), item_path(i), places) && fine;
        return fine;
    }

    bool take_object(yaml_document const& text, std::string const& item, position_finder& places) {
        detail::document_reader reader(text);
        auto const type = detail::type_of_document(reader, decode_options());
        if (!type || detail::role_of(*type) != detail::document_role::other) return take_job(text, item, places);
        auto const other = detail::read_other(*type, reader, reader, "");
        manifest one;
        one.written = item.empty() ? std::string(reader.text()) : other.json;
        one.json = other.json;
        append(one.write("yaml"));
        ++others_;
        auto const line = item.empty() ? other.line : places.find(item).line;
        losses_ += place(options_.file, 0, 0) + "line " + std::to_string(line) + ": " + on_one_line(other.to_string()) +
                   " is not a job: copied unchanged\n";
        return true;
    }

    void append(std::string const& text) { manifests_ += (manifests_.empty() ? "" : "---\n") + text; }

    bool take_job(yaml_document const& text, std::string const& item, position_finder& places) {
        auto const made = convert::convert_job(text, to_);
        if (!made) {
            failure f = made.error();
            unfilled_ = item.empty() && explain_unfilled(f, text.text, text.first_line);
            refuse(std::move(f), item, places);
            return false;
        }
        ++jobs_;
        append(made->job.to_yaml());
        auto& entry = report_.conversions.emplace_back();
        entry.file = as_utf8(options_.file);
        entry.document = number_;
        entry.item = item;
        entry.namespace_ = made->job.metadata().namespace_;
        entry.name = made->job.metadata().name;
        if (auto const type = type_of_document(text.text)) entry.from = *type;
        entry.to.api_version = made->job.resource().api_version();
        entry.to.kind = made->job.resource().kind;
        for (auto const& c : made->changes) report_change(c, item, places);
        return true;
    }

    void report_change(convert::change const& c, std::string const& item, position_finder& places) {
        report_.conversions.back().changes.push_back(c);
        ++(c.becomes == convert::fate::changed   ? report_.changed
           : c.becomes == convert::fate::dropped ? report_.dropped
                                                 : report_.approximated);
        constexpr std::size_t longest = 60; // longest value that is printed
        auto const at = places.find(path_within(item, c.path));
        std::string line(to_string(c.becomes));
        line += ": " + path_within(item, c.path);
        if (!c.value.text.empty() && c.value.text.size() <= longest) line += " = " + c.value.text;
        if (!c.result_path.empty() && c.result_path != c.path) line += " -> " + c.result_path;
        losses_ += place(options_.file, at.line, at.column) + on_one_line(line + ": " + c.why) + '\n';
    }

    void refuse(failure f, std::string const& item, position_finder& places) {
        if (!item.empty() || f.detail.line == 0) {
            f.detail.path = path_within(item, f.detail.path);
            auto const at = places.find(f.detail.path);
            f.detail.line = at.line;
            f.detail.column = at.column;
        }
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

} // namespace

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

} // namespace kftrain::cli
