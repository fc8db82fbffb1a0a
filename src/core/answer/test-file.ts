const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|e2e|testdata)\//i;
const TEST_NAME =
  /(?:^|\/)(?:test_[^/]*|tests?\.rs|conftest\.py|[^/]*[._-](?:test|tests|spec|e2e)\.[^/.]+|[^/]*\.(?:bats|snap)|[^/]*[a-z0-9](?:Test|Tests|Spec|IT)\.[^/.]+)$/;

/** Whether a path below the project names a test, by the conventions of the usual languages and runners. */
export function isTestFile(path: string): boolean {
  const normal = path.replaceAll("\\", "/");
  return TEST_FOLDER.test(normal) || TEST_NAME.test(normal);
}
