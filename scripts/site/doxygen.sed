# Doxygen takes the text after @file for a name, and the text after @par for a title, up to the end of the line. The
# text goes to a line of its own, which is a comment as well.
s|^( *///)(.*@file) (.)|\1\2\n\1 \3|
t
s/@file (.)/@file\n\1/
s!^( *///)(.*@par (Handler signature|Thread safety|Object lifetimes|Lifetimes|Errors|Cancellation|Upstream|Example)) !\1\2\n\1 !
t
s/@par (Handler signature|Thread safety|Object lifetimes|Lifetimes|Errors|Cancellation|Upstream|Example) /@par \1\n/
