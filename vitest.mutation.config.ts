import type { ViteUserConfig } from 'vitest/config';

/** The tests that mutants of src/spec have to get past: those of its own files and of the versions, which run in a second. */
const config: ViteUserConfig = {
  test: {
    include: ['test/spec/**/*.test.ts', 'test/versions/**/*.test.ts'],
    environment: 'node',
    testTimeout: 300_000,
  },
};

export default config;
