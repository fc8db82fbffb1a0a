/* The one function of bcryptprimitives.dll that Bun needs, for versions of Wine without that library (before 9). */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
  while (count > 0) {
    ULONG part = count > 1 << 20 ? 1 << 20 : (ULONG)count;
    if (!SystemFunction036(bytes, part)) return FALSE;
    bytes += part;
    count -= part;
  }
  return TRUE;
}
