/* The next ralph, reduced to what an update asks. */
#include <stdio.h>

int main(void) {
  puts(VERSION);
  return 0;
}
