import { execFileSync } from 'node:child_process';
import type { ViteUserConfig } from 'vitest/config';

/** The condition under which the packages of this repository resolve to their sources. */
const conditions = ['kube-endpoints-source', 'module', 'node', 'development|production'];

/** The seed of everything random: it follows from the committed tree, so that each change is tested on values of its own. */
process.env['PROPERTY_SEED'] ??= String(Number.parseInt(treeHash().slice(0, 7), 16));

/** Every test; long ones take a sample unless KUBE_ENDPOINTS_FULL=1. `test/package` looks at what was built: `npm test` builds first. */
const config: ViteUserConfig = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'conformance/**/*.test.ts'],
    environment: 'node',
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
