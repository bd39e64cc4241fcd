import { describe, expect, it } from 'vitest';
import { readinessGates, readinessSettings } from '../../src/readiness/gates.ts';

describe('readinessSettings', () => {
  it('enables every gate in the newest release', () => {
    expect(Object.entries(readinessSettings()).filter(([, isEnabled]) => !isEnabled)).toEqual([]);
    expect(Object.keys(readinessSettings())).toEqual(Object.keys(readinessGates));
  });

  it('disables every gate in the oldest release', () => {
    expect(Object.entries(readinessSettings({ version: '1.9' })).filter(([, isEnabled]) => isEnabled)).toEqual([]);
  });

  it('enables gates in patch releases with a backport', () => {
    const isGateEnabled = (version: string) => readinessSettings({ version }).terminalPhaseNotReady;
    expect(['1.22.10', '1.22.11', '1.23.7', '1.23.8', '1.24.1', '1.24.2', '1.25.0'].map(isGateEnabled)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it.each([
    ['terminalPhaseKept', '1.10.0', '1.9.11'],
    ['podScheduledReported', '1.10.0', '1.9.11'],
    ['otherConditionsKept', '1.11.0', '1.10.13'],
    ['readinessGatesEvaluated', '1.11.0', '1.10.13'],
    ['containersReadyReported', '1.11.0', '1.10.13'],
    ['failedRunReset', '1.11.0', '1.10.13'],
    ['containersReadyTimed', '1.12.0', '1.11.10'],
    ['evictedStatusComplete', '1.13.0', '1.12.10'],
    ['podIPsReported', '1.16.0', '1.15.12'],
    ['startedReported', '1.16.0', '1.15.12'],
    ['startupUnknownAtFirst', '1.17.0', '1.16.15'],
  ] as const)('enables %s in %s, but not in %s', (name, since, before) => {
    expect([since, before].map((version) => readinessSettings({ version })[name])).toStrictEqual([true, false]);
  });

  it('refuses an unknown version', () => {
    expect(() => readinessSettings({ version: '1.8' })).toThrow('give "1.9" to "1.37"');
  });
});
