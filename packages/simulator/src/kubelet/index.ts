export { type BackOff, type BackOffOptions, createBackOff } from '../go/back-off.ts';
export type {
  ActionsInput,
  ActuatedResources,
  ComparedResources,
  ContainerToKill,
  ContainerToReset,
  ContainerToUpdate,
  KillReason,
  PodActions,
  ResizableResource,
  StoredProbeResult,
} from './actions.ts';
export { hashContainer, isContainerChanged } from './container-hash.ts';
export {
  checkRestartBackOff,
  createRestartBackOff,
  type RestartBackOffOptions,
  type RestartDelay,
  restartBackOffKey,
} from './crash-loop.ts';
export { effectiveGracePeriod, minGracePeriodSeconds, terminationGracePeriod } from './grace-period.ts';
export {
  createImagePuller,
  type ImageDecision,
  type ImageError,
  type ImageEvent,
  type ImagePuller,
  type ImageRequest,
} from './image-pull.ts';
export { type KillContainerOptions, type KilledContainer, killContainer, type StopBehaviour } from './kill-container.ts';
export { type KilledPod, type KillPodOptions, killPod } from './kill-pod.ts';
export {
  endOfShutdownGroup,
  groupPodsForShutdown,
  type ShutdownConfig,
  type ShutdownGroup,
  type ShutdownPeriod,
  shutdownPeriods,
  shutdownStatus,
} from './node-shutdown.ts';
export type { KubeletContainer, KubeletPod, KubeletProbe, LifecycleHandler, PodSpec, Resources } from './pod.ts';
export { computePodActions } from './pod-actions.ts';
export {
  canBeDeleted,
  createPodStatusCache,
  type PodStatusCache,
  type PodStatusCacheOptions,
  statusSyncPeriod,
} from './pod-status-cache.ts';
export { isKubeletStatusEqual } from './pod-status-equal.ts';
export {
  createPodWorker,
  type KillRequest,
  type PodUpdate,
  type PodWork,
  type PodWorker,
  type PodWorkerOptions,
  type Requeue,
  type SyncResult,
  type WorkerState,
  type WorkerStep,
} from './pod-worker.ts';
export { isRestartCleanedUp, shouldAllContainersRestart, shouldContainerBeRestarted } from './restart-policy.ts';
export type { RuntimeContainer, RuntimeSandbox, RuntimeStatus } from './runtime-status.ts';
export { sleepSecondsOf } from './sleep-command.ts';
export { type SyncStep, type SyncSteps, syncPod } from './sync-pod.ts';
export { cleanUpPod, type TerminationStep, type TerminationSteps, terminatePod } from './terminate-pod.ts';
export { terminateStatus } from './terminate-status.ts';
