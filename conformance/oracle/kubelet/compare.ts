import { isDeepStrictEqual } from 'node:util';
import type { KubeletMode } from './case.ts';

/** Whether the simulator answers like the kubelet. In a pod's status, Go's zero values count as absent. */
export const isSameAnswer = (mode: KubeletMode, theirs: unknown, ours: unknown): boolean =>
  mode === 'status' ? isDeepStrictEqual(clean(theirs), clean(ours)) : isDeepStrictEqual(theirs, ours);

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
