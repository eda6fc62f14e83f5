#ifndef KFTRAIN_SRC_CONVERT_CHAINER_POD_HPP
#define KFTRAIN_SRC_CONVERT_CHAINER_POD_HPP

#include "convert/change_list.hpp"

#include <kftrain/objects/core.hpp>

namespace kftrain::convert {

/// The container in which mpiexec starts processes.
inline constexpr std::string_view chainer_container = "chainer";

/// Its index, or that of the first container if none is called so.
std::size_t main_container(core::pod_spec const&);

/** A pod of a ChainerJob on its way into an MPIJob. The functions work on a copy of it with defaults, and tell of the pod as submitted, to
    which this refers. */
class chainer_pod {
public:
    chainer_pod(core::pod_spec const& given, std::string path, std::string result_path, change_list& changes)
        : given_(given), path_(std::move(path)), result_path_(std::move(result_path)), changes_(changes) {}

    /// Takes away what its operator overwrites, and puts the container of MPI first.
    void convert(core::pod_spec&, std::string const& job_name, bool is_distributed);
    /// Of a pod that has been converted: keeps MPI off two interfaces. mpiexec hands the variable on to the workers.
    void exclude_interfaces(core::pod_spec&);
    /// Of a pod that has been converted: see mpi::start_sshd().
    void start_sshd(core::pod_spec&);

private:
    std::string main_path() const;
    void convert_container(core::container&, std::string const& path, std::string const& result,
                           std::string const& job_name);
    void tell_names(std::vector<std::string> const& words, std::string const& path, std::string const& result,
                    std::string const& job_name);

    core::pod_spec const& given_;
    std::string path_;
    std::string result_path_;
    change_list& changes_;
};

} // namespace kftrain::convert

#endif
