import {
  createNodeView,
  type IptablesRules,
  type IptablesTransaction,
  iptablesRules,
  type NodeView,
  type ProxyNode,
  type ProxyService,
} from '../../../src/proxy/index.ts';
import { formatRule } from '../../../src/proxy/iptables/model.ts';
import type { EndpointSliceInput, IPFamily } from '../../../src/types/index.ts';

/** The fields of an endpoint; by default it is ready and on another node. */
export interface EndpointSpec {
  readonly ip: string;
  readonly node?: string;
  readonly ready?: boolean;
  readonly terminating?: boolean;
}

export const node: ProxyNode = { name: 'n1', addresses: ['192.168.0.1', 'fd00::1'] };

/** The Service shop/web with port 80 and overrides for its spec. */
export const makeWebService = (spec: NonNullable<ProxyService['spec']> = {}, status?: ProxyService['status']): ProxyService => ({
  metadata: { namespace: 'shop', name: 'web' },
  spec: { type: 'ClusterIP', clusterIP: '10.96.0.1', ports: [{ name: 'http', port: 80, protocol: 'TCP' }], ...spec },
  ...(status && { status }),
});

/** A slice of the Service shop/web. */
export const makeSlice = (endpoints: readonly EndpointSpec[], addressType: IPFamily = 'IPv4'): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType,
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: endpoints.map(({ ip, node: nodeName = 'n2', ready = true, terminating = false }) => ({
    addresses: [ip],
    nodeName,
    conditions: { ready, serving: ready || terminating, terminating },
  })),
});

export const makeNodeView = (service: ProxyService, endpoints: readonly EndpointSpec[], family: IPFamily = 'IPv4'): NodeView =>
  createNodeView({ services: [service], endpointSlices: [makeSlice(endpoints, family)] }, node, { family });

/** The rules of a chain as text; undefined if the chain does not exist. */
export const findChain = (rules: IptablesRules, table: 'filter' | 'nat', name: string): readonly string[] | undefined =>
  rules.tables[table].find((each) => each.name === name)?.rules.map(formatRule);

/** The names of the port's own chains. */
export const listOwnChains = (rules: IptablesRules): readonly string[] =>
  rules.tables.nat.map(({ name }) => name).filter((name) => /^KUBE-(SVC|SVL|EXT|FW|SEP)-/.test(name));

/** The rules of the only chain of a kind: "SVC", "SVL", "EXT", "FW". */
export function findOnlyChain(rules: IptablesRules, kind: string): readonly string[] | undefined {
  const names = listOwnChains(rules).filter((name) => name.startsWith(`KUBE-${kind}-`));
  return names.length === 1 ? findChain(rules, 'nat', names[0] as string) : undefined;
}

export const rulesFor = (service: ProxyService, endpoints: readonly EndpointSpec[], more: Partial<ProxyNode> = {}): IptablesRules =>
  iptablesRules(makeNodeView(service, endpoints), { ...node, ...more });

/** Chains with their rules, as `iptables-restore --noflush` would leave them. */
export type State = Map<string, readonly string[]>;

export function apply(state: State, { tables }: IptablesTransaction): State {
  const next = new Map(state);
  for (const [table, { write, remove, insert, delete: deletedChains }] of Object.entries(tables)) {
    const key = (name: string): string => `${table} ${name}`;
    const rulesOf = (name: string): readonly string[] => {
      const rules = next.get(key(name));
      if (!rules) throw new Error(`${key(name)}: no such chain`);
      return rules;
    };
    for (const { name, rules } of write) next.set(key(name), rules.map(formatRule));
    for (const { chain: name, rule } of remove) {
      if (!rulesOf(name).includes(formatRule(rule))) throw new Error(`${key(name)}: no such rule`);
      next.set(
        key(name),
        rulesOf(name).filter((text) => text !== formatRule(rule)),
      );
    }
    for (const { chain: name, rule } of insert) next.set(key(name), [formatRule(rule), ...rulesOf(name)]);
    for (const name of deletedChains) if (rulesOf(name)) next.delete(key(name));
  }
  for (const rules of next.values()) checkTargets(rules, next);
  return next;
}

function checkTargets(rules: readonly string[], state: State): void {
  for (const rule of rules) {
    const target = /-j (KUBE-[\w-]+)/.exec(rule)?.[1];
    if (target && !state.has(`nat ${target}`) && !state.has(`filter ${target}`)) throw new Error(`no chain ${target} for: ${rule}`);
  }
}

export const stateOf = (rules: IptablesRules): State =>
  new Map(
    Object.entries(rules.tables).flatMap(([table, chains]) =>
      chains.map((each) => [`${table} ${each.name}`, each.rules.map(formatRule)] as const),
    ),
  );

/** Sorts the rules of shared chains up to the jump to node ports, because their order has no effect. */
export const sortSharedChains = (state: State): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...state]
      .map(([name, rules]) => [name, sharedChain.test(name) ? sortRules(rules) : rules] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const sharedChain = /KUBE-(SERVICES|EXTERNAL-SERVICES|NODEPORTS|PROXY-FIREWALL)$/;

function sortRules(rules: readonly string[]): readonly string[] {
  const jump = rules.findIndex((rule) => rule.endsWith('-j KUBE-NODEPORTS'));
  const end = jump < 0 ? rules.length : jump;
  return [...rules.slice(0, end).sort(), 'jumps:', ...rules.slice(end)];
}
