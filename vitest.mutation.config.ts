import type { ViteUserConfig } from 'vitest/config';

/** The tests that must detect mutants of the specification: those of its own files, which run in a second. */
const config: ViteUserConfig = {
  test: {
    include: ['test/{apimachinery,spec,incremental,versions}/**/*.test.ts'],
    environment: 'node',
    testTimeout: 300_000,
  },
};

export default config;
