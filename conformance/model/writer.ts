import type { ApiObject, DeleteOptions, ObjectKey } from 'kube-endpoints/port';
import { keyFrom, type TestedKind, versionOf } from './kinds.ts';
import type { Random } from './random.ts';
import { type Intent, isUnsaved } from './record.ts';
import type { RunContext } from './run-context.ts';
import type { Edit } from './subject.ts';

/** Executes random writes in sequence. */
export async function write(context: RunContext, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await context.yieldRandomly(random);
    await actions[random.pickWeighted(weights)](context, random);
  }
}

type Action = (context: RunContext, random: Random) => Promise<void>;

const weights = {
  create: 30,
  update: 14,
  merge: 8,
  json: 5,
  strategic: 5,
  status: 10,
  remove: 12,
  deleteCollection: 1,
  dryRun: 4,
  transaction: 4,
  updateUnchanged: 3,
};

const actions: Readonly<Record<keyof typeof weights, Action>> = {
  async create(context, random) {
    const { kind, key } = pickObject(context, random);
    const object = createBody(kind, key, context.mark(), random);
    await record(context, kind, key, { verb: 'create', sent: object }, () => context.subject.port.create(kind.resource, object));
  },
  async update(context, random) {
    const kind = random.pick(context.kinds);
    const cached = context.pickCached(kind.resource, random);
    if (!cached) return;
    const hasVersion = random.chance(0.7);
    const { resourceVersion: _, ...metadata } = cached.metadata;
    const changed = { ...metadata, labels: randomLabels(random), annotations: { ...metadata.annotations, mark: context.mark() } };
    const sent = {
      ...cached,
      metadata: hasVersion ? { ...changed, resourceVersion: cached.metadata.resourceVersion } : changed,
    } as ApiObject;
    const intent: Intent = { verb: 'update', sent, version: hasVersion ? versionOf(cached) : undefined };
    await record(context, kind, keyOf(cached), intent, () => context.subject.port.update(kind.resource, sent));
  },
  merge: (context, random) =>
    annotate(context, random, (annotation, value) => ({ type: 'merge', patch: { metadata: { annotations: { [annotation]: value } } } })),
  strategic: (context, random) =>
    annotate(context, random, (annotation, value) => ({
      type: 'strategic',
      patch: { metadata: { annotations: { [annotation]: value } } },
    })),
  json: (context, random) =>
    annotate(context, random, (annotation, value) => ({
      type: 'json',
      patch: [{ op: 'add', path: `/metadata/annotations/${annotation}`, value }],
    })),
  async status(context, random) {
    const withStatus = context.kinds.filter((kind) => kind.status);
    if (withStatus.length === 0) return;
    const kind = random.pick(withStatus);
    const cached = context.pickCached(kind.resource, random);
    if (!cached) return;
    const status = kind.status?.(context.mark(), random.pick(['Pending', 'Running'])) ?? {};
    const [usesPatch, hasVersion] = [random.chance(0.5), random.chance(0.6)];
    const { resourceVersion, ...metadata } = cached.metadata;
    const sent = { ...cached, metadata: hasVersion ? { ...metadata, resourceVersion } : metadata, status } as ApiObject;
    const intent: Intent = {
      verb: 'status',
      status,
      sent: usesPatch ? undefined : sent,
      version: hasVersion && !usesPatch ? versionOf(cached) : undefined,
    };
    await record(context, kind, keyOf(cached), intent, () =>
      usesPatch
        ? context.subject.port.patch(kind.resource, keyOf(cached), { status }, { type: 'merge', subresource: 'status' })
        : context.subject.port.update(kind.resource, sent, { subresource: 'status' }),
    );
  },
  async remove(context, random) {
    const { kind, key } = pickObject(context, random);
    const cached = context.pickCached(kind.resource, random);
    const uid = cached && random.chance(0.3) ? cached.metadata.uid : undefined;
    const version = cached && random.chance(0.3) ? versionOf(cached) : undefined;
    const preconditions = { ...(uid !== undefined && { uid }), ...(version !== undefined && { resourceVersion: String(version) }) };
    const targetKey = cached && (uid !== undefined || version !== undefined) ? keyOf(cached) : key;
    const options: DeleteOptions = { gracePeriodSeconds: 0, ...(Object.keys(preconditions).length > 0 && { preconditions }) };
    await record(context, kind, targetKey, { verb: 'delete', uid, version }, () =>
      context.subject.port.delete(kind.resource, targetKey, options),
    );
  },
  async deleteCollection(context, random) {
    const { kind } = pickObject(context, random);
    const selection = { labelSelector: 'app=db', ...(kind.resource.namespaced && { namespace: 'one' }) };
    const result = await context.call(() => context.subject.port.deleteCollection(kind.resource, selection, { gracePeriodSeconds: 0 }));
    if (result.failure) context.records.problems.push(`deletecollection failed: ${result.failure.message}`);
    else {
      const keys = result.value.items.map((object) => keyFrom(keyOf(object)));
      context.records.deleteCollections.push({ resource: kind.resource, span: result.span, keys });
    }
  },
  async dryRun(context, random) {
    const { kind, key } = pickObject(context, random);
    const { port } = context.subject;
    const dryRun = { dryRun: true };
    const result = await context.call(() =>
      random.chance(0.5)
        ? port.create(kind.resource, createBody(kind, key, context.mark(), random), dryRun)
        : port.delete(kind.resource, key, { ...dryRun, gracePeriodSeconds: 0 }),
    );
    if (result.failure && ![404, 409].includes(result.failure.code) && !isUnsaved(result.failure)) {
      context.records.problems.push(`a dry run failed: ${result.failure.message}`);
    }
  },
  async transaction(context, random) {
    const { subject } = context;
    if (!subject.transaction) return;
    const edits = Array.from({ length: 1 + random.below(5) }, () => {
      const { kind, key } = pickObject(context, random);
      return { resource: kind.resource, key, annotation: random.pick(annotations), value: context.mark() };
    });
    const low = context.newestVersion();
    const results = subject.transaction(edits, random.chance(0.3));
    const span = { low, high: context.newestVersion() };
    results.forEach((object, index) => {
      const { resource, key, annotation, value } = edits[index] as Edit;
      if (!object) return;
      context.records.writes.push({ resource, key, intent: { verb: 'annotate', annotation, value }, span, outcome: { object } });
      context.cache(resource, object);
    });
  },
  /** An update without a change writes nothing, so it is recorded as a read. */
  async updateUnchanged(context, random) {
    const kind = random.pick(context.kinds);
    const cached = context.pickCached(kind.resource, random);
    if (!cached) return;
    const result = await context.call(() => context.subject.port.update(kind.resource, cached));
    if (result.failure) {
      if (![404, 409].includes(result.failure.code) && !isUnsaved(result.failure))
        context.records.problems.push(`an update failed: ${result.failure.message}`);
    } else context.records.gets.push({ resource: kind.resource, key: keyOf(cached), span: result.span, object: result.value });
  },
};

const annotations: readonly string[] = ['x', 'y', 'z'];

async function annotate(
  context: RunContext,
  random: Random,
  createPatch: (annotation: string, value: string) => { readonly type: 'merge' | 'json' | 'strategic'; readonly patch: unknown },
): Promise<void> {
  const { kind, key } = pickObject(context, random);
  const intent = { verb: 'annotate', annotation: random.pick(annotations), value: context.mark() } as const;
  const { type, patch } = createPatch(intent.annotation, intent.value);
  await record(context, kind, key, intent, () => context.subject.port.patch(kind.resource, key, patch, { type }));
}

async function record(
  context: RunContext,
  { resource }: TestedKind,
  key: ObjectKey,
  intent: Intent,
  run: () => Promise<ApiObject>,
): Promise<void> {
  const { span, value, failure } = await context.call(run);
  const outcome = failure ? { code: failure.code, reason: failure.reason, message: failure.message } : { object: value };
  context.records.writes.push({ resource, key, intent, span, outcome });
  if (value && intent.verb !== 'delete') context.cache(resource, value);
}

function pickObject(context: RunContext, random: Random): { readonly kind: TestedKind; readonly key: ObjectKey } {
  const kind = random.pick(context.kinds);
  const name = random.pick(['a', 'b', 'c', 'd']);
  return { kind, key: kind.resource.namespaced ? { namespace: random.pick(['one', 'two']), name } : { name } };
}

function createBody({ body }: TestedKind, key: ObjectKey, mark: string, random: Random): ApiObject {
  return { ...body, metadata: { ...key, labels: randomLabels(random), annotations: { mark } } };
}

const randomLabels = (random: Random): Readonly<Record<string, string>> =>
  random.pick<Readonly<Record<string, string>>>([{}, { app: 'web' }, { app: 'db' }, { app: 'web', tier: '1' }, { tier: '2' }]);

const keyOf = ({ metadata: { namespace, name = '' } }: ApiObject): ObjectKey => ({ ...(namespace && { namespace }), name });
