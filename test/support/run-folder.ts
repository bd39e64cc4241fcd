import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'kube-endpoints-tests-'));

/** Makes one folder the temporary folder of a run of the tests. */
export function setup(): void {
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
}

/** Removes the folder with everything that the tests left there. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
