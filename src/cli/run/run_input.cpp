#include "cli/run/run_input.hpp"
#include "cli/manifests/read_job.hpp"

#include "cli/manifests/manifests.hpp"
#include "cli/manifests/references.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace kftrain::cli {
namespace {

namespace fs = std::filesystem;

/// The kinds that others refer to, in the order in which they are created; further kinds follow.
constexpr std::array<std::string_view, 13> first_kinds{"Namespace",
                                                       "CustomResourceDefinition",
                                                       "PriorityClass",
                                                       "ServiceAccount",
                                                       "Secret",
                                                       "ConfigMap",
                                                       "Role",
                                                       "RoleBinding",
                                                       "Queue",
                                                       "ResourceQuota",
                                                       "Service",
                                                       "PersistentVolume",
                                                       "PersistentVolumeClaim"};

std::ptrdiff_t rank_of(object_to_create const& o) {
    return std::ranges::find(first_kinds, o.document.type.kind) - first_kinds.begin();
}

/// Moves the objects of the first kinds to the front; objects of one kind keep their order.
void sort_by_kind(std::vector<object_to_create>& objects) {
    std::vector<object_to_create> sorted;
    for (auto at = std::ptrdiff_t(0); at <= std::ssize(first_kinds); ++at)
        std::ranges::copy_if(objects, std::back_inserter(sorted),
                             [at](object_to_create const& o) { return rank_of(o) == at; });
    objects = std::move(sorted);
}

/// The files of a directory; false if it cannot be read or has none.
bool add_files(fs::path const& directory, std::vector<std::string>& to) {
    std::vector<std::string> found;
    std::error_code failed;
    for (auto const* name : {"kustomization.yaml", "kustomization.yml", "Kustomization"})
        if (fs::exists(directory / name, failed))
            return complain(directory.string() + ": this directory is one of kustomize; use \"kubectl kustomize " +
                            directory.string() + " | kftrain run -\""),
                   false;
    for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end; entry.increment(failed)) {
        auto const extension = entry->path().extension();
        std::error_code unknown;
        if ((extension == ".json" || extension == ".yaml" || extension == ".yml") && entry->is_regular_file(unknown))
            found.push_back(entry->path().string());
    }
    if (failed) return complain(directory.string() + ": " + failed.message()), false;
    if (found.empty())
        return complain(directory.string() + ": expected files *.json, *.yaml or *.yml, got none"), false;
    std::ranges::sort(found);
    std::ranges::move(found, std::back_inserter(to));
    return true;
}

} // namespace

std::optional<run_input> read_run_input(std::vector<std::string> const& files, operator_options const& flags) {
    bool fine = true;
    std::vector<std::string> all;
    for (auto const& file : files) {
        std::error_code unknown;
        if (file != "-" && fs::is_directory(file, unknown))
            fine = add_files(file, all) && fine;
        else
            all.push_back(file);
    }
    run_input input;
    std::vector<std::pair<std::string, any_job>> written;
    reference_objects references("name a further file that has it");
    for (auto const& file : all) {
        other_documents others;
        auto jobs = read_jobs_to_run(file, &others, flags);
        fine = fine && jobs;
        if (!jobs) continue;
        references.add(file, others);
        for (auto& job : *jobs) written.emplace_back(file, std::move(job));
        for (auto& other : others) input.objects.emplace_back(file, std::move(other));
    }
    for (auto& [file, job] : written) {
        bool const supplied = references.supply(job, file);
        auto checked = supplied ? checked_job(std::move(job), file) : std::nullopt;
        fine = fine && checked;
        if (checked) input.jobs.emplace_back(file, *std::move(checked));
    }
    if (fine && input.jobs.empty())
        complain((all.size() == 1 ? place(all.front(), 0, 0) : std::string()) + "expected a job, got none");
    if (!fine || input.jobs.empty()) return std::nullopt;
    sort_by_kind(input.objects);
    return input;
}

} // namespace kftrain::cli
