import { describeService, type ObjectVersion, RecordingError, readRecording } from '@kube-endpoints/simulator/internal';
import { describe, expect, it } from 'vitest';

const at = (second: number): string => `2026-11-30T02:13:${String(second).padStart(2, '0')}.250000Z`;
const milliseconds = (second: number): number => Date.parse(at(second));

const read = (files: Readonly<Record<string, string>>, options = {}) =>
  readRecording(
    Object.entries(files).map(([name, text]) => ({
      name,
      async *read() {
        yield text;
      },
    })),
    options,
  );

const pod = (metadata: object = {}, status: object = {}): object => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'u1', labels: { app: 'web' }, ...metadata },
  spec: { nodeName: 'n1', terminationGracePeriodSeconds: 30, containers: [{ name: 'web' }] },
  status,
});

const podRef = { resource: 'pods', namespace: 'shop', name: 'web-1' };

const auditEvent = (second: number, fields: object): object => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/shop/pods/web-1',
  verb: 'update',
  user: { username: 'kubernetes-admin' },
  objectRef: podRef,
  responseStatus: { code: 200 },
  requestReceivedTimestamp: at(second),
  stageTimestamp: at(second),
  ...fields,
});

const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const summarize = ({ change, kind, name, isDerived, writer, resourceVersion }: ObjectVersion): unknown[] => [
  change,
  `${kind} ${name}`,
  isDerived ? 'derived' : 'recorded',
  writer?.component,
  resourceVersion,
];

const create = auditEvent(1, { verb: 'create', requestObject: pod(), responseObject: pod({ resourceVersion: '10' }) });

describe('the reader of audit logs', () => {
  it('names the component behind each kind of user', async () => {
    const users = {
      'system:node:n1': 'kubelet/n1',
      'system:serviceaccount:kube-system:endpointslice-controller': 'endpointslice-controller',
      'system:kube-scheduler': 'kube-scheduler',
      'jane@example.com': 'jane@example.com',
    };
    const log = Object.keys(users).map((username, i) =>
      auditEvent(i, { user: { username }, responseObject: pod({ resourceVersion: String(10 + i) }) }),
    );
    const shared = auditEvent(9, {
      user: { username: 'system:kube-controller-manager' },
      userAgent: 'kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/abc/endpointslice-controller',
      responseObject: pod({ resourceVersion: '20' }),
    });
    const impersonated = auditEvent(10, { impersonatedUser: { username: 'bob' }, responseObject: pod({ resourceVersion: '21' }) });
    const { versions } = await read({ 'audit.log': lines(...log, shared, impersonated) });
    expect(versions.map(({ writer }) => writer?.component)).toStrictEqual([...Object.values(users), 'endpointslice-controller', 'bob']);
  });

  it('counts what is no write: other stages, reads, refused requests, dry runs and other kinds', async () => {
    const { versions, skipped } = await read({
      'audit.log': lines(
        auditEvent(0, { stage: 'RequestReceived' }),
        create,
        auditEvent(2, { verb: 'get' }),
        auditEvent(3, { responseStatus: { code: 409 } }),
        auditEvent(4, { requestURI: '/api/v1/namespaces/shop/pods/web-1?dryRun=All' }),
        auditEvent(5, { objectRef: { resource: 'secrets', namespace: 'shop', name: 'web' } }),
        auditEvent(6, { verb: 'create', level: 'Metadata', objectRef: { resource: 'pods', namespace: 'shop' } }),
      ),
    });
    expect(versions.map(summarize)).toStrictEqual([['create', 'Pod web-1', 'recorded', 'kubernetes-admin', '10']]);
    expect(skipped).toStrictEqual({
      'of another stage': 1,
      'of a read': 1,
      refused: 1,
      'of a dry run': 1,
      'of another kind': 1,
      'without a name': 1,
    });
  });

  it('orders concurrent writes by their resource versions, not by their answers', async () => {
    const { versions } = await read({
      'audit.log': lines(
        auditEvent(1, { responseObject: pod({ resourceVersion: '12' }) }),
        auditEvent(2, { responseObject: pod({ resourceVersion: '11' }) }),
      ),
    });
    expect(versions.map(({ resourceVersion }) => resourceVersion)).toStrictEqual(['11', '12']);
  });

  it('computes the state after an eviction, whose response does not show the pod', async () => {
    const evict = auditEvent(2, {
      verb: 'create',
      objectRef: { ...podRef, subresource: 'eviction' },
      requestObject: { kind: 'Eviction' },
      responseObject: { kind: 'Status' },
    });
    const { versions } = await read({ 'audit.log': lines(create, evict) });
    expect(versions.map(summarize)).toStrictEqual([
      ['create', 'Pod web-1', 'recorded', 'kubernetes-admin', '10'],
      ['update', 'Pod web-1', 'derived', 'kubernetes-admin', undefined],
      ['update', 'Pod web-1', 'derived', 'kubernetes-admin', undefined],
    ]);
    expect(versions[2]).toMatchObject({
      isEviction: true,
      object: {
        metadata: { deletionTimestamp: '2026-11-30T02:13:32Z', deletionGracePeriodSeconds: 30 },
        status: { conditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      },
    });
  });

  it('applies the patches of the level Request, and knows at the level Metadata only that something was written', async () => {
    const condition = { type: 'Ready', status: 'True' };
    const patch = auditEvent(2, {
      level: 'Request',
      verb: 'patch',
      objectRef: { ...podRef, subresource: 'status' },
      requestObject: { metadata: { uid: 'u1' }, status: { conditions: [condition] } },
    });
    const unknown = auditEvent(3, { level: 'Metadata' });
    const { versions } = await read({ 'audit.log': lines(create, patch, unknown) });
    expect(versions[1]).toMatchObject({ isDerived: true, object: { metadata: { name: 'web-1' }, status: { conditions: [condition] } } });
    expect(versions[2]).not.toHaveProperty('object');
  });

  it('lists every object of a deleted collection', async () => {
    const removed = ['web-1', 'web-2'].map((name, i) =>
      pod({ name, uid: name, resourceVersion: String(20 + i), deletionTimestamp: '2026-11-30T02:13:02Z', deletionGracePeriodSeconds: 0 }),
    );
    const event = auditEvent(2, {
      verb: 'deletecollection',
      objectRef: { resource: 'pods', namespace: 'shop' },
      responseObject: { kind: 'PodList', items: removed },
    });
    const { versions } = await read({ 'audit.log': lines(event) });
    expect(versions.filter(({ change }) => change === 'delete').map(({ name }) => name)).toStrictEqual(['web-1', 'web-2']);
  });

  it('reads lists of events, as a webhook receives them', async () => {
    const { versions } = await read({
      'events.json': JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [create] }),
    });
    expect(versions).toHaveLength(1);
  });
});

describe('the reader of watch streams', () => {
  const managed = (resourceVersion: string, second: number, metadata: object = {}): object =>
    pod({
      resourceVersion,
      managedFields: [{ manager: 'kubelet', time: `2026-11-30T02:13:${String(second).padStart(2, '0')}Z` }],
      ...metadata,
    });

  it('infers times from managedFields, and bounds the others by the order of resource versions', async () => {
    const { versions } = await read({
      'pods.json': lines(managed('10', 1), managed('20', 5), { ...managed('30', 5), spec: {} }, managed('40', 9)),
    });
    const second = (value: number): number => Date.parse('2026-11-30T02:13:00Z') + value * 1000;
    expect(versions.map(({ time }) => time)).toStrictEqual([
      { earliest: second(1), latest: second(5) + 999, source: 'object' },
      { earliest: second(5), latest: second(5) + 999, source: 'managedFields' },
      { earliest: second(5), latest: second(9) + 999, source: 'object' },
      { earliest: second(9), latest: second(9) + 999, source: 'managedFields' },
    ]);
    expect(versions[1]?.writer).toStrictEqual({ component: 'kubelet' });
    expect(versions[0]?.object?.metadata).not.toHaveProperty('managedFields');
  });

  it('takes an object that changes in nothing but its resourceVersion for deleted', async () => {
    const { versions } = await read({ 'pods.json': lines(managed('10', 1), managed('20', 5), managed('30', 5)) });
    expect(versions.map(({ change }) => change)).toStrictEqual(['observe', 'update', 'delete']);
  });

  it('reads the types of --output-watch-events, across chunks, and ignores bookmarks', async () => {
    const text = lines(
      { type: 'ADDED', object: managed('10', 1) },
      { type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: '15' } } },
      { type: 'DELETED', object: managed('20', 1) },
    );
    const bytes = new TextEncoder().encode(text);
    const source = {
      name: 'pods.json',
      async *read() {
        for (let i = 0; i < bytes.length; i += 7) yield bytes.subarray(i, i + 7);
      },
    };
    const { versions } = await readRecording([source]);
    expect(versions.map(({ change }) => change)).toStrictEqual(['observe', 'delete']);
  });

  it('infers that a pod was marked as deleted from its deletion time and grace period', async () => {
    const marked = managed('20', 1, { deletionTimestamp: '2026-11-30T02:13:40Z', deletionGracePeriodSeconds: 30 });
    const { versions } = await read({ 'pods.json': lines(managed('10', 1), marked) });
    const start = Date.parse('2026-11-30T02:13:10Z');
    expect(versions[1]?.time).toStrictEqual({ earliest: start, latest: start + 999, source: 'deletion' });
  });
});

describe('the reader of dumps', () => {
  const dump = (...items: readonly object[]): string => JSON.stringify({ kind: 'List', apiVersion: 'v1', items });

  it('knows between which dumps an object was written or deleted', async () => {
    const { versions } = await read({
      'dump-2026-11-30T02-10-00Z.json': dump(pod({ resourceVersion: '10' })),
      'dump-2026-11-30T02-11-00Z.json': dump(pod({ resourceVersion: '11' })),
      'dump-2026-11-30T02-12-00Z.json': dump({ ...pod({ resourceVersion: '12', name: 'web-2', uid: 'u2' }) }),
    });
    const minute = (value: number): number => Date.parse('2026-11-30T02:00:00Z') + value * 60_000;
    expect(versions.map(({ change, name, time }) => ({ change, name, latest: time.latest }))).toStrictEqual([
      { change: 'observe', name: 'web-1', latest: minute(10) + 999 },
      { change: 'update', name: 'web-1', latest: minute(11) + 999 },
      { change: 'observe', name: 'web-2', latest: minute(12) + 999 },
      { change: 'delete', name: 'web-1', latest: minute(12) + 999 },
    ]);
    expect(versions[3]?.time.earliest).toBe(minute(11));
  });

  it.each([
    ['20261130T021304Z.json', '2026-11-30T02:13:04Z'],
    ['pods-2026-11-30_02-13-04.json', '2026-11-30T02:13:04Z'],
    ['2026-11-30T02:13:04+01:00.json', '2026-11-30T01:13:04Z'],
    ['pods-20261130-0213.json', '2026-11-30T02:13:00Z'],
    ['pods-1796004784.json', '2026-11-30T02:13:04Z'],
  ])('reads the time in the name %s', async (name, time) => {
    const { versions } = await read({ [name]: dump(pod()) });
    expect(versions[0]?.time.latest).toBe(Date.parse(time) + 999);
  });
});

describe('a recording with an error', () => {
  const good = `${JSON.stringify(create)}\n`;

  it.each<[string, string, string]>([
    [
      'text',
      `${good}Error from server\n`,
      'audit.log:2: unexpected text "Error from server\\n": give JSON, for an audit log with --audit-log-format=json',
    ],
    [
      'invalid JSON',
      `${good}{"kind" 1}\n`,
      'audit.log:2: not JSON: give the JSON lines of an audit log, or objects as kubectl prints them with -o json',
    ],
    ['half an object', `${good}\n{"kind": "Ev`, 'audit.log:3: the file ends in the middle of this object'],
    ['no stage', good + lines(auditEvent(1, { stage: '' })), 'audit.log:2: stage: give the stage, such as "ResponseComplete"'],
    [
      'no time',
      good + lines(auditEvent(1, { stageTimestamp: 'now' })),
      'audit.log:2: stageTimestamp: give a time such as "2026-11-30T02:13:04.120000Z"',
    ],
    ['a list', '[1]', 'audit.log:1: give objects, not a list'],
    ['no kind', '{}', 'audit.log:1: kind: give an audit event, a watch event, a List or an object'],
    ['no name', lines({ kind: 'Pod', metadata: {} }), 'audit.log:1: metadata.name: give the name of the object'],
    ['an unknown event', lines({ type: 'ERROR', object: {} }), 'audit.log:1: type: "ERROR" is not ADDED, MODIFIED or DELETED'],
    [
      'no item',
      lines({ kind: 'List', items: [1] }),
      'audit.log:1: the time of this dump is unknown: put it into the file name, as in pods-20261130T021304Z.json',
    ],
    ['nothing', '\n', 'the recording is empty: give an audit log, a stream of kubectl get -w, or dumps'],
  ])('names the place of %s', async (_, text, message) => {
    const reading = read({ 'audit.log': text });
    await expect(reading).rejects.toThrow(RecordingError);
    await expect(reading).rejects.toThrow(message);
  });

  it('ends at the limit of writes, and a namespace leaves out others', async () => {
    const other = auditEvent(2, {
      objectRef: { ...podRef, namespace: 'other' },
      responseObject: pod({ namespace: 'other', resourceVersion: '11' }),
    });
    const files = { 'audit.log': lines(create, other) };
    await expect(read(files, { maxWrites: 1 })).rejects.toThrow(
      'audit.log:2: more than 1 writes and Events: select a namespace, or give a shorter recording',
    );
    expect((await read(files, { maxWrites: 1, namespace: 'shop' })).versions).toHaveLength(1);
  });

  it('has no history of a Service that it does not show', async () => {
    const history = await read({ 'audit.log': good });
    expect(() => describeService(history, { namespace: 'shop', name: 'web' })).toThrow('the recording shows no Service shop/web');
    expect(history.from).toBe(milliseconds(1));
  });
});
