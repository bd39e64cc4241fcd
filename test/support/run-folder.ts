import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'kube-endpoints-tests-'));

/** Makes this folder the temporary folder of the test run. */
export function setup(): void {
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
}

/** Removes the folder with all files of the tests. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
