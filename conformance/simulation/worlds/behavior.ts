import { createMachine, type Input, type Machine, type MachineOptions, type Snapshot } from './machine.ts';

/** A process after a sequence of inputs. Equal sequences lead to the same object. */
export interface Node {
  readonly id: number;
  readonly snapshot: Snapshot;
  /** Changes with everything that can be observed of the process, except its caches. */
  readonly signature: string;
}

/** The behavior of all processes, learned from the real controllers when it is needed. */
export interface Behavior {
  start(name: string, time: number): Promise<Node>;
  /** The process after one more input. */
  next(node: Node, input: Input): Promise<Node>;
  readonly stats: BehaviorStats;
}

export interface BehaviorStats {
  /** The number of distinct histories of processes. */
  nodes: number;
  /** The number of inputs that the real controllers have handled, including repetitions. */
  inputs: number;
  /** The number of processes that were started to repeat a history. */
  replays: number;
}

export interface BehaviorOptions extends Pick<MachineOptions, 'settings' | 'keys' | 'injectBug' | 'settle'> {
  /** The maximum number of processes that are kept in memory for further inputs. */
  readonly maxMachines: number;
}

interface LearnedNode extends Node {
  readonly parent: LearnedNode | undefined;
  readonly input: Input | undefined;
  readonly root: { readonly name: string; readonly time: number };
  readonly children: Map<string, LearnedNode>;
}

/**
 * A process is a deterministic function of its inputs. So its behavior is a tree that grows as a search needs it: a step of the search that
 * gives a process a history that it had before does not run the process again.
 *
 * Silent changes, which only update a cache, are sorted by watch, so that all orders of them lead to one node.
 */
export function createBehavior(options: BehaviorOptions): Behavior {
  const roots = new Map<string, LearnedNode>();
  const machines = createMachinePool(options.maxMachines);
  const stats: BehaviorStats = { nodes: 0, inputs: 0, replays: 0 };
  const startMachine = ({ name, time }: LearnedNode['root']): Promise<Machine> => createMachine({ ...options, name, startTime: time });
  const toNode = (fields: Omit<LearnedNode, 'id' | 'children' | 'snapshot' | 'signature'>, machine: Machine): LearnedNode => {
    stats.nodes += 1;
    const snapshot = machine.snapshot();
    const node: LearnedNode = { ...fields, id: stats.nodes, snapshot, signature: signatureOf(snapshot), children: new Map() };
    machines.put(node, machine);
    return node;
  };
  const replay = async (node: LearnedNode): Promise<Machine> => {
    stats.replays += 1;
    const machine = await startMachine(node.root);
    for (const input of inputsOf(node)) {
      stats.inputs += 1;
      await machine.apply(input);
    }
    if (signatureOf(machine.snapshot()) !== node.signature) throw new Error('a process has behaved differently with the same inputs');
    return machine;
  };
  const step = async (node: LearnedNode, input: Input): Promise<LearnedNode> => {
    const key = keyOfInput(input);
    const known = node.children.get(key);
    if (known) return known;
    const machine = machines.take(node) ?? (await replay(node));
    stats.inputs += 1;
    await machine.apply(input);
    const child = toNode({ parent: node, input, root: node.root }, machine);
    node.children.set(key, child);
    return child;
  };
  const next = async (node: LearnedNode, input: Input): Promise<LearnedNode> => {
    // A process notices the time only at other inputs.
    if (input.kind === 'time' && node.input?.kind === 'time') return step(node.parent as LearnedNode, input);
    return (input.kind === 'change' && (await insertSilently(node, input, step))) || step(node, input);
  };
  return {
    stats,
    async start(name, time) {
      const key = `${name} ${time}`;
      const root =
        roots.get(key) ?? toNode({ parent: undefined, input: undefined, root: { name, time } }, await startMachine({ name, time }));
      roots.set(key, root);
      return root;
    },
    next: (node, input) => next(node as LearnedNode, input),
  };
}

type Change = Extract<Input, { readonly kind: 'change' }>;

/** Inserts a silent change before the silent changes of later watches at the end of the history. Returns undefined if it is not silent. */
async function insertSilently(
  node: LearnedNode,
  change: Change,
  step: (node: LearnedNode, input: Input) => Promise<LearnedNode>,
): Promise<LearnedNode | undefined> {
  const later: Change[] = [];
  let base = node;
  while (base.parent && base.input?.kind === 'change' && base.input.watch > change.watch && isSilent(base)) {
    later.unshift(base.input);
    base = base.parent;
  }
  if (later.length === 0) return undefined;
  for (const input of [change, ...later]) {
    base = await step(base, input);
    if (!isSilent(base)) return undefined;
  }
  return base;
}

/** Whether the last input has caused nothing that can be observed, except that a key may be queued. */
const isSilent = ({ parent, signature }: LearnedNode): boolean => parent?.signature === signature;

const signatureOf = ({ calls, watches, timers, ownedKeys, ready, idle, problems, activityCount }: Snapshot): string =>
  JSON.stringify([
    ...[calls, watches, timers].map((each) => each.map(({ number }) => number)),
    ...[ownedKeys, ready, idle, problems.length, activityCount],
  ]);

function inputsOf(node: LearnedNode): Input[] {
  const inputs: Input[] = [];
  for (let each: LearnedNode | undefined = node; each?.input; each = each.parent) inputs.push(each.input);
  return inputs.reverse();
}

const keyOfInput = (input: Input): string => inputFormatters[input.kind](input as never);

const inputFormatters: { readonly [Kind in Input['kind']]: (input: Extract<Input, { readonly kind: Kind }>) => string } = {
  answer: ({ call, answer }) => `a${call} ${answer.id}`,
  change: ({ watch, change }) => `c${watch} ${change.id}`,
  broken: ({ watch, error }) => `b${watch} ${error.id}`,
  timer: ({ timer }) => `t${timer}`,
  time: ({ time }) => `T${time}`,
};

/** Keeps the machines that were used last. */
function createMachinePool(maxMachines: number) {
  const machines = new Map<LearnedNode, Machine>();
  return {
    put(node: LearnedNode, machine: Machine): void {
      machines.set(node, machine);
      const [oldest] = machines.keys();
      if (oldest && machines.size > maxMachines) machines.delete(oldest);
    },
    /** Removes the machine of a node from the pool and returns it; undefined if it is not there. */
    take(node: LearnedNode): Machine | undefined {
      const machine = machines.get(node);
      machines.delete(node);
      return machine;
    },
  };
}
