#include "cli/manifests/read_job.hpp"
#include "cli/commands.hpp"
#include "cli/manifests/manifest_hints.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/references.hpp"
#include "cli/manifests/schema_check.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/documents.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <random>

namespace kftrain::cli {
namespace {

/// Reads the objects of one file. Unknown and duplicate fields of jobs are faults.
class file_reader {
public:
    explicit file_reader(std::string const& file) : file_(file) {
        strict_.strict = true;
        strict_.found = &found_;
    }

    /// Reads all documents. After a fault that is not collected, the rest is skipped.
    void read(std::string_view text) {
        auto const documents = split_yaml(text);
        for (auto const& one : documents) {
            auto objects = objects_of(one);
            if (!objects) return found_.push_back(objects.error());
            for (auto& object : *objects)
                if (!take(object)) return;
        }
        if (documents.empty()) found_.push_back(parse_job(text).error());
    }

    std::vector<failure>& found() noexcept { return found_; }
    std::vector<std::string> const& hidden() const noexcept { return hidden_; }
    std::vector<any_job> take_jobs() { return std::move(jobs_); }
    other_documents take_others() { return std::move(others_); }

private:
    bool take(document& object) {
        auto const type = object.type();
        if (type && role_of(*type) == document_role::other) {
            others_.emplace_back(*type, object);
            return true;
        }
        auto const before = found_.size();
        auto job = parse_job(object, strict_);
        bool const can_continue = job || is_collected(job.error(), std::span(found_).subspan(before));
        if (!can_continue) found_.push_back(job.error());
        for (auto& f : std::span(found_).subspan(before)) {
            f.detail.message += hint_at_placeholder(f.detail.message);
            if (type) f.detail.message += conversion_hint(*type, f);
            f.detail.path = object.path_of(f.detail.path);
        }
        if (!job) return can_continue;
        find_hidden(*job, object);
        jobs_.push_back(*std::move(job));
        return true;
    }

    /// Finds the faults that are visible only in the text.
    void find_hidden(any_job const& job, document& object) {
        auto const written = object.decode<raw_json>();
        if (!written) return;
        for (auto const& i : hidden_faults(job.rules(), written->text)) {
            auto const at = object.find(i.path);
            hidden_.push_back(place(file_, at.line, at.column) + "error: " + object.path_of(i.message) + " [" + i.rule +
                              "]");
        }
    }

    std::string const& file_;
    decode_options strict_;
    std::vector<failure> found_;
    std::vector<std::string> hidden_;
    std::vector<any_job> jobs_;
    other_documents others_;
};

/// Objects to which jobs may refer are not noted: they are read.
void note_skipped(std::string const& file, other_documents const& others) {
    for (auto const& one : others)
        if (companion_kind(one.type) == nullptr)
            complain(place(file, 0, 0) + "line " + std::to_string(one.line) + ": " + one.to_string() +
                     " is not a job: skipped");
}

/** Reads the jobs of a file. Unknown and duplicate fields are errors. Other objects are added to `others`, or skipped
    with a message if it is null. */
std::optional<std::vector<any_job>> read_strictly(std::string const& file, other_documents* others = nullptr) {
    auto const text = read_text(file);
    if (!text) {
        complain(text.error().to_string());
        return std::nullopt;
    }
    file_reader reader(file);
    reader.read(*text);
    auto& found = reader.found();
    if (!found.empty()) {
        if (explain_unfilled(found.back(), *text, 1)) found.erase(found.begin(), found.end() - 1);
        for (auto const& one : found) complain(place(file, 0, 0) + one.to_string());
        return std::nullopt;
    }
    for (auto const& fault : reader.hidden()) complain(fault);
    if (!reader.hidden().empty()) return std::nullopt;
    auto jobs = reader.take_jobs();
    auto rest = reader.take_others();
    if (others == nullptr) note_skipped(file, rest);
    if (others == nullptr && jobs.empty() && !rest.empty()) {
        complain(place(file, 0, 0) + "expected a job, got none");
        return std::nullopt;
    }
    if (others != nullptr) *others = std::move(rest);
    return jobs;
}

/** Clears the fields that servers write, so that the output of `kubectl get -o yaml` can be submitted. kubectl clears
    resourceVersion, and servers clear the others when they create an object. */
void clear_server_fields(any_job& job) {
    kftrain::clear_server_fields(job.metadata());
    auto const* const status = job.type().model->find("status");
    if (status == nullptr) return;
    auto copy = job.type().copy(job.get());
    status->type->reset(status->get(copy.get()));
    job = any_job(job.rules(), std::move(copy));
}

/** A name generated from metadata.generateName, as servers do.
    @par Upstream apiserver v0.31.3 `pkg/storage/names/generate.go` */
std::string random_name(std::string_view prefix) {
    constexpr std::string_view alphabet = "bcdfghjklmnpqrstvwxz2456789";
    std::random_device source;
    std::uniform_int_distribution<std::size_t> any(0, alphabet.size() - 1);
    std::string name = sample_of_generated_name(prefix);
    for (auto c = name.end() - 5; c != name.end(); ++c) *c = alphabet[any(source)];
    return name;
}

/// The job with the rules for these flags. The rules live as long as the program.
any_job with_flags(any_job const& job, operator_options const& flags) {
    static kinds_with_flags kinds;
    return any_job(kinds.rules_of(job.rules(), flags), job.get());
}

/// Finds negative numbers of replicas. Pod templates are not searched.
void find_negative_replicas(boost::json::value const& v, std::string const& path, std::vector<std::string>& found) {
    if (auto const* list = v.if_array())
        for (std::size_t i = 0; i != list->size(); ++i)
            find_negative_replicas((*list)[i], path + "[" + std::to_string(i) + "]", found);
    auto const* object = v.if_object();
    if (object == nullptr) return;
    for (auto const& member : *object) {
        std::string const key(member.key());
        auto const* number = member.value().if_int64();
        auto const place = path.empty() ? key : path + "." + key;
        if (key == "replicas" && number != nullptr && *number < 0)
            found.push_back(place + ": expected at least 0, got " + std::to_string(*number));
        else if (key != "template")
            find_negative_replicas(member.value(), place, found);
    }
}

} // namespace

std::optional<std::vector<prepared_job>> read_jobs(std::string const& file, operator_options const& flags,
                                                   std::vector<std::string> const& with) {
    other_documents others;
    auto jobs = read_strictly(file, &others);
    if (!jobs) return std::nullopt;
    note_skipped(file, others);
    if (jobs->empty() && !others.empty()) {
        complain(place(file, 0, 0) + "expected a job, got none");
        return std::nullopt;
    }
    reference_objects objects;
    objects.add(file, others);
    bool fine = objects.add_files(with);
    std::vector<prepared_job> all;
    for (auto& job : *jobs) {
        job = with_flags(job, flags);
        bool const drawn = has_generated_name(job);
        if (drawn) job.metadata().name = sample_of_generated_name(job.metadata().generate_name);
        auto checked = objects.supply(job, file) ? checked_job(std::move(job), file) : std::nullopt;
        fine = fine && checked;
        if (!checked) continue;
        if (drawn)
            complain(place(file, 0, 0) + "metadata.generateName: the server generates the name; the output uses " +
                     (*checked)->metadata().name);
        all.push_back(*std::move(checked));
    }
    if (!fine) return std::nullopt;
    return all;
}

std::optional<prepared_job> read_job(std::string const& file, operator_options const& flags,
                                     std::vector<std::string> const& with) {
    auto jobs = read_jobs(file, flags, with);
    if (!jobs) return std::nullopt;
    if (jobs->size() == 1) return std::move(jobs->front());
    complain(place(file, 0, 0) + "expected one job, got " + std::to_string(jobs->size()));
    return std::nullopt;
}

std::optional<std::vector<any_job>> read_jobs_to_run(std::string const& file, other_documents* others,
                                                     operator_options const& flags) {
    auto jobs = read_strictly(file, others);
    if (!jobs) return std::nullopt;
    for (auto& job : *jobs) {
        job = with_flags(job, flags);
        clear_server_fields(job);
        if (has_generated_name(job)) job.metadata().name = random_name(job.metadata().generate_name);
    }
    return jobs;
}

std::optional<std::vector<any_job>> read_written_jobs(std::string const& file, operator_options const& flags) {
    auto jobs = read_strictly(file);
    if (!jobs) return jobs;
    for (auto& job : *jobs) {
        job = with_flags(job, flags);
        clear_server_fields(job);
    }
    return jobs;
}

std::optional<prepared_job> checked_job(any_job job, std::string const& file) {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = "default";
    auto checked = prepared_job::admitted(std::move(job));
    for (auto const& i : checked.faults())
        complain(place(file, 0, 0) + (i.level == issue::severity::error ? "error: " : "warning: ") + i.message + " [" +
                 i.rule + "]");
    return checked.is_valid() ? std::optional(checked) : std::nullopt;
}

bool has_possible_replicas(any_job const& job, std::string const& file) {
    std::vector<std::string> found;
    auto const whole = parse_json(job.to_json());
    if (auto const* spec = whole.as_object().if_contains("spec")) find_negative_replicas(*spec, "spec", found);
    for (auto const& fault : found) complain(place(file, 0, 0) + "error: " + fault);
    return found.empty();
}

} // namespace kftrain::cli
