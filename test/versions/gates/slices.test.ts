import { describe, expect, it } from 'vitest';
import { createSliceReconciler } from '../../../src/incremental/slices/reconciler.ts';
import { type SliceSettings, settingsForProfile, sliceSettingsFor, withEndpointLimit } from '../../../src/spec/settings.ts';
import { type HintsGateName, hintsGates, type SlicesGateName, slicesGates } from '../../../src/versions/gates.ts';
import { profileFor } from '../../../src/versions/index.ts';
import type { SliceGateFixture } from '../slice-gate-fixture.ts';
import { sliceGateFixtures } from '../slice-gate-fixtures.ts';
import { outcomeOf, type Sync } from './slice-outcome.ts';
import { findTransitions } from './transitions.ts';

const rows = { ...slicesGates, ...hintsGates };
const names = Object.keys(rows) as (SlicesGateName | HintsGateName)[];
const computedNames = names.filter((name) => sliceGateFixtures[name].aspect !== 'accepted');

describe('the outcome of a fixture changes with its gate', () => {
  it.each(computedNames)('%s', (name) => {
    const fixture = sliceGateFixtures[name];
    for (const { closed, open } of findTransitions(name)) {
      expect(
        outcomeOf(fixture, createSync(fixture, sliceSettingsFor({ version: closed, featureGates: fixture.featureGates }))),
        `off in ${closed}`,
      ).toEqual(fixture.off);
      expect(
        outcomeOf(fixture, createSync(fixture, sliceSettingsFor({ version: open, featureGates: fixture.featureGates }))),
        `on in ${open}`,
      ).toEqual(fixture.on);
    }
  });

  it.each(computedNames)('%s, with all other gates as in the release that introduced it', (name) => {
    const fixture = sliceGateFixtures[name];
    for (const open of [false, true]) {
      const profile = { ...profileFor(name === 'sliceTrackerForgotten' ? '1.19' : rows[name].since, fixture.featureGates), [name]: open };
      const settings = withEndpointLimit(settingsForProfile(profile), 100);
      expect(outcomeOf(fixture, createSync(fixture, settings))).toEqual(open ? fixture.on : fixture.off);
    }
  });

  it.each(names.filter((name) => sliceGateFixtures[name].aspect === 'accepted'))(
    '%s: settings are accepted only if the gate is on',
    (name) => {
      for (const { closed, open } of findTransitions(name)) {
        expect(() => sliceSettingsFor({ version: closed }), `off in ${closed}`).toThrow(RangeError);
        expect(() => sliceSettingsFor({ version: open }), `on in ${open}`).not.toThrow();
      }
    },
  );
});

function createSync({ service, pods = [], nodes, observed = [], deletedBefore }: SliceGateFixture, settings: SliceSettings): Sync {
  const { reconcileSlices, observe } = createSliceReconciler(settings);
  for (const slice of observed) observe(slice);
  if (deletedBefore) reconcileSlices({ key: 'shop/web', pods, nodes, current: [] });
  return (current) => reconcileSlices({ key: 'shop/web', service, pods, nodes, current });
}
