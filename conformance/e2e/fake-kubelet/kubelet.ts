import { setTimeout as pause } from 'node:timers/promises';
import { connectTo, type Http, type HttpResponse } from '../apiserver/target/http.ts';
import type { Target } from '../apiserver/target/target.ts';
import { createLeaseSpec, createNodeObject, createNodeStatus, createNodes } from './nodes.ts';
import { type NodeCapacity, nextAction, type Pod, type PodAction } from './pods.ts';

export interface FakeKubelet {
  /** Requests that the API server refused, other than for conflicts and deleted pods: method, path, code, message. */
  readonly problems: readonly string[];
  stop(): Promise<void>;
}

const HEARTBEAT_INTERVAL_MS = 10_000;
/** How long the containers of a terminating pod take to end; a client may still read or update the pod. */
const TERMINATION_MS = 1000;
const RETRY_DELAY_MS = 500;

/**
 * Registers nodes that exist only in the API, and acts as their kubelets and as the scheduler: pods are bound, run and become ready at
 * once, and terminating ones are deleted after a second. There are no containers, so logs, exec and port-forward fail.
 */
export async function startFakeKubelet(target: Target, nodeCount = 2): Promise<FakeKubelet> {
  const http = connectTo(target);
  const nodes = createNodes(nodeCount);
  const problems: string[] = [];
  const stopping = new AbortController();
  const call = async (method: string, path: string, body?: object, type = 'application/json'): Promise<HttpResponse> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await http.send({ method, path, body: text, headers: { 'content-type': type, 'user-agent': 'fake-kubelet' } });
    if (response.code >= 300 && response.code !== 404 && response.code !== 409)
      problems.push(`${method} ${path}: ${response.code} ${response.text.slice(0, 300)}`);
    return response;
  };
  await sendHeartbeats(call, nodes);
  const loops = [
    repeat(stopping.signal, async () => {
      await pause(HEARTBEAT_INTERVAL_MS, undefined, { signal: stopping.signal });
      await sendHeartbeats(call, nodes);
    }),
    repeat(stopping.signal, () => followPods(http, createPodHandler(call, nodes, stopping.signal), stopping.signal)),
  ];
  return {
    problems,
    async stop() {
      stopping.abort();
      http.close();
      await Promise.all(loops);
    },
  };
}

type Call = (method: string, path: string, body?: object, type?: string) => Promise<HttpResponse>;

const MERGE_PATCH = 'application/merge-patch+json';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const formatNow = (): string => new Date().toISOString().replace(/\.\d+/, '');

/** Creates missing nodes and leases, and reports the nodes as ready. */
async function sendHeartbeats(call: Call, nodes: readonly NodeCapacity[]): Promise<void> {
  for (const [index, { name }] of nodes.entries()) {
    const now = formatNow();
    const path = `/api/v1/nodes/${name}`;
    const { code } = await call('PATCH', `${path}/status`, { status: createNodeStatus(name, index, now) }, MERGE_PATCH);
    if (code === 404) {
      await call('POST', '/api/v1/nodes', createNodeObject(name, index));
      // The API server taints new nodes as not ready, until a controller sees their condition.
      await call('PATCH', path, { spec: { taints: null } }, MERGE_PATCH);
      await call('PATCH', `${path}/status`, { status: createNodeStatus(name, index, now) }, MERGE_PATCH);
    }
    const lease = await call('PATCH', `${LEASES}/${name}`, { spec: createLeaseSpec(name, now) }, MERGE_PATCH);
    if (lease.code === 404) await call('POST', LEASES, { metadata: { name }, spec: createLeaseSpec(name, now) });
  }
}

/** Returns a function that sends the next request for a pod, if any. It acts once on each version of a pod. */
function createPodHandler(call: Call, nodes: readonly NodeCapacity[], signal: AbortSignal): (pod: Pod) => Promise<void> {
  const addresses = new Map<string, string>();
  let bindings = 0;
  const addressOf = (uid: string): string => {
    const address = addresses.get(uid) ?? `10.240.${(addresses.size >> 8) & 255}.${addresses.size & 255}`;
    addresses.set(uid, address);
    return address;
  };
  return async (pod) => {
    // The first node is a different one each time, so that pods are spread.
    const first = bindings % nodes.length;
    const order = [...nodes.slice(first), ...nodes.slice(0, first)];
    const action = nextAction(pod, { nodes: order, now: formatNow(), addressOf });
    if (action?.type === 'bind') bindings += 1;
    if (action?.type === 'delete') await pause(TERMINATION_MS, undefined, { signal });
    if (action !== undefined) await perform(call, pod, action);
  };
}

async function perform(call: Call, { metadata: { name, namespace, uid } }: Pod, action: PodAction): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  if (action.type === 'bind') {
    const target = { apiVersion: 'v1', kind: 'Node', name: action.node };
    await call('POST', `${path}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target });
  } else if (action.type === 'delete') {
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } };
    await call('DELETE', path, options);
  } else {
    await call('PATCH', `${path}/status`, { metadata: { uid }, status: action.status }, 'application/strategic-merge-patch+json');
  }
}

interface WatchEvent {
  readonly type: string;
  readonly object: Pod;
}

/** Lists and watches all pods, and passes each version to `handle`. Resolves when the watch ends. */
async function followPods(http: Http, handle: (pod: Pod) => Promise<void>, signal: AbortSignal): Promise<void> {
  const { code, text } = await http.send({ method: 'GET', path: '/api/v1/pods' });
  if (code !== 200) throw new Error(`GET /api/v1/pods: ${code}`);
  const { items, metadata } = JSON.parse(text) as { items: readonly Pod[]; metadata: { resourceVersion: string } };
  const start = (pod: Pod): void => void handle(pod).catch(() => {});
  items.forEach(start);
  const path = `/api/v1/pods?watch=1&allowWatchBookmarks=1&timeoutSeconds=300&resourceVersion=${metadata.resourceVersion}`;
  const stream = await http.stream({ method: 'GET', path });
  const close = (): void => stream.close();
  signal.addEventListener('abort', close);
  try {
    for await (const line of stream.lines) {
      const { type, object } = JSON.parse(line) as WatchEvent;
      if (type === 'ERROR') return;
      if (type === 'ADDED' || type === 'MODIFIED') start(object);
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** Repeats `work` until the signal; waits after an error, as when the API server restarts. */
async function repeat(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await work().catch(() => pause(RETRY_DELAY_MS, undefined, { signal }).catch(() => {}));
}
