import { describe, expect, it } from 'vitest';
import { createReconcilerFor, type Plan, type Settings, settingsFor, settingsUnder } from '../../src/core/index.ts';
import { explainService } from '../../src/explain/index.ts';
import type { Endpoints } from '../../src/types/index.ts';
import { formatRelease, type GateName, gates, lastPatch, parseRelease, profileFor } from '../../src/versions/index.ts';
import { type Aspect, type GateFixture, gateFixtures } from './gate-fixtures.ts';

const names = Object.keys(gates) as GateName[];

/** The releases around each change, said once more and independently of the table. */
const known: Readonly<Record<GateName, { readonly off: readonly string[]; readonly on: readonly string[] }>> = {
  externalNameSkipped: { off: ['1.17', '1.26.15', '1.26'], on: ['1.27.0', '1.27', '1.37'] },
  terminalPodsLeftOut: {
    off: ['1.17', '1.21.14', '1.22.0', '1.22.10', '1.23.0', '1.23.7', '1.24.0', '1.24.1'],
    on: ['1.22.11', '1.22', '1.23.8', '1.23', '1.24.2', '1.24', '1.25.0', '1.37'],
  },
  tolerateUnreadyAnnotationDead: { off: ['1.17', '1.23.17'], on: ['1.24.0', '1.37'] },
  addressOfServiceFamily: { off: ['1.17', '1.20.15'], on: ['1.21.0', '1.37'] },
  addressReprinted: { off: ['1.17', '1.32.13'], on: ['1.33.0', '1.37'] },
  emptyIPFamiliesPanic: {
    off: ['1.17', '1.32.13', '1.33.13', '1.33', '1.34.9', '1.34', '1.35.6', '1.35', '1.36.2', '1.36', '1.37.0', '1.37'],
    on: ['1.33.0', '1.33.12', '1.34.0', '1.34.8', '1.35.0', '1.35.5', '1.36.0', '1.36.1'],
  },
  targetResourceVersionOmitted: { off: ['1.17', '1.23.17'], on: ['1.24.0', '1.37'] },
  appProtocolCopied: { off: ['1.17', '1.18.20'], on: ['1.19.0', '1.37'] },
  sidecarPortsFound: { off: ['1.17', '1.31.14'], on: ['1.32.0', '1.37'] },
  appProtocolPrinted: { off: ['1.17.0', '1.17.17', '1.17'], on: ['1.18.0', '1.37'] },
  orderedByFNV: { off: ['1.17', '1.34.99'], on: ['1.35.0', '1.37'] },
  overCapacityWarned: { off: ['1.17', '1.20.15'], on: ['1.21.0', '1.37'] },
  overCapacityTruncated: { off: ['1.17', '1.21.14'], on: ['1.22.0', '1.37'] },
  triggerTimeInUTC: { off: ['1.17', '1.21.14'], on: ['1.22.0', '1.37'] },
  managedByLabel: { off: ['1.17', '1.32.13'], on: ['1.33.0', '1.37'] },
  headlessLabelNotCompared: {
    off: ['1.17.0', '1.17.12', '1.18.0', '1.18.9', '1.19.0', '1.19.2'],
    on: ['1.17.13', '1.17', '1.18.10', '1.18', '1.19.3', '1.19', '1.20.0', '1.37'],
  },
  targetResourceVersionNotCompared: {
    off: ['1.17', '1.20.15', '1.21.0', '1.21.13', '1.22.0', '1.22.10', '1.23.0', '1.23.7'],
    on: ['1.21.14', '1.21', '1.22.11', '1.22', '1.23.8', '1.23', '1.24.0', '1.37'],
  },
  repackedBeforeComparing: { off: ['1.17', '1.34.99'], on: ['1.35.0', '1.37'] },
  staleObjectsRetried: {
    off: ['1.17', '1.27.16', '1.28.0', '1.28.11', '1.29.0', '1.29.6', '1.30.0', '1.30.2'],
    on: ['1.28.12', '1.28', '1.29.7', '1.29', '1.30.3', '1.30', '1.31.0', '1.31', '1.37'],
  },
  staleOnlyAfterChange: {
    off: ['1.17', '1.27.16', '1.28.14', '1.29.9', '1.30.5', '1.31.0', '1.31.1'],
    on: ['1.28.15', '1.28', '1.29.10', '1.29', '1.30.6', '1.30', '1.31.2', '1.31', '1.32.0', '1.37'],
  },
};

describe('every gate is open and closed in the releases that are known for it', () => {
  it.each(names)('%s', (name) => {
    for (const version of known[name].off) expect(profileFor(version)[name], `off in ${version}`).toBe(false);
    for (const version of known[name].on) expect(profileFor(version)[name], `on in ${version}`).toBe(true);
  });
});

describe('every row of the table is well formed', () => {
  it.each(names)('%s', (name) => {
    const { since, backports = [], until, mended = [], reference, summary } = gates[name];
    expect(reference).toMatch(/^#\d{5,6}$/);
    expect(summary).toMatch(/^[A-Za-z].*\.$/);
    expect(since).toMatch(/\.0$/);
    if (until !== undefined) expect(until).toMatch(/\.0$/);
    expect(mended.length === 0 || until !== undefined).toBe(true);
    for (const [end, patches] of [[since, backports] as const, [until, mended] as const]) {
      for (const patch of patches) {
        const release = parseRelease(patch);
        expect(release.minor).toBeLessThan(parseRelease(end ?? '').minor);
        expect(release.patch).toBeLessThanOrEqual(lastPatch[release.minor] ?? Number.POSITIVE_INFINITY);
      }
    }
  });
});

describe('the outcome of the fixture flips with the gate', () => {
  it.each(names)('%s', (name) => {
    const fixture = gateFixtures[name];
    for (const { closed, open } of edgesOf(name)) {
      expect(outcomeOf(fixture, settingsFor({ version: closed, ...zoneOf(fixture) })), `off in ${closed}`).toEqual(fixture.off);
      expect(outcomeOf(fixture, settingsFor({ version: open, ...zoneOf(fixture) })), `on in ${open}`).toEqual(fixture.on);
    }
  });

  it.each(names.filter((name) => gateFixtures[name].shows !== 'problems'))('%s, when it alone is flipped', (name) => {
    const fixture = gateFixtures[name];
    const at = profileFor(gates[name].since);
    for (const open of [false, true]) {
      const settings = settingsUnder({ ...at, [name]: open }, fixture.timeZone);
      expect(outcomeOf(fixture, settings)).toEqual(open ? fixture.on : fixture.off);
    }
  });
});

const zoneOf = ({ timeZone }: GateFixture) => (timeZone === undefined ? {} : { timeZone });

/** Pairs of neighbouring releases between which the gate opens or closes. */
function edgesOf(name: GateName): { readonly closed: string; readonly open: string }[] {
  const { since, backports = [], until, mended = [] } = gates[name];
  const pairs = [since, ...backports, ...(until === undefined ? [] : [until]), ...mended].map(
    (version) => [before(version), version] as const,
  );
  const edges = pairs.filter(([earlier, later]) => profileFor(earlier)[name] !== profileFor(later)[name]);
  expect(edges.length).toBeGreaterThan(0);
  return edges.map(([earlier, later]) => (profileFor(earlier)[name] ? { closed: later, open: earlier } : { closed: earlier, open: later }));
}

function before(version: string): string {
  const { minor, patch } = parseRelease(version);
  return formatRelease(patch > 0 ? { minor, patch: patch - 1 } : { minor: minor - 1, patch: Number.POSITIVE_INFINITY });
}

function outcomeOf({ service, pods, current, answered, shows }: GateFixture, settings: Settings): unknown {
  if (shows === 'problems') {
    return explainService(service, pods, { version: settings.profile.version }).problems.map(({ code }) => code);
  }
  const reconciler = createReconcilerFor(settings);
  const input = { key: 'shop/web', service, pods, current };
  const plan = reconciler.reconcile(input);
  if (answered === undefined) return aspects[shows](plan);
  reconciler.observe({ ...plan.object, metadata: { ...plan.object?.metadata, resourceVersion: answered } });
  return aspects[shows](reconciler.reconcile(input));
}

const subsetsIn = ({ object }: Plan): NonNullable<Endpoints['subsets']> => object?.subsets ?? [];

const aspects: Readonly<Record<Exclude<Aspect, 'problems'>, (plan: Plan) => unknown>> = {
  action: ({ action }) => action,
  addresses: (plan) => ({
    ready: subsetsIn(plan).flatMap(({ addresses }) => addresses ?? []),
    notReady: subsetsIn(plan).flatMap(({ notReadyAddresses }) => notReadyAddresses ?? []),
  }),
  ports: (plan) => subsetsIn(plan).flatMap(({ ports }) => ports ?? []),
  count: (plan) => subsetsIn(plan).flatMap(({ addresses }) => addresses ?? []).length,
  labels: ({ object }) => object?.metadata.labels ?? {},
  annotations: ({ object }) => object?.metadata.annotations ?? {},
};
