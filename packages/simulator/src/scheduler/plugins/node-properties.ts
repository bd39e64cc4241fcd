import { createNodeAffinityMatcher, createNodeSelectorMatcher, type NodeSelectorTerm } from '../../nodes/affinity.ts';
import { findUntoleratedTaint, type Taint, type Toleration, toleratesTaint } from '../../nodes/taints.ts';
import type { NodeInfo } from '../node-info.ts';
import { normalizeByMaximum, type Plugin, unresolvable } from '../plugin.ts';
import type { Pod } from '../types.ts';

/** Plugins about the node itself: its name, taints and labels (1.36, pkg/scheduler/framework/plugins). */

export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  prepareFilter: ({ pod }) => {
    const isTolerated = toleratesUnschedulable(pod);
    return {
      filter: ({ node }) => (node.spec?.unschedulable && !isTolerated ? unresolvable('node(s) were unschedulable') : undefined),
    };
  },
};

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Whether a pod fits on nodes that are marked as unschedulable. */
export const toleratesUnschedulable = (pod: Pod): boolean =>
  tolerationsOf(pod).some((toleration) => toleratesTaint(toleration, unschedulableTaint));

export const tolerationsOf = ({ spec }: Pod): readonly Toleration[] => spec?.tolerations ?? [];

export const nodeName: Plugin = {
  name: 'NodeName',
  prepareFilter: ({ pod }) => {
    const wanted = pod.spec?.nodeName;
    if (!wanted) return undefined;
    return { filter: ({ name }) => (name === wanted ? undefined : unresolvable("node(s) didn't match the requested node name")) };
  },
};

/** Whether a pod stays off a node because of a taint that it does not tolerate. */
export const hasUntoleratedTaint = ({ node }: Pick<NodeInfo, 'node'>, pod: Pod): boolean =>
  findUntoleratedTaint(node.spec?.taints ?? [], tolerationsOf(pod), isHardTaint) !== undefined;

const isHardTaint = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

export const taintToleration: Plugin = {
  name: 'TaintToleration',
  weight: 3,
  prepareFilter: ({ pod }) => ({
    filter: (node) => (hasUntoleratedTaint(node, pod) ? unresolvable('node(s) had untolerated taint(s)') : undefined),
  }),
  prepareScore: ({ pod }) => {
    const tolerations = tolerationsOf(pod);
    const isUntolerated = (taint: Taint): boolean =>
      taint.effect === 'PreferNoSchedule' && !tolerations.some((toleration) => toleratesTaint(toleration, taint));
    return {
      score: ({ node }) => (node.spec?.taints ?? []).filter(isUntolerated).length,
      normalize: (scores) => normalizeByMaximum(scores, true),
    };
  },
};

export const nodeAffinity: Plugin = {
  name: 'NodeAffinity',
  weight: 2,
  prepareFilter: ({ pod }) => {
    const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (!required && !pod.spec?.nodeSelector) return undefined;
    const nodeNames = namesOf(required?.nodeSelectorTerms ?? []);
    const matches = createNodeAffinityMatcher(pod.spec ? { spec: pod.spec } : {});
    return {
      ...(nodeNames && (nodeNames.size > 0 ? { nodeNames } : { rejection: unresolvable('pod affinity terms conflict') })),
      filter: ({ node }) => (matches(node) ? undefined : unresolvable("node(s) didn't match Pod's node affinity/selector")),
    };
  },
  prepareScore: ({ pod }) => {
    const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
    if (!preferred) return undefined;
    const tests = preferred.map(({ weight, preference }) => ({ weight, matches: createNodeSelectorMatcher([preference]) }));
    return {
      score: ({ node }) => tests.reduce((sum, { weight, matches }) => sum + (matches(node) ? weight : 0), 0),
      normalize: (scores) => normalizeByMaximum(scores, false),
    };
  },
};

/** The names of the nodes that can match, if each term names them. */
function namesOf(terms: readonly NodeSelectorTerm[]): Set<string> | undefined {
  const lists = terms.map(({ matchFields = [] }) =>
    matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In').map(({ values = [] }) => values),
  );
  if (lists.length === 0 || lists.some((ofTerm) => ofTerm.length === 0)) return undefined;
  return new Set(lists.flatMap(([first = [], ...others]) => first.filter((name) => others.every((names) => names.includes(name)))));
}
