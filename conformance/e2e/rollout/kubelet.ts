import {
  createImages,
  createPodHost,
  createRestartBackOff,
  handleDeletion,
  type NodeContext,
  type PodHost,
  receivePod,
  type StartApplication,
  type StatusWriter,
  statusSyncPeriod,
  updatePod,
} from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import type { Feed } from './feed.ts';
import type { NodeNetwork } from './network.ts';
import type { RealClock } from './real-clock.ts';
import { mergePatch, pathOf, type Requests } from './requests.ts';

export interface KubeletOptions {
  readonly clock: RealClock;
  readonly feed: Feed;
  readonly requests: Requests;
  readonly node: NodeNetwork;
  /** Creates the function that starts processes. `addressOf` returns the address of a pod by its UID. */
  createApplications(addressOf: (podUid: string) => string): StartApplication;
  onError(error: unknown): void;
}

type KubeletPod = PodHost['pod'];

/**
 * Runs a kubelet: the simulator's decisions, on a clock that follows real time, with real addresses, processes and requests to the API server.
 */
export function startKubelet(options: KubeletOptions): void {
  const { clock, feed, node } = options;
  const actor = `kubelet/${node.name}`;
  const pods = new Map<string, PodHost>();
  let created = 0;
  let addresses = 0;
  const context: NodeContext = {
    ...{ name: node.name, actor, clock, hostIPs: [node.address] },
    startApplication: options.createApplications((uid) => pods.get(uid)?.runtime.snapshot().sandboxes[0]?.ip ?? ''),
    backOff: createRestartBackOff({ now: clock.now }),
    writer: createStatusWriter(options, actor, () => pods.values()),
    images: createImages(clock, actor),
    startedAt: clock.now(),
    createID() {
      created += 1;
      return `${node.name}-${created}`;
    },
    allocateIP() {
      addresses += 1;
      return `${node.subnet}.${addresses}`;
    },
    reserveIP: () => {},
    // An address belongs to one pod only: connections to it are refused when its pod is gone.
    releaseIP: () => {},
    forget: ({ uid }) => void pods.delete(uid),
  };
  feed.hub.watch(
    actor,
    ['Pod'],
    ({ previous, current }) => {
      const { uid = '' } = (current ?? previous)?.metadata ?? {};
      const host = pods.get(uid);
      if (host) {
        if (current) receivePod(host, current as KubeletPod);
        else handleDeletion(host);
      } else if (current) {
        const added = createPodHost(context, current as KubeletPod);
        pods.set(uid, added);
        updatePod(added, { type: 'create', runtime: added.read });
      }
    },
    (pod) => (pod as Pod).spec?.nodeName === node.name,
  );
}

/** Writes the statuses of a node's pods, one after another, like the simulator's writer. Each request is delayed by "request". */
function createStatusWriter({ clock, requests, onError }: KubeletOptions, actor: string, pods: () => Iterable<PodHost>): StatusWriter {
  let isBusy = false;
  let isDirty = false;
  const delayed = async <T>(request: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => clock.after({ name: 'request', actor }, resolve));
    const start = Date.now();
    const answer = await request();
    clock.noteLateness('a request', Date.now() - start);
    clock.catchUp();
    return answer;
  };
  const run = async (isPeriodic: boolean): Promise<void> => {
    if (isBusy) {
      isDirty = true;
      return;
    }
    isBusy = true;
    do {
      isDirty = false;
      const due = [...pods()].filter(({ cache, pod, isDeleted }) => cache.startSync(isDeleted ? undefined : pod, isPeriodic));
      for (const host of due) await writeStatus(host, requests, delayed);
    } while (isDirty);
    isBusy = false;
  };
  return {
    notify: () => void run(false).catch(onError),
    notifyLater: () => void clock.at(clock.now() + statusSyncPeriod, () => void run(true).catch(onError)),
  };
}

/** Reads a pod, patches its status, and deletes it if it has ended. Mirrors `syncPod` (1.36, pkg/kubelet/status/status_manager.go). */
async function writeStatus(
  { namespace, name, uid, cache, worker }: PodHost,
  { send }: Requests,
  delayed: <T>(request: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const path = pathOf('Pod', namespace, name);
  const merge = (pod: ApiObject): object | undefined => cache.merge(pod as KubeletPod, !worker.state.terminated);
  let stored = await delayed(() => send('GET', path));
  if (stored?.metadata.uid !== uid) return;
  if (merge(stored)) {
    const current = stored;
    let sent = cache.status;
    stored = await delayed(() => {
      sent = cache.status;
      return send('PATCH', `${path}/status`, { metadata: { uid }, status: merge(current) }, mergePatch);
    });
    // A status that changed during the request is not written yet: its notification starts another write.
    if (cache.status !== sent) return;
  }
  if (!stored || !cache.confirm(stored as KubeletPod)) return;
  await delayed(() => send('DELETE', path, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } }));
  cache.forget();
}
