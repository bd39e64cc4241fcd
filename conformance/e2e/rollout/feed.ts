import { createWatchHub, type WatchHub } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Http } from '../apiserver/target/http.ts';
import type { RealClock } from './real-clock.ts';
import { pathOf } from './requests.ts';

/** The objects of a row in the real API server, and their changes, which components receive after the injected delay "watch". */
export interface Feed {
  readonly hub: WatchHub;
  list(kind: string): readonly ApiObject[];
  /** Resolves when the condition holds after a change, or at once. */
  until(condition: () => boolean): Promise<void>;
  stop(): void;
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiObject;
}

/** The kinds that a row's components follow. */
const kinds = ['Node', 'Pod', 'Service', 'EndpointSlice', 'Deployment', 'ReplicaSet', 'StatefulSet'] as const;

/** @param nodeLabel the label of the row's nodes, for example "row=r1" */
export async function startFeed(http: Http, clock: RealClock, namespace: string, nodeLabel: string): Promise<Feed> {
  const objects = new Map<string, Map<string, ApiObject>>(kinds.map((kind) => [kind, new Map()]));
  const waiting = new Set<() => void>();
  const closers: (() => void)[] = [];
  const list = (kind: string): readonly ApiObject[] => [...(objects.get(kind)?.values() ?? [])];
  const hub = createWatchHub(clock, list);
  const handle = (kind: string, { type, object }: WatchEvent): void => {
    if (type === 'ERROR') throw new Error(`watch of ${kind}: ${JSON.stringify(object)}`);
    if (type === 'BOOKMARK') return;
    const known = objects.get(kind) as Map<string, ApiObject>;
    const { name = '' } = object.metadata;
    const previous = known.get(name);
    const current = { kind, ...object };
    if (type === 'DELETED') known.delete(name);
    else known.set(name, current);
    clock.catchUp();
    hub.publish({ kind, ...(previous && { previous }), ...(type !== 'DELETED' && { current }) });
    for (const check of [...waiting]) check();
  };
  const follow = async (kind: string): Promise<void> => {
    const path = kind === 'Node' ? `${pathOf(kind)}?labelSelector=${encodeURIComponent(nodeLabel)}&` : `${pathOf(kind, namespace)}?`;
    const stream = await http.stream({ method: 'GET', path: `${path}watch=1&timeoutSeconds=3000&resourceVersion=0` });
    closers.push(stream.close);
    void (async () => {
      for await (const line of stream.lines) handle(kind, JSON.parse(line) as WatchEvent);
    })().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'ABORT_ERR') throw error;
    });
  };
  await Promise.all(kinds.map(follow));
  return {
    hub,
    list,
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    stop: () => closers.forEach((close) => void close()),
  };
}
