/*
 * What Debian's libstdc++ and libgcc ask of glibc beyond what musl has, so that they serve a program for musl in a
 * test: no destructors of threads, no features of the processor, the slow way to find a frame. It takes the place of
 * glibc's loader, which they name as a library.
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
