#include "cli/manifests/references.hpp"
#include "cli/commands.hpp"

#include "cli/manifests/manifests.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>

namespace kftrain::cli {
namespace {

std::string installed_objects(any_job const& job, rules::reference const& missing) {
    std::string installed;
    if (auto* const objects = job.rules().form().installed_objects)
        for (auto const& o : objects())
            if (o.resource().kind == missing.type->info->kind)
                installed += (installed.empty() ? "" : ", ") + o.metadata().name;
    return installed.empty() ? installed : "; these need no file: " + installed;
}

/// Whether the text contains the name of a kind to whose objects jobs refer.
bool names_companion(std::string_view text) {
    return std::ranges::any_of(known_job_rules(), [&](auto const* kind) {
        return std::ranges::any_of(kind->form().companions, [&](rules::companion const& c) {
            return text.find(c.type->info->kind) != std::string_view::npos;
        });
    });
}

} // namespace

rules::companion const* companion_kind(document_type const& type) {
    for (auto const* kind : known_job_rules())
        for (auto const& c : kind->form().companions)
            if (c.type->info->kind == type.kind && c.type->info->api_version() == type.api_version) return &c;
    return nullptr;
}

bool reference_objects::add_files(std::vector<std::string> const& files) {
    bool fine = true;
    for (auto const& file : files) {
        auto const text = read_text(file);
        if (!text) {
            complain(text.error().to_string());
            fine = false;
            continue;
        }
        for (auto const& document : split_yaml(*text)) {
            auto const type = type_of_document(document.text);
            if (type) continue;
            complain(place(file, 0, 0) + type.error().to_string());
            fine = false;
            break;
        }
        add_text(file, *text);
    }
    return fine;
}

void reference_objects::add_text(std::string const& file, std::string_view text) {
    for (auto const& one : split_yaml(text))
        if (names_companion(one.text)) add_document(file, one, 0); // most documents need not be read twice
}

void reference_objects::add_document(std::string const& file, document text, std::size_t depth) {
    auto const type = text.type();
    if (!type || depth > deepest_list) return;
    if (type->api_version != "v1" || type->kind != "List") return add(file, other_document(*type, text));
    auto items = text.items();
    if (!items) return; // the reader of the file reports it
    for (auto& item : *items) add_document(file, std::move(item), depth + 1);
}

void reference_objects::add(std::string const& file, other_documents const& objects) {
    for (auto const& o : objects) add(file, o);
}

void reference_objects::add(std::string const& file, other_document const& o) {
    auto const* const kind = companion_kind(o.type);
    if (kind == nullptr) return;
    auto const where = place(file, o.line, 0) + o.to_string() + ": ";
    auto object = kind->type->decode(o.json);
    if (!object) {
        auto f = object.error();
        f.detail.line = f.detail.column = 0; // of the object alone
        faults_.push_back(where + f.to_string());
        return;
    }
    auto const found = kind->validate == nullptr ? issues() : kind->validate(object->get());
    for (auto const& i : found)
        if (i.level == issue::severity::error) faults_.push_back(where + i.message);
    if (!has_errors(found)) objects_.emplace_back(*kind->type, *std::move(object));
}

std::vector<std::string> reference_objects::resolve(any_job& job) const {
    auto const resolved = job.resolve_from(objects_);
    if (resolved) return {};
    auto faults = faults_;
    faults.push_back(resolved.error().to_string() + "; add it to the file of the job, or " + advice_ +
                     installed_objects(job, job.references().front()));
    return faults;
}

bool reference_objects::supply(any_job& job, std::string const& file) const {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = "default";
    auto const faults = resolve(job);
    for (auto const& fault : faults) complain(place(file, 0, 0) + "error: " + fault);
    return faults.empty();
}

} // namespace kftrain::cli
