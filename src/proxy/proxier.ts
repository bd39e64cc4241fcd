import type { IPFamily } from '../apimachinery/index.ts';
import type { EndpointSliceInput, EndpointsInput } from '../types/index.ts';
import type { ProxyVersionOptions } from './gates.ts';
import type { IptablesRules, IptablesTransaction } from './iptables/model.ts';
import { createIptablesProgram } from './iptables/program.ts';
import type { NftablesRules, NftablesTransaction } from './nftables/model.ts';
import { createNftablesProgram } from './nftables/program.ts';
import type { ProxyNode, ProxyService } from './objects.ts';
import { createViewTracker, type TrackedObjects } from './tracker.ts';
import type { NodeView, ServicePortView } from './view.ts';

/** kube-proxy's `--proxy-mode`. */
export type ProxyMode = 'nftables' | 'iptables';

/** Incrementally updated rules of a node. The cost of a change depends on the size of its Service, not on the number of Services. */
export interface Proxier<Rules = NftablesRules, Transaction = NftablesTransaction> {
  readonly services: TrackedObjects<ProxyService>;
  /** Ignored by releases before 1.19, unless a feature gate is set (gate `slicesRead`). */
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  /** Read instead of `endpointSlices` by the releases that ignore these; ignored by the others. */
  readonly endpoints: TrackedObjects<EndpointsInput>;
  /** @throws RangeError if the node cannot be written as rules; the previous node then stays in effect */
  setNode(node: ProxyNode): void;
  /**
   * Returns the changes since the last transaction. The first transaction contains all rules, which replace any existing ones.
   * @throws RangeError if a Service cannot be written as rules; the next call retries
   */
  sync(): Transaction;
  /** Makes the next transaction contain all rules. Call it if a transaction was not applied or another program wrote to the tables. */
  forget(): void;
  /** The rules as of the last transaction. */
  rules(): Rules;
  /** The node's view as of the last transaction. */
  view(): NodeView;
}

export interface ProxierOptions extends ProxyVersionOptions {
  readonly node: ProxyNode;
  /** Default: IPv4. A dual-stack node needs one proxier per family. */
  readonly family?: IPFamily;
  /** Default: nftables. */
  readonly mode?: ProxyMode;
}

/**
 * Creates the proxier of a node: it keeps the rules that kube-proxy would write, and returns each change as a transaction.
 * @throws RangeError if the family, the mode or the node is invalid, or the version is unknown
 */
export function createProxier(options: ProxierOptions & { readonly mode: 'iptables' }): Proxier<IptablesRules, IptablesTransaction>;
export function createProxier(options: ProxierOptions & { readonly mode?: 'nftables' }): Proxier;
export function createProxier({ node, family = 'IPv4', mode = 'nftables', ...release }: ProxierOptions): Proxier<unknown, unknown> {
  if (!Object.hasOwn(programs, mode)) throw new RangeError(`mode must be "nftables" or "iptables", not ${JSON.stringify(mode)}`);
  const create = programs[mode];
  const tracker = createViewTracker({ node, family, ...release });
  const program = create(node, family, release);
  return {
    services: tracker.services,
    endpointSlices: tracker.endpointSlices,
    endpoints: tracker.endpoints,
    setNode: (newNode) => {
      program.setNode(newNode);
      tracker.setNode(newNode);
    },
    sync: () => {
      const changes = tracker.pendingChanges();
      for (const { before, after } of changes) applyChange(program, before?.ports ?? [], after?.ports ?? []);
      tracker.commit(changes);
      return program.sync();
    },
    forget: () => program.forget(),
    rules: () => program.rules(),
    view: tracker.view,
  };
}

/** The part of a proxier that depends on the mode: turns ports into rules. */
interface Program {
  set(port: ServicePortView): void;
  delete(port: ServicePortView): void;
  setNode(node: ProxyNode): void;
  sync(): unknown;
  forget(): void;
  rules(): unknown;
}

const programs: Readonly<Record<ProxyMode, (node: ProxyNode, family: IPFamily, options: ProxyVersionOptions) => Program>> = {
  nftables: createNftablesProgram,
  iptables: createIptablesProgram,
};

function applyChange(program: Program, before: readonly ServicePortView[], after: readonly ServicePortView[]): void {
  const remainingKeys = new Set(after.map(keyOf));
  for (const port of before) if (!remainingKeys.has(keyOf(port))) program.delete(port);
  for (const port of after) program.set(port);
}

const keyOf = ({ portName, protocol }: ServicePortView): string => `${portName}/${protocol}`;
