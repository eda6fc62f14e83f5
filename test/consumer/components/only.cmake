# kftrain_only(component source ABSENT target...): a program that finds and links one component. The targets of
# packages that the component does not use must be absent.
macro(kftrain_only component source)
  cmake_parse_arguments(A "" "" "ABSENT" ${ARGN})
  find_package(kftrain REQUIRED COMPONENTS ${component})
  if(KFTRAIN_IS_STATIC)
    list(APPEND A_ABSENT range-v3::range-v3 CLI11::CLI11)
  else() # shared libraries bring what they use
    set(A_ABSENT OpenSSL::SSL LibYAML::LibYAML re2::re2 Boost::json range-v3::range-v3 CLI11::CLI11)
  endif()
  foreach(absent IN LISTS A_ABSENT)
    if(TARGET ${absent})
      message(SEND_ERROR "expected that the component ${component} needs no ${absent}, but it searched for it")
    endif()
  endforeach()
  add_executable(${component}_only ${source})
  target_link_libraries(${component}_only PRIVATE kftrain::${component})
endmacro()
