/*
 * A substitute for PowerShell, which does nothing under Wine. Whatever the question, it answers ralph's only one
 * (src/effects/process-tree/process-table-windows.ts): one line per process with pid, parent, start in epoch ms, CPU in
 * ms, and its name for the tests.
 */
#include <windows.h>
#include <stdio.h>
#include <tlhelp32.h>

/* From 1601, when Windows begins to count, to 1970. */
#define EPOCH_MS 11644473600000ULL

/* FILETIME counts 100 ns. */
static unsigned long long ms(FILETIME time) {
  return (((unsigned long long)time.dwHighDateTime << 32) | time.dwLowDateTime) / 10000;
}

int main(void) {
  HANDLE table = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  PROCESSENTRY32 one = {.dwSize = sizeof one};
  for (BOOL more = Process32First(table, &one); more; more = Process32Next(table, &one)) {
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, one.th32ProcessID);
    FILETIME start, end, kernel, user;
    if (process == NULL) continue;
    if (GetProcessTimes(process, &start, &end, &kernel, &user))
      printf("%lu %lu %llu %llu %s\n", one.th32ProcessID, one.th32ParentProcessID, ms(start) - EPOCH_MS,
             ms(kernel) + ms(user), one.szExeFile);
    CloseHandle(process);
  }
  return 0;
}
