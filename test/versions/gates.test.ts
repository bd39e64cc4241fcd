import { describe, expect, it } from 'vitest';
import { controllerGates, hintsGates, mirroringGates, slicesGates } from '../../src/versions/gates.ts';
import { type GateName, gates, profileFor } from '../../src/versions/index.ts';
import { lastPatch, parseRelease } from '../../src/versions/releases.ts';
import { gateFixtures } from './gate-fixtures.ts';
import { sliceGateFixtures } from './slice-gate-fixtures.ts';

const names = Object.keys(gates) as GateName[];

/** The releases around each change, written independently of the gate table to check it. */
const expectedReleases: Readonly<Record<GateName, { readonly off: readonly string[]; readonly on: readonly string[] }>> = {
  externalNameSkipped: { off: ['1.17', '1.26.15', '1.26'], on: ['1.27.0', '1.27', '1.37'] },
  terminalPodsExcluded: {
    off: ['1.17', '1.21.14', '1.22.0', '1.22.10', '1.23.0', '1.23.7', '1.24.0', '1.24.1'],
    on: ['1.22.11', '1.22', '1.23.8', '1.23', '1.24.2', '1.24', '1.25.0', '1.37'],
  },
  publishNotReadyAddressesRead: { off: ['1.9', '1.10.13'], on: ['1.11.0', '1.37'] },
  tolerateUnreadyAnnotationIgnored: { off: ['1.17', '1.23.17'], on: ['1.24.0', '1.37'] },
  addressOfServiceFamily: { off: ['1.17', '1.20.15'], on: ['1.21.0', '1.37'] },
  ipFamilyRead: { off: ['1.17', '1.18.8', '1.20.0', '1.37'], on: ['1.18.9', '1.18', '1.19.0', '1.19.16'] },
  ipFamiliesRead: { off: ['1.17', '1.19.16'], on: ['1.20.0', '1.37'] },
  addressCanonicalized: { off: ['1.17', '1.32.13'], on: ['1.33.0', '1.37'] },
  emptyIPFamiliesPanic: {
    off: ['1.17', '1.32.13', '1.33.13', '1.33', '1.34.9', '1.34', '1.35.6', '1.35', '1.36.2', '1.36', '1.37.0', '1.37'],
    on: ['1.33.0', '1.33.12', '1.34.0', '1.34.8', '1.35.0', '1.35.5', '1.36.0', '1.36.1'],
  },
  targetResourceVersionOmitted: { off: ['1.17', '1.23.17'], on: ['1.24.0', '1.37'] },
  appProtocolCopied: { off: ['1.17', '1.18.20'], on: ['1.19.0', '1.37'] },
  sidecarPortsFound: { off: ['1.17', '1.31.14'], on: ['1.32.0', '1.37'] },
  emptySubsetsOmitted: { off: ['1.9.0', '1.9.11', '1.9'], on: ['1.10.0', '1.37'] },
  headlessPortOmitted: { off: ['1.9', '1.10.13'], on: ['1.11.0', '1.37'] },
  portlessSubsetsKept: { off: ['1.9', '1.10.13', '1.11.0', '1.11.7'], on: ['1.11.8', '1.11', '1.12.0', '1.37'] },
  appProtocolPrinted: { off: ['1.17.0', '1.17.17', '1.17'], on: ['1.18.0', '1.37'] },
  orderedByFNV: { off: ['1.17', '1.34.99'], on: ['1.35.0', '1.37'] },
  overCapacityWarned: { off: ['1.17', '1.20.15'], on: ['1.21.0', '1.37'] },
  overCapacityTruncated: { off: ['1.17', '1.21.14'], on: ['1.22.0', '1.37'] },
  triggerTimeAnnotated: { off: ['1.9', '1.13.12'], on: ['1.14.0', '1.37'] },
  headlessLabelSet: { off: ['1.9', '1.15.12'], on: ['1.16.0', '1.37'] },
  triggerTimeInUTC: { off: ['1.17', '1.21.14'], on: ['1.22.0', '1.37'] },
  managedByLabel: { off: ['1.17', '1.32.13'], on: ['1.33.0', '1.37'] },
  serviceLabelsNotMutated: { off: ['1.9', '1.15.12', '1.16.0', '1.16.3'], on: ['1.16.4', '1.16', '1.17.0', '1.37'] },
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
  slicesAreBeta: { off: ['1.9', '1.16.15'], on: ['1.17.0', '1.37'] },
  sliceNodeName: { off: ['1.17', '1.20.15'], on: ['1.21.0', '1.37'] },
  sliceTerminatingPodsExcluded: { off: ['1.16', '1.17.0', '1.17.4'], on: ['1.17.5', '1.17', '1.18.0', '1.37'] },
  sliceAppProtocolCopied: { off: ['1.17'], on: ['1.18.0', '1.37'] },
  sliceLabelsMirrored: { off: ['1.17', '1.19.16'], on: ['1.20.0', '1.37'] },
  sliceOwnersChecked: { off: ['1.17', '1.18', '1.19.0', '1.19.2'], on: ['1.19.3', '1.19', '1.20.0', '1.37'] },
  slicesNotCreatedForDeleted: { off: ['1.17', '1.18.8'], on: ['1.18.9', '1.18', '1.19.0', '1.37'] },
  staleSlicesRetried: {
    off: ['1.17', '1.18.0', '1.18.16', '1.19.0', '1.19.8', '1.20.0', '1.20.4'],
    on: ['1.18.17', '1.18', '1.19.9', '1.19', '1.20.5', '1.20', '1.21.0', '1.37'],
  },
  missingSlicesStale: { off: ['1.17', '1.18', '1.19.10', '1.20.0', '1.20.6'], on: ['1.19.11', '1.19', '1.20.7', '1.20', '1.21.0', '1.37'] },
  sliceTrackerForgotten: { off: ['1.17', '1.18'], on: ['1.19.0', '1.37'] },
  slicesAreV1: { off: ['1.17', '1.20.15'], on: ['1.21.0', '1.37'] },
  terminatingPodsIncluded: { off: ['1.17', '1.21.14'], on: ['1.22.0', '1.37'] },
  endpointKeyedByTarget: { off: ['1.17', '1.25.16', '1.26.0', '1.26.2'], on: ['1.26.3', '1.26', '1.27.0', '1.37'] },
  missingNodeSkipped: { off: ['1.17', '1.23.17', '1.24.0', '1.24.2'], on: ['1.24.3', '1.24', '1.25.0', '1.37'] },
  sliceSidecarPortsFound: { off: ['1.17', '1.32.0', '1.32.13'], on: ['1.33.0', '1.37'] },
  slicesPendingDeletionIgnored: {
    off: ['1.17', '1.21.14', '1.22.10', '1.23.0', '1.23.7', '1.24.0', '1.24.1'],
    on: ['1.22.11', '1.22', '1.23.8', '1.23', '1.24.2', '1.24', '1.25.0', '1.37'],
  },
  placeholderKept: { off: ['1.17', '1.23.17', '1.24.0', '1.24.2'], on: ['1.24.3', '1.24', '1.25.0', '1.37'] },
  slicePortsNilAsEmpty: { off: ['1.17', '1.35.0', '1.35.8', '1.35'], on: ['1.36.0', '1.37'] },
  sliceConditionsCompared: {
    off: ['1.17', '1.21.13', '1.22.0', '1.22.10', '1.23.0', '1.23.7'],
    on: ['1.21.14', '1.22.11', '1.22', '1.23.8', '1.23', '1.24.0', '1.37'],
  },
  sliceUnknownConditionsCompared: { off: ['1.17', '1.25.16'], on: ['1.26.0', '1.37'] },
  sliceNodeAndZoneCompared: { off: ['1.17', '1.22.17', '1.23.17'], on: ['1.24.0', '1.37'] },
  hintsForReadyOnly: { off: ['1.17', '1.22.17'], on: ['1.23.0', '1.37'] },
  controlPlaneNotCounted: { off: ['1.17', '1.22.17'], on: ['1.23.0', '1.37'] },
  zoneHintsKept: { off: ['1.17', '1.22.17'], on: ['1.23.0', '1.37'] },
  topologyHints: { off: ['1.17', '1.21.0', '1.23.17'], on: ['1.24.0', '1.37'] },
  hintEvents: { off: ['1.17', '1.25.16'], on: ['1.26.0', '1.37'] },
  topologyModeAnnotation: { off: ['1.17', '1.26.15'], on: ['1.27.0', '1.37'] },
  trafficDistribution: { off: ['1.17', '1.30.14'], on: ['1.31.0', '1.37'] },
  trafficDistributionValidated: { off: ['1.17', '1.32.13'], on: ['1.33.0', '1.37'] },
  preferSameTrafficDistribution: { off: ['1.17', '1.33.13'], on: ['1.34.0', '1.37'] },
  endpointsMirrored: { off: ['1.17', '1.18'], on: ['1.19.0', '1.37'] },
  mirroredMetadataCompared: {
    off: ['1.18', '1.19.0', '1.19.9', '1.20.0', '1.20.5'],
    on: ['1.19.10', '1.19', '1.20.6', '1.20', '1.21.0', '1.37'],
  },
  mirroredReadinessKept: { off: ['1.17', '1.21.0', '1.21.1'], on: ['1.21.2', '1.21', '1.22.0', '1.37'] },
  lastAppliedNotMirrored: { off: ['1.17', '1.21.14'], on: ['1.22.0', '1.37'] },
  mirrorDeletedForSelector: {
    off: ['1.17', '1.21.0', '1.21.6', '1.22.0', '1.22.3'],
    on: ['1.21.7', '1.21', '1.22.4', '1.22', '1.23.0', '1.37'],
  },
  mirroredSubsetsRepacked: { off: ['1.17', '1.26.15'], on: ['1.27.0', '1.37'] },
  mirrorRebuiltForNewOwner: { off: ['1.17', '1.30.14'], on: ['1.31.0', '1.37'] },
  mirrorUnchangedTracked: { off: ['1.17', '1.30.14'], on: ['1.31.0', '1.37'] },
  mirrorSliceChangesReverted: { off: ['1.17', '1.30.14'], on: ['1.31.0', '1.37'] },
  failuresRecorded: {
    off: ['1.9', '1.10.13', '1.11.8', '1.12.6', '1.13.4'],
    on: ['1.11.9', '1.11', '1.12.7', '1.12', '1.13.5', '1.13', '1.14.0', '1.37'],
  },
  podChangesBatched: { off: ['1.9', '1.15.12'], on: ['1.16.0', '1.37'] },
  terminatingNamespacesSkipped: { off: ['1.9', '1.16.15'], on: ['1.17.0', '1.37'] },
  sliceControllerStarted: { off: ['1.16', '1.17.0', '1.17.17'], on: ['1.18.0', '1.37'] },
  deletedEndpointsRecreated: { off: ['1.9', '1.17.17', '1.18.20'], on: ['1.19.0', '1.37'] },
  sliceRetriesSlowed: { off: ['1.21', '1.25.16'], on: ['1.26.0', '1.37'] },
};

describe('every gate is on in the expected releases only', () => {
  it.each(names)('%s', (name) => {
    for (const version of expectedReleases[name].off) expect(profileFor(version)[name], `off in ${version}`).toBe(false);
    for (const version of expectedReleases[name].on) expect(profileFor(version)[name], `on in ${version}`).toBe(true);
  });
});

/** Gates that do not change what a sync computes: the tests of the controllers cover them. */
const controllersOnly = ['mirrorSliceChangesReverted', ...Object.keys(controllerGates)];

describe('the fixtures of gates', () => {
  it.each(names.filter((name) => !controllersOnly.includes(name)))('include exactly one for %s', (name) => {
    const fixtures = [Object.hasOwn(gateFixtures, name), Object.hasOwn(sliceGateFixtures, name)];
    expect(fixtures.filter(Boolean)).toHaveLength(1);
  });

  it('have two different outcomes for slices, and belong to a gate of their controller', () => {
    for (const [name, { off, on, endpoints }] of Object.entries(sliceGateFixtures)) {
      expect(on, name).not.toEqual(off);
      expect(Object.hasOwn(endpoints ? mirroringGates : { ...slicesGates, ...hintsGates }, name), name).toBe(true);
    }
  });
});

describe('every row of the gate table is well formed', () => {
  it.each(names)('%s', (name) => {
    const { stage, also = [], since, backports = [], until, untilBackports = [], reference, summary } = gates[name];
    expect(also).not.toContain(stage);
    expect(reference).toMatch(/^#\d{5,6}$/);
    expect(summary).toMatch(/^[A-Za-z].*\.$/);
    expect(since).toMatch(/\.0$/);
    if (until !== undefined) expect(until).toMatch(/\.0$/);
    expect(untilBackports.length === 0 || until !== undefined).toBe(true);
    for (const [end, patches] of [[since, backports] as const, [until, untilBackports] as const]) {
      for (const patch of patches) {
        const release = parseRelease(patch);
        expect(release.minor).toBeLessThan(parseRelease(end ?? '').minor);
        expect(release.patch).toBeLessThanOrEqual(lastPatch[release.minor] ?? Number.POSITIVE_INFINITY);
      }
    }
  });
});
