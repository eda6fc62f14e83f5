# cmake -D INCLUDE=folder -D LISTED=file -P all_listed.cmake
# Fails if a header below INCLUDE is in no library's list: it would be neither installed nor compiled alone.
file(GLOB_RECURSE found ${INCLUDE}/*.hpp)
file(STRINGS ${LISTED} listed)
list(REMOVE_ITEM found ${listed})
foreach(header IN LISTS found)
  message(SEND_ERROR "${header} belongs to no library: add it to the HEADERS of its folder's kftrain_sources()")
endforeach()
