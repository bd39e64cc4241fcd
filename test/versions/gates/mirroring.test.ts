import { describe, expect, it } from 'vitest';
import { createMirror } from '../../../src/incremental/mirror.ts';
import { mirroringGateFixtures, type PlannedMirroringGateName } from '../mirroring-gate-fixtures.ts';
import type { SliceGateFixture } from '../slice-gate-fixture.ts';
import { outcomeOf, type Sync } from './slice-outcome.ts';
import { findTransitions } from './transitions.ts';

const names = (Object.keys(mirroringGateFixtures) as PlannedMirroringGateName[]).filter((name) => name !== 'endpointsMirrored');

describe('the outcome of a fixture changes with its gate', () => {
  it.each(names)('%s', (name) => {
    const fixture = mirroringGateFixtures[name];
    for (const { closed, open } of findTransitions(name)) {
      expect(outcomeOf(fixture, createSync(fixture, closed)), `off in ${closed}`).toEqual(fixture.off);
      expect(outcomeOf(fixture, createSync(fixture, open)), `on in ${open}`).toEqual(fixture.on);
    }
  });
});

it('mirrors only in releases with endpointsMirrored', () => {
  expect(() => createMirror({ version: '1.18' })).toThrow(RangeError);
  expect(() => createMirror({ version: '1.19.0' })).not.toThrow();
});

function createSync({ service, endpoints }: SliceGateFixture, version: string): Sync {
  const { mirror } = createMirror({ version });
  return (current) => mirror({ key: 'shop/web', service, endpoints, current });
}
