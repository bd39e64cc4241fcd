import { isDeepStrictEqual } from 'node:util';
import { createMirrorFor, createReconcilerFor, hintsGates, mirroringGates, settingsForProfile, slicesGates } from 'kube-endpoints/internal';
import { type GateName, newest, type Profile, profileFor } from 'kube-endpoints/versions';
import { describe, expect, it } from 'vitest';
import { generateSliceCases } from './generate/slices.ts';
import { generateMirrorCases } from './generate/slices-mirror.ts';
import type { SliceCase } from './slices/case.ts';
import { exactForm } from './slices/compare.ts';
import { mirrorPlanner, reconcilerPlanner, replayAlone, type SlicePlanner } from './slices/replay.ts';

/** The release in which to flip a gate, if the gate has no effect in the newest release. */
const baseReleases: Partial<Record<GateName, string>> = { sliceTerminatingPodsExcluded: '1.21' };

/** Not flipped: releases without the first two gates compute nothing at all, and the third affects only when a controller syncs. */
const unflippedGates: readonly string[] = ['slicesAreBeta', 'endpointsMirrored', 'mirrorSliceChangesReverted'];

describe('flipping a single gate of EndpointSlices changes a generated case', () => {
  const cases = generateSliceCases(20, 1000);
  const plannerFor = (profile: Profile, { key, max }: SliceCase): SlicePlanner =>
    reconcilerPlanner(createReconcilerFor(settingsForProfile(profile), max), key);

  it.each(Object.keys({ ...slicesGates, ...hintsGates }).filter((gate) => !unflippedGates.includes(gate)) as GateName[])('%s', (gate) => {
    const base = profileFor(baseReleases[gate] ?? newest);
    const flipped: Profile = { ...base, [gate]: !base[gate] };
    expectChange(
      cases,
      (each) => plannerFor(base, each),
      (each) => plannerFor(flipped, each),
    );
  });
});

describe('flipping a single gate of mirroring changes a generated case', () => {
  const cases = generateMirrorCases(20, 3000);
  const plannerFor = (profile: Profile, { key, max }: SliceCase): SlicePlanner =>
    mirrorPlanner(createMirrorFor(settingsForProfile(profile), max), key);

  it.each(Object.keys(mirroringGates).filter((gate) => !unflippedGates.includes(gate)) as GateName[])('%s', (gate) => {
    const base = profileFor(baseReleases[gate] ?? newest);
    const flipped: Profile = { ...base, [gate]: !base[gate] };
    expectChange(
      cases,
      (each) => plannerFor(base, each),
      (each) => plannerFor(flipped, each),
    );
  });
});

type PlannerFactory = (testCase: SliceCase) => SlicePlanner;

function expectChange(cases: readonly SliceCase[], base: PlannerFactory, flipped: PlannerFactory): void {
  const changed = cases.find((each) => !isDeepStrictEqual(formsOf(base, each), formsOf(flipped, each)));
  expect(changed?.id).toBeDefined();
}

const formsOf = (planner: PlannerFactory, each: SliceCase): unknown[] => replayAlone(planner(each), each).map(exactForm);
