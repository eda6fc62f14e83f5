#ifndef KFTRAIN_SRC_CONVERT_MPI_CHAINER_POD_HPP
#define KFTRAIN_SRC_CONVERT_MPI_CHAINER_POD_HPP

#include "convert/carried.hpp"

#include <kftrain/objects/core.hpp>

namespace kftrain::convert {

/// The container in which mpiexec starts processes.
inline constexpr std::string_view chainer_container = "chainer";

/// Its index, or that of the first container if none is called so.
std::size_t main_container(core::pod_spec const&);

/** Converts a pod of a ChainerJob for an MPIJob. The functions change a copy with defaults, and report changes to the
    pod as submitted. Refers to the latter. */
class chainer_pod {
public:
    chainer_pod(core::pod_spec const& given, std::string path, std::string result_path, change_list& changes)
        : given_(given), path_(std::move(path)), result_path_(std::move(result_path)), changes_(changes) {}

    /// Removes what the operator of ChainerJobs overwrites, and puts the container of MPI first.
    void convert(core::pod_spec&, std::string const& job_name, bool is_distributed);
    /// Excludes two interfaces from MPI. Call after convert(). mpiexec passes the variable on to the workers.
    void exclude_interfaces(core::pod_spec&);
    /// See mpi::start_sshd(). Call after convert().
    void start_sshd(core::pod_spec&);

private:
    std::string main_path() const;
    void convert_container(core::container&, std::string const& path, std::string const& result,
                           std::string const& job_name);
    void report_removed_names(std::vector<std::string> const& arguments, std::string const& path,
                              std::string const& result, std::string const& job_name);

    core::pod_spec const& given_;
    std::string path_;
    std::string result_path_;
    change_list& changes_;
};

} // namespace kftrain::convert

#endif
