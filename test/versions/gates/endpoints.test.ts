import { describe, expect, it } from 'vitest';
import { explainService } from '../../../src/explain/index.ts';
import { createReconcilerFor } from '../../../src/incremental/index.ts';
import { type Plan, type Settings, settingsFor, settingsForProfile } from '../../../src/spec/index.ts';
import type { Endpoints } from '../../../src/types/index.ts';
import { type EndpointsGateName, endpointsGates } from '../../../src/versions/gates.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { type Aspect, type GateFixture, gateFixtures } from '../gate-fixtures.ts';
import { findTransitions } from './transitions.ts';

const names = Object.keys(endpointsGates) as EndpointsGateName[];

describe('the outcome of a fixture changes with its gate', () => {
  it.each(names)('%s', (name) => {
    const fixture = gateFixtures[name];
    for (const { closed, open } of findTransitions(name)) {
      expect(outcomeOf(fixture, settingsFor({ version: closed, ...optionsOf(fixture) })), `off in ${closed}`).toEqual(fixture.off);
      expect(outcomeOf(fixture, settingsFor({ version: open, ...optionsOf(fixture) })), `on in ${open}`).toEqual(fixture.on);
    }
  });

  it.each(names.filter((name) => gateFixtures[name].aspect !== 'problems'))(
    '%s, with all other gates as in the release that introduced it',
    (name) => {
      const fixture = gateFixtures[name];
      const baseProfile = profileFor(endpointsGates[name].since, fixture.featureGates);
      for (const open of [false, true]) {
        const settings = settingsForProfile({ ...baseProfile, [name]: open }, fixture.timeZone);
        expect(outcomeOf(fixture, settings)).toEqual(open ? fixture.on : fixture.off);
      }
    },
  );
});

const optionsOf = ({ timeZone, featureGates }: GateFixture) => ({ ...(timeZone !== undefined && { timeZone }), featureGates });

function outcomeOf({ service, pods, current, responseVersion, aspect }: GateFixture, settings: Settings): unknown {
  if (aspect === 'problems') return explainService(service, pods, { version: settings.profile.version }).problems.map(({ code }) => code);
  const reconciler = createReconcilerFor(settings);
  const input = { key: 'shop/web', service, pods, current };
  const plan = reconciler.reconcile(input);
  if (responseVersion === undefined) return aspects[aspect](plan);
  reconciler.observe({ ...plan.object, metadata: { ...plan.object?.metadata, resourceVersion: responseVersion } });
  return aspects[aspect](reconciler.reconcile(input));
}

const subsetsIn = ({ object }: Plan): NonNullable<Endpoints['subsets']> => object?.subsets ?? [];

const aspects: Readonly<Record<Exclude<Aspect, 'problems'>, (plan: Plan) => unknown>> = {
  action: ({ action }) => action,
  addresses: (plan) => ({
    ready: subsetsIn(plan).flatMap(({ addresses }) => addresses ?? []),
    notReady: subsetsIn(plan).flatMap(({ notReadyAddresses }) => notReadyAddresses ?? []),
  }),
  subsets: ({ object }) => object?.subsets,
  ports: (plan) => subsetsIn(plan).flatMap(({ ports }) => ports ?? []),
  count: (plan) => subsetsIn(plan).flatMap(({ addresses }) => addresses ?? []).length,
  labels: ({ object }) => object?.metadata.labels ?? {},
  annotations: ({ object }) => object?.metadata.annotations ?? {},
};
