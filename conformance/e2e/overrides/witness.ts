import { createClientNodePort, loadKubeConfig } from '@kube-endpoints/controllers/client-node';
import { overridesDueAnnotation } from '@kube-endpoints/controllers/internal';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { namespace } from './fleet.ts';

/** A stored version of an object. */
export interface StoredVersion {
  readonly timeMs: number;
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly service: string;
  /** IPs that are ready. */
  readonly ready: readonly string[];
}

/** Records every stored version of every object through watches. */
export interface Witness {
  /** The versions stored since the watches began, in order. */
  readonly storedVersions: readonly StoredVersion[];
  /** Times at which the resync annotation of a Service changed. */
  readonly resyncs: readonly { readonly timeMs: number; readonly service: string }[];
  /** The ready addresses of a Service now. */
  ready(kind: StoredVersion['kind'], service: string): readonly string[];
  close(): Promise<void>;
}

export async function watchAll(kubeconfig: string): Promise<Witness> {
  const { kubeConfig } = await loadKubeConfig({ kubeconfig });
  const port = createClientNodePort(kubeConfig);
  const controller = new AbortController();
  const state = createWitnessState();
  const completion = Promise.all(state.handlers.map(([resource, handler]) => follow(port, resource, handler, controller.signal)));
  completion.catch((error: unknown) => console.error('the witness has stopped:', error));
  return {
    storedVersions: state.storedVersions,
    resyncs: state.resyncs,
    ready: state.ready,
    async close() {
      controller.abort();
      await completion;
      port.close();
    },
  };
}

/** @param isChange false for objects of the initial list */
type ObjectHandler = (object: ApiObject, isChange: boolean) => void;

interface WitnessState extends Omit<Witness, 'close'> {
  readonly handlers: readonly (readonly [Resource, ObjectHandler])[];
}

function createWitnessState(): WitnessState {
  const storedVersions: StoredVersion[] = [];
  const resyncs: { timeMs: number; service: string }[] = [];
  const readyByService = new Map<string, readonly string[]>();
  const dueByService = new Map<string, string | undefined>();
  const record = (kind: StoredVersion['kind'], service: string, ready: readonly string[], isChange: boolean): void => {
    readyByService.set(`${kind} ${service}`, ready);
    if (isChange) storedVersions.push({ timeMs: Date.now(), kind, service, ready });
  };
  const onEndpoints: ObjectHandler = (object, isChange) =>
    record('Endpoints', object.metadata.name ?? '', readyInEndpoints(object as EndpointsInput), isChange);
  const onSlice: ObjectHandler = (object, isChange) =>
    record(
      'EndpointSlice',
      object.metadata.labels?.['kubernetes.io/service-name'] ?? '',
      readyInSlice(object as EndpointSliceInput),
      isChange,
    );
  const onService: ObjectHandler = ({ metadata: { name = '', annotations } }, isChange) => {
    const due = annotations?.[overridesDueAnnotation];
    if (isChange && due !== dueByService.get(name)) resyncs.push({ timeMs: Date.now(), service: name });
    dueByService.set(name, due);
  };
  return {
    storedVersions,
    resyncs,
    ready: (kind, service) => readyByService.get(`${kind} ${service}`) ?? [],
    handlers: [
      [resources.endpoints, onEndpoints],
      [resources.endpointSlices, onSlice],
      [resources.services, onService],
    ],
  };
}

/** Follows a resource without gaps: resumes a watch that ends, and fails if that is not possible. */
async function follow(port: ClientPort, resource: Resource, handler: ObjectHandler, signal: AbortSignal): Promise<void> {
  const { items, metadata } = await port.list(resource, { namespace });
  for (const item of items) handler(item, false);
  let { resourceVersion } = metadata;
  while (!signal.aborted) {
    try {
      for await (const { type, object } of port.watch(resource, { namespace, resourceVersion, signal, allowWatchBookmarks: true })) {
        resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
        if (type !== 'BOOKMARK') handler(object, true);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

const readyInEndpoints = ({ subsets }: EndpointsInput): string[] =>
  (subsets ?? []).flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip ?? '')).sort();

const readyInSlice = ({ endpoints }: EndpointSliceInput): string[] =>
  (endpoints ?? []).flatMap(({ addresses, conditions }) => (conditions?.ready === false ? [] : (addresses ?? []))).sort();
