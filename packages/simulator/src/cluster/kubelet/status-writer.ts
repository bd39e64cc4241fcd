import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { PodStatus } from 'kube-endpoints/types';
import type { Call } from '../../controller/controller.ts';
import type { Clock } from '../../engine/clock.ts';
import { type KubeletPod, statusSyncPeriod } from '../../kubelet/index.ts';
import type { Server } from '../store/server.ts';
import type { PodHost, StatusWriter } from './context.ts';

export interface StatusWriterOptions {
  readonly clock: Clock;
  readonly actor: string;
  readonly server: Server;
  pods(): Iterable<PodHost>;
}

/**
 * Writes the statuses of a node's pods, one after another: reads the pod, patches its status, and deletes it if it has ended. Each request takes a
 * delay of "request". Mirrors `Start` and `syncBatch` (1.36, pkg/kubelet/status/status_manager.go). The periodic sync runs only after a change that
 * can require it.
 */
export function createStatusWriter(options: StatusWriterOptions): StatusWriter {
  const { clock } = options;
  let isBusy = false;
  let isDirty = false;
  let isScheduled = false;
  const notifyLater = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    clock.at((Math.floor(clock.now() / statusSyncPeriod) + 1) * statusSyncPeriod, () => {
      isScheduled = false;
      run(true);
    });
  };
  const run = (isPeriodic: boolean): void => {
    if (isBusy) {
      if (isPeriodic) notifyLater();
      else isDirty = true;
      return;
    }
    isBusy = true;
    isDirty = false;
    const due = [...options.pods()].filter(({ cache, pod, isDeleted }) => cache.startSync(isDeleted ? undefined : pod, isPeriodic));
    writeAll(options, due, notifyLater, () => {
      isBusy = false;
      if (isDirty) run(false);
    });
  };
  return { notify: () => run(false), notifyLater };
}

function writeAll(options: StatusWriterOptions, pods: readonly PodHost[], onFailure: () => void, onEnd: () => void): void {
  const [first, ...rest] = pods;
  if (first) writeStatus(options, first, onFailure, () => writeAll(options, rest, onFailure, onEnd));
  else onEnd();
}

/** Writes the status of one pod. Mirrors `syncPod` (1.36, pkg/kubelet/status/status_manager.go). */
function writeStatus(options: StatusWriterOptions, host: PodHost, onFailure: () => void, onEnd: () => void): void {
  const { clock, actor, server } = options;
  const { namespace, name, uid, cache, worker } = host;
  /** Runs a request, and then what follows from its answer; undefined ends the write. */
  const request = (run: () => (() => void) | undefined): void =>
    void clock.after({ name: 'request', actor }, () => {
      let next: (() => void) | undefined;
      try {
        next = run();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.reason !== 'NotFound') onFailure();
      }
      (next ?? onEnd)();
    });
  const merge = (stored: ApiObject): PodStatus | undefined => cache.merge(stored as KubeletPod, !worker.state.terminated);
  const read = (): ApiObject | undefined => {
    const stored = server.answer(actor, { do: 'get', kind: 'Pod', namespace, name });
    return stored.metadata.uid === uid ? stored : undefined;
  };
  const remove = (): void =>
    request(() => {
      server.delete(actor, 'Pod', namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
      cache.forget();
      return undefined;
    });
  const confirm = (stored: ApiObject): (() => void) | undefined => (cache.confirm(stored as KubeletPod) ? remove : undefined);
  request(() => {
    const stored = read();
    if (!stored || !merge(stored)) return stored && confirm(stored);
    return () =>
      request(() => {
        const newest = read();
        const status = newest && merge(newest);
        return newest && confirm(status ? server.answer(actor, patchOf(newest, status)) : newest);
      });
  });
}

/** The write of a status. The kubelet's patch does not change other fields, and does not conflict. */
function patchOf(stored: ApiObject, status: PodStatus): Call {
  const { resourceVersion: _, ...metadata } = stored.metadata;
  const object = { ...stored, metadata, status: { ...(stored['status'] as object), ...status } } as ApiObject;
  return { do: 'update', kind: 'Pod', object, subresource: 'status' };
}
