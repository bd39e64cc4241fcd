/** A node of the library, with the type that it inferred. */
export interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly checkedType?: unknown;
}

/** The type of a node. */
export interface NodeType {
  /** "struct" for objects, "param" for the elements of an empty list; otherwise the name without parameters. */
  readonly kind: string;
  readonly value?: NodeType;
}

/** The library's declaration of a type. */
interface Declaration {
  readonly kind: string;
  readonly name: string;
  readonly valueType?: Declaration;
}

/** Reads the type that the library stored at a node. Nullable values, which are dynamic for the library, have their own type. */
export const readType = (node: Node): NodeType => toNodeType(node.checkedType as Declaration | undefined);

function toNodeType(declaration: Declaration | undefined): NodeType {
  if (!declaration) return { kind: 'dyn' };
  const { kind, name, valueType } = declaration;
  if (kind === 'dyn') return valueType ? toNodeType(valueType) : { kind: 'dyn' };
  if (kind === 'list' || kind === 'map' || kind === 'optional') return { kind, value: toNodeType(valueType) };
  if (kind === 'message') return { kind: /^object\d+$/.test(name) ? 'struct' : name };
  return { kind: kind === 'param' ? 'param' : name };
}

const constantSizes: ReadonlySet<string> = new Set([
  'bool',
  'double',
  'int',
  'uint',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** Whether all values of a type have the size 1. */
export const isConstantSize = ({ kind, value }: NodeType): boolean =>
  kind === 'optional' && value ? isConstantSize(value) : constantSizes.has(kind);
