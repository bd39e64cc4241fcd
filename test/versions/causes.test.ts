import { describe, expect, it } from 'vitest';
import { gatesOfEndpoints, gatesOfSlices } from '../../src/explain/compare.ts';
import { findCauses } from '../../src/versions/causes.ts';
import { gates, type Profile, profileFor } from '../../src/versions/index.ts';

const [older, newer] = [profileFor('1.21'), profileFor('1.33')];
/** The letters that only one of the texts contains. Each letter stands for a property of a computed result. */
const findDifferences = (a: string, b: string): string[] =>
  [...new Set([...a, ...b])].filter((letter) => a.includes(letter) !== b.includes(letter));
const causesOf = (compute: (profile: Profile) => string) =>
  findCauses({
    older,
    newer,
    before: compute(older),
    after: compute(newer),
    gates: gatesOfEndpoints,
    compute,
    findAspects: findDifferences,
  });

describe('findCauses', () => {
  it('names the gate that causes a difference', () => {
    expect(
      causesOf(({ managedByLabel, terminalPodsExcluded }) => `${managedByLabel ? 'm' : ''}${terminalPodsExcluded ? 't' : ''}`),
    ).toEqual([
      { what: 'm', gates: ['managedByLabel'] },
      { what: 't', gates: ['terminalPodsExcluded'] },
    ]);
  });

  it('names every gate that causes the difference alone, and gates that cause it only together', () => {
    const causesOfEither = causesOf((profile) => (profile.managedByLabel || profile.sidecarPortsFound ? 'x' : ''));
    const causesOfBoth = causesOf((profile) => (profile.managedByLabel && profile.sidecarPortsFound ? 'x' : ''));
    for (const causes of [causesOfEither, causesOfBoth])
      expect(causes).toEqual([{ what: 'x', gates: ['sidecarPortsFound', 'managedByLabel'] }]);
  });

  it('computes nothing if nothing differs', () => {
    let computeCount = 0;
    const causes = findCauses({
      older,
      newer,
      before: 'x',
      after: 'x',
      gates: gatesOfEndpoints,
      compute: () => `${computeCount++}`,
      findAspects: findDifferences,
    });
    expect([causes, computeCount]).toEqual([[], 0]);
  });
});

describe('gates that comparisons examine', () => {
  it('gatesOfEndpoints contains every gate of Endpoints, and no others', () => {
    expect(gatesOfEndpoints).toContain('managedByLabel');
    expect(gatesOfEndpoints).not.toContain('terminatingPodsIncluded');
    expect(gatesOfEndpoints.filter((name) => ['slices', 'hints', 'mirroring', 'controllers'].includes(gates[name].stage))).toEqual([]);
  });

  it('gatesOfSlices contains every gate of slices and hints, and those of Endpoints that affect slices', () => {
    for (const name of ['slicesAreV1', 'terminatingPodsIncluded', 'trafficDistribution', 'terminalPodsExcluded'] as const)
      expect(gatesOfSlices).toContain(name);
    for (const name of ['slicesAreBeta', 'managedByLabel', 'mirroredSubsetsRepacked'] as const) expect(gatesOfSlices).not.toContain(name);
  });
});
