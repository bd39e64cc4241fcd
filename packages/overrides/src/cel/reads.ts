import { childrenOf } from '@kube-endpoints/cel';
import type { ASTNode } from '@marcbachmann/cel-js';

/** What an expression reads of its variables: by their names, the ways into them, two fields deep; "" where one is read as a whole. */
export type Reads = ReadonlyMap<string, ReadonlySet<string>>;

export function readsOf(ast: ASTNode): Reads {
  const reads = new Map<string, Set<string>>();
  const visit = (node: ASTNode): void => {
    const way = wayOf(node);
    if (!way) {
      childrenOf(node).forEach(visit);
      return;
    }
    const known = reads.get(way.name) ?? new Set<string>();
    reads.set(way.name, known.add(way.fields.slice(0, 2).join('.')));
  };
  visit(ast);
  return reads;
}

/** `a.b.c` is a way; everything else, such as `a["b"]`, is made of ways. */
function wayOf(node: ASTNode): { readonly name: string; readonly fields: readonly string[] } | undefined {
  if (node.op === 'id') return { name: node.args, fields: [] };
  if (node.op !== '.') return undefined;
  const [object, field] = node.args;
  const way = wayOf(object);
  return way && { name: way.name, fields: [...way.fields, field] };
}

/** The fields of a variable that are read; undefined where it is read as a whole. */
export function fieldsRead(reads: Reads, name: string): ReadonlySet<string> | undefined {
  const ways = [...(reads.get(name) ?? [])];
  return ways.includes('') ? undefined : new Set(ways.map((way) => way.split('.')[0] as string));
}

/** Whether what rules change is read of the object: anything but what it is, and who. */
export const readsContent = (reads: Reads): boolean => [...(reads.get('object') ?? [])].some((way) => !lasting.has(way));

const lasting: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'addressType',
  ...['name', 'generateName', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'ownerReferences'].map(
    (field) => `metadata.${field}`,
  ),
]);
