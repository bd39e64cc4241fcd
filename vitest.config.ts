import type { ViteUserConfig } from 'vitest/config';

/** The condition under which the packages of this repository resolve to their sources. */
const conditions = ['kube-endpoints-source', 'module', 'node', 'development|production'];

/** Every test. The tests in `test/package` look at what was built: `npm test` builds first. */
const config: ViteUserConfig = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'conformance/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 300_000,
    hookTimeout: 120_000,
    restoreMocks: true,
  },
};

export default config;
