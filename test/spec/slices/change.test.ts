import { describe, expect, it } from 'vitest';
import type { DesiredState } from '../../../src/spec/slices/desired.ts';
import { newSlice } from '../../../src/spec/slices/metadata.ts';
import type { SliceChanges } from '../../../src/spec/slices/pack.ts';
import { planChanges, recycle } from '../../../src/spec/slices/sync.ts';
import type { EndpointSliceInput, Service } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService, profileWith } from '../objects.ts';
import { computeDesired, createReader, httpPort, makeEndpoint, makeSlice, owner, ownLabels } from './objects.ts';

const earlierOwner = { ...owner, uid: 'earlier' };
const placeholder = (metadata: EndpointSliceInput['metadata'] = {}) => makeSlice('p', [], { ports: [], metadata });
const web = makeService();
const matchingSlice = makeSlice('s', [makeEndpoint()]);
const earlierServiceSlice = makeSlice('e', [makeEndpoint()], { metadata: { ownerReferences: [earlierOwner] } });
const sliceOfOtherPorts = makeSlice('o', [makeEndpoint()], { ports: [{ ...httpPort, port: 1 }] });

function summarizeChanges(
  pods: number,
  existing: readonly EndpointSliceInput[],
  gates: Parameters<typeof profileWith>[0] = {},
  service: Service = web,
): string {
  const profile = profileWith(gates);
  const list = ['a', 'b', 'c'].slice(0, pods).map((name) => makePod(name));
  const [state] = computeDesired(service, list, undefined, ['IPv4'], profile);
  return summarize(
    planChanges(state as DesiredState, freezeDeeply(existing.slice()), {
      service,
      profile,
      maxEndpointsPerSlice: 2,
      read: createReader(service, profile),
    }),
  );
}
const summarize = ({ create, update, delete: toDelete, codes }: SliceChanges) => {
  const sizes = create.map(({ endpoints }) => endpoints.length);
  const names = [update, toDelete].map((list) => list.map(({ metadata }) => metadata?.name).join());
  return `create [${sizes}] update [${names[0]}] delete [${names[1]}] ${[...codes].join(' ')}`.trim();
};

const gatesReplacingPlaceholder = { placeholderKept: false };
const gatesComparingNilPorts = { slicePortsNilAsEmpty: false };
const noWrites = 'create [] update [] delete []';

describe('planChanges', () => {
  it.each<{ name: string; args: Parameters<typeof summarizeChanges>; expected: string }>([
    { name: 'all slices match', args: [1, [matchingSlice]], expected: noWrites },
    { name: 'no slices exist', args: [3, []], expected: 'create [2,1] update [] delete [] EndpointsAdded' },
    { name: 'different ports', args: [1, [sliceOfOtherPorts]], expected: 'create [1] update [] delete [o] EndpointsAdded PortsNotWanted' },
    {
      name: 'different ports and a matching slice',
      args: [1, [sliceOfOtherPorts, matchingSlice]],
      expected: 'create [] update [] delete [o] PortsNotWanted',
    },
    {
      name: 'a slice of an earlier Service',
      args: [1, [earlierServiceSlice]],
      expected: 'create [1] update [] delete [e] SliceOfOtherService EndpointsAdded',
    },
    {
      name: 'a slice of an earlier Service and a matching slice',
      args: [1, [earlierServiceSlice, matchingSlice]],
      expected: 'create [] update [] delete [e] SliceOfOtherService',
    },
    // the placeholder
    { name: 'no pods and no slices', args: [0, []], expected: 'create [0] update [] delete [] Placeholder' },
    { name: 'no pods', args: [0, [matchingSlice]], expected: 'create [0] update [] delete [s] PortsNotWanted Placeholder' },
    {
      name: 'two placeholders',
      args: [0, [placeholder(), placeholder({ name: 'q' })]],
      expected: 'create [0] update [] delete [p,q] PortsNotWanted Placeholder',
    },
    { name: 'a placeholder', args: [0, [placeholder()]], expected: noWrites },
    {
      name: 'a placeholder in releases that replace it',
      args: [0, [placeholder()], gatesReplacingPlaceholder],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    {
      name: 'a placeholder with absent ports and endpoints',
      args: [0, [{ ...placeholder(), ports: null, endpoints: null }]],
      expected: noWrites,
    },
    { name: 'a placeholder with absent ports', args: [0, [{ ...placeholder(), ports: null }], gatesComparingNilPorts], expected: noWrites },
    { name: 'a placeholder of an earlier Service', args: [0, [placeholder({ ownerReferences: [earlierOwner] })]], expected: noWrites },
    {
      name: 'a placeholder with an additional empty label',
      args: [0, [placeholder({ labels: { ...ownLabels, a: '' } })]],
      expected: noWrites,
    },
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
      expected: noWrites,
    },
    {
      name: 'a placeholder with a label called constructor',
      args: [0, [placeholder({ labels: { ...ownLabels, constructor: '' } })]],
      expected: noWrites,
    },
    {
      name: 'a placeholder with endpoints',
      args: [0, [{ ...placeholder(), endpoints: [makeEndpoint()] }]],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    {
      name: 'a placeholder in addition to pods',
      args: [1, [placeholder(), matchingSlice]],
      expected: 'create [] update [] delete [p] PortsNotWanted',
    },
    {
      name: 'a placeholder of a Service without ports',
      args: [0, [placeholder()], gatesReplacingPlaceholder, makeService({ ports: [] })],
      expected: 'create [0] update [] delete [p] PortsNotWanted Placeholder',
    },
    // ports
    {
      name: 'absent ports for a Service without ports',
      args: [1, [{ ...matchingSlice, ports: null }], {}, makeService({ ports: [] })],
      expected: noWrites,
    },
    {
      name: 'absent ports for a Service without ports, in releases that distinguish nil from empty ports',
      args: [1, [{ ...matchingSlice, ports: null }], gatesComparingNilPorts, makeService({ ports: [] })],
      expected: 'create [1] update [] delete [s] EndpointsAdded PortsNotWanted',
    },
    {
      name: 'empty ports for a Service without ports',
      args: [1, [{ ...matchingSlice, ports: [] }], gatesComparingNilPorts, makeService({ ports: [] })],
      expected: noWrites,
    },
  ])('for $name ($args.0 pods, gates $args.2), plans: $expected', ({ args, expected }) => {
    expect(summarizeChanges(...args)).toBe(expected);
  });

  it('keeps slices whose ports are in a different order, and deletes slices of different ports in the order of their ports', () => {
    const twoPortService = makeService({ ports: [1, 2].map((port) => ({ name: `p${port}`, protocol: 'TCP', targetPort: port })) });
    const ports = [1, 2].map((port) => ({ name: `p${port}`, port, protocol: 'TCP' }));
    expect(summarizeChanges(1, [{ ...matchingSlice, ports }], {}, twoPortService)).toBe(noWrites);
    expect(summarizeChanges(1, [{ ...matchingSlice, ports: ports.toReversed() }], {}, twoPortService)).toBe(noWrites);
    const slicesOfOtherPorts = [9, 8, 7].map((port) => makeSlice(`s${port}`, [makeEndpoint()], { ports: [{ ...httpPort, port }] }));
    expect(summarizeChanges(1, [...slicesOfOtherPorts, matchingSlice])).toBe('create [] update [] delete [s7,s8,s9] PortsNotWanted');
  });

  it('packs the endpoints of each group of ports separately', () => {
    const namedPortService = makeService({ ports: [{ name: 'http', protocol: 'TCP', targetPort: 'web' }] });
    const pods = [8080, 9090].map((containerPort, i) =>
      makePod(`p${i}`, { spec: { containers: [{ ports: [{ name: 'web', containerPort, protocol: 'TCP' }] }] } }),
    );
    const profile = profileWith();
    const [state] = computeDesired(namedPortService, pods, undefined, ['IPv4'], profile);
    const { create } = planChanges(state as DesiredState, [], {
      service: namedPortService,
      profile,
      maxEndpointsPerSlice: 5,
      read: createReader(namedPortService, profile),
    });
    expect(create.map(({ ports, endpoints }) => [ports[0]?.port, endpoints[0]?.targetRef?.name])).toEqual([
      [8080, 'p0'],
      [9090, 'p1'],
    ]);
  });
});

describe('recycle', () => {
  const makeNewSlices = (...ports: number[]) => ports.map((port) => newSlice(web, 'IPv4', [{ ...httpPort, port }]));
  const run = (create: number[], toDelete: EndpointSliceInput[]) => {
    const sliceChanges: SliceChanges = { create: makeNewSlices(...create), update: [], delete: toDelete, codes: new Set() };
    recycle(sliceChanges, web, { sliceOwnersChecked: true });
    return [
      sliceChanges.create.map(({ ports }) => ports[0]?.port),
      sliceChanges.update.map(({ metadata, ports }) => `${metadata.name}:${ports[0]?.port}`),
      sliceChanges.delete.map(({ metadata }) => metadata?.name),
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
    [[1], [earlierServiceSlice], [[1], [], ['e']]],
    [[1], [earlierServiceSlice, ...toDelete('a'), earlierServiceSlice], [[], ['a:1'], ['e', 'e']]],
  ])('reuses slices listed for deletion for new slices with the ports %j, case %#', (create, existing, expected) => {
    expect(run(create, existing)).toEqual(expected);
  });

  it('keeps only the name, UID and resourceVersion of the slice that it reuses', () => {
    const sliceChanges: SliceChanges = {
      create: makeNewSlices(1),
      update: [],
      delete: [makeSlice('a', [], { metadata: { annotations: { x: '1' } } })],
      codes: new Set(),
    };
    recycle(sliceChanges, web, { sliceOwnersChecked: true });
    expect(sliceChanges.update[0]?.metadata).toEqual({
      ...newSlice(web, 'IPv4', []).metadata,
      name: 'a',
      uid: 'uid-a',
      resourceVersion: '5',
    });
    const changesWithoutName: SliceChanges = {
      create: makeNewSlices(1),
      update: [],
      delete: [{ metadata: { ownerReferences: [owner] } }],
      codes: new Set(),
    };
    recycle(changesWithoutName, web, { sliceOwnersChecked: true });
    expect(changesWithoutName.update[0]?.metadata).toEqual({ ...newSlice(web, 'IPv4', []).metadata, name: '' });
  });
});
