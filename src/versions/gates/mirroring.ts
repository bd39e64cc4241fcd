import type { GateRow } from './gate.ts';

/** The gates of the EndpointSlice mirroring controller. Gates shared with Endpoints or EndpointSlices are in their tables. */
export type MirroringGateName =
  | 'endpointsMirrored'
  | 'mirroredMetadataCompared'
  | 'mirroredReadinessKept'
  | 'lastAppliedNotMirrored'
  | 'mirrorDeletedForSelector'
  | 'mirroredSubsetsRepacked'
  | 'mirrorRebuiltForNewOwner'
  | 'mirrorUnchangedTracked'
  | 'mirrorSliceChangesReverted';

export const mirroringGates: Readonly<Record<MirroringGateName, GateRow>> = {
  endpointsMirrored: {
    stage: 'mirroring',
    since: '1.19.0',
    reference: '#91637',
  },
  mirroredMetadataCompared: {
    stage: 'mirroring',
    since: '1.21.0',
    backports: ['1.19.10', '1.20.6'],
    reference: '#98116',
  },
  mirroredReadinessKept: {
    stage: 'mirroring',
    since: '1.22.0',
    backports: ['1.20.8', '1.21.2'],
    reference: '#102683',
  },
  lastAppliedNotMirrored: {
    stage: 'mirroring',
    since: '1.22.0',
    reference: '#102731',
  },
  mirrorDeletedForSelector: {
    stage: 'mirroring',
    since: '1.23.0',
    backports: ['1.20.13', '1.21.7', '1.22.4'],
    reference: '#105997',
  },
  mirroredSubsetsRepacked: {
    stage: 'mirroring',
    since: '1.27.0',
    reference: '#114155',
  },
  mirrorRebuiltForNewOwner: {
    stage: 'mirroring',
    since: '1.31.0',
    reference: '#125359',
  },
  mirrorUnchangedTracked: {
    stage: 'mirroring',
    since: '1.31.0',
    reference: '#125359',
  },
  mirrorSliceChangesReverted: {
    stage: 'mirroring',
    since: '1.31.0',
    reference: '#124131',
  },
};

/** What each gate of this file changes. A table of its own, so that bundles without `gates` do not contain the texts. */
export const mirroringSummaries: Readonly<Record<MirroringGateName, string>> = {
  endpointsMirrored: 'The mirroring controller exists.',
  mirroredMetadataCompared: 'Annotations are mirrored, and a difference only in labels or annotations causes a write.',
  mirroredReadinessKept: 'notReadyAddresses become endpoints that are not ready; before, they became ready ones.',
  lastAppliedNotMirrored: 'The annotation kubectl.kubernetes.io/last-applied-configuration is not mirrored.',
  mirrorDeletedForSelector: 'The mirrored slices of a Service that has a selector are deleted; before, they were kept.',
  mirroredSubsetsRepacked: 'Subsets are repacked before they are mirrored, so an address with ports in several subsets is one endpoint.',
  mirrorRebuiltForNewOwner: 'A slice owned by an earlier Endpoints object of the same name is replaced even if nothing else differs.',
  mirrorUnchangedTracked: 'A slice that needs no change is tracked too, so that its deletion is detected.',
  mirrorSliceChangesReverted:
    'A change that another client makes to a mirrored slice is reverted; before, only if the version before it was not tracked.',
};
