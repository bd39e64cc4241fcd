import { describe, expect, it } from 'vitest';
import { type LoadBalancerGateName, loadBalancerGates, loadBalancerSettings } from '../../src/load-balancer/gates.ts';

/** Gates of changes that were reverted, or that depended on another change. */
const temporaryGates: readonly string[] = ['nodeSetsComparedEarly', 'localNodesMustBeReady', 'providerIDRequired'];

describe('loadBalancerSettings', () => {
  it('enables every gate in the newest release, except the temporary gates', () => {
    const disabledGates = Object.entries(loadBalancerSettings()).filter(([, isOn]) => !isOn);
    expect(disabledGates.map(([name]) => name).sort()).toEqual([...temporaryGates].sort());
    expect(Object.keys(loadBalancerSettings())).toEqual(Object.keys(loadBalancerGates));
  });

  it('enables in 1.17 only the gates that distinguish 1.17 from 1.9', () => {
    const enabledGates = Object.entries(loadBalancerSettings({ version: '1.17' })).filter(([, isOn]) => isOn);
    expect(enabledGates.map(([name]) => name)).toEqual(['targetPortsCompared', 'mixedProtocolsCompared', 'affinityTimeoutCompared']);
  });

  it.each<[LoadBalancerGateName, string, string]>([
    ['nodeSetsComparedEarly', '1.25.0 1.25.2', '1.24 1.25.3 1.26.0'],
    ['providerIDRequired', '1.26.5 1.26.15 1.27.2 1.27.16', '1.26.4 1.27.1 1.28.0'],
    ['localNodesMustBeReady', '1.26.11', '1.26.10 1.27.0'],
    ['nodesToBeDeletedExcluded', '1.21.7 1.22.4 1.23.0', '1.21.6 1.22.3'],
    ['failuresByKey', '1.22.12 1.23.9 1.24.0', '1.22.11 1.23.8'],
    ['implementedElsewhereTolerated', '1.23.7 1.24.1 1.25.0', '1.22 1.23.6 1.24.0'],
    ['appProtocolsCompared', '1.23.14 1.24.8 1.25.4 1.26.0', '1.22 1.23.13 1.24.7 1.25.3'],
    ['providerIDsCompared', '1.26.11 1.27.8 1.28.4 1.29.0', '1.26.10 1.27.7 1.28.3'],
  ])('%s is on in %s, off in %s', (name, on, off) => {
    const isOn = (version: string): boolean => loadBalancerSettings({ version })[name];
    expect(on.split(' ').filter((version) => !isOn(version))).toEqual([]);
    expect(off.split(' ').filter(isOn)).toEqual([]);
  });

  it('refuses an unknown version', () => {
    expect(() => loadBalancerSettings({ version: '1.16' })).toThrow(RangeError);
    expect(() => loadBalancerSettings({ version: '1.9' })).toThrow(RangeError);
  });
});
