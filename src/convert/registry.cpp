#include <kftrain/convert/registry.hpp>

#include "base/joined.hpp"
#include "convert/before_v1/early_job.hpp"

#include <kftrain/convert/chainer_job.hpp>
#include <kftrain/convert/mpi_job.hpp>
#include <kftrain/convert/pytorch_job.hpp>
#include <kftrain/convert/train_job.hpp>
#include <kftrain/convert/volcano_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/documents.hpp>
#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace kftrain::convert {
namespace {

using any_result = result<converted<any_job>>;

/// A conversion and its function.
struct row {
    conversion what;
    any_result (*convert)(document&) = nullptr;
    bool (*has_form)(document&) = nullptr; ///< if apiVersion and kind match; null: always
};

template <class Job> any_result erased(result<converted<Job>> made) {
    if (!made) return made.error();
    return converted<any_job>(any_job(std::move(made->job)), std::move(made->changes));
}

/// The row of a function that converts one struct to another; the types choose among functions of one name.
template <class From, class To, result<converted<To>> (*Convert)(From const&)> struct typed {
    static any_result read(document& text) {
        auto const source = read_source<From>(text);
        if (!source) return source.error();
        return erased(Convert(*source));
    }
    static constexpr row value{conversion(From::resource, To::resource), &read};
};

/// The same of a function that reads a document.
template <auto Read> any_result read_by(document& text) { return erased(Read(text)); }

constexpr resource_info tf_of(std::string_view version) { return resource_info("kubeflow.org", version, "TFJob", ""); }
constexpr resource_info pytorch_of(std::string_view version) {
    return resource_info("kubeflow.org", version, "PyTorchJob", "");
}
constexpr resource_info xgboost_of(std::string_view version) {
    return resource_info("xgboostjob.kubeflow.org", version, "XGBoostJob", "");
}
constexpr resource_info mpi_of(std::string_view version) {
    return resource_info("kubeflow.org", version, "MPIJob", "");
}
constexpr resource_info paddle_v1("batch.paddlepaddle.org", "v1", "PaddleJob", "");
constexpr resource_info mx_of(std::string_view version) { return resource_info("kubeflow.org", version, "MXJob", ""); }

constexpr std::array rows{
    typed<kubeflow_v1::mpi_job, kubeflow_v2beta1::mpi_job, &to_v2beta1>::value,
    typed<kubeflow_v2beta1::mpi_job, kubeflow_v1::mpi_job, &to_v1>::value,
    typed<kubeflow_v1alpha1::pytorch_job, pytorch_job, &to_v1>::value,
    typed<kubeflow_v1alpha1::chainer_job, kubeflow_v2beta1::mpi_job, &to_v2beta1>::value,
    row{conversion(mpi_of("v1alpha1"), kubeflow_v1::mpi_job::resource), &read_by<&read_mpi_job_v1alpha1>},
    row{conversion(mpi_of("v1alpha2"), kubeflow_v1::mpi_job::resource), &read_by<&read_mpi_job_v1alpha2>},
    row{conversion(pytorch_of("v1alpha2"), pytorch_job::resource), &read_by<&read_pytorch_operator_job>},
    row{conversion(pytorch_of("v1beta1"), pytorch_job::resource), &read_by<&read_pytorch_operator_job>},
    row{conversion(pytorch_of("v1beta2"), pytorch_job::resource), &read_by<&read_pytorch_operator_job>},
    row{conversion(pytorch_job::resource, pytorch_job::resource, "in the format of pytorch-operator"),
        &read_by<&read_pytorch_operator_job>, &has_early_pytorch_policy},
    row{conversion(tf_of("v1alpha1"), tf_job::resource), &read_by<&read_tf_job_v1alpha1>},
    row{conversion(tf_of("v1alpha2"), tf_job::resource), &read_by<&read_tf_operator_job>},
    row{conversion(tf_of("v1beta1"), tf_job::resource), &read_by<&read_tf_operator_job>},
    row{conversion(tf_of("v1beta2"), tf_job::resource), &read_by<&read_tf_operator_job>},
    row{conversion(tf_job::resource, tf_job::resource, "in the format of tf-operator"), &read_by<&read_tf_operator_job>,
        &has_early_policy},
    row{conversion(xgboost_of("v1alpha1"), xgboost_job::resource), &read_by<&read_xgboost_operator_job>},
    row{conversion(xgboost_of("v1"), xgboost_job::resource), &read_by<&read_xgboost_operator_job>},
    row{conversion(paddle_v1, paddle_job::resource), &read_by<&read_paddle_operator_job>},
    row{conversion(mx_of("v1alpha1"), mx_job::resource), &read_by<&read_mx_job_v1alpha1>},
    row{conversion(mx_of("v1alpha2"), mx_job::resource), &read_by<&read_mx_operator_job>},
    row{conversion(mx_of("v1beta1"), mx_job::resource), &read_by<&read_mx_operator_job>},
    row{conversion(mx_job::resource, mx_job::resource, "in the format of mxnet-operator"),
        &read_by<&read_mx_operator_job>, &has_early_policy},
    typed<pytorch_job, volcano_job, &to_volcano>::value,
    typed<tf_job, volcano_job, &to_volcano>::value,
    typed<xgboost_job, volcano_job, &to_volcano>::value,
    typed<paddle_job, volcano_job, &to_volcano>::value,
    typed<jax_job, volcano_job, &to_volcano>::value,
    typed<mx_job, volcano_job, &to_volcano>::value,
    typed<kubeflow_v1::mpi_job, volcano_job, &to_volcano>::value,
    typed<kubeflow_v2beta1::mpi_job, volcano_job, &to_volcano>::value,
    typed<pytorch_job, train_job, &to_train_job>::value,
    typed<kubeflow_v2beta1::mpi_job, train_job, &to_train_job>::value,
};

bool is_named(resource_info const& info, kind_name const& name) {
    return info.kind == name.kind && (name.version.empty() || info.version == name.version);
}

bool is_of(resource_info const& info, document_type const& type) {
    return info.kind == type.kind && info.api_version() == type.api_version;
}

std::string describe(resource_info const& info) {
    return std::string(info.kind).append(" of ").append(info.api_version());
}

failure no_conversion(document_type const& from, kind_name const& to, std::vector<row const*> const& fitting) {
    failure f;
    f.code = fitting.empty() ? errc::unknown_kind : errc::invalid_argument;
    std::string const wanted = to.kind + (to.version.empty() ? "" : "." + to.version);
    std::vector<conversion> known;
    std::ranges::copy_if(conversions(), std::back_inserter(known),
                         [&](conversion const& c) { return c.from.kind == from.kind; });
    f.detail.message = from.kind + " of " + from.api_version +
                       (fitting.empty() ? " cannot be converted to " : " can be converted in several ways to ") +
                       wanted;
    if (!known.empty())
        f.detail.message +=
            "; known conversions: " + joined(known, ", ", [](conversion const& c) { return to_string(c); });
    return f;
}

/// Why the converted job does not run although the source does: values that only the operator of the source overwrites.
std::optional<failure> lint_fault(document& text, document_type const& type, any_job const& made) {
    auto const found = made.lint();
    auto const* const kind = find_job_rules(type.api_version, type.kind);
    if (!has_errors(found) || kind == nullptr) return std::nullopt;
    auto source = kind->primary().make();
    if (!text.decode_losslessly(*kind->primary().model, source.get())) return std::nullopt;
    if (has_errors(any_job(*kind, std::move(source)).lint())) return std::nullopt;
    auto const error = std::ranges::find_if(found, [](issue const& i) { return i.level == issue::severity::error; });
    failure f;
    f.code = errc::invalid_job;
    f.detail.message = describe(made.resource()) + " would not run after the conversion: " + error->message;
    return f;
}

failure form_comes_first(conversion const& step, kind_name const& to) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = describe(step.from) + " " + std::string(step.form) + " cannot be converted to " + to.kind +
                       (to.version.empty() ? "" : "." + to.version) + " in one step, expected a conversion first to " +
                       std::string(step.to.kind);
    return f;
}

} // namespace

kind_name::kind_name(std::string_view text) {
    auto const dot = text.find('.');
    kind = text.substr(0, dot);
    if (dot != std::string_view::npos) version = text.substr(dot + 1);
}

std::span<conversion const> conversions() noexcept {
    static constexpr auto all = [] {
        std::array<conversion, rows.size()> result;
        for (std::size_t i = 0; i < rows.size(); ++i) result[i] = rows[i].what;
        return result;
    }();
    return all;
}

std::string to_string(conversion const& c) {
    std::string text = describe(c.from);
    if (!c.form.empty()) text.append(" ").append(c.form);
    return text.append(" to ").append(describe(c.to));
}

result<converted<any_job>> convert_job(document text, kind_name const& to) {
    auto const type = text.type();
    if (!type) return type.error();
    if (type->kind.empty() || type->api_version.empty()) return unknown_job(*type);
    // Another way would lose the fields that the current kind does not have.
    for (auto const& r : rows)
        if (is_of(r.what.from, *type) && r.has_form != nullptr && !is_named(r.what.to, to) && r.has_form(text))
            return form_comes_first(r.what, to);
    std::vector<row const*> fitting;
    for (auto const& r : rows)
        if (is_of(r.what.from, *type) && is_named(r.what.to, to) && (r.has_form == nullptr || r.has_form(text)))
            fitting.push_back(&r);
    if (fitting.size() == 1) {
        auto made = fitting.front()->convert(text);
        auto const fault = made ? lint_fault(text, *type, made->job) : std::nullopt;
        if (fault) return *fault;
        return made;
    }
    auto const* const kind = find_job_rules(type->api_version, type->kind);
    bool const is_source = std::ranges::any_of(rows, [&](row const& r) { return is_of(r.what.from, *type); });
    if (!is_source && !type->kind.empty() && role_of(*type) == document_role::mistaken) return unknown_job(*type);
    if (!fitting.empty() || kind == nullptr || !is_named(*kind->primary().info, to))
        return no_conversion(*type, to, fitting);
    auto job = kind->primary().make();
    if (auto r = text.decode_losslessly(*kind->primary().model, job.get()); !r) return r.error();
    return converted<any_job>(any_job(*kind, std::move(job)), {});
}

} // namespace kftrain::convert
