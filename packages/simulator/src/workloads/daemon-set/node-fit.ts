import { createNodeAffinityMatcher } from '../../nodes/affinity.ts';
import { findUntoleratedTaint, type Toleration } from '../../nodes/taints.ts';
import type { DaemonPodSpec, DaemonSet, Node } from './objects.ts';

/** Whether a daemon pod belongs on a node. */
export interface NodeFit {
  /** Whether a pod is created if the node has no pod. */
  readonly shouldRun: boolean;
  /** Whether a pod that is there stays. */
  readonly shouldContinueRunning: boolean;
}

/** Returns a function that decides for each node: NodeShouldRunDaemonPod (1.36, pkg/controller/daemon/daemon_controller.go). */
export function createNodeFitTest({ spec: { template } }: DaemonSet): (node: Node) => NodeFit {
  const { nodeName = '' } = template.spec;
  const tolerations = addDaemonTolerations(template.spec);
  const matchesAffinity = createNodeAffinityMatcher(template);
  return (node) => {
    const isSelected = (nodeName === '' || nodeName === node.metadata.name) && matchesAffinity(node);
    if (!isSelected) return { shouldRun: false, shouldContinueRunning: false };
    const hasUntoleratedTaint = (...effects: readonly string[]): boolean =>
      findUntoleratedTaint(node.spec?.taints ?? [], tolerations, ({ effect }) => effects.includes(effect)) !== undefined;
    const shouldRun = !hasUntoleratedTaint('NoSchedule', 'NoExecute');
    return { shouldRun, shouldContinueRunning: shouldRun || !hasUntoleratedTaint('NoExecute') };
  };
}

/** The tolerations of a template and those of every daemon pod: AddOrUpdateDaemonPodTolerations (1.36, pkg/controller/daemon/util). */
export function addDaemonTolerations({ tolerations = [], hostNetwork = false }: DaemonPodSpec): readonly Toleration[] {
  const added = hostNetwork ? [...daemonTolerations, networkToleration] : daemonTolerations;
  return added.reduce(addToleration, tolerations);
}

const prefix = 'node.kubernetes.io';

const daemonTolerations: readonly Toleration[] = [
  { key: `${prefix}/not-ready`, operator: 'Exists', effect: 'NoExecute' },
  { key: `${prefix}/unreachable`, operator: 'Exists', effect: 'NoExecute' },
  { key: `${prefix}/disk-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${prefix}/memory-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${prefix}/pid-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${prefix}/unschedulable`, operator: 'Exists', effect: 'NoSchedule' },
];
const networkToleration: Toleration = { key: `${prefix}/network-unavailable`, operator: 'Exists', effect: 'NoSchedule' };

/** Replaces all tolerations that match the same taints, or appends the new one: AddOrUpdateTolerationInPodSpec. */
function addToleration(tolerations: readonly Toleration[], added: Toleration): readonly Toleration[] {
  const isSame = ({ key, operator, effect, value = '' }: Toleration): boolean =>
    key === added.key && operator === added.operator && effect === added.effect && value === '';
  return tolerations.some(isSame) ? tolerations.map((each) => (isSame(each) ? added : each)) : [...tolerations, added];
}
