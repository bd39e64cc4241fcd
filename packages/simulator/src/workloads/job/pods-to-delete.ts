import { sortInPlace } from '../../go/sort.ts';
import { compareActivePods } from '../pod-order.ts';
import type { Pod } from '../types.ts';
import { completionIndexOf, hasLowerIndex } from './indexes.ts';
import { isIndexed, type Job } from './objects.ts';

/**
 * Returns the active pods to delete: at least `minimum`, and of an indexed Job all without a valid index and all but one of each index. Mirrors
 * activePodsForRemoval (1.36, pkg/controller/job/job_controller.go).
 */
export function choosePodsToDelete(job: Job, pods: readonly Pod[], minimum: number): readonly Pod[] {
  const { surplus, others } = isIndexed(job) ? splitByIndex(pods, job.spec.completions ?? 0) : { surplus: [], others: [...pods] };
  if (surplus.length >= minimum) return surplus;
  sortByDeletion(others);
  return [...surplus, ...others.slice(0, minimum - surplus.length)];
}

const sortByDeletion = (pods: Pod[]): void => sortInPlace(pods, (a, b) => compareActivePods(a, b) < 0);

/** Mirrors appendDuplicatedIndexPodsForRemoval. */
function splitByIndex(pods: readonly Pod[], completions: number): { surplus: readonly Pod[]; others: Pod[] } {
  const sorted = [...pods];
  sortInPlace(sorted, hasLowerIndex);
  const [surplus, others]: [Pod[], Pod[]] = [[], []];
  for (const [index, group] of Map.groupBy(sorted, completionIndexOf)) {
    if (index === undefined || index >= completions) {
      surplus.push(...group);
      continue;
    }
    sortByDeletion(group);
    surplus.push(...group.slice(0, -1));
    others.push(...group.slice(-1));
  }
  return { surplus, others };
}
