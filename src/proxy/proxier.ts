import type { IPFamily } from '../apimachinery/index.ts';
import type { EndpointSliceInput } from '../types/index.ts';
import type { IptablesRules, IptablesTransaction } from './iptables/model.ts';
import { createIptablesProgram } from './iptables/program.ts';
import type { NftablesRules, NftablesTransaction } from './nftables/model.ts';
import { createNftablesProgram } from './nftables/program.ts';
import type { ProxyNode, ProxyService } from './objects.ts';
import { createViewTracker, type TrackedObjects } from './tracker.ts';
import type { NodeView, ServicePortView } from './view.ts';

/** kube-proxy's `--proxy-mode`. */
export type ProxyMode = 'nftables' | 'iptables';

/** A node's rules, kept in step with its objects: what changes costs the Service that it is of. */
export interface Proxier<Rules = NftablesRules, Transaction = NftablesTransaction> {
  readonly services: TrackedObjects<ProxyService>;
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  /** @throws RangeError for a node that no rules can be written of; the former one stays */
  setNode(node: ProxyNode): void;
  /**
   * What brings the rules from where the last transaction left them to where they have to be; the first time all of them, whatever
   * there was.
   * @throws RangeError for a Service that no rules can be written of; the next call tries again
   */
  sync(): Transaction;
  /** Makes the next transaction all of the rules: one was not applied, or somebody else has written to the tables. */
  forget(): void;
  /** The rules as of the last transaction. */
  rules(): Rules;
  /** The node's view as of the last transaction. */
  view(): NodeView;
}

export interface ProxierOptions {
  readonly node: ProxyNode;
  /** IPv4 by default: a node of two families has a proxier of each. */
  readonly family?: IPFamily;
  /** nftables by default. */
  readonly mode?: ProxyMode;
}

/** @throws RangeError for a family or a mode that is none, or a node that no rules can be written of */
export function createProxier(options: ProxierOptions & { readonly mode: 'iptables' }): Proxier<IptablesRules, IptablesTransaction>;
export function createProxier(options: ProxierOptions & { readonly mode?: 'nftables' }): Proxier;
export function createProxier({ node, family = 'IPv4', mode = 'nftables' }: ProxierOptions): Proxier<unknown, unknown> {
  if (!Object.hasOwn(programs, mode)) throw new RangeError(`mode must be "nftables" or "iptables", not ${JSON.stringify(mode)}`);
  const create = programs[mode];
  const tracker = createViewTracker({ node, family });
  const program = create(node, family);
  return {
    services: tracker.services,
    endpointSlices: tracker.endpointSlices,
    setNode: (next) => {
      program.setNode(next);
      tracker.setNode(next);
    },
    sync: () => {
      const changes = tracker.pending();
      for (const { before, after } of changes) tell(program, before?.ports ?? [], after?.ports ?? []);
      tracker.settle(changes);
      return program.sync();
    },
    forget: () => program.forget(),
    rules: () => program.rules(),
    view: tracker.view,
  };
}

/** What a mode makes of the ports of Services. */
interface Program {
  set(port: ServicePortView): void;
  delete(port: ServicePortView): void;
  setNode(node: ProxyNode): void;
  sync(): unknown;
  forget(): void;
  rules(): unknown;
}

const programs: Readonly<Record<ProxyMode, (node: ProxyNode, family: IPFamily) => Program>> = {
  nftables: createNftablesProgram,
  iptables: createIptablesProgram,
};

function tell(program: Program, before: readonly ServicePortView[], after: readonly ServicePortView[]): void {
  const stays = new Set(after.map(keyOf));
  for (const port of before) if (!stays.has(keyOf(port))) program.delete(port);
  for (const port of after) program.set(port);
}

const keyOf = ({ portName, protocol }: ServicePortView): string => `${portName}/${protocol}`;
