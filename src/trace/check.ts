import { TraceError, type TraceObjects } from './objects.ts';

/** Sees that lists hold objects: whoever writes JavaScript may hand in anything. @throws TraceError naming the field */
export function checkObjects(objects: TraceObjects): void {
  for (const field of ['services', 'pods'] as const) {
    if (!Array.isArray(objects[field])) throw new TraceError(`objects.${field}: give a list, which may be empty`);
  }
  for (const field of fields) checkList(objects[field], `objects.${field}`);
  for (const [at, slice] of (objects.slices ?? []).entries()) checkList(slice.endpoints, `objects.slices[${at}].endpoints`);
}

const fields = ['services', 'pods', 'slices', 'endpoints', 'nodes', 'namespaces', 'serviceCIDRs', 'events'] as const;

function checkList(list: readonly unknown[] | null | undefined, path: string): void {
  const at = (list ?? []).findIndex((each) => typeof each !== 'object' || each === null);
  if (at >= 0) throw new TraceError(`${path}[${at}]: give an object, not ${JSON.stringify(list?.[at])}`);
}
