import type { ViteUserConfig } from 'vitest/config';

/** The unit tests of the specification, which must detect its mutants; they run within a second. */
const config: ViteUserConfig = {
  test: {
    include: ['test/{apimachinery,spec,incremental,versions}/**/*.test.ts'],
    environment: 'node',
    testTimeout: 300_000,
  },
};

export default config;
