import { compareText, deepEqual, nameOf } from '../apimachinery/index.ts';
import type { Optional } from '../types/index.ts';
import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import type { BalancedNode } from './objects.ts';

/** Why a node is not used by load balancers. */
export type NodeExclusion =
  | 'BeingDeleted'
  | 'ExcludeLabel'
  | 'ToBeDeletedTaint'
  | 'WithoutProviderID'
  | 'NotReady'
  | 'Unschedulable'
  | 'ControlPlane';

export interface NodeOptions extends LoadBalancerVersion {
  /** The Service's policy. Only 1.25.0 to 1.25.2 and 1.26 choose different nodes for "Local". */
  readonly externalTrafficPolicy?: Optional<string>;
}

/** Label of a node that load balancers must not use. */
export const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** The label with this purpose up to 1.18, in clusters with the feature gate ServiceNodeExclusion. */
const alphaExcludeLabel = 'alpha.service-controller.kubernetes.io/exclude-balancer';

/**
 * The nodes that a release passes to the load balancer of a Service, sorted by name.
 * @throws RangeError if the version is unknown
 */
export const balancedNodes = (nodes: readonly BalancedNode[], options: NodeOptions = {}): BalancedNode[] =>
  chooseNodes(nodes, options.externalTrafficPolicy, loadBalancerSettings(options));

/**
 * Why a release excludes a node; undefined if it does not.
 * @throws RangeError if the version is unknown
 */
export const exclusionOf = (node: BalancedNode, options: NodeOptions = {}): NodeExclusion | undefined =>
  findExclusion(node, options.externalTrafficPolicy, loadBalancerSettings(options));

/**
 * Like `balancedNodes`, for the settings of a release.
 *
 * Mirrors listWithPredicates (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export const chooseNodes = (nodes: readonly BalancedNode[], policy: Optional<string>, settings: LoadBalancerSettings): BalancedNode[] => {
  const rules = rulesFor(policy, settings);
  return nodes.filter((node) => !rules.some((code) => exclusionChecks[code](node, settings))).sort(compareNames);
};

/** Creates a text that identifies a set of nodes: by name and, in newer releases, provider ID. */
export const createFingerprint = (nodes: readonly BalancedNode[], { providerIDsCompared }: LoadBalancerSettings): string =>
  JSON.stringify(nodes.map((node) => (providerIDsCompared ? [nameOf(node), node.spec?.providerID ?? ''] : nameOf(node))));

/**
 * Whether an update of a node triggers a node sync.
 *
 * Mirrors shouldSyncUpdatedNode (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go) and shouldSyncNode (1.24).
 */
export function triggersNodeSync(old: BalancedNode, node: BalancedNode, settings: LoadBalancerSettings): boolean {
  const differs = (code: NodeExclusion): boolean => exclusionChecks[code](old, settings) !== exclusionChecks[code](node, settings);
  const isIncluded = (each: BalancedNode): boolean => findExclusion(each, undefined, settings) === undefined;
  if (!comparesNodeSets(settings)) {
    return (
      !old.spec?.unschedulable !== !node.spec?.unschedulable ||
      !deepEqual(old.metadata?.labels ?? undefined, node.metadata?.labels ?? undefined) ||
      readyStatusOf(old) !== readyStatusOf(node)
    );
  }
  if (differs('ExcludeLabel')) return true;
  if (settings.providerIDRequired && differs('WithoutProviderID')) return true;
  if (settings.providerIDChangesTriggerSync && (old.spec?.providerID ?? '') !== (node.spec?.providerID ?? '')) return true;
  return !settings.stableNodeSet && isIncluded(old) !== isIncluded(node);
}

/** Whether the release compares the nodes of each Service with its previous nodes. */
export const comparesNodeSets = ({ nodeSetsComparedEarly, nodeQueue }: LoadBalancerSettings): boolean => nodeSetsComparedEarly || nodeQueue;

/** Like `exclusionOf`, for the settings of a release. */
export const findExclusion = (node: BalancedNode, policy: Optional<string>, settings: LoadBalancerSettings): NodeExclusion | undefined =>
  rulesFor(policy, settings).find((code) => exclusionChecks[code](node, settings));

/** The checks of a release, in its order. */
function rulesFor(policy: Optional<string>, settings: LoadBalancerSettings): readonly NodeExclusion[] {
  const { stableNodeSet, providerIDRequired, localNodesMustBeReady } = settings;
  const providerIDRule: readonly NodeExclusion[] = providerIDRequired ? ['WithoutProviderID'] : [];
  if (stableNodeSet) return ['BeingDeleted', 'ExcludeLabel', ...providerIDRule, 'ToBeDeletedTaint'];
  if (policy === 'Local' && comparesNodeSets(settings)) {
    return ['ExcludeLabel', 'ToBeDeletedTaint', ...providerIDRule, ...(localNodesMustBeReady ? (['NotReady'] as const) : [])];
  }
  return [
    ...(settings.unschedulableNodesIncluded ? [] : (['Unschedulable'] as const)),
    ...(settings.controlPlaneNodesIncluded ? [] : (['ControlPlane'] as const)),
    ...(settings.excludeLabelRespected ? (['ExcludeLabel'] as const) : []),
    ...(settings.nodesToBeDeletedExcluded ? (['ToBeDeletedTaint'] as const) : []),
    'NotReady',
    ...providerIDRule,
  ];
}

/** For each reason, a function that returns whether this reason excludes a node. */
const exclusionChecks: Readonly<Record<NodeExclusion, (node: BalancedNode, settings: LoadBalancerSettings) => boolean>> = {
  BeingDeleted: ({ metadata }) => !!metadata?.deletionTimestamp,
  ExcludeLabel({ metadata }, { excludeLabelParsed, newExcludeLabel, alphaExcludeLabelDropped }) {
    if (!alphaExcludeLabelDropped && labelOf(metadata?.labels, alphaExcludeLabel) !== undefined) return true;
    const value = newExcludeLabel ? labelOf(metadata?.labels, excludeLabel) : undefined;
    return value !== undefined && !(excludeLabelParsed && falseValues.has(value));
  },
  ToBeDeletedTaint: ({ spec }) => !!spec?.taints?.some(({ key }) => key === 'ToBeDeletedByClusterAutoscaler'),
  WithoutProviderID: ({ spec }) => !spec?.providerID,
  NotReady(node, settings) {
    if (comparesNodeSets(settings)) return readyStatusOf(node) !== 'True';
    const conditions = node.status?.conditions ?? [];
    return conditions.length === 0 || conditions.some(({ type, status }) => type === 'Ready' && status !== 'True');
  },
  Unschedulable: ({ spec }) => !!spec?.unschedulable,
  ControlPlane: ({ metadata }) => labelOf(metadata?.labels, 'node-role.kubernetes.io/master') !== undefined,
};

/** What Go's strconv.ParseBool reads as false. */
const falseValues: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

type Labels = Optional<Readonly<Record<string, string>>>;

const labelOf = (labels: Labels, key: string): string | undefined => (labels && Object.hasOwn(labels, key) ? labels[key] : undefined);

/** The status of the first Ready condition. */
const readyStatusOf = ({ status }: BalancedNode): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? undefined;

const compareNames = (a: BalancedNode, b: BalancedNode): number => compareText(nameOf(a), nameOf(b));
