/* The peer of `detect`: one octet at a time with fgetc, one pass, the same answers.
 *
 *     byteloop FILE...        FILE: ENCODING
 *
 * Compiled by the benchmarks with cc -O2 where there is one.
 */
#include <stdio.h>

enum { ASCII_OUT = 1, UTF8_OUT = 2, LATIN9_OUT = 4, CP1252_OUT = 8, ALL_OUT = 15 };

static const char *detect(FILE *file)
{
    int octet, out = 0, left = 0, low = 0x80, high = 0xBF;

    while (out != ALL_OUT && (octet = fgetc(file)) != EOF) {
        if (octet < 0x7F && left == 0) {
            if (octet < 0x09 || (octet > 0x0D && octet < 0x20))
                return "unknown";
            continue;
        }
        if (octet == 0x7F)
            return "unknown";
        if (octet > 0x7F) {
            out |= ASCII_OUT;
            if (octet < 0xA0) {
                out |= LATIN9_OUT;
                if (octet == 0x81 || octet == 0x8D || octet == 0x8F || octet == 0x90 || octet == 0x9D)
                    out |= CP1252_OUT;
            }
        }
        if (out & UTF8_OUT)
            continue;
        if (left > 0) {
            if (octet < low || octet > high)
                out |= UTF8_OUT;
            left--;
            low = 0x80, high = 0xBF;
        } else if (octet >= 0xC2 && octet <= 0xDF) {
            left = 1;
        } else if (octet >= 0xE0 && octet <= 0xEF) {
            left = 2;
            if (octet == 0xE0) low = 0xA0;
            if (octet == 0xED) high = 0x9F;
        } else if (octet >= 0xF0 && octet <= 0xF4) {
            left = 3;
            if (octet == 0xF0) low = 0x90;
            if (octet == 0xF4) high = 0x8F;
        } else {
            out |= UTF8_OUT;
        }
        if (out & UTF8_OUT)
            left = 0;
    }
    if (left > 0)
        out |= UTF8_OUT;
    if (!(out & ASCII_OUT)) return "US-ASCII";
    if (!(out & UTF8_OUT)) return "UTF-8";
    if (!(out & LATIN9_OUT)) return "ISO-8859-15";
    if (!(out & CP1252_OUT)) return "windows-1252";
    return "unknown";
}

int main(int count, char **names)
{
    for (int n = 1; n < count; n++) {
        FILE *file = fopen(names[n], "rb");
        if (file == NULL)
            return 2;
        printf("%s: %s\n", names[n], detect(file));
        fclose(file);
    }
    return 0;
}
