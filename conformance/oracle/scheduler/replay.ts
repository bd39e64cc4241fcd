import {
  bestNodes,
  createCache,
  createClusterNodes,
  createPodInfo,
  type FeasibleNodes,
  findFeasibleNodes,
  printFitError,
  type SchedulerPod,
  type SchedulingCycle,
  scoreNodes,
} from '../../../packages/simulator/src/internal.ts';
import type { NodeVerdict, PodAnswer, SchedulerAnswer, SchedulerCase } from './case.ts';

/** Returns the simulator's answer to a case. */
export function replayScheduler(testCase: SchedulerCase): SchedulerAnswer {
  const { id, nodes, pods, incoming, namespaces, services, replicaSets, statefulSets, replicationControllers } = testCase;
  const cache = createCache();
  for (const object of [namespaces, services, replicaSets, statefulSets, replicationControllers].flat()) cache.put(object);
  const cluster = createClusterNodes();
  for (const node of nodes) cluster.setNode(node);
  for (const pod of pods) cluster.setPod(pod);
  const answers = incoming.map((pod) => {
    const answer = answerPod({ pod, info: createPodInfo(pod), nodes: cluster.list(), cache, images: cluster.images });
    if (answer.host !== undefined) cluster.setPod({ ...pod, spec: { ...pod.spec, nodeName: answer.host } } as SchedulerPod);
    return answer;
  });
  return { id, pods: answers };
}

function answerPod(cycle: SchedulingCycle): PodAnswer {
  const found = findFeasibleNodes(cycle);
  const rejected = verdictsOf(found);
  if (found.feasible.length === 0) return { message: printFitError(cycle.pod, cycle.nodes, found), rejected };
  const scores = scoreNodes(cycle, found.feasible);
  return {
    rejected,
    scores: Object.fromEntries(scores.map(({ node, total, byPlugin }) => [node.name, { ...byPlugin, total }])),
    host: bestNodes(scores)
      .map(({ name }) => name)
      .sort()[0] as string,
  };
}

const verdictsOf = ({ rejections }: FeasibleNodes): Record<string, NodeVerdict> =>
  Object.fromEntries(
    [...rejections].map(([name, { plugin, reasons, isUnresolvable }]) => [name, { plugin, reasons, unresolvable: isUnresolvable }]),
  );
