import type { ApiObject, DeleteOptions, ObjectKey } from 'kube-endpoints/port';
import { type PlayKind, versionOf } from './kinds.ts';
import type { Random } from './random.ts';
import type { Intent } from './record.ts';
import type { Edit } from './subject.ts';
import type { World } from './world.ts';

/** Executes random writes in sequence. */
export async function write(world: World, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await world.yieldRandomly(random);
    await acts[random.weighted(weights)](world, random);
  }
}

type Act = (world: World, random: Random) => Promise<void>;

const weights = {
  create: 30,
  update: 14,
  merge: 8,
  json: 5,
  strategic: 5,
  status: 10,
  remove: 12,
  sweep: 1,
  rehearse: 4,
  transact: 4,
  keep: 3,
};

const acts: Readonly<Record<keyof typeof weights, Act>> = {
  async create(world, random) {
    const { kind, key } = pickObject(world, random);
    const object = bodyOf(kind, key, world.mark(), random);
    await record(world, kind, key, { verb: 'create', sent: object }, () => world.subject.port.create(kind.resource, object));
  },
  async update(world, random) {
    const kind = random.pick(world.kinds);
    const found = world.recall(kind.resource, random);
    if (!found) return;
    const conditional = random.chance(0.7);
    const { resourceVersion: _, ...metadata } = found.metadata;
    const changed = { ...metadata, labels: labelsFor(random), annotations: { ...metadata.annotations, mark: world.mark() } };
    const sent = {
      ...found,
      metadata: conditional ? { ...changed, resourceVersion: found.metadata.resourceVersion } : changed,
    } as ApiObject;
    const intent: Intent = { verb: 'update', sent, version: conditional ? versionOf(found) : undefined };
    await record(world, kind, keyOf(found), intent, () => world.subject.port.update(kind.resource, sent));
  },
  merge: (world, random) =>
    annotate(world, random, (annotation, value) => ({ type: 'merge', patch: { metadata: { annotations: { [annotation]: value } } } })),
  strategic: (world, random) =>
    annotate(world, random, (annotation, value) => ({ type: 'strategic', patch: { metadata: { annotations: { [annotation]: value } } } })),
  json: (world, random) =>
    annotate(world, random, (annotation, value) => ({
      type: 'json',
      patch: [{ op: 'add', path: `/metadata/annotations/${annotation}`, value }],
    })),
  async status(world, random) {
    const withStatus = world.kinds.filter((kind) => kind.status);
    if (withStatus.length === 0) return;
    const kind = random.pick(withStatus);
    const found = world.recall(kind.resource, random);
    if (!found) return;
    const status = kind.status?.(world.mark(), random.pick(['Pending', 'Running'])) ?? {};
    const [patches, conditional] = [random.chance(0.5), random.chance(0.6)];
    const { resourceVersion, ...metadata } = found.metadata;
    const sent = { ...found, metadata: conditional ? { ...metadata, resourceVersion } : metadata, status } as ApiObject;
    const intent: Intent = {
      verb: 'status',
      status,
      sent: patches ? undefined : sent,
      version: conditional && !patches ? versionOf(found) : undefined,
    };
    await record(world, kind, keyOf(found), intent, () =>
      patches
        ? world.subject.port.patch(kind.resource, keyOf(found), { status }, { type: 'merge', subresource: 'status' })
        : world.subject.port.update(kind.resource, sent, { subresource: 'status' }),
    );
  },
  async remove(world, random) {
    const { kind, key } = pickObject(world, random);
    const found = world.recall(kind.resource, random);
    const uid = found && random.chance(0.3) ? found.metadata.uid : undefined;
    const version = found && random.chance(0.3) ? versionOf(found) : undefined;
    const preconditions = { ...(uid !== undefined && { uid }), ...(version !== undefined && { resourceVersion: String(version) }) };
    const at = found && (uid !== undefined || version !== undefined) ? keyOf(found) : key;
    const options: DeleteOptions = { gracePeriodSeconds: 0, ...(Object.keys(preconditions).length > 0 && { preconditions }) };
    await record(world, kind, at, { verb: 'delete', uid, version }, () => world.subject.port.delete(kind.resource, at, options));
  },
  async sweep(world, random) {
    const { kind } = pickObject(world, random);
    const selection = { labelSelector: 'app=db', ...(kind.resource.namespaced && { namespace: 'one' }) };
    const called = await world.call(() => world.subject.port.deleteCollection(kind.resource, selection, { gracePeriodSeconds: 0 }));
    if (called.failure) world.records.problems.push(`deletecollection failed: ${called.failure.message}`);
    else {
      const uids = called.value.items.map(({ metadata }) => metadata.uid ?? '');
      world.records.sweeps.push({ resource: kind.resource, span: called.span, uids });
    }
  },
  async rehearse(world, random) {
    const { kind, key } = pickObject(world, random);
    const { port } = world.subject;
    const dryRun = { dryRun: true };
    const called = await world.call(() =>
      random.chance(0.5)
        ? port.create(kind.resource, bodyOf(kind, key, world.mark(), random), dryRun)
        : port.delete(kind.resource, key, { ...dryRun, gracePeriodSeconds: 0 }),
    );
    if (called.failure && ![404, 409].includes(called.failure.code)) {
      world.records.problems.push(`a dry run failed: ${called.failure.message}`);
    }
  },
  async transact(world, random) {
    const { subject } = world;
    if (!subject.transaction) return;
    const edits = Array.from({ length: 1 + random.below(5) }, () => {
      const { kind, key } = pickObject(world, random);
      return { resource: kind.resource, key, annotation: random.pick(annotations), value: world.mark() };
    });
    const low = world.now();
    const written = subject.transaction(edits, random.chance(0.3));
    const span = { low, high: world.now() };
    written.forEach((object, index) => {
      const { resource, key, annotation, value } = edits[index] as Edit;
      if (!object) return;
      world.records.writes.push({ resource, key, intent: { verb: 'annotate', annotation, value }, span, outcome: { object } });
      world.remember(resource, object);
    });
  },
  /** An update without a change: it is a read. */
  async keep(world, random) {
    const kind = random.pick(world.kinds);
    const found = world.recall(kind.resource, random);
    if (!found) return;
    const called = await world.call(() => world.subject.port.update(kind.resource, found));
    if (called.failure) {
      if (![404, 409].includes(called.failure.code)) world.records.problems.push(`an update failed: ${called.failure.message}`);
    } else world.records.gets.push({ resource: kind.resource, key: keyOf(found), span: called.span, object: called.value });
  },
};

const annotations: readonly string[] = ['x', 'y', 'z'];

async function annotate(
  world: World,
  random: Random,
  make: (annotation: string, value: string) => { readonly type: 'merge' | 'json' | 'strategic'; readonly patch: unknown },
): Promise<void> {
  const { kind, key } = pickObject(world, random);
  const intent = { verb: 'annotate', annotation: random.pick(annotations), value: world.mark() } as const;
  const { type, patch } = make(intent.annotation, intent.value);
  await record(world, kind, key, intent, () => world.subject.port.patch(kind.resource, key, patch, { type }));
}

async function record(world: World, { resource }: PlayKind, key: ObjectKey, intent: Intent, act: () => Promise<ApiObject>): Promise<void> {
  const { span, value, failure } = await world.call(act);
  const outcome = failure ? { code: failure.code, reason: failure.reason, message: failure.message } : { object: value };
  world.records.writes.push({ resource, key, intent, span, outcome });
  if (value && intent.verb !== 'delete') world.remember(resource, value);
}

function pickObject(world: World, random: Random): { readonly kind: PlayKind; readonly key: ObjectKey } {
  const kind = random.pick(world.kinds);
  const name = random.pick(['a', 'b', 'c', 'd']);
  return { kind, key: kind.resource.namespaced ? { namespace: random.pick(['one', 'two']), name } : { name } };
}

function bodyOf({ body }: PlayKind, key: ObjectKey, mark: string, random: Random): ApiObject {
  return { ...body, metadata: { ...key, labels: labelsFor(random), annotations: { mark } } };
}

const labelsFor = (random: Random): Readonly<Record<string, string>> =>
  random.pick<Readonly<Record<string, string>>>([{}, { app: 'web' }, { app: 'db' }, { app: 'web', tier: '1' }, { tier: '2' }]);

const keyOf = ({ metadata: { namespace, name = '' } }: ApiObject): ObjectKey => ({ ...(namespace && { namespace }), name });
