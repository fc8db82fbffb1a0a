/* The next ralph, as far as an update asks it. */
#include <stdio.h>

int main(void) {
  puts(VERSION);
  return 0;
}
