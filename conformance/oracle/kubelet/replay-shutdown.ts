import { endOfShutdownGroup, groupPodsForShutdown, shutdownPeriods, shutdownStatus } from '@kube-endpoints/simulator/internal';
import type { ShutdownCase } from './case.ts';
import { start } from './virtual-time.ts';

export function replayShutdown({ gracePeriod, criticalPods, unmountDelay, byPodPriority, pods }: ShutdownCase): unknown {
  const config = { gracePeriod, criticalPods, byPodPriority };
  const groups = groupPodsForShutdown(
    config,
    pods.map(({ pod }) => pod),
  );
  let now = start;
  const kills = groups.flatMap((group) => {
    const at = now;
    const members = pods.filter(({ pod }) => group.pods.some((each) => each.pod === pod));
    now = endOfShutdownGroup(group, at, at + Math.max(...members.map(({ endsAfter }) => endsAfter)) + unmountDelay);
    return group.pods.map(({ pod, gracePeriodSeconds }) => ({
      at: at - start,
      name: pod.metadata?.name ?? '',
      gracePeriod: gracePeriodSeconds,
      evict: false,
      status: shutdownStatus(pod, pod.status ?? {}, `${new Date(at).toISOString().slice(0, 19)}Z`),
    }));
  });
  kills.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  const periods = shutdownPeriods(config);
  const period = periods.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
  return { enabled: periods.length > 0, period, kills, endedAt: now - start };
}
