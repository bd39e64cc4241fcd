import type { ViteUserConfig } from 'vitest/config';

/** Every test there is. The tests of the package and the documents run on the built package: `npm test` builds it first. */
const config: ViteUserConfig = {
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    maxWorkers: '100%',
    testTimeout: 300_000,
    hookTimeout: 120_000,
    restoreMocks: true,
  },
};

export default config;
