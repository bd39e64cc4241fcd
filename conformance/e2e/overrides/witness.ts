import { createClientNodePort, loadKubeConfig } from '@kube-endpoints/controllers/client-node';
import { overridesDueAnnotation } from '@kube-endpoints/controllers/internal';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { namespace } from './fleet.ts';

/** A stored version of an object. */
export interface StoredVersion {
  readonly at: number;
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly service: string;
  /** IPs that are ready. */
  readonly ready: readonly string[];
}

/** Records every stored version of every object through watches. */
export interface Witness {
  /** In order, since the beginning. */
  readonly storedVersions: readonly StoredVersion[];
  /** When the resync annotation of a Service changed. */
  readonly resyncs: readonly { readonly at: number; readonly service: string }[];
  /** The ready addresses of a Service now. */
  ready(kind: StoredVersion['kind'], service: string): readonly string[];
  close(): Promise<void>;
}

export async function watchAll(kubeconfig: string): Promise<Witness> {
  const { kubeConfig } = await loadKubeConfig({ kubeconfig });
  const port = createClientNodePort(kubeConfig);
  const end = new AbortController();
  const notes = createNotes();
  const following = Promise.all(notes.takers.map(([resource, take]) => follow(port, resource, take, end.signal)));
  following.catch((error: unknown) => console.error('the witness cannot go on:', error));
  return {
    storedVersions: notes.storedVersions,
    resyncs: notes.resyncs,
    ready: notes.ready,
    async close() {
      end.abort();
      await following;
      port.close();
    },
  };
}

/** @param counted false for objects of the initial list */
type Take = (object: ApiObject, counted: boolean) => void;

interface Notes extends Omit<Witness, 'close'> {
  readonly takers: readonly (readonly [Resource, Take])[];
}

function createNotes(): Notes {
  const storedVersions: StoredVersion[] = [];
  const resyncs: { at: number; service: string }[] = [];
  const last = new Map<string, readonly string[]>();
  const dues = new Map<string, string | undefined>();
  const see = (kind: StoredVersion['kind'], service: string, ready: readonly string[], counted: boolean): void => {
    last.set(`${kind} ${service}`, ready);
    if (counted) storedVersions.push({ at: Date.now(), kind, service, ready });
  };
  const takeEndpoints: Take = (object, counted) =>
    see('Endpoints', object.metadata.name ?? '', readyInEndpoints(object as EndpointsInput), counted);
  const takeSlice: Take = (object, counted) =>
    see('EndpointSlice', object.metadata.labels?.['kubernetes.io/service-name'] ?? '', readyInSlice(object as EndpointSliceInput), counted);
  const takeService: Take = ({ metadata: { name = '', annotations } }, counted) => {
    const due = annotations?.[overridesDueAnnotation];
    if (counted && due !== dues.get(name)) resyncs.push({ at: Date.now(), service: name });
    dues.set(name, due);
  };
  return {
    storedVersions: storedVersions,
    resyncs: resyncs,
    ready: (kind, service) => last.get(`${kind} ${service}`) ?? [],
    takers: [
      [resources.endpoints, takeEndpoints],
      [resources.endpointSlices, takeSlice],
      [resources.services, takeService],
    ],
  };
}

/** Follows a resource without gaps: resumes a watch that ends, and fails if it cannot. */
async function follow(port: ClientPort, resource: Resource, take: Take, signal: AbortSignal): Promise<void> {
  const { items, metadata } = await port.list(resource, { namespace });
  for (const item of items) take(item, false);
  let { resourceVersion } = metadata;
  while (!signal.aborted) {
    try {
      for await (const { type, object } of port.watch(resource, { namespace, resourceVersion, signal, allowWatchBookmarks: true })) {
        resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
        if (type !== 'BOOKMARK') take(object, true);
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
