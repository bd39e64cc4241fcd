import { isDeepStrictEqual } from 'node:util';
import type { KubeletMode } from './case.ts';

/** Whether the simulator answers like the kubelet. In a pod's status, Go's zero values count as absent. */
export const isSameAnswer = (mode: KubeletMode, theirs: unknown, ours: unknown): boolean =>
  isDeepStrictEqual(toComparable(mode, theirs), toComparable(mode, ours));

function toComparable(mode: KubeletMode, answer: unknown): unknown {
  if (mode === 'sync') return { ...(answer as SyncAnswer), calls: sortRuns((answer as SyncAnswer).calls) };
  return mode === 'status' || mode === 'shutdown' ? clean(answer) : answer;
}

interface SyncAnswer {
  readonly calls: readonly SyncCall[];
}

interface SyncCall {
  readonly do: string;
  readonly id?: string;
}

/** Sorts successive stops, and successive removals: the kubelet makes them in random order. */
function sortRuns(calls: readonly SyncCall[]): SyncCall[] {
  const runs: SyncCall[][] = [];
  for (const call of calls) {
    if (runs.at(-1)?.[0]?.do === call.do && call.do !== 'start') runs.at(-1)?.push(call);
    else runs.push([call]);
  }
  return runs.flatMap((run) => run.sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1)));
}

/** Fields of a status that the simulator does not have. */
const ignoredFields = ['image', 'imageID', 'lastProbeTime'];

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.map((each) => clean(each) ?? null) : undefined;
  if (typeof value !== 'object' || value === null) return value || undefined;
  const fields = Object.entries(value)
    .filter(([name]) => !ignoredFields.includes(name))
    .map(([name, each]) => [name, clean(each)] as const)
    .filter(([, each]) => each !== undefined);
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
