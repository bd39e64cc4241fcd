import { compareText } from 'kube-endpoints/internal/apimachinery';
import type { NodeInfo } from './node-info.ts';
import type { FeasibleNodes } from './placement.ts';
import type { Rejection } from './plugin.ts';
import type { Pod } from './types.ts';

/**
 * The message of the condition PodScheduled if no node fits: FitError (1.36, pkg/scheduler/framework/types.go), with the result of a
 * preemption that finds no victims.
 */
export function printFitError(pod: Pod, nodes: readonly NodeInfo[], { rejections, preFilterMessage }: FeasibleNodes): string {
  if (nodes.length === 0) return 'no nodes available to schedule pods';
  // Upstream's next plugin misses its state then: PostFilter of DynamicResources fails with "not found".
  if (preFilterMessage !== undefined) return `${printSummary(nodes.length, preFilterMessage)} not found`;
  const reasons = countReasons([...rejections.values()].map((each) => each.reasons));
  return `${printSummary(nodes.length, reasons)} no new claims to deallocate, preemption: ${explainPreemption(pod, nodes.length, rejections)}`;
}

const printSummary = (count: number, reasons: string): string => `0/${count} nodes are available:${reasons && ` ${reasons}.`}`;

/** For example "1 Insufficient cpu, 2 node(s) were unschedulable". */
function countReasons(lists: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const reason of lists.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort(compareText)
    .join(', ');
}

/** Mirrors Preempt (1.36, pkg/scheduler/framework/preemption/preemption.go) for pods without victims. */
function explainPreemption({ spec }: Pod, count: number, rejections: ReadonlyMap<string, Rejection>): string {
  if (spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const reasons = [...rejections.values()].map(({ isUnresolvable }) => [
    isUnresolvable ? 'Preemption is not helpful for scheduling' : 'No preemption victims found for incoming pod',
  ]);
  return printSummary(count, countReasons(reasons));
}
