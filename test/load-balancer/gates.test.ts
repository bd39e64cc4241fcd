import { describe, expect, it } from 'vitest';
import { type LoadBalancerGateName, loadBalancerGates, loadBalancerSettings } from '../../src/load-balancer/gates.ts';

/** Gates of changes that were reverted, or that depended on another change. */
const temporaryGates: readonly string[] = ['nodeSetsComparedEarly', 'providerIDRequired'];

describe('loadBalancerSettings', () => {
  it('enables every gate in the newest release, except the temporary gates', () => {
    const disabledGates = Object.entries(loadBalancerSettings()).filter(([, isOn]) => !isOn);
    expect(disabledGates.map(([name]) => name).sort()).toEqual([...temporaryGates].sort());
    expect(Object.keys(loadBalancerSettings())).toEqual(Object.keys(loadBalancerGates));
  });

  it('enables no gate in 1.9', () => {
    expect(Object.values(loadBalancerSettings({ version: '1.9.0' })).some(Boolean)).toBe(false);
  });

  it.each<[LoadBalancerGateName, string, string]>([
    ['nodeSetsComparedEarly', '1.25.0 1.25.2', '1.24 1.25.3 1.26.0'],
    ['providerIDRequired', '1.26.5 1.26.15 1.27.2 1.27.16', '1.26.4 1.27.1 1.28.0'],
    ['localNodesMustBeReady', '1.26.11 1.27.8 1.28.4 1.29.0', '1.26.10 1.27.7 1.28.3'],
    ['nodesToBeDeletedExcluded', '1.21.7 1.22.4 1.23.0', '1.21.6 1.22.3'],
    ['failuresByKey', '1.22.12 1.23.9 1.24.0', '1.22.11 1.23.8'],
    ['implementedElsewhereTolerated', '1.23.7 1.24.1 1.25.0', '1.22 1.23.6 1.24.0'],
    ['appProtocolsCompared', '1.23.14 1.24.8 1.25.4 1.26.0', '1.22 1.23.13 1.24.7 1.25.3'],
    ['providerIDsCompared', '1.26.11 1.27.8 1.28.4 1.29.0', '1.26.10 1.27.7 1.28.3'],
    ['retriesByQueue', '1.10.0', '1.9.11'],
    ['statusConflictsRetried', '1.11.4 1.11.10 1.12.0', '1.10.13 1.11.3'],
    ['statusPatched', '1.15.0', '1.14.10'],
    ['finalizerAdded', '1.16.0', '1.15.12'],
    ['targetPortsCompared', '1.16.0', '1.15.12'],
    ['mixedProtocolsCompared', '1.17.0', '1.16.15'],
  ])('%s is on in %s, off in %s', (name, on, off) => {
    const isOn = (version: string): boolean => loadBalancerSettings({ version })[name];
    expect(on.split(' ').filter((version) => !isOn(version))).toEqual([]);
    expect(off.split(' ').filter(isOn)).toEqual([]);
  });

  it('refuses an unknown version', () => {
    expect(() => loadBalancerSettings({ version: '1.8' })).toThrow(RangeError);
    expect(() => loadBalancerSettings({ version: '1.9.12' })).toThrow(RangeError);
  });
});
