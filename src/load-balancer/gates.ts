import type { Gate } from '../versions/index.ts';
import { gateTable } from '../versions/profile.ts';

/** Behaviour of the load balancer controller that differs between releases. */
export type LoadBalancerGateName =
  | 'targetPortsCompared'
  | 'mixedProtocolsCompared'
  | 'affinityTimeoutCompared'
  | 'nodeChangesSeen'
  | 'unschedulableTaken'
  | 'excludeLabelHeeded'
  | 'controlPlaneTaken'
  | 'classesLeftAlone'
  | 'doomedNodesLeftOut'
  | 'failuresByKey'
  | 'elsewhereIsClean'
  | 'nodeSetsTried'
  | 'appProtocolsCompared'
  | 'nodeQueue'
  | 'readyForPolicy'
  | 'providerIDNeeded'
  | 'providerIDsCompared'
  | 'nodesStable'
  | 'providerIDChangesSeen'
  | 'familiesCompared'
  | 'retryAfterHonoured'
  | 'nodesByService'
  | 'changesUntold'
  | 'excludeLabelParsed';

/** A change between releases, as for the other controllers but without `reference`; docs/semantics/load-balancers.md names the sources. */
export type LoadBalancerGate = Pick<Gate, 'since' | 'backports' | 'until' | 'mended' | 'summary'>;

/** In order of release. Gates of 1.17.0 are off only in 1.9. */
export const loadBalancerGates: Readonly<Record<LoadBalancerGateName, LoadBalancerGate>> = {
  targetPortsCompared: { since: '1.17.0', summary: 'Another target port is a change.' },
  mixedProtocolsCompared: { since: '1.17.0', summary: 'Ports of several protocols are compared; before, they were never the same.' },
  affinityTimeoutCompared: { since: '1.17.0', summary: 'Another configuration of the session affinity is a change.' },
  nodeChangesSeen: { since: '1.19.0', summary: 'A change of a node makes a look at the nodes due; before, only the time did.' },
  unschedulableTaken: { since: '1.19.0', summary: 'Unschedulable nodes are behind load balancers.' },
  excludeLabelHeeded: { since: '1.19.0', summary: 'The label that excludes a node from load balancers is heeded.' },
  controlPlaneTaken: { since: '1.21.0', summary: 'Nodes with the label of a master are behind load balancers.' },
  classesLeftAlone: { since: '1.21.0', summary: "A Service with a class is another controller's." },
  doomedNodesLeftOut: {
    since: '1.23.0',
    backports: ['1.21.7', '1.22.4'],
    summary: 'A node that the autoscaler is about to delete is not behind load balancers.',
  },
  failuresByKey: {
    since: '1.24.0',
    backports: ['1.22.12', '1.23.9'],
    summary: 'A Service whose nodes could not be brought up to date is tried again as it is by then, and not where it is gone.',
  },
  elsewhereIsClean: {
    since: '1.25.0',
    backports: ['1.23.7', '1.24.1'],
    summary: 'A load balancer that another controller sees to is none to be deleted.',
  },
  nodeSetsTried: {
    since: '1.25.0',
    until: '1.25.3',
    summary: 'Nodes are chosen by the external traffic policy and compared with those of the last look, as in 1.26.',
  },
  appProtocolsCompared: {
    since: '1.26.0',
    backports: ['1.23.14', '1.24.8', '1.25.4'],
    summary: 'Another application protocol of a port is a change.',
  },
  nodeQueue: {
    since: '1.26.0',
    summary:
      'Looks are made only when a node changed, nodes are compared with those before, and Services for which that fails go to the queue.',
  },
  readyForPolicy: { since: '1.26.11', until: '1.27.0', summary: 'With the external traffic policy Local nodes have to be ready, too.' },
  nodesStable: { since: '1.27.0', summary: 'Whether a node is ready does not count; a node that is being deleted is left out.' },
  providerIDNeeded: {
    since: '1.27.2',
    backports: ['1.26.5'],
    until: '1.28.0',
    summary: 'A node without a provider ID is not behind load balancers.',
  },
  providerIDChangesSeen: { since: '1.28.0', summary: 'Another provider ID of a node makes a look at the nodes due.' },
  familiesCompared: { since: '1.28.0', summary: 'Another number of IP families is a change.' },
  retryAfterHonoured: { since: '1.28.0', summary: 'A cloud can tell when to try again.' },
  providerIDsCompared: {
    since: '1.29.0',
    backports: ['1.26.11', '1.27.8', '1.28.4'],
    summary: 'The set of nodes is another one where the provider ID of a node is.',
  },
  nodesByService: { since: '1.29.0', summary: 'The nodes that a load balancer was last given are known of each Service.' },
  changesUntold: { since: '1.32.0', summary: 'A change of a Service makes no Event.' },
  excludeLabelParsed: {
    since: '1.34.0',
    summary: 'The label that excludes a node does so only where its value is true, or nothing known.',
  },
};

/** Each load balancer gate, on or off in a release. */
export type LoadBalancerSettings = Readonly<Record<LoadBalancerGateName, boolean>>;

export interface LoadBalancerVersion {
  /** "1.17" to "1.37" or a patch release; default: the newest. */
  readonly version?: string | undefined;
}

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range
 */
export const loadBalancerSettings = ({ version }: LoadBalancerVersion = {}): LoadBalancerSettings => settingsOf(version);

const settingsOf = /* @__PURE__ */ gateTable(loadBalancerGates);
