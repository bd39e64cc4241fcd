import { type Assertion, type Node, PatternProblem } from './node.ts';

export type Instruction =
  | { readonly op: 'char'; readonly accepts: (codePoint: number) => boolean; readonly next: number }
  | { readonly op: 'assert'; readonly what: Assertion; readonly next: number }
  | { readonly op: 'split'; readonly next: readonly number[] }
  | { readonly op: 'match' };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** The automaton of a pattern; counted repetitions are written out. @throws PatternProblem where that is more than `most` instructions */
export function programOf(node: Node, pattern: string, most: number): Program {
  const instructions: Instruction[] = [{ op: 'match' }];
  const emit = (instruction: Instruction): number => {
    if (instructions.length >= most) throw new PatternProblem('expression too large', pattern);
    return instructions.push(instruction) - 1;
  };
  const build = (each: Node, next: number): number => builders[each.kind](each as never, next, build, emit, instructions);
  return { start: build(node, 0), instructions };
}

type Emit = (instruction: Instruction) => number;
type Build = (node: Node, next: number) => number;
type Builder = (node: never, next: number, build: Build, emit: Emit, instructions: Instruction[]) => number;
type Of<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

const builders: Readonly<Record<Node['kind'], Builder>> = {
  empty: (_node, next) => next,
  char: ({ accepts }: Of<'char'>, next, _build, emit) => emit({ op: 'char', accepts, next }),
  assert: ({ what }: Of<'assert'>, next, _build, emit) => emit({ op: 'assert', what, next }),
  concat: ({ nodes }: Of<'concat'>, next, build) => nodes.reduceRight((after, each) => build(each, after), next),
  alternate: ({ nodes }: Of<'alternate'>, next, build, emit) => emit({ op: 'split', next: nodes.map((each) => build(each, next)) }),
  repeat: ({ node, min, max, lazy = false }: Of<'repeat'>, next, build, emit, instructions) => {
    const choice = (first: number): readonly number[] => (lazy ? [next, first] : [first, next]);
    if (max === undefined) return loop(node, min, choice, build, emit, instructions);
    let entry = next;
    for (let i = min; i < max; i += 1) entry = emit({ op: 'split', next: choice(build(node, entry)) });
    return times(node, min, entry, build);
  },
};

/** The last time leads back to itself. What may be empty is entered by a choice of its own, as its own would have been made by then. */
function loop(
  node: Node,
  min: number,
  choice: (first: number) => readonly number[],
  build: Build,
  emit: Emit,
  instructions: Instruction[],
): number {
  const split = emit({ op: 'split', next: [] });
  const entry = build(node, split);
  instructions[split] = { op: 'split', next: choice(entry) };
  if (min > 0) return times(node, min - 1, entry, build);
  return mayBeEmpty(node) ? emit({ op: 'split', next: choice(entry) }) : split;
}

function times(node: Node, count: number, next: number, build: Build): number {
  let entry = next;
  for (let i = 0; i < count; i += 1) {
    const after = entry;
    entry = build(node, after);
    // What is empty is so however often.
    if (entry === after) break;
  }
  return entry;
}

function mayBeEmpty(node: Node): boolean {
  if (node.kind === 'repeat') return node.min === 0 || mayBeEmpty(node.node);
  if (node.kind === 'concat') return node.nodes.every(mayBeEmpty);
  return node.kind === 'alternate' ? node.nodes.some(mayBeEmpty) : node.kind !== 'char';
}
