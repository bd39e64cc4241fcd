import { isDeepStrictEqual } from 'node:util';
import { compareText } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { applyMergePatch, applyStrategicMergePatch, builtInKind } from '../../../packages/apiserver/src/patch/index.ts';
import type { Call } from '../../../packages/simulator/src/internal.ts';
import type { ChangeTarget, RecordedWrite, Settling, WorkloadChange, WriteFailure } from './case.ts';
import {
  bindPod,
  failure,
  keyOf,
  mergeSpec,
  mergeStatus,
  notFound,
  prune,
  recordOf,
  resourceOf,
  selectedNodeOf,
  statusOfNew,
  targetOf,
} from './replay-objects.ts';

export interface WatchEvent {
  readonly verb: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

type Json = Record<string, unknown>;

/** The minimal API server of the oracle (go/server.go); what differs between the two is a mismatch. */
export class ReplayServer {
  failures: { readonly failure: WriteFailure; skip: number; times: number }[] = [];
  writes: RecordedWrite[] = [];
  undelivered: WatchEvent[] = [];
  #version = 1;
  #names = 0;
  readonly #objects = new Map<string, ApiObject>();
  readonly #options: { readonly now: () => number; readonly start: number; readonly gracefulPods: boolean };

  constructor(options: { readonly now: () => number; readonly start: number; readonly gracefulPods: boolean }) {
    this.#options = options;
  }

  get version(): string {
    return String(this.#version);
  }

  list(kind: string): ApiObject[] {
    const found = [...this.#objects].filter(([key]) => key.startsWith(`${kind}/`));
    return found.sort(([a], [b]) => compareText(a, b)).map(([, object]) => object);
  }

  /** Stores an object of the case as it is, except for its resourceVersion. */
  put(object: ApiObject): void {
    const next = prune(object) as ApiObject;
    this.#store(this.#objects.has(keyOf(next)) ? 'MODIFIED' : 'ADDED', next);
  }

  /** Makes a change of the case. */
  apply(change: WorkloadChange): void {
    if ('put' in change) {
      this.put(change.put);
      return;
    }
    if ('settle' in change) {
      this.#settle(change.settle);
      return;
    }
    const current = this.#find('merge' in change ? change.merge : 'bind' in change ? change.bind : change.delete);
    if (!current) return;
    if ('bind' in change) this.#bind(current);
    else if ('delete' in change) this.#drop(structuredClone(current));
    else this.#merge(current, change.merge.patch);
  }

  #find({ kind, namespace = '', name, nth }: ChangeTarget): ApiObject | undefined {
    if (nth === undefined) return this.#objects.get(`${kind}/${namespace}/${name}`);
    const objects = this.list(kind);
    return objects[nth % objects.length];
  }

  /** Sets the status of a ReplicaSet as its controller does when all Pods exist. */
  #settle({ nth, unready, unavailable, terminating }: Settling): void {
    const current = this.#find({ kind: 'ReplicaSet', nth });
    if (!current) return;
    const { replicas } = current['spec'] as { replicas: number };
    const counts = {
      fullyLabeledReplicas: replicas,
      readyReplicas: Math.max(replicas - unready, 0),
      availableReplicas: Math.max(replicas - unavailable, 0),
      observedGeneration: current.metadata.generation,
    };
    const nonZero = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
    const next = { ...current, status: { replicas, ...nonZero, terminatingReplicas: terminating } } as ApiObject;
    if (!isDeepStrictEqual(next, current)) this.#store('MODIFIED', next);
  }

  /** Binds a Pod, unless it is bound, to the node of its affinity. */
  #bind(current: ApiObject): void {
    const { nodeName } = current['spec'] as { nodeName?: string };
    const selected = selectedNodeOf(current);
    if (nodeName === undefined && selected !== '') this.#merge(current, { spec: { nodeName: selected } });
  }

  #merge(current: ApiObject, patch: object): void {
    const next = prune(applyMergePatch(structuredClone(current) as never, patch).value) as ApiObject;
    if (isDeepStrictEqual(next, current)) return;
    const { generation } = current.metadata;
    const hasNewGeneration = generation !== undefined && !isDeepStrictEqual(next['spec'], current['spec']);
    this.#store('MODIFIED', hasNewGeneration ? { ...next, metadata: { ...next.metadata, generation: generation + 1 } } : next);
  }

  /** Answers a call. @throws ApiError */
  answer(call: Call): ApiObject {
    if (call.do === 'get') {
      const found = this.#objects.get(`${call.kind}/${call.namespace}/${call.name}`);
      if (found) return found;
      throw notFound(call.kind, call.name);
    }
    const record = recordOf(call, this.#options.now() - this.#options.start);
    const index = this.writes.push(record) - 1;
    try {
      this.#fail(record);
      return structuredClone(this.#write(call));
    } catch (error) {
      if (error instanceof ApiError) this.writes[index] = { ...record, failed: error.reason };
      throw error;
    }
  }

  #fail(record: RecordedWrite): void {
    for (const due of this.failures) {
      const { verb, kind, subresource, name, status } = due.failure;
      const isMatch = verb === record.verb && kind === record.kind && subresource === record.subresource;
      if (due.times <= 0 || !isMatch || (name !== undefined && name !== record.name)) continue;
      if (due.skip > 0) {
        due.skip -= 1;
        continue;
      }
      due.times -= 1;
      throw new ApiError(status);
    }
  }

  #write(call: Exclude<Call, { do: 'get' }>): ApiObject {
    if (call.do === 'create') return this.#create(call.kind, prune(call.object) as ApiObject);
    const { namespace, name } = targetOf(call);
    const current = this.#objects.get(`${call.kind}/${namespace}/${name}`);
    if (!current) throw notFound(call.kind, name);
    if (call.do === 'update') return this.#replace(current, structuredClone(call.object), call.subresource);
    if (call.do === 'delete') return this.#delete(current, call.uid);
    if (call.do === 'bind') return this.#store('MODIFIED', bindPod(current, call.node));
    const type = builtInKind(current.apiVersion as string, call.kind)?.type;
    const patched =
      call.type === 'merge' || !type
        ? applyMergePatch(structuredClone(current) as never, call.patch).value
        : applyStrategicMergePatch(structuredClone(current) as never, call.patch, type);
    return this.#replace(current, patched as ApiObject, call.subresource);
  }

  #create(kind: string, object: ApiObject): ApiObject {
    const metadata = object.metadata as Json;
    metadata['name'] ??= `${object.metadata.generateName}${String(++this.#names).padStart(5, '0')}`;
    if (this.#objects.has(keyOf({ ...object, kind })))
      throw failure(409, 'AlreadyExists', `${resourceOf(kind)} "${metadata['name']}" already exists`);
    metadata['uid'] = `uid-${String(this.#version + 1).padStart(5, '0')}`;
    metadata['creationTimestamp'] = this.#formatNow();
    metadata['generation'] = 1;
    const { status: _, ...rest } = object;
    const newStatus = statusOfNew[kind];
    return this.#store('ADDED', prune({ ...rest, kind, ...(newStatus && { status: newStatus }) }) as ApiObject);
  }

  #replace(current: ApiObject, wanted: ApiObject, subresource: string | undefined): ApiObject {
    const old = current.metadata as Json;
    const { resourceVersion, uid } = wanted.metadata;
    const target = `Operation cannot be fulfilled on ${resourceOf(current.kind as string)} "${current.metadata.name}"`;
    if (resourceVersion !== undefined && resourceVersion !== old['resourceVersion'])
      throw failure(
        409,
        'Conflict',
        `${target}: the object has been modified; please apply your changes to the latest version and try again`,
      );
    if (uid !== undefined && uid !== old['uid'])
      throw failure(409, 'Conflict', `${target}: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old['uid']}`);
    const next = prune(subresource === 'status' ? mergeStatus(current, wanted) : mergeSpec(current, wanted)) as ApiObject;
    if (isDeepStrictEqual(next, current)) return current;
    return this.#isGone(next) ? this.#drop(next) : this.#store('MODIFIED', next);
  }

  #delete(current: ApiObject, uid: string | undefined): ApiObject {
    const { metadata, kind } = current;
    if (uid !== undefined && uid !== metadata.uid)
      throw failure(
        409,
        'Conflict',
        `Operation cannot be fulfilled on ${resourceOf(kind as string)} "${metadata.name}": Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
      );
    const graceful = kind === 'Pod' && this.#options.gracefulPods;
    if (!graceful && metadata.finalizers === undefined) return this.#drop(structuredClone(current));
    if (metadata.deletionTimestamp !== undefined) return current;
    const deletionGracePeriodSeconds = graceful ? 30 : 0;
    const deletionTimestamp = this.#formatNow(deletionGracePeriodSeconds);
    return this.#store('MODIFIED', { ...current, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds } });
  }

  #isGone = ({ kind, metadata }: ApiObject): boolean =>
    metadata.deletionTimestamp !== undefined &&
    metadata.finalizers === undefined &&
    !(kind === 'Pod' && metadata.deletionGracePeriodSeconds !== 0);

  #store(verb: 'ADDED' | 'MODIFIED', object: ApiObject): ApiObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.set(keyOf(stored), stored);
    this.undelivered.push({ verb, object: stored });
    return stored;
  }

  #drop(object: ApiObject): ApiObject {
    const dropped = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.delete(keyOf(dropped));
    this.undelivered.push({ verb: 'DELETED', object: dropped });
    return dropped;
  }

  #formatNow(seconds = 0): string {
    return new Date(this.#options.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}
