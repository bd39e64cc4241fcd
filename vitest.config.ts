import { execFileSync } from 'node:child_process';
import type { ViteUserConfig } from 'vitest/config';

/** The seed of all random tests, derived from the committed tree, so that each change is tested with different values; fixed without Git. */
process.env['PROPERTY_SEED'] ??= String(Number.parseInt(treeHash().slice(0, 7), 16));

/**
 * Runs all tests. Long tests use a sample of their cases unless KUBE_ENDPOINTS_FULL=1. `test/package` tests the build output, so `npm test`
 * builds first.
 */
const config: ViteUserConfig = {
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'conformance/**/*.test.ts'],
    environment: 'node',
    // Node.js runs TypeScript itself, and resolves the packages of this repository to their sources.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['-C', 'kube-endpoints-source', '--no-warnings'],
    globalSetup: ['test/support/run-folder.ts'],
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 300_000,
    hookTimeout: 120_000,
    restoreMocks: true,
  },
};

export default config;

function treeHash(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '0000001';
  }
}
