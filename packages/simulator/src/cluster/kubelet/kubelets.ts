import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../../controller/controller.ts';
import { createStream, type Stream } from '../watches.ts';
import { createKubelet, type KubeletOptions } from './node.ts';

/** The kubelets of all nodes. */
export interface Kubelets {
  /** Starts the delivery of a change of a pod to the kubelet of its node; starts the kubelet of a new node. */
  publish(change: Change): void;
}

/** Starts the kubelets of the existing nodes. Their watches have a selector of the node: only changes of their pods arrive. */
export function startKubelets(
  options: Omit<KubeletOptions, 'node' | 'subnet'>,
  nodes: readonly ApiObject[],
  pods: readonly ApiObject[],
): Kubelets {
  const streams = new Map<string, Stream>();
  const handlers = new Map<string, (change: Change) => void>();
  const add = (node: ApiObject): void => {
    const { name = '' } = node.metadata;
    if (streams.has(name)) return;
    const index = streams.size;
    const kubelet = createKubelet({ ...options, node, subnet: `10.${128 + (index >> 8)}.${index & 255}` });
    handlers.set(name, kubelet.handle);
    streams.set(name, createStream(options.clock, `kubelet/${name}`, kubelet.handle));
  };
  for (const node of nodes) add(node);
  for (const pod of pods) handlers.get(nodeOf(pod))?.({ kind: 'Pod', current: pod });
  return {
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
