import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of the tests one temporary folder. `teardown` removes it with everything that the tests left there. */
export function setup(): void {
  process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'kube-endpoints-tests-'));
}

export function teardown(): void {
  rmSync(tmpdir(), { recursive: true, force: true });
}
