import type { HostClock } from '../engine/clock.ts';
import type { NodeClock } from '../engine/node-clock.ts';
import type { ShutdownConfig } from '../kubelet/index.ts';
import type { Kubelets } from './kubelet/kubelets.ts';

/** What happens to whole nodes. */
export interface NodeControls {
  /**
   * Cuts a node off: its kubelet, its processes and its kube-proxy stand still, and connections to its pods fail.
   * @throws RangeError if the node does not exist or is lost
   */
  loseNode(name: string): void;
  /**
   * Restores a lost node: what runs on it goes on where it stopped.
   * @throws RangeError if the node does not exist or is not lost
   */
  restoreNode(name: string): void;
  /**
   * Shuts a node down gracefully: ends its pods by their priorities, and then loses it. By default with a period of 30 s, of which the last 10 s are
   * for critical pods; the kubelet's own default is no period.
   * @throws RangeError if the node does not exist or is lost
   */
  shutDownNode(name: string, config?: ShutdownConfig): void;
}

export interface NodeControlsOptions {
  readonly clock: HostClock;
  readonly kubelets: Kubelets;
  clockOf(node: string): NodeClock;
}

export function createNodeControls({ clock, kubelets, clockOf }: NodeControlsOptions): NodeControls {
  const find = (name: string, isLost: boolean): NodeClock => {
    if (!kubelets.leaseOf(name)) throw new RangeError(`there is no node ${JSON.stringify(name)}`);
    const found = clockOf(name);
    if (found.isLost !== isLost) throw new RangeError(`node ${JSON.stringify(name)} is ${isLost ? 'not' : 'already'} lost`);
    return found;
  };
  const lose = (name: string): void => {
    const node = find(name, false);
    clock.record({ type: 'node', what: 'lost', node: name }, node.lose);
  };
  return {
    loseNode: lose,
    restoreNode(name) {
      const node = find(name, true);
      clock.record({ type: 'node', what: 'restored', node: name }, node.restore);
    },
    shutDownNode(name, config = shutdownDefaults) {
      find(name, false);
      clock.record({ type: 'node', what: 'shutdown', node: name }, () => kubelets.shutDown(name, config, () => lose(name)));
    },
  };
}

/** The example of Kubernetes' documentation. */
const shutdownDefaults: ShutdownConfig = { gracePeriod: 30_000, criticalPods: 10_000 };
