import type { BalancedService, BalancerPort, CloudPort } from 'kube-endpoints/load-balancer';
import { describe, expect, it } from 'vitest';
import { errorOf, makeNode, makeService, request, withNodes } from './objects.ts';

/** A cloud without load balancers, created for each test. */
export interface CloudUnderTest {
  readonly cloud: CloudPort;
  /** An address that a Service may request. */
  readonly address: string;
  close?(): Promise<void> | void;
}

export type CreateCloud = () => CloudUnderTest | Promise<CloudUnderTest>;

/** Declares the tests that every cloud must pass for the service load-balancer controller. */
export function describeCloud(name: string, createCloud: CreateCloud): void {
  const withCloud: WithCloud = (test) => async () => {
    const { cloud, address, close } = await createCloud();
    try {
      if (!cloud.balancers) throw new Error(`${cloud.name} has no load balancers`);
      await test({ balancers: cloud.balancers, address });
    } finally {
      await close?.();
    }
  };
  describe(`the cloud ${name}`, () => {
    for (const [title, test] of Object.entries({ ...lifecycleTests, ...rejectionTests, ...callTests })) it(title, withCloud(test));
    describeInvalid(withCloud);
  });
}

interface TestContext {
  readonly balancers: BalancerPort;
  readonly address: string;
}

type Test = (context: TestContext) => Promise<void>;
type WithCloud = (test: Test) => () => Promise<void>;
type Tests = Readonly<Record<string, Test>>;

const listUids = async (balancers: BalancerPort, clusterName = 'kubernetes'): Promise<unknown[] | undefined> =>
  (await balancers.list?.({ clusterName, signal: new AbortController().signal }))?.map(({ uid }) => uid).sort();

/** Asserts that a cloud has load balancers of these UIDs; skipped if it cannot list. */
async function expectBalancers(balancers: BalancerPort, ...uids: readonly string[]): Promise<void> {
  const listedUids = await listUids(balancers);
  if (listedUids) expect(listedUids).toEqual(uids);
}

const lifecycleTests: Tests = {
  'has no load balancers at first': async ({ balancers }) => {
    expect(await balancers.get(request(makeService()))).toBeUndefined();
    await expectBalancers(balancers);
  },

  'creates one load balancer for repeated calls and returns its address': async ({ balancers }) => {
    const status = await balancers.ensure(withNodes(makeService()));
    expect(status.ingress?.length).toBeGreaterThan(0);
    for (const { ip, hostname } of status.ingress ?? []) expect(ip ?? hostname).toBeTruthy();
    expect(await balancers.get(request(makeService()))).toEqual(status);
    expect(await balancers.ensure(withNodes(makeService(), [makeNode('n2')]))).toEqual(status);
    await expectBalancers(balancers, 'uid-web');
  },

  'distinguishes Services by their UIDs': async ({ balancers }) => {
    const first = await balancers.ensure(withNodes(makeService('web', {}, 'u1')));
    expect(await balancers.get(request(makeService('web', {}, 'u2')))).toBeUndefined();
    expect(await balancers.ensure(withNodes(makeService('web', {}, 'u2')))).not.toEqual(first);
    await expectBalancers(balancers, 'u1', 'u2');
    await balancers.delete(request(makeService('web', {}, 'u1')));
    await expectBalancers(balancers, 'u2');
  },

  'distinguishes clusters by their names': async ({ balancers }) => {
    await balancers.ensure(withNodes(makeService()));
    const otherCluster = { ...request(makeService()), clusterName: 'other' };
    expect(await balancers.get(otherCluster)).toBeUndefined();
    await balancers.delete(otherCluster);
    expect((await listUids(balancers, 'other')) ?? []).toEqual([]);
    await expectBalancers(balancers, 'uid-web');
  },

  'keeps the address while ports, nodes and settings change': async ({ balancers }) => {
    const status = await balancers.ensure(withNodes(makeService()));
    const ports = [
      { port: 18_481, nodePort: 30_081 },
      { name: 'more', port: 18_482, nodePort: 30_082 },
    ];
    const changedService = makeService('web', { ports, sessionAffinity: 'ClientIP', loadBalancerSourceRanges: ['127.0.0.0/8'] });
    expect(await balancers.ensure(withNodes(changedService, []))).toEqual(status);
    await balancers.update(withNodes(changedService, [makeNode('n1'), makeNode('n2', '127.0.78.2')]));
    expect(await balancers.get(request(changedService))).toEqual(status);
  },

  'assigns an address to a Service that was deleted and recreated': async ({ balancers }) => {
    await balancers.ensure(withNodes(makeService()));
    await balancers.delete(request(makeService()));
    expect((await balancers.ensure(withNodes(makeService()))).ingress?.length).toBeGreaterThan(0);
  },

  'deletes a load balancer, and accepts the deletion of a missing one': async ({ balancers }) => {
    await balancers.delete(request(makeService()));
    await balancers.ensure(withNodes(makeService()));
    await balancers.delete(request(makeService()));
    expect(await balancers.get(request(makeService()))).toBeUndefined();
    await balancers.delete(request(makeService()));
    await expectBalancers(balancers);
  },

  'assigns the address that a Service requests': async ({ balancers, address }) => {
    const status = await balancers.ensure(withNodes(makeService('web', { loadBalancerIP: address })));
    expect(status.ingress?.[0]?.ip).toBe(address);
  },
};

/** Invalid Services, with a pattern for the error message, which must contain the Service and the field. */
const invalidServices: readonly [title: string, service: BalancedService, message: RegExp][] = [
  [
    'an invalid source range',
    makeService('web', { loadBalancerSourceRanges: ['10.0.0.0/8', '10.0.0/8'] }),
    /shop\/web.*Ranges\[1].*10\.0\.0\/8/,
  ],
  ['a source range of too many bits', makeService('web', { loadBalancerSourceRanges: ['10.0.0.0/33'] }), /shop\/web.*Ranges\[0].*\/33/],
  [
    'ports that overlap',
    makeService('web', {
      ports: [
        { name: 'a', port: 18_480, nodePort: 30_080 },
        { name: 'b', port: 18_480, protocol: 'TCP', nodePort: 30_081 },
      ],
    }),
    /shop\/web.*ports\[1].*ports\[0].*18480\/TCP/,
  ],
  ['an invalid port', makeService('web', { ports: [{ port: 70_000, nodePort: 30_080 }] }), /shop\/web.*ports\[0].*70000/],
  ['no ports', makeService('web', { ports: [] }), /shop\/web.*spec\.ports/],
  ['an invalid address', makeService('web', { loadBalancerIP: 'here' }), /shop\/web.*loadBalancerIP.*here/],
  ['no UID', makeService('web', {}, ''), /shop\/web.*uid/],
];

function describeInvalid(withCloud: WithCloud): void {
  it.each(invalidServices)('rejects %s and creates nothing', (_, service, message) =>
    withCloud(async ({ balancers }) => {
      expect(await errorOf(balancers.ensure(withNodes(service)))).toMatchObject({
        code: 'Invalid',
        message: expect.stringMatching(message),
      });
      await expectBalancers(balancers);
    })(),
  );

  it.each(invalidServices.slice(0, -1))('keeps the load balancer unchanged if its Service is changed to %s', (_, service) =>
    withCloud(async ({ balancers }) => {
      const status = await balancers.ensure(withNodes(makeService()));
      expect(await errorOf(balancers.ensure(withNodes(service)))).toMatchObject({ code: 'Invalid' });
      expect(await balancers.get(request(makeService()))).toEqual(status);
      await balancers.delete(request(service));
      await expectBalancers(balancers);
    })(),
  );
}

const rejectionTests: Tests = {
  'rejects a port that another Service uses on the requested address until that Service is deleted': async ({ balancers, address }) => {
    const [one, two] = [makeService('one', { loadBalancerIP: address }), makeService('two', { loadBalancerIP: address })];
    await balancers.ensure(withNodes(one));
    const error = await errorOf(balancers.ensure(withNodes(two)));
    expect(error).toMatchObject({ code: 'Invalid', message: expect.stringMatching(/shop\/two.*shop\/one.*18480\/TCP/) });
    await expectBalancers(balancers, 'uid-one');
    await balancers.delete(request(one));
    await balancers.ensure(withNodes(two));
    await expectBalancers(balancers, 'uid-two');
  },

  'rejects an update of a missing load balancer and creates none': async ({ balancers }) => {
    expect(await errorOf(balancers.update(withNodes(makeService())))).toBeInstanceOf(Error);
    await expectBalancers(balancers);
  },
};

const callTests: Tests = {
  'rejects an aborted call with the reason and changes nothing': async ({ balancers }) => {
    const signal = AbortSignal.abort(new Error('no more'));
    const nodes = [makeNode('n1')];
    expect(await errorOf(balancers.ensure(withNodes(makeService(), nodes, signal)))).toMatchObject({ message: 'no more' });
    expect(await errorOf(balancers.get(request(makeService(), signal)))).toMatchObject({ message: 'no more' });
    await expectBalancers(balancers);
    await balancers.ensure(withNodes(makeService()));
    expect(await errorOf(balancers.delete(request(makeService(), signal)))).toMatchObject({ message: 'no more' });
    expect(await errorOf(balancers.update(withNodes(makeService(), nodes, signal)))).toMatchObject({ message: 'no more' });
    await expectBalancers(balancers, 'uid-web');
  },

  'creates one load balancer for concurrent calls': async ({ balancers }) => {
    const statuses = await Promise.all([1, 2, 3].map(() => balancers.ensure(withNodes(makeService()))));
    expect(statuses).toEqual([statuses[0], statuses[0], statuses[0]]);
    await expectBalancers(balancers, 'uid-web');
  },

  'assigns distinct addresses to concurrent Services': async ({ balancers }) => {
    const names = Array.from({ length: 20 }, (_, i) => `s${i}`);
    const statuses = await Promise.all(names.map((name) => balancers.ensure(withNodes(makeService(name)))));
    expect(new Set(statuses.map((answer) => JSON.stringify(answer))).size).toBe(20);
    await Promise.all(names.map((name) => balancers.delete(request(makeService(name)))));
    await expectBalancers(balancers);
  },

  'runs the calls for one Service in order': async ({ balancers }) => {
    await Promise.all([balancers.ensure(withNodes(makeService())), balancers.delete(request(makeService()))]);
    await expectBalancers(balancers);
    await Promise.all([balancers.delete(request(makeService())), balancers.ensure(withNodes(makeService()))]);
    await expectBalancers(balancers, 'uid-web');
  },

  'accepts frozen objects and returns copies': async ({ balancers }) => {
    const nodes = deepFreeze(withNodes(makeService()).nodes);
    const service = deepFreeze(makeService());
    const status = await balancers.ensure(withNodes(service, nodes));
    await balancers.update(withNodes(service, nodes));
    (status.ingress as unknown[]).push('mine');
    expect((await balancers.get(request(service)))?.ingress).not.toContain('mine');
    await balancers.delete(request(service));
  },
};

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') for (const field of Object.values(Object.freeze(value))) deepFreeze(field);
  return value;
}
