import type { ViteUserConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Only the tests of the specification, of incremental reconciliation and of the gates, for coverage. */
const config: ViteUserConfig = {
  ...base,
  test: {
    ...base.test,
    include: ['test/{apimachinery,spec,incremental,versions,property,golden}/**/*.test.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/{apimachinery,spec,incremental,versions}/**/*.ts'],
      reporter: ['text', 'json-summary'],
      thresholds: { lines: 98 },
    },
  },
};

export default config;
