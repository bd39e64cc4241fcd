import type { Gate, ReleaseOptions } from '../versions/index.ts';
import { createGateLookup } from '../versions/profile.ts';

/** Behaviour of the load balancer controller that differs between releases. */
export type LoadBalancerGateName =
  | 'retriesByQueue'
  | 'cleanupFailuresNamed'
  | 'nodeNamesAsSet'
  | 'statusConflictsRetried'
  | 'otherServicesSkipped'
  | 'cleanedServicesForgotten'
  | 'cleanupAlwaysReported'
  | 'failuresRenamed'
  | 'statusPatched'
  | 'finalizerRemoved'
  | 'finalizerAdded'
  | 'typeChangesCleanedUp'
  | 'implementedElsewhereIgnored'
  | 'newExcludeLabel'
  | 'alphaExcludeLabelDropped'
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

/** A change between releases, as for the other controllers; `reference` is absent if the pull request is not known for certain. */
export type LoadBalancerGate = Pick<Gate, 'since' | 'backports' | 'until' | 'untilBackports' | 'feature' | 'summary'> &
  Partial<Pick<Gate, 'reference'>>;

/** The differences between releases of the service controller. */
export const loadBalancerGates: Readonly<Record<LoadBalancerGateName, LoadBalancerGate>> = {
  retriesByQueue: {
    since: '1.10.0',
    reference: '#56370',
    summary:
      'The queue delays retries, and a status that cannot be written causes no Event; before, the delay was kept with the remembered Service.',
  },
  cleanupFailuresNamed: {
    since: '1.10.0',
    summary: 'The Event of a failed cleanup is CleanupLoadBalancerFailed; before, it was CreatingLoadBalancerFailed.',
  },
  nodeNamesAsSet: { since: '1.10.0', summary: 'The Event of a failed update prints the names of nodes as a set.' },
  statusConflictsRetried: {
    since: '1.12.0',
    backports: ['1.11.4'],
    reference: '#68087',
    summary: 'A sync whose status write conflicts fails and is retried; before, the status was given up.',
  },
  otherServicesSkipped: {
    since: '1.15.0',
    reference: '#78262',
    summary: 'New Services that need no load balancer are not synced; before, each caused a call to the cloud.',
  },
  cleanedServicesForgotten: {
    since: '1.15.0',
    reference: '#78262',
    summary: 'A cleaned-up Service is forgotten, and a recreated Service is remembered before its first sync succeeds.',
  },
  cleanupAlwaysReported: {
    since: '1.15.0',
    reference: '#78262',
    summary: 'A cleanup produces the Event DeletedLoadBalancer even if there was no load balancer.',
  },
  failuresRenamed: {
    since: '1.15.0',
    reference: '#78262',
    summary:
      'Failures have the Events SyncLoadBalancerFailed, DeleteLoadBalancerFailed and UpdateLoadBalancerFailed, with shorter messages.',
  },
  statusPatched: {
    since: '1.15.0',
    reference: '#78262',
    summary: 'The status is patched, and the sync fails if that fails; before, it was replaced, and given up after five attempts.',
  },
  finalizerRemoved: {
    since: '1.15.0',
    reference: '#78262',
    summary: 'A Service with the finalizer is cleaned up when it is being deleted, and cleanup removes the finalizer.',
  },
  finalizerAdded: {
    since: '1.16.0',
    feature: { name: 'ServiceLoadBalancerFinalizer' },
    reference: '#81691',
    summary:
      'Services get a finalizer before their load balancer is created; before, a Service deleted while no controller ran left its load balancer.',
  },
  typeChangesCleanedUp: {
    since: '1.16.0',
    reference: '#79372',
    summary: 'A Service that has the finalizer and another type than LoadBalancer is cleaned up after a restart, too.',
  },
  implementedElsewhereIgnored: {
    since: '1.16.0',
    reference: '#80660',
    summary: 'A cloud can report that another controller manages the load balancer; before, that was a failure.',
  },
  newExcludeLabel: {
    since: '1.16.0',
    reference: '#80238',
    summary: 'The exclude label, if respected, is node.kubernetes.io/exclude-from-external-load-balancers.',
  },
  targetPortsCompared: { since: '1.16.0', summary: 'A changed target port causes a sync.' },
  affinityTimeoutCompared: {
    since: '1.16.0',
    reference: '#72809',
    summary: 'A changed session affinity configuration causes a sync.',
  },
  mixedProtocolsCompared: {
    since: '1.17.0',
    summary: 'Ports with several protocols are compared; before, they always counted as changed.',
  },
  nodeChangesTriggerSync: {
    since: '1.19.0',
    reference: '#90769',
    summary: 'A change of a node triggers a node sync; before, only a timer did.',
  },
  unschedulableNodesIncluded: { since: '1.19.0', reference: '#90823', summary: 'Load balancers use unschedulable nodes.' },
  excludeLabelRespected: {
    since: '1.19.0',
    feature: { name: 'ServiceNodeExclusion' },
    reference: '#90126',
    summary: 'Load balancers do not use nodes with the exclude label.',
  },
  alphaExcludeLabelDropped: {
    since: '1.19.0',
    summary: 'The label alpha.service-controller.kubernetes.io/exclude-balancer no longer counts as an exclude label.',
  },
  controlPlaneNodesIncluded: {
    since: '1.21.0',
    feature: { name: 'LegacyNodeRoleBehavior', inverted: true },
    summary: 'Load balancers use nodes with the label node-role.kubernetes.io/master.',
  },
  servicesWithClassSkipped: {
    since: '1.21.0',
    reference: '#98277',
    summary: 'Services with a loadBalancerClass are left to other controllers.',
  },
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
    reference: '#109706',
    summary: 'Nodes are chosen by externalTrafficPolicy and compared with those of the previous node sync, as in 1.26.',
  },
  appProtocolsCompared: {
    since: '1.26.0',
    backports: ['1.23.14', '1.24.8', '1.25.4'],
    reference: '#112785',
    summary: 'A changed appProtocol of a port causes a sync.',
  },
  nodeQueue: {
    since: '1.26.0',
    summary: 'Only changes of nodes trigger node syncs, the nodes of each Service are compared, and Services that fail are enqueued.',
  },
  stableNodeSet: {
    since: '1.27.0',
    feature: { name: 'StableLoadBalancerNodeSet' },
    summary: 'Nodes are used regardless of their readiness; nodes that are being deleted are excluded.',
  },
  providerIDRequired: {
    since: '1.27.2',
    backports: ['1.26.5'],
    until: '1.28.0',
    reference: '#117388',
    summary: 'Load balancers do not use nodes without a provider ID.',
  },
  providerIDChangesTriggerSync: { since: '1.28.0', reference: '#117602', summary: 'A changed provider ID of a node triggers a node sync.' },
  ipFamiliesCompared: { since: '1.28.0', summary: 'A changed number of IP families causes a sync.' },
  retryAfterHonoured: { since: '1.28.0', summary: 'A cloud can specify when to retry.' },
  providerIDsCompared: {
    since: '1.29.0',
    backports: ['1.26.11', '1.27.8', '1.28.4'],
    reference: '#120492',
    summary: 'A changed provider ID counts as a changed set of nodes.',
  },
  localNodesMustBeReady: {
    since: '1.29.0',
    backports: ['1.26.11', '1.27.8', '1.28.4'],
    summary: 'With externalTrafficPolicy Local, nodes must be ready, too. No effect with stableNodeSet.',
  },
  nodesByService: { since: '1.29.0', summary: 'The nodes last passed to the cloud are recorded for each Service.' },
  changeEventsDropped: { since: '1.32.0', summary: 'No Events report changes of Services.' },
  excludeLabelParsed: {
    since: '1.34.0',
    reference: '#131085',
    summary: 'The label excludes a node unless its value is false, such as "false" or "0".',
  },
};

/** Each load balancer gate, on or off in a release. */
export type LoadBalancerSettings = Readonly<Record<LoadBalancerGateName, boolean>>;

/** The release, "1.9" to "1.37" or a patch release of one, and its feature gates. */
export type LoadBalancerVersion = ReleaseOptions;

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range, or an invalid feature gate
 */
export const loadBalancerSettings = ({ version, featureGates }: LoadBalancerVersion = {}): LoadBalancerSettings =>
  settingsOf(version, featureGates);

const settingsOf = /* @__PURE__ */ createGateLookup(loadBalancerGates, 9);
