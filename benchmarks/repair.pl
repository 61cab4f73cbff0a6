# The peer of `repair`: UTF-8 up to the first error, one octet as ISO-8859-1, and on.
use strict;
use warnings;
use Encode qw(decode encode FB_QUIET);

binmode STDIN;
binmode STDOUT;
while (defined(my $line = <STDIN>)) {
    while (length $line) {
        print encode("UTF-8", decode("UTF-8", $line, FB_QUIET));
        print encode("UTF-8", decode("ISO-8859-1", substr($line, 0, 1, ""))) if length $line;
    }
}
