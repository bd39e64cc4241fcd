import type { Operand } from './functions.ts';
import { fixed, type Range, union, unknownSize } from './range.ts';
import { isConstantSize, type Node, readType } from './types.ts';

/** A variable, followed by names of fields, "@items", "@keys" or "@values". */
export type Path = readonly string[];

/** The sizes of the keys and values of a list or map. */
export interface EntrySize {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

export interface LocalVariable {
  readonly path: Path;
  readonly size?: Range | undefined;
  readonly entry?: EntrySize | undefined;
}

/** What is known of the nodes and local variables of an expression. */
export interface Scope {
  findVariable(name: string): LocalVariable | undefined;
  /** Runs a function in which a name stands for a local variable. */
  withVariables<T>(variables: Readonly<Record<string, LocalVariable>>, run: () => T): T;
  pathOf(node: Node): Path;
  setPath(node: Node, path: Path): void;
  sizeOf(node: Node): Range | undefined;
  sizeOrUnknown(node: Node): Range;
  setSize(node: Node, size: Range | undefined): void;
  entryOf(node: Node): EntrySize | undefined;
  setEntry(node: Node, entry: EntrySize | undefined): void;
  operandOf(node: Node): Operand;
}

/** A part of an expression has no estimate. */
export class UnknownCost extends Error {}

/** Estimates nodes of one expression. Each node must be estimated once. */
export interface Coster {
  readonly scope: Scope;
  cost(node: Node): Range;
  /** Estimates a call with its operands, and records the size of its result. */
  call(node: Node, name: string, target: Node | undefined, args: readonly Node[]): Range;
}

/** Mirrors the bookkeeping of coster (checker/cost.go of cel-go 0.26). */
export function createScope(sizeOfPath: (path: Path) => Range | undefined): Scope {
  const paths = new Map<Node, Path>();
  const sizes = new Map<Node, Range>();
  const entries = new Map<Node, EntrySize>();
  const variables = new Map<string, LocalVariable>();
  const findOwnVariable = (node: Node): LocalVariable | undefined => (node.op === 'id' ? variables.get(String(node.args)) : undefined);
  const scope: Scope = {
    findVariable: (name) => variables.get(name),
    withVariables(locals, run) {
      const hidden = new Map(Object.keys(locals).map((name) => [name, variables.get(name)]));
      for (const [name, variable] of Object.entries(locals)) variables.set(name, variable);
      const result = run();
      for (const [name, variable] of hidden) {
        if (variable) variables.set(name, variable);
        else variables.delete(name);
      }
      return result;
    },
    pathOf: (node) => findOwnVariable(node)?.path ?? paths.get(node) ?? [],
    setPath: (node, path) => void paths.set(node, path),
    sizeOf(node) {
      const known = sizes.get(node) ?? sizeOfLiteral(node);
      if (known) return known;
      const path = scope.pathOf(node);
      const size = path.length > 0 ? sizeOfPath(path) : undefined;
      if (size) sizes.set(node, size);
      return size ?? (isConstantSize(readType(node)) ? fixed(1) : findOwnVariable(node)?.size);
    },
    sizeOrUnknown: (node) => scope.sizeOf(node) ?? unknownSize,
    setSize: (node, size) => void (size && sizes.set(node, size)),
    entryOf: (node) => entries.get(node) ?? findOwnVariable(node)?.entry,
    setEntry: (node, entry) => void (entry && entries.set(node, entry)),
    operandOf(node) {
      const { kind, value } = readType(node);
      const path = scope.pathOf(node);
      const elementSize = (path.length > 0 && sizeOfPath([...path, '@items'])) || unknownSize;
      return {
        size: scope.sizeOrUnknown(node),
        type: kind,
        ...(kind === 'list' && value && { element: { type: value.kind, size: elementSize } }),
        ...(node.op === 'value' && typeof node.args === 'bigint' && { integer: node.args }),
      };
    },
  };
  return scope;
}

export const unionEntries = (a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined =>
  a && b && { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };

/** Whether a node is a literal of a number, which may have a sign. */
export const isNumber = ({ op, args }: Node): boolean => op === 'value' && (typeof args === 'bigint' || typeof args === 'number');

function sizeOfLiteral({ op, args }: Node): Range | undefined {
  if (op === 'list' || op === 'map') return fixed((args as readonly unknown[]).length);
  if (op === '-_' && isNumber(args as Node)) return fixed(1);
  if (op !== 'value') return undefined;
  if (typeof args === 'string') return fixed([...args].length);
  return fixed(args instanceof Uint8Array ? args.length : 1);
}
