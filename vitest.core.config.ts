import type { ViteUserConfig } from 'vitest/config';

/** The tests of src/spec and src/versions alone, for coverage: the same tests, fewer of the golden cases. */
const config: ViteUserConfig = {
  test: {
    include: ['test/spec/**/*.test.ts', 'test/versions/**/*.test.ts', 'test/property/**/*.test.ts', 'test/golden/**/*.test.ts'],
    environment: 'node',
    env: { KUBE_ENDPOINTS_SAMPLE: process.env['KUBE_ENDPOINTS_SAMPLE'] ?? '150' },
    maxWorkers: '100%',
    testTimeout: 300_000,
    coverage: {
      provider: 'v8',
      include: ['src/spec/**/*.ts', 'src/versions/**/*.ts'],
      reporter: ['text', 'json-summary'],
      thresholds: { lines: 98 },
    },
  },
};

export default config;
