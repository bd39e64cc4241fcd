import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../../controller/controller.ts';
import type { StartApplication } from '../../engine/application.ts';
import type { NodeClock } from '../../engine/node-clock.ts';
import { createRestartBackOff, type KubeletPod, type ShutdownConfig } from '../../kubelet/index.ts';
import type { Server } from '../store/server.ts';
import type { NodeContext, PodHost } from './context.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createImages } from './images.ts';
import { createPodHost } from './pod-host.ts';
import { handleDeletion, receivePod, updatePod } from './pod-loop.ts';
import { rejectPod, runShutdown } from './shutdown.ts';
import { createStatusWriter } from './status-writer.ts';

/** The kubelet of one node. */
export interface Kubelet {
  /** A pod of the node changed in the API. */
  handle(change: Change): void;
  /** Its Lease, as it renewed it last. */
  lease(): ApiObject;
  /** Shuts the node down: reports it as not ready, ends its pods in groups, and calls back when the node is off. */
  shutDown(config: ShutdownConfig, onEnd: () => void): void;
}

export interface KubeletOptions {
  readonly clock: NodeClock;
  readonly server: Server;
  readonly startApplication: StartApplication;
  readonly node: ApiObject;
  /** The first three bytes of the addresses of its pods, for example "10.64.0". */
  readonly subnet: string;
}

export function createKubelet({ clock, server, startApplication, node, subnet }: KubeletOptions): Kubelet {
  const name = node.metadata.name ?? '';
  const actor = `kubelet/${name}`;
  const pods = new Map<string, PodHost>();
  const startedAt = clock.now();
  let created = 0;
  const context: NodeContext = {
    ...{ name, actor, clock, startApplication, hostIPs: addressesOf(node), ...createAddresses(subnet) },
    backOff: createRestartBackOff({ now: clock.now }),
    writer: createStatusWriter({ clock, actor, server, pods: () => pods.values() }),
    images: createImages(clock, actor),
    startedAt,
    createID() {
      created += 1;
      return `${name}-${Math.floor(startedAt / 1000)}-${created}`;
    },
    forget: ({ uid }) => void pods.delete(uid),
  };
  const heartbeat = createHeartbeat({ clock, actor, server, name });
  let isShuttingDown = false;
  return {
    lease: heartbeat.lease,
    shutDown(config, onEnd) {
      isShuttingDown = true;
      heartbeat.reportShutdown();
      runShutdown(clock, [...pods.values()], config, onEnd);
    },
    handle({ previous, current }) {
      const { uid = '' } = (current ?? previous)?.metadata ?? {};
      const host = pods.get(uid);
      if (host) {
        if (current) receivePod(host, current as KubeletPod);
        else handleDeletion(host);
      } else if (current && isShuttingDown) rejectPod(context, server, current as KubeletPod);
      else if (current) {
        const added = createPodHost(context, current as KubeletPod);
        pods.set(uid, added);
        updatePod(added, { type: 'create', runtime: added.read });
      }
    },
  };
}

function addressesOf({ status }: ApiObject): readonly string[] {
  const { addresses = [] } = (status ?? {}) as { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
  return addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
}

/** The addresses of a node's pods. An address is used again as late as possible. */
function createAddresses(subnet: string): Pick<NodeContext, 'allocateIP' | 'reserveIP' | 'releaseIP'> {
  const free = Array.from({ length: 253 }, (_, i) => `${subnet}.${i + 2}`);
  let extra = 0;
  return {
    allocateIP() {
      extra += free.length === 0 ? 1 : 0;
      return free.shift() ?? `${subnet.replace(/^10\./, '11.')}.${extra}`;
    },
    reserveIP(ip) {
      if (free.includes(ip)) free.splice(free.indexOf(ip), 1);
    },
    releaseIP: (ip) => void free.push(ip),
  };
}
