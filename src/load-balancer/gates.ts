import type { Gate } from '../versions/index.ts';
import { createGateLookup } from '../versions/profile.ts';

/** Behaviour of the load balancer controller that differs between releases. */
export type LoadBalancerGateName =
  | 'targetPortsCompared'
  | 'mixedProtocolsCompared'
  | 'affinityTimeoutCompared'
  | 'nodeChangesTriggerSync'
  | 'unschedulableNodesIncluded'
  | 'excludeLabelRespected'
  | 'controlPlaneNodesIncluded'
  | 'servicesWithClassSkipped'
  | 'nodesToBeDeletedExcluded'
  | 'failuresByKey'
  | 'implementedElsewhereTolerated'
  | 'nodeSetsComparedEarly'
  | 'appProtocolsCompared'
  | 'nodeQueue'
  | 'localNodesMustBeReady'
  | 'providerIDRequired'
  | 'providerIDsCompared'
  | 'stableNodeSet'
  | 'providerIDChangesTriggerSync'
  | 'ipFamiliesCompared'
  | 'retryAfterHonoured'
  | 'nodesByService'
  | 'changeEventsDropped'
  | 'excludeLabelParsed';

/** A change between releases, as for the other controllers but without `reference`; docs/semantics/load-balancers.md names the sources. */
export type LoadBalancerGate = Pick<Gate, 'since' | 'backports' | 'until' | 'untilBackports' | 'summary'>;

/**
 * The differences between releases of the service controller, sorted by release. The gates of 1.17.0 are on in every supported release; they
 * document differences from Kubernetes 1.9.
 */
export const loadBalancerGates: Readonly<Record<LoadBalancerGateName, LoadBalancerGate>> = {
  targetPortsCompared: { since: '1.17.0', summary: 'A changed target port causes a sync.' },
  mixedProtocolsCompared: {
    since: '1.17.0',
    summary: 'Ports with several protocols are compared; before, they always counted as changed.',
  },
  affinityTimeoutCompared: { since: '1.17.0', summary: 'A changed session affinity configuration causes a sync.' },
  nodeChangesTriggerSync: { since: '1.19.0', summary: 'A change of a node triggers a node sync; before, only a timer did.' },
  unschedulableNodesIncluded: { since: '1.19.0', summary: 'Load balancers use unschedulable nodes.' },
  excludeLabelRespected: {
    since: '1.19.0',
    summary: 'Load balancers do not use nodes with the label node.kubernetes.io/exclude-from-external-load-balancers.',
  },
  controlPlaneNodesIncluded: { since: '1.21.0', summary: 'Load balancers use nodes with the label node-role.kubernetes.io/master.' },
  servicesWithClassSkipped: { since: '1.21.0', summary: 'Services with a loadBalancerClass are left to other controllers.' },
  nodesToBeDeletedExcluded: {
    since: '1.23.0',
    backports: ['1.21.7', '1.22.4'],
    summary: 'Load balancers do not use nodes that the cluster autoscaler is about to delete.',
  },
  failuresByKey: {
    since: '1.24.0',
    backports: ['1.22.12', '1.23.9'],
    summary: 'A retry of a failed node sync uses the current state of the Service, and skips a Service that no longer exists.',
  },
  implementedElsewhereTolerated: {
    since: '1.25.0',
    backports: ['1.23.7', '1.24.1'],
    summary: 'Cleanup succeeds if the cloud reports that another controller manages the load balancer.',
  },
  nodeSetsComparedEarly: {
    since: '1.25.0',
    until: '1.25.3',
    summary: 'Nodes are chosen by externalTrafficPolicy and compared with those of the previous node sync, as in 1.26.',
  },
  appProtocolsCompared: {
    since: '1.26.0',
    backports: ['1.23.14', '1.24.8', '1.25.4'],
    summary: 'A changed appProtocol of a port causes a sync.',
  },
  nodeQueue: {
    since: '1.26.0',
    summary: 'Only changes of nodes trigger node syncs, the nodes of each Service are compared, and Services that fail are enqueued.',
  },
  localNodesMustBeReady: { since: '1.26.11', until: '1.27.0', summary: 'With externalTrafficPolicy Local, nodes must be ready, too.' },
  stableNodeSet: { since: '1.27.0', summary: 'Nodes are used regardless of their readiness; nodes that are being deleted are excluded.' },
  providerIDRequired: {
    since: '1.27.2',
    backports: ['1.26.5'],
    until: '1.28.0',
    summary: 'Load balancers do not use nodes without a provider ID.',
  },
  providerIDChangesTriggerSync: { since: '1.28.0', summary: 'A changed provider ID of a node triggers a node sync.' },
  ipFamiliesCompared: { since: '1.28.0', summary: 'A changed number of IP families causes a sync.' },
  retryAfterHonoured: { since: '1.28.0', summary: 'A cloud can specify when to retry.' },
  providerIDsCompared: {
    since: '1.29.0',
    backports: ['1.26.11', '1.27.8', '1.28.4'],
    summary: 'A changed provider ID counts as a changed set of nodes.',
  },
  nodesByService: { since: '1.29.0', summary: 'The nodes last passed to the cloud are recorded for each Service.' },
  changeEventsDropped: { since: '1.32.0', summary: 'No Events report changes of Services.' },
  excludeLabelParsed: {
    since: '1.34.0',
    summary: 'The label excludes a node unless its value is false, such as "false" or "0".',
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

const settingsOf = /* @__PURE__ */ createGateLookup(loadBalancerGates, 17);
