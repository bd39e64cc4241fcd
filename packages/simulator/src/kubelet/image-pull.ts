import { type BackOff, createBackOff } from '../go/back-off.ts';

/** What the kubelet knows when a container needs its image. */
export interface ImageRequest {
  readonly podUID: string;
  readonly image: string;
  readonly policy: 'Always' | 'IfNotPresent' | 'Never';
  /** Whether the image is on the node. */
  readonly isPresent: boolean;
}

/** What the kubelet does about an image. */
export type ImageDecision =
  | { readonly do: 'use'; readonly message: string; readonly event: ImageEvent }
  | { readonly do: 'pull'; readonly event: ImageEvent }
  | { readonly do: 'fail'; readonly error: ImageError; readonly message: string; readonly event: ImageEvent };

/** The reason of the container's waiting state. */
export type ImageError = 'ErrImagePull' | 'ImagePullBackOff' | 'ErrImageNeverPull' | 'RegistryUnavailable' | 'SignatureValidationFailed';

/** An Event of the pod. The duration and size in the message of a successful pull depend on the runtime. */
export interface ImageEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'Pulled' | 'Pulling' | 'Failed' | 'BackOff' | 'ErrImageNeverPull';
  readonly message: string;
}

/**
 * The images of a node: decides whether to pull one, with a back-off by pod and image after failures, from 10 seconds to 5 minutes.
 * Mirrors `EnsureImageExists` and `pullImage` (1.36, pkg/kubelet/images/image_manager.go), without credentials: any pod may use an image on the node.
 */
export interface ImagePuller {
  decide(request: ImageRequest): ImageDecision;
  /**
   * Records the end of a pull.
   * @param error the message of the container runtime
   */
  handleFailure(request: ImageRequest, error: string): Extract<ImageDecision, { readonly do: 'fail' }>;
  handleSuccess(): void;
}

export function createImagePuller({ now }: { now(): number }): ImagePuller {
  const backOff = createBackOff({ initial: 10_000, max: 300_000, now });
  const lastErrors = new Map<string, string>();
  return {
    decide: (request) => decideImage(request, backOff, lastErrors, now()),
    handleFailure(request, text) {
      backOff.next(keyOf(request), now());
      const { error, message } = classifyPullError(request.image, text);
      lastErrors.set(keyOf(request), `${error}: ${message}`);
      const event = `Failed to pull image "${request.image}": ${text}`;
      return { do: 'fail', error, message, event: { type: 'Warning', reason: 'Failed', message: event } };
    },
    handleSuccess: () => backOff.collect(),
  };
}

const keyOf = ({ podUID, image }: ImageRequest): string => `${podUID}_${image}`;

function decideImage(request: ImageRequest, backOff: BackOff, lastErrors: Map<string, string>, now: number): ImageDecision {
  const { image, policy, isPresent } = request;
  if (policy !== 'Always' && isPresent) {
    const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
    return { do: 'use', message, event: { type: 'Normal', reason: 'Pulled', message } };
  }
  if (policy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    return { do: 'fail', error: 'ErrImageNeverPull', message, event: { type: 'Warning', reason: 'ErrImageNeverPull', message } };
  }
  if (!backOff.isInBackOffSinceUpdate(keyOf(request), now)) {
    lastErrors.delete(keyOf(request));
    return { do: 'pull', event: { type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"` } };
  }
  const text = `Back-off pulling image "${image}"`;
  const lastError = lastErrors.get(keyOf(request));
  const message = lastError === undefined ? text : `${text}: ${lastError}`;
  return { do: 'fail', error: 'ImagePullBackOff', message, event: { type: 'Normal', reason: 'BackOff', message: text } };
}

/** Mirrors `evalCRIPullErr` (1.36, pkg/kubelet/images/image_manager.go). */
function classifyPullError(image: string, text: string): { readonly error: ImageError; readonly message: string } {
  for (const [error, cause] of Object.entries(knownCauses) as [ImageError, string][])
    if (text.startsWith(error)) return { error, message: `image pull failed for ${image} because the ${cause}${text.slice(error.length)}` };
  return { error: 'ErrImagePull', message: text };
}

const knownCauses: Readonly<Partial<Record<ImageError, string>>> = {
  RegistryUnavailable: 'registry is unavailable',
  SignatureValidationFailed: 'signature validation failed',
};
