import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../../controller/controller.ts';
import type { StartApplication } from '../../engine/application.ts';
import type { NodeClock } from '../../engine/node-clock.ts';
import type { ShutdownConfig } from '../../kubelet/index.ts';
import { createStream, type Stream } from '../watches.ts';
import { createKubelet, type Kubelet, type KubeletOptions } from './node.ts';

/** The kubelets of all nodes. */
export interface Kubelets {
  /** Starts the delivery of a change of a pod to the kubelet of its node; starts the kubelet of a new node. */
  publish(change: Change): void;
  /** The Lease of a node as its kubelet last renewed it; undefined without a kubelet. */
  leaseOf(node: string): ApiObject | undefined;
  /** Shuts a node down, and calls back when it is off. */
  shutDown(node: string, config: ShutdownConfig, onEnd: () => void): void;
}

export interface KubeletsOptions extends Pick<KubeletOptions, 'server'> {
  clockOf(node: string): NodeClock;
  /** Starts the processes of a node. */
  createApplications(clock: NodeClock): StartApplication;
}

/** Starts the kubelets of the existing nodes. Their watches have a selector of the node: only changes of their pods arrive. */
export function startKubelets(
  { server, clockOf, createApplications }: KubeletsOptions,
  nodes: readonly ApiObject[],
  pods: readonly ApiObject[],
): Kubelets {
  const streams = new Map<string, Stream>();
  const kubelets = new Map<string, Kubelet>();
  const add = (node: ApiObject): void => {
    const { name = '' } = node.metadata;
    if (streams.has(name)) return;
    const index = streams.size;
    const clock = clockOf(name);
    const subnet = `10.${128 + (index >> 8)}.${index & 255}`;
    const kubelet = createKubelet({ clock, server, startApplication: createApplications(clock), node, subnet });
    kubelets.set(name, kubelet);
    streams.set(name, createStream(clock, `kubelet/${name}`, kubelet.handle));
  };
  for (const node of nodes) add(node);
  for (const pod of pods) kubelets.get(nodeOf(pod))?.handle({ kind: 'Pod', current: pod });
  return {
    leaseOf: (node) => kubelets.get(node)?.lease(),
    shutDown: (node, config, onEnd) => kubelets.get(node)?.shutDown(config, onEnd),
    publish({ kind, previous, current }) {
      if (kind === 'Node' && current) add(current);
      if (kind !== 'Pod') return;
      const node = nodeOf((current ?? previous) as ApiObject);
      const wasSelected = previous !== undefined && nodeOf(previous) === node;
      if (node !== '') streams.get(node)?.push({ kind, ...(wasSelected && { previous }), ...(current && { current }) });
    },
  };
}

const nodeOf = ({ spec }: ApiObject): string => (spec as { readonly nodeName?: string } | undefined)?.nodeName ?? '';
