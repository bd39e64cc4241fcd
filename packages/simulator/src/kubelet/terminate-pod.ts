/** One step of ending a pod. */
export type TerminationStep =
  /** Generates the pod's status; `finished` if no container will run again (the option of `podPhase` in `kube-endpoints/readiness`). */
  | { readonly do: 'setStatus'; readonly finished: boolean }
  | { readonly do: 'stopLivenessAndStartupProbes' }
  /** See `killPod`. */
  | { readonly do: 'killPod'; readonly gracePeriodOverride?: number }
  /** Stops all probes, which are only readiness probes by now. */
  | { readonly do: 'stopProbes' }
  /** Fails if a container still runs. */
  | { readonly do: 'readRuntimeStatus' }
  /** Releases devices of dynamic resource allocation. */
  | { readonly do: 'releaseResources' }
  /** Waits until all volumes are unmounted and removed; the kubelet checks the latter every 100 milliseconds. */
  | { readonly do: 'unmountVolumes' }
  | { readonly do: 'removeCgroups' }
  /** See `terminate` of `PodStatusCache`. */
  | { readonly do: 'terminateStatus' };

/** Yields steps. The caller answers each with whether it succeeded; returns whether the sync did. */
export type TerminationSteps = Generator<TerminationStep, boolean, boolean>;

/**
 * Stops the containers of a pod. Its readiness probes go on until all containers have ended, so that the pod stays ready meanwhile unless it fails
 * them. Mirrors `SyncTerminatingPod` (1.36, pkg/kubelet/kubelet.go).
 */
export function* terminatePod(gracePeriod: number | undefined): TerminationSteps {
  yield { do: 'setStatus', finished: false };
  yield { do: 'stopLivenessAndStartupProbes' };
  if (!(yield { do: 'killPod', ...(gracePeriod !== undefined && { gracePeriodOverride: gracePeriod }) })) return false;
  yield { do: 'stopProbes' };
  if (!(yield { do: 'readRuntimeStatus' })) return false;
  if (!(yield { do: 'releaseResources' })) return false;
  yield { do: 'setStatus', finished: true };
  return true;
}

/** Cleans up after a pod whose containers have ended. Mirrors `SyncTerminatedPod` (1.36, pkg/kubelet/kubelet.go). */
export function* cleanUpPod(): TerminationSteps {
  yield { do: 'setStatus', finished: true };
  if (!(yield { do: 'unmountVolumes' })) return false;
  if (!(yield { do: 'removeCgroups' })) return false;
  yield { do: 'terminateStatus' };
  return true;
}
