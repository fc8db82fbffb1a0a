/*
 * Makes Debian's libstdc++ and libgcc serve a program for musl in a test. It adds what they need from glibc and musl
 * lacks: no thread destructors, no processor features, the slow way to find a frame. It replaces glibc's loader, which
 * they load as a library.
 */
#include <stddef.h>

char __libc_single_threaded = 0;
int __cpu_model[4];
int __cpu_indicator_init(void) { return 0; }
int _dl_find_object(void *address, void *result) { return -1; }
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library) { return 0; }

size_t strftime_l(char *, size_t, const char *, const void *, void *);
size_t __strftime_l(char *text, size_t size, const char *format, const void *time, void *locale) {
  return strftime_l(text, size, format, time, locale);
}

long getrandom(void *, size_t, unsigned);
unsigned arc4random(void) {
  unsigned number = 0;
  getrandom(&number, sizeof number, 0);
  return number;
}
