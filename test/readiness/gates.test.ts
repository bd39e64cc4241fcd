import { describe, expect, it } from 'vitest';
import { readinessGates, readinessSettings } from '../../src/readiness/gates.ts';

describe('readinessSettings', () => {
  it('enables every gate in the newest release', () => {
    expect(Object.entries(readinessSettings()).filter(([, isEnabled]) => !isEnabled)).toEqual([]);
    expect(Object.keys(readinessSettings())).toEqual(Object.keys(readinessGates));
  });

  it('disables every gate in the oldest release', () => {
    expect(Object.entries(readinessSettings({ version: '1.17' })).filter(([, isEnabled]) => isEnabled)).toEqual([]);
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

  it('refuses an unknown version', () => {
    expect(() => readinessSettings({ version: '1.16' })).toThrow(RangeError);
  });
});
