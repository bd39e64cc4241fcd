import { describe, expect, it } from 'vitest';
import type { DesiredState } from '../../../src/spec/slices/desired.ts';
import { newSlice } from '../../../src/spec/slices/metadata.ts';
import type { SliceChanges } from '../../../src/spec/slices/pack.ts';
import { planChanges, recycle } from '../../../src/spec/slices/sync.ts';
import type { EndpointSliceInput, Service } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService, profileWith } from '../objects.ts';
import { desiredOf, httpPort, makeEndpoint, makeSlice, owner, ownLabels, readerOf } from './objects.ts';

const foreign = { ...owner, uid: 'earlier' };
const placeholder = (metadata: EndpointSliceInput['metadata'] = {}) => makeSlice('p', [], { ports: [], metadata });
const web = makeService();
const right = makeSlice('s', [makeEndpoint()]);
const earlier = makeSlice('e', [makeEndpoint()], { metadata: { ownerReferences: [foreign] } });
const otherPorts = makeSlice('o', [makeEndpoint()], { ports: [{ ...httpPort, port: 1 }] });

function changes(
  pods: number,
  there: readonly EndpointSliceInput[],
  gates: Parameters<typeof profileWith>[0] = {},
  service: Service = web,
): string {
  const profile = profileWith(gates);
  const list = ['a', 'b', 'c'].slice(0, pods).map((name) => makePod(name));
  const [state] = desiredOf(service, list, undefined, ['IPv4'], profile);
  return outline(
    planChanges(state as DesiredState, freezeDeeply(there.slice()), {
      service,
      profile,
      maxEndpointsPerSlice: 2,
      read: readerOf(service, profile),
    }),
  );
}
const outline = ({ create, update, delete: toDelete, codes }: SliceChanges) => {
  const sizes = create.map(({ endpoints }) => endpoints.length);
  const names = [update, toDelete].map((list) => list.map(({ metadata }) => metadata?.name).join());
  return `create [${sizes}] update [${names[0]}] delete [${names[1]}] ${[...codes].join(' ')}`.trim();
};

const before = { placeholderKept: false };
const portsApart = { slicePortsNilAsEmpty: false };
const kept = 'create [] update [] delete []';

describe('planChanges', () => {
  it.each<{ name: string; args: Parameters<typeof changes>; expected: string }>([
    { name: 'all slices match', args: [1, [right]], expected: kept },
    { name: 'no slices exist', args: [3, []], expected: 'create [2,1] update [] delete [] EndpointsAdded' },
    { name: 'different ports', args: [1, [otherPorts]], expected: 'create [1] update [] delete [o] EndpointsAdded PortsNotWanted' },
    {
      name: 'different ports and a matching slice',
      args: [1, [otherPorts, right]],
      expected: 'create [] update [] delete [o] PortsNotWanted',
    },
    {
      name: 'a slice of an earlier Service',
      args: [1, [earlier]],
      expected: 'create [1] update [] delete [e] SliceOfOtherService EndpointsAdded',
    },
    {
      name: 'a slice of an earlier Service and a matching slice',
      args: [1, [earlier, right]],
      expected: 'create [] update [] delete [e] SliceOfOtherService',
    },
    // the placeholder
    { name: 'no pods and no slices', args: [0, []], expected: 'create [0] update [] delete [] Placeholder' },
    { name: 'no pods', args: [0, [right]], expected: 'create [0] update [] delete [s] PortsNotWanted Placeholder' },
    {
      name: 'two placeholders',
      args: [0, [placeholder(), placeholder({ name: 'q' })]],
      expected: 'create [0] update [] delete [p,q] PortsNotWanted Placeholder',
    },
    { name: 'a placeholder', args: [0, [placeholder()]], expected: kept },
    { name: 'a placeholder', args: [0, [placeholder()], before], expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder' },
    {
      name: 'a placeholder with absent ports and endpoints',
      args: [0, [{ ...placeholder(), ports: null, endpoints: null }]],
      expected: kept,
    },
    { name: 'a placeholder with absent ports', args: [0, [{ ...placeholder(), ports: null }], portsApart], expected: kept },
    { name: 'a placeholder of an earlier Service', args: [0, [placeholder({ ownerReferences: [foreign] })]], expected: kept },
    { name: 'a placeholder with an additional empty label', args: [0, [placeholder({ labels: { ...ownLabels, a: '' } })]], expected: kept },
    {
      name: 'a placeholder with an additional label',
      args: [0, [placeholder({ labels: { ...ownLabels, a: '1' } })]],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    {
      name: 'a placeholder without a label of the Service',
      args: [0, [placeholder()], {}, makeService({}, { labels: { a: '1' } })],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    {
      name: 'a placeholder without an empty label of the Service',
      args: [0, [placeholder()], {}, makeService({}, { labels: { a: '' } })],
      expected: kept,
    },
    {
      name: 'a placeholder with a label called constructor',
      args: [0, [placeholder({ labels: { ...ownLabels, constructor: '' } })]],
      expected: kept,
    },
    {
      name: 'a placeholder with endpoints',
      args: [0, [{ ...placeholder(), endpoints: [makeEndpoint()] }]],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    {
      name: 'a placeholder in addition to pods',
      args: [1, [placeholder(), right]],
      expected: 'create [] update [] delete [p] PortsNotWanted',
    },
    {
      name: 'a placeholder of a Service without ports',
      args: [0, [placeholder()], before, makeService({ ports: [] })],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    // ports
    {
      name: 'absent ports for a Service without ports',
      args: [1, [{ ...right, ports: null }], {}, makeService({ ports: [] })],
      expected: kept,
    },
    {
      name: 'absent ports for a Service without ports',
      args: [1, [{ ...right, ports: null }], portsApart, makeService({ ports: [] })],
      expected: 'create [1] update [] delete [s] EndpointsAdded PortsNotWanted',
    },
    {
      name: 'empty ports for a Service without ports',
      args: [1, [{ ...right, ports: [] }], portsApart, makeService({ ports: [] })],
      expected: kept,
    },
  ])('$name ($args.0 pods, $args.2): $expected', ({ args, expected }) => {
    expect(changes(...args)).toBe(expected);
  });

  it('groups by ports in any order, and deletes slices with other ports sorted by ports', () => {
    const two = makeService({ ports: [1, 2].map((port) => ({ name: `p${port}`, protocol: 'TCP', targetPort: port })) });
    const ports = [1, 2].map((port) => ({ name: `p${port}`, port, protocol: 'TCP' }));
    expect(changes(1, [{ ...right, ports }], {}, two)).toBe(kept);
    expect(changes(1, [{ ...right, ports: ports.toReversed() }], {}, two)).toBe(kept);
    const unwanted = [9, 8, 7].map((port) => makeSlice(`s${port}`, [makeEndpoint()], { ports: [{ ...httpPort, port }] }));
    expect(changes(1, [...unwanted, right])).toBe('create [] update [] delete [s7,s8,s9] PortsNotWanted');
  });

  it('packs each group separately', () => {
    const named = makeService({ ports: [{ name: 'http', protocol: 'TCP', targetPort: 'web' }] });
    const pods = [8080, 9090].map((containerPort, i) =>
      makePod(`p${i}`, { spec: { containers: [{ ports: [{ name: 'web', containerPort, protocol: 'TCP' }] }] } }),
    );
    const profile = profileWith();
    const [state] = desiredOf(named, pods, undefined, ['IPv4'], profile);
    const { create } = planChanges(state as DesiredState, [], {
      service: named,
      profile,
      maxEndpointsPerSlice: 5,
      read: readerOf(named, profile),
    });
    expect(create.map(({ ports, endpoints }) => [ports[0]?.port, endpoints[0]?.targetRef?.name])).toEqual([
      [8080, 'p0'],
      [9090, 'p1'],
    ]);
  });
});

describe('recycle', () => {
  const made = (...ports: number[]) => ports.map((port) => newSlice(web, 'IPv4', [{ ...httpPort, port }]));
  const run = (create: number[], toDelete: EndpointSliceInput[]) => {
    const changed: SliceChanges = { create: made(...create), update: [], delete: toDelete, codes: new Set() };
    recycle(changed, web);
    return [
      changed.create.map(({ ports }) => ports[0]?.port),
      changed.update.map(({ metadata, ports }) => `${metadata.name}:${ports[0]?.port}`),
      changed.delete.map(({ metadata }) => metadata?.name),
    ];
  };
  const toDelete = (...names: string[]) => names.map((name) => makeSlice(name, []));

  it.each<[number[], EndpointSliceInput[], ReturnType<typeof run>]>([
    [[], [], [[], [], []]],
    [[1], [], [[1], [], []]],
    [[], toDelete('a'), [[], [], ['a']]],
    [[1], toDelete('a'), [[], ['a:1'], []]],
    [[1, 2, 3], toDelete('a', 'b'), [[1], ['a:3', 'b:2'], []]],
    [[1], toDelete('a', 'b'), [[], ['a:1'], ['b']]],
    [[1], [earlier], [[1], [], ['e']]],
    [[1], [earlier, ...toDelete('a'), earlier], [[], ['a:1'], ['e', 'e']]],
  ])('reuses slices for creates %j, case %#', (create, there, expected) => {
    expect(run(create, there)).toEqual(expected);
  });

  it('keeps only the name, UID and resourceVersion of the slice that it reuses', () => {
    const changed: SliceChanges = {
      create: made(1),
      update: [],
      delete: [makeSlice('a', [], { metadata: { annotations: { x: '1' } } })],
      codes: new Set(),
    };
    recycle(changed, web);
    expect(changed.update[0]?.metadata).toEqual({ ...newSlice(web, 'IPv4', []).metadata, name: 'a', uid: 'uid-a', resourceVersion: '5' });
    const bare: SliceChanges = { create: made(1), update: [], delete: [{ metadata: { ownerReferences: [owner] } }], codes: new Set() };
    recycle(bare, web);
    expect(bare.update[0]?.metadata).toEqual({ ...newSlice(web, 'IPv4', []).metadata, name: '' });
  });
});
