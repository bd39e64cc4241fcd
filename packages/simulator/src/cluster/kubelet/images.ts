import type { Clock } from '../../engine/clock.ts';
import { createImagePuller, type ImageRequest, type KubeletContainer, type KubeletPod } from '../../kubelet/index.ts';

/** Receives the end of a pull, with its error if it failed. */
export type Pull = (error?: { readonly reason: string; readonly message: string }) => void;

/** The images of a node. */
export interface Images {
  /** Makes sure that a container's image is on the node. */
  pull(pod: KubeletPod, container: KubeletContainer, onEnd: Pull): void;
  /** Records that an image is on the node. */
  add(image: string): void;
}

/**
 * The first pull of an image takes a delay of "imagePull"; containers that need it meanwhile wait for the same pull. Later ones, with the policy
 * Always too, take no time. Pulls do not fail.
 */
export function createImages(clock: Clock, actor: string): Images {
  const puller = createImagePuller({ now: clock.now });
  const present = new Set<string>();
  const waiting = new Map<string, Pull[]>();
  const pull: Images['pull'] = ({ metadata }, container, onEnd) => {
    const { image = '', imagePullPolicy = 'IfNotPresent' } = container as { image?: string; imagePullPolicy?: ImageRequest['policy'] };
    const isPresent = present.has(image);
    const decision = puller.decide({ podUID: metadata?.uid ?? '', image, policy: imagePullPolicy, isPresent });
    if (isPresent || decision.do === 'fail') {
      onEnd(decision.do === 'fail' ? { reason: decision.error, message: decision.message } : undefined);
      return;
    }
    const others = waiting.get(image);
    if (others) {
      others.push(onEnd);
      return;
    }
    const callbacks = [onEnd];
    waiting.set(image, callbacks);
    clock.after({ name: 'imagePull', actor }, () => {
      waiting.delete(image);
      present.add(image);
      puller.handleSuccess();
      for (const callback of callbacks) callback();
    });
  };
  return { pull, add: (image) => void present.add(image) };
}
