import type { ObjectReference } from '../../../types/index.ts';
import type { InternTable } from './intern.ts';

/** The object behind an address. */
export function projectReference(reference: ObjectReference, table: InternTable): ObjectReference {
  const { kind, namespace, name, uid, ...more } = reference;
  const kept = { kind: table.text(kind), namespace: table.text(namespace), name, uid };
  return isPlain(reference) ? kept : { ...kept, ...more };
}

/** What controllers write for a pod: these four fields. */
function isPlain(reference: ObjectReference): boolean {
  for (const field in reference) if (!usual.has(field)) return false;
  return true;
}

const usual: ReadonlySet<string> = new Set(['kind', 'namespace', 'name', 'uid']);
