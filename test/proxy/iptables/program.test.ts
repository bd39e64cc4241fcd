import { describe, expect, it } from 'vitest';
import { createIptablesProgram, type IptablesTransaction, iptablesRules, type ServicePortView } from '../../../src/proxy/index.ts';
import { isEmptyIptablesTransaction } from '../../../src/proxy/iptables/diff.ts';
import { nodeOf, type ProxyCase, readVectors, viewOf } from '../../golden/proxy/form.ts';
import { fc } from '../../support/property.ts';
import { apply, makeNodeView, makeWebService, node, type State, sortSharedChains, stateOf } from './fixtures.ts';

const endpoints = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `10.1.${i >> 8}.${i & 255}` }));
const portWith = (count: number): ServicePortView => makeNodeView(makeWebService(), endpoints(count)).ports[0] as ServicePortView;
const countRules = ({ tables }: IptablesTransaction): number =>
  Object.values(tables).reduce(
    (sum, { write, remove, insert }) => sum + write.flatMap(({ rules }) => rules).length + remove.length + insert.length,
    0,
  );

describe('createIptablesProgram', () => {
  it('writes all rules first, and nothing without a change', () => {
    const program = createIptablesProgram(node, 'IPv4');
    program.set(portWith(2));
    expect(sortSharedChains(apply(new Map(), program.sync()))).toEqual(
      sortSharedChains(stateOf(iptablesRules(makeNodeView(makeWebService(), endpoints(2)), node))),
    );
    expect(isEmptyIptablesTransaction(program.sync())).toBe(true);
    program.set(portWith(2));
    expect(isEmptyIptablesTransaction(program.sync())).toBe(true);
  });

  it('writes only the changes', () => {
    const program = createIptablesProgram(node, 'IPv4');
    for (let i = 0; i < 500; i++) program.set({ ...portWith(2), name: `shop/s${i}` });
    const fullSize = countRules(program.sync());
    program.set({ ...portWith(1), name: 'shop/s7' });
    expect(countRules(program.sync())).toBeLessThan(fullSize / 100);
  });

  it('removes and restores comments as the number of endpoints crosses the limit', () => {
    const program = createIptablesProgram(node, 'IPv4');
    let state: State = new Map();
    for (const count of [1000, 1001, 1000]) {
      program.set(portWith(count));
      state = apply(state, program.sync());
      expect(sortSharedChains(state), String(count)).toEqual(
        sortSharedChains(stateOf(iptablesRules(makeNodeView(makeWebService(), endpoints(count)), node))),
      );
    }
  });

  it('keeps the old rules if a Service is refused, and continues once it is corrected', () => {
    const program = createIptablesProgram(node, 'IPv4');
    program.set(portWith(2));
    let state = apply(new Map(), program.sync());
    program.set(portWith(3));
    program.set({ ...portWith(1), name: 'shop/other', clusterIP: 'invalid' });
    expect(() => program.sync()).toThrow('spec.clusterIPs[] is "invalid"');
    program.delete({ name: 'shop/other', protocol: 'TCP' });
    state = apply(state, program.sync());
    expect(sortSharedChains(state)).toEqual(sortSharedChains(stateOf(iptablesRules(makeNodeView(makeWebService(), endpoints(3)), node))));
  });

  it('applies changes of the node', () => {
    const program = createIptablesProgram(node, 'IPv4');
    program.set(portWith(2));
    const state = apply(new Map(), program.sync());
    const changedNode = { ...node, podCIDRs: ['10.1.0.0/16'], nodePortAddresses: ['192.168.0.0/16'] };
    program.setNode(changedNode);
    expect(sortSharedChains(apply(state, program.sync()))).toEqual(
      sortSharedChains(stateOf(iptablesRules(makeNodeView(makeWebService(), endpoints(2)), changedNode))),
    );
    expect(() => program.setNode({ ...node, masqueradeBit: -1 })).toThrow(RangeError);
  });
});

it('createIptablesProgram has the rules of a full rebuild after any changes', () => {
  const cases = readVectors<ProxyCase>('rules-cases').slice(0, 60);
  const ports = cases.flatMap((proxyCase) => viewOf(proxyCase, 'IPv4').ports).slice(0, 200);
  const settings = nodeOf(cases[0] as ProxyCase);
  const step = fc.oneof(
    fc.record({ do: fc.constant('set' as const), at: fc.nat(ports.length - 1) }),
    fc.record({ do: fc.constant('delete' as const), at: fc.nat(ports.length - 1) }),
    fc.record({ do: fc.constant('sync' as const), at: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const program = createIptablesProgram(settings, 'IPv4');
      const currentPorts = new Map<string, ServicePortView>();
      let state: State = new Map();
      for (const { do: action, at } of [...steps, { do: 'sync' as const, at: 0 }]) {
        const port = ports[at] as ServicePortView;
        if (action === 'sync') {
          state = apply(state, program.sync());
          const allRules = iptablesRules(
            { family: 'IPv4', ports: [...currentPorts.values()], healthCheckNodePorts: {}, localReady: {} },
            settings,
          );
          expect(sortSharedChains(state)).toEqual(sortSharedChains(stateOf(allRules)));
          expect(sortSharedChains(stateOf(program.rules()))).toEqual(sortSharedChains(state));
        } else if (action === 'set') {
          program.set(port);
          currentPorts.set(`${port.name} ${port.protocol}`, port);
        } else {
          program.delete(port);
          currentPorts.delete(`${port.name} ${port.protocol}`);
        }
      }
    }),
    { numRuns: 60 },
  );
});
