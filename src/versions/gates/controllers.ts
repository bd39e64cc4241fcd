import type { GateRow } from './gate.ts';

/** The gates of the controllers' start, event handlers and retries. They do not change what a sync computes. */
export type ControllerGateName =
  | 'failuresRecorded'
  | 'podChangesBatched'
  | 'terminatingNamespacesSkipped'
  | 'sliceControllerStarted'
  | 'deletedEndpointsRecreated'
  | 'sliceRetriesSlowed';

export const controllerGates: Readonly<Record<ControllerGateName, GateRow>> = {
  failuresRecorded: {
    stage: 'controllers',
    since: '1.14.0',
    backports: ['1.11.9', '1.12.7', '1.13.5'],
    reference: '#73968',
  },
  podChangesBatched: {
    stage: 'controllers',
    since: '1.16.0',
    reference: '#80509',
  },
  terminatingNamespacesSkipped: {
    stage: 'controllers',
    since: '1.17.0',
    reference: '#84123',
  },
  sliceControllerStarted: {
    stage: 'controllers',
    since: '1.18.0',
    feature: { name: 'EndpointSlice', from: 17 },
    reference: '#86137',
    also: ['slices'],
  },
  deletedEndpointsRecreated: {
    stage: 'controllers',
    since: '1.19.0',
    reference: '#93030',
  },
  sliceRetriesSlowed: {
    stage: 'controllers',
    since: '1.26.0',
    reference: '#112353',
  },
};

/** What each gate of this file changes. A table of its own, so that bundles without `gates` do not contain the texts. */
export const controllerSummaries: Readonly<Record<ControllerGateName, string>> = {
  failuresRecorded: 'A failed write is recorded as Event FailedToCreateEndpoint or FailedToUpdateEndpoint.',
  podChangesBatched: 'A change of a pod can wait for further changes: flag --endpoint-updates-batch-period.',
  terminatingNamespacesSkipped:
    'A create that fails because the namespace is being deleted is not retried; before, it was, like every other failure.',
  sliceControllerStarted: 'kube-controller-manager runs the EndpointSlice controller by default.',
  deletedEndpointsRecreated: 'The deletion of Endpoints causes a sync of their Service; before, they were missing until another change.',
  sliceRetriesSlowed: 'The EndpointSlice controller waits for up to 1,000 s before it retries a Service; before, up to 100 s.',
};
