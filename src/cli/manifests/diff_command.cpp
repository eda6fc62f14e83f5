#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/reflect.hpp>

#include <iostream>
#include <map>
#include <optional>

namespace kftrain::cli {

/// A difference. An empty path stands for the whole object.
struct found_difference {
    std::string object;
    std::string path;
    raw_json before;
    raw_json after;
};
BOOST_DESCRIBE_STRUCT(found_difference, (), (object, path, before, after))

struct found_differences {
    std::vector<found_difference> differences;
};
BOOST_DESCRIBE_STRUCT(found_differences, (), (differences))

namespace {

struct diff_options {
    std::string before;
    std::string after; ///< empty with `defaults`
    bool defaults = false;
    std::string format;
};

bool read_all(std::string const& file, std::vector<manifest>& out) {
    auto read = read_text(file);
    if (!read) {
        complain(read.error().to_string());
        return false;
    }
    std::vector<manifest> all;
    if (!read_manifests(file, *read, all)) return false;
    for (auto& one : without_lists(std::move(all)))
        if (one.type != nullptr)
            out.push_back(std::move(one));
        else
            complain(place(file, 0, 0) + "line " + std::to_string(one.unknown.line) + ": " + one.unknown.to_string() +
                     " has an unknown type: skipped");
    return true;
}

/// Sets the default values of jobs; copies other objects unchanged.
std::vector<manifest> with_defaults(std::vector<manifest> const& all) {
    std::vector<manifest> result = all;
    for (auto& one : result) {
        auto const* const kind = find_job_rules(one.type->info->api_version(), one.type->kind());
        if (kind == nullptr) continue;
        one.object = kind->primary().copy(one.object.get());
        kind->set_defaults(one.object.get());
    }
    return result;
}

raw_json whole(manifest const& one) { return raw_json(one.to_json()); }

/// The identity of each object. Objects without a name are numbered by type, so that other types do not change the
/// numbers.
std::vector<std::string> identities(std::vector<manifest> const& all) {
    std::vector<std::string> result;
    std::map<object_type const*, std::size_t> unnamed;
    for (auto const& one : all) result.push_back(one.identity(one.is_named() ? 0 : ++unnamed[one.type]));
    return result;
}

class comparison {
public:
    comparison(std::vector<manifest> const& before, std::vector<manifest> const& after) {
        // Two single objects of one type are compared even if their names differ.
        bool const pair = before.size() == 1 && after.size() == 1 && before[0].type == after[0].type;
        auto const names_before = identities(before);
        auto const names_after = identities(after);
        std::multimap<std::string, std::size_t> partners; // objects with the same name keep their order
        for (std::size_t k = 0; k < after.size(); ++k) partners.emplace(partner_key(after[k], names_after[k], pair), k);
        std::vector<bool> taken(after.size(), false);
        for (std::size_t i = 0; i < before.size(); ++i) {
            auto const& identity = names_before[i];
            auto const key = partner_key(before[i], identity, pair);
            auto const partner = partners.lower_bound(key);
            if (partner == partners.end() || partner->first != key) {
                add(identity, "", whole(before[i]), raw_json());
                continue;
            }
            std::size_t const k = partner->second;
            partners.erase(partner);
            taken[k] = true;
            for (auto& d : diff(*before[i].type->model, before[i].object.get(), after[k].object.get()))
                add(identity, std::move(d.path), raw_json(std::move(d.before)), raw_json(std::move(d.after)));
        }
        for (std::size_t k = 0; k < after.size(); ++k)
            if (!taken[k]) add(names_after[k], "", raw_json(), whole(after[k]));
    }

    found_differences const& found() const noexcept { return found_; }

private:
    /// Equal for objects that are compared with each other: of one type and name, or the only ones of one type.
    static std::string partner_key(manifest const& one, std::string const& identity, bool pair) {
        std::string const type = one.type->info->api_version() + " ";
        return pair ? type : type + identity;
    }

    void add(std::string object, std::string path, raw_json before, raw_json after) {
        auto& d = found_.differences.emplace_back();
        d.object = std::move(object);
        d.path = std::move(path);
        d.before = std::move(before);
        d.after = std::move(after);
    }

    found_differences found_;
};

void print(found_differences const& found) {
    std::string last;
    for (auto const& d : found.differences) {
        if (d.object != last) std::cout << on_one_line(d.object) << '\n';
        last = d.object;
        std::string const path = d.path.empty() ? "the object" : on_one_line(d.path);
        if (d.before.text.empty())
            std::cout << "  + " << path << ": " << on_one_line(d.after.text) << '\n';
        else if (d.after.text.empty())
            std::cout << "  - " << path << ": " << on_one_line(d.before.text) << '\n';
        else
            std::cout << "  ~ " << path << ": " << on_one_line(d.before.text) << " -> " << on_one_line(d.after.text)
                      << '\n';
    }
}

int diff_manifests(diff_options const& options) {
    if (options.defaults == !options.after.empty()) {
        complain(options.defaults ? "--defaults: expected one file, got two"
                                  : "expected a second file or --defaults, got neither");
        return bad_usage;
    }
    std::vector<manifest> before;
    std::vector<manifest> after;
    if (!read_all(options.before, before)) return bad_usage;
    if (options.defaults)
        after = with_defaults(before);
    else if (!read_all(options.after, after))
        return bad_usage;

    comparison const compared(before, after);
    if (options.format == "json")
        std::cout << json_output(to_json(compared.found())) << '\n';
    else
        print(compared.found());
    if (!flush_output()) return bad_usage;
    return compared.found().differences.empty() ? success : 1;
}

} // namespace

void add_diff(CLI::App& app, int& exit) {
    auto options = std::make_shared<diff_options>();
    auto* const command =
        app.add_subcommand("diff", "Compare the objects of two files by meaning, not by text\n\n"
                                   "Objects are paired by type, namespace and name. A List stands for its items.");
    command->group(offline_commands);
    command->add_option("A", options->before, objects_of_file)->required()->option_text("A");
    command->add_option("B", options->after, "Read the objects to compare with from this file; - reads standard input")
        ->option_text("(B | --defaults)");
    command->add_flag("--defaults", options->defaults, "Compare A with A after its default values are set");
    add_output_flag(*command, options->format, {"text", "json"});
    add_footer(*command,
               {{success, "The objects are equal."},
                {1, "The objects differ."},
                {bad_usage, "The arguments or a file cannot be used."}},
               {{"Compare two manifests", "kftrain diff job.yaml jobs.yaml"},
                {"Show the default values of a job", "kftrain diff job.yaml --defaults"}});
    command->callback([options, &exit] { exit = diff_manifests(*options); });
}

} // namespace kftrain::cli
