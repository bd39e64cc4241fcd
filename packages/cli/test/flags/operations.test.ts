import { Command } from 'commander';
import { expect, test } from 'vitest';
import { findGivenFlags } from '../../src/flags/common.ts';
import { addMetricsFlags, validateMetricsFlags } from '../../src/flags/operations.ts';

const hostNeedsPort = '--metrics-host needs --metrics-port';

test.each([
  ['', { metricsPort: 0, metricsHost: '127.0.0.1' }, undefined],
  ['--metrics-port 8080', { metricsPort: 8080, metricsHost: '127.0.0.1' }, undefined],
  ['--metrics-port 8080 --metrics-host ::', { metricsPort: 8080, metricsHost: '::' }, undefined],
  ['--metrics-host ::', { metricsPort: 0, metricsHost: '::' }, hostNeedsPort],
])('validateMetricsFlags checks metrics flags: %s', (line, options, problem) => {
  const command = addMetricsFlags(new Command('run'));
  command.parse(line.split(' ').filter(Boolean), { from: 'user' });
  expect([command.opts(), validateMetricsFlags(findGivenFlags(command))]).toEqual([options, problem]);
});
